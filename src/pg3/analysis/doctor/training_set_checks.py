"""Checks of the problems together: whether they show enough to learn from."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from pg3.analysis.doctor.findings import USUAL, Finding, Level, listed, paths
from pg3.errors import pluralize
from pg3.learning.complements import Complements
from pg3.pddl.model import Atom, Literal
from pg3.pddl.numbers import is_comparison

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pg3.analysis.doctor.measurements import Measurements
    from pg3.pddl import Domain

# The learner trains on half of the problems and tests on all: with fewer, one problem decides.
_FEW = 4

# Negative goals that learners cannot aim at: whether of numbers, why, and what to do.
_AIMLESS = (
    (
        False,
        ": no effect says when they hold",
        "add a predicate for the opposite, which actions keep up to date, and make it the goal",
    ),
    (True, "", "write the opposite comparison: (< ...) for (not (>= ...))"),
)


def few_problems(_: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """Too few problems to tell a good policy from a lucky one."""
    useful = [problem for problem in problems if problem.is_useful]
    if len(useful) < _FEW:
        number = f"only {pluralize(len(useful), 'problem')}" if useful else "no problem"
        yield Finding(
            "few-problems",
            Level.CONCERN,
            f"{number} can be learned from",
            "add problems, small ones of different sizes; about ten are enough for most domains",
        )


def same_size(_: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """Problems that are all of one size."""
    useful = [problem for problem in problems if problem.is_useful]
    if len(useful) < 2:
        return
    if all(problem.objects == useful[0].objects for problem in useful):
        yield Finding(
            "same-size",
            Level.CONCERN,
            f"every problem has the same number of objects ({useful[0].total_objects})",
            "add larger and smaller ones: only they show whether a policy works for any number",
        )
        return
    alone = sorted(
        type_name
        for type_name, number in useful[0].objects.items()
        if number == 1 and all(problem.objects.get(type_name) == 1 for problem in useful)
    )
    if alone:
        yield Finding(
            "always-one",
            Level.NOTE,
            f"every problem has exactly one object of type {listed(alone)}",
            "if there can be more, add such problems: the policy may count on there being one",
        )


def short_plans(_: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """Plans too short to learn the order of actions from."""
    steps = sorted(problem.steps for problem in problems if problem.steps is not None)
    if steps and steps[len(steps) // 2] < 3:
        yield Finding(
            "short-plans",
            Level.CONCERN,
            f"most plans have fewer than 3 steps (the longest: {steps[-1]})",
            "add problems that take a few more steps, to show what comes after what",
        )


def goals(domain: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """What the goals do not show, and those that rules cannot speak of."""
    useful = [problem for problem in problems if problem.is_useful]
    if len(useful) < 2:
        return
    if shown := _one_constant(domain, useful):
        yield Finding(
            "one-constant",
            Level.NOTE,
            f"of several objects of their types goals only ever name {listed(shown)}",
            "if they can name others, add such problems: the policy may count on this one",
        )
    if all(problem.goals == 1 for problem in useful):
        yield Finding(
            "one-goal",
            Level.NOTE,
            "every problem has a single goal",
            "if there can be more, add such problems: achieving one goal may undo another",
        )
    yield from _negative_goals(domain, useful)
    if disjunctive := [problem for problem in useful if problem.problem.disjunctions]:
        yield Finding(
            "disjunctive-goals",
            Level.CONCERN,
            "some goals leave a choice (or, exists), of which rules cannot speak",
            "derive a predicate from the choice, or give the problem one of the alternatives",
            paths(disjunctive),
        )


def _negative_goals(domain: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """Negative goals that learners cannot turn into positive ones, one of each predicate named."""
    known = Complements.of(domain, [one.problem for one in problems]).opposites
    for of_numbers, why, advice in _AIMLESS:
        shown: dict[str, str] = {}
        files = []
        for one in problems:
            aimless = {
                name: one.problem.goal_text(Literal(Atom(name, terms), False))
                for name, terms in one.problem.negative_goal
                if name in domain.fluents
                and name not in known
                and is_comparison(name) == of_numbers
            }
            shown = aimless | shown
            files += [one] if aimless else []
        if shown:
            message = f"learners cannot aim at negative goals such as {listed(shown.values())}{why}"
            yield Finding("negative-goals", Level.CONCERN, message, advice, paths(files))


def _one_constant(domain: Domain, problems: Sequence[Measurements]) -> list[str]:
    """Constants that alone stand in a place of a goal, though there are others: "depot in (at)"."""
    found: dict[tuple[str, int], set[str]] = {}
    number: Counter[str] = Counter()
    for one in problems:
        number.update(one.goal_predicates)
        for atom in (*one.problem.goal, *one.problem.negative_goal):
            for place, term in enumerate(atom.terms):
                found.setdefault((atom.predicate, place), set()).add(term)
    constants = {constant.name for constant in domain.constants}
    shown = []
    for (name, place), terms in sorted(found.items()):
        if len(terms) > 1 or not terms <= constants or number[name] < USUAL:
            continue
        types = domain.predicates[domain.predicate_index[name]].parameters[place].types
        if any(
            sum(domain.is_a(o.type, types) for o in p.problem.all_objects) > 1 for p in problems
        ):
            shown.append(f"{terms.pop()} in ({name})")
    return shown


def likely_constants(domain: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """Objects with the same name in every problem that could be constants."""
    if len(problems) < 2:
        return
    common = set(problems[0].problem.objects)
    for one in problems[1:]:
        common &= set(one.problem.objects)
    # Numbered names are everywhere because generators count from the same number.
    named = sorted(o.name for o in common if not re.search(r"\d$", o.name))
    if named:
        yield Finding(
            "likely-constants",
            Level.NOTE,
            f"in every problem there is {listed(named)}",
            "if it has the same role everywhere, declare it in the domain's :constants and "
            "mention it in an action: rules can name constants, but no other objects",
        )
