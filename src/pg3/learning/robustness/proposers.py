"""The proposers of the portfolio: searches over policies (its members) and goal regression."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.operators import INDUCE_RULE, OPERATORS, LockedRules, OperatorOptions
from pg3.learning.policy_search import Candidate, PolicySearch, SearchOutcome
from pg3.learning.regression import RegressionResult, learn_by_regression
from pg3.learning.regression.section import SectionShape, section_value
from pg3.learning.scores import SCORES, Evaluation

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pg3.learning.config import LearnConfig
    from pg3.learning.operators.features import Features
    from pg3.learning.regression import RegressionBudget
    from pg3.learning.regression.macro_moves import MacroMove
    from pg3.learning.regression.section import Round
    from pg3.learning.regression.subgoals import SubgoalChain
    from pg3.learning.scores.base import Accumulation
    from pg3.learning.training import Training
    from pg3.policy.rule_book import PolicyKey

# Longer runs of actions of one schema in a plan need rules that remember each step.
LONGEST_RUN = 2

# The kernel's work for one member (`Training.effort`), some seconds: where a search needs more than
# that, the problems are too hard for it.
_MAX_EFFORT = 200_000

# The larger language has more conditions to choose from, so that a search may look at so many times
# the candidates.
_LARGER = 4


class Member(NamedTuple):
    """A way to search: how induced rules are made, and how scores are accumulated.

    A patient one scores all induced rules and takes the best instead of the first that helps.
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


# Where all others fail: with derived predicates and shortest paths, if the domain has such things.
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


@dataclass
class Proposers:
    """The common settings of all proposers.

    The config's accumulation overrides the members' own. Searches begin with the policy
    `start`. Every policy has the rules `locked`, some of the start's: goal regression, which
    has no use for the start, puts them first.
    """

    training: Training
    config: LearnConfig
    start: PolicyKey = ()
    locked: PolicyKey = ()
    observe: Callable[[str, Candidate], None] | None = None

    @property
    def max_candidates(self) -> int:
        """How many policies one search may score."""
        candidates, _ = self.config.limits
        assert candidates is not None
        return candidates

    def search(
        self,
        problems: Training,
        member: Member,
        *,
        share: int,
        accept: Callable[[PolicyKey], bool],
        features: Features | None = None,
    ) -> SearchOutcome:
        """A search on problems, with one part in `share` of the candidates and the effort."""

        def tell(candidate: Candidate) -> None:
            if self.observe is not None:
                self.observe(member.name, candidate)

        options = OperatorOptions(
            member.generalise,
            member.every_plan,
            # Measured (docs/concepts/deviations.md): here the paper's reading is no better.
            shortest_first=True,
            achiever_needs=False,
            selective=True,
            features=features,
        )
        outcome = PolicySearch(
            problems,
            SCORES[self.config.score](
                problems,
                self.config.rollout_steps,
                self.config.plan_horizon,
                self.config.accumulate or member.accumulation,
            ),
            {
                name: LockedRules(make(problems, options), self.locked)
                for name, make in OPERATORS.items()
                if name in self.config.operator_names and (member.induce or name != INDUCE_RULE)
            },
            max_candidates=self.max_candidates * (1 if features is None else _LARGER) // share,
            size_weight=self.config.size_weight,
            max_effort=_MAX_EFFORT // share,
            heed_total=False,
            accept=accept,
            start=self.start,
            patient_with=INDUCE_RULE if member.patient else None,
            observe=None if self.observe is None else tell,
        ).run()
        problems.native.forget(everything=False)
        return outcome

    def regression(
        self,
        problems: Training,
        name: str,
        budget: RegressionBudget,
        macro_moves: Mapping[str, MacroMove],
        subgoals: Mapping[str, SubgoalChain],
    ) -> RegressionResult:
        """The result of goal regression, from the journal if that has it as a whole."""
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
            first=self.locked,
            budget=budget,
            max_run=LONGEST_RUN,
            macro_moves=macro_moves,
            subgoals=subgoals,
            observe=tell,
        )
        if result.limit is None and journal.is_kept:
            journal.end(name, section_value(result, rounds, problems.book, first))
        return result
