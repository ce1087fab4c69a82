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
    thing_in,
    third_person,
    with_article,
    words_of,
)
from pg3.analysis.explain.formulas import statement
from pg3.analysis.explain.nouns import doers, vocabulary
from pg3.analysis.explain.numbers import comparison_clause
from pg3.pddl.formula_names import is_formula
from pg3.pddl.model import EQUALS
from pg3.pddl.numbers import is_comparison
from pg3.policy.derived import GRAPH_ARITIES, REACH, is_graph

if TYPE_CHECKING:
    from pg3.pddl.model import Action, Atom, Domain

# Words after a verb that are not what it is done to: pick-up, switch-off.
_PARTICLES = frozenset(["away", "back", "down", "out", "up", *PREPOSITIONS])

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
    given = domain.phrases.predicates.get(atom.predicate)
    if given is not None:
        return Clause(*given.told(atom.terms, call))
    words = words_of(atom.predicate, vocabulary(domain))
    if not atom.terms:
        return about_nothing(words)
    if len(atom.terms) == 1:
        return about_one(words, call(atom.terms[0]), nouns.get(atom.terms[0], ""))
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
    # A predicate of the policy keeps its name, by which its definition is found.
    relation = " ".join(words_of(edges)) if edges in domain.predicate_index else edges
    if is_formula(edges):
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
    """An action done to its arguments: "drop the ball at the room with the gripper".

    Where it is certain who does it, that comes first: "the maid unlocks the room with the card".
    """
    given = domain.phrases.actions.get(name)
    if given is not None:
        return " ".join(given.told(arguments, call))
    schema = domain.action(name)
    words = words_of(name)
    doer = doers(domain).get(name)
    order, preposition = _shape(schema, doer)
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
    elif len(words) > 1 and words[-1] not in _PARTICLES:
        # (take-image ?rover ?camera): the name has its object already.
        preposition = {i: one or "with" for i, one in preposition.items()}
        if len(words) == 2 and words[1] in _things(domain):
            words = [words[0], "the", words[1]]
    if words[0] in _DIRECTIONS:
        words = ["go", *words]
    if doer is not None:
        if len(words) > 1 and words[0] == nouns.get(arguments[doer]):
            words = words[1:]  # robot-move
        words = [call(arguments[doer]), third_person(words[0]), *words[1:]]
    place = _place_in_name(words)
    if place is not None and [preposition[i] for i in order] == ["with"]:
        # (take-from-chamber ?can): take the can from the chamber.
        where = with_article(words[place + 1 :])
        return " ".join((*words[:place], call(arguments[order[0]]), words[place], where))
    before = words[-1]
    for i in order:
        prefix = preposition[i]
        # "with the spanner and the man"; and no "to to".
        joint = "and" if parts and prefix == before else "" if prefix == before else prefix
        parts.append(f"{joint} {call(arguments[i])}".strip())
        before = prefix
    return " ".join((" ".join(words), *parts))


@lru_cache(maxsize=64)
def _things(domain: Domain) -> frozenset[str]:
    """Words that the domain uses for things: its kinds of objects, and `bed` if there is bed-made.

    Of any other word it is not certain that it is a noun, which has an article.
    """
    return vocabulary(domain) | {thing_in(words_of(one.name)) for one in domain.declared}


def _place_in_name(words: list[str]) -> int | None:
    """Where a name says where something happens: before "from" in take-from-chamber."""
    places = ("at", "from", "in", "into", "inside", "on", "onto", "to")
    found = [i for i, word in enumerate(words[:-1]) if i and word in places]
    return found[-1] if found else None


@lru_cache(maxsize=512)
def _shape(schema: Action, doer: int | None) -> tuple[tuple[int, ...], dict[int, str]]:
    """The order of an action's arguments in a phrase, and the preposition before each.

    Its doer, if known, is not among them.

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
    about = [effect.atom.terms[0] for effect in schema.effects if effect.atom.terms]
    changed = [names.index(term) for term in about if term in names]
    free = [i for i in (*changed, *range(len(names))) if i not in preposition and i != doer]
    direct = next((i for i in free if names[i] not in places), None)
    if direct is None and doer is not None and len(words_of(schema.name)) == 1:
        # (inspect ?maid ?room): who does it needs something to do it to.
        direct = next((i for i in changed if i in free), None)
    if direct is not None:
        preposition[direct] = ""
    subject = None if direct is None else names[direct]
    for i, name in enumerate(names):
        if i not in preposition and i != doer:
            preposition[i] = _link(schema, subject, name) or places.get(name, "with")
    rank = {"": 0, "with": 1, "from": 2, "to": 3}
    order = sorted(preposition, key=lambda i: (rank.get(preposition[i], 4), i))
    return tuple(order), preposition


def leaving_and_arriving(name: str, arguments: tuple[str, ...], domain: Domain) -> dict[str, str]:
    """Which terms an action leads from ("current") and to ("next")."""
    schema = domain.action(name)
    _, preposition = _shape(schema, doers(domain).get(name))
    words = {"from": "current", "to": "next"}
    return {
        term: words[preposition[i]]
        for i, term in reversed(list(enumerate(arguments)))
        if preposition.get(i) in words
    }


def _moves(schema: Action) -> list[tuple[str, str]]:
    """Pairs of terms: an atom with the first is deleted, the same with the second is added.

    Only of a predicate that is about places by its name, or where nothing else happens: not what is
    clear, nor how much is left.
    """
    found = []
    for gone, is_added in schema.effects:
        if is_added:
            continue
        for come, added in schema.effects:
            if not added or come.predicate != gone.predicate:
                continue
            is_alone = len(schema.effects) == 2 and len(gone.terms) > 1
            if not is_alone and PREPOSITIONS.isdisjoint(words_of(gone.predicate)):
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
        if len(atom.terms) == 1 and len(words) > 1 and words[0] in ("in", "inside"):
            continue  # (in-office ?driver): the place is in the name
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
