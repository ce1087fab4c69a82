"""Countermodels as problems: a counterexample only if a planner solves it and the policy fails."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from pg3.pddl.model import Atom, Literal, Problem, TypedObject
from pg3.planning import Limits, execute, plan
from pg3.planning.execution import ExecutionStatus

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pg3.analysis.prove.logic.structures import Structure
    from pg3.analysis.prove.logic.theory import Theory
    from pg3.policy.model import DecisionList

# Countermodels have a handful of objects: a planner solves them, or they are not worth more.
_EXPANSIONS = 20_000
_STEPS = 2_000
_MEGABYTES = 1024.0
# More teach a learner little, and a user reads one.
_EXAMPLES = 8


def problem_of(theory: Theory, structure: Structure, name: str = "counterexample") -> Problem:
    """The structure as a problem, its state as the initial one."""
    objects = [
        TypedObject(name, theory.kinds[kind].type)
        for name, kind in structure.kind_of.items()
        if name not in theory.constants
    ]
    values: dict[Atom, int] = {}
    init: list[Atom] = []
    for object_name, kind in structure.kind_of.items():
        mark = theory.kinds[kind].predicate
        if mark is not None:
            init.append(Atom(mark, (object_name,)))
    goal: list[Literal] = []
    for (word, predicate), rows in structure.relations.items():
        for row in sorted(rows):
            if word != "state":
                goal.append(Literal(Atom(predicate, row), word == "goal"))
            elif predicate.startswith("cost "):
                values[Atom(predicate.removeprefix("cost "), row)] = 1
            else:
                init.append(Atom(predicate, row))
    return Problem.of(name, theory.domain, objects, init, goal, function_values=values)


def validated(problem: Problem, policy: DecisionList) -> bool:
    """Whether a planner solves the problem and the policy does not."""
    if execute(problem, policy, max_steps=_STEPS).solved:
        return False
    return plan(problem, limits=Limits(_EXPANSIONS, megabytes=_MEGABYTES)).solved


def counterexamples(theory: Theory, structures: Iterable[Structure]) -> tuple[Problem, ...]:
    """Those of the structures that are validated counterexamples, different ones, a few."""
    problems = dict.fromkeys(problem_of(theory, one) for one in structures)
    found = (problem for problem in problems if validated(problem, theory.policy))
    return tuple(itertools.islice(found, _EXAMPLES))


def how_it_fails(problem: Problem, policy: DecisionList) -> str:
    """What the policy does on a problem that it fails."""
    run = execute(problem, policy, max_steps=_STEPS)
    if run.no_rule_applied:
        return "in states like this one no rule acts"
    if run.status is ExecutionStatus.NOT_APPLICABLE:
        return "in states like this one a rule chooses an action that cannot be done"
    return "the rules may go round in circles"
