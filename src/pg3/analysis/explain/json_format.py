"""Explanations as values for JSON; conditions and actions are PDDL text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pg3.analysis.explain.nouns import nouns_of
from pg3.analysis.explain.reading import (
    names_of,
    read_definitions,
    read_policy_aloud,
    read_rule,
    say_action,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pg3.analysis.explain.matching import NearMiss
    from pg3.analysis.explain.reasons import Reason
    from pg3.analysis.explain.steps import Explanation, Step
    from pg3.pddl.model import Domain
    from pg3.policy.model import DecisionList

FORMAT = "pg3-explanation"
VERSION = 1


def policy_values(policy: DecisionList, domain: Domain) -> dict[str, Any]:
    """The readings of a policy and of its rules."""
    return {
        "policy": policy.name,
        "reading": read_policy_aloud(policy, domain),
        "rules": [
            {
                "name": rule.name,
                "action": rule.action,
                "reading": read_rule(rule, domain),
                "names": names_of(rule, domain),
            }
            for rule in policy.rules
        ],
        **({"definitions": read_definitions(policy, domain)} if policy.definitions else {}),
    }


def explanation_values(explanation: Explanation, steps: Iterable[int]) -> dict[str, Any]:
    """The explanation with the given steps."""
    domain = explanation.problem.domain
    last = explanation.state(len(explanation.plan))
    return {
        "format": FORMAT,
        "version": VERSION,
        "domain": domain.name,
        "problem": explanation.problem.name,
        **policy_values(explanation.policy, domain),
        "status": str(explanation.status),
        "ending": explanation.ending,
        "cycle_start": explanation.cycle_start,
        "plan": [str(action) for action in explanation.plan],
        "goals": [str(goal) for goal in explanation.goals],
        "open_goals": [str(goal) for goal in explanation.open_goals(last)],
        "steps": [step_values(explanation, explanation.step(number)) for number in steps],
    }


def step_values(
    explanation: Explanation, step: Step, *, with_reasons: bool = True
) -> dict[str, Any]:
    """One step; missing parts are null. The reasons of derived conditions take the longest."""
    firing = step.firing
    reasons = explanation.reasons(step) if with_reasons else {}
    values: dict[str, Any] = {
        "step": step.number,
        "rule": None,
        "binding": None,
        "action": None,
        "words": None,
        "serves": [],
        "missing": step.missing,
        "achieves": [str(goal) for goal in step.achieves],
        "undoes": [str(goal) for goal in step.undoes],
        "next_goal": None,
        "added": [str(atom) for atom in step.added],
        "deleted": [str(atom) for atom in step.deleted],
        "passed_over": [
            {"rule": passed.rule + 1, **_miss(passed.miss)} for passed in step.passed_over
        ],
        "reasons": [
            {"rule": rule + 1, "derived": [_reason(reason) for reason in given]}
            for rule, given in sorted(reasons.items())
        ],
    }
    if firing is not None:
        domain = explanation.problem.domain
        nouns = nouns_of(explanation.policy.rules[firing.rule], domain)
        kinds = {o: nouns[v] for v, o in firing.binding.items()}
        values |= {
            "rule": firing.rule + 1,
            "binding": dict(firing.binding),
            "action": str(firing.action),
            "words": say_action(firing.action.name, firing.action.objects, domain, kinds),
            "serves": [str(goal) for goal in firing.serves],
        }
    if step.measure is not None:
        values["measure"] = step.measure
    if step.next_goal is not None:
        values["next_goal"] = {"goal": str(step.next_goal[0]), "step": step.next_goal[1]}
    return values


def _reason(reason: Reason) -> dict[str, Any]:
    return {
        "atom": str(reason.atom),
        "holds": reason.holds,
        "because": [
            {"condition": str(condition.literal), "of_goal": condition.of_goal}
            for condition in reason.because
        ],
        "path": list(reason.path),
        "note": reason.note,
        "further": [_reason(further) for further in reason.further],
    }


def _miss(miss: NearMiss) -> dict[str, Any]:
    return {
        "binding": None if miss.binding is None else dict(miss.binding),
        "false": [
            {"condition": str(condition.literal), "of_goal": condition.of_goal}
            for condition in miss.false
        ],
        "certain": miss.certain,
    }
