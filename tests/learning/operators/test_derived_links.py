"""Triangle tables where axioms derive what actions need: who gave a reason, and what it needs."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from pg3 import Task
from pg3.learning.operators.induce import Lesson
from pg3.learning.operators.triangle_tables.derived_links import DerivedLinks
from pg3.learning.operators.triangle_tables.triangle_table import INITIAL, Step, TriangleTable
from pg3.pddl import parse_domain, parse_problem
from pg3.pddl.model import Atom, Problem
from pg3.pddl.plans import parse_plan
from pg3.semantics.datalog import Program
from tests.oracle import semantics
from tests.support.axiom_domains import BLOCKS, GRID, ROOMS, VANS
from tests.support.random_problems import AXIOMS, problems, walks

if TYPE_CHECKING:
    from pg3.pddl.model import Domain

    State = frozenset[Atom]


def table_of(problem: Problem, plan: str) -> TriangleTable:
    task = Task(problem)
    actions = parse_plan(plan, problem)
    steps = [Step.of(action, problem.domain) for action in actions]
    return DerivedLinks(task).table([task.action_number(action) for action in actions], steps)


def made(domain: Domain, objects: str, init: str, goal: str) -> Problem:
    return parse_problem(
        f"(define (problem p) (:domain {domain.name}) (:objects {objects})"
        f" (:init {init}) (:goal (and {goal})))",
        domain,
    )


def shown(atoms: object) -> set[str]:
    assert isinstance(atoms, tuple)
    return {str(one) for one in atoms}


HOUSE = made(
    ROOMS,
    "r0 r1 r2 - room k1 k2 t - item",
    "(entrance r0) (door r0 r1) (door r1 r2) (fits k1 r0 r1) (fits k2 r1 r2)"
    " (in k1 r0) (in k2 r0) (in t r2)",
    "(have t)",
)
WAY_IN = "(take k1 r0) (take k2 r0) (unlock k1 r0 r1) (unlock k2 r1 r2) (take t r2)"


def test_a_door_lets_one_in_where_the_room_before_it_is_within_reach() -> None:
    table = table_of(HOUSE, WAY_IN)
    assert table.consumers == ((2,), (3,), (3,), (4,), ())
    assert shown(table.cell(4, 3)) == {"(reachable r2)"}
    assert shown(table.cell(3, 2)) == {"(reachable r1)"}
    assert table.cell(2, INITIAL)
    lesson = Lesson.of(table, 2, HOUSE.goal)
    assert lesson is not None
    assert lesson.subsequence == (2, 3, 4)
    # Not from where the first room can be reached: only that it can.
    assert "(entrance r0)" not in shown(lesson.preconditions)
    assert "(reachable r0)" in shown(lesson.preconditions)


def test_what_stays_because_of_a_step_was_given_by_it() -> None:
    """The parcel is there as soon as the van is, and stays because it is taken out."""
    problem = made(
        VANS,
        "a b c - place v - van p q - parcel",
        "(road a b) (road b c) (parked v a) (in p v) (lying q c)",
        "(is-at p b) (is-at q b)",
    )
    plan = "(drive v a b) (unload p v b) (drive v b c) (load q v c) (drive v c b)"
    table = table_of(problem, plan)
    there, other = problem.goal
    assert table.holds(there, 1)
    assert [table.achiever(goal) for goal in (there, other)] == [1, 4]
    lesson = Lesson.of(table, 1, problem.goal)
    assert lesson is not None
    assert (lesson.goal, lesson.subsequence) == (there, (1,))
    assert f"(not {there})" not in shown(lesson.preconditions)


def test_who_cleared_the_way_is_linked() -> None:
    """Nothing but an absence lets a block be moved: of what is on it, and of what is held."""
    problem = made(BLOCKS, "a b c", "(ontable a) (on b a) (on c b)", "(on a c)")
    plan = "(unstack c b) (put-down c) (unstack b a) (put-down b) (pick-up a) (stack a c)"
    table = table_of(problem, plan)
    # Holding b covers nothing but b; that it was put down frees the hand.
    assert table.cell(4, 2) == (Atom("clear", ("a",)),)
    assert table.dependencies(4) == (2, 3)
    assert table.dependencies(5) == (1, 4)
    assert [Lesson.of(table, k, problem.goal) is not None for k in range(6)] == [True] * 6


def test_all_that_stood_in_the_way_is_linked() -> None:
    problem = made(
        GRID,
        "n0 n1 n2 n3 - node s1 s2 s3 - switch",
        "(source n0) (line n0 n1 s1) (line n0 n2 s2) (line n0 n3 s3) (faulty n1) (faulty n2)"
        " (closed s1) (closed s2)",
        "(live n3)",
    )
    table = table_of(problem, "(open n0 n1 s1) (open n0 n2 s2) (close n0 n3 s3)")
    # The second one ends the alarm; without the first it would not.
    assert table.made_way == ((), (0,), (1,))


def test_who_deletes_what_is_false_all_along_makes_no_way() -> None:
    """Nothing can break the cup: asking what would be if it were broken ended learning."""
    cups = parse_domain("""(define (domain cups) (:predicates (full ?x) (broken ?x) (ready ?x))
      (:derived (ready ?x) (and (full ?x) (not (broken ?x))))
      (:action mend :parameters (?x) :effect (not (broken ?x)))
      (:action fill :parameters (?x) :effect (full ?x)))""")
    plan = "(mend a) (fill a)"
    assert table_of(made(cups, "a", "", "(ready a)"), plan).made_way == ((), ())
    assert table_of(made(cups, "a", "(broken a)", "(ready a)"), plan).made_way == ((), (0,))


# -- random plans ----------------------------------------------------------------------------------


@given(st.data())
def test_random_plans(data: st.DataObject) -> None:
    problem = data.draw(problems(AXIOMS))
    task = Task(problem)
    states = data.draw(walks(problem, max_steps=6))
    plan = []
    for before, after in itertools.pairwise(states):
        plan.append(next(a for a in task.applicable(before) if task.successor(before, a) == after))
    steps = [Step.of(action, problem.domain) for action in plan]
    table = DerivedLinks(task).table([task.action_number(action) for action in plan], steps)
    closed = [semantics.closed(problem, state) for state in states]

    for k, row in enumerate(table.suppliers):
        assert set(row) >= set(steps[k].needs)
        assert closed[k].issuperset(row)
        for atom, source in row.items():
            assert all(atom in state for state in closed[source + 1 : k + 1])
        assert all(source < k for source in table.dependencies(k))
    for atom in sorted(frozenset().union(*closed)):
        truth = [atom in state for state in closed]
        assert [table.holds(atom, k) for k in range(len(truth))] == truth
        achiever = table.achiever(atom)
        if achiever is not None:
            assert all(truth[achiever + 1 :])
            assert atom.predicate in problem.domain.derived or not truth[achiever]
        assert achiever is not None or truth[0] or not truth[-1]
    for first, last in itertools.combinations_with_replacement(range(len(plan)), 2):
        preimage = table.preimage(table.edited(first, last), sorted(table.steps[last].adds))
        assert preimage is not None
        assert closed[first].issuperset(preimage)
    for atom in problem.goal:
        if atom in closed[-1] and atom.predicate in problem.domain.derived and _only_adds(problem):
            achiever = table.achiever(atom)
            assert (INITIAL if achiever is None else achiever) == _giver(problem, states, atom)


def _only_adds(problem: Problem) -> bool:
    return all(positive for one in problem.domain.axioms for _, positive in one.conditions)


def _giver(problem: Problem, states: list[State], atom: Atom) -> int:
    """The step from which on all that stays true until the end suffices, or the start."""
    return next(
        INITIAL + k
        for k in range(len(states))
        if atom in semantics.closed(problem, frozenset.intersection(*states[k:]))
    )


@given(st.data())
def test_proofs(data: st.DataObject) -> None:
    problem = data.draw(problems(AXIOMS))
    axioms = Program(problem.domain.axioms, problem)
    for state in data.draw(walks(problem)):
        closed = axioms.closed(state)
        known = set(state)
        proofs = axioms.proofs(sorted(state), closed)
        for atom, conditions in proofs.items():
            assert known.issuperset(conditions)
            known.add(atom)
        assert known == closed
