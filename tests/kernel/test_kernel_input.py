"""Any numbers given to the kernel are refused with an exception, or are used without harm."""

from __future__ import annotations

import contextlib
import math
import struct
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pg3 import _native
from pg3.semantics.task import Task
from tests.support.errands import FETCH, FETCHING
from tests.support.random_problems import Scenario, scenarios

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# Mostly near the numbers in use, sometimes at the ends of their range.
NUMBERS = st.one_of(
    st.integers(-3, 12), st.sampled_from([2**31 - 1, -(2**31), 1000, 1001, 2**16, -(2**16)])
)
LISTS = st.lists(NUMBERS, max_size=5)
REFUSALS = (ValueError, IndexError, OverflowError)


@st.composite
def codes(draw: st.DrawFn) -> bytes:
    numbers = draw(st.lists(NUMBERS, max_size=12))
    return struct.pack(f"{len(numbers)}i", *numbers) + draw(st.sampled_from([b"", b"x"]))


CONDITIONS = st.lists(st.tuples(st.integers(-1, 3), st.booleans(), NUMBERS, LISTS), max_size=3)
TYPES = st.lists(LISTS, max_size=4)
EFFECTS = st.lists(st.tuples(TYPES, CONDITIONS, CONDITIONS), max_size=2)


def asked(question: Callable[[], object]) -> None:
    with contextlib.suppress(*REFUSALS):
        question()


@settings(max_examples=30)
@given(
    st.tuples(
        NUMBERS.filter(lambda number: number < 10**6),
        codes(),
        LISTS,
        st.lists(
            st.tuples(TYPES, CONDITIONS, CONDITIONS, NUMBERS, NUMBERS, LISTS, EFFECTS), max_size=3
        ),
        codes(),
        codes(),
        codes(),
        st.lists(st.tuples(LISTS, NUMBERS), max_size=2),
        st.lists(st.lists(st.tuples(NUMBERS, TYPES, CONDITIONS), max_size=2), max_size=2),
    ),
    st.lists(st.tuples(NUMBERS, LISTS, TYPES, CONDITIONS), max_size=3),
)
def test_tasks_and_rules_of_any_numbers(task: tuple[object, ...], rules: list[object]) -> None:
    table = _native.RuleTable()
    for rule in rules:
        asked(lambda rule=rule: table.add(rule))  # type: ignore[misc]
    try:
        built = _native.Task(*task)  # type: ignore[arg-type]
    except REFUSALS:
        return
    policy = list(range(len(table)))
    asked(lambda: _native.execute(built, table, policy, 10, 1.0, 50.0))
    asked(lambda: _native.ground(built, table, 1.0, 50.0))


@settings(max_examples=40)
@given(scenarios(), st.data())
def test_questions_of_any_numbers_about_a_good_task(
    scenario: Scenario, data: st.DataObject
) -> None:
    task = Task(scenario.problem)
    rules = list(task.rule_numbers(scenario.policy))
    space = task.space
    batch = _native.TrainingSet([space], data.draw(NUMBERS))

    def number() -> int:
        return data.draw(NUMBERS)

    def some() -> list[int]:
        return data.draw(LISTS)

    questions: list[Callable[[], object]] = [
        lambda: space.search(some(), number(), "add", True, 20, 1.0, 50.0, start=number()),
        lambda: space.search(rules, number(), "max", False, number(), 1.0, 50.0),
        lambda: space.find_fluent(some()),
        lambda: space.find_action(some()),
        lambda: space.action(number()),
        lambda: space.intern(some()),
        lambda: space.atoms(number()),
        lambda: space.is_goal(number()),
        lambda: space.successors(number()),
        lambda: space.heuristic(number(), "add"),
        lambda: space.rule_match(number(), number()),
        lambda: space.policy_action(some(), number()),
        lambda: space.compare(some(), some()),
        lambda: space.plan_to(number(), some(), 20),
        lambda: space.plan_to(number(), some(), 20, weights=(number(), number())),
        lambda: space.search(rules, 5, "add", False, 20, 1.0, 50.0, weights=(number(), number())),
        lambda: space.apply(number(), number()),
        lambda: batch.guided([some()], number(), 20, 1.0),
        lambda: batch.executed([some()], number(), 1.0),
        lambda: batch.executed_from([rules], [some()], 20),
        lambda: batch.tried(some(), some(), [some()], 20),
        lambda: batch.tried(rules, some(), [some()], 20),
        lambda: batch.compared([rules], data.draw(st.lists(LISTS, max_size=2)), 1.0),
        lambda: batch.identified([rules], data.draw(st.lists(LISTS, max_size=2)), 1.0),
        lambda: task.rules.extend(number(), data.draw(CONDITIONS)),
        lambda: task.rules.get(number()),
        lambda: _native.check_plan(task.native, data.draw(codes())),
        lambda: _native.execute(task.native, task.rules, some(), 10, 1.0, 50.0),
    ]
    for question in questions:
        asked(question)


@given(st.binary(max_size=60), st.lists(st.integers(0, 30), min_size=3, max_size=3), st.data())
def test_any_question_about_any_text(text: bytes, at: list[int], data: st.DataObject) -> None:
    shapes = st.lists(st.sampled_from(["", "1", "01", "11"]), max_size=2)
    symbols = st.lists(st.tuples(st.sampled_from("pqr"), shapes), max_size=2)
    pieces = [b"(:init (p k))", b"(:goal (and (p k)))", b"(:objects a - b)", text]
    tokens = _native.Tokens(b"".join(data.draw(st.permutations(pieces))))
    asked(
        lambda: _native.read_problem_lists(
            tokens,
            types=data.draw(st.sampled_from([[], ["b"], ["a", "b"]])),
            constants=data.draw(st.sampled_from([[], ["k"], ["k", "k"]])),
            constant_types=data.draw(LISTS),
            predicates=data.draw(symbols),
            functions=data.draw(symbols),
            default_type=data.draw(NUMBERS),
            total_cost=data.draw(NUMBERS),
            objects=at[0],
            init=at[1],
            goal=at[2],
        )
    )
    asked(lambda: _native.read_plan(tokens, ([("p", data.draw(NUMBERS))], ["k", "a"])))


def test_limits_that_are_no_numbers_are_refused() -> None:
    task = Task(FETCH)
    for seconds, megabytes in ((math.nan, None), (None, math.nan), (None, -1.0)):
        with pytest.raises(ValueError, match="a limit must be"):
            _native.ground(task.native, task.rules, seconds, megabytes)
    assert isinstance(_native.ground(task.native, task.rules, math.inf, 1e300), _native.StateSpace)


def test_names_of_another_task_are_refused(tmp_path: Path) -> None:
    task = Task(FETCH)
    rules = task.rule_numbers(FETCHING)
    with pytest.raises(ValueError, match="the names are not those of the task"):
        _native.execute(
            task.native, task.rules, rules, 10, None, None, False, str(tmp_path / "p"), ([], [])
        )


def test_nothing_is_no_state_space() -> None:
    with pytest.raises((TypeError, ValueError)):
        _native.TrainingSet([None], 1)  # type: ignore[list-item]
