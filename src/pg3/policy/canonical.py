"""One form for all rules that differ only in names and in the order of their conditions.

The order of the parameters is part of a rule's meaning (it decides which tuple of objects is the
first), so it is kept; variables are numbered by their position in it. That makes the form exact
and cheap: no graph isomorphism is involved.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from pg3.pddl.model import EQUALS, Atom, Literal, Parameter, substitute
from pg3.policy.model import Clause, DecisionList, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def canonical_rule(rule: Rule) -> Rule:
    """The representative of all rules that equal this one up to names and order of conditions.

    Two rules have equal canonical forms exactly if renaming variables one to one, reordering or
    repeating conditions, swapping the two sides of "=" and reordering an `either` turns one into
    the other. Unused parameters count: the rule needs an object of their type. The result is a
    rule with the same behaviour, named "rule", with variables ?x0, ?x1, … in parameter order.
    """
    renaming = {parameter.name: f"?x{i}" for i, parameter in enumerate(rule.parameters)}
    return Rule(
        name="rule",
        parameters=tuple(
            Parameter(renaming[parameter.name], tuple(sorted(set(parameter.types))))
            for parameter in rule.parameters
        ),
        preconditions=_canonical_literals(rule.preconditions, renaming),
        goals=_canonical_literals(rule.goals, renaming),
        action=rule.action,
        arguments=substitute(rule.arguments, renaming),
    )


def canonical(policy: DecisionList) -> DecisionList:
    """The policy with each rule in canonical form, the rules named by position.

    Two policies have equal canonical forms exactly if their rules have, one by one in order, and
    their clauses. The result is a well-formed policy that behaves like the given one.
    """
    rules = (
        dataclasses.replace(canonical_rule(rule), name=f"rule{i}")
        for i, rule in enumerate(policy.rules)
    )
    return DecisionList("policy", tuple(rules), tuple(map(canonical_clause, policy.definitions)))


def canonical_clause(clause: Clause) -> Clause:
    """The representative of all clauses that equal this one up to variables and their order.

    The predicate keeps its name, by which rules and other clauses know it, and variables beyond the
    parameters keep their order.
    """
    everything = (*clause.parameters, *clause.variables)
    renaming = {parameter.name: f"?x{i}" for i, parameter in enumerate(everything)}

    def renamed(parameters: Iterable[Parameter]) -> tuple[Parameter, ...]:
        return tuple(Parameter(renaming[p.name], tuple(sorted(set(p.types)))) for p in parameters)

    return Clause(
        clause.name,
        renamed(clause.parameters),
        renamed(clause.variables),
        _canonical_literals(clause.conditions, renaming),
        _canonical_literals(clause.goals, renaming),
    )


def canonical_literal(literal: Literal) -> Literal:
    """The literal, with the sides of an equality sorted: (= ?b ?a) says what (= ?a ?b) says."""
    predicate, terms = literal.atom
    if predicate != EQUALS:
        return literal
    return Literal(Atom(EQUALS, tuple(sorted(terms))), literal.positive)


def _canonical_literals(
    literals: Iterable[Literal], renaming: Mapping[str, str]
) -> tuple[Literal, ...]:
    renamed = {canonical_literal(literal.substitute(renaming)) for literal in literals}
    # Positive conditions first, as a person writes them; any fixed order would do.
    return tuple(sorted(renamed, key=lambda literal: (not literal.positive, literal.atom)))
