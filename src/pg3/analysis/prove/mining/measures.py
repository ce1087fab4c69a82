"""Candidates for measures: sets of tuples that the actions of some rules may make smaller."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from pg3.analysis.prove.conditions import Measure
from pg3.analysis.prove.logic.formulas import (
    FALSE,
    TRUE,
    Formula,
    Term,
    conjunction,
    exists,
    facts_in,
    free,
    negate,
    next_hops_in,
    predicates_in,
    state,
    variables_for,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pg3.analysis.prove.logic.theory import Case, Path, Theory

# Rules with more conditions than this give pairs of them only, not triples.
_MANY_CONDITIONS = 10


def candidate_measures(
    theory: Theory, acyclic: Sequence[Path], ignored: frozenset[str] = frozenset()
) -> list[Measure]:
    """All candidates, simple ones first, without repetition.

    Conditions of rules on relations that are ignored are left out.
    """
    found: dict[Measure, None] = {}
    for variables, formula in _all(theory, acyclic, ignored):
        if formula not in (TRUE, FALSE) and _changes(theory, formula):
            used = free(formula)
            found[Measure(tuple(v for v in variables if v in used), formula)] = None
    return list(found)


def _changes(theory: Theory, formula: Formula) -> bool:
    return bool(predicates_in(formula) - theory.static)


def _all(
    theory: Theory, acyclic: Sequence[Path], ignored: frozenset[str]
) -> Iterator[tuple[Iterable[Term], Formula]]:
    yield from _of_goals(theory)
    yield from _of_facts(theory)
    yield from _of_ways(theory)
    for path in acyclic:
        yield from _ahead(theory, path)
    for case in theory.cases:
        yield from _of_rule(case, ignored)


def _of_goals(theory: Theory) -> Iterator[tuple[Iterable[Term], Formula]]:
    for word, signatures in (("goal", theory.given.goal), ("avoid", theory.given.avoid)):
        for predicate, *kinds in sorted(signatures):
            terms = variables_for(kinds)
            fact = theory.atom(predicate, terms)
            missed = negate(fact) if word == "goal" else fact
            yield terms, conjunction([(word, predicate, terms), missed])


def _fluents(theory: Theory) -> Iterator[tuple[str, tuple[str, ...]]]:
    for predicate in theory.domain.predicates:
        if predicate.name not in theory.static:
            yield from ((predicate.name, kinds) for kinds in theory.signatures_of(predicate.name))


def _of_facts(theory: Theory) -> Iterator[tuple[Iterable[Term], Formula]]:
    for name, kinds in _fluents(theory):
        terms = variables_for(kinds)
        fact = state(name, terms)
        yield terms, fact
        yield terms, negate(fact)
        for i, term in enumerate(terms):
            rest = terms[:i] + terms[i + 1 :]
            yield rest, exists([term], fact)
            yield rest, negate(exists([term], fact))
        goal = theory.atom(name, terms, "goal")
        if goal != FALSE:
            yield terms, conjunction([negate(goal), fact])


def _ahead(theory: Theory, path: Path) -> Iterator[tuple[Iterable[Term], Formula]]:
    """What lies ahead of, or behind, the objects of a fact, along a relation without circles."""
    for name, kinds in _fluents(theory):
        terms = variables_for(kinds)
        for i, term in enumerate(terms):
            if term.kind == path.kind:
                rest = terms[:i] + terms[i + 1 :]
                there = Term("?ahead", path.kind)
                for ends in ((term, there), (there, term)):
                    reach = ("path", "reach", path.relation, ends)
                    formula = exists([term], conjunction([state(name, terms), reach]))
                    yield (*rest, there), formula


def _of_ways(theory: Theory) -> Iterator[tuple[Iterable[Term], Formula]]:
    """What is closer to the target of a rule's way than the present place."""
    for case in theory.cases:
        for relation, leading, start, _, target in next_hops_in(case.conditions):
            here = [
                fact
                for fact in facts_in(case.conditions, "state")
                if start in fact.terms and fact.predicate not in theory.static
            ]
            aims = [fact for fact in facts_in(case.conditions, "goal") if target in fact.terms]
            there = Term("?closer", start.kind)
            nearer = ("path", "closer", relation, (*leading, there, start, target))
            keys = dict.fromkeys([*leading, target, *(t for aim in aims for t in aim.terms)])
            body = conjunction([*here, *aims, nearer])
            others = [t for t in case.parameters if t not in keys]
            yield (*keys, there), exists(others, body)


def _of_rule(case: Case, ignored: frozenset[str]) -> Iterator[tuple[Iterable[Term], Formula]]:
    """What satisfies some of a rule's conditions."""
    conditions = tuple(c for c in case.conditions if not predicates_in(c) & ignored)
    goal_terms = {t for g in facts_in(conditions, "goal") for t in g.terms if t.is_variable}
    groups = [conditions]
    groups += [tuple(c for c in conditions if c is not left_out) for left_out in conditions]
    if len(conditions) <= _MANY_CONDITIONS:
        groups += [g for n in (1, 2, 3) for g in itertools.combinations(conditions, n)]
    else:
        groups += list(itertools.combinations(conditions, 2))
    for group in groups:
        body = conjunction(group)
        used = free(body)
        keys = {frozenset(used & goal_terms): None, frozenset(used): None, frozenset(): None}
        if len(group) <= 2:
            keys |= {frozenset({v}): None for v in case.parameters if v in used}
        for key in keys:
            inside = tuple(v for v in case.parameters if v in key)
            outside = [v for v in case.parameters if v in used and v not in key]
            formula = exists(outside, body)
            yield inside, formula
            if not inside:
                yield inside, negate(formula)
