"""The same problem with its objects in another order or under other names.

A policy takes the first objects that satisfy a rule, so the order of the objects can matter to it.
Their names must not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.pddl.model import moved_disjunction

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from pg3.domains.chance import Chance
    from pg3.pddl.model import Problem

    # The learner's generator, or that of `challenge`.
    RandomSource = random.Random | Chance

# Objects are of one sort if they have the same type and satisfy the same static unary predicates.
Sort = tuple[str, ...]


def sorts_of(problem: Problem) -> dict[str, Sort]:
    """The sort of each object that is no constant: its type, and static unary predicates."""
    satisfied: dict[str, list[str]] = {o.name: [] for o in problem.objects}
    for predicate, terms in problem.init:
        if len(terms) == 1 and predicate not in problem.domain.fluents and terms[0] in satisfied:
            satisfied[terms[0]].append(predicate)
    return {name: (type_, *sorted(satisfied[name])) for name, type_ in problem.objects}


def exchanged(sorts: Mapping[str, Sort], generator: RandomSource) -> dict[str, str]:
    """A random exchange of names among the objects of each sort."""
    of_sort: dict[Sort, list[str]] = {}
    for name, sort in sorts.items():
        of_sort.setdefault(sort, []).append(name)
    name_of: dict[str, str] = {}
    for names in of_sort.values():
        name_of |= zip(names, generator.sample(names, len(names)), strict=True)
    return name_of


def shuffled(problem: Problem, generator: RandomSource) -> Problem:
    """The same problem with its objects listed in another order."""
    objects = list(problem.objects)
    generator.shuffle(objects)
    return problem.replace(objects=objects)


def renamed(problem: Problem, generator: RandomSource) -> Problem:
    """The same problem with names exchanged among objects of one sort: a car has no room's name."""
    name_of = exchanged(sorts_of(problem), generator)
    return problem.replace(
        objects=[o._replace(name=name_of[o.name]) for o in problem.objects],
        init=[atom.substitute(name_of) for atom in problem.init],
        goal=[literal.substitute(name_of) for literal in problem.goal_literals],
        function_values={
            atom.substitute(name_of): value for atom, value in problem.function_values.items()
        },
        disjunctions=[moved_disjunction(one, name_of) for one in problem.disjunctions],
    )


def permuted(problem: Problem, generator: RandomSource) -> Problem:
    """The same problem, shuffled and renamed."""
    return renamed(shuffled(problem, generator), generator)
