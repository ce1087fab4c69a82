"""Checks of single problems: which of them the learner cannot use, or only slowly."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pg3.analysis.doctor.findings import USUAL, Finding, Level, listed, paths
from pg3.analysis.doctor.measurements import GOAL_HOLDS, TOO_LARGE, Measurements
from pg3.learning.config import LearnConfig
from pg3.pddl.model import OBJECT, copies_in
from pg3.planning import PlanStatus

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pg3.pddl import Domain, Problem

# A search for a plan may expand so many states when learning.
_LEARNER_EXPANSIONS = LearnConfig().astar_expansions

# A learner runs on each problem thousands of times: from these sizes on it takes minutes.
_MANY_ACTIONS = 20_000
_LONG_SECONDS = 2.0


def useless_problems(_: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """Problems that the learner leaves out."""
    for status, check, message, advice in (
        (
            GOAL_HOLDS,
            "goal-holds-at-the-start",
            "the goal holds at the start, so there is nothing to learn",
            "leave it out, or ask for something that :init does not have",
        ),
        (
            PlanStatus.UNSOLVABLE,
            "unsolvable",
            "there is no solution",
            "look for a fact that :init lacks or a goal that contradicts another",
        ),
        (
            TOO_LARGE,
            "too-large-to-ground",
            "it is too large to ground",
            "train on smaller problems: the policy will solve the large ones",
        ),
    ):
        if found := [problem for problem in problems if problem.status == status]:
            yield Finding(check, Level.CONCERN, message, advice, paths(found))


def hard_problems(_: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """Problems that the planner does not solve, or only with more work than the learner allows."""
    limits = (PlanStatus.EXPANSION_LIMIT, PlanStatus.TIME_LIMIT, PlanStatus.MEMORY_LIMIT)
    if found := [problem for problem in problems if problem.status in limits]:
        yield Finding(
            "unsolved",
            Level.CONCERN,
            "the planner does not solve it within the limits; only a good policy would help it",
            "train on smaller problems of the same kind; two or three of each thing will do",
            paths(found),
        )
    found = [p for p in problems if p.steps is not None and _effort(p) > _LEARNER_EXPANSIONS]
    if found:
        most = max(map(_effort, found))
        # A policy that was learned from the others can guide the planner through a few hard ones.
        few = 2 * len(found) < sum(problem.is_useful for problem in problems)
        yield Finding(
            "hard",
            Level.NOTE if few else Level.CONCERN,
            f"the planner expands up to {most} states; the learner stops at {_LEARNER_EXPANSIONS}",
            f"make it smaller, or learn with --astar-expansions {2 * most}",
            paths(found),
        )


def _effort(problem: Measurements) -> int:
    return problem.expansions or 0


def large_problems(_: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """Problems that would make learning slow."""
    found = [
        problem
        for problem in problems
        if problem.ground_seconds + (problem.plan_seconds or 0) > _LONG_SECONDS
        or (problem.ground_actions or 0) > _MANY_ACTIONS
    ]
    if found:
        yield Finding(
            "large",
            Level.CONCERN,
            "it is large for training: the learner runs on each problem thousands of times",
            "train on smaller problems: the policy will solve the large ones",
            paths(found),
        )


def copies(_: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """Problems that are given twice."""
    for copy, earlier in copies_in(one.problem for one in problems).items():
        yield Finding(
            "copy",
            Level.CONCERN,
            f"it is the same problem as {problems[earlier].path}",
            "leave it out: a problem that is given twice teaches nothing new",
            (problems[copy].path,),
        )


def idle_objects(domain: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """Objects that no fact and no goal mentions, though one seems to be missing.

    A shelf with nothing on it is none of these. What is: an object without a type, of which nobody
    can tell what it is; and one of a type whose objects all have facts of some predicate in the
    other problems.
    """
    names: Counter[str] = Counter()
    files = []
    typed = any(type_.name != OBJECT for type_ in domain.types)
    usual = [_usual_facts(one.problem) for one in problems]
    for i, one in enumerate(problems):
        problem = one.problem
        mentioned = {
            term
            for atoms in (problem.init, problem.goal, problem.negative_goal)
            for atom in atoms
            for term in atom.terms
        }
        idle = []
        for o in problem.objects:
            others = [facts[o.type] for j, facts in enumerate(usual) if j != i and o.type in facts]
            expected = len(others) >= USUAL and frozenset.intersection(*others)
            if o.name not in mentioned and (expected or not typed):
                idle.append(o.name)
        if idle:
            files.append(one.path)
            names.update(idle)
    if files:
        yield Finding(
            "idle-objects",
            Level.NOTE,
            f"no fact and no goal mentions {listed(names)}",
            "check :init for something that was forgotten, or remove the object",
            tuple(files),
        )


def _usual_facts(problem: Problem) -> dict[str, frozenset[str]]:
    """For each type the predicates that say something about every object of it.

    What changes is about its first object: (stored ?batch ?unit) says nothing about a unit.
    """
    objects: dict[str, set[str]] = {}
    for o in problem.objects:
        objects.setdefault(o.type, set()).add(o.name)
    told: dict[str, set[str]] = {}
    for atom in problem.init:
        about = atom.terms[:1] if atom.predicate in problem.domain.fluents else atom.terms
        told.setdefault(atom.predicate, set()).update(about)
    return {
        type_name: frozenset(name for name, terms in told.items() if names <= terms)
        for type_name, names in objects.items()
    }
