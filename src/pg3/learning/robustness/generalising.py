"""A policy made as general as its tests allow.

Rules of goal regression say everything that a plan relied on, and each combination of circumstances
has a rule of its own. Most of that is not needed: the order of the rules, and the rules for the
steps that follow, take care of it. So, in this order,

1. rules that never act in a test go,
2. rules go, the last first,
3. two rules for one action become one, with the conditions that they have in common,

and 2 and 3 again until nothing changes. Each step is kept only if the policy still passes every
test that it passed at the beginning, and takes no more steps there in all: a rule that says too
little wanders about. A condition goes only where two rules differ in it. What all rules of a kind
ask for is no accident of one plan, and few tests would show what it is good for.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from typing import TYPE_CHECKING

from pg3.learning.operators import locked_places
from pg3.learning.regression.ordering import Body, subsumes
from pg3.policy.canonical import canonical_literal
from pg3.policy.derived import NEXT, is_graph

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pg3.learning.robustness.trials import Trials
    from pg3.pddl.model import Literal
    from pg3.policy.model import Rule
    from pg3.policy.rule_book import PolicyKey, RuleBook


class Generaliser:
    """Generalises one policy, step by step, as long as `trials` are passed.

    `locked` rules stay as they are. When trials are added, only those steps are taken back that do
    not pass them, and what came after.
    """

    def __init__(self, book: RuleBook, policy: PolicyKey, locked: PolicyKey = ()) -> None:
        self._book = book
        self._locked = locked
        self._common: dict[tuple[int, int], int | None] = {}
        # Each is a step more general than the one before.
        self._policies = [policy]

    def generalised(self, trials: Trials) -> PolicyKey:
        """The policy after all steps; the policy as it was if it passes no trial."""
        passed = bisect_left(self._policies, True, key=lambda one: not trials.passes(one))
        del self._policies[max(1, passed) :]
        if not trials:
            return self._policies[-1]
        self._trials = trials
        self._drop_idle_rules()
        while True:
            before = self._policies[-1]
            self._drop_rules()
            self._merge_rules()
            if self._policies[-1] == before:
                return before

    def _accepts(self, policy: PolicyKey) -> bool:
        """Whether a policy passes the trials; it is then the one to go on with."""
        accepted = policy != self._policies[-1] and self._trials.passes(policy)
        if accepted:
            self._policies.append(policy)
        return accepted

    def _drop_idle_rules(self) -> None:
        policy = self._policies[-1]
        kept = {*self._trials.acting(policy), *(locked_places(policy, self._locked) or ())}
        self._accepts(tuple(policy[place] for place in sorted(kept)))

    def _drop_rules(self) -> None:
        for place in reversed(range(len(self._policies[-1]))):
            policy = self._policies[-1]
            if policy[place] not in self._locked:
                self._accepts((*policy[:place], *policy[place + 1 :]))

    def _merge_rules(self) -> None:
        place = 0
        while place < len(self._policies[-1]):
            other = place + 1
            while other < len(self._policies[-1]):
                if not self._merges(place, other):
                    other += 1
            place += 1

    def _merges(self, place: int, other: int) -> bool:
        """Whether two rules can be one, in the place of the one or else of the other."""
        self._trials.check()
        policy = self._policies[-1]
        before, between, after = policy[:place], policy[place + 1 : other], policy[other + 1 :]
        for one, two in ((policy[place], policy[other]), (policy[other], policy[place])):
            merged = self._in_common(one, two)
            if merged is not None and (
                self._accepts((*before, merged, *between, *after))
                or self._accepts((*before, *between, merged, *after))
            ):
                return True
        return False

    def _in_common(self, number: int, other: int) -> int | None:
        """A rule with the conditions that the other one has, too; None if they are unlike.

        It has them under one substitution. Both have what their action needs.
        """
        if (number, other) not in self._common:
            rule, special = self._book.rule(number), self._book.rule(other)
            if rule.action != special.action or {number, other} & {*self._locked}:
                found = None
            else:
                found = self._generalisation(rule, Body(special, self._book.domain))
            self._common[number, other] = None if found is None else self._book.number(found)
        return self._common[number, other]

    def _generalisation(self, rule: Rule, special: Body) -> Rule | None:
        domain = self._book.domain
        action = domain.action(rule.action).ground(rule.arguments)
        needed = {canonical_literal(literal) for literal in action.precondition}
        # A rule that goes to the next stop need not say that there is an edge.
        kept = [
            c
            for c in rule.preconditions
            if canonical_literal(c) in needed
            or (c.atom.predicate == NEXT and is_graph(c.atom, domain))
        ]

        def is_general(conditions: Iterable[Literal]) -> bool:
            one = replace(rule, preconditions=tuple(conditions))
            return subsumes(Body(one, domain), special, domain)

        if not is_general(kept):
            return None
        for condition in rule.preconditions:
            if condition not in kept and is_general((*kept, condition)):
                kept.append(condition)
        common = tuple(c for c in rule.preconditions if c in kept)
        found = _tidied(replace(rule, preconditions=common))
        return found if self._knows_its_way(found) else None

    def _knows_its_way(self, rule: Rule) -> bool:
        """Whether something else says where each path of the rule leads: else it goes anywhere."""
        literals = (*rule.preconditions, *rule.goals)
        for path in literals:
            if path.atom.predicate == NEXT and is_graph(path.atom, self._book.domain):
                target = path.atom.terms[-1]
                if target.startswith("?") and not any(
                    target in other.atom.terms
                    for other in literals
                    if other != path and other.positive
                ):
                    return False
        return True


def _tidied(rule: Rule) -> Rule:
    """The rule without parameters that neither its action nor a condition has."""
    used = _terms(rule)
    return replace(rule, parameters=tuple(p for p in rule.parameters if p.name in used))


def _terms(rule: Rule) -> set[str]:
    """The terms of a rule's action and conditions."""
    conditions = (*rule.preconditions, *rule.goals)
    return {*rule.arguments, *(term for literal in conditions for term in literal.atom.terms)}
