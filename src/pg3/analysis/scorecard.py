"""What every score function says of one policy, and where it departs from the plans.

The learner only wants to know which of two candidates is better. A person who edits a policy wants
to know what is wrong with it: the steps of a plan where the policy would do something else, or
nothing at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from pg3.errors import ArgumentError, Pg3Error, one_of
from pg3.learning.config import LearnConfig
from pg3.learning.scores import SCORES, Accumulation
from pg3.learning.training import MAX_STEPS, Training
from pg3.pddl.given import as_domain, read_problems, require_one_domain
from pg3.planning import execute, policy_action
from pg3.policy.checks import check_policy
from pg3.policy.files import as_policy
from pg3.policy.rule_book import RuleBook
from pg3.semantics.task import Task

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pg3.learning.training import NumberedPlan
    from pg3.pddl.given import DomainLike, ProblemsLike
    from pg3.pddl.plans import GroundAction
    from pg3.policy.files import PolicyLike
    from pg3.policy.model import DecisionList

FORMAT = "pg3-scores"
VERSION = 1

# What takes more memory than this to ground is no training problem.
_GROUND_MEGABYTES = 1000.0

_DEFAULT = LearnConfig()


@dataclass(frozen=True, slots=True)
class MissedAction:
    """A step of a plan that the policy would not take.

    `step` counts from 1: the state is the one after `step` - 1 actions of the plan. There the plan
    does `planned`; the policy does `chosen`, by the rule of that name, or nothing (None both).
    """

    step: int
    planned: GroundAction
    chosen: GroundAction | None
    rule: str | None


@dataclass(frozen=True, slots=True)
class ComparedPlan:
    """A plan with the actions in it that the policy misses (Algorithm 4)."""

    plan: tuple[GroundAction, ...]
    missed: tuple[MissedAction, ...]


@dataclass(frozen=True, slots=True)
class ProblemScores:
    """What the scores say about one problem.

    `status` and `steps` are those of carrying the policy out, `reason` says why it fails. `values`
    are the problem's own scores by the name of the function, before they become one. `guided` is
    the plan that the policy's guidance leads to, behind the score `pg3`; `planned` is the planner's
    own, behind `plan-comparison`; None where the planner finds none within its limit. A problem
    that is too large to plan in is `left_out` of all but the carrying out. `no_rule_applied` says
    which of its two meanings the status "not applicable" has.
    """

    name: str
    status: str
    steps: int
    reason: str | None
    values: Mapping[str, float]
    guided: ComparedPlan | None
    planned: ComparedPlan | None
    left_out: str | None = None
    no_rule_applied: bool = False

    @property
    def solved(self) -> bool:
        """Whether the policy, carried out, reaches the goal."""
        return self.status == "solved"


@dataclass(frozen=True, slots=True)
class Scorecard:
    """All scores of a policy. Lower is better; `totals` are over the problems not left out."""

    policy: DecisionList
    problems: tuple[ProblemScores, ...]
    totals: Mapping[str, float]
    accumulation: Accumulation

    def __repr__(self) -> str:
        solved = sum(problem.solved for problem in self.problems)
        return f"<scores of {self.policy.name}: solves {solved} of {len(self.problems)}>"

    @property
    def solved(self) -> bool:
        """Whether the policy solves every problem."""
        return all(problem.solved for problem in self.problems)

    def to_json(self) -> dict[str, Any]:
        """All of it as plain values for JSON; actions are PDDL text."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "policy": self.policy.name,
            "solved": self.solved,
            "accumulation": self.accumulation,
            "totals": dict(self.totals),
            "problems": [
                {
                    "name": problem.name,
                    "status": problem.status,
                    "steps": problem.steps,
                    "reason": problem.reason,
                    "left_out": problem.left_out,
                    "scores": dict(problem.values),
                    "guided_plan": _plan_values(problem.guided),
                    "planner_plan": _plan_values(problem.planned),
                }
                for problem in self.problems
            ],
        }


def _plan_values(compared: ComparedPlan | None) -> dict[str, Any] | None:
    if compared is None:
        return None
    return {
        "plan": [str(action) for action in compared.plan],
        "missed": [
            {
                "step": missed.step,
                "planned": str(missed.planned),
                "chosen": None if missed.chosen is None else str(missed.chosen),
                "rule": missed.rule,
            }
            for missed in compared.missed
        ],
    }


def score(
    domain: DomainLike,
    problems: ProblemsLike,
    policy: PolicyLike,
    *,
    accumulate: Accumulation = "max",
    rollout_steps: int = _DEFAULT.rollout_steps,
    plan_horizon: int = _DEFAULT.plan_horizon,
    astar_expansions: int = _DEFAULT.astar_expansions,
    names: Sequence[str] | None = None,
) -> Scorecard:
    """Every score function's value for a policy, by problem and in all, with the missed actions.

    The options are those of `learn`, and so are the values: they are what a search with this score
    function would see. `names` are what to call the problems, if not by their own names. No
    problems, problems of another domain, a policy that does not fit it: Pg3Error.
    """
    domain = as_domain(domain)
    problems = read_problems(problems, domain)
    policy = as_policy(policy, domain)
    if not problems:
        raise Pg3Error("no problems: a score needs at least one")
    require_one_domain(domain, problems)
    one_of("accumulate", accumulate, get_args(Accumulation))
    config = LearnConfig(
        rollout_steps=rollout_steps,
        plan_horizon=plan_horizon,
        astar_expansions=astar_expansions,
    ).for_kernel()
    if names is not None and not (isinstance(names, list | tuple) and len(names) == len(problems)):
        raise ArgumentError("names", "one name for each problem", names)
    check_policy(policy, domain)
    book = RuleBook(domain, policy.definitions)
    tasks = [Task(problem, book.table) for problem in problems]
    limits = [task.ground(None, _GROUND_MEGABYTES) for task in tasks]
    ground = [task for task, limit in zip(tasks, limits, strict=True) if limit is None]
    measured = _measured(ground, policy, book, config, accumulate) if ground else _Measured({}, {})
    cards = []
    for place, (task, limit) in enumerate(zip(tasks, limits, strict=True)):
        execution = execute(task, policy, max_steps=MAX_STEPS)
        own = measured.by_task.get(task, _NOT_MEASURED)
        cards.append(
            ProblemScores(
                name=task.problem.name if names is None else names[place],
                status=str(execution.status),
                steps=execution.steps,
                reason=execution.reason,
                values=own.values,
                guided=own.guided,
                planned=own.planned,
                left_out=None if limit is None else f"it is too large to ground ({limit} reached)",
                no_rule_applied=execution.no_rule_applied,
            )
        )
    return Scorecard(policy, tuple(cards), measured.totals, accumulate)


class _OfProblem(NamedTuple):
    """What a search with each score would see of a problem, and the plans behind that."""

    values: Mapping[str, float]
    guided: ComparedPlan | None
    planned: ComparedPlan | None


_NOT_MEASURED = _OfProblem({}, None, None)


class _Measured(NamedTuple):
    """The scores over all problems, and of each."""

    totals: Mapping[str, float]
    by_task: Mapping[Task, _OfProblem]


def _measured(
    tasks: Sequence[Task],
    policy: DecisionList,
    book: RuleBook,
    config: LearnConfig,
    accumulation: Accumulation,
) -> _Measured:
    """All scores of the policy on ground tasks."""
    key, rollout = book.key(policy), config.rollout_steps
    training = Training(
        tasks, book=book, expansions=config.astar_expansions, horizon=config.plan_horizon
    )
    found = {
        name: make(training, rollout, config.plan_horizon, accumulation).evaluate([key])[0]
        for name, make in SCORES.items()
    }
    return _Measured(
        {name: evaluation.score for name, evaluation in found.items()},
        {
            task: _OfProblem(
                {name: evaluation.by_problem[place] for name, evaluation in found.items()},
                _compared(task, policy, training.guided_plan(key, place, rollout)),
                _compared(task, policy, training.plans[place]),
            )
            for place, task in enumerate(tasks)
        },
    )


def _compared(task: Task, policy: DecisionList, plan: NumberedPlan | None) -> ComparedPlan | None:
    """The plan with what the policy misses in it; None if there is no plan."""
    if plan is None:
        return None
    actions = tuple(task.decode_action(number) for number in plan)
    agreements = task.space.compare(task.rule_numbers(policy), plan)
    missed, state = [], task.space.initial
    for step, (number, agrees) in enumerate(zip(plan, agreements, strict=True), start=1):
        if not agrees:
            answer = policy_action(task, policy, task.atoms(state))
            missed.append(
                MissedAction(
                    step,
                    actions[step - 1],
                    None if answer is None else answer.action,
                    None if answer is None else policy.rules[answer.rule].name,
                )
            )
        state = task.space.apply(state, number)
    return ComparedPlan(actions, tuple(missed))
