"""The wheel that `make wheel` builds, in a virtual environment that has nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING

import pytest

from tests.conftest import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

FERRY = REPOSITORY / "examples" / "ferry"


@pytest.fixture(scope="module")
def wheel() -> Path:
    """The newest wheel for this Python."""
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    found = sorted(
        (REPOSITORY / "dist").glob(f"pg3-*-{tag}-*.whl"), key=lambda path: path.stat().st_mtime
    )
    assert found, "no wheel in dist: make wheel"
    return found[-1]


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh virtual environment with the wheel and what it depends on."""
    folder = tmp_path_factory.mktemp("fresh")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run(
        [folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", wheel],
        check=True,
    )
    return folder


def run(environment: Path, where: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    # Nothing of the repository's own environment is to help.
    variables = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return subprocess.run(
        [environment / "bin" / "pg3", *map(str, arguments)],
        cwd=where,
        capture_output=True,
        text=True,
        check=False,
        env=variables,
    )


def test_it_has_what_is_needed_and_no_more(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert any(name.startswith("pg3/_native.") for name in names)
    assert {"pg3/py.typed", "pg3/_native.pyi", "pg3/domains/ferry.pddl"} <= set(names)
    assert any(name.startswith("pg3/viewer/assets/") for name in names)
    assert any(name.startswith("pg3/report/templates/") for name in names)
    assert all(name.startswith(("pg3/", "pg3-")) for name in names)


def test_it_learns_and_solves(environment: Path, tmp_path: Path) -> None:
    version = run(environment, tmp_path, "--version")
    assert (version.returncode, version.stderr) == (0, "")
    assert version.stdout.startswith("pg3 ")

    domain, policy = FERRY / "domain.pddl", tmp_path / "learned.policy"
    learned = run(environment, tmp_path, "learn", domain, FERRY / "train", "-o", policy)
    assert learned.returncode == 0, learned.stderr
    problem = FERRY / "small.pddl"
    solved = run(environment, tmp_path, "solve", domain, problem, "--policy", policy)
    assert solved.returncode == 0, solved.stderr
    plan = tmp_path / "small.plan"
    plan.write_text(solved.stdout)
    checked = run(environment, tmp_path, "validate", domain, problem, plan)
    assert checked.returncode == 0, checked.stdout + checked.stderr
