"""Parameters of rules that always stand for the same constant."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pg3.pddl.model import substitute

if TYPE_CHECKING:
    from pg3.pddl.model import Domain
    from pg3.policy.model import DecisionList, Rule


def with_first_constants(policy: DecisionList, domain: Domain) -> DecisionList:
    """The same policy, written with a constant for each parameter that is always this one.

    A rule acts with the first objects that satisfy it, and constants come before all others. So a
    parameter that no condition mentions is the first constant of its types, if there is one.
    """
    return replace(policy, rules=tuple(_rule(rule, domain) for rule in policy.rules))


def _rule(rule: Rule, domain: Domain) -> Rule:
    mentioned = {t for literal in (*rule.preconditions, *rule.goals) for t in literal.atom.terms}
    constants: dict[str, str] = {}
    for parameter in rule.parameters:
        fitting = [c.name for c in domain.constants if domain.is_a(c.type, parameter.types)]
        if fitting and parameter.name not in mentioned:
            constants[parameter.name] = fitting[0]
    return replace(
        rule,
        parameters=tuple(p for p in rule.parameters if p.name not in constants),
        arguments=substitute(rule.arguments, constants),
    )
