"""Candidates for invariants with existential quantifiers: "each package is somewhere or in some
vehicle". For each key (nothing, an object of a kind, the objects of a fact or a goal), minimal
disjunctions of existential formulas one of which holds in every sampled state.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

from pg3.analysis.prove.logic.formulas import (
    FALSE,
    TRUE,
    Fact,
    Formula,
    Term,
    conjunction,
    disjunction,
    exists,
    facts_in,
    forall,
    free,
    is_connected,
    negate,
    replace_terms,
    text_of,
    variables_for,
)
from pg3.analysis.prove.logic.invariants import Invariant
from pg3.analysis.prove.mining.universal import Relation, matchings, relations_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pg3.analysis.prove.logic.structures import Structure
    from pg3.analysis.prove.logic.theory import Theory

# Limits that keep mining of the built-in domains below ten seconds; larger ones found nothing that
# a proof used.
_OBSERVATIONS = 150
_ITEMS = 120
_ITEMS_OF_THREE = 60
_FOUND_A_KEY = 60
_LITERALS = 3
_MANY_LITERALS = 9


class _Key(NamedTuple):
    """What a formula is said of: the objects of a relation's tuples, an object, or nothing."""

    variables: tuple[Term, ...]
    guard: Relation | None

    @property
    def takes_three(self) -> bool:
        """Whether disjunctions of three are looked for."""
        return self.guard is None or self.guard.word != "state"


def existential_invariants(
    theory: Theory, states: Sequence[Structure], ignored: frozenset[str] = frozenset()
) -> list[Invariant]:
    """The candidates that hold in all states, the weakest keys first.

    Relations that are ignored occur in none of them.
    """
    relations = [r for r in relations_of(theory) if r.predicate not in ignored]
    conjunctions = list(_rule_parts(theory, ignored).values())
    found: dict[Invariant, None] = {}
    of_kinds: set[frozenset[Formula]] = set()
    for key in _keys(theory, relations):
        for parts in _disjunctions(key, relations, conjunctions, states):
            names = frozenset(_of_one_variable(part) for part in parts)
            if key.guard is None and key.variables:
                of_kinds.add(names)
            # "Each ball ..." says more than "each ball that is a goal's ...".
            if key.guard is not None and any(known <= names for known in of_kinds):
                continue
            guard = [] if key.guard is None else [negate(key.guard.of(key.variables))]
            formula = forall(key.variables, disjunction([*guard, *parts]))
            candidate = Invariant("exists", formula)
            if all(candidate.holds(s) for s in states):
                found[candidate] = None
    return list(found)


def _keys(theory: Theory, relations: Sequence[Relation]) -> Iterator[_Key]:
    yield _Key((), None)
    for kind in theory.kinds:
        yield _Key((Term("?k", kind),), None)
    for of_goal in (True, False):
        for relation in relations:
            if relation.kinds and (relation.word != "state") == of_goal:
                yield _Key(variables_for(relation.kinds, "k"), relation)


def _of_one_variable(formula: Formula) -> Formula:
    """The formula with its only free variable renamed, to be compared with others."""
    names = sorted(free(formula))
    if len(names) != 1:
        return formula
    return replace_terms(formula, {names[0]: Term("?k", names[0].kind)})


def _rule_parts(
    theory: Theory, ignored: frozenset[str]
) -> dict[tuple[str, ...], tuple[Formula, ...]]:
    """Connected groups of positive conditions of the rules, up to the names of variables."""
    found: dict[tuple[str, ...], tuple[Formula, ...]] = {}
    for case in theory.cases:
        atoms = [
            f for f in facts_in(case.conditions, "state", "goal") if f.predicate not in ignored
        ]
        most = 2 if len(atoms) > _MANY_LITERALS else _LITERALS
        groups = [g for n in range(2, most + 1) for g in itertools.combinations(atoms, n)]
        static = tuple(a for a in atoms if a.word == "state" and a.predicate in theory.static)
        if len(static) > most:
            groups.append(static)
        for group in groups:
            if is_connected(group):
                found.setdefault(_normal(group), group)
    return found


def _normal(group: Sequence[Fact]) -> tuple[str, ...]:
    names: dict[Term, Term] = {}
    ordered = sorted(group, key=lambda a: (a.word, a.predicate, [t.kind for t in a.terms]))
    for atom in ordered:
        for term in atom.terms:
            names.setdefault(term, Term(f"?c{len(names)}", term.kind))
    return tuple(sorted(text_of(replace_terms(atom, names)) for atom in ordered))


def _disjunctions(
    key: _Key,
    relations: Sequence[Relation],
    conjunctions: Sequence[tuple[Formula, ...]],
    states: Sequence[Structure],
) -> Iterator[tuple[Formula, ...]]:
    """Minimal disjunctions that hold of every observation of the key."""
    observations = _observations(key, states)
    if not observations:
        return
    full = (1 << len(observations)) - 1
    masks: dict[Formula, int] = {}
    sizes: dict[Formula, int] = {}
    for formula, size in _disjuncts(key, relations, conjunctions):
        if formula in masks or formula in (TRUE, FALSE):
            continue
        mask = 0
        for i, (state, binding) in enumerate(observations):
            if state.holds(formula, binding):
                mask |= 1 << i
        if mask:
            masks[formula], sizes[formula] = mask, size
    yield from ((formula,) for formula, mask in masks.items() if mask == full)
    items = [f for f, mask in masks.items() if mask != full]
    items.sort(key=lambda f: (sizes[f], -masks[f].bit_count()))
    items = items[:_ITEMS]
    pairs = [(f, g) for f, g in itertools.combinations(items, 2) if masks[f] | masks[g] == full]
    yield from pairs[:_FOUND_A_KEY]
    if key.takes_three:
        known = set(pairs)
        number = 0
        for trio in itertools.combinations(items[:_ITEMS_OF_THREE], 3):
            f, g, h = trio
            if masks[f] | masks[g] | masks[h] == full and not any(
                pair in known for pair in itertools.combinations(trio, 2)
            ):
                yield trio
                number += 1
                if number >= _FOUND_A_KEY:
                    break


def _observations(
    key: _Key, states: Sequence[Structure]
) -> list[tuple[Structure, dict[Term, str]]]:
    found: list[tuple[Structure, dict[Term, str]]] = []
    for state in states:
        parts = [] if key.guard is None else [key.guard.of(key.variables)]
        found += [(state, binding) for binding in state.bindings(parts, {}, key.variables)]
    return found[:: len(found) // _OBSERVATIONS + 1]


def _disjuncts(
    key: _Key, relations: Sequence[Relation], conjunctions: Sequence[tuple[Formula, ...]]
) -> Iterator[tuple[Formula, int]]:
    """Existential formulas about the key's objects, with the number of their literals."""
    variables = key.variables
    for relation in relations:
        if relation == key.guard or (not relation.kinds and relation.fixed):
            continue
        for chosen in matchings(relation.kinds, variables):
            if variables and not any(chosen):
                continue
            fresh = variables_for(relation.kinds, "z")
            terms = tuple(term or fresh[i] for i, term in enumerate(chosen))
            rest = [t for t in terms if t not in variables]
            yield exists(rest, relation.of(terms)), 1
    for group in conjunctions:
        terms = tuple(sorted(set().union(*(free(part) for part in group))))
        if not variables:
            yield exists(terms, conjunction(group)), 2
            continue
        yield from ((f, 2) for f in _placed(key, group, terms))


def _placed(key: _Key, group: tuple[Formula, ...], terms: tuple[Term, ...]) -> Iterator[Formula]:
    """A group of conditions with some of its variables replaced by the key's."""
    guard = None if key.guard is None else key.guard.of(key.variables)
    for chosen in matchings([v.kind for v in key.variables], terms):
        used = {term: v for term, v in zip(chosen, key.variables, strict=True) if term}
        if not used:
            continue
        if guard is not None and len(used) < len(key.variables) and len(group) > 2:
            continue
        parts = [replace_terms(part, used) for part in group]
        if guard not in parts:
            yield exists([t for t in terms if t not in used], conjunction(parts))
