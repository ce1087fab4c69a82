"""Theorems 1 and 2 of the paper on random settings, with pg3's own planner and policies.

Blind search stands for the admissible heuristic of Assumption 1: policy steps cost 0 in the graph
that policy-guided planning searches, so what is admissible in the problem need not be so there
(see `test_counterexamples.py`).
"""

from __future__ import annotations

import math
from dataclasses import replace

import hypothesis
from hypothesis import given
from hypothesis import strategies as st

from pg3.planning import execute, plan_guided, policy_action
from tests.theory.scores import pg3_score, plan_comparison
from tests.theory.strategies import improvable_settings, settings_of_theorem_1, tabular_settings
from tests.theory.tabular import Entry, Setting


@hypothesis.settings(max_examples=40)
@given(tabular_settings())
def test_the_decision_list_is_the_table(setting: Setting) -> None:
    for quest, task in zip(setting.quests, setting.problems, strict=True):
        for state in setting.world.reachable(quest.start):
            step = policy_action(task, setting.policy, state)
            assert (step and step.action) == setting.table.get(Entry(state, quest.goal))
        assert execute(task, setting.policy).solved == setting.solved(quest)


@given(settings_of_theorem_1())
def test_theorem_1(setting: Setting) -> None:
    score = pg3_score(setting.problems, setting.policy)
    assert score == setting.cost_to_go()
    if score < math.inf:
        # The proof's construction: with the plan's actions in the table everything is solved, also
        # the problems that were solved before and have the same goal.
        mended = dict(setting.table)
        (unsolved,) = (quest for quest in setting.quests if not setting.solved(quest))
        state = unsolved.start
        found = plan_guided(setting.world.problem(unsolved), setting.policy, heuristic="blind").plan
        for action in found or ():
            mended[Entry(state, unsolved.goal)] = action
            state = setting.world.moves[state][action]
        assert all(map(replace(setting, table=mended).solved, setting.quests))
        assert sum(mended[entry] != setting.table.get(entry) for entry in mended) == score


@given(improvable_settings(), st.integers(1, 4))
def test_theorem_2(setting: Setting, rollout_steps: int) -> None:
    score = pg3_score(setting.problems, setting.policy)
    assert 0 < score <= setting.cost_to_go()
    # Rollouts of rollouts cost 0 as well, so that their length changes nothing but the effort.
    assert pg3_score(setting.problems, setting.policy, rollout_steps=rollout_steps) == score
    # PG3 compares with the plan that suits the policy best, so no other plan does better.
    assert plan_comparison(setting.problems, setting.policy) >= score


@hypothesis.settings(max_examples=30)
@given(settings_of_theorem_1(), st.data())
def test_corollary_of_theorem_1(setting: Setting, data: st.DataObject) -> None:
    """Under Theorem 1's condition GBFS with PG3 goes straight to a satisficing policy.

    Whichever of the best successors is taken, it still solves all problems but one, and is one
    change closer: no change that breaks a solved problem lowers the score.
    """
    score = pg3_score(setting.problems, setting.policy)
    while 0 < score < math.inf:
        scored = [(pg3_score(setting.problems, one.policy), one) for one in setting.successors()]
        best = min(value for value, _ in scored)
        assert best == score - 1
        setting = data.draw(st.sampled_from([one for value, one in scored if value == best]))
        assert sum(not setting.solved(quest) for quest in setting.quests) <= 1
        assert setting.cost_to_go() == best
        score = best
    assert score in {0, setting.cost_to_go()}
