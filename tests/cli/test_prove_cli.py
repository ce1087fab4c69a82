"""`pg3 prove` and `pg3 solve --proof`: answers, exit codes and messages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_cli import Run, pg3
from tests.conftest import REPOSITORY

__all__ = ["pg3"]

pytest.importorskip("z3")

FERRY = REPOSITORY / "examples" / "ferry"
DOMAIN, TRAIN, SMALL = FERRY / "domain.pddl", FERRY / "train", FERRY / "small.pddl"
POLICY = REPOSITORY / "examples" / "policies" / "ferry.policy"
BROKEN = REPOSITORY / "tests" / "analysis" / "challenge" / "ferry-boards-anything.policy"


def test_prove_check_and_solve(pg3: Run, tmp_path: Path) -> None:
    folder, answer = str(tmp_path / "proof"), tmp_path / "answer.json"
    found = pg3("prove", DOMAIN, TRAIN, "-p", POLICY, "-o", folder, "--json", str(answer))
    assert found.code == 0, found
    assert found.out.startswith("Proved: solves every problem in which\n- there is at least one")
    value = json.loads(answer.read_text(encoding="utf-8"))
    assert value["verdict"] == "proved"
    assert len(list(Path(folder).glob("*.smt2"))) == value["obligations"]
    checked = pg3("prove", "--check", folder, DOMAIN, POLICY)
    assert checked.code == 0, checked
    assert checked.out.startswith("The proof holds: ")
    assert "- every goal is of the form (at car location)" in checked.out
    other = pg3("prove", "--check", folder, DOMAIN, BROKEN)
    assert (other.code, other.out) == (
        1,
        "The proof is not confirmed: it is a proof about another policy.\n",
    )
    inside = pg3("solve", DOMAIN, SMALL, "-p", POLICY, "--proof", folder)
    assert inside.code == 0
    assert ": proved, if `pg3 prove --check` confirms that proof" in inside.err
    refused = pg3("solve", DOMAIN, SMALL, "-p", BROKEN, "--proof", folder)
    assert refused.code == 2
    assert "about another policy" in refused.err


def test_bad_input(pg3: Run, tmp_path: Path) -> None:
    assert pg3("prove", DOMAIN, SMALL).code == 2
    assert pg3("prove", "--check", str(tmp_path), DOMAIN, POLICY).code == 2
    assert pg3("prove", "--check", str(tmp_path), DOMAIN, POLICY, SMALL).code == 2
    (tmp_path / "proof.json").write_text("{}", encoding="utf-8")
    broken = pg3("prove", "--check", str(tmp_path), DOMAIN, POLICY)
    assert broken.code == 2
    assert "no proof: 'format' is missing" in broken.err
