"""The robust way to learn: several learners, judged also on problems that they have not seen.

A policy can be perfect on the training problems by luck: because of the order in which objects
happen to be listed, or because a rule remembers a problem instead of saying what to do. No single
setting of the search avoids both in every domain. So:

1. The training problems are sorted by size. The smaller half is to learn from, all of them are to
   judge by, and variations of them (`variations`): with twins of objects, other links, other goals.
2. Several learners have their turn on the smaller half. First rules by goal regression
   (`regression`), which are quick to find, but many; none where they would only unroll long runs of
   like actions, or remember roads stop by stop. Then the members of the portfolio: searches over
   policies (`policy_search`) that differ in how general induced rules are, if they are used at all,
   and in how the problems' scores become one. Once a policy has passed the tests below, searches
   only look for a shorter one, with a part of the budget. If what comes of all this fails, goes
   astray where a planner does not, or is regression's, regression has a second turn, on all
   problems and with more patience. If that fails as well, what follows has derived predicates and
   shortest ways to speak of, in domains that have something of the kind (`operators.features`).
   First regression, where something moves along roads from stop to stop: a run of such moves is one
   step of it (`regression.travel`); or where a goal is reached by stages, each with a plan of its
   own (`regression.stages`). Then searches. Their policies must also find the way from where
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
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.budget import LimitReached, reason_of
from pg3.learning.operators import (
    INDUCE_RULE,
    OPERATORS,
    PAPER_OPERATORS,
    Keeping,
    OperatorOptions,
)
from pg3.learning.operators.features import Features, features_of
from pg3.learning.operators.moves import pure_moves
from pg3.learning.policy_search import Candidate, PolicySearch, SearchOutcome, StopReason
from pg3.learning.regression import THOROUGH, Diligence, RegressionResult, learn_by_regression
from pg3.learning.regression.section import SectionShape, section_value
from pg3.learning.regression.stages import stages_of
from pg3.learning.regression.travel import have_stops, roads_of
from pg3.learning.robustness.pruning import without_needless_conditions
from pg3.learning.robustness.test_suite import (
    Judge,
    Result,
    StrictJudge,
    Verdict,
    choose,
    smaller_half,
)
from pg3.learning.scores import SCORES, Evaluation
from pg3.learning.training import MAX_STEPS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pg3.learning.config import LearnConfig
    from pg3.learning.regression.section import Round
    from pg3.learning.regression.stages import Stage
    from pg3.learning.regression.travel import Road
    from pg3.learning.scores.base import Accumulation
    from pg3.learning.training import Training
    from pg3.policy.model import Clause
    from pg3.policy.rule_book import PolicyKey

# Plans with more like actions in a row than this are too long for rules that remember each step.
_LONGEST_RUN = 2

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


# The names of what is no search.
_REGRESSION = "goal regression"
_ALONG_ROADS = "goal regression along roads"


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


@dataclass(frozen=True, slots=True)
class PortfolioOutcome:
    """The chosen policy, which member made it, and what was spent.

    `pruned` says whether conditions that no test needs were looked for.
    """

    policy: PolicyKey
    member: str
    verdict: Verdict
    reason: StopReason
    candidates: int
    expansions: int
    pruned: bool = False


@dataclass
class Portfolio:
    """Learns in several ways, as the `config` says; `run` it.

    The config's accumulation overrides the members' own. Searches begin with the policy `start`; no
    policy is without the rules `kept`, some of its own. Goal regression has no use for the start,
    and puts the kept rules first.
    """

    training: Training
    config: LearnConfig
    start: PolicyKey = ()
    kept: PolicyKey = ()
    observe: Callable[[str, Candidate], None] | None = None

    def run(self) -> PortfolioOutcome:
        """Learn with every member and choose."""
        self._results: list[Result] = []
        self._unjudged: list[tuple[str, PolicyKey]] = []
        self._candidates = self._expansions = 0
        self._doubted = self._pruned = False
        try:
            (verdict, name, policy), reason = self._learn()
        except (LimitReached, MemoryError) as limit:
            verdict, name, policy = self._best_so_far()
            reason = StopReason(reason_of(limit))
        return PortfolioOutcome(
            policy, name, verdict, reason, self._candidates, self._expansions, self._pruned
        )

    def _learn(self) -> tuple[Result, StopReason]:
        self.training.find_plans(any_plan=True)
        learners = self.training.subset(smaller_half(self.training))
        planned = learners.with_plans()
        judge = Judge(self.training, self.config.seed)
        reason = StopReason.EXHAUSTED
        # Stop by stop it would remember the way, also where no way is long enough for a long run;
        # and so it would the stages of a goal.
        along = roads_of(pure_moves(self.training.domain), self.training.domain)
        roads = self._may_regress and (
            have_stops(along, self.training.tasks) or bool(self._stages(along)[0])
        )
        if self._may_regress and not roads:
            self._regress(learners, _REGRESSION, judge, Diligence())
        for member in MEMBERS:
            reason = self._search(planned, member, judge).reason
            # Problems that are too hard for one search are hard for all.
            if reason == StopReason.EFFORT and self._passed:
                break
        chosen = choose(self._results)
        regressed = chosen.member == _REGRESSION
        walks = chosen.verdict.astray > _FEW
        if self._may_regress and not roads and (regressed or not judge.trusts(chosen, walks=walks)):
            # What the searches have kept for the next policy can be half of all memory.
            planned.native.forget(everything=True)
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
            judge = StrictJudge(self.training, self.config.seed)
            reason = self._search_further(learners, planned, judge, roads=roads) or reason
            if roads and not self._passed:
                self._regress(self.training, _REGRESSION, judge, Diligence())
            chosen = choose(self._results)
        if chosen.verdict.unsolved > 0:
            return chosen, reason
        # A rule that regression has made is right where it acts, and is there for cases that the
        # tests may lack: it stays, unless there are so many that they slow each other down, and
        # so many problems that the tests have most cases.
        tests: tuple[bool, ...] = (False, True)
        if chosen.member in (_REGRESSION, _ALONG_ROADS):
            many = len(chosen.policy) > _MANY_RULES and len(self.training) >= _MANY_PROBLEMS
            tests = (True,) if many else ()
        for walks in tests:
            shorter = judge.without_idle_rules(chosen.policy, walks=walks, kept=self.kept)
            if judge.judge(shorter)[:2] <= chosen.verdict[:2]:
                chosen = chosen._replace(policy=shorter)
                break
        # Where no test reaches a rule of regression, no test needs any of its conditions.
        if self.config.prune and chosen.member not in (_REGRESSION, _ALONG_ROADS):
            chosen = without_needless_conditions(chosen, judge, self.kept)
            self._pruned = True
        return chosen, StopReason.PERFECT

    def _search_further(
        self, learners: Training, planned: Training, judge: Judge, *, roads: bool
    ) -> StopReason | None:
        """Learn in the larger language, if the domain has anything to say in it.

        Searches on the `planned` ones, and before them regression where the problems have `roads`.
        """
        features = features_of(
            self.training.domain,
            (task.problem for task in self.training.tasks),
            self.training.book.vocabulary.definitions,
        )
        along = roads_of(features.moves, self.training.domain)
        stages, turned = self._stages(along)
        if not features and not stages:
            return None
        self.training.book.define((*features.definitions, *turned))
        if roads:
            self._regress_further(learners, judge, along, stages)
        # Other machines do not know what is defined here.
        reason = None
        for problems, suffix in ((planned, ""), (self.training, ", all problems")):
            own = problems.on_this_machine()
            for member in EXTENDED_MEMBERS:
                named = member._replace(name=member.name + suffix)
                reason = self._search(own, named, judge, features).reason
            chosen = choose(self._results)
            if judge.trusts(chosen, walks=False):
                if chosen.member != _ALONG_ROADS:
                    self._drop_rules(chosen, judge)
                break
        return reason

    def _stages(self, roads: Mapping[str, Road]) -> tuple[dict[str, Stage], tuple[Clause, ...]]:
        """The stages of the problems' goals, and what must be defined for them."""
        goals = {atom.predicate for task in self.training.tasks for atom in task.problem.goal}
        known = self.training.book.vocabulary.definitions
        return stages_of(self.training.domain, goals, roads, known)

    def _regress_further(
        self,
        learners: Training,
        judge: Judge,
        roads: Mapping[str, Road],
        stages: Mapping[str, Stage],
    ) -> None:
        """Goal regression with travels and stages, on the smaller half and then on all problems.

        If its policy can be trusted, searches only look for a shorter one.
        """
        # A resumed run recalls rules as numbers: what they speak of has the same numbers then.
        for road in roads.values():
            for condition in road.conditions:
                self.training.book.vocabulary.number(condition)
        for stage in stages.values():
            self.training.book.vocabulary.number(stage.condition())
        some = self._regress(learners, _ALONG_ROADS, judge, Diligence(), roads, stages)
        again = self._regress(
            self.training, f"{_ALONG_ROADS}, all problems", judge, THOROUGH, roads, stages
        )
        # Of two policies of the kind the one that has seen more knows more cases.
        if some is not None and again is not None and again.verdict[:2] <= some.verdict[:2]:
            self._results.remove(some)
        found = [result for result in (again, some) if result is not None]
        if found and judge.trusts(choose(found), walks=False):
            self._doubted = False

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
    def _max_candidates(self) -> int:
        candidates, _ = self.config.limits
        assert candidates is not None
        return candidates

    @property
    def _may_regress(self) -> bool:
        """Whether nothing was asked for that regression, which is no search, would ignore.

        Nor are there axioms: what they derive no action brings about, so that it has no regression.
        """
        asked = set(self.config.operator_names).issuperset(PAPER_OPERATORS)
        asked = asked and self._max_candidates > 0
        return asked and not self.training.domain.axioms

    def _regress(
        self,
        problems: Training,
        name: str,
        judge: Judge,
        diligence: Diligence,
        roads: Mapping[str, Road] = MappingProxyType({}),
        stages: Mapping[str, Stage] = MappingProxyType({}),
    ) -> Result | None:
        """A policy by goal regression, and the verdict on it.

        None where plans have long runs of like actions: regression can but unroll them, and the
        rules then remember the problems.
        """
        regressed = self._regression(problems, name, diligence, roads, stages)
        if regressed.limit is None and regressed.longest_run > _LONGEST_RUN:
            return None
        member = _ALONG_ROADS if roads or stages else _REGRESSION
        self._unjudged = [(member, regressed.policy)]
        if regressed.limit is not None:
            raise LimitReached(regressed.limit)
        result = Result(judge.judge(regressed.policy), member, regressed.policy)
        self._results.append(result)
        self._unjudged.clear()
        return result

    def _regression(
        self,
        problems: Training,
        name: str,
        diligence: Diligence,
        roads: Mapping[str, Road],
        stages: Mapping[str, Stage],
    ) -> RegressionResult:
        """The result of regression; one that is in the journal is taken from there as a whole."""
        journal = problems.budget.journal
        rounds: list[Round] = []
        started, first, fewest = journal.elapsed, len(problems.book.table), math.inf

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

        known = journal.begin(name, SectionShape(problems))
        result: RegressionResult
        if known is not None:
            result, told = known
            for key, failed in told:
                tell(key, failed)
            return result
        result = learn_by_regression(
            problems,
            seed=self.config.seed,
            expansions=2 * problems.expansions,
            first=self.kept,
            diligence=diligence,
            max_run=_LONGEST_RUN,
            roads=roads,
            stages=stages,
            observe=tell,
        )
        if result.limit is None and journal.is_kept:
            journal.end(name, section_value(result, rounds, problems.book, first))
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
            member.generalise,
            member.every_plan,
            # Measured in docs/deviations.md: here the paper's reading is not the better one.
            shortest_first=True,
            achiever_needs=False,
            selective=True,
            features=features,
        )
        outcome = PolicySearch(
            learners,
            SCORES[self.config.score](
                learners,
                self.config.rollout_steps,
                self.config.plan_horizon,
                self.config.accumulate or member.accumulation,
            ),
            {
                name: Keeping(make(learners, options), self.kept)
                for name, make in OPERATORS.items()
                if name in self.config.operator_names and (member.induce or name != INDUCE_RULE)
            },
            max_candidates=self._max_candidates * (1 if features is None else _LARGER) // share,
            size_weight=self.config.size_weight,
            max_effort=_MAX_EFFORT // share,
            heed_total=False,
            accept=passes,
            start=self.start,
            patient_with=INDUCE_RULE if member.patient else None,
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
