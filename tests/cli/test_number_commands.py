"""Every command on a domain with numbers: it works, or one message says why it does not."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from pg3.pddl import read_domain, read_problem
from pg3.policy import read_policy
from tests.cli.test_cli import Run, pg3
from tests.support.command_tables import Row, checked
from tests.support.number_domains import BARS, bars_problem

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["pg3"]

POLICY = """(define (policy bars) (:domain bars)
  (:rule leave :parameters (?b - bar)
    :preconditions (and (at ?b) (>= (load) 1) (not (>= (stock ?b) (goal (stock ?b)))))
    :goals (>= (stock ?b) (goal (stock ?b)))
    :action (leave ?b))
  (:rule take :parameters (?b ?x - bar)
    :preconditions (and (at ?b) (brewery ?b) (<= (load) 2) (not (>= (stock ?x) (goal (stock ?x)))))
    :goals (>= (stock ?x) (goal (stock ?x)))
    :action (take ?b))
  (:rule bring :parameters (?b ?x - bar)
    :preconditions (and (at ?b) (>= (load) 1) (not (>= (stock ?x) (goal (stock ?x)))))
    :goals (>= (stock ?x) (goal (stock ?x)))
    :action (go ?b ?x))
  (:rule fetch :parameters (?b ?y - bar)
    :preconditions (and (at ?b) (brewery ?y) (not (>= (load) 1)))
    :action (go ?b ?y)))
"""

# Folders are relative.
COMMANDS: dict[str, Row] = {
    "plan": ("plan DOMAIN PROBLEM -o made/p.plan", 0, "solved: "),
    "plan by A*": ("plan DOMAIN PROBLEM --search astar", 0, "(leave b1)"),
    "learn": ("learn DOMAIN train -o made/learned.policy --max-candidates 20", (0, 1), "solved"),
    "solve": ("solve DOMAIN PROBLEM -p POLICY", 0, "(leave b1)"),
    "solve, guided": ("solve DOMAIN PROBLEM -p POLICY --guided", 0, "(leave b1)"),
    "solve, improved": ("solve DOMAIN PROBLEM -p POLICY --improve-expansions 50", 0, "solved: "),
    "evaluate": ("evaluate DOMAIN train -p POLICY", 0, "solved 3/3 (1.00)"),
    "show": ("show DOMAIN -p POLICY", 0, "(not (>= (stock ?b) (goal (stock ?b))))"),
    "explain": ("explain DOMAIN PROBLEM -p POLICY", 0, "at least what the goal asks"),
    "explain, brief": ("explain DOMAIN PROBLEM -p POLICY --brief", 0, "reaches (>= (stock b1) "),
    "view": ("view DOMAIN PROBLEM -p POLICY -o made/view.html", 0, "open it with a browser"),
    "score": ("score DOMAIN train -p POLICY", 0, "solves 3 of 3 problems"),
    "challenge": ("challenge DOMAIN PROBLEM -p POLICY -n 3", 0, "no counterexample"),
    "certify": ("certify DOMAIN PROBLEM -p POLICY -o made/c.json", 0, "1 solved, 0 failed"),
    "prove": ("prove DOMAIN train -p POLICY", (1, 2), "not supported: the domain has numbers"),
    "doctor": ("doctor DOMAIN train", 1, "domain bars: 3 actions, 2 predicates"),
    "export to python": ("export DOMAIN -p POLICY --to python -o made/p.py", 0, "exported"),
    "export to json": ("export DOMAIN -p POLICY --to json -o made/p.json", 0, "exported"),
    "export to c": ("export DOMAIN -p POLICY --to c -o made/p.c", 0, "exported"),
    "export to axioms": ("export DOMAIN -p POLICY --to pddl-axioms", 2, "has numbers, which this"),
    "generate": ("generate DOMAIN --like train -n 2 -p POLICY -o made/grown", 0, ""),
    "experiment": (
        "experiment --data data --methods robust --seeds 0 --max-candidates 20 -o made/results",
        (0, 1),
        "bars",
    ),
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A domain, problems, a policy, and the same as data of an experiment."""
    for folder in ("train", "data/bars/train", "data/bars/test", "made"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("domain.pddl", "data/bars/domain.pddl"):
        (tmp_path / name).write_text(BARS)
    for i in range(3):
        for folder in ("train", "data/bars/train"):
            (tmp_path / folder / f"p{i}.pddl").write_text(bars_problem(2 + i % 2, 1 + i % 3, i))
    for name in ("problem.pddl", "data/bars/test/p1.pddl"):
        (tmp_path / name).write_text(bars_problem(3, 2, 7))
    (tmp_path / "given.policy").write_text(POLICY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", COMMANDS)
def test_command(name: str, pg3: Run, files: Path) -> None:
    result = checked(COMMANDS[name], pg3)
    if result.code == 2:
        assert result.out == ""
        assert result.err.count("\n") == 1
    made = sorted(one.name for one in (files / "made").iterdir())
    assert bool(made) == ("made/" in COMMANDS[name][0] and result.code in (0, 1)), made


def test_plans_are_validated(pg3: Run, files: Path) -> None:
    assert pg3("plan", "domain.pddl", "problem.pddl", "-o", "made/p.plan").code == 0
    assert pg3("validate", "domain.pddl", "problem.pddl", "made/p.plan").code == 0
    steps = (files / "made" / "p.plan").read_text().splitlines()
    last = next(i for i, line in enumerate(steps) if line.startswith("(leave"))
    (files / "made" / "p.plan").write_text("\n".join([*steps[:last], *steps[last + 1 :]]))
    result = pg3("validate", "domain.pddl", "problem.pddl", "made/p.plan")
    assert (result.code, "(stock " in result.out) == (1, True)
    (files / "made" / "p.plan").write_text("")
    result = pg3("validate", "domain.pddl", "problem.pddl", "made/p.plan")
    assert re.match(r"invalid: the plan ends without \(>= \(stock b[0-9]\) [0-9]\)", result.out)


def test_a_certificate_is_checked_again(pg3: Run, files: Path) -> None:
    assert files.is_dir()
    given = ("certify", "domain.pddl", "-p", "given.policy")
    assert pg3(*given, "problem.pddl", "-o", "made/c.json").code == 0
    assert pg3(*given, "--check", "made/c.json").code == 0


def test_what_a_page_shows(pg3: Run, files: Path) -> None:
    """Values beside the objects that they are of; goals with their numbers, reached at the end."""
    result = pg3("view", "domain.pddl", "problem.pddl", "-p", "given.policy", "-o", "-")
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', result.out, re.S)
    assert found is not None
    data = json.loads(found[1])
    problem = read_problem(files / "problem.pddl", read_domain(files / "domain.pddl"))
    texts = [data["atoms"][goal] for goal in data["goal"]]
    assert texts == [[problem.goal_text(goal)] for goal in problem.goal_literals]
    assert all(re.fullmatch(r"\(>= \(stock b[0-9]\) [0-9]\)", text) for [text] in texts)
    state = set(data["init"])
    assert ["load = 0"] in [data["atoms"][i] for i in state]
    assert ["stock = 0", 1] in [data["atoms"][i] for i in state]
    assert not state & set(data["goal"])
    for step in data["steps"]:
        state = (state - set(step["del"])) | set(step["add"])
    assert state >= set(data["goal"])
    assert sum(data["atoms"][i][0].startswith("load = ") for i in state) == 1


def test_the_policy_is_one_of_the_domain(files: Path) -> None:
    policy = read_policy(files / "given.policy", read_domain(files / "domain.pddl"))
    assert [rule.name for rule in policy.rules] == ["leave", "take", "bring", "fetch"]
