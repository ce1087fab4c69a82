"""The JSON form of the policy format (docs/reference/policy-format.md), which names its domain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.policy import policy_to_json

if TYPE_CHECKING:
    from pg3.pddl.model import Domain
    from pg3.policy.model import DecisionList


def policy_text(policy: DecisionList, domain: Domain) -> str:
    """The policy as JSON; `read_policy` gives it back."""
    return policy_to_json(policy, domain)
