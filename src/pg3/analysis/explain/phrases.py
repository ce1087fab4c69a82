"""Conditions and actions as phrases, given a name for each term."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from pg3.analysis.explain.english import (
    PREPOSITIONS,
    Clause,
    about_many,
    about_nothing,
    about_one,
    about_two,
    words_of,
)
from pg3.analysis.explain.formulas import statement
from pg3.analysis.explain.nouns import vocabulary
from pg3.analysis.explain.numbers import comparison_clause
from pg3.pddl.formula_names import is_formula
from pg3.pddl.model import EQUALS
from pg3.pddl.numbers import is_comparison
from pg3.policy.derived import GRAPH_ARITIES, REACH, is_graph

if TYPE_CHECKING:
    from pg3.pddl.model import Action, Atom, Domain

# Actions named by a direction need a verb.
_DIRECTIONS = frozenset(
    ["up", "down", "left", "right", "north", "south", "east", "west", "forward", "back", "backward"]
)

# What to call a term: "a car" when it first comes up, then "the car"; or an object's own name.
Naming = Callable[[str], str]


def clause(atom: Atom, domain: Domain, call: Naming, nouns: dict[str, str]) -> Clause:
    """An atom as a clause; `nouns` has the kinds of terms, where known."""
    if atom.predicate == EQUALS:
        return Clause(call(atom.terms[0]), "is", call(atom.terms[1]))
    if is_graph(atom, domain):
        return _path_clause(atom, domain, call)
    if is_comparison(atom.predicate):
        return comparison_clause(atom, call)
    if is_formula(atom.predicate):
        called = [call(term) for term in atom.terms]
        return statement(
            atom.predicate, called, lambda inner, name: clause(inner, domain, name, {})
        )
    words = words_of(atom.predicate, vocabulary(domain))
    if not atom.terms:
        return about_nothing(words)
    if len(atom.terms) == 1:
        return about_one(words, call(atom.terms[0]))
    if len(atom.terms) == 2:
        it, other = atom.terms
        roles = _roles(atom.predicate, domain)
        kinds = nouns.get(it, ""), nouns.get(other, "")
        return about_two(words, call(it), call(other), roles=roles, nouns=kinds)
    return about_many(words, [call(term) for term in atom.terms])


def _roles(predicate: str, domain: Domain) -> tuple[str, str]:
    """The names of a predicate's two parameters; empty for a derived one."""
    if predicate not in domain.predicate_index:
        return "", ""
    one, other = domain.predicates[domain.predicate_index[predicate]].parameters
    return one.name.lstrip("?"), other.name.lstrip("?")


def _path_clause(atom: Atom, domain: Domain, call: Naming) -> Clause:
    edges, *terms = atom.terms
    # Called in the order of the text, so that each is "a" where it first comes up.
    called = [call(term) for term in terms]
    leading = called[: -GRAPH_ARITIES[atom.predicate]]
    start, *hop, end = called[len(leading) :]
    relation = " ".join(words_of(edges)) if not is_formula(edges) else ""
    if not relation:
        places = [chr(ord("x") + i % 3) for i in range(len(terms))]
        relation = str(statement(edges, places, lambda a, name: clause(a, domain, name, {})))
    along = f"along “{relation}”"
    if leading:
        along += f" of {' and '.join(leading)}"
    if atom.predicate == REACH:
        return Clause(end, "is", f"within reach of {start} {along}")
    return Clause(hop[0], "is", f"the next step from {start} {along} on a shortest way to {end}")


def action_phrase(
    name: str, arguments: tuple[str, ...], domain: Domain, call: Naming, nouns: dict[str, str]
) -> str:
    """An action done to its arguments: "drop the ball at the room with the gripper"."""
    schema = domain.action(name)
    words = words_of(name)
    order, preposition = _shape(schema)
    noun_at = {nouns.get(term, ""): i for i, term in reversed(list(enumerate(arguments)))}
    parts: list[str] = []
    if len(words) > 1 and words[-1] in noun_at and preposition[noun_at[words[-1]]] != "from":
        # (tighten-nut ... ?nut): the name says already what it is done to.
        words, direct = words[:-1], noun_at[words[-1]]
        order = (direct, *(i for i in order if i != direct))
        preposition = {**preposition, direct: ""}
        subject = schema.parameters[direct].name
        for i in order[1:]:
            if preposition[i] == "":
                preposition[i] = _link(schema, subject, schema.parameters[i].name) or "with"
    if words[0] in _DIRECTIONS:
        words = ["go", *words]
    before = words[-1]
    for i in order:
        prefix = preposition[i]
        # "with the spanner and the man"; and no "to to".
        joint = "and" if parts and prefix == before else "" if prefix == before else prefix
        parts.append(f"{joint} {call(arguments[i])}".strip())
        before = prefix
    return " ".join((" ".join(words), *parts))


@lru_cache(maxsize=512)
def _shape(schema: Action) -> tuple[tuple[int, ...], dict[int, str]]:
    """The order of an action's arguments in a phrase, and the preposition before each.

    The effects show what the action moves from and to: (at ?x ?a) is deleted, (at ?x ?b) added. The
    direct object is the first argument that an effect is about and that is no place.
    """
    names = [parameter.name for parameter in schema.parameters]
    preposition: dict[int, str] = {}
    for source, target in _moves(schema):
        if source in names and target in names:
            preposition.setdefault(names.index(source), "from")
            preposition.setdefault(names.index(target), "to")
    places = _places(schema)
    direct = next(
        (
            names.index(effect.atom.terms[0])
            for effect in schema.effects
            if effect.atom.terms
            and effect.atom.terms[0] in names
            and effect.atom.terms[0] not in places
            and names.index(effect.atom.terms[0]) not in preposition
        ),
        next((i for i, n in enumerate(names) if i not in preposition and n not in places), None),
    )
    if direct is not None:
        preposition[direct] = ""
    subject = None if direct is None else names[direct]
    for i, name in enumerate(names):
        if i not in preposition:
            preposition[i] = _link(schema, subject, name) or places.get(name, "with")
    rank = {"": 0, "with": 1, "from": 2, "to": 3}
    order = sorted(range(len(names)), key=lambda i: (rank.get(preposition[i], 4), i))
    return tuple(order), preposition


def leaving_and_arriving(name: str, arguments: tuple[str, ...], domain: Domain) -> dict[str, str]:
    """Which terms an action leads from ("current") and to ("next")."""
    schema = domain.action(name)
    _, preposition = _shape(schema)
    words = {"from": "current", "to": "next"}
    return {
        term: words[preposition[i]]
        for i, term in reversed(list(enumerate(arguments)))
        if preposition[i] in words
    }


def _moves(schema: Action) -> list[tuple[str, str]]:
    """Pairs of terms: an atom with the first is deleted, the same with the second is added."""
    found = []
    for gone, is_added in schema.effects:
        if is_added:
            continue
        for come, added in schema.effects:
            if not added or come.predicate != gone.predicate:
                continue
            differing = [(a, b) for a, b in zip(gone.terms, come.terms, strict=True) if a != b]
            # The place that changes stands last: (at ?truck ?from).
            if len(differing) == 1 and gone.terms[-1] == differing[0][0]:
                found.append(differing[0])
    return found


def _places(schema: Action) -> dict[str, str]:
    """The arguments that are places, judging by a predicate's name, with the preposition."""
    found: dict[str, str] = {}
    for atom, _ in (*schema.precondition, *schema.effects):
        words = words_of(atom.predicate)
        word = next((w for w in (words[0], words[-1]) if w in ("at", "in", "inside")), None)
        if word is not None and 1 <= len(atom.terms) <= 2:
            found.setdefault(atom.terms[-1], word)
    return found


def _link(schema: Action, subject: str | None, name: str) -> str | None:
    """The preposition that a predicate has between the direct object and another argument."""
    for atom, _ in (*schema.effects, *schema.precondition):
        if atom.terms == (subject, name):
            words = words_of(atom.predicate)
            for word in (words[-1], words[0]):
                if word in PREPOSITIONS:
                    return word
    return None
