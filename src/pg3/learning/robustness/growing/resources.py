"""Resources: sorts of objects of which a few serve many goals, such as nurses or machines.

More work does not need more of them, so a grown problem may have as many as the first problem. Not
so what is used up (a disk, a spanner), nor what belongs to something that grows (the van of a
city), nor what is always there in sufficient number (a parking space for each car).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pg3.learning.robustness.growing.sources import Source
    from pg3.learning.robustness.growing.structure.maps import Map
    from pg3.learning.robustness.perturbations.permutations import Sort
    from pg3.pddl.model import Domain

# A problem shows that a few are enough if it has so many times the goals.
_GOALS_EACH = 2


def find_resources(
    sources: Sequence[Source],
    maps: Sequence[Map],
    fixed: frozenset[Sort],
    single: Mapping[str, tuple[int, ...]],
) -> frozenset[Sort]:
    """The sorts that seem to be resources, whether a problem shows it or not.

    `single` are the static predicates by which an object belongs to one other.
    """
    domain = sources[0].domain
    sorts = dict.fromkeys(sort for source in sources for sort in source.of_sort)
    out = {sort for map_ in maps for sort in map_.sorts} | fixed
    out |= _always_wanted(sources)
    used_up = _used_up(domain)
    for source in sources:
        for predicate, terms in source.static:
            if predicate in single:
                tied = {source.sorts[term] for term in terms if term not in source.constants}
                out |= tied - fixed
        for predicate, terms in source.init:
            out.update(source.sorts[t] for i, t in enumerate(terms) if (predicate, i) in used_up)
    for sort in sorts:
        if not all(sort in source.of_sort for source in sources):
            out.add(sort)
    for sort in sorts:
        if _is_spread(sort, sources, single) or not _has_states(sort, sources):
            out.add(sort)
    # What is marked once and for all is used up, too, whatever is said of it at first.
    marked = _marked(domain)
    return frozenset(
        sort
        for sort in sorts
        if sort not in out
        and not any(domain.is_a(sort[0], types) or sort[0] in types for types in marked)
    )


def is_shown(sort: Sort, sources: Sequence[Source]) -> bool:
    """Whether a problem shows that a few objects of a sort are enough."""
    return any(
        0 < _GOALS_EACH * len(source.of_sort.get(sort, ())) <= len(source.problem.goal)
        for source in sources
    )


def _always_wanted(sources: Sequence[Source]) -> set[Sort]:
    """The sorts of which each problem has objects in its goals, if it has any.

    What is wanted now and then, such as a vehicle that must be back, may serve others.
    """
    found: set[Sort] = {sort for source in sources for sort in source.of_sort}
    for source in sources:
        goals = source.problem.goal_literals
        wanted = {source.sorts[term] for literal in goals for term in literal.atom.terms}
        found -= source.of_sort.keys() - wanted
    return found


def _has_states(sort: Sort, sources: Sequence[Source]) -> bool:
    """Whether something that actions change is always true of each object of a sort.

    Or never: a padlock that is free may be one that is not used.
    """
    domain = sources[0].domain
    fluents = domain.fluents
    if any(domain.is_a(sort[0], types) for types in _said_by_negation(domain)):
        return True
    for source in sources:
        found = {t for p, terms in source.init if p in fluents for t in terms}
        if not found.issuperset(source.of_sort.get(sort, ())):
            return False
    return True


def _is_spread(
    sort: Sort, sources: Sequence[Source], single: Mapping[str, tuple[int, ...]]
) -> bool:
    """Whether each object of another sort always has one of this sort near it: a truck in a city.

    Near is what is at most two facts away, by which an object has one place or belongs to one
    other. Some problem must have several of the other sort.
    """
    fluents = sources[0].domain.fluents
    others: dict[Sort, int] = {}
    without: set[Sort] = set()
    for source in sources:
        about: dict[str, set[str]] = {name: set() for name in source.types}
        for predicate, terms in source.init:
            if predicate in fluents or predicate in single:
                for term in terms:
                    about[term].update(terms)
        near = set(source.of_sort.get(sort, ()))
        for _ in range(2):
            near |= {other for name in near - source.constants for other in about[name]}
        for other, names in source.of_sort.items():
            if other != sort:
                others[other] = max(others.get(other, 0), len(names))
                if not near.issuperset(names):
                    without.add(other)
    return any(number > 1 and other not in without for other, number in others.items())


def _said_by_negation(domain: Domain) -> list[tuple[str, ...]]:
    """The types of what actions ask not to have a mark, which they give and take."""
    both = domain.changed_to(positive=True) & domain.changed_to(positive=False)
    asked = {c.atom.predicate for a in domain.actions for c in a.precondition if not c.positive}
    return [
        predicate.parameters[0].types
        for predicate in domain.predicates
        if predicate.arity == 1 and predicate.name in both & asked
    ]


def _used_up(domain: Domain) -> set[tuple[str, int]]:
    """Predicates that actions make false and never true, with each of their places."""
    added = domain.changed_to(positive=True)
    deleted = domain.changed_to(positive=False)
    return {
        (predicate.name, place)
        for predicate in domain.predicates
        if predicate.name in deleted - added
        for place in range(predicate.arity)
    }


def _marked(domain: Domain) -> list[tuple[str, ...]]:
    """The types of what actions mark for ever, where other actions need it without the mark."""
    deleted = domain.changed_to(positive=False)
    added = domain.changed_to(positive=True)
    needed_false = {
        c.atom.predicate
        for action in domain.actions
        for c in action.precondition
        if not c.positive and not any(e.atom == c.atom and e.positive for e in action.effects)
    }
    return [
        parameter.types
        for predicate in domain.predicates
        if predicate.name in (added - deleted) & needed_false
        for parameter in predicate.parameters
    ]
