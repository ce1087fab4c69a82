"""Policies in forms that other programs understand, one file each.

`python`        a module without dependencies: `next_action`, `run`; a command, too
`c`             one file without dependencies, for robots: `pg3_set`, `pg3_act`, `pg3_apply`
`json`          the JSON form of the policy format
`pddl-axioms`   a domain, and problems for it, in which a planner can do only what the policy allows
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pg3.errors import Pg3Error
from pg3.integrations.exports import c_module, pddl_axioms, python
from pg3.policy import policy_to_json
from pg3.policy.derived import comparisons_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from pg3.pddl.model import Domain, Problem
    from pg3.policy.model import DecisionList


class Export(NamedTuple):
    """An export format: text from a policy that is well formed for its domain.

    `problem_text` adapts a problem of the domain to the format, if the format needs that.
    """

    policy_text: Callable[[DecisionList, Domain], str]
    problem_text: Callable[[DecisionList, Problem], str] | None = None


def _without_numbers(
    policy_text: Callable[[DecisionList, Domain], str],
) -> Callable[[DecisionList, Domain], str]:
    """The export for domains without numbers only."""

    def text(policy: DecisionList, domain: Domain) -> str:
        if domain.has_numbers or comparisons_in(policy):
            raise Pg3Error(
                f"domain {domain.name} has numbers, which this format does not express "
                "(python, c and json do)"
            )
        return policy_text(policy, domain)

    return text


EXPORTS: dict[str, Export] = {
    "python": Export(python.policy_text),
    "c": Export(c_module.policy_text),
    "json": Export(policy_to_json),
    "pddl-axioms": Export(_without_numbers(pddl_axioms.policy_text), pddl_axioms.problem_text),
}

__all__ = ["EXPORTS", "Export"]
