"""Rules as plain integers for the kernel.

Parameters are numbered by position, constants, types, predicates and actions as the domain lists
them. A term is one integer: parameter i is i, constant c is -1 - c.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.model import EQUALS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pg3.pddl.model import Domain, Literal, TypeNames
    from pg3.policy.model import DecisionList, Rule


class ConditionKind(IntEnum):
    """What a condition is tested against."""

    STATE = 0
    GOAL = 1
    EQUALITY = 2


class EncodedLiteral(NamedTuple):
    """A condition: the kind (see `ConditionKind`), the sign, the predicate (-1 for "="), terms."""

    kind: int
    positive: bool
    predicate: int
    terms: list[int]


class EncodedRule(NamedTuple):
    """A rule: the action and its arguments, for each parameter the types it accepts, conditions.

    State conditions come first, then goal conditions, each in the order of the rule; equalities
    stand among the state conditions, where they are written.
    """

    action: int
    arguments: list[int]
    parameter_types: list[list[int]]
    literals: list[EncodedLiteral]


def encode_rule(rule: Rule, domain: Domain) -> EncodedRule:
    """The rule as integers. It must be well formed (see `checks`): a stray name is a KeyError."""
    kinds = ((ConditionKind.STATE, rule.preconditions), (ConditionKind.GOAL, rule.goals))
    numbers = {constant.name: -1 - i for i, constant in enumerate(domain.constants)}
    numbers |= {parameter.name: i for i, parameter in enumerate(rule.parameters)}
    return EncodedRule(
        action=domain.action_index[rule.action],
        arguments=[numbers[term] for term in rule.arguments],
        parameter_types=[accepted_types(parameter.types, domain) for parameter in rule.parameters],
        literals=[
            encode_literal(literal, kind, numbers, domain)
            for kind, literals in kinds
            for literal in literals
        ],
    )


def encode_policy(policy: DecisionList, domain: Domain) -> list[EncodedRule]:
    """The rules as integers, in order."""
    return [encode_rule(rule, domain) for rule in policy.rules]


def accepted_types(types: TypeNames, domain: Domain) -> list[int]:
    """The numbers of all types whose objects may stand for a parameter of the given types."""
    return [i for i, type_ in enumerate(domain.types) if domain.is_a(type_.name, types)]


def encode_literal(
    literal: Literal, kind: ConditionKind, numbers: Mapping[str, int], domain: Domain
) -> EncodedLiteral:
    """A literal over terms whose numbers are given; an equality is of its own kind anyway."""
    predicate, terms = literal.atom
    encoded_terms = [numbers[term] for term in terms]
    if predicate == EQUALS:
        return EncodedLiteral(ConditionKind.EQUALITY.value, literal.positive, -1, encoded_terms)
    return EncodedLiteral(
        kind.value, literal.positive, domain.predicate_index[predicate], encoded_terms
    )
