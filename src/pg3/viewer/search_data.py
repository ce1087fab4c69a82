"""A search over policies, as the data of a page: candidates, the way to the best, and its plans."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pg3.analysis.explain import read_rule
from pg3.errors import Pg3Error
from pg3.learning.config import LearnConfig
from pg3.learning.scores import SCORES
from pg3.planning import Limits, compare_plan, plan, plan_guided
from pg3.policy import DecisionList, parse_policy
from pg3.semantics.task import Task
from pg3.viewer.scenes import grid_of, scene_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.pddl.model import Domain, Problem
    from pg3.policy.model import Rule
    from pg3.viewer.logs import LoggedRule, LoggedSearch, SearchLog

# Training problems whose plans are shown; more would not fit on a page.
_MOST_PROBLEMS = 12
# Candidates on the way to the best whose plans are worked out again.
_MOST_ON_PATH = 60

# What the page says of the result.
_RESULT = ("status", "method", "reason", "score", "candidates", "expansions", "seconds")


def search_data(
    log: SearchLog, domain: Domain | None, problems: Sequence[Problem] | None
) -> dict[str, Any]:
    """All that the page needs to show a log; plans and readings only with domain and problems."""
    is_logged = log.result_is_logged
    log = log.with_result()
    winner = log.winner
    result = log.result or {}
    header = log.header
    rules = {
        number: {
            "name": rule.name,
            "parameters": rule.parameters,
            "preconditions": rule.preconditions,
            "goals": rule.goals,
            "action": rule.action,
        }
        for number, rule in log.rules.items()
    }
    on_path: set[int] = set()
    searches = []
    for place, search in enumerate(log.searches):
        values = _search(search, winner[1] if winner and winner[0] == place else None)
        for number in values["path"]:
            on_path.update(search.candidates[values["index"][str(number)]].policy)
        del values["index"]
        searches.append(values)
    data: dict[str, Any] = {
        "domain": str(header.get("domain", "")),
        "files": [str(name) for name in header.get("problems", [])],
        "options": header.get("options", {}),
        "result": {
            **{name: result.get(name) for name in _RESULT},
            "same": is_logged,
        }
        if log.result is not None
        else None,
        "winner": winner,
        "rules": rules,
        "searches": searches,
        "guided": _is_guided(log),
        "readings": {},
        # For candidates on the way to the result, a plan for each of some problems.
        "plan_problems": [],
        "plans": {},
        "maps": {},
    }
    if domain is not None:
        parsed = {n: r for n in sorted(on_path) if (r := _parsed(log.rules[n], domain)) is not None}
        data["readings"] = {n: read_rule(p.rules[0], domain) for n, p in parsed.items()}
        if problems and winner is not None:
            search = log.searches[winner[0]]
            # Those that the learner made are not in the log.
            numbers = [n for n in search.problems if n < len(problems)][:_MOST_PROBLEMS]
            data["plan_problems"] = numbers
            shown = {n: problems[n] for n in numbers}
            data["plans"], data["maps"] = _plans(log, search, winner[1], parsed, shown)
    return data


def _is_guided(log: SearchLog) -> bool:
    """Whether the score guided the planner by the candidates."""
    score = SCORES.get(log.header.get("options", {}).get("score", LearnConfig().score))
    return score is not None and score.guided


def _search(search: LoggedSearch, chosen: int | None) -> dict[str, Any]:
    """A search in columns: many short lists take less room than many objects."""
    candidates = search.candidates
    if chosen is None and candidates:
        best = min(candidates, key=lambda c: (c.score, c.size, c.number))
        chosen = best.number
    operators = sorted({c.operator for c in candidates if c.operator is not None})
    changes: dict[str, int] = {}
    return {
        "method": search.method,
        "problems": list(search.problems),
        "operators": operators,
        "number": [c.number for c in candidates],
        "parent": [-1 if c.parent is None else c.parent for c in candidates],
        "operator": [-1 if c.operator is None else operators.index(c.operator) for c in candidates],
        "policy": [list(c.policy) for c in candidates],
        "score": [_finite(c.score) for c in candidates],
        "by_problem": [[_finite(s) for s in c.by_problem] for c in candidates],
        "size": [c.size for c in candidates],
        "seconds": [round(c.seconds, 3) for c in candidates],
        "best": [i for i, c in enumerate(candidates) if c.is_best],
        "change": [
            -1 if c.change is None else changes.setdefault(c.change, len(changes))
            for c in candidates
        ],
        "changes": list(changes),
        "path": [] if chosen is None else list(search.path(chosen)),
        "index": {str(c.number): i for i, c in enumerate(candidates)},
    }


def _finite(score: float) -> float:
    # JSON has no infinity; nothing that is drawn is larger than this.
    return round(min(max(score, -1e9), 1e9), 6) if score == score else 1e9  # noqa: PLR0124


def _parsed(rule: LoggedRule, domain: Domain) -> DecisionList | None:
    try:
        return parse_policy(f"(define (policy one) {rule.definitions} {rule.text})", domain)
    except Pg3Error:
        return None


def _plans(
    log: SearchLog,
    search: LoggedSearch,
    chosen: int,
    parsed: dict[int, DecisionList],
    problems: dict[int, Problem],
) -> tuple[dict[int, list[dict[str, Any] | None]], dict[int, dict[str, Any]]]:
    """For each candidate on the way to the best: its plan on each problem, with agreement by step.

    The planner is as quick and as exact as when learning, so the plans are worked out again
    instead of being kept in the log.
    """
    options, default = log.header.get("options", {}), LearnConfig()
    expansions = options.get("astar_expansions", default.astar_expansions)
    limits = Limits(expansions=expansions, seconds=10)
    rollout = options.get("rollout_steps", default.rollout_steps)
    tasks = {n: Task(problem) for n, problem in problems.items()}
    policies = {c.number: c.policy for c in search.candidates}
    found: dict[int, list[dict[str, Any] | None]] = {}
    for number in search.path(chosen)[-_MOST_ON_PATH:]:
        keys = policies[number]
        if any(key not in parsed for key in keys):
            continue
        rules = [parsed[key].rules[0] for key in keys]
        definitions = dict.fromkeys(c for key in keys for c in parsed[key].definitions)
        policy = DecisionList("candidate", tuple(_renamed(rules)), tuple(definitions))
        row: list[dict[str, Any] | None] = []
        for task in tasks.values():
            if _is_guided(log):
                outcome = plan_guided(task, policy, rollout_steps=rollout, limits=limits)
            else:
                outcome = plan(task, limits=limits)
            if outcome.plan is None:
                row.append(None)
                continue
            agreed = compare_plan(task, policy, outcome.plan)
            row.append({"plan": [str(a) for a in outcome.plan], "agrees": [int(a) for a in agreed]})
        found[number] = row
    maps = {i: m for i, p in enumerate(problems.values()) if (m := _map(p)) is not None}
    return found, maps


def _renamed(rules: list[Rule]) -> list[Rule]:
    """The rules with names of their own: a policy has no two rules of one name."""
    return [replace(rule, name=f"rule-{i}") for i, rule in enumerate(rules)]


def _map(problem: Problem) -> dict[str, Any] | None:
    """The map of a Forest problem, on which a plan is drawn as in the paper's first figure."""
    if scene_of(problem) != "forest":
        return None
    grid = grid_of(problem)
    kinds = {"iswater": "water", "ishill": "rock"}
    cells: dict[str, str] = {}
    for atom in problem.init:
        if atom.predicate == "ontrail":
            for term in atom.terms:
                cells.setdefault(term, "trail")
    for atom in problem.init:
        if atom.predicate in kinds:
            cells[atom.terms[0]] = kinds[atom.predicate]
    start = [a.terms[0] for a in problem.init if a.predicate == "at"]
    goal = [a.terms[0] for a in problem.goal if a.predicate == "at"]
    return {
        "cells": [[name, *grid[name], cells.get(name, "dirt")] for name in problem.object_names],
        "start": start,
        "goal": goal,
    }
