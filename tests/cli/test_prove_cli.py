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
    checked = pg3("prove", DOMAIN, "-p", POLICY, "--check", folder)
    assert checked.code == 0, checked
    assert checked.out.startswith("The proof holds: ")
    assert "- every goal is of the form (at car location)" in checked.out
    other = pg3("prove", DOMAIN, "-p", BROKEN, "--check", folder)
    assert (other.code, other.out) == (
        1,
        "The proof is not confirmed: it is a proof about another policy.\n",
    )
    inside = pg3("solve", DOMAIN, SMALL, "-p", POLICY, "--proof", folder)
    assert inside.code == 0
    assert ": proved, if `pg3 prove --check` confirms that proof" in inside.err
    told = pg3("explain", DOMAIN, SMALL, "-p", POLICY, "--proof", folder)
    assert told.code == 0
    assert told.out.count("brings the end nearer: ") == told.out.count("\nstep ")
    assert "fewer of these: the goal (at car location) and not (at car location)" in told.out
    page = tmp_path / "page.html"
    view = pg3("view", DOMAIN, SMALL, "-p", POLICY, "--proof", folder, "-o", str(page))
    assert view.code == 0
    assert "fewer of these: " in page.read_text(encoding="utf-8")
    refused = pg3("solve", DOMAIN, SMALL, "-p", BROKEN, "--proof", folder)
    assert refused.code == 2
    assert "about another policy" in refused.err


def test_bad_input(pg3: Run, tmp_path: Path) -> None:
    assert pg3("prove", DOMAIN, SMALL).code == 2
    assert pg3("prove", DOMAIN, "-p", POLICY, "--check", str(tmp_path)).code == 2
    assert pg3("prove", DOMAIN, "-p", POLICY, "--check", str(tmp_path), SMALL).code == 2
    (tmp_path / "proof.json").write_text("{}", encoding="utf-8")
    broken = pg3("prove", DOMAIN, "-p", POLICY, "--check", str(tmp_path))
    assert broken.code == 2
    assert "no proof: 'format' is missing" in broken.err


def test_learn_until_proved(pg3: Run, tmp_path: Path) -> None:
    policy, answer = tmp_path / "ferry.policy", tmp_path / "answer.json"
    learned = pg3("learn", DOMAIN, TRAIN, "--prove", "-o", str(policy), "--json", str(answer))
    assert learned.code == 0, learned
    assert "Proved: solves every problem in which there is at least one car" in learned.err
    proof = json.loads(answer.read_text(encoding="utf-8"))["proof"]
    assert proof["verdict"] == "proved"
    assert proof["file"] == str(tmp_path / "ferry.proof" / "proof.json")
    checked = pg3("prove", DOMAIN, "-p", str(policy), "--check", str(tmp_path / "ferry.proof"))
    assert checked.code == 0
    assert pg3("learn", DOMAIN, TRAIN, "--prove", "--run", str(tmp_path / "run")).code == 2
