"""What only some of the formats can say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.errors import Pg3Error
from pg3.policy.derived import is_extended

if TYPE_CHECKING:
    from pg3.pddl.model import Domain
    from pg3.policy.model import DecisionList


def refuse_extended(policy: DecisionList, domain: Domain, format_name: str) -> None:
    """Pg3Error if the policy, or its domain, has more than the paper's language."""
    if domain.axioms:
        raise Pg3Error(
            f"domain '{domain.name}' has axioms (:derived): a policy for it cannot be exported as "
            f"{format_name} (export it as json)"
        )
    if is_extended(policy, domain):
        raise Pg3Error(
            f"policy '{policy.name}' uses derived predicates, 'reach', 'next' or '_', "
            f"which cannot be exported as {format_name} (export it as json)"
        )
