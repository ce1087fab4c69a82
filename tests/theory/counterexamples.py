"""Search for small settings in which a score function misses the GPS cost-to-go.

`python -m tests.theory.counterexamples` prints one for each claim, as small as Hypothesis can make
it; those worth keeping stand in `test_counterexamples.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import hypothesis
from hypothesis import HealthCheck, Phase

from tests.theory.scores import pg3_score, plan_comparison, policy_evaluation
from tests.theory.strategies import forks, graphs, tabular_settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from pg3.pddl.model import Atom
    from tests.theory.tabular import Setting


def _all_but_one_solved(setting: Setting) -> bool:
    return sum(not setting.solved(quest) for quest in setting.quests) == 1


def _pg3_with_h_max_exceeds(setting: Setting) -> bool:
    return pg3_score(setting.problems, setting.policy, heuristic="max") > setting.cost_to_go()


def _pg3_falls_short(setting: Setting) -> bool:
    return pg3_score(setting.problems, setting.policy) < setting.cost_to_go()


def _plan_comparison_exceeds_for_one_unsolved(setting: Setting) -> bool:
    score = plan_comparison(setting.problems, setting.policy)
    return _all_but_one_solved(setting) and score > setting.cost_to_go()


def _plan_comparison_exceeds_for_a_satisficing_policy(setting: Setting) -> bool:
    return plan_comparison(setting.problems, setting.policy) > setting.cost_to_go() == 0


def _plan_comparison_falls_short(setting: Setting) -> bool:
    return plan_comparison(setting.problems, setting.policy) < setting.cost_to_go()


def _policy_evaluation_falls_short_for_one_unsolved(setting: Setting) -> bool:
    score = policy_evaluation(setting.problems, setting.policy)
    return _all_but_one_solved(setting) and score < setting.cost_to_go()


def _policy_evaluation_exceeds(setting: Setting) -> bool:
    return policy_evaluation(setting.problems, setting.policy) > setting.cost_to_go()


CLAIMS: tuple[Callable[[Setting], bool], ...] = (
    _pg3_with_h_max_exceeds,
    _pg3_falls_short,
    _plan_comparison_exceeds_for_one_unsolved,
    _plan_comparison_exceeds_for_a_satisficing_policy,
    _plan_comparison_falls_short,
    _policy_evaluation_falls_short_for_one_unsolved,
    _policy_evaluation_exceeds,
)


def describe(setting: Setting) -> str:
    """The arguments of `journey` that give the setting, and its scores."""

    def name(atoms: frozenset[Atom]) -> str:
        return next(atom.terms[0] for atom in atoms if atom.predicate == "at")

    edges = {
        name(state): " ".join(action.objects[1] for action in moves)
        for state, moves in setting.world.moves.items()
    }
    routes = " ".join(f"{name(quest.start)}-{name(quest.goal)}" for quest in setting.quests)
    tables: dict[str, list[str]] = {}
    for entry, action in setting.table.items():
        tables.setdefault(name(entry.goal), []).append("-".join(action.objects))
    policy, problems = setting.policy, setting.problems
    return (
        f"  {edges}\n  {routes}\n  { {goal: ' '.join(steps) for goal, steps in tables.items()} }\n"
        f"  cost-to-go {setting.cost_to_go()}, PG3 {pg3_score(problems, policy)}, "
        f"PG3 with h_max {pg3_score(problems, policy, heuristic='max')}, "
        f"plan comparison {plan_comparison(problems, policy)}, "
        f"policy evaluation {policy_evaluation(problems, policy)}"
    )


def main() -> None:
    """Print a counterexample a claim."""
    thorough = hypothesis.settings(
        derandomize=True,
        max_examples=3000,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    for claim in CLAIMS:
        found = hypothesis.find(tabular_settings(forks() | graphs()), claim, settings=thorough)
        print(f"{claim.__name__.strip('_').replace('_', ' ')}\n{describe(found)}")


if __name__ == "__main__":
    main()
