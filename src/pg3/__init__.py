"""Generalized planning: policies that solve every problem of a PDDL domain.

A worked example, with the files of the repository::

    >>> import pg3
    >>> domain = pg3.read_domain("examples/ferry/domain.pddl")
    >>> problem = pg3.read_problem("examples/ferry/small.pddl", domain)

Learn a policy, here from a single problem (more of them are better):

    >>> result = pg3.learn(domain, [problem], seed=0)
    >>> result.solved
    True
    >>> for rule in result.policy.rules:
    ...     print(rule.action)
    debark
    sail
    board
    sail
    >>> pg3.execute(problem, result.policy).solved
    True

Find a plan by search, and let the validator check it:

    >>> outcome = pg3.plan(problem, limits=pg3.Limits(seconds=60))
    >>> outcome.solved, len(outcome.plan)
    (True, 8)
    >>> print(outcome.plan[0])
    (sail l1 l2)
    >>> print(pg3.validate(problem, outcome.plan).message)
    valid: 8 steps, cost 8

Follow a policy instead, one written by hand, without any search; this works for problems of any
size:

    >>> policy = pg3.read_policy("examples/policies/ferry.policy", domain)
    >>> [rule.name for rule in policy.rules]
    ['debark-at-target', 'sail-to-target', 'board-misplaced', 'sail-to-misplaced']
    >>> execution = pg3.execute(problem, policy)
    >>> print(execution.status)
    solved

Look at single states:

    >>> task = pg3.Task(problem)
    >>> for action in task.applicable(task.initial_state):
    ...     print(action)
    (sail l1 l2)
    (sail l1 l3)
    >>> task.is_goal(task.initial_state)
    False

Bad input raises `Pg3Error`, whose text names the place and what was expected there. "No plan" and
"limit reached" are statuses of an outcome, not errors.
"""

from __future__ import annotations

import sys
from importlib import import_module

# As `typing` has it; importing that one would take longer than all the rest here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pg3.analysis.evaluation import Evaluation, evaluate
    from pg3.analysis.explain import Explanation, explain
    from pg3.analysis.prove.proving import ProofResult, prove
    from pg3.analysis.scorecard import Scorecard, score
    from pg3.cli.output.values import describe, show
    from pg3.errors import Pg3Error
    from pg3.interface import Learner, certify, challenge, doctor, export
    from pg3.learning.config import LearnConfig
    from pg3.learning.learner import learn
    from pg3.learning.result import LearningResult
    from pg3.pddl import Benchmark, Domain, Problem, load, read_domain, read_problem, read_problems
    from pg3.planning import Execution, Limits, execute, plan, plan_guided
    from pg3.planning.agent import Agent
    from pg3.planning.hybrid import GuidedSolve, solve_guided
    from pg3.policy import DecisionList, Rule, read_policy
    from pg3.policy import DecisionList as Policy
    from pg3.semantics.task import Task
    from pg3.semantics.validation import validate

__version__: str

__all__ = [
    "Agent",
    "Benchmark",
    "DecisionList",
    "Domain",
    "Evaluation",
    "Execution",
    "Explanation",
    "GuidedSolve",
    "LearnConfig",
    "Learner",
    "LearningResult",
    "Limits",
    "Pg3Error",
    "Policy",
    "Problem",
    "ProofResult",
    "Rule",
    "Scorecard",
    "Task",
    "__version__",
    "certify",
    "challenge",
    "describe",
    "doctor",
    "evaluate",
    "execute",
    "explain",
    "export",
    "learn",
    "load",
    "plan",
    "plan_guided",
    "prove",
    "read_domain",
    "read_policy",
    "read_problem",
    "read_problems",
    "score",
    "show",
    "solve_guided",
    "validate",
]

# Where the names live. Each module is imported when a name of it is first asked for, so that the
# command line is there at once and a program pays for what it uses.
_HOMES = {
    name: home
    for home, names in {
        "analysis.evaluation": "Evaluation evaluate",
        "analysis.explain": "Explanation explain",
        "analysis.prove.proving": "ProofResult prove",
        "analysis.scorecard": "Scorecard score",
        "cli.output.values": "describe show",
        "errors": "Pg3Error",
        "interface": "Learner certify challenge doctor export",
        "learning.config": "LearnConfig",
        "learning.learner": "learn",
        "learning.result": "LearningResult",
        "pddl": "Benchmark Domain Problem load read_domain read_problem read_problems",
        "planning": "Execution Limits execute plan plan_guided",
        "planning.agent": "Agent",
        "planning.hybrid": "GuidedSolve solve_guided",
        "policy": "DecisionList Rule read_policy",
        "semantics.task": "Task",
        "semantics.validation": "validate",
    }.items()
    for name in names.split()
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415

        value: Any = version("pg3")
    elif name == "Policy":
        value = __getattr__("DecisionList")
    elif name in _HOMES:
        value = getattr(import_module(f"pg3.{_HOMES[name]}"), name)
    else:
        raise AttributeError(f"module 'pg3' has no attribute '{name}'")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


# A notebook shows a value as a person wants to see it; anyone else calls `show`. And a cell that
# learns shows where it stands.
if "IPython" in sys.modules and sys.modules["IPython"].get_ipython() is not None:
    from pg3.cli.output.values import draw_in_ipython

    draw_in_ipython()
    if "ipykernel" in sys.modules:
        _HOMES["learn"] = "cli.output.notebook"
