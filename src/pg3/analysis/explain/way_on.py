"""How it could go on where no rule of a policy applies: what a planner would do there."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

from pg3.errors import pluralize
from pg3.planning import Limits, plan

if TYPE_CHECKING:
    from pg3.analysis.explain.steps import Explanation

# It is a hint: a search that takes longer than a person waits, or more memory than a laptop has to
# spare, is not worth it.
_LIMITS = Limits(expansions=2000, seconds=5, megabytes=500)
# Enough to see what the policy lacks.
_ACTIONS = 5


def tell_way_on(explanation: Explanation) -> str:
    """The beginning of a plan from where no rule applies, as a line of text.

    Empty where the policy ends otherwise, and where a short search finds no plan.
    """
    if not explanation.execution.no_rule_applied:
        return ""
    here = sorted(explanation.state(len(explanation.plan)))
    found = plan(explanation.problem.replace(init=here), search="satisficing", limits=_LIMITS).plan
    if not found:
        return ""
    text = " ".join(map(str, found[:_ACTIONS]))
    more = pluralize(len(found) - _ACTIONS, "more step")
    text += f" and {more}" if len(found) > _ACTIONS else ""
    line = f"a planner goes on with: {text}"
    return fill(line, 96, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
