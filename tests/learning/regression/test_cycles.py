"""Policies that go round in a cycle: what regression learns from that."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pg3.learning.regression import Regression
from pg3.learning.regression.experience import Experience
from pg3.learning.training import Training
from pg3.pddl import parse_domain
from pg3.pddl.model import Atom, Literal, Problem, TypedObject
from pg3.planning import execute
from pg3.semantics.task import Task

# Padlocks hang on switches. Work on a switch needs one there, and can be all that is asked for.
SWITCHES = parse_domain("""
(define (domain switches)
  (:requirements :strips :typing :negative-preconditions)
  (:types switch padlock - object)
  (:predicates (hangs ?p - padlock ?s - switch) (used ?p - padlock) (tagged ?s - switch)
               (done ?s - switch))
  (:action hang :parameters (?p - padlock ?s - switch)
    :precondition (and (not (used ?p)) (not (tagged ?s)))
    :effect (and (hangs ?p ?s) (used ?p) (tagged ?s)))
  (:action take :parameters (?p - padlock ?s - switch)
    :precondition (hangs ?p ?s)
    :effect (and (not (hangs ?p ?s)) (not (used ?p)) (not (tagged ?s))))
  (:action work :parameters (?s - switch)
    :precondition (tagged ?s)
    :effect (done ?s)))
""")


def switches(tagged: int, done: int, spare: int, padlocks: int) -> Problem:
    """Some switches are to be tagged, others to be done; padlocks hang on the others, if any."""
    names = [f"s{i}" for i in range(tagged + done + spare)]
    locks = [f"p{i}" for i in range(padlocks)]
    init = [
        fact
        for lock, switch in zip(locks, reversed(names[tagged + done :]), strict=False)
        for fact in (
            Atom("hangs", (lock, switch)),
            Atom("used", (lock,)),
            Atom("tagged", (switch,)),
        )
    ]
    goal = [Literal(Atom("tagged", (name,))) for name in names[:tagged]]
    goal += [Literal(Atom("done", (name,))) for name in names[tagged : tagged + done]]
    return Problem.of(
        f"switches-{tagged}-{done}-{spare}-{padlocks}",
        SWITCHES,
        [
            *(TypedObject(name, "switch") for name in names),
            *(TypedObject(name, "padlock") for name in locks),
        ],
        init,
        goal,
    )


SMALL = [
    switches(1, 1, 0, 1),
    switches(2, 1, 0, 2),
    switches(2, 0, 2, 2),
    switches(1, 2, 1, 1),
    switches(2, 1, 3, 3),
]
LARGE = [switches(6, 9, 0, 6), switches(9, 0, 12, 9), switches(5, 8, 9, 6)]


def solved(by_chains: bool) -> int:
    training = Training(SMALL)
    learned = Regression(training, seed=0, by_chains=by_chains).learn(training)
    policy = training.book.policy(learned.policy, "switches")
    return sum(execute(Task(problem), policy, max_steps=1000).solved for problem in LARGE)


@pytest.mark.parametrize("by_chains", [False, True])
def test_padlocks_that_are_wanted_elsewhere_are_left_there(by_chains: bool) -> None:
    assert solved(by_chains) == len(LARGE)


def test_what_is_lost_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Experience, "_let_leave_alone", lambda *_: None)
    assert solved(by_chains=True) < len(LARGE)


def test_where_nothing_else_helps_a_goal_is_undone() -> None:
    """The rule that takes a padlock from anywhere comes last."""
    training = Training(SMALL)
    learned = Regression(training, seed=0, by_chains=True).learn(training)
    rules = training.book.policy(learned.policy, "switches").rules
    number = training.book.number
    places = {rule: place for place, rule in enumerate(learned.policy)}
    careful = [rule for rule in rules if any(not goal.positive for goal in rule.goals)]
    assert careful
    for rule in careful:
        careless = replace(rule, goals=tuple(goal for goal in rule.goals if goal.positive))
        assert places[number(rule)] < places[number(careless)]
