"""Learning by goal regression: gather experience, put the rules in order, repair."""

from __future__ import annotations

import random
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.budget import LimitReached, reason_of
from pg3.learning.regression.ordering import RankedRule, RuleOrder, layers
from pg3.learning.regression.practice import Practice
from pg3.learning.regression.stages import stage_plans
from pg3.learning.regression.suffixes import SuffixTree
from pg3.learning.robustness.perturbations import Variations
from pg3.learning.training import Steps
from pg3.storage.schema import ListOf

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pg3.learning.regression.ordering import Kind
    from pg3.learning.regression.stages import Stage
    from pg3.learning.regression.suffixes import Suffix
    from pg3.learning.regression.travel import Road
    from pg3.learning.training import Training
    from pg3.pddl.model import Atom
    from pg3.pddl.plans import GroundAction
    from pg3.policy.rule_book import PolicyKey


# Experiences that are worth any effort.
LEAST = 50


class Diligence(NamedTuple):
    """How much to do.

    After a `patience` of experiences in a row without a new rule more of the kind are not worth
    their plans. Where there are few problems each has more experiences, and more runs in a round:
    so many in all, while the plans take less than so much `effort`, a measure of time that is the
    same on every machine.
    """

    patience: int = 20
    experiences: int = 50
    runs: int = 20
    effort: int = 1_000_000


_DILIGENCE = Diligence()
THOROUGH = Diligence(patience=400, experiences=1200, runs=200)


@dataclass(frozen=True, slots=True)
class RegressionResult:
    """A policy, as numbers in the training's book of rules, and how it came about.

    `ranks` are the ranks of its learned rules: how many relevant actions they are from their goal.
    `longest_run` is the longest run of consecutive actions of one schema in the relevant part of a
    plan for one goal: three or more suggest that the domain asks for runs of any length, which
    these rules cannot express. `plans` counts the searches for a plan, `failures` those that found
    none within their limit. Of the `runs` of the policy that ended its repair `solved` reached the
    goal; others may have started where no plan leads to it. `limit` is that of the run, if it was
    reached.
    """

    policy: PolicyKey
    ranks: tuple[int, ...]
    longest_run: int
    plans: int
    failures: int
    runs: int
    solved: int
    limit: str | None = None


def learn_by_regression(
    training: Training,
    *,
    seed: int,
    rounds: int = 3,
    experiences: int = 5,
    runs: int = 4,
    walk: int = 10,
    expansions: int = 2000,
    first: PolicyKey = (),
    diligence: Diligence = _DILIGENCE,
    max_run: int | None = None,
    roads: Mapping[str, Road] = MappingProxyType({}),
    stages: Mapping[str, Stage] = MappingProxyType({}),
    observe: Callable[[PolicyKey, list[int]], None] | None = None,
) -> RegressionResult:
    """A policy made of the rules of all plans for single goals on the training problems.

    Each problem gives one experience from its initial state and up to `experiences` in all, the
    others after random walks of up to `walk` actions, until a long row of them taught nothing new.
    Each of up to `rounds` rounds of repair makes so many `runs` a problem, from the initial state
    and after random walks, every other one with the objects listed in another order, and learns
    where a run stops short of the goal; a last round only looks. `expansions` limits each search.
    The rules `first` come before all that is learned, and it is learned where they fail.
    With `max_run` nothing is learned once a plan has a longer run of like actions than that.
    Along `roads` such a run is one action, and of goals that are reached by `stages` each stage has
    a plan of its own.
    `observe` is told each policy once it has made its runs, with how many failed on each problem.
    When the training's budget is used up, the latest policy is the result.
    The result depends on the problems, the seed and the numbers given, on nothing else.
    """
    rng = random.Random(seed)
    experience = Experience(training, expansions, max_run, roads, stages)
    policy = first
    made = solved = 0
    limit = None
    try:
        problems = [Practice(task) for task in training.tasks]
        variations = Variations([task.problem for task in training.tasks])
        idle = 0
        for number in range(max(experiences, diligence.experiences // len(problems))):
            # Walks lead to other states than the starts do: what the starts taught is no measure.
            if number == 1:
                idle = 0
            for problem in problems:
                if number and idle >= diligence.patience:
                    break
                enough = number > 1 and number * len(problems) >= LEAST
                if enough and experience.effort >= diligence.effort:
                    break
                here = problem.varied(variations, rng, training) if number % 2 else problem
                start = here.walk(rng.randint(0, walk) if number else 0, rng)
                idle = 0 if experience.gather(here, start, rng) else idle + 1
                if experience.unrolls:
                    return experience.nothing()
        policy = first + experience.policy()
        runs = max(runs, diligence.runs // len(problems))
        for number in range(rounds + 1):
            failed = []
            for problem in problems:
                failed.append(0)
                for i in range(runs):
                    # Grounding costs more than a run, so that each variation has two of them.
                    if i % 4 == 1:
                        varied = problem.varied(variations, rng, training)
                    here = varied if i % 2 else problem
                    start = here.walk(rng.randint(1, walk) if i else 0, rng)
                    last = here.run(policy, start, training.budget)
                    if not here.space.is_goal(last):
                        failed[-1] += 1
                        if number < rounds:
                            experience.gather(here, last, rng)
                            if experience.unrolls:
                                return experience.nothing()
            made, solved = runs * len(problems), runs * len(problems) - sum(failed)
            if observe is not None:
                observe(policy, failed)
            repaired = first + experience.policy()
            if repaired == policy:
                break
            policy = repaired
    except (LimitReached, MemoryError) as reached:
        limit = reason_of(reached)
    return RegressionResult(
        policy=policy,
        ranks=tuple(experience.rules[number].rank for number in policy[len(first) :]),
        longest_run=experience.longest_run,
        plans=experience.plans,
        failures=experience.failures,
        runs=made,
        solved=solved,
        limit=limit,
    )


class Experience:
    """Plans for single goals and the rules that they give."""

    def __init__(
        self,
        training: Training,
        expansions: int,
        max_run: int | None = None,
        roads: Mapping[str, Road] = MappingProxyType({}),
        stages: Mapping[str, Stage] = MappingProxyType({}),
    ) -> None:
        self.book = training.book
        self.budget = training.budget
        self.expansions = expansions
        self.rules: dict[int, RankedRule] = {}
        self.plans = 0
        self.failures = 0
        self.longest_run = 0
        self.effort = 0
        self._max_run = max_run
        self._roads = roads
        self._stages = stages
        self._tree = SuffixTree(training.domain, roads)
        self._order = RuleOrder(training.domain, thin=bool(roads))
        self._met: set[Suffix] = set()
        self._undone_by: set[tuple[Kind, Kind]] = set()

    def gather(self, problem: Practice, state: int, rng: random.Random) -> bool:
        """Plan from a state for one goal after the other, keep what is achieved, learn the rules.

        Goals come in random order; one for which no plan is found is passed over, and a variation
        given up, which may have no solution at all. Returns whether anything was new.
        """
        known = len(self.rules), len(self._undone_by)
        goals = list(problem.goals)
        rng.shuffle(goals)
        achieved = problem.achieved(state)
        for goal in goals:
            if goal in achieved:
                continue
            self.plans += 1
            plan = self._plan(problem, state, [goal, *sorted(achieved)])
            self.effort += problem.space.num_actions * (
                self.expansions if plan is None else len(plan)
            )
            if plan is None:
                self.failures += 1
                if problem.is_variation:
                    break
                continue
            deeds = [problem.deed(action) for action in plan]
            kind = problem.kinds[goal]
            for number, deed in zip(plan, deeds, strict=True):
                if goal not in achieved:
                    self._undone_by |= {
                        (problem.kinds[other], kind) for other in deed.undoes & achieved
                    }
                achieved = (achieved - deed.undoes) | deed.achieves
                state = problem.space.apply(state, number)
            self._learn(problem, goal, [deed.action for deed in deeds])
            if self.unrolls:
                break
        return known != (len(self.rules), len(self._undone_by))

    def _plan(self, problem: Practice, state: int, fluents: list[int]) -> list[int] | None:
        """The actions of a plan to make fluents true, None if none is found within the limit."""
        goals = set(fluents)
        plan_shape = Steps(problem.space, state, lambda end: goals <= problem.achieved(end))
        known = self.budget.journal.recall("subplan", ListOf(plan_shape, most=1))
        if known is None:
            status, plan = problem.space.plan_to(
                state, fluents, self.expansions, *self.budget.limits
            )
            known = [plan] if self.budget.checked(status) == "solved" else []
            self.budget.journal.record("subplan", known)
        return known[0] if known else None

    def _learn(self, problem: Practice, goal: int, plan: Sequence[GroundAction]) -> None:
        atom = problem.goals[goal]
        stage = self._stages.get(atom.predicate)
        if stage is None:
            self._learn_part(problem, atom, plan, None)
            return
        for reached, part in stage_plans(stage, atom, plan, self.book.domain):
            self._learn_part(problem, reached, part, stage)

    def _learn_part(
        self, problem: Practice, goal: Atom, plan: Sequence[GroundAction], stage: Stage | None
    ) -> None:
        run, schema = 0, None
        who = problem.travellers(self._roads)
        for suffix in self._tree.regress(goal, plan, problem.types, who):
            name = suffix.steps[0].schema.name
            run, schema = (run + 1 if name == schema else 1), name
            self.longest_run = max(self.longest_run, run)
            if self.unrolls:
                return
            if suffix in self._met or suffix.rule is None:
                continue
            self._met.add(suffix)
            rule = suffix.rule if stage is None else stage.written(suffix.rule)
            if rule is None:
                continue
            number = self.book.number(rule)
            known = self.rules.get(number)
            if known is None or suffix.rank < known.rank:
                self.rules[number] = RankedRule(number, rule, suffix.rank)

    @property
    def unrolls(self) -> bool:
        """Whether a plan had a longer run of like actions than is allowed."""
        return self._max_run is not None and self.longest_run > self._max_run

    def nothing(self) -> RegressionResult:
        """The result where these plans are not worth a policy."""
        return RegressionResult((), (), self.longest_run, self.plans, self.failures, 0, 0)

    def policy(self) -> PolicyKey:
        """The rules learned so far, in order."""
        ordered = self._order.arrange(
            self.rules.values(), layers(self._undone_by), self.budget.check
        )
        return tuple(rule.number for rule in ordered)
