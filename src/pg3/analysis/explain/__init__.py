"""Policies in words: how a rule reads, and why a policy does what it does.

`explain`                       a policy on a problem, step by step, as values
`Explanation`, `Step`, ...      those values
`read_rule`, `read_policy_aloud`  a rule and a policy in English
`tell`, `tell_brief`, `tell_step`, `tell_policy`  explanations as text
`explanation_values`            explanations for JSON
`read_state`                    a state from a file, to begin in
"""

from pg3.analysis.explain.json_format import explanation_values, policy_values
from pg3.analysis.explain.matching import NearMiss
from pg3.analysis.explain.reading import read_policy_aloud, read_rule
from pg3.analysis.explain.states import read_state
from pg3.analysis.explain.steps import Explanation, Firing, PassedOver, Step, explain
from pg3.analysis.explain.text import tell, tell_brief, tell_policy, tell_step
from pg3.semantics.datalog import Condition

__all__ = [
    "Condition",
    "Explanation",
    "Firing",
    "NearMiss",
    "PassedOver",
    "Step",
    "explain",
    "explanation_values",
    "policy_values",
    "read_policy_aloud",
    "read_rule",
    "read_state",
    "tell",
    "tell_brief",
    "tell_policy",
    "tell_step",
]
