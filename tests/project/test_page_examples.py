"""Every command and snippet of the README and of the documentation runs, or says why it does not.

A block that cannot run here has a comment above it, `<!-- not run: REASON -->`, and stands in
`NOT_RUN`. What takes long is made smaller, by `SMALLER`. A block of the language "text" right after
one that runs is what it prints, with "..." for anything.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING

import pytest
import typer.main
from unified_planning.shortcuts import get_environment

from pg3.analysis.doctor.checks import CHECKS
from pg3.cli.app import app
from pg3.cli.main import load
from pg3.learning.operators import OPERATORS
from pg3.learning.scores import SCORES
from tests.cli.test_cli import Run, pg3
from tests.support.fast_downward import DRIVER
from tests.support.pages import PAGES, ROOT, blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["pg3"]

RUN = ("console", "sh", "python")
SHOWN = ("", "text", "json", "ini")

# How a line begins that is to be typed.
COMMAND = re.compile(r"^(\$ |pg3 |make |python |\.venv/)", re.MULTILINE)

# The pages' blocks that do not run, by their reasons.
NOT_RUN = Counter(
    {
        ("CONTRIBUTING.md", "these are the tests"): 1,
        ("README.md", "a synopsis, with names for files"): 1,
        ("docs/concepts/proofs.md", "a synopsis, with names for files"): 1,
        ("README.md", "installation; the tests run in what it makes"): 1,
        ("docs/how-to/challenge.md", "minutes"): 1,
        ("docs/how-to/cluster.md", "needs a cluster; make test-cluster has one"): 2,
        ("docs/how-to/cluster.md", "needs Slurm"): 1,
        ("docs/how-to/cluster.md", "needs Kubernetes"): 1,
        ("docs/results/autoscale.md", "an hour, and files that do not come with pg3"): 1,
        ("docs/results/planner.md", "hours, and files that do not come with pg3"): 1,
        ("docs/results/planner.md", "an hour, and files that do not come with pg3"): 2,
        ("docs/results/planner.md", "minutes"): 1,
        ("docs/results/planner.md", "minutes, and files that do not come with pg3"): 1,
        ("docs/results/scale.md", "minutes"): 1,
        ("docs/results/workplace.md", "minutes"): 1,
        ("docs/concepts/theory.md", "these are tests"): 1,
        ("docs/tutorial.md", "installation; the tests run in what it makes"): 1,
    }
)

# What is replaced, so that it takes a second and not minutes.
SMALLER = {
    "docs/concepts/baselines.md": {
        "epochs=1000": "epochs=1",
        'ferry.problems("test", seed=0)': 'ferry.problems("test", seed=0, count=1)',
    },
    "docs/how-to/challenge.md": {
        "-n 1000": "-n 100",
        "in 1000": "in 100",
        "problems=300": "problems=50",
        "pg3 challenge domain.pddl --policy examples/policies/miconic.policy --generator miconic": (
            "pg3 challenge domain.pddl --policy examples/policies/miconic.policy"
            " --generator miconic -n 100"
        ),
    },
    "docs/reference/domains.md": {"--cars 50000": "--cars 500", "-n 50": "-n 5"},
    "docs/how-to/experiments.md": {
        "--jobs 2 ": "--domains delivery --methods pg3,random --seeds 0 ",
        "--epochs 1000 --seeds 0-9": "--epochs 1 --domains delivery --seeds 0",
    },
}


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with the examples, as a clone has them; what snippets register goes again."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copytree(
        ROOT / "tests" / "analysis" / "challenge", tmp_path / "tests" / "analysis" / "challenge"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    get_environment().credits_stream = None
    scores, operators = dict(SCORES), dict(OPERATORS)
    yield tmp_path
    SCORES.clear()
    SCORES.update(scores)
    OPERATORS.clear()
    OPERATORS.update(operators)


@pytest.mark.parametrize("page", [p for p in PAGES if any(b.language in RUN for b in blocks(p))])
def test_page(page: str, pg3: Run, workplace: Path) -> None:
    """All blocks in order, in one folder: later ones use what earlier ones wrote."""
    for block in blocks(page):
        if block.language not in RUN or block.reason is not None:
            continue
        where = f"{page}:{block.line}"
        if block.language == "python":
            printed = [run_python(smaller(page, block.text), where)]
        else:
            for command in block.commands:
                printed = run_command(smaller(page, command), pg3, where)
        if block.output is not None:
            shown = smaller(page, block.output)
            assert any(fits(text, shown) for text in printed), f"{where}: {printed}"


def smaller(page: str, text: str) -> str:
    for old, new in SMALLER.get(page, {}).items():
        text = text.replace(old, new)
    return text


def run_python(code: str, where: str) -> str:
    printed = StringIO()
    with redirect_stdout(printed):
        exec(compile(code, where, "exec"), {"__name__": "__main__"})
    return printed.getvalue()


def run_command(line: str, pg3: Run, where: str) -> list[str]:
    """What a command prints, to stdout and to stderr. It must succeed, or end as a comment says."""
    program, *arguments = shlex.split(line, comments=True)
    if program == "fast-downward.py":
        command = [sys.executable, str(DRIVER), *arguments]
        return [subprocess.run(command, capture_output=True, text=True, check=True).stdout]
    assert program == "pg3", f"{where}: {line}: only pg3 can run here"
    target = None
    if ">" in arguments:
        *arguments, _, target = arguments
    result = pg3(*arguments)
    expected = re.search(r"# exit code (\d+)$", line)
    assert result.code == (int(expected[1]) if expected else 0), f"{where}: {line}: {result.err}"
    if target is not None:
        Path(target).write_text(result.out, encoding="utf-8")
    return [result.out, result.err]


def fits(text: str, pattern: str) -> bool:
    parts = (re.escape(part) for part in pattern.strip().split("..."))
    return re.fullmatch(".*?".join(parts), text.strip(), re.DOTALL) is not None


@pytest.mark.parametrize(
    ("text", "pattern", "expected"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\nb\n", "a\n...\n", True),
        ("solved, 3 steps, 0.1 s\n", "solved, 3 steps, ... s\n", True),
        ("a\nb\n", "a\n", False),
        ("a", "b", False),
    ],
)
def test_output_is_compared(text: str, pattern: str, expected: bool) -> None:
    assert fits(text, pattern) is expected


def test_what_does_not_run_is_known() -> None:
    """Who adds a block that does not run adds it here as well, with a reason."""
    found = Counter(
        (block.page, block.reason)
        for page in PAGES
        for block in blocks(page)
        if block.reason is not None
    )
    assert found == NOT_RUN


@pytest.mark.parametrize("page", PAGES)
def test_blocks_say_what_they_are(page: str) -> None:
    """A command is in a block for commands, so that it runs; every language is known."""
    for block in blocks(page):
        where = f"{page}:{block.line}"
        assert block.language in RUN + SHOWN, where
        if block.language == "":
            assert COMMAND.search(block.text) is None, where
        elif block.language in ("sh", "console"):
            assert block.commands, where


def test_what_is_made_smaller_is_there() -> None:
    for page, changes in SMALLER.items():
        text = "".join(block.text for block in blocks(page))
        assert [old for old in changes if old not in text] == []


def test_every_finding_is_on_the_page() -> None:
    page = (ROOT / "docs" / "how-to" / "doctor.md").read_text(encoding="utf-8")
    folder = ROOT / "src" / "pg3" / "analysis" / "doctor"
    sources = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*_checks.py"))]
    names = re.findall(r'Finding\(\s*"([a-z-]+)"', "".join(sources))
    assert len(names) > len(CHECKS)
    assert [name for name in names if f"`{name}`" not in page] == []


@pytest.mark.parametrize("page", PAGES)
def test_commands_in_the_text_have_these_options(page: str) -> None:
    """What does not run, in a sentence or a synopsis, at least names commands and options."""
    text = (ROOT / page).read_text(encoding="utf-8")
    lines = [line for block in blocks(page) if block.reason for line in block.commands]
    load()
    known = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    for line in lines + re.findall(r"`(pg3 [^`\n]+)`", text):
        found = re.match(r"pg3 +([a-z]+)(.*)", line)
        if found is not None:
            command = known[found[1]]
            options = {option for parameter in command.params for option in parameter.opts}
            used = re.findall(r"(?<!\S)-(?:-[a-z-]+|[a-z])\b", found[2].split(" # ")[0])
            assert set(used) <= options | {"--help"}, f"{page}: {line}"


@pytest.mark.parametrize("page", PAGES)
def test_tests_and_targets_on_a_page_exist(page: str) -> None:
    """A promise names the test behind it: `test_name`, `test_beginning_...`, `make target`."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for name, rest in re.findall(r"`(test_\w+)(\.\.\.|…)?`", text):
        end = "" if rest else r"\("
        assert re.search(rf"def {name}{end}", all_tests()) is not None, name
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    assert set(re.findall(r"(?:`|^)make ([a-z-]+)", text, re.MULTILINE)) <= set(targets)


@cache
def all_tests() -> str:
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


@pytest.mark.parametrize("page", PAGES)
def test_names_of_python_on_a_page_exist(page: str) -> None:
    """`pg3.part.name`, with or without arguments."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for name in re.findall(r"`(pg3(?:\.[a-zA-Z_]+)+)(?:\([^`]*\))?`", text):
        assert resolve_name(name) is not None, name
