"""Search operators: from a policy to the policies that are one change away.

`induce-rule`       one rule from a plan that departs from the policy
`add-condition`     a literal more in some rule
`delete-condition`  a literal less in some rule
`delete-rule`       a rule less
`add-rule`          a rule for some action, at some place

The order is the paper's order of application. An operator is one file with a class that follows
`base.Operator`, and one line in `OPERATORS`. `LockedRules` keeps some rules as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.operators.add_condition import AddCondition
from pg3.learning.operators.add_rule import AddRule
from pg3.learning.operators.base import Operator
from pg3.learning.operators.delete_condition import DeleteCondition
from pg3.learning.operators.delete_rule import DeleteRule
from pg3.learning.operators.induce import InduceRule
from pg3.learning.operators.locked_rules import LockedRules, locked_places

if TYPE_CHECKING:
    from collections.abc import Callable

    from pg3.learning.operators.features import Features
    from pg3.learning.training import Training


class OperatorOptions(NamedTuple):
    """What can be chosen about operators; the defaults are the paper's."""

    generalise: bool = True  # induced rules as general as the missed action allows
    every_plan: bool = False  # a rule from every plan that departs from the policy
    shortest_first: bool = False  # from the shortest plan, not from that with most missed actions
    achiever_needs: bool = True  # whatever the action needs that achieves the goal is kept
    selective: bool = False  # only conditions that can matter on the training problems
    features: Features | None = None  # conditions beyond the domain's predicates


# The operator that learns from plans: some searches do without it, or take more of it.
INDUCE_RULE = "induce-rule"

# The paper's five. A run that may use all of these may learn in every way that pg3 knows; what else
# is registered in `OPERATORS` has no part in that.
PAPER_OPERATORS = (INDUCE_RULE, "add-condition", "delete-condition", "delete-rule", "add-rule")

OPERATORS: dict[str, Callable[[Training, OperatorOptions], Operator]] = {
    INDUCE_RULE: lambda training, options: InduceRule(
        training,
        generalise=options.generalise,
        every_plan=options.every_plan,
        shortest_first=options.shortest_first,
        achiever_needs=options.achiever_needs,
        features=options.features,
    ),
    "add-condition": lambda training, options: AddCondition(
        training, selective=options.selective, features=options.features
    ),
    "delete-condition": lambda training, _: DeleteCondition(training),
    "delete-rule": lambda training, _: DeleteRule(training),
    "add-rule": lambda training, _: AddRule(training),
}

__all__ = [
    "INDUCE_RULE",
    "OPERATORS",
    "PAPER_OPERATORS",
    "LockedRules",
    "Operator",
    "OperatorOptions",
    "locked_places",
]
