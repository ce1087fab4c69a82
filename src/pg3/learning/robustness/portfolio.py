"""The robust way to learn: several proposers, tested also on problems that they have not seen.

A policy can be perfect on the training problems by luck: because of the order in which objects
happen to be listed, or because a rule remembers a problem instead of saying what to do. No single
setting of the search avoids both in every domain. So several proposers have their turn, cheap ones
first, and a test suite decides; docs/concepts/learning.md tells the algorithm in full.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.budget import LimitReached, reason_of
from pg3.learning.operators import PAPER_OPERATORS
from pg3.learning.operators.features import features_of
from pg3.learning.operators.moves import pure_moves
from pg3.learning.policy_search import SearchOutcome, StopReason
from pg3.learning.regression import LARGE_BUDGET, RegressionBudget
from pg3.learning.regression.macro_moves import have_stops, macro_moves_of
from pg3.learning.regression.subgoals import subgoal_chains
from pg3.learning.robustness.proposers import (
    EXTENDED_MEMBERS,
    LONGEST_RUN,
    MEMBERS,
    Proposers,
)
from pg3.learning.robustness.pruning import without_needless_conditions
from pg3.learning.robustness.test_suite import StrictSuite, Suite, smaller_half
from pg3.learning.robustness.verdicts import Proposer, Result, Verdict, choose
from pg3.learning.training import MAX_STEPS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pg3.learning.operators.features import Features
    from pg3.learning.regression.macro_moves import MacroMove
    from pg3.learning.regression.subgoals import SubgoalChain
    from pg3.learning.robustness.proposers import Member
    from pg3.learning.training import Training
    from pg3.policy.model import Clause
    from pg3.policy.rule_book import PolicyKey

# Of more rules than this by regression from at least so many problems, those that no test needs go:
# so many rules slow each other down, and so many problems have most cases.
_MANY_RULES, _MANY_PROBLEMS = 100, 20

# So few failures after random walks do not count: walks may lead to states that no policy meets.
_FEW = 2

# Once a member has passed, the others only look for something shorter, with 1 in so many of the
# candidates and of the effort.
_SHORTER_SHARE = 5

# Seconds to run the policies found so far when there is no time left for the tests.
_LAST_SECONDS = 0.1

# Names as results and journals show them.
_REGRESSION = "goal regression"
_MACRO_REGRESSION = "goal regression along roads"


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


class _Untested(NamedTuple):
    """A policy that a limit kept from its tests."""

    member: str
    policy: PolicyKey
    proposer: Proposer


@dataclass
class Portfolio(Proposers):
    """The schedule of the proposers; `run` learns.

    To `prune` is to leave out conditions that no test needs.
    """

    def run(self) -> PortfolioOutcome:
        """Learn with every member and choose."""
        self._results: list[Result] = []
        self._untested: _Untested | None = None
        self._candidates = self._expansions = 0
        self._doubted = self._pruned = False
        try:
            chosen, reason = self._learn()
        except (LimitReached, MemoryError) as limit:
            chosen, reason = self._best_so_far(), StopReason(reason_of(limit))
        return PortfolioOutcome(
            chosen.policy,
            chosen.member,
            chosen.verdict,
            reason,
            self._candidates,
            self._expansions,
            self._pruned,
        )

    def _learn(self) -> tuple[Result, StopReason]:
        self.training.find_plans(any_plan=True)
        learners = self.training.subset(smaller_half(self.training))
        planned = learners.with_plans()
        suite = Suite(self.training, self.config.seed)
        reason = StopReason.EXHAUSTED
        # Plain regression would remember maps stop by stop, also where no path is long enough for
        # a long run, and goals subgoal by subgoal.
        macro_moves = macro_moves_of(pure_moves(self.training.domain), self.training.domain)
        needs_macros = self._may_regress and (
            have_stops(macro_moves, self.training.tasks) or bool(self._subgoals(macro_moves)[0])
        )
        if self._may_regress and not needs_macros:
            self._regress(learners, _REGRESSION, suite, RegressionBudget())
        for member in MEMBERS:
            reason = self._search(planned, member, suite).reason
            # Problems that are too hard for one search are hard for all.
            if reason == StopReason.EFFORT and self._passed:
                break
        chosen = choose(self._results)
        if self._may_regress and not needs_macros:
            chosen = self._regress_again(chosen, planned, suite)
        if not suite.accepts(chosen, walks=False):
            self._doubted = True
            suite = StrictSuite(self.training, self.config.seed)
            reason = self._search_further(learners, planned, suite, macros=needs_macros) or reason
            if needs_macros and not self._passed:
                self._regress(self.training, _REGRESSION, suite, RegressionBudget())
            chosen = choose(self._results)
        if chosen.verdict.unsolved > 0:
            return chosen, reason
        return self._shortened(chosen, suite), StopReason.PERFECT

    def _regress_again(self, chosen: Result, searched: Training, suite: Suite) -> Result:
        """The choice after regression on all problems, if the choice so far gives reason for it."""
        regressed = chosen.proposer.is_regression
        walks = chosen.verdict.failed_perturbed > _FEW
        if not regressed and suite.accepts(chosen, walks=walks):
            return chosen
        # What the searches have kept for the next policy can be half of all memory.
        searched.native.forget(everything=True)
        # Where a search has found something, this is no more than a second opinion.
        thorough = regressed or chosen.verdict.unsolved > 0
        again = self._regress(
            self.training,
            f"{_REGRESSION}, all problems",
            suite,
            LARGE_BUDGET if thorough else RegressionBudget(),
        )
        best = choose(self._results)
        # Of two policies by regression the one from more problems knows more cases.
        if regressed and again is not None and again.verdict.no_worse_than(best.verdict):
            return again
        return best

    def _shortened(self, chosen: Result, suite: Suite) -> Result:
        """The policy that passes, without the rules and, where asked for, conditions to spare."""
        # A rule of regression is right where it acts, and covers cases that the tests may lack. It
        # stays, unless there are very many rules and problems.
        with_walks: tuple[bool, ...] = (False, True)
        if chosen.proposer.is_regression:
            many = len(chosen.policy) > _MANY_RULES and len(self.training) >= _MANY_PROBLEMS
            with_walks = (True,) if many else ()
        for walks in with_walks:
            shorter = suite.without_idle_rules(chosen.policy, walks=walks, locked=self.locked)
            if suite.test(shorter).no_worse_than(chosen.verdict):
                chosen = chosen._replace(policy=shorter)
                break
        # Where no test reaches a rule of regression, no test needs any of its conditions.
        if self.config.prune and not chosen.proposer.is_regression:
            chosen = without_needless_conditions(chosen, suite, self.locked)
            self._pruned = True
        return chosen

    def _search_further(
        self, learners: Training, planned: Training, suite: Suite, *, macros: bool
    ) -> StopReason | None:
        """Learn in the larger language, if the domain has anything to say in it.

        Searches on the `planned` problems, and before them regression if they need `macros`.
        """
        features = features_of(
            self.training.domain,
            (task.problem for task in self.training.tasks),
            self.training.book.vocabulary.definitions,
        )
        macro_moves = macro_moves_of(features.moves, self.training.domain)
        subgoals, inverted = self._subgoals(macro_moves)
        if not features and not subgoals:
            return None
        self.training.book.define((*features.definitions, *inverted))
        if macros:
            self._regress_further(learners, suite, macro_moves, subgoals)
        # Other machines do not know what is defined here.
        reason = None
        for problems, suffix in ((planned, ""), (self.training, ", all problems")):
            own = problems.on_this_machine()
            for member in EXTENDED_MEMBERS:
                named = member._replace(name=member.name + suffix)
                reason = self._search(own, named, suite, features).reason
            chosen = choose(self._results)
            if suite.accepts(chosen, walks=False):
                if chosen.proposer is not Proposer.MACRO_REGRESSION:
                    self._drop_rules(chosen, suite)
                break
        return reason

    def _subgoals(
        self, macro_moves: Mapping[str, MacroMove]
    ) -> tuple[dict[str, SubgoalChain], tuple[Clause, ...]]:
        """The subgoal chains of the problems' goals, and what must be defined for them."""
        goals = {atom.predicate for task in self.training.tasks for atom in task.problem.goal}
        known = self.training.book.vocabulary.definitions
        return subgoal_chains(self.training.domain, goals, macro_moves, known)

    def _regress_further(
        self,
        learners: Training,
        suite: Suite,
        macro_moves: Mapping[str, MacroMove],
        subgoals: Mapping[str, SubgoalChain],
    ) -> None:
        """Goal regression with macro moves and subgoals, on the smaller half, then on all problems.

        If its policy is accepted, searches only look for a shorter one.
        """
        # A resumed run recalls rules as numbers, so what they speak of must have the same numbers.
        vocabulary = self.training.book.vocabulary
        for macro in macro_moves.values():
            for condition in macro.conditions:
                vocabulary.number(condition)
        for chain in subgoals.values():
            vocabulary.number(chain.condition())
        some = self._regress(
            learners, _MACRO_REGRESSION, suite, RegressionBudget(), macro_moves, subgoals
        )
        again = self._regress(
            self.training,
            f"{_MACRO_REGRESSION}, all problems",
            suite,
            LARGE_BUDGET,
            macro_moves,
            subgoals,
        )
        # Of two policies by regression the one from more problems knows more cases.
        if some is not None and again is not None and again.verdict.no_worse_than(some.verdict):
            self._results.remove(some)
        found = [result for result in (again, some) if result is not None]
        if found and suite.accepts(choose(found), walks=False):
            self._doubted = False

    def _drop_rules(self, chosen: Result, suite: Suite) -> None:
        """Try the policy without rules that a later one for the same action can replace.

        An induced rule may be a special case of a later one, met first by chance. Its only effect
        is then to come before others, which may lead back and forth in larger problems.
        """
        actions = [self.training.book.rule(number).action for number in chosen.policy]
        policy, verdict, place = chosen.policy, chosen.verdict, 0
        while place < len(policy):
            shorter = (*policy[:place], *policy[place + 1 :])
            if actions[place] in actions[place + 1 :] and policy[place] not in self.locked:
                found = suite.test(shorter)
                if found.no_worse_than(verdict):
                    policy, verdict = shorter, found
                    del actions[place]
                    continue
            place += 1
        if policy != chosen.policy:
            self._results.append(chosen._replace(verdict=verdict, policy=policy))

    def _best_so_far(self) -> Result:
        """What to hand over when there is no time or memory left for more.

        A policy that has passed all tests if there is one; else the one that solves most training
        problems as they are listed, in the little time that it takes to find out.
        """
        if self._passed:
            return choose(self._results)
        contenders = [_Untested(r.member, r.policy, r.proposer) for r in self._results]
        if self._untested is not None:
            contenders.append(self._untested)
        seconds = _LAST_SECONDS / max(1, len(contenders))
        best = None
        for member, policy, proposer in contenders:
            steps = self.training.solved_steps(policy, MAX_STEPS, seconds=seconds)
            verdict = Verdict(
                steps.count(None),
                0,
                self.training.book.policy_size(policy),
                sum(s for s in steps if s is not None),
            )
            if best is None or verdict < best.verdict:
                best = Result(verdict, member, policy, proposer)
        return best or Result(Verdict(len(self.training), 0, 0, 0), "nothing", self.start)

    @property
    def _passed(self) -> bool:
        """Whether some policy has passed all tests."""
        return any(result.verdict.unsolved == 0 for result in self._results)

    @property
    def _may_regress(self) -> bool:
        """Whether nothing was asked for that regression, which is no search, would ignore.

        Not in domains with axioms: no action adds derived atoms, so they have no regression.
        """
        asked = set(self.config.operator_names).issuperset(PAPER_OPERATORS)
        asked = asked and self.max_candidates > 0
        return asked and not self.training.domain.axioms

    def _regress(
        self,
        problems: Training,
        name: str,
        suite: Suite,
        budget: RegressionBudget,
        macro_moves: Mapping[str, MacroMove] = MappingProxyType({}),
        subgoals: Mapping[str, SubgoalChain] = MappingProxyType({}),
    ) -> Result | None:
        """A policy by goal regression with the verdict on it.

        None where plans have long runs of actions of one schema: the rules would only remember
        them.
        """
        regressed = self.regression(problems, name, budget, macro_moves, subgoals)
        if regressed.limit is None and regressed.longest_run > LONGEST_RUN:
            return None
        with_macros = bool(macro_moves or subgoals)
        proposer = Proposer.MACRO_REGRESSION if with_macros else Proposer.REGRESSION
        member = _MACRO_REGRESSION if with_macros else _REGRESSION
        self._untested = _Untested(member, regressed.policy, proposer)
        if regressed.limit is not None:
            raise LimitReached(regressed.limit)
        result = Result(suite.test(regressed.policy), member, regressed.policy, proposer)
        self._results.append(result)
        self._untested = None
        return result

    def _search(
        self, problems: Training, member: Member, suite: Suite, features: Features | None = None
    ) -> SearchOutcome:
        """One member's search; the perfect policies that it meets are tested at once."""
        verdicts: dict[PolicyKey, Verdict] = {}

        def passes(policy: PolicyKey) -> bool:
            verdicts[policy] = suite.test(policy)
            return suite.accepts(Result(verdicts[policy], member.name, policy), walks=False)

        share = _SHORTER_SHARE if self._passed and not self._doubted else 1
        outcome = self.search(problems, member, share=share, accept=passes, features=features)
        self._candidates += outcome.candidates
        self._expansions += outcome.expansions
        limited = outcome.reason in (StopReason.TIME, StopReason.MEMORY)
        if outcome.policy not in verdicts:
            self._untested = _Untested(member.name, outcome.policy, Proposer.SEARCH)
            if not limited:
                verdicts[outcome.policy] = suite.test(outcome.policy)
                self._untested = None
        self._results += [Result(v, member.name, policy) for policy, v in verdicts.items()]
        if limited:
            raise LimitReached(outcome.reason)
        return outcome
