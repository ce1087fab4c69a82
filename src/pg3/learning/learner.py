"""Learning one policy for a domain from a few small problems.

Two presets. `paper` is the paper's algorithm: one search over policies (`policy_search`), scored on
all training problems; docs/concepts/deviations.md says what it does where the paper is silent.
`robust`, the default, needs no tuning by domain: goal regression and several such searches learn
from a few of the problems, and what they propose is tested (`robustness.loop`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from pg3.errors import Pg3Error, did_you_mean
from pg3.learning.budget import Budget, LimitReached, reason_of
from pg3.learning.complements import Complements
from pg3.learning.config import LearnConfig, configured
from pg3.learning.evaluator import LOCAL
from pg3.learning.operators import OPERATORS, LockedRules, OperatorOptions
from pg3.learning.policy_search import Candidate, PolicySearch, StopReason
from pg3.learning.result import LearningResult, TrainingProblem
from pg3.learning.robustness.loop import CounterexampleLoop
from pg3.learning.robustness.verdicts import NONE_GROWN, Grown
from pg3.learning.rounds import Round
from pg3.learning.scores import SCORES
from pg3.learning.selection import GOAL_HOLDS, Selection
from pg3.learning.training import Training
from pg3.pddl.given import as_domain, read_problems, require_one_domain
from pg3.policy.checks import check_policy
from pg3.policy.derived import is_extended
from pg3.policy.files import as_policy
from pg3.policy.rule_book import RuleBook

if TYPE_CHECKING:
    from pg3.learning.checkpoint.journal import Journal
    from pg3.learning.evaluator import Evaluator
    from pg3.pddl.given import DomainLike, ProblemsLike
    from pg3.pddl.model import Domain, Problem
    from pg3.policy.files import PolicyLike
    from pg3.policy.model import DecisionList
    from pg3.policy.rule_book import PolicyKey

# Seconds to try the policy on the training problems when the time is over.
_LAST_WORD = 0.2

# Why learning stopped where the score can be no better and some training problem is not solved.
PERFECT_IN_PART = "the best score there is, though not every training problem is solved"

# Why learning stopped where a policy passes, though nobody knows of some larger problems that it
# fails whether they can be solved.
UNDECIDED = "no failure is known that a planner shows to be one"

# A user's word for every rule of the policy to start from.
ALL_RULES = "all"

# A message lists so many names of rules.
_LISTED = 8

# Told of every candidate: the search it belongs to, the candidate, and the rules it is made of.
Observer = Callable[[str, Candidate, RuleBook], None]

# Told of every round of the counterexample loop.
RoundObserver = Callable[[Round], None]


def learn(
    domain: DomainLike,
    problems: ProblemsLike,
    config: LearnConfig | None = None,
    *,
    start: PolicyLike | None = None,
    observe: Observer | None = None,
    observe_round: RoundObserver | None = None,
    journal: Journal | None = None,
    evaluator: Evaluator = LOCAL,
    **options: Any,
) -> LearningResult:
    """Learn a policy that solves the problems, and with luck every problem of the domain.

    Domain, problems and start may be paths; a folder stands for all problems in it.
    How is told by the `config`, or by its options as keywords: `learn(domain, problems, seed=1)`.
    The same arguments give the same result on every machine and for any `jobs`, unless
    `time_limit` or `memory_limit` cuts the search short; the best policy so far is then the result.
    `astar_expansions`, `rollout_steps`, `plan_horizon` are those of Algorithms 2 and 3;
    `accumulate` is how the problems' scores become one ("max" in the paper's preset, each
    proposer's own in the robust one); `seed` is for the random choices of the robust preset.
    A `journal` lets a run that was stopped go on (see `checkpoint`). The `evaluator` tries
    candidates out (`pg3.backends` has one for clusters), by which nothing but the time changes;
    `local_reason` says for which problems it is not asked.

    With a `start`, a policy that is right in part, learning begins there and not with the empty
    policy, and the result has its name. The rules of it that `keep` names ("all": every one) are in
    the result as they are and in their order, perhaps with others before, between and after them;
    all others may be changed or go.

    `observe` is told of every candidate, and `observe_round` what each round of the robust preset
    came to.

    `max_candidates` limits the policies that one search scores, `max_expansions` (preset `paper`)
    those that it expands. If one is given, the other has no limit; if neither is, a search scores
    2500 candidates. Preset `paper` stops at the first perfect score, and interrupts an expansion
    for a child that is progress. With `as_printed` it does neither, as Algorithm 1 is printed, and
    if no limit is given, it expands 2500 policies, whatever number of candidates that takes.

    A problem whose goal already holds, that has no solution, or that is given twice teaches nothing
    and is left out; the result says so. No problems, problems of another domain, a start that does
    not fit it, a rule to keep that the start does not have, an option that there is not: Pg3Error.
    """
    config = configured(config, options).for_kernel()
    domain = as_domain(domain)
    problems = read_problems(problems, domain)
    start = None if start is None else as_policy(start, domain)
    budget = Budget(config.time_limit, config.memory_limit, journal)
    if not problems:
        raise Pg3Error("no training problems: learning needs at least one")
    require_one_domain(domain, problems)
    complements = Complements.of(domain, problems, start)
    book = RuleBook(complements.domain, user_words=complements.user_policy)
    start_key, kept = _start(start, config.keep, book, complements)
    if _local_reason(complements, start) is not None:
        evaluator = LOCAL
    given = Selection([complements.problem(one) for one in problems], book, config, budget)
    name = domain.name if start is None else start.name
    learner = _Learner(
        config=config,
        given=given,
        book=book,
        budget=budget,
        name=name,
        start=start_key,
        kept=kept,
        evaluator=evaluator,
        observe=observe,
        observe_round=observe_round,
        complements=complements,
    )
    if config.preset == "paper":
        for place in range(len(problems)):
            given.examine(place)
    found = None
    if given.used:
        found = learner.search() if config.preset == "paper" else learner.loop()
    if found is None or not given.used:
        reason = budget.reached or "nothing to learn"
        found = _Learned(start_key, 0.0, "none", reason)
    return learner.result(found)


def local_reason(
    domain: Domain, problems: Sequence[Problem], start: DecisionList | None = None
) -> str | None:
    """Why candidates are tried out on this machine whatever the evaluator; None: no reason."""
    return _local_reason(Complements.of(domain, problems, start), start)


def _local_reason(complements: Complements, start: DecisionList | None) -> str | None:
    # Other machines read the domain as it is given, and know nothing of what is defined here.
    if complements.opposites:
        return "some goals are negative"
    if start is not None and is_extended(start, complements.given):
        return "the policy to start from has conditions that are derived or on paths"
    return None


class _Learned(NamedTuple):
    """What either preset comes to.

    `steps` are those of the policy by the places of problems, where they are known; `working` are
    the places of the problems that were learned from, None for all.
    """

    policy: PolicyKey
    score: float
    method: str
    reason: str
    candidates: int = 0
    expansions: int = 0
    steps: Mapping[int, int | None] | None = None
    working: Sequence[int] | None = None
    grown: Grown = NONE_GROWN
    passed_tests: bool = True


@dataclass(frozen=True, slots=True)
class _Learner:
    """One run of `learn`: what its parts have in common."""

    config: LearnConfig
    given: Selection
    book: RuleBook
    budget: Budget
    name: str
    start: PolicyKey
    kept: PolicyKey
    evaluator: Evaluator
    observe: Observer | None
    observe_round: RoundObserver | None
    complements: Complements

    def search(self) -> _Learned:
        """The preset `paper`: one search over policies."""
        config, worst = self.config, float(self.config.plan_horizon)
        training = self._training(self.given.used)
        accumulation = config.accumulate or "max"
        try:
            # First of all, as the journal has them first.
            training.find_plans()
            found = PolicySearch(
                training,
                SCORES[config.score](
                    training, config.rollout_steps, config.plan_horizon, accumulation
                ),
                {
                    name: LockedRules(make(training, OperatorOptions()), self.kept)
                    for name, make in OPERATORS.items()
                    if name in config.operator_names
                },
                max_candidates=config.limits.candidates,
                max_expansions=config.limits.expansions,
                stop_when_perfect=not config.as_printed,
                follow_progress=not config.as_printed,
                size_weight=config.size_weight,
                start=self.start,
                observe=None if self.observe is None else lambda one: self._tell("search", one),
            ).run()
        except (LimitReached, MemoryError) as limit:
            return _Learned(self.start, worst, "search", reason_of(limit))
        # Not even the start may have been scored.
        score = found.evaluation.score if found.evaluation.by_problem else worst
        return _Learned(
            found.policy, score, "search", found.reason, found.candidates, found.expansions
        )

    def loop(self) -> _Learned:
        """The preset `robust`: proposers, a test suite and counterexamples."""

        def tell(method: str, candidate: Candidate) -> None:
            self._tell(method, candidate)

        found = CounterexampleLoop(
            self.given,
            self.book,
            self.config,
            self.budget,
            self.evaluator,
            self.start,
            self.kept,
            None if self.observe is None else tell,
            self.observe_round,
        ).run()
        failed = sum(found.steps[i] is None for i in self.given.used)
        return _Learned(
            found.policy,
            float(failed + len(found.grown.counterexamples)),
            found.proposer,
            found.reason,
            found.candidates,
            found.expansions,
            found.steps,
            found.working,
            found.grown,
            # The loop says so of a policy for which it knows no counterexample at all.
            passed_tests=found.reason is StopReason.PERFECT,
        )

    def _training(self, places: Sequence[int]) -> Training:
        return Training(
            [self.given.tasks[i] for i in places],
            book=self.book,
            expansions=self.config.astar_expansions,
            horizon=self.config.plan_horizon if self.config.preset == "paper" else None,
            jobs=self.config.jobs,
            indices=places,
            budget=self.budget,
            evaluator=self.evaluator,
        )

    def _tell(self, method: str, candidate: Candidate) -> None:
        assert self.observe is not None
        self.observe(method, candidate, self.book)

    def result(self, learned: _Learned) -> LearningResult:
        """The result, with what the policy does on each problem."""
        problems = self._outcomes(learned)
        reason = str(learned.reason)
        if reason == StopReason.PERFECT:
            # The score may not ask whether problems are solved.
            if any(one.steps is None and one.left_out is None for one in problems):
                reason = PERFECT_IN_PART
            elif learned.grown.failed:
                reason = UNDECIDED
        return LearningResult(
            policy=self.book.user_policy(learned.policy, self.name),
            score=learned.score,
            problems=problems,
            method=learned.method,
            reason=reason,
            candidates=learned.candidates,
            expansions=learned.expansions,
            seconds=self.budget.journal.elapsed,
            grown=self._grown(learned.grown),
            passed_tests=learned.passed_tests,
        )

    def _grown(self, grown: Grown) -> Grown:
        """What is known of made problems, which the user sees."""
        told = self.complements.user_problem
        return grown._replace(
            counterexamples=tuple(map(told, grown.counterexamples)),
            altered=tuple(map(told, grown.altered)),
        )

    def _outcomes(self, learned: _Learned) -> tuple[TrainingProblem, ...]:
        given, steps = self.given, learned.steps
        if steps is None:
            ground = [i for i, task in enumerate(given.tasks) if task.is_ground]
            left, _ = self.budget.limits
            found = list[int | None]()
            if ground:
                found = Training([given.tasks[i] for i in ground], book=self.book).solved_steps(
                    learned.policy, seconds=None if left is None else max(left, _LAST_WORD)
                )
            steps = dict(zip(ground, found, strict=True))
            steps |= {i: 0 for i, why in enumerate(given.left_out) if why == GOAL_HOLDS}
        working = given.used if learned.working is None else learned.working
        return tuple(
            TrainingProblem(problem.name, steps.get(i), given.left_out[i], i in working)
            for i, problem in enumerate(given.problems)
        )


def _start(
    start: DecisionList | None, keep: Sequence[str], book: RuleBook, complements: Complements
) -> tuple[PolicyKey, PolicyKey]:
    """Where to begin and the rules to keep, in numbers."""
    kept = kept_names(start, keep)
    if start is None:
        return (), ()
    check_policy(start, complements.given)
    key = book.take(complements.start(start))
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
    if ALL_RULES in kept:
        kept = kept - {ALL_RULES} | frozenset(names)
    for name in sorted(kept.difference(names)):
        listed = ", ".join(names[:_LISTED]) or "none"
        hint = did_you_mean(name, names) or f"its rules are: {listed}"
        raise Pg3Error(f"policy '{start.name}' has no rule '{name}' to keep; {hint}")
    return kept
