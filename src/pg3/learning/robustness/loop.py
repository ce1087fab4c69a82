"""The counterexample loop: learn from a few small problems, add the smallest that the policy fails.

A working set begins with the few smallest of the given problems. A proposer learns a policy from
it; the policy is generalised as far as the test suite allows, and tried on the suite, on all given
problems and on larger ones grown from them. The few smallest that it fails go into the working set,
and the proposer learns again, at once if its policy is the best so far, else when all others have
had a round.

So the cost of learning follows what is needed, not how many problems were given.
docs/concepts/learning.md tells the algorithm in full.
"""

from __future__ import annotations

import math
import time
from collections import deque
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from pg3.learning.budget import LimitReached, reason_of
from pg3.learning.dependencies import shown_dependencies
from pg3.learning.policy_search import StopReason
from pg3.learning.robustness.perturbations.made_problems import is_source, size_of
from pg3.learning.robustness.proposers import Settings, proposers
from pg3.learning.robustness.reordering import shorter_order
from pg3.learning.robustness.test_suite import Suite
from pg3.learning.robustness.verdicts import NONE_GROWN, Grown, Result, Verdict
from pg3.learning.rounds import Round
from pg3.learning.training import Training
from pg3.planning import Limits, execute
from pg3.semantics.task import Task
from pg3.storage.schema import Flag, ListOf, Nothing, Whole, list_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from pg3.learning.budget import Budget
    from pg3.learning.config import LearnConfig
    from pg3.learning.evaluator import Evaluator
    from pg3.learning.policy_search import Candidate
    from pg3.learning.robustness.proposers import Proposer
    from pg3.learning.selection import Selection
    from pg3.pddl.model import Problem
    from pg3.policy.rule_book import PolicyKey, RuleBook

# What the user's problems have in common is looked up in the smallest of them: in so many, and as
# many as have so many facts together, which takes about a second.
_KNOWN, _KNOWN_FACTS = 100, 50_000

# The working set begins with so many problems, and so many go into it at once.
_FIRST, _MORE = 5, 3

# So many of the smallest problems are looked at before others are made from them.
_EXAMINED = 10

# A proposer has another round as long as one of its last so many rounds brought progress.
_PATIENCE = 2

# A search goes on after so many policies that are perfect and fail altered problems only.
_REFUSED = 20

# A policy with more rules than this is compared with one that another proposer has learned. In a
# short one there is little that can be wrong, and to learn twice takes twice the time.
_SHORT = 10

# A policy that takes more steps than this on a problem does not solve it.
_MAX_STEPS = 100_000

# Seconds to try the policy on all given problems when the time is over, and on each of them.
_LAST_WORD, _LAST_WORD_EACH = 2.0, 0.05

# A larger problem that takes more memory than this to ground is not searched for a plan.
_GROUND_MEGABYTES = 500.0


@dataclass(frozen=True, slots=True)
class LoopOutcome:
    """The chosen policy and how far it can be trusted.

    `steps` are those that it takes on the given problems, None where it fails; `working` are the
    places of those that it was learned from.
    """

    policy: PolicyKey
    proposer: str
    reason: StopReason
    steps: Mapping[int, int | None]
    working: tuple[int, ...]
    grown: Grown
    candidates: int
    expansions: int


@dataclass
class _Contestant:
    """A proposer with its working set: what one of them fails need not trouble another.

    `places` are those of the given problems in the working set, `made` are the others. `last` is
    what it proposed last, `best` its best result, and `idle` how many of its rounds in a row
    brought no progress.
    """

    proposer: Proposer
    training: Training
    places: list[int]
    last: PolicyKey
    made: list[Problem] = field(default_factory=list)
    best: Result | None = None
    idle: int = 0
    is_sound: bool = False


@dataclass
class CounterexampleLoop:
    """Learns from given problems; `run` it once.

    Learning begins with the policy `start`, whose rules `locked` stay.
    """

    given: Selection
    book: RuleBook
    config: LearnConfig
    budget: Budget
    evaluator: Evaluator
    start: PolicyKey = ()
    locked: PolicyKey = ()
    observe: Callable[[str, Candidate], None] | None = None
    observe_round: Callable[[Round], None] | None = None

    def __post_init__(self) -> None:
        self._results: list[Result] = []
        # What was proposed last, which a limit may keep from being tried.
        self._latest = self.start
        self._candidates = self._expansions = self._refused = 0
        self._steps: dict[PolicyKey, dict[int, int | None]] = {}

    def run(self) -> LoopOutcome:
        """Learn until a policy passes everything, or no proposer knows anything more."""
        reason = StopReason.EXHAUSTED
        try:
            self._learn()
            if self.config.prefer == "short-plans":
                self._shorten()
            self._results = [self._tested_again(one) for one in self._results]
            self._results = [self._disputed(one) for one in self._results]
        except (LimitReached, MemoryError) as limit:
            reason = StopReason(self.budget.note(reason_of(limit)))
        nothing = Result(self._latest, "nothing", Verdict(1, 0, 0, 0), NONE_GROWN)
        best = min(self._results, key=lambda one: one.merit(self.config.prefer), default=nothing)
        if best.is_sound:
            reason = StopReason.PERFECT
        return LoopOutcome(
            policy=best.policy,
            proposer=best.proposer,
            reason=reason,
            steps=self._last_word(best.policy),
            working=tuple(sorted(best.working)),
            grown=best.grown._replace(altered=best.altered),
            candidates=self._candidates,
            expansions=self._expansions,
        )

    def _learn(self) -> None:
        given = self.given
        by_size = sorted(given.used, key=lambda i: (*size_of(given.problems[i]), i))
        first: list[int] = []
        for place in by_size:
            if len(first) < _FIRST and given.examine(place):
                first.append(place)
        if not first:
            return
        training = self._problems([given.tasks[i] for i in first], first)
        # One without a solution is no model for others: the smallest are looked at more closely.
        for place in by_size[:_EXAMINED]:
            if is_source(given.problems[place], training):
                given.examine(place)
        known: list[Problem] = []
        facts = 0
        for problem in (given.problems[i] for i in by_size if given.left_out[i] is None):
            facts += len(problem.init)
            if known and (len(known) >= _KNOWN or facts > _KNOWN_FACTS):
                break
            known.append(problem)
        self._suite = Suite(training, known, self.config.seed)
        settings = Settings(
            self.config, self.start, self.locked, self.observe, shown_dependencies(known)
        )
        new = (
            _Contestant(proposer, training, [*first], self.start)
            for proposer in proposers(settings, training, known)
        )
        waiting = deque[_Contestant]()
        is_rival = False
        # Who prefers short plans asks every proposer, not the first only that has a sound policy.
        asks_all = self.config.prefer == "short-plans"
        for one in chain(new, _taken_from(waiting)):
            while (goes_on := self._has_round(one)) and (one.is_sound or self._latest_is_best):
                pass
            if is_rival:
                return
            if one.is_sound:
                is_rival = not asks_all and self._has_rival(one)
                if not asks_all and not is_rival:
                    return
                waiting.clear()
            elif goes_on and not any(result.is_sound for result in self._results):
                waiting.append(one)

    def _shorten(self) -> None:
        """Let the best sound policy compete with its rules in an order that takes fewer steps.

        Rules that are locked have their places from the user.
        """
        sound = [one for one in self._results if one.is_sound]
        if not sound or self.locked:
            return
        best = min(sound, key=lambda one: one.merit("short-plans"))
        size = len(best.policy)
        order = self.budget.journal.once(
            "order",
            list_of(Whole(0, max(size - 1, 0)), size),
            lambda: [*shorter_order(best.policy, self._suite.problems)],
        )
        policy = tuple(best.policy[rule] for rule in order)
        if policy != best.policy:
            # First, as it wins if its steps are fewer on made problems only.
            result = self._tried(policy, f"{best.proposer}, reordered", best.working)
            self._results.insert(0, result)

    def _has_rival(self, one: _Contestant) -> bool:
        """Whether the next proposer is asked for a second opinion on a policy that passed."""
        return one.proposer.has_rival and len(one.last) > _SHORT

    def _disputed(self, result: Result) -> Result:
        """A result with what another proposer's policy solves and its own does not.

        No planner has to say that such a problem has a solution.
        """
        others = {o.policy: None for o in self._results if o.proposer != result.proposer}
        if not result.is_sound or not others:
            return result
        found = self._suite.disputed(result.policy, [*others])
        like_given = tuple(problem for problem, is_altered in found if not is_altered)
        altered = tuple(problem for problem, is_altered in found if is_altered)
        grown = result.grown
        if like_given:
            grown = grown._replace(
                number=grown.number + self._suite.num_disputable,
                failed=grown.failed + len(like_given),
                counterexamples=like_given[:_MORE],
            )
        return result._replace(grown=grown, altered=(*result.altered, *altered))

    @property
    def _latest_is_best(self) -> bool:
        """Whether the latest policy fails less than all before it."""
        *before, latest = self._results
        return all(latest.failures < self._tested_again(result).failures for result in before)

    def _has_round(self, one: _Contestant) -> bool:
        """Let a proposer learn and try its policy; whether another round may help."""
        self._refused = 0
        proposal = one.proposer.propose(one.training, one.last, self._accepts)
        if proposal is None:
            return False
        self._latest = proposal.policy
        self._candidates += proposal.candidates
        self._expansions += proposal.expansions
        result = self._tried(proposal.policy, one.proposer.name, tuple(one.places), one.made)
        self._results.append(result)
        self._tell(result, one.training)
        if proposal.reason in (StopReason.TIME, StopReason.MEMORY):
            raise LimitReached(proposal.reason)
        one.last = result.policy
        one.is_sound |= result.is_sound
        # What a sound policy fails is unlike the given problems: not worth another search.
        if one.is_sound and not one.proposer.goes_on:
            return False
        progress = one.best is None or result.failures < self._tested_again(one.best).failures
        one.idle = 0 if progress else one.idle + 1
        one.best = result if progress else one.best
        return self._learns_from_failures(one, result) and one.idle < _PATIENCE

    def _tested_again(self, result: Result) -> Result:
        """A result with its verdict by the suite of today: the suite grows."""
        verdict, grown = self._suite.test(result.policy), result.grown
        if not result.passed_suite:
            grown = self._failed_tests(verdict, grown.counterexamples)
        return result._replace(verdict=verdict, grown=grown)

    def _failed_tests(self, verdict: Verdict, counterexamples: tuple[Problem, ...]) -> Grown:
        """How a policy does on the problems of the suite."""
        problems = self._suite.problems
        most = max(len(task.problem.all_objects) for task in problems.tasks)
        failed = verdict.unsolved + verdict.failed_perturbed
        return Grown(len(problems), most, failed, counterexamples)

    def _tell(self, result: Result, training: Training) -> None:
        """Tell whoever watches what a round came to."""
        if self.observe_round is None:
            return
        given, verdict, grown = self.given, result.verdict, result.grown
        problems = [given.problems[i] for i in result.unsolved]
        smallest = min([*problems, *grown.counterexamples], key=size_of, default=None)
        self.observe_round(
            Round(
                proposer=result.proposer,
                working=len(training),
                rules=len(result.policy),
                tests=len(self._suite.problems),
                failed_tests=verdict.unsolved + verdict.failed_perturbed,
                given=len(given.used),
                unsolved=len(result.unsolved),
                grown=grown.number,
                failed_grown=grown.failed if grown.counterexamples else 0,
                smallest_failure=None if smallest is None else smallest.name,
            )
        )

    def _accepts(self, policy: PolicyKey) -> bool:
        """Whether a search may end with a policy that is perfect on the working set.

        It may if no counterexample is known. After some that fail only altered problems, one of
        those will do.
        """
        if self._suite.is_refuted(policy):
            return False
        if not self._suite.test(policy).failed_perturbed:
            return True
        found = self._suite.counterexamples(policy, 1)
        if found and found[0].is_altered:
            self._refused += 1
        return not found or (found[0].is_altered and self._refused > _REFUSED)

    def _tried(
        self,
        policy: PolicyKey,
        proposer: str,
        working: tuple[int, ...],
        known: Collection[Problem] = (),
    ) -> Result:
        """A policy, generalised, with what it fails."""
        suite = self._suite
        policy = suite.generalised(policy, self.locked)
        verdict = suite.test(policy)
        found = suite.counterexamples(policy, _MORE, known)
        like_given = tuple(problem for problem, is_altered in found if not is_altered)
        unsolved, steps = self._unsolved(policy), self._steps_of(policy)
        fails = Result(
            policy,
            proposer,
            verdict,
            self._failed_tests(verdict, like_given),
            working,
            unsolved,
            num_unsolved=sum(steps.get(place) is None for place in self.given.used),
        )
        if verdict.unsolved or like_given:
            return fails
        altered = tuple(problem for problem, _ in found)
        return fails._replace(grown=self._larger(policy), altered=altered, passed_suite=True)

    def _unsolved(self, policy: PolicyKey) -> tuple[int, ...]:
        """The places of given problems that a policy fails, the smallest first.

        The smallest ones are looked at more closely: one that has no solution is left out.
        """
        given, found = self.given, list[int]()
        failed = [i for i, steps in self._steps_of(policy).items() if steps is None]
        for place in sorted(failed, key=lambda i: (*size_of(given.problems[i]), i)):
            if len(found) >= _MORE or given.examine(place) or given.is_too_large(place):
                found.append(place)
        return tuple(found)

    def _learns_from_failures(self, one: _Contestant, result: Result) -> bool:
        """Put the smallest problems that a policy fails into the working set, if any is new."""
        given, tasks, places = self.given, list[Task](), list[int]()
        for place in result.unsolved:
            if len(tasks) < _MORE and place not in one.places and given.examine(place):
                places.append(place)
                tasks.append(given.tasks[place])
        one.places += places
        self._suite.add(tasks)
        made = [p for p in result.grown.counterexamples if p not in one.made]
        larger = [one.training.task(problem) for problem in made[: _MORE - len(tasks)]]
        self._suite.add_grown(larger)
        others = [p for p in result.altered if p not in one.made]
        others = others[: _MORE - len(tasks) - len(larger)]
        tasks += [*larger, *map(one.training.task, others)]
        for task in tasks[len(places) :]:
            places.append(len(given.problems) + len(one.made))
            one.made.append(task.problem)
        if tasks:
            one.training = one.training.joined(tasks, places)
        return bool(tasks)

    def _problems(self, tasks: Sequence[Task], places: Sequence[int]) -> Training:
        return Training(
            tasks,
            book=self.book,
            expansions=self.config.astar_expansions,
            jobs=self.config.jobs,
            indices=places,
            budget=self.budget,
            evaluator=self.evaluator,
            any_plan=True,
        )

    def _steps_of(self, policy: PolicyKey) -> dict[int, int | None]:
        """The steps that a policy takes on the given problems, None where it fails."""
        known = self._steps.get(policy)
        if known is None:
            places = self.given.used

            def executed() -> list[int | None]:
                execute = self._suite.executor.steps
                return [execute(self.given.tasks[i], policy, _MAX_STEPS) for i in places]

            shape = list_of(Nothing(Whole(0, _MAX_STEPS)), len(places))
            steps = self.budget.journal.once("executed", shape, executed)
            known = self._steps[policy] = dict(zip(places, steps, strict=True))
        return known

    def _last_word(self, policy: PolicyKey) -> dict[int, int | None]:
        """The steps on all given problems, also when time is over; None where it does not do."""
        known = self._steps.get(policy, {})
        left, _ = self.budget.limits
        number = len(self.given.problems)
        end = math.inf
        if left is not None:
            end = time.monotonic() + max(left, min(_LAST_WORD, _LAST_WORD_EACH * number))
        rules = self.book.policy(policy, self.book.domain.name)
        steps: dict[int, int | None] = {}
        for i in range(number):
            if i in known:
                steps[i] = known[i]
                continue
            limits = Limits(seconds=None if left is None else max(0.0, end - time.monotonic()))
            done = execute(self.given.tasks[i], rules, max_steps=_MAX_STEPS, limits=limits)
            steps[i] = done.steps if done.solved else None
        return steps

    def _larger(self, policy: PolicyKey) -> Grown:
        """How a policy does on problems larger than the given ones."""

        def executed() -> list[bool]:
            first, execute = self.given.tasks[0], self._suite.executor.steps
            return [execute(first.another(p), policy, _MAX_STEPS) is not None for p in problems]

        problems = self._suite.made.larger
        shape = list_of(Flag(), len(problems))
        solved = self.budget.journal.once("grown", shape, executed)
        failed = [problem for problem, done in zip(problems, solved, strict=True) if not done]
        known: list[Problem] = []
        hopeless: set[Problem] = set()
        for problem in sorted(failed, key=size_of):
            has_plan = self._has_plan(problem, policy, search=len(known) < _MORE)
            if has_plan:
                known.append(problem)
            elif has_plan is False:
                hopeless.add(problem)
        most = max((len(p.all_objects) for p in problems if p not in hopeless), default=0)
        return Grown(
            len(problems) - len(hopeless),
            most,
            len(failed) - len(hopeless),
            tuple(known),
            hopeless=len(hopeless),
        )

    def _has_plan(self, problem: Problem, policy: PolicyKey, *, search: bool) -> bool | None:
        """Whether a problem has a plan, as far as a search tells, alone or guided by the policy.

        Without a `search` it is only seen whether the goal is out of reach even if nothing is ever
        deleted. None if it is not known.
        """

        def found() -> list[bool]:
            self.budget.check()
            task = Task(problem, self.book.table)
            seconds, megabytes = self.budget.limits
            limit = task.ground(seconds, _GROUND_MEGABYTES, megabytes)
            self.budget.check()
            if limit is not None:
                return []
            if task.space.heuristic(task.space.initial, "add") is None:
                return [False]
            alone = self._problems([task], [0])
            return [True] if search and alone.is_solvable(0, task.space.initial, policy) else []

        known = self.budget.journal.once("has plan", ListOf(Flag(), most=1), found)
        return bool(known[0]) if known else None


def _taken_from(waiting: deque[_Contestant]) -> Iterator[_Contestant]:
    """Those who wait, the first first, until nobody does."""
    while waiting:
        yield waiting.popleft()
