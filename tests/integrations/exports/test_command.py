"""`pg3 export`: where results go, and what is refused."""

from __future__ import annotations

import json
import runpy
from typing import TYPE_CHECKING

import pytest

from pg3.pddl import read_domain
from pg3.policy import read_policy
from tests.cli.test_cli import Run, pg3
from tests.conftest import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["pg3"]

FERRY = REPOSITORY / "examples" / "ferry"
DOMAIN, SMALL = FERRY / "domain.pddl", FERRY / "small.pddl"
POLICY = REPOSITORY / "examples" / "policies" / "ferry.policy"


def test_python(pg3: Run, tmp_path: Path) -> None:
    path = tmp_path / "ferry_policy.py"
    result = pg3("export", DOMAIN, "-p", POLICY, "--to", "python", "-o", path)
    assert (result.code, result.out) == (0, "")
    assert result.err == f"exported 'ferry' to {path}\n"
    names = runpy.run_path(str(path))
    assert names["next_action"]([], [], {}) is None
    printed = pg3("export", DOMAIN, "-p", POLICY, "--to", "python")
    assert printed.out == path.read_text()
    assert printed.err == ""


def test_json(pg3: Run, tmp_path: Path) -> None:
    path = tmp_path / "ferry.json"
    assert pg3("export", DOMAIN, "-p", POLICY, "--to", "json", "-o", path).code == 0
    assert json.loads(path.read_text())["format"] == "pg3-policy"
    domain = read_domain(DOMAIN)
    assert read_policy(path, domain) == read_policy(POLICY, domain)


def test_axioms_alone(pg3: Run) -> None:
    result = pg3("export", DOMAIN, "-p", POLICY, "--to", "pddl-axioms")
    assert result.code == 0
    assert "(:derived (pg3-rule-1-proposes" in result.out


def test_axioms_with_problems(pg3: Run, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "out"
    options = (SMALL, FERRY / "train", "-o", folder)
    result = pg3("export", DOMAIN, "-p", POLICY, "--to", "pddl-axioms", *options)
    assert result.code == 0
    assert result.err == f"exported the domain and 7 problems to {folder}\n"
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["domain.pddl", *(f"p{i}.pddl" for i in range(1, 7)), "small.pddl"]
    assert "(pg3-goal-at " in (folder / "small.pddl").read_text()
    # Once more over the old results.
    assert pg3("export", DOMAIN, "-p", POLICY, "--to", "pddl-axioms", *options).code == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--to", "python", SMALL, "-o", "x"], "problems are of no use for 'python'"),
        (["--to", "pddl-axioms", SMALL], "name a folder for them with -o"),
        (
            ["--to", "pddl-axioms", SMALL, SMALL, "-o", "x"],
            "there is already a result called 'small.pddl'",
        ),
        (["--to", "pddl-axioms", DOMAIN, "-o", "x"], "called 'domain.pddl'"),
        (["--to", "pddl-axioms", SMALL, "-o", POLICY], "it is a file"),
        (["--to", "pddl-axioms", SMALL, "-o", FERRY], "it is an input"),
        (["--to", "json", "-o", POLICY], "it is an input"),
        (["--to", "json", "-o", "/no/such/folder/x"], "cannot write"),
    ],
)
def test_refusals(pg3: Run, options: list[str], message: str, tmp_path: Path) -> None:
    options = [str(tmp_path / "x") if option == "x" else option for option in options]
    result = pg3("export", DOMAIN, "-p", POLICY, *options)
    assert result.code == 2
    assert result.out == ""
    assert message in result.err
    assert list(tmp_path.iterdir()) == []


def test_unknown_form(pg3: Run) -> None:
    result = pg3("export", DOMAIN, "-p", POLICY, "--to", "prolog")
    assert result.code == 2
    assert "'pddl-axioms'" in result.err


def test_help_of_export(pg3: Run) -> None:
    result = pg3("export", "--help")
    assert "Example: pg3 export " in result.out
    assert len(result.out.splitlines()) <= 24
