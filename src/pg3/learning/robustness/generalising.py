"""A policy made as general as its tests allow.

Rules of goal regression say everything that a plan relied on, and each combination of circumstances
has a rule of its own. Most of that is not needed: the order of the rules, and the rules for the
steps that follow, take care of it. So, in this order,

1. rules that never act in a test go,
2. rules no longer ask for the paths of later actions, whose own rules know what to do without one,
3. rules go, the last first,
4. two rules for one action become one, with the conditions that they have in common, for objects
   of the types of either; types that come together stay together,

and 3 and 4 again until nothing changes. Each step is kept only if the policy still passes every
test that it passed at the beginning, and takes no more steps there in all: a rule that says too
little wanders about. Any other condition goes only where two rules differ in it. What all rules of
a kind ask for is no accident of one plan, and few tests would show what it is good for.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from pg3.learning.operators import locked_places

if TYPE_CHECKING:
    from pg3.learning.robustness.common_rules import CommonRules
    from pg3.learning.robustness.trials import Trials
    from pg3.policy.rule_book import PolicyKey


class Generaliser:
    """Generalises one policy, step by step, as long as `trials` are passed.

    `locked` rules stay as they are. When trials are added, only those steps are taken back that do
    not pass them, and what came after.
    """

    def __init__(self, common: CommonRules, policy: PolicyKey, locked: PolicyKey = ()) -> None:
        self._common = common
        self._locked = locked
        self._kept = {*locked}
        # Pairs of rules that could not be one, as long as there are others to try.
        self._apart: set[tuple[int, int]] = set()
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
        self._drop_paths()
        while True:
            before, complete = self._policies[-1], not self._apart
            self._drop_rules()
            self._merge_rules()
            if self._policies[-1] == before:
                if complete:
                    return before
                # With fewer rules some may be merged that could not before.
                self._apart.clear()

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

    def _drop_paths(self) -> None:
        policy = self._policies[-1]
        bare = {rule: self._common.without_paths(rule) for rule in policy if rule not in self._kept}
        if self._accepts(tuple(bare.get(rule, rule) for rule in policy)):
            return
        for place, rule in enumerate(policy):
            now = self._policies[-1]
            self._accepts((*now[:place], bare.get(rule, rule), *now[place + 1 :]))

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
        policy = self._policies[-1]
        pair = policy[place], policy[other]
        if pair in self._apart:
            return False
        if self._common.action(pair[0]) != self._common.action(pair[1]) or {*pair} & self._kept:
            return False
        self._trials.check()
        before, between, after = policy[:place], policy[place + 1 : other], policy[other + 1 :]
        for one, two in ((policy[place], policy[other]), (policy[other], policy[place])):
            merged = self._common.of(one, two)
            if merged is not None and (
                self._accepts((*before, merged, *between, *after))
                or self._accepts((*before, *between, merged, *after))
            ):
                return True
        self._apart.add(pair)
        return False

    def with_last_resorts(self, policy: PolicyKey) -> PolicyKey:
        """The policy with wider rules at its end, for where it would stop.

        A rule for all that rules for one action have in common can do no harm there. But it must
        say what to act on: to go anywhere leads nowhere.
        """
        widest: dict[int, int] = {}
        for rule in (r for r in policy if r not in self._kept):
            for first, last in widest.items():
                merged = self._common.of(last, rule)
                if merged is None:
                    merged = self._common.of(rule, last)
                if merged is not None:
                    widest[first] = merged
                    break
            else:
                widest[rule] = rule
        common = self._common
        wider = [r for r in widest.values() if r not in policy and common.has_aim(r)]
        return (*policy, *(rule for rule in wider if not common.is_idle_after(rule, policy)))
