"""A problem as an environment of Gymnasium, and a policy in it."""

from __future__ import annotations

import pytest

from pg3 import execute, read_policy, read_problem
from pg3.errors import Pg3Error
from tests.conftest import REPOSITORY

gym = pytest.importorskip("pg3.integrations.gym")

SMALL = REPOSITORY / "examples" / "ferry" / "small.pddl"
POLICY = REPOSITORY / "examples" / "policies" / "ferry.policy"


def test_a_policy_solves_its_environment() -> None:
    env = gym.PlanningEnv(SMALL)
    agent = gym.PolicyAgent(env, POLICY)
    problem = read_problem(SMALL)
    plan = []
    observation, info = env.reset(seed=1)
    assert observation == frozenset(problem.init)
    terminated = False
    while not terminated:
        number = agent.act(observation)
        assert number in info["actions"]
        plan.append(env.actions[number])
        observation, reward, terminated, truncated, info = env.step(number)
        assert (reward, truncated) == (float(terminated), False)
        assert env.observation_space.contains(observation)
    assert tuple(plan) == execute(problem, read_policy(POLICY, problem.domain)).plan
    assert "(at c1 l1)" in env.render()


def test_actions_that_cannot_be_done_change_nothing() -> None:
    env = gym.PlanningEnv(SMALL, max_steps=2)
    start, info = env.reset()
    impossible = next(i for i in range(len(env.actions)) if i not in info["actions"])
    assert env.action_space.contains(impossible)
    after, reward, terminated, truncated, info = env.step(impossible)
    assert (after, reward, terminated, truncated) == (start, 0.0, False, False)
    assert info["applicable"] is False
    *_, truncated, _ = env.step(env.actions[impossible])
    assert truncated
    with pytest.raises(Pg3Error, match="no action is given"):
        env.step(None)


def test_another_start() -> None:
    env = gym.PlanningEnv(SMALL)
    start, _ = env.reset()
    moved, *_ = env.step(env.reset()[1]["actions"][0])
    assert moved != start
    assert env.reset(options={"state": moved})[0] == moved
