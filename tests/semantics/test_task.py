"""Tasks: states, actions and numbers of one problem, asked from one thread or from several."""

from __future__ import annotations

import math
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from pg3.errors import PolicyError
from pg3.pddl import parse_domain, parse_problem
from pg3.pddl.model import Atom
from pg3.policy.model import DecisionList, Rule
from pg3.semantics.task import State, Task
from tests.support.errands import FETCHING, round_trip
from tests.support.lights import LIGHTS, POLICY, act, acts, house
from tests.support.waiting import PATIENCE


def atom(text: str) -> Atom:
    predicate, *terms = text.split()
    return Atom(predicate, tuple(terms))


@pytest.fixture
def task() -> Task:
    return Task(house())


def after(task: Task, *actions: str) -> State:
    state = task.initial_state
    for action in actions:
        state = task.successor(state, act(action))
    return state


# -- states ----------------------------------------------------------------------------------------


def test_the_initial_state_has_static_atoms_too(task: Task) -> None:
    assert len(task.initial_state) == 9
    assert {atom("in r hall"), atom("door hall a")} < task.initial_state


def test_applicable_actions_come_in_order(task: Task) -> None:
    assert task.applicable(task.initial_state) == acts("go r hall a", "go r hall b")
    at_a = after(task, "go r hall a")
    assert task.applicable(at_a) == acts("go r a hall", "go r a b", "switch r a")
    # Tired, it can only rest: an action without parameters.
    assert task.applicable(after(task, "go r hall a", "switch r a")) == acts("rest")


def test_an_action_without_a_cost_can_never_be_done(task: Task) -> None:
    at_b = after(task, "go r hall b")
    assert task.applicable(at_b) == acts("go r b a", "switch r b")
    assert task.action_number(act("go r b hall")) == -1


def test_successors_delete_and_add(task: Task) -> None:
    start = task.initial_state
    moved = task.successor(start, act("go r hall a"))
    assert moved == start - {atom("in r hall")} | {atom("in r a")}
    assert task.successor(moved, act("go r a hall")) == start


@pytest.mark.parametrize(
    "action", ["rest", "go r a b", "go r b hall", "go r hall nowhere", "fly r"]
)
def test_what_is_not_applicable_has_no_successor(task: Task, action: str) -> None:
    with pytest.raises(ValueError, match=r"^\(.*\) is not applicable$"):
        task.successor(task.initial_state, act(action))


def test_goals_may_be_negative(task: Task) -> None:
    assert not task.is_goal(task.initial_state)
    assert not task.is_goal(after(task, "go r hall b"))
    assert task.is_goal(after(task, "go r hall a", "switch r a", "rest", "go r a b"))


def test_h_add_by_hand(task: Task) -> None:
    # (in r b) takes 1 action; (not (lit a)) 2, as the robot must be in a.
    assert task.h_add(task.initial_state) == 3
    assert task.h_add(after(task, "go r hall b")) == 2
    # To be in b it must first rest: 1 + 1.
    assert task.h_add(after(task, "go r hall a", "switch r a")) == 2
    assert Task(house("(in r attic)")).h_add(task.initial_state) == math.inf


def test_no_goals_no_objects() -> None:
    domain = parse_domain(
        "(define (domain d) (:predicates (p)) (:action a :parameters () :effect (p)))"
    )
    task = Task(parse_problem("(define (problem p) (:domain d) (:init) (:goal (and)))", domain))
    assert task.names == ()
    assert task.initial_state == frozenset()
    assert task.is_goal(frozenset())
    assert task.h_add(frozenset()) == 0
    assert task.applicable(frozenset()) == acts("a")
    assert task.successor(frozenset(), act("a")) == {atom("p")}


# -- numbers ---------------------------------------------------------------------------------------


def test_numbers_of_states(task: Task) -> None:
    start = task.initial_state
    assert task.number(start) == task.space.initial
    assert task.atoms(task.number(start)) == start
    # Static atoms never change, so they are not asked for.
    assert task.number([atom("in r hall"), atom("lit a"), atom("lit b")]) == task.number(start)
    moved = after(task, "go r hall a")
    assert task.number(moved) != task.number(start)
    assert task.atoms(task.number(moved)) == moved


def test_a_state_that_cannot_be(task: Task) -> None:
    with pytest.raises(ValueError, match=r"^\(in r attic\) can never be true in this problem$"):
        task.number([atom("in r attic")])


def test_numbers_of_actions(task: Task) -> None:
    for action in acts("rest", "go r hall a", "switch r b"):
        assert task.decode_action(task.action_number(action)) == action
    for action in acts("fly r", "go r hall nowhere", "go r hall attic", "go r"):
        assert task.action_number(action) == -1
    assert task.names == ("hall", "a", "b", "attic", "r")
    assert task.name_action(1, [4, 0, 1]) == act("go r hall a")


def test_codes_of_plans(task: Task) -> None:
    codes = memoryview(b"".join(n.to_bytes(4, "little") for n in (1, 4, 0, 1, 0, 2, 4, 1)))
    assert task.decode_plan(codes.tobytes()) == acts("go r hall a", "rest", "switch r a")
    assert task.decode_plan(b"") == ()


def test_numbers_of_rules(task: Task) -> None:
    numbers = task.rule_numbers(POLICY)
    assert len(set(numbers)) == 3
    again = DecisionList("again", POLICY.rules[::-1])
    assert task.rule_numbers(again) == numbers[::-1]
    shared = Task(house("(in r a)"), rules=task.rules)
    assert shared.rule_numbers(POLICY) == numbers
    with pytest.raises(PolicyError, match="'fly'"):
        task.rule_numbers(DecisionList("other", (Rule("r", (), (), (), "fly", ()),)))


# -- grounding -------------------------------------------------------------------------------------


def test_grounding_stops_at_a_limit_and_can_be_done_later(task: Task) -> None:
    assert task.ground(seconds=0) == "time limit"
    assert task.ground(seconds=-1) == "time limit"
    assert task.ground() is None
    space = task.space
    assert task.ground(seconds=0) is None
    assert task.space is space
    assert task.domain is LIGHTS


def test_a_limit_that_no_clock_reaches(task: Task) -> None:
    assert task.ground(seconds=1e300, megabytes=1e300) is None


# -- threads ---------------------------------------------------------------------------------------

LARGE = round_trip(places=150, things=150)


def walk(task: Task, steps: int = 12) -> list[object]:
    """What a walk through the states shows, beginning with the task's first question."""
    seen: list[object] = []
    state = task.initial_state
    for step in range(steps):
        actions = task.applicable(state)
        chosen = actions[step % len(actions)]
        number = task.action_number(chosen)
        seen += [actions, task.decode_action(number), task.h_add(state), task.is_goal(state)]
        state = task.successor(state, chosen)
    return [*seen, state, task.rule_numbers(FETCHING)]


def test_grounding_by_many_threads_changes_nothing() -> None:
    expected = walk(Task(LARGE))
    for _ in range(3):
        task = Task(LARGE)
        ready = threading.Barrier(9)

        def ground_now(_: int, task: Task = task, ready: threading.Barrier = ready) -> object:
            ready.wait()
            assert task.ground() is None
            return task.space

        def walk_now(task: Task = task, ready: threading.Barrier = ready) -> object:
            ready.wait()
            return walk(task)

        with ThreadPoolExecutor(9) as pool:
            walker = pool.submit(walk_now)
            spaces = list(pool.map(ground_now, range(8)))
        assert walker.result() == expected
        assert all(space is spaces[0] for space in spaces)


def test_who_waits_for_another_thread_keeps_to_its_own_limit() -> None:
    task = Task(LARGE)
    with task._grounding:
        assert task.ground(seconds=0.05) == "time limit"
    assert task.ground(seconds=PATIENCE) is None
