"""Learning one policy for a domain from a few small problems.

Two presets. `paper` is the paper's algorithm: one search over policies (`policy_search`), scored on
all training problems; docs/concepts/deviations.md says what it does where the paper is silent.
`robust`, the default, needs no tuning by domain: several such searches learn from the smaller
problems and are judged on all of them under shuffled objects (`portfolio`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from pg3.errors import Pg3Error, did_you_mean, pluralize
from pg3.learning.budget import TIME, Budget, LimitReached, reason_of
from pg3.learning.curriculum import Stages, far_too_large, most_states
from pg3.learning.evaluator import LOCAL
from pg3.learning.operators import OPERATORS, Keeping, OperatorOptions
from pg3.learning.policy_search import Candidate, PolicySearch, StopReason
from pg3.learning.robustness.portfolio import Portfolio, PortfolioOutcome
from pg3.learning.scores import SCORES, Accumulation
from pg3.learning.training import MANY, Training
from pg3.pddl.model import copies_in
from pg3.planning import PlanStatus, SearchOptions, astar
from pg3.policy.checks import check_policy
from pg3.policy.derived import is_extended
from pg3.policy.rule_book import RuleBook
from pg3.semantics.task import Task
from pg3.storage.schema import LINE, Flag, ListOf, Nothing, Number, OneOf, Text, TupleOf, Whole

if TYPE_CHECKING:
    from pg3.learning.checkpoint.journal import Journal
    from pg3.learning.evaluator import Evaluator
    from pg3.pddl.model import Domain, Problem
    from pg3.policy.model import DecisionList
    from pg3.policy.rule_book import PolicyKey
    from pg3.storage.schema import Shape

Preset = Literal["robust", "paper"]

# What a run was told to do, as its folder and its log have it: the bounds are those of the command
# line. Numbers may be larger than the kernel's: `learn` cuts them.
_FROM_0, _FROM_1 = Whole(0, None), Whole(1, None)
OPTIONS: Mapping[str, Shape] = {
    "preset": OneOf(get_args(Preset)),
    "score": OneOf(SCORES),
    "seed": Whole(None, None),
    "max_candidates": Nothing(_FROM_0),
    "time_limit": Nothing(Number()),
    "memory_limit": Nothing(Number()),
    "rollout_steps": _FROM_0,
    "plan_horizon": _FROM_1,
    "astar_expansions": _FROM_1,
    "accumulate": Nothing(OneOf(get_args(Accumulation))),
    "size_weight": Number(),
    "operators": ListOf(OneOf(OPERATORS)),
}
OPTIONS_IF_GIVEN: Mapping[str, Shape] = {
    "max_expansions": _FROM_0,
    "as_printed": Flag(),
    "keep": ListOf(LINE, least=1),
    "prune": Flag(),
}

# The limit of a search for which none is given: candidates, or for Algorithm 1 as it is printed
# expanded policies, the paper's "2500 node expansions".
_DEFAULT_LIMIT = 2500

# A training problem should be small: what takes more memory than this to ground is left out.
_GROUND_MEGABYTES = 1000.0

# Seconds to try the policy on the training problems when the time is over.
_LAST_WORD = 0.2

# What is said of a problem that was put off.
DEFERRED = "learned without it: far too large"

# Why learning stopped where the score can be no better and some training problem is not solved.
PERFECT_IN_PART = "the best score there is, though not every training problem is solved"

# A message lists so many names of rules.
_LISTED = 8

# Told of every candidate: the search it belongs to, the candidate, and the rules it is made of.
Observer = Callable[[str, Candidate, RuleBook], None]


class TrainingProblem(NamedTuple):
    """What became of one training problem.

    `steps` is how many the learned policy takes, None if it fails; `left_out` says why the problem
    was not used for learning, if it was not. One that was far too large is `deferred`: the policy
    was learned without it, and then tried on it.
    """

    name: str
    steps: int | None
    left_out: str | None
    deferred: bool = False


@dataclass(frozen=True, slots=True)
class LearningResult:
    """A learned policy and how it came about.

    `score` is the final training score of the `paper` preset, and for `robust` the number of tests
    that the policy failed (0: it solves every training problem, also with its objects shuffled).
    `method` names the search that found the policy, `reason` why learning stopped. `pruned` says
    whether conditions that no test needs were left out, as far as there are any.
    """

    policy: DecisionList
    score: float
    problems: tuple[TrainingProblem, ...]
    method: str
    reason: str
    candidates: int
    expansions: int
    seconds: float
    pruned: bool = False

    @property
    def solved(self) -> bool:
        """Whether the policy solves every problem that was used for learning, if any was."""
        used = [p for p in self.problems if p.left_out is None]
        return all(p.steps is not None for p in used or self.problems)

    @property
    def effort(self) -> str:
        """What learning took, in words: policies scored, policies expanded, and seconds."""
        return (
            f"{pluralize(self.candidates, 'candidate')}, "
            f"{self.expansions} expanded, {self.seconds:.2f} s"
        )


class _Learned(NamedTuple):
    """What either preset comes to."""

    policy: PolicyKey
    score: float
    method: str
    reason: str
    candidates: int
    expansions: int
    pruned: bool = False


def learn(
    domain: Domain,
    problems: Sequence[Problem],
    *,
    preset: Preset = "robust",
    score: str = "pg3",
    seed: int = 0,
    max_candidates: int | None = None,
    max_expansions: int | None = None,
    as_printed: bool = False,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    jobs: int = 1,
    operators: Sequence[str] | None = None,
    rollout_steps: int = 50,
    plan_horizon: int = 100,
    astar_expansions: int = 1000,
    accumulate: Accumulation | None = None,
    size_weight: float = 1e-5,
    start: DecisionList | None = None,
    keep: Sequence[str] = (),
    prune: bool = False,
    observe: Observer | None = None,
    journal: Journal | None = None,
    evaluator: Evaluator = LOCAL,
) -> LearningResult:
    """Learn a policy that solves the problems, and with luck every problem of the domain.

    The same arguments give the same result on every machine and for any `jobs`, unless
    `time_limit` (seconds) or `memory_limit` (megabytes of this process) cuts the search short; the
    best policy so far is then the result. `astar_expansions`, `rollout_steps`, `plan_horizon` are
    those of Algorithms 2 and 3; `accumulate` is how the problems' scores become one ("max" in the
    paper's preset, each member's own in the robust one); `seed` shuffles objects in the robust
    preset. A `journal` lets a run that was stopped go on (see `learning_run`). The
    `evaluator` tries candidates out (`pg3.backends` has one for clusters), by which nothing but the
    time changes.

    With a `start`, a policy that is right in part, learning begins there and not with the empty
    policy. The rules of it that `keep` names are in the result as they are and in their order,
    perhaps with others before, between and after them; all others may be changed or go.

    With `prune`, conditions of the rules are left out that no test of the robust preset needs. The
    rules of goal regression stay as they are, as they are there for cases that the tests may lack.

    `max_candidates` limits the policies that one search scores, `max_expansions` (preset `paper`)
    those that it expands. If one is given, the other has no limit; if neither is, a search scores
    2500 candidates. Preset `paper` stops at the first perfect score, and interrupts an expansion
    for a child that is progress. With `as_printed` it does neither, as Algorithm 1 is printed, and
    if no limit is given, it expands 2500 policies, whatever number of candidates that takes.

    A problem whose goal already holds, that has no solution, or that is given twice teaches nothing
    and is left out; the result says so. No problems, problems of another domain, a start that does
    not fit it, a rule to keep that the start does not have: Pg3Error.
    """
    budget = Budget(time_limit, memory_limit, journal)
    if not 0 <= size_weight < math.inf:
        raise Pg3Error(f"the size weight must be a number from 0, not {size_weight}")
    if prune and preset != "robust":
        raise Pg3Error("to prune is for the preset robust: the paper's has no tests to prune by")
    rollout_steps, plan_horizon, astar_expansions, jobs = (
        min(number, MANY) for number in (rollout_steps, plan_horizon, astar_expansions, jobs)
    )
    names = _check(domain, problems, score, operators, preset, accumulate)
    max_candidates, max_expansions = search_limits(
        preset, max_candidates, max_expansions, as_printed=as_printed
    )
    book = RuleBook(domain)
    start_key, kept = _start(start, keep, book)
    if start is not None and is_extended(start, domain):
        evaluator = LOCAL  # other machines do not know what is defined here
    copies = copies_in(problems)
    tasks: list[Task] = []
    for i, problem in enumerate(problems):
        tasks.append(tasks[copies[i]] if i in copies else Task(problem, book.table))
    left_out: list[str | None] = []
    for i, task in enumerate(tasks):
        if i in copies:
            left_out.append(f"it is the same as problem {copies[i] + 1}")
        else:
            left_out.append(_why_left_out(task, astar_expansions, budget, preset))
    places = [i for i, why in enumerate(left_out) if why is None]
    used = [tasks[i] for i in places]
    if not used:
        reason = budget.reached or "nothing to learn"
        nothing = _Learned(start_key, 0.0, "none", reason, 0, 0)
        return _result(book, nothing, problems, tasks, left_out, budget)
    deferred: dict[int, int | None] = {}
    if preset == "robust":
        deferred = dict.fromkeys(places[i] for i in far_too_large(used, astar_expansions, budget))
        for i in deferred:
            tasks[i] = Task(problems[i], book.table)  # what is ground takes memory
    del used

    def training_on(indices: Sequence[int]) -> Training:
        return Training(
            [tasks[i] for i in indices],
            book=book,
            expansions=astar_expansions,
            horizon=plan_horizon if preset == "paper" else None,
            jobs=jobs,
            indices=indices,
            budget=budget,
            evaluator=evaluator,
        )

    def tell(method: str, candidate: Candidate) -> None:
        assert observe is not None
        observe(method, candidate, book)

    if preset == "paper":
        learned = _Learned(start_key, float(plan_horizon), "search", TIME, 0, 0)
        training = training_on(places)
        try:
            # First of all, as the journal has them first.
            training.find_plans()
            search = PolicySearch(
                training,
                SCORES[score](training, rollout_steps, plan_horizon, accumulate or "max"),
                {
                    name: Keeping(make(training, OperatorOptions()), kept)
                    for name, make in OPERATORS.items()
                    if name in names
                },
                max_candidates=max_candidates,
                max_expansions=max_expansions,
                stop_when_perfect=not as_printed,
                follow_progress=not as_printed,
                size_weight=size_weight,
                start=start_key,
                observe=None if observe is None else lambda candidate: tell("search", candidate),
            ).run()
            learned = _Learned(
                search.policy,
                # Not even the start may have been scored.
                search.evaluation.score if search.evaluation.by_problem else float(plan_horizon),
                "search",
                search.reason,
                search.candidates,
                search.expansions,
            )
        except (LimitReached, MemoryError) as limit:
            learned = learned._replace(reason=reason_of(limit))
    else:
        assert max_candidates is not None

        def learn_from(indices: Sequence[int], stage: int) -> PortfolioOutcome:
            def told(method: str, candidate: Candidate) -> None:
                tell(method if stage == 1 else f"{method}, stage {stage}", candidate)

            return Portfolio(
                training_on(indices),
                seed=seed,
                score=score,
                operators=names,
                accumulation=accumulate,
                max_candidates=max_candidates,
                rollout_steps=rollout_steps,
                plan_horizon=plan_horizon,
                size_weight=size_weight,
                start=start_key,
                kept=kept,
                prune=prune,
                observe=None if observe is None else told,
            ).run()

        stages = Stages(
            problems,
            [i for i in places if i not in deferred],
            list(deferred),
            book=book,
            expansions=astar_expansions,
            budget=budget,
        )
        choice = stages.run(learn_from)
        deferred = stages.steps
        learned = _Learned(
            choice.policy,
            float(choice.verdict.unsolved),
            choice.member,
            choice.reason,
            choice.candidates,
            choice.expansions,
            choice.pruned,
        )
    return _result(book, learned, problems, tasks, left_out, budget, deferred)


def search_limits(
    preset: str, max_candidates: int | None, max_expansions: int | None, *, as_printed: bool
) -> tuple[int | None, int | None]:
    """How many policies a search may score and expand, None for no limit.

    Pg3Error if the preset does not have these options.
    """
    if preset == "robust":
        if max_expansions is not None:
            raise Pg3Error(
                "a limit on expanded policies is for the preset paper: robust limits candidates"
            )
        if as_printed:
            raise Pg3Error("Algorithm 1 as printed is for the preset paper")
    if max_candidates is None and max_expansions is None:
        return (None, _DEFAULT_LIMIT) if as_printed else (_DEFAULT_LIMIT, None)
    return max_candidates, max_expansions


def _check(
    domain: Domain,
    problems: Sequence[Problem],
    score: str,
    operators: Sequence[str] | None,
    preset: str,
    accumulate: str | None,
) -> tuple[str, ...]:
    """The operators to use; Pg3Error if the arguments make no sense together."""
    if not problems:
        raise Pg3Error("no training problems: learning needs at least one")
    for problem in problems:
        if problem.domain != domain:
            raise Pg3Error(
                f"problem '{problem.name}' is of another domain ('{problem.domain.name}', "
                f"not '{domain.name}')"
            )
    known: dict[str, Collection[str]] = {
        "score": SCORES,
        "preset": get_args(Preset),
        "accumulation": get_args(Accumulation),
    }
    for option, value in (("score", score), ("preset", preset), ("accumulation", accumulate)):
        if value is not None and value not in known[option]:
            raise Pg3Error(f"unknown {option} '{value}': choose from {', '.join(known[option])}")
    chosen = tuple(OPERATORS) if operators is None else tuple(operators)
    for name in chosen:
        if name not in OPERATORS:
            raise Pg3Error(f"unknown operator '{name}': choose from {', '.join(OPERATORS)}")
    return chosen


def _start(
    start: DecisionList | None, keep: Sequence[str], book: RuleBook
) -> tuple[PolicyKey, PolicyKey]:
    """Where to begin and the rules to keep, in numbers."""
    kept = kept_names(start, keep)
    if start is None:
        return (), ()
    check_policy(start, book.domain)
    key = book.take(start)
    numbers = zip(start.rules, key, strict=True)
    return key, tuple(number for rule, number in numbers if rule.name in kept)


def kept_names(start: DecisionList | None, keep: Sequence[str]) -> frozenset[str]:
    """The names of the rules to keep; Pg3Error if the start does not have them all."""
    if start is None:
        if keep:
            raise Pg3Error(f"there is no policy to start from, so no rule '{keep[0]}' to keep")
        return frozenset()
    names = [rule.name for rule in start.rules]
    kept = frozenset(name.lower() for name in keep)
    for name in sorted(kept.difference(names)):
        listed = ", ".join(names[:_LISTED]) or "none"
        hint = did_you_mean(name, names) or f"its rules are: {listed}"
        raise Pg3Error(f"policy '{start.name}' has no rule '{name}' to keep; {hint}")
    return kept


def _why_left_out(task: Task, expansions: int, budget: Budget, preset: Preset) -> str | None:
    """Why a problem is of no use, or None if it is.

    A problem that the planner cannot solve within its limit stays: a policy's guidance may.
    """
    known = budget.journal.recall("left out", TupleOf((Nothing(Text()), Flag())))
    if known is not None:
        reason: str | None = known[0]
        # One that is used is ground, and one that is too large is not.
        if known[1] and task.ground(None, _GROUND_MEGABYTES) is None:
            return reason
        if known[1] or reason is None:
            raise Pg3Error("the journal does not fit: 'left out': the problem is too large")
        return reason
    if budget.reached is not None:
        return f"there was no {'time' if budget.reached == TIME else 'memory'} for it"
    seconds, megabytes = budget.limits
    # One problem that is far too large must not take the time of all others.
    if seconds is not None:
        seconds /= 2
    limit = task.ground(seconds, _GROUND_MEGABYTES, megabytes)
    why = None
    if limit is not None:
        why = f"it is too large to ground ({limit} reached)"
    elif task.space.is_goal(task.space.initial):
        why = "its goal holds at the start"
    else:
        seconds, megabytes = budget.limits
        options = SearchOptions(
            expansions=expansions,
            seconds=seconds,
            process_megabytes=megabytes,
            generated=most_states(task) if preset == "robust" else None,
        )
        if budget.note(astar(task.space, options).status) == PlanStatus.UNSOLVABLE:
            why = "it has no solution"
    if budget.reached is None:
        budget.journal.record("left out", (why, task.is_ground))
    return why


def _result(
    book: RuleBook,
    learned: _Learned,
    problems: Sequence[Problem],
    tasks: Sequence[Task],
    left_out: Sequence[str | None],
    budget: Budget,
    deferred: Mapping[int, int | None] = MappingProxyType({}),
) -> LearningResult:
    ground = [task for i, task in enumerate(tasks) if task.is_ground and i not in deferred]
    left, _ = budget.limits
    steps = iter(
        Training(ground, book=book).solved_steps(
            learned.policy, seconds=None if left is None else max(left, _LAST_WORD)
        )
        if ground
        else ()
    )
    outcomes = tuple(
        TrainingProblem(problem.name, deferred[i], None, deferred=True)
        if i in deferred
        else TrainingProblem(problem.name, next(steps) if tasks[i].is_ground else None, why)
        for i, (problem, why) in enumerate(zip(problems, left_out, strict=True))
    )
    reason = str(learned.reason)
    # A problem may have been put off, or the score may not ask whether problems are solved.
    if reason == StopReason.PERFECT and any(
        one.steps is None and one.left_out is None for one in outcomes
    ):
        reason = PERFECT_IN_PART
    return LearningResult(
        policy=book.policy(learned.policy, book.domain.name),
        score=learned.score,
        problems=outcomes,
        method=learned.method,
        reason=reason,
        candidates=learned.candidates,
        expansions=learned.expansions,
        seconds=budget.journal.elapsed,
        pruned=learned.pruned,
    )
