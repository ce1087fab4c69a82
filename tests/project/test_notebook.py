"""The notebook runs as it stands, and its stored outputs are what it gives.

After a change of what it shows, `python -m tests.project.test_notebook` runs it and stores the
outputs.
"""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING, Any

import nbformat
import pytest
from nbclient import NotebookClient

from tests.conftest import REPOSITORY
from tests.support.waiting import PATIENCE

if TYPE_CHECKING:
    from pathlib import Path

NOTEBOOK = REPOSITORY / "docs" / "notebooks" / "tour.ipynb"

# What differs from run to run.
SECONDS = re.compile(r"\b\d+\.\d+ s\b")


def executed(path: Path) -> Any:
    """The notebook after a run from top to bottom, in a kernel of its own."""
    notebook = nbformat.read(path, as_version=4)
    with warnings.catch_warnings():
        # Jupyter's own, about its paths and event loops.
        warnings.simplefilter("ignore")
        client = NotebookClient(
            notebook, timeout=PATIENCE, resources={"metadata": {"path": str(path.parent)}}
        )
        client.execute()
    # Times, and the version of Python: nothing that is worth a change of the file.
    notebook.metadata.language_info = {"name": "python"}
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    return notebook


def shown(notebook: Any) -> list[list[Any]]:
    """What its cells show, but for times."""
    outputs = []
    for cell in notebook.cells:
        told: list[Any] = []
        for output in cell.get("outputs", []):
            data = output.get("data", {"text": output.get("text", "")})
            # What showed the progress of learning is empty afterwards.
            if any(data.values()):
                told.append({k: SECONDS.sub("… s", "".join(text)) for k, text in data.items()})
        outputs.append(told)
    return outputs


@pytest.fixture(scope="module")
def stored() -> Any:
    return nbformat.read(NOTEBOOK, as_version=4)


def test_it_is_a_valid_notebook(stored: Any) -> None:
    nbformat.validate(stored)
    assert all("execution" not in cell.metadata for cell in stored.cells)


def test_it_runs_and_shows_what_is_stored(
    stored: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nobody's own settings have a say, and nothing is left behind.
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    again = executed(NOTEBOOK)
    assert shown(again) == shown(stored)


def test_it_reads_well(stored: Any) -> None:
    """Every code cell shows something or prepares the next, and values are shown as HTML."""
    pages = [
        "".join(output["data"]["text/html"])
        for cell in stored.cells
        for output in cell.get("outputs", [])
        if "text/html" in output.get("data", {})
    ]
    assert len(pages) == 9
    assert all(page.startswith("<pre ") for page in pages)
    text = re.sub("<[^>]+>", "", "".join(pages))
    for what in ("domain ferry", "learned policy ferry", "rule board", "missed actions", "cycle"):
        assert what in text
    assert str(REPOSITORY) not in NOTEBOOK.read_text(encoding="utf-8")


if __name__ == "__main__":
    nbformat.write(executed(NOTEBOOK), NOTEBOOK)
