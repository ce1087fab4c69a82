"""Nouns for the objects of a rule: from types, or from predicates that stand for types.

In a domain without types, static unary predicates say what an object is: (car ?c). A rule need not
repeat them; then the actions tell, as one that needs (on ?c) also needs (car ?c).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pg3.analysis.explain.english import PREPOSITIONS, words_of
from pg3.learning.operators.moves import shifts
from pg3.pddl.model import OBJECT
from pg3.pddl.negative_goals import unwanted_predicate

if TYPE_CHECKING:
    from pg3.pddl.model import Action, Atom, Domain, Literal
    from pg3.policy.model import Rule

# Names of variables that say nothing about the object.
_PLAIN = frozenset(
    ["arg", "end", "here", "next", "object", "one", "other", "start", "there", "thing", "var"]
)


class Slot(NamedTuple):
    """A place in a predicate or in an action, from 0."""

    name: str
    place: int
    of_action: bool = False


def vocabulary(domain: Domain) -> frozenset[str]:
    """Words that the domain uses for kinds of objects."""
    kinds = {type_.name for type_ in domain.types} - {OBJECT}
    return frozenset(kinds | _kind_predicates(domain))


@lru_cache(maxsize=64)
def _kind_predicates(domain: Domain) -> frozenset[str]:
    """The predicates that can stand for types: unary and static, in a domain without types."""
    if any(type_.name != OBJECT for type_ in domain.types):
        return frozenset()
    return frozenset(
        predicate.name
        for predicate in domain.predicates
        if predicate.arity == 1
        and predicate.name not in domain.fluents
        and words_of(predicate.name)[0] not in ("is", "has", "not", *PREPOSITIONS)
    )


@lru_cache(maxsize=64)
def _kinds_of_slots(domain: Domain) -> dict[Slot, str]:
    """The kind of object that all actions require at each place of a predicate or action."""
    kinds = _kind_predicates(domain)
    found: dict[Slot, list[str]] = {}

    def note(slot: Slot, here: list[str]) -> None:
        found[slot] = [kind for kind in found[slot] if kind in here] if slot in found else here

    for action in domain.actions:
        of: dict[str, list[str]] = {p.name: [] for p in action.parameters}
        for atom, positive in action.precondition:
            if positive and atom.predicate in kinds:
                of.setdefault(atom.terms[0], []).append(atom.predicate)
        for i, parameter in enumerate(action.parameters):
            found[Slot(action.name, i, of_action=True)] = of[parameter.name]
        for atom, _ in (*action.precondition, *action.effects):
            for i, term in enumerate(atom.terms):
                note(Slot(atom.predicate, i), of.get(term, []))
    return {slot: names[0] for slot, names in found.items() if names}


@lru_cache(maxsize=64)
def doers(domain: Domain) -> dict[str, int]:
    """Who does each action, by its name: the number of the parameter; empty if that is not certain.

    It is certain where one kind of thing takes part in every action and can move.
    """
    slots = _kinds_of_slots(domain)

    def kinds(action: Action) -> list[str]:
        return [
            " or ".join(p.types)
            if p.types != (OBJECT,)
            else slots.get(Slot(action.name, i, of_action=True), "")
            for i, p in enumerate(action.parameters)
        ]

    moving = set()
    for action in domain.actions:
        of = dict(zip((p.name for p in action.parameters), kinds(action), strict=True))
        for shift in shifts(action):
            terms = [t for i, t in enumerate(shift.deleted.terms) if i != shift.place]
            moving |= {of.get(term, "") for term in terms}
    everywhere = [k for k in moving if k and all(k in kinds(action) for action in domain.actions)]
    if len(everywhere) != 1:
        return {}
    return {action.name: kinds(action).index(everywhere[0]) for action in domain.actions}


def is_kind_condition(literal: Literal, domain: Domain) -> bool:
    """Whether a condition only says what kind of object a variable stands for."""
    return literal.positive and literal.atom.predicate in _kind_predicates(domain)


def nouns_of(rule: Rule, domain: Domain) -> dict[str, str]:
    """The kind of object that each parameter of a rule stands for, as a noun."""
    return {
        parameter.name: _noun(parameter.name, parameter.types, rule, domain)
        for parameter in rule.parameters
    }


def _noun(variable: str, types: tuple[str, ...], rule: Rule, domain: Domain) -> str:
    if types != (OBJECT,):
        return " or ".join(" ".join(words_of(name)) for name in types)
    for literal in rule.preconditions:
        if is_kind_condition(literal, domain) and literal.atom.terms == (variable,):
            return " ".join(words_of(literal.atom.predicate))
    slots = _kinds_of_slots(domain)
    for i, term in enumerate(rule.arguments):
        slot = Slot(rule.action, i, of_action=True)
        if term == variable and slot in slots:
            return " ".join(words_of(slots[slot]))
    for atom, _ in (*rule.preconditions, *rule.goals):
        for i, term in enumerate(atom.terms):
            slot = Slot(unwanted_predicate(atom.predicate) or atom.predicate, i)
            if term == variable and slot in slots:
                return " ".join(words_of(slots[slot]))
    return own_words(variable) or "object"


def own_words(variable: str) -> str:
    """What a variable's name says by itself: "target" for ?target, "" for ?x2, ?from or ?obj."""
    words = words_of(variable.removeprefix("?"))
    plain = len(words) == 1 and (
        len(words[0]) < 3 or words[0] in _PLAIN or words[0] in PREPOSITIONS
    )
    if plain or not all(re.fullmatch(r"[a-z]+", word) for word in words):
        return ""
    return " ".join(words)


def goal_place(rule: Rule) -> dict[str, str]:
    """The variables that name where the goal wants something: {place: the thing}.

    They come from goal conditions such as (at ?car ?place) if no other goal condition has these
    variables: then "the location where the goal wants the car" says it all.
    """
    found: dict[str, str] = {}
    wanted = [atom for atom, positive in rule.goals if positive]
    for atom in wanted:
        if unwanted_predicate(atom.predicate):
            continue
        if len(atom.terms) != 2 or words_of(atom.predicate)[-1] not in ("at", "in"):
            continue
        thing, place = atom.terms
        if thing == place or not (thing.startswith("?") and place.startswith("?")):
            continue
        others = [other for other in wanted if other is not atom]
        if not any(thing in other.terms or place in other.terms for other in others):
            found[place] = thing
    return found


def is_goal_place(atom: Atom, places: dict[str, str]) -> bool:
    """Whether "the place where the goal wants the thing" already says this goal condition."""
    return len(atom.terms) == 2 and places.get(atom.terms[1]) == atom.terms[0]
