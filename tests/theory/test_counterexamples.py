"""Where scores miss the GPS cost-to-go.

They were found with `python -m tests.theory.counterexamples` and then made easier to read.
`docs/concepts/theory.md` tells the story of the first of them.
"""

from __future__ import annotations

import pytest

from pg3.planning import Limits
from tests.theory.scores import pg3_score, plan_comparison, policy_evaluation
from tests.theory.tabular import Setting, journey

# From a to g there are a short way over b and a longer one over x and y.
FORK = {"a": "a b x", "b": "b g", "x": "x y", "y": "y g", "g": ""}
STANDING = "a-a b-b x-x y-y"
WITH_A_GAP = "a-a b-b x-y y-g"
LONG_WAY = "a-x b-b x-y y-g"


def scores(setting: Setting) -> tuple[float, float, float, float]:
    """The cost-to-go, PG3, plan comparison and policy evaluation."""
    problems, policy = setting.problems, setting.policy
    return (
        setting.cost_to_go(),
        pg3_score(problems, policy),
        plan_comparison(problems, policy),
        policy_evaluation(problems, policy),
    )


@pytest.mark.parametrize(
    ("table", "expected"),
    [(STANDING, (2, 2, 2, 1)), (WITH_A_GAP, (1, 1, 2, 1)), (LONG_WAY, (0, 0, 2, 0))],
)
def test_worked_example(table: str, expected: tuple[float, ...]) -> None:
    assert scores(journey(FORK, "a-g", g=table)) == expected


def test_theorem_1_needs_all_but_one_solved() -> None:
    same_goal = journey(FORK, "a-g x-g", g=STANDING)
    assert scores(same_goal) == (3, 2, 2, 2)
    two_goals = journey(FORK, "a-b a-x", b="a-a b-b x-x y-y", x="a-a b-b x-x y-y")
    assert scores(two_goals) == (2, 1, 1, 2)


def test_plan_comparison_exceeds_the_cost_to_go() -> None:
    one_unsolved = journey(FORK, "a-g x-g", g=WITH_A_GAP)
    assert scores(one_unsolved) == (1, 1, 2, 1)
    satisficing = journey({"a": "b g", "b": "g", "g": ""}, "a-g", g="a-b b-g")
    assert scores(satisficing) == (0, 0, 1, 0)


def test_plan_comparison_falls_short_of_the_cost_to_go() -> None:
    """Only where several problems are unsolved: it is never below PG3."""
    setting = journey({"a": "a g", "b": "b g", "g": ""}, "a-g b-g", g="a-a b-b")
    assert scores(setting) == (2, 1, 1, 2)


def test_policy_evaluation_falls_short_of_the_cost_to_go() -> None:
    one_unsolved = journey({"a": "a b", "b": "b g", "g": ""}, "a-g g-g", g="a-a b-b")
    assert scores(one_unsolved) == (2, 2, 2, 1)


def test_policy_evaluation_exceeds_the_cost_to_go() -> None:
    one_entry_for_two = journey(
        {"a": "c", "b": "c", "c": "c g", "g": ""}, "a-g b-g", g="a-c b-c c-c"
    )
    assert scores(one_entry_for_two) == (1, 1, 1, 2)


def test_h_max_is_not_admissible_where_policy_steps_are_free() -> None:
    """h_max(x) = 2 though the policy takes the traveller from x to g for nothing.

    So A* prefers b, and the plan over b agrees nowhere with the policy: both theorems fail.
    """
    setting = journey(FORK, "a-g x-g", g=WITH_A_GAP)
    assert setting.cost_to_go() == 1
    assert pg3_score(setting.problems, setting.policy, heuristic="max") == 2
    assert pg3_score(setting.problems, setting.policy, heuristic="add") == 2


def test_incomplete_planning_breaks_the_lower_bound() -> None:
    setting = journey(FORK, "a-g", g=WITH_A_GAP)
    limited = pg3_score(setting.problems, setting.policy, limits=Limits(expansions=1), unsolved=100)
    assert limited == 100 > setting.cost_to_go()
