"""What is where, in any domain: the places, what is in them, who carries what.

A predicate that gives each thing at most one other in every state says where the thing is.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.operators.moves import shifts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from pg3.pddl.model import Atom, Domain, Problem


class Carried(NamedTuple):
    """A predicate that says who carries what.

    `thing` and `holder` are places of its arguments. Without a holder it is the unnamed agent whose
    place the predicate `agent` gives.
    """

    predicate: str
    thing: int
    holder: int | None = None
    agent: str = ""


def _carried(domain: Domain, inside: Sequence[str], here: Sequence[str]) -> dict[str, Carried]:
    """The predicates that say who carries what, by name.

    An action exchanges where the thing is for such an atom. Who carries the thing is where it was:
    an argument of the atom, or an unnamed agent, if another action does the reverse: what is eaten
    is not carried.
    """
    taken: dict[tuple[str, int], Carried] = {}
    put: set[tuple[str, int]] = set()
    for action in domain.actions:
        needed = [atom for atom, positive in action.precondition if positive]
        for (place, is_added), (load, other_added) in permutations(action.effects, 2):
            is_place = place.predicate in inside and load.predicate != place.predicate
            if is_added == other_added or not is_place or place.terms[0] not in load.terms:
                continue
            key = load.predicate, load.terms.index(place.terms[0])
            if is_added:
                put.add(key)
                continue
            beside = [atom for atom in needed if atom.terms[-1:] == place.terms[1:]]
            holders = {a.terms[0] for a in beside if a.predicate in inside} - {place.terms[0]}
            agents = [a.predicate for a in beside if a.predicate in here]
            held_by = next((i for i, term in enumerate(load.terms) if term in holders), None)
            if held_by is not None:
                taken.setdefault(key, Carried(*key, held_by))
            elif agents:
                taken.setdefault(key, Carried(*key, agent=agents[0]))
    return {
        one.predicate: one for key, one in taken.items() if one.holder is not None or key in put
    }


def _fixed(problem: Problem, places: set[str], types: dict[str, str]) -> dict[str, set[str]]:
    """Static predicates that say where things stand for ever, each with these things.

    Such a predicate gives each of them one place, where an agent or other things can be, and that
    is of another type: a hive stands in a yard. So what is on the hive is drawn in the yard, too.
    """
    domain = problem.domain
    static = [p.name for p in domain.declared if p.arity == 2 and p.name not in domain.fluents]
    place_of: dict[str, dict[str, str]] = {name: {} for name in static}
    manifold: set[str] = set()
    for name, (thing, place) in problem.init.of_predicates(static):
        if thing in place_of[name]:
            manifold.add(name)
        place_of[name][thing] = place
    fixed: dict[str, set[str]] = {}
    for name in static:
        things, around = set(place_of[name]), set(place_of[name].values())
        kinds = [{types[one] for one in group} for group in (things, around)]
        are_places = bool(things & places) and around <= places - things
        if name not in manifold and are_places and kinds[0].isdisjoint(kinds[1]):
            fixed[name] = things
    return fixed


class _Single(NamedTuple):
    """Fluents that say where things are, by name with their arities, and what they say it of.

    `inner` are the things that are somewhere, `outer` where they are, by predicate.
    """

    arities: dict[str, int]
    inner: dict[str, set[str]]
    outer: dict[str, set[str]]


def _single(problem: Problem, changes: Iterable[tuple[Iterable[Atom], Iterable[Atom]]]) -> _Single:
    """The fluents that give each thing at most one place in every state of the changes."""
    domain = problem.domain
    single = {
        p.name: p.arity for p in domain.declared if p.name in domain.fluents and p.arity in (1, 2)
    }
    held: dict[tuple[str, str], int] = {}
    outer: dict[str, set[str]] = {}
    inner: dict[str, set[str]] = {}
    for added, deleted in changes:
        for atoms, change in ((deleted, -1), (added, 1)):
            for name, terms in atoms:
                if name not in single:
                    continue
                key = (name, terms[0] if len(terms) == 2 else "")
                held[key] = held.get(key, 0) + change
                inner.setdefault(name, set()).add(terms[0])
                outer.setdefault(name, set()).add(terms[-1])
                if held[key] > 1:
                    del single[name]
    for name, terms in problem.goal:
        if name in single and len(terms) == 2:
            inner.setdefault(name, set()).add(terms[0])
            outer.setdefault(name, set()).add(terms[1])
    return _Single({name: n for name, n in single.items() if name in outer}, inner, outer)


def _marked(problem: Problem) -> dict[str, set[str]]:
    """The objects that each static unary predicate holds of."""
    domain = problem.domain
    unmoved = [p.name for p in domain.declared if p.arity == 1 and p.name not in domain.fluents]
    marked: dict[str, set[str]] = {name: set() for name in unmoved}
    for name, (one,) in problem.init.of_predicates(unmoved):
        marked[name].add(one)
    return marked


def _links(problem: Problem, places: set[str], number: dict[str, int]) -> list[tuple[int, int]]:
    """The pairs of places of which a static predicate holds; none if they are no map."""
    domain = problem.domain
    static = [p.name for p in domain.declared if p.arity == 2 and p.name not in domain.fluents]
    links = sorted(
        {
            (min(number[a], number[b]), max(number[a], number[b]))
            for _, (a, b) in problem.init.of_predicates(static)
            if a in places and b in places and a != b
        }
    )
    # Where every place has to do with every other, it is no map.
    everything = len(places) * (len(places) - 1) // 2
    sparse = len(links) <= 3 * len(places) and (len(links) < everything or len(places) == 2)
    return links if sparse else []


def places_of(
    problem: Problem, changes: Iterable[tuple[Iterable[Atom], Iterable[Atom]]]
) -> dict[str, Any] | None:
    """What is where: the predicates that say it, the places, and the ways between these.

    `changes` are what begins and what ceases to hold, at the start and in each step. `inside` are
    binary fluents that relate each thing to at most one other at any time; `here` are unary ones
    that hold of at most one place at any time and that an action moves from one to another, where
    an unnamed agent is. Places are things that others are in and that are in nothing themselves,
    and those of their types; what is in a thing that stands somewhere for ever (see `_fixed`) is in
    that place, too. `carried` says who carries what, see `_carried`. `marks` are static
    and tell some places from others. None if nothing is anywhere.
    """
    domain = problem.domain
    single, inner, outer = _single(problem, changes)
    # What is true of one place by chance is not where an agent is: no action moves it elsewhere.
    moved = {shift.added.predicate for action in domain.actions for shift in shifts(action)}
    unary = [name for name in single if single[name] == 1 and name in moved]
    inside = [name for name in single if single[name] == 2]
    carried = _carried(domain, inside, unary)
    # (in ?parcel ?truck) is like any other place.
    carried = {k: one for k, one in carried.items() if k not in inside or one.holder != 1}
    inside = [name for name in inside if name not in carried]
    things = set().union(*(inner[name] for name in inside))
    where_agents_go = set().union(*(outer[name] for name in unary if len(outer[name]) > 1))
    found = set().union(*(outer[name] for name in inside)) - things
    types = {one.name: one.type for one in problem.all_objects}
    fixed = _fixed(problem, found | where_agents_go, types)
    if fixed or not inside:
        found |= where_agents_go
    if not inside:
        unary = [name for name in unary if len(outer[name]) > 1]
    inside += fixed
    things |= set().union(*(fixed.values()))
    found -= things
    marked = _marked(problem)
    kinds = {types[name] for name in found} - {"object"}
    alike = {name for name in types if types[name] in kinds}
    # Without types a static predicate says what a place is: the one that most places have.
    sorts = [name for name, ones in marked.items() if ones & found and not ones & things]
    if sorts and not kinds:
        alike = marked[max(sorts, key=lambda name: len(marked[name] & found))]
        found &= alike
    places = [name for name in types if name in found or (name in alike and name not in things)]
    if not places:
        return None
    known = set(places)
    here = [name for name in unary if outer[name] <= known]
    number = {name: i for i, name in enumerate(problem.object_names)}
    return {
        "inside": inside,
        "here": here,
        "carried": [
            one._asdict() for one in carried.values() if not one.agent or one.agent in here
        ],
        "places": [number[name] for name in places],
        "links": _links(problem, known, number),
        "marks": [name for name, ones in marked.items() if 0 < len(ones & known) < len(known)],
    }
