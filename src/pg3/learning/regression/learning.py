"""Learning by goal regression: gather experience, put the rules in order, repair."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import cycle, islice
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.budget import LimitReached, reason_of
from pg3.learning.regression.experience import Experience
from pg3.learning.regression.problems import RegressionProblem
from pg3.learning.robustness.perturbations.variations import Variations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pg3.learning.dependencies import Dependencies
    from pg3.learning.regression.macro_moves import MacroMove
    from pg3.learning.regression.subgoals import SubgoalChain
    from pg3.learning.training import Training
    from pg3.policy.rule_book import PolicyKey


# So many experiences are made whatever their effort.
LEAST = 50


class RegressionBudget(NamedTuple):
    """How much to plan and to run.

    After a `patience` of experiences in a row without a new rule, more are not worth their plans.
    With few problems each has more experiences, and more runs in a round of repair: `experiences`
    and `runs` in all, while the plans take less than `effort`, a measure of time that is the same
    on every machine.
    """

    patience: int = 20
    experiences: int = 50
    runs: int = 20
    effort: int = 1_000_000


_SMALL_BUDGET = RegressionBudget()
LARGE_BUDGET = RegressionBudget(patience=400, experiences=1200, runs=200)


@dataclass(frozen=True, slots=True)
class RegressionResult:
    """A policy, as numbers in the training's book of rules, and how it came about.

    `ranks` are the ranks of its learned rules: how many relevant actions they are from their goal.
    `longest_run` is the longest run of consecutive actions of one schema in the relevant part of a
    plan for one goal: three or more suggest that the domain asks for runs of any length, which
    these rules cannot express. `plans` counts the searches for a plan, `failures` those that found
    none within their limit. Of the `runs` of the last policy `solved` reached the goal; others may
    have started where no plan leads to it. `limit` is that of the run, if it was reached.
    """

    policy: PolicyKey
    ranks: tuple[int, ...]
    longest_run: int
    plans: int
    failures: int
    runs: int
    solved: int
    limit: str | None = None


class Regression:
    """Learns by goal regression from more and more problems; what it has learned it keeps.

    `expansions` limits each search. The rules `first` come before all learned ones, and rules are
    learned where they fail. With `max_run` rules end where a plan has a longer run of actions of
    one schema. A run of moves is one action of the `macro_moves`. For goals with a chain
    of `subgoals` each subgoal has a plan of its own. For `by_chains` see `causal_chains`, for
    `dependencies` the `SuffixTree`.
    """

    def __init__(
        self,
        training: Training,
        *,
        seed: int,
        expansions: int = 2000,
        first: PolicyKey = (),
        max_run: int | None = None,
        macro_moves: Mapping[str, MacroMove] = MappingProxyType({}),
        subgoals: Mapping[str, SubgoalChain] = MappingProxyType({}),
        by_chains: bool = False,
        dependencies: Dependencies = MappingProxyType({}),
    ) -> None:
        self._rng = random.Random(seed)
        self._experience = Experience(
            training,
            expansions,
            max_run,
            macro_moves,
            subgoals,
            by_chains=by_chains,
            dependencies=dependencies,
        )
        self._first = first

    def learn(
        self,
        training: Training,
        *,
        rounds: int = 3,
        experiences: int = 5,
        runs: int = 4,
        walk: int = 10,
        budget: RegressionBudget = _SMALL_BUDGET,
        observe: Callable[[PolicyKey, list[int]], None] | None = None,
    ) -> RegressionResult:
        """A policy made of the rules of all plans for single goals on the training problems.

        The first time, each problem gives one experience from its initial state and up to
        `experiences` in all, the others after random walks of up to `walk` actions, until a long
        row of them taught nothing new. Each of up to `rounds` rounds of repair makes so many `runs`
        a problem, from the initial state and after random walks, every other one on a variation,
        and learns where a run stops short of the goal, or before it came into a dead end; a last
        round only counts.
        `observe` gets each policy after its runs, with how many of them failed on each problem.
        When the training's budget is used up, the latest policy is the result.
        The result depends on the problems learned from so far, the seed and the numbers given, on
        nothing else.
        """
        rng, experience, first = self._rng, self._experience, self._first
        policy = first
        made = solved = 0
        limit = None
        try:
            problems = [RegressionProblem(task) for task in training.tasks]
            variations = Variations([task.problem for task in training.tasks])
            idle = 0
            sweeps = max(experiences, budget.experiences // len(problems))
            # Where a policy is there, its failures say what is missing.
            sweeps = 0 if experience.rules else sweeps
            for sweep, on_variation in zip(range(sweeps), cycle((False, True)), strict=False):
                # Walks lead to other states than the starts: a start without a new rule is no sign.
                if sweep == 1:
                    idle = 0
                for problem in problems:
                    if sweep and idle >= budget.patience:
                        break
                    enough = sweep > 1 and sweep * len(problems) >= LEAST
                    if enough and experience.effort >= budget.effort:
                        break
                    here = problem.varied(variations, rng, training) if on_variation else problem
                    start = here.walk(rng.randint(0, walk) if sweep else 0, rng)
                    idle = 0 if experience.gather(here, start, rng) else idle + 1
            policy = first + experience.policy()
            runs = max(runs, budget.runs // len(problems))
            for number in range(rounds + 1):
                failed = []
                for problem in problems:
                    failed.append(0)
                    for i, here in enumerate(
                        islice(_with_variations(problem, variations, rng, training), runs)
                    ):
                        start = here.walk(rng.randint(1, walk) if i else 0, rng)
                        states = here.run(policy, start, training.budget)
                        if not here.space.is_goal(states[-1]):
                            failed[-1] += 1
                            if number < rounds:
                                experience.gather_after(here, policy, states, rng)
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


def _with_variations(
    problem: RegressionProblem, variations: Variations, rng: random.Random, training: Training
) -> Iterator[RegressionProblem]:
    """The problem and variations of it in turn, without end.

    Each variation comes twice, since grounding it costs more than a run.
    """
    while True:
        yield problem
        varied = problem.varied(variations, rng, training)
        yield varied
        yield problem
        yield varied
