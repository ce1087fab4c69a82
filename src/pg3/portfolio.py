"""The robust way to learn: several learners, judged also on problems that they have not seen.

A policy can be perfect on the training problems by luck: because of the order in which objects
happen to be listed, or because a rule remembers a problem instead of saying what to do. No single
setting of the search avoids both in every domain. So:

1. The training problems are sorted by size. The smaller half is to learn from, all of them are to
   judge by, and variations of them (`variations`): with twins of objects, other links, other goals.
2. Several learners have their turn on the smaller half. First rules by goal regression
   (`regression`), which are quick to find, but many; none where they would only unroll long runs of
   like actions. Then the members of the portfolio: searches over policies (`policy_search`) that
   differ in how general induced rules are, if they are used at all, and in how the problems' scores
   become one. Once a policy has passed the tests below, searches only look for a shorter one, with
   a part of the budget. If what comes of all this fails, goes astray where a planner does not, or
   is regression's, regression has a second turn, on all problems and with more patience. If that
   fails as well, searches with derived predicates and shortest ways follow, in domains that have
   something of the kind (`operators.features`). Their policies must also find the way from where
   random steps lead, if steps can be undone (`detours`).
3. A perfect policy of a search is put to the test at once: it must solve every training problem,
   the larger ones too, as listed and under several shufflings of the objects, and every variation
   that a planner solves. If it fails, that search goes on.
4. Of the policies that pass, those are kept that cope best with variations and with states that
   random walks lead to; of these, those that need at most a tenth more steps than the quickest; of
   these the smallest wins. Rules of a search that never act in any of the tests go, if nothing
   changes.
"""

from __future__ import annotations

import math
import random
from dataclasses import astuple, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pg3.budget import LimitReached, reason_of
from pg3.detours import detours
from pg3.operators import OPERATORS, Keeping, OperatorOptions, kept_places
from pg3.operators.features import Features, features_of
from pg3.policy_search import Candidate, PolicySearch, SearchOutcome, StopReason
from pg3.regression import THOROUGH, Diligence, RegressionResult, learn_by_regression
from pg3.scores import SCORES, Evaluation
from pg3.training import MAX_STEPS, Training, random_walk, shuffled, states_of_walk
from pg3.variations import Variations

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from pg3.policy.rule_book import PolicyKey
    from pg3.scores.base import Accumulation
    from pg3.task import State, Task

# What the kernel answers for a rule that does not match.
NO_MATCH = -1

# Tests with shuffled objects, about so many in all, at least some a problem.
_SHUFFLED_TESTS, _LEAST_SHUFFLES = 60, 4

# Variations of the problems, every other one with twins of objects.
_VARIATIONS = 24

# Random walks from each problem's start, and their length.
_WALKS, _WALK_STEPS = 4, 50

# Of the states on a walk so many are looked at, for what is never true together.
_LOOK_EVERY = 5

# Plans with more like actions in a row than this are too long for rules that remember each step.
_LONGEST_RUN = 2

# A policy that takes more than so many times the fewest steps wanders about.
_WANDERING = 1.1

# Of more rules than this by regression from at least so many problems, those that no test needs go.
_MANY_RULES, _MANY_PROBLEMS = 100, 20

# Random walks may lead where nobody goes: so many failures there are none.
_FEW = 2

# Once some member has passed, the others only look for something shorter: this part of the budget.
_SECOND_LOOK = 5

# Seconds to look at the policies found so far when there is no time left for the tests.
_LAST_WORD = 0.1

# The kernel's work for one member (`Training.effort`), some seconds: where a search needs more than
# that, the problems are too hard for it.
_MAX_EFFORT = 200_000


# The name of what is no search.
_REGRESSION = "goal regression"


class Member(NamedTuple):
    """A way to search: how induced rules are made, and how scores are accumulated.

    A patient one looks at all induced rules and takes the best instead of the first that helps.
    """

    name: str
    induce: bool = True
    generalise: bool = True
    every_plan: bool = False
    accumulation: Accumulation = "max"
    patient: bool = False


MEMBERS = (
    Member("general rules"),
    Member("no induced rules", induce=False),
    Member("no induced rules, mean score", induce=False, accumulation="mean"),
    Member("specific rules", generalise=False, every_plan=True, accumulation="mean"),
    Member("general rules, mean score", every_plan=True, accumulation="mean"),
)


# Where all others fail: with derived predicates and shortest ways, if the domain has such things.
EXTENDED_MEMBERS = (
    Member("larger language, patient", every_plan=True, accumulation="mean", patient=True),
    Member("larger language, patient, one plan at a time", accumulation="mean", patient=True),
    Member("larger language", every_plan=True),
    Member("larger language, one plan at a time"),
    Member("larger language, mean score", every_plan=True, accumulation="mean"),
    Member(
        "larger language, specific rules", generalise=False, every_plan=True, accumulation="mean"
    ),
)

# In the larger language there is more to choose from, so that a search may look at so many times
# the candidates.
_LARGER = 4


class Verdict(NamedTuple):
    """How a policy did in the tests, what counts most first; less is better.

    `unsolved` counts the problems that it does not solve, as they are or shuffled, `astray` the
    states after random walks from which it does not (some may have no solution at all).
    """

    unsolved: int
    astray: int
    size: int
    steps: int


class Result(NamedTuple):
    """A policy that some member came to, and the verdict on it."""

    verdict: Verdict
    member: str
    policy: PolicyKey


def choose(results: Sequence[Result]) -> Result:
    """The best of at least one result, the earlier of equals.

    A policy that solves as many problems but wanders about is likely to lose its way in larger
    ones, so only those come into question that need not much more than the fewest steps; of these,
    the smallest says what to do without saying more.
    """
    solved = min(result.verdict.unsolved for result in results)
    quickest = min(r.verdict.steps for r in results if r.verdict.unsolved == solved)

    def merit(result: Result) -> tuple[int, int, bool, int, int]:
        unsolved, astray, size, steps = result.verdict
        return unsolved, astray, steps > quickest * _WANDERING, size, steps

    return min(results, key=merit)


class _Tests(NamedTuple):
    """What policies are tested on.

    `trials` must be solved: all problems as listed and shuffled. `elsewhere` are all problems and
    variations, with the states to start from in each: a policy may fail there, but better not.
    """

    trials: Training
    elsewhere: Training
    starts: list[list[int]]


class Judge:
    """Tests policies on all training problems.

    As they are, with their objects shuffled, from where random walks lead, and on variations: a
    training problem may need little work, and a policy that would go round in circles if there
    were more to do passes it; walks and twins of objects make work.
    """

    def __init__(self, training: Training, seed: int) -> None:
        self.training = training
        self.seed = seed

    # The tests take long to set up, and a resumed run may know all verdicts: only when asked for.

    @cached_property
    def _tests(self) -> _Tests:
        training, generator = self.training, random.Random(self.seed)
        copies = max(_LEAST_SHUFFLES, _SHUFFLED_TESTS // len(training))
        shuffles = [
            training.task(shuffled(task.problem, generator))
            for _ in range(copies)
            for task in training.tasks
        ]
        starts, states = [], []
        for task in training.tasks:
            training.budget.check()
            ways = [states_of_walk(task.space, _WALK_STEPS, generator) for _ in range(_WALKS)]
            starts.append([way[-1] for way in ways])
            states += [task.atoms(state) for way in ways for state in way[::_LOOK_EVERY]]
        varied = self._varied(states, generator)
        for number, task in enumerate(varied):
            training.budget.check()
            # With twins there is work enough from the start.
            walks = [] if number % 2 else [random_walk(task.space, _WALK_STEPS, generator)]
            starts.append([task.space.initial, *walks])
        return _Tests(
            self._training([*training.tasks, *shuffles]),
            self._training([*training.tasks, *varied]),
            starts,
        )

    def _varied(self, states: Sequence[State], generator: random.Random) -> list[Task]:
        """Variations of the problems, those with more objects of the smaller half only."""
        problems = [task.problem for task in self.training.tasks]
        variations = Variations(problems, states)
        small = [problems[i] for i in smaller_half(self.training)]
        varied = []
        for number in range(_VARIATIONS):
            turn, grown = divmod(number, 2)
            source = small if grown else problems
            problem = variations.vary(
                source[turn % len(source)],
                generator,
                links=turn % 2 == 0,
                twins=1 + turn % 2 if grown else 0,
            )
            varied.append(self.training.task(problem))
        return varied

    def _training(self, tasks: Sequence[Task]) -> Training:
        training = self.training
        return Training(
            tasks,
            book=training.book,
            expansions=training.expansions,
            jobs=training.jobs,
            budget=training.budget,
        )

    def judge(self, policy: PolicyKey) -> Verdict:
        """The verdict on a policy."""
        journal = self.training.budget.journal
        known = journal.recall("verdict")
        if known is not None:
            return Verdict(*known)
        trials, elsewhere, starts = self._tests
        steps = trials.solved_steps(policy, MAX_STEPS)
        size = self.training.book.policy_size(policy)
        unsolved = steps.count(None)
        astray = 0
        if unsolved == 0:
            astray = len(elsewhere.failures_from(policy, starts, MAX_STEPS))
        verdict = Verdict(unsolved, astray, size, sum(s for s in steps if s is not None))
        journal.record("verdict", verdict)
        return verdict

    def trusts(self, result: Result, *, walks: bool = True) -> bool:
        """Whether a policy solves all problems and does not go astray where it need not.

        Some tests have no solution; one is known to have by the plan that A* finds. Without
        `walks` only the starts of variations count, which look like problems of the domain.
        """
        if result.verdict.unsolved > 0 or result.verdict.astray == 0:
            return result.verdict.unsolved == 0
        journal = self.training.budget.journal
        known = journal.recall("trust")
        if known is None:
            _, elsewhere, starts = self._tests
            known = not any(
                elsewhere.is_solvable(problem, start, result.policy)
                for problem, start in elsewhere.failures_from(result.policy, starts, MAX_STEPS)
                if start == elsewhere.tasks[problem].space.initial
                or (walks and problem < len(self.training))
            )
            journal.record("trust", known)
        return bool(known)

    def without_idle_rules(
        self, policy: PolicyKey, *, walks: bool, kept: PolicyKey = ()
    ) -> PolicyKey:
        """The policy without the rules that never act on the problems, with or without walks.

        The `kept` ones stay, whatever they do.
        """
        known = self.training.budget.journal.recall("acting")
        if known is None:
            known = self._acting(policy, walks)
            self.training.budget.journal.record("acting", known)
        return tuple(
            policy[place] for place in sorted({*known, *(kept_places(policy, kept) or ())})
        )

    def _acting(self, policy: PolicyKey, walks: bool) -> list[int]:
        """The places of the rules that act."""
        acting: set[int] = set()
        trials, elsewhere, walked = self._tests
        starts = [(task.space, task.space.initial) for task in trials.tasks]
        if walks:
            starts += [
                (task.space, state)
                for task, states in zip(elsewhere.tasks, walked, strict=True)
                for state in states
            ]
        for space, start in starts:
            self.training.budget.check()
            state = start
            for _ in range(MAX_STEPS):
                if state < 0 or space.is_goal(state):
                    break
                answers = (space.policy_action((rule,), state) for rule in policy)
                place, action = next(
                    ((i, answer) for i, answer in enumerate(answers) if answer != NO_MATCH),
                    (-1, NO_MATCH),
                )
                if place >= 0:
                    acting.add(place)
                if action < 0:
                    break
                state = space.apply(state, action)
        return sorted(acting)


class StrictJudge(Judge):
    """One who also asks for the way to the goal from where random steps lead (`detours`)."""

    def judge(self, policy: PolicyKey) -> Verdict:
        """The verdict on a policy; a detour that it fails counts like a problem."""
        verdict = super().judge(policy)
        if verdict.unsolved == 0 and self._detours is not None:
            failed = self._detours.solved_steps(policy, MAX_STEPS).count(None)
            return verdict._replace(unsolved=failed)
        return verdict

    @cached_property
    def _detours(self) -> Training | None:
        training = self.training
        tasks = detours(training, self.seed)
        if not tasks:
            return None
        return Training(tasks, book=training.book, jobs=training.jobs, budget=training.budget)


@dataclass(frozen=True, slots=True)
class PortfolioOutcome:
    """The chosen policy, which member made it, and what was spent."""

    policy: PolicyKey
    member: str
    verdict: Verdict
    reason: StopReason
    candidates: int
    expansions: int


@dataclass
class Portfolio:
    """The members' common settings; `run` learns.

    `accumulation` overrides the members' own; `operators` are those that they may use. Searches
    begin with the policy `start`; no policy is without the rules `kept`, some of its own. Goal
    regression has no use for the start, and puts the kept rules first.
    """

    training: Training
    seed: int = 0
    score: str = "pg3"
    operators: Collection[str] = tuple(OPERATORS)
    accumulation: Accumulation | None = None
    max_candidates: int = 2500
    rollout_steps: int = 50
    plan_horizon: int = 100
    size_weight: float = 1e-5
    start: PolicyKey = ()
    kept: PolicyKey = ()
    observe: Callable[[str, Candidate], None] | None = None

    def run(self) -> PortfolioOutcome:
        """Learn with every member and choose."""
        self._results: list[Result] = []
        self._unjudged: list[tuple[str, PolicyKey]] = []
        self._candidates = self._expansions = 0
        self._doubted = False
        try:
            (verdict, name, policy), reason = self._learn()
        except (LimitReached, MemoryError) as limit:
            verdict, name, policy = self._best_so_far()
            reason = StopReason(reason_of(limit))
        return PortfolioOutcome(policy, name, verdict, reason, self._candidates, self._expansions)

    def _learn(self) -> tuple[Result, StopReason]:
        self.training.find_plans()
        learners = self.training.subset(smaller_half(self.training))
        judge = Judge(self.training, self.seed)
        reason = StopReason.EXHAUSTED
        if self._may_regress:
            self._regress(learners, _REGRESSION, judge, Diligence())
        for member in MEMBERS:
            reason = self._search(learners, member, judge).reason
            # Problems that are too hard for one search are hard for all.
            if reason == StopReason.EFFORT and self._passed:
                break
        chosen = choose(self._results)
        regressed = chosen.member == _REGRESSION
        walks = chosen.verdict.astray > _FEW
        if self._may_regress and (regressed or not judge.trusts(chosen, walks=walks)):
            # What the searches have kept for the next policy can be half of all memory.
            learners.native.forget(everything=True)
            # Where a search has come to something, this is no more than a second opinion.
            thorough = regressed or chosen.verdict.unsolved > 0
            again = self._regress(
                self.training,
                f"{_REGRESSION}, all problems",
                judge,
                THOROUGH if thorough else Diligence(),
            )
            chosen = choose(self._results)
            # Of two policies of the kind the one that has seen more knows more cases.
            if regressed and again is not None and again.verdict[:2] <= chosen.verdict[:2]:
                chosen = again
        if not judge.trusts(chosen, walks=False):
            self._doubted = True
            judge = StrictJudge(self.training, self.seed)
            reason = self._search_further(learners, judge) or reason
            chosen = choose(self._results)
        if chosen.verdict.unsolved > 0:
            return chosen, reason
        # A rule that regression has made is right where it acts, and is there for cases that the
        # tests may lack: it stays, unless there are so many that they slow each other down, and
        # so many problems that the tests have most cases.
        tests: tuple[bool, ...] = (False, True)
        if chosen.member == _REGRESSION:
            many = len(chosen.policy) > _MANY_RULES and len(self.training) >= _MANY_PROBLEMS
            tests = (True,) if many else ()
        for walks in tests:
            shorter = judge.without_idle_rules(chosen.policy, walks=walks, kept=self.kept)
            if judge.judge(shorter)[:2] <= chosen.verdict[:2]:
                return chosen._replace(policy=shorter), StopReason.PERFECT
        return chosen, StopReason.PERFECT

    def _search_further(self, learners: Training, judge: Judge) -> StopReason | None:
        """Searches in the larger language, if the domain has anything to say in it."""
        features = features_of(
            self.training.domain,
            (task.problem for task in self.training.tasks),
            self.training.book.vocabulary.definitions,
        )
        if not features:
            return None
        self.training.book.define(features.definitions)
        # Other machines do not know what is defined here.
        reason = None
        for problems, suffix in ((learners, ""), (self.training, ", all problems")):
            own = problems.on_this_machine()
            for member in EXTENDED_MEMBERS:
                named = member._replace(name=member.name + suffix)
                reason = self._search(own, named, judge, features).reason
            chosen = choose(self._results)
            if judge.trusts(chosen, walks=False):
                self._drop_rules(chosen, judge)
                break
        return reason

    def _drop_rules(self, chosen: Result, judge: Judge) -> None:
        """Try the policy without rules that a later one for the same action can stand in for.

        An induced rule may be a special case of a later one, met first by chance. All that it does
        then is to come before others, which may lead back and forth in larger problems.
        """
        actions = [self.training.book.rule(number).action for number in chosen.policy]
        policy, verdict, place = chosen.policy, chosen.verdict, 0
        while place < len(policy):
            shorter = (*policy[:place], *policy[place + 1 :])
            if actions[place] in actions[place + 1 :] and policy[place] not in self.kept:
                found = judge.judge(shorter)
                if found[:2] <= verdict[:2]:
                    policy, verdict = shorter, found
                    del actions[place]
                    continue
            place += 1
        if policy != chosen.policy:
            self._results.append(Result(verdict, chosen.member, policy))

    def _best_so_far(self) -> Result:
        """What to hand over when there is no time or memory left for more.

        A policy that has passed all tests if there is one; else the one that solves most training
        problems as they are listed, in the little time that it takes to find out.
        """
        if self._passed:
            return choose(self._results)
        contenders = [(member, policy) for _, member, policy in self._results] + self._unjudged
        share = _LAST_WORD / max(1, len(contenders))
        best = None
        for member, policy in contenders:
            steps = self.training.solved_steps(policy, MAX_STEPS, seconds=share)
            verdict = Verdict(
                steps.count(None),
                0,
                self.training.book.policy_size(policy),
                sum(s for s in steps if s is not None),
            )
            if best is None or verdict < best.verdict:
                best = Result(verdict, member, policy)
        return best or Result(Verdict(len(self.training), 0, 0, 0), "nothing", self.start)

    @property
    def _passed(self) -> bool:
        """Whether some policy has passed all tests."""
        return any(result.verdict.unsolved == 0 for result in self._results)

    @property
    def _may_regress(self) -> bool:
        """Whether nothing was asked for that regression, which is no search, would ignore."""
        return set(self.operators) >= set(OPERATORS) and self.max_candidates > 0

    def _regress(
        self, problems: Training, name: str, judge: Judge, diligence: Diligence
    ) -> Result | None:
        """A policy by goal regression, and the verdict on it.

        None where plans have long runs of like actions: regression can but unroll them, and the
        rules then remember the problems.
        """
        regressed = self._regression(problems, name, diligence)
        if regressed.longest_run > _LONGEST_RUN:
            return None
        self._unjudged = [(_REGRESSION, regressed.policy)]
        if regressed.limit is not None:
            raise LimitReached(regressed.limit)
        result = Result(judge.judge(regressed.policy), _REGRESSION, regressed.policy)
        self._results.append(result)
        self._unjudged.clear()
        return result

    def _regression(self, problems: Training, name: str, diligence: Diligence) -> RegressionResult:
        """The result of regression; one that is in the journal is taken from there as a whole."""
        journal, table = problems.budget.journal, problems.book.table
        rounds: list[tuple[PolicyKey, list[int]]] = []
        started, first, fewest = journal.elapsed, len(table), math.inf

        def tell(policy: PolicyKey, failed: list[int]) -> None:
            nonlocal fewest
            number, score = len(rounds), float(sum(failed))
            rounds.append((policy, failed))
            if self.observe is not None:
                candidate = Candidate(
                    number,
                    number - 1 if number else None,
                    "repair" if number else None,
                    policy,
                    Evaluation(score, failed, score == 0, tuple),
                    problems.book.policy_size(policy),
                    0,
                    journal.elapsed - started,
                    score < fewest,
                    problems.indices,
                )
                self.observe(name, candidate)
            fewest = min(score, fewest)

        known = journal.begin(name)
        if known is not None:
            (policy, ranks, *numbers), rules, told = known
            for rule in rules:
                table.add(rule)
            for key, failed in told:
                tell(tuple(key), failed)
            return RegressionResult(tuple(policy), tuple(ranks), *numbers)
        result = learn_by_regression(
            problems,
            seed=self.seed,
            expansions=2 * problems.expansions,
            first=self.kept,
            diligence=diligence,
            max_run=_LONGEST_RUN,
            observe=tell,
        )
        if result.limit is None and journal.is_kept:
            rules = [table.get(number) for number in range(first, len(table))]
            journal.end(name, (astuple(result), rules, rounds))
        return result

    def _search(
        self,
        learners: Training,
        member: Member,
        judge: Judge,
        features: Features | None = None,
    ) -> SearchOutcome:
        """One member's search; the perfect policies that it meets are judged at once."""
        verdicts: dict[PolicyKey, Verdict] = {}

        def passes(policy: PolicyKey) -> bool:
            verdicts[policy] = judge.judge(policy)
            return judge.trusts(Result(verdicts[policy], member.name, policy), walks=False)

        def tell(candidate: Candidate) -> None:
            if self.observe is not None:
                self.observe(member.name, candidate)

        share = _SECOND_LOOK if self._passed and not self._doubted else 1
        options = OperatorOptions(
            member.generalise, member.every_plan, selective=True, features=features
        )
        outcome = PolicySearch(
            learners,
            SCORES[self.score](
                learners,
                self.rollout_steps,
                self.plan_horizon,
                self.accumulation or member.accumulation,
            ),
            {
                name: Keeping(make(learners, options), self.kept)
                for name, make in OPERATORS.items()
                if name in self.operators and (member.induce or name != "induce-rule")
            },
            max_candidates=self.max_candidates * (1 if features is None else _LARGER) // share,
            size_weight=self.size_weight,
            max_effort=_MAX_EFFORT // share,
            accept=passes,
            start=self.start,
            patient_with="induce-rule" if member.patient else None,
            observe=None if self.observe is None else tell,
        ).run()
        learners.native.forget(everything=False)
        self._candidates += outcome.candidates
        self._expansions += outcome.expansions
        limited = outcome.reason in (StopReason.TIME, StopReason.MEMORY)
        if outcome.policy not in verdicts:
            self._unjudged = [(member.name, outcome.policy)]
            if not limited:
                verdicts[outcome.policy] = judge.judge(outcome.policy)
                self._unjudged.clear()
        self._results += [Result(v, member.name, policy) for policy, v in verdicts.items()]
        if limited:
            raise LimitReached(outcome.reason)
        return outcome


def smaller_half(training: Training) -> list[int]:
    """The indices of the smaller half of the problems, at least one, by objects and goals.

    Of equals those with the shorter plan.
    """
    by_size = sorted(
        range(len(training)),
        key=lambda i: (
            len(training.tasks[i].problem.all_objects) + len(training.tasks[i].problem.goal),
            math.inf if (plan := training.plans[i]) is None else len(plan),
            i,
        ),
    )
    return sorted(by_size[: (len(by_size) + 1) // 2])
