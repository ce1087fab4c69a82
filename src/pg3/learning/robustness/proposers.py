"""Proposers: ways to come to a policy from a working set of problems.

All are of one kind. `propose` gets the working set and what this proposer found last, and gives a
policy. `accept` tells a search whether a policy that is perfect on the working set passes the test
suite; if not, the search goes on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

from pg3.learning.operators import (
    INDUCE_RULE,
    OPERATORS,
    PAPER_OPERATORS,
    LockedRules,
    OperatorOptions,
)
from pg3.learning.operators.features import features_of
from pg3.learning.operators.ways import pure_moves, roads
from pg3.learning.policy_search import Candidate, PolicySearch, StopReason
from pg3.learning.regression import LARGE_BUDGET, Regression, RegressionBudget
from pg3.learning.regression.macro_moves import have_stops, macro_moves_of
from pg3.learning.regression.subgoals import subgoal_chains
from pg3.learning.scores import SCORES, Evaluation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pg3.learning.config import LearnConfig
    from pg3.learning.dependencies import Dependencies
    from pg3.learning.operators.features import Features
    from pg3.learning.regression.macro_moves import MacroMove
    from pg3.learning.regression.subgoals import SubgoalChain
    from pg3.learning.scores.base import Accumulation
    from pg3.learning.training import Training
    from pg3.pddl.model import Problem
    from pg3.policy.model import Clause
    from pg3.policy.rule_book import PolicyKey

# Longer runs of actions of one schema in a plan need rules that remember each step.
LONGEST_RUN = 2

# The kernel's work for one proposal (`Training.effort`), some seconds: where a search needs more
# than that, the problems are too hard for it.
_MAX_EFFORT = 200_000

# The larger language has more conditions to choose from, so that a search may look at so many times
# the candidates.
_LARGER = 4


class Proposal(NamedTuple):
    """A policy, and what it took to find it."""

    policy: PolicyKey
    reason: StopReason
    candidates: int = 0
    expansions: int = 0


class Proposer(Protocol):
    """One way to come to a policy."""

    @property
    def name(self) -> str:
        """Under which results are shown."""

    @property
    def goes_on(self) -> bool:
        """Whether it keeps what it has learned when the working set grows."""

    @property
    def has_rival(self) -> bool:
        """Whether the next proposer learns otherwise from the same, for a second opinion."""

    def propose(
        self,
        working: Training,
        last: PolicyKey,
        accept: Callable[[PolicyKey], bool],
    ) -> Proposal | None:
        """A policy from the working set; None if this proposer has nothing to say here.

        `last` is what was proposed before the working set grew, or the start. LimitReached if the
        budget is used up before there is anything.
        """


@dataclass(frozen=True)
class Settings:
    """What all proposers have in common.

    Every policy has the rules `locked`. Goal regression puts the rules `first` before its own: the
    policy to start from, which it learns to go on with. It knows the `dependencies` of the given
    problems.
    """

    config: LearnConfig
    first: PolicyKey = ()
    locked: PolicyKey = ()
    observe: Callable[[str, Candidate], None] | None = None
    dependencies: Dependencies = field(default_factory=dict)

    @property
    def max_candidates(self) -> int:
        """How many policies one search may score."""
        candidates, _ = self.config.limits
        assert candidates is not None
        return candidates

    @property
    def may_regress(self) -> bool:
        """Whether nothing was asked for that regression, which is no search, would ignore."""
        asked = set(self.config.operator_names).issuperset(PAPER_OPERATORS)
        return asked and self.max_candidates > 0


class Member(NamedTuple):
    """A way to search: how induced rules are made, and how scores are accumulated.

    A patient one scores all induced rules and takes the best instead of the first that helps.
    """

    name: str
    generalise: bool = True
    every_plan: bool = False
    accumulation: Accumulation = "max"
    patient: bool = False


MEMBERS = (
    Member("general rules"),
    Member("specific rules", generalise=False, every_plan=True, accumulation="mean"),
)


# With derived predicates and shortest paths, if the domain has such things.
EXTENDED_MEMBERS = (
    Member("larger language, patient", every_plan=True, accumulation="mean", patient=True),
    Member("larger language", every_plan=True),
)


@dataclass
class SearchProposer:
    """A search over policies (Algorithm 1), from where it ended last."""

    settings: Settings
    member: Member
    features: Features | None = None

    goes_on: ClassVar[bool] = False
    has_rival: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """The member's."""
        return self.member.name

    def propose(
        self,
        working: Training,
        last: PolicyKey,
        accept: Callable[[PolicyKey], bool],
    ) -> Proposal | None:
        """The best policy of the search; see `Proposer`."""
        settings, member = self.settings, self.member
        config = settings.config
        problems = working.with_plans()
        if self.features is not None:
            # Other machines do not know what is defined here.
            problems = problems.on_this_machine()

        def tell(candidate: Candidate) -> None:
            assert settings.observe is not None
            settings.observe(member.name, candidate)

        options = OperatorOptions(
            member.generalise,
            member.every_plan,
            # Measured (docs/concepts/deviations.md): here the paper's reading is no better.
            shortest_first=True,
            achiever_needs=False,
            selective=True,
            features=self.features,
        )
        found = PolicySearch(
            problems,
            SCORES[config.score](
                problems,
                config.rollout_steps,
                config.plan_horizon,
                config.accumulate or member.accumulation,
            ),
            {
                name: LockedRules(make(problems, options), settings.locked)
                for name, make in OPERATORS.items()
                if name in config.operator_names
            },
            max_candidates=settings.max_candidates * (1 if self.features is None else _LARGER),
            size_weight=config.size_weight,
            max_effort=_MAX_EFFORT,
            heed_total=False,
            accept=accept,
            start=last,
            patient_with=INDUCE_RULE if member.patient else None,
            observe=None if settings.observe is None else tell,
        ).run()
        problems.native.forget(everything=False)
        return Proposal(found.policy, found.reason, found.candidates, found.expansions)


class RegressionProposer:
    """Goal regression, which goes on with what it has learned from fewer problems."""

    goes_on: ClassVar[bool] = True

    def __init__(
        self,
        settings: Settings,
        working: Training,
        name: str,
        macro_moves: Mapping[str, MacroMove] = MappingProxyType({}),
        subgoals: Mapping[str, SubgoalChain] = MappingProxyType({}),
        *,
        by_chains: bool = False,
        has_rival: bool = False,
    ) -> None:
        self.name = name
        self.has_rival = has_rival
        self._settings = settings
        self._rounds = 0
        self._regression = Regression(
            working,
            seed=settings.config.seed,
            expansions=2 * working.expansions,
            first=settings.first,
            max_run=LONGEST_RUN,
            macro_moves=macro_moves,
            subgoals=subgoals,
            by_chains=by_chains,
            dependencies=settings.dependencies,
        )

    def propose(
        self,
        working: Training,
        last: PolicyKey,
        accept: Callable[[PolicyKey], bool],
    ) -> Proposal | None:
        """The rules learned so far."""
        budget = LARGE_BUDGET if self._rounds else RegressionBudget()
        found = self._regression.learn(working, budget=budget, observe=self._tell(working))
        self._rounds += 1
        return Proposal(found.policy, StopReason(found.limit or StopReason.EXHAUSTED))

    def _tell(self, working: Training) -> Callable[[PolicyKey, list[int]], None] | None:
        observe, journal = self._settings.observe, working.budget.journal
        if observe is None:
            return None
        name = self.name if self._rounds == 0 else f"{self.name}, round {self._rounds + 1}"
        started, scores = journal.elapsed, list[float]()

        def tell(policy: PolicyKey, failed: list[int]) -> None:
            number, score = len(scores), float(sum(failed))
            scores.append(score)
            observe(
                name,
                Candidate(
                    number,
                    number - 1 if number else None,
                    "repair" if number else None,
                    policy,
                    Evaluation(score, failed, score == 0, tuple),
                    working.book.policy_size(policy),
                    0,
                    journal.elapsed - started,
                    score <= min(scores),
                    working.indices,
                ),
            )

        return tell


def proposers(
    settings: Settings, working: Training, known: Sequence[Problem]
) -> Iterator[Proposer]:
    """All proposers for a domain, the cheap ones first; `known` problems show if it has maps.

    Regression comes before searches: it takes less time, and its policies need fewer steps. Plain
    regression would remember a map stop by stop, and a goal subgoal by subgoal. Where there are
    such, it is regression with macro moves and subgoals that comes first.
    """
    domain, book = working.domain, working.book
    problems = [task.problem for task in working.tasks]
    moves = pure_moves(domain)
    plain = macro_moves_of(moves, roads(moves, domain), domain)
    chains, _ = _subgoals(working, plain)
    has_maps = have_stops(plain, moves, domain, known) or bool(chains)
    if settings.may_regress and not has_maps:
        yield RegressionProposer(settings, working, "goal regression", has_rival=True)
        yield RegressionProposer(settings, working, "goal regression by chains", by_chains=True)
    features = features_of(domain, problems, book.vocabulary.definitions)
    macro_moves = macro_moves_of(features.moves, features.roads, domain)
    chains, inverted = _subgoals(working, macro_moves)
    if has_maps:
        book.define((*features.definitions, *inverted))
        if settings.may_regress:
            name = "goal regression along roads"
            ways = macro_moves, chains
            yield RegressionProposer(settings, working, name, *ways, has_rival=True)
            yield RegressionProposer(settings, working, f"{name} by chains", *ways, by_chains=True)
    for member in MEMBERS:
        yield SearchProposer(settings, member)
    if features:
        if not has_maps:
            book.define(features.definitions)
        for member in EXTENDED_MEMBERS:
            yield SearchProposer(settings, member, features)
    if settings.may_regress and has_maps:
        yield RegressionProposer(settings, working, "goal regression")


def _subgoals(
    working: Training, macro_moves: Mapping[str, MacroMove]
) -> tuple[dict[str, SubgoalChain], tuple[Clause, ...]]:
    """The subgoal chains of the problems' goals, and what must be defined for them."""
    goals = {atom.predicate for task in working.tasks for atom in task.problem.goal}
    known = working.book.vocabulary.definitions
    return subgoal_chains(working.domain, goals, macro_moves, known)
