"""Cheaper plans from plans: each part against a slow twin, or against what it promises."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pg3.domains import DOMAINS
from pg3.pddl import parse_domain, parse_problem
from pg3.pddl.model import Atom, Literal
from pg3.planning import Limits, improve, plan
from pg3.planning import windows as windows_module
from pg3.planning.elimination import eliminate_actions
from pg3.planning.windows import Window, Windows, is_plain
from pg3.semantics.validation import validate
from tests.oracle import semantics
from tests.oracle.elimination import eliminate
from tests.support.lights import acts, house
from tests.support.random_problems import (
    AXIOMS,
    CONDITIONAL,
    PAPER,
    action_sequences,
    problems,
)

if TYPE_CHECKING:
    from pg3.pddl import Problem
    from pg3.pddl.plans import GroundAction
    from tests.oracle.semantics import Instance
    from tests.support.random_problems import Features

# To b and back and forth, with a switch that nobody asks for.
LONG_WAY = acts("go r hall a", "go r a hall", "go r hall b", "switch r b", "rest", "go r b a")


def _solved(
    data: st.DataObject, features: Features, max_steps: int = 12
) -> tuple[Problem, list[Instance]]:
    """A problem with a plan: some actions, and some of what holds after them as the goal."""
    draw = data.draw
    problem = draw(problems(features))
    steps = draw(action_sequences(problem, max_steps=max_steps))
    state = semantics.initial_state(problem)
    for one in steps:
        state = one.successor(state)
    true = [atom for atom in sorted(state) if atom.predicate in problem.domain.fluents]
    false = sorted({a for one in steps for a in one.adds | one.deletes} - state)
    literals = [*map(Literal, true), *(Literal(atom, False) for atom in false)]
    goal = draw(st.lists(st.sampled_from(literals), max_size=3, unique=True)) if literals else []
    return problem.replace(goal=goal), steps


def _actions(steps: list[Instance]) -> tuple[GroundAction, ...]:
    return tuple(one.action for one in steps)


@given(st.data())
def test_elimination_is_what_it_is_in_print(data: st.DataObject) -> None:
    problem, steps = _solved(data, PAPER)
    found = eliminate_actions(problem, _actions(steps), None)
    assert found == _actions(eliminate(problem, steps))
    hasty = eliminate_actions(problem, _actions(steps), data.draw(st.integers(1, 3)))
    assert validate(problem, hasty).valid


@given(st.data())
def test_a_window_is_solved_by_its_steps_and_by_any_other_plan(data: st.DataObject) -> None:
    problem, steps = _solved(data, data.draw(st.sampled_from([PAPER, AXIOMS, CONDITIONAL])))
    most_objects = data.draw(st.sampled_from([0, 2, 100]))
    length = data.draw(st.integers(2, 5))
    actions = _actions(steps)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(windows_module, "MOST_OBJECTS", most_objects)
        windows = Windows(problem)

        def other(window: Window) -> tuple[GroundAction, ...] | None:
            assert validate(window.problem, window.steps).valid
            if window.is_all:
                assert window.problem.same_as(problem)
            found = plan(window.problem, limits=Limits(expansions=20), heuristic="blind")
            return found.plan if data.draw(st.booleans()) else None

        assert windows.sweep(actions, length, lambda _: None) == actions
        assert validate(problem, windows.sweep(actions, length, other)).valid


@given(st.data())
def test_an_improved_plan_is_valid_and_the_cheapest_one_if_it_says_so(data: st.DataObject) -> None:
    problem, steps = _solved(data, data.draw(st.sampled_from([PAPER, AXIOMS, CONDITIONAL])))
    limits = Limits(expansions=data.draw(st.sampled_from([0, 5, 500])))
    better = improve(problem, _actions(steps), limits=limits)
    assert better.validation == validate(problem, better.plan)
    assert better.validation.cost <= better.cost_before
    assert improve(problem, _actions(steps), limits=limits).plan == better.plan
    if better.cheapest:
        optimal = plan(problem, heuristic="blind", use_costs=True)
        assert optimal.cost == better.validation.cost


def test_a_long_way_becomes_the_cheapest() -> None:
    problem = house("(in r b)")
    better = improve(problem, LONG_WAY[:3])
    assert better.plan == acts("go r hall a", "go r a b")
    assert (better.cost_before, better.validation.cost, better.cheapest) == (14, 5, True)


def test_without_work_only_what_is_not_needed_goes() -> None:
    """The way to a by b needs the rest only because of the switch."""
    better = improve(house("(in r a)"), LONG_WAY[2:], limits=Limits(expansions=0))
    assert better.plan == acts("go r hall b", "go r b a")
    assert not better.cheapest


def test_a_plan_that_is_not_valid_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^only a valid plan can be improved: step 1"):
        improve(house(), acts("go r a b"))


def test_a_goal_that_holds_needs_no_plan() -> None:
    assert improve(house("(in r hall)"), ()).plan == ()


def test_windows_of_a_large_problem_are_small() -> None:
    """A ferry that brings every car by itself, among very many others that stay where they are."""
    problem = DOMAINS["ferry"].problems("test", seed=0, count=1, sizes={"cars": (150, 150)})[0]
    assert is_plain(problem)
    first = plan(problem, search="satisficing")
    assert first.plan is not None
    sizes = []

    def note(window: Window) -> None:
        sizes.append(len(window.problem.objects))
        assert validate(window.problem, window.steps).valid

    assert Windows(problem).sweep(first.plan, 10, note) == first.plan
    assert len(problem.objects) > 150
    assert max(sizes) <= 100


def test_plans_with_numbers() -> None:
    """A detour costs fuel, which is a number: windows begin with what is left of it."""
    domain = parse_domain(
        """(define (domain drive) (:requirements :typing :numeric-fluents)
          (:types place) (:predicates (at ?a - place) (road ?a ?b - place))
          (:functions (fuel) - number)
          (:action go :parameters (?a ?b - place)
            :precondition (and (at ?a) (road ?a ?b) (>= (fuel) 1))
            :effect (and (not (at ?a)) (at ?b) (decrease (fuel) 1))))"""
    )
    problem = parse_problem(
        """(define (problem p) (:domain drive) (:objects a b c - place)
          (:init (at a) (road a b) (road b a) (road b c) (road a c) (= (fuel) 6))
          (:goal (at c)))""",
        domain,
    )
    detour = acts("go a b", "go b a", "go a b", "go b c")
    seen = []
    Windows(problem).sweep(detour, 2, lambda window: seen.append(window.problem))
    assert [one.function_values for one in seen] == [{Atom("fuel"): 4}]
    better = improve(problem, detour, limits=Limits(expansions=100))
    assert better.plan == acts("go a c")
