"""A policy without the conditions that no test needs.

A search stops at the first policy that passes. Its rules may have conditions that are always true
where the rule is tried (two places are not the same where something is at one of them only), or
that cost nothing and say nothing. Each condition is left out in turn. It stays out if no more tests
fail and they take no more steps in all.

The tests do not have every case, so this is done only where asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.learning.operators.delete_condition import DeleteCondition

if TYPE_CHECKING:
    from pg3.learning.robustness.test_suite import Suite
    from pg3.learning.robustness.verdicts import Result
    from pg3.policy.rule_book import PolicyKey


def without_needless_conditions(chosen: Result, suite: Suite, locked: PolicyKey = ()) -> Result:
    """The policy with no more conditions than needed; locked rules stay as they are."""
    shorter = DeleteCondition(suite.training).shorter
    policy, verdict = chosen.policy, suite.test(chosen.policy)
    for place in range(len(policy)):
        failed = 0
        while policy[place] not in locked and failed < len(rules := shorter(policy[place])):
            candidate = (*policy[:place], rules[failed], *policy[place + 1 :])
            found = suite.test(candidate)
            if found.no_worse_than(verdict) and found.steps <= verdict.steps:
                policy, verdict = candidate, found
            else:
                failed += 1
    return chosen._replace(policy=policy, verdict=verdict)
