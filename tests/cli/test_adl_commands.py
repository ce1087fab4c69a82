"""Every command on a domain with ADL, axioms, constants, subtypes and negative goals.

Messages speak of the user's predicates only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.test_cli import Run, pg3
from tests.support.command_tables import Row, checked

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["pg3"]

DOMAIN = """(define (domain home)
  (:requirements :adl :derived-predicates)
  (:types room thing - object dish garment - thing mug plate - dish)
  (:constants kitchen laundry - room)
  (:predicates (in ?t - thing ?r - room) (me ?r - room) (door ?a ?b - room) (carry ?t - thing)
    (dirty ?t - thing) (wet ?g - garment) (busy) (passable ?a ?b - room))
  (:derived (busy) (exists (?t - thing) (carry ?t)))
  (:derived (passable ?a ?b - room) (or (door ?a ?b) (door ?b ?a)))
  (:action walk :parameters (?a ?b - room) :precondition (and (me ?a) (passable ?a ?b))
    :effect (and (not (me ?a)) (me ?b)
      (forall (?t - thing) (when (carry ?t) (and (not (in ?t ?a)) (in ?t ?b))))))
  (:action pick :parameters (?t - thing ?r - room)
    :precondition (and (me ?r) (in ?t ?r) (not (busy))) :effect (carry ?t))
  (:action put :parameters (?t - thing) :precondition (carry ?t) :effect (not (carry ?t)))
  (:action wash :parameters (?d - dish)
    :precondition (and (me kitchen) (dirty ?d) (or (carry ?d) (in ?d kitchen)))
    :effect (not (dirty ?d)))
  (:action run-machine :parameters ()
    :precondition (and (me laundry) (not (busy))
      (exists (?g - garment) (and (in ?g laundry) (dirty ?g))))
    :effect (forall (?g - garment) (when (in ?g laundry) (and (not (dirty ?g)) (wet ?g)))))
  (:action hang :parameters (?g - garment)
    :precondition (and (carry ?g) (imply (wet ?g) (not (dirty ?g)))) :effect (not (wet ?g))))
"""

# In a home every room is next to the kitchen.
POLICY = """(define (policy home) (:domain home)
  (:derived (wanted-clean ?t - thing) (and (dirty ?t) (goal (not (dirty ?t)))))
  (:rule wash :parameters (?d - dish)
    :preconditions (and (me kitchen) (wanted-clean ?d) (dirty ?d) (or (carry ?d) (in ?d kitchen)))
    :action (wash ?d))
  (:rule hang :parameters (?g - garment)
    :preconditions (and (carry ?g) (wet ?g) (not (dirty ?g)) (imply (wet ?g) (not (dirty ?g))))
    :goals (goal (not (wet ?g))) :action (hang ?g))
  (:rule run :parameters ()
    :preconditions (and (me laundry) (not (busy))
      (exists (?g - garment) (and (in ?g laundry) (dirty ?g))))
    :action (run-machine))
  (:rule put :parameters (?t - thing) :preconditions (and (carry ?t) (not (wanted-clean ?t)))
    :action (put ?t))
  (:rule load :parameters (?g - garment) :preconditions (and (carry ?g) (me laundry))
    :action (put ?g))
  (:rule bring-shirt :parameters (?g - garment)
    :preconditions (and (carry ?g) (me kitchen) (passable kitchen laundry))
    :action (walk kitchen laundry))
  (:rule bring :parameters (?t - thing ?a - room)
    :preconditions (and (carry ?t) (me ?a) (passable ?a kitchen)) :action (walk ?a kitchen))
  (:rule pick :parameters (?t - thing ?r - room)
    :preconditions (and (me ?r) (in ?t ?r) (not (busy)) (wanted-clean ?t)) :action (pick ?t ?r))
  (:rule pick-wet :parameters (?g - garment ?r - room)
    :preconditions (and (me ?r) (in ?g ?r) (not (busy)) (wet ?g))
    :goals (goal (not (wet ?g))) :action (pick ?g ?r))
  (:rule go :parameters (?t - thing ?r - room)
    :preconditions (and (me kitchen) (in ?t ?r) (wanted-clean ?t) (passable kitchen ?r))
    :action (walk kitchen ?r))
  (:rule go-home :parameters (?a - room) :preconditions (and (me ?a) (passable ?a kitchen))
    :action (walk ?a kitchen)))
"""


def problem(rooms: int, dishes: int) -> str:
    """Dirty dishes and a dirty shirt, all over the rooms."""
    places = ["kitchen", *(f"r{i}" for i in range(rooms))]
    things = [f"m{i}" for i in range(dishes)]
    doors = " ".join(f"(door {place} kitchen)" for place in (*places[1:], "laundry"))
    where = " ".join(
        f"(in {thing} {places[i % len(places)]}) (dirty {thing})" for i, thing in enumerate(things)
    )
    return f"""(define (problem p) (:domain home)
      (:objects {" ".join(places[1:])} - room {" ".join(things)} - mug s - garment)
      (:init (me kitchen) {doors} {where} (in s r0) (dirty s))
      (:goal (and (forall (?t - thing) (not (dirty ?t))) (not (wet s)))))"""


COMMANDS: dict[str, Row] = {
    "plan": ("plan DOMAIN PROBLEM", 0, "(run-machine)"),
    "learn": ("learn DOMAIN train -o made/p.policy --max-candidates 20", (0, 1), "training"),
    "learn, on a cluster": (
        "learn DOMAIN train -o made/p.policy --max-candidates 5 --cluster 127.0.0.1:1",
        (0, 1),
        "learning runs on this machine, not on the cluster: some goals are negative",
    ),
    "solve": ("solve DOMAIN PROBLEM -p POLICY", 0, "(run-machine)"),
    "solve, guided": ("solve DOMAIN PROBLEM -p POLICY --guided", 0, "(run-machine)"),
    "evaluate": ("evaluate DOMAIN train -p POLICY", 0, "solved 3/3 (1.00)"),
    "validate": ("validate DOMAIN PROBLEM empty.plan", 1, "ends without (not (dirty m0)) and 3 mo"),
    "show": ("show DOMAIN -p POLICY", 0, "(or (carry ?d) (in ?d kitchen))"),
    "explain": ("explain DOMAIN PROBLEM -p POLICY", 0, "for the goal (not (wet s)), now reached"),
    "view": ("view DOMAIN PROBLEM -p POLICY -o made/view.html", 0, "open it with a browser"),
    "score": ("score DOMAIN train -p POLICY", 0, "solves 3 of 3 problems"),
    "challenge": ("challenge DOMAIN PROBLEM -p POLICY -n 3", (0, 1), ""),
    "certify": ("certify DOMAIN PROBLEM -p POLICY -o made/c.json", 0, "1 solved, 0 failed"),
    "prove": ("prove DOMAIN train -p POLICY", (1, 2), "not supported: the domain has axioms"),
    "doctor": ("doctor DOMAIN train", (0, 1), "the planner solves 3 of 3 problems"),
    "export to python": ("export DOMAIN -p POLICY --to python -o made/p.py", 0, "exported"),
    "export to json": ("export DOMAIN -p POLICY --to json -o made/p.json", 0, "exported"),
    "export to c": ("export DOMAIN -p POLICY --to c -o made/p.c", 0, "exported"),
    "export to axioms": ("export DOMAIN train -p POLICY --to pddl-axioms -o made", 0, "3 problems"),
    "generate": ("generate DOMAIN --like train -n 2 -p POLICY -o made/grown", 0, "2 problems"),
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A domain, problems and a policy."""
    for folder in ("train", "made"):
        (tmp_path / folder).mkdir()
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "problem.pddl").write_text(problem(2, 3))
    for i in range(3):
        (tmp_path / "train" / f"p{i}.pddl").write_text(problem(1 + i % 2, 1 + i))
    (tmp_path / "given.policy").write_text(POLICY)
    (tmp_path / "empty.plan").write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", COMMANDS)
def test_command(name: str, pg3: Run, files: Path) -> None:
    result = checked(COMMANDS[name], pg3)
    # Compiled conditions have places, and the learners' opposites names of their own.
    assert "$1" not in result.out + result.err
    assert "not-dirty" not in result.out + result.err
    assert bool(list((files / "made").iterdir())) == ("made" in COMMANDS[name][0])


def test_a_restricted_domain_is_solved(pg3: Run, files: Path) -> None:
    """What is exported as axioms reads as PDDL, and its plans are plans of the domain."""
    assert (files / "made").is_dir()
    export = ("export", "domain.pddl", "problem.pddl", "-p", "given.policy", "--to", "pddl-axioms")
    assert pg3(*export, "-o", "made").code == 0
    assert pg3("plan", "made/domain.pddl", "made/problem.pddl", "-o", "a.plan").code == 0
    assert pg3("validate", "domain.pddl", "problem.pddl", "a.plan").code == 0
