"""Pages to look at: a search over policies, and a policy on a problem. One HTML file each.

`search_page`   from a learning log
`policy_page`   a policy, and on a problem step by step
`read_log`      the log as values
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pg3.analysis.explain import read_policy_aloud
from pg3.planning import Limits
from pg3.viewer.logs import SearchLog, log_path, read_log
from pg3.viewer.page import render
from pg3.viewer.play_data import play_data, policy_data
from pg3.viewer.search_data import search_data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.analysis.explain.steps import Ranking
    from pg3.pddl.model import Domain, Problem
    from pg3.policy.model import DecisionList

__all__ = ["SearchLog", "log_path", "policy_page", "read_log", "search_page"]


def search_page(
    log: SearchLog,
    domain: Domain | None = None,
    problems: Sequence[Problem] | None = None,
) -> str:
    """The search that a log tells of; with domain and problems also the plans behind the scores.

    `problems` are the training problems in the order of the log's first line.
    """
    named = domain.name if domain is not None else Path(str(log.header.get("domain", ""))).stem
    result = log.result or {}
    counts = f"{result.get('candidates', 0)} candidates, {result.get('expansions', 0)} expanded"
    summary = f"{counts}; {result.get('reason', 'cut off')}"
    data = {"kind": "search", **search_data(log, domain, problems)}
    return render(f"Search for a policy: {named}", data, summary)


def policy_page(
    policy: DecisionList,
    domain: Domain,
    problem: Problem | None = None,
    *,
    limits: Limits = Limits(),
    ranking: Ranking | None = None,
) -> str:
    """A policy in words, and if there is a problem, step by step on it.

    With the `ranking` of a proof steps say what they make smaller.
    """
    summary = read_policy_aloud(policy, domain)
    if problem is None:
        data = {"kind": "policy", "policy": policy_data(policy, domain)}
        return render(f"Policy {policy.name}", data, summary)
    data = {"kind": "play", **play_data(problem, policy, limits=limits, ranking=ranking)}
    return render(f"{policy.name} on {problem.name}", data, summary)
