"""Rules without what says nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pg3.pddl.model import EQUALS

if TYPE_CHECKING:
    from pg3.pddl.model import Domain
    from pg3.policy.model import Rule


def reduced(rule: Rule, domain: Domain) -> Rule:
    """The rule without variables of which it says no more than of another one."""
    types = {p.name: p.types for p in rule.parameters} | {
        constant.name: (constant.type,) for constant in domain.constants
    }
    spoken_for = {*rule.arguments, *(t for goal in rule.goals for t in goal.atom.terms)}
    body = list(rule.preconditions)
    for spare in [p.name for p in rule.parameters if p.name not in spoken_for]:
        about = [c for c in body if spare in c.atom.terms]
        rest = [c for c in body if c not in about]
        others = dict.fromkeys(t for c in rest for t in c.atom.terms if t in types)
        if any(
            all(domain.is_a(name, types[spare]) for name in types[other])
            and all(c.substitute({spare: other}) in rest for c in about)
            for other in others
        ):
            body = rest
    return tidied(replace(rule, preconditions=tuple(body)))


def tidied(rule: Rule) -> Rule:
    """The rule without inequalities of what nothing else is said of, and unused parameters."""
    apart = [c for c in rule.preconditions if c.atom.predicate == EQUALS]
    others = tuple(c for c in rule.preconditions if c not in apart)
    said = _terms(replace(rule, preconditions=others))
    idle = [c for c in apart if any(t.startswith("?") and t not in said for t in c.atom.terms)]
    kept = replace(rule, preconditions=tuple(c for c in rule.preconditions if c not in idle))
    return replace(kept, parameters=tuple(p for p in rule.parameters if p.name in _terms(kept)))


def _terms(rule: Rule) -> set[str]:
    """The terms of a rule's action and conditions."""
    conditions = (*rule.preconditions, *rule.goals)
    return {*rule.arguments, *(term for literal in conditions for term in literal.atom.terms)}
