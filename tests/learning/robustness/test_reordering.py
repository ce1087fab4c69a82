"""Rules in another order: fewer steps, and nothing that was solved is lost."""

from __future__ import annotations

from itertools import permutations

from pg3 import learn
from pg3.domains import DOMAINS
from pg3.learning.robustness.reordering import shorter_order
from pg3.learning.training import Training
from pg3.planning import execute
from pg3.policy import DecisionList
from tests.support.ferry_problems import POLICY, ferry_problem

MICONIC = DOMAINS["miconic-once"]
FERRIES = [
    ferry_problem({"c0": "l1", "c1": "l1"}, {"c0": "l2", "c1": "l0"}, 3, "two-cars"),
    ferry_problem({"c0": "l2"}, {"c0": "l1"}, 3, "one-car"),
]


def ordered(policy: DecisionList) -> DecisionList:
    training = Training(FERRIES)
    key = tuple(training.book.number(rule) for rule in policy.rules)
    order = shorter_order(key, training)
    return DecisionList("ordered", tuple(policy.rules[rule] for rule in order))


def steps(policy: DecisionList) -> int | None:
    done = [execute(problem, policy, max_steps=100) for problem in FERRIES]
    return sum(one.steps for one in done) if all(one.solved for one in done) else None


def test_no_order_that_solves_them_loses_a_problem_or_gets_longer() -> None:
    for rules in permutations(POLICY.rules):
        policy = DecisionList("some", rules)
        before = steps(policy)
        if before is not None:
            after = steps(ordered(policy))
            assert after is not None
            assert after <= before


def test_an_empty_policy_stays_as_it_is() -> None:
    assert ordered(DecisionList("empty", ())).rules == ()


def test_the_lift_lets_passengers_in_before_it_moves_on() -> None:
    train = MICONIC.problems("train", seed=0)
    test = MICONIC.problems("test", seed=0, count=5)
    taken = {}
    for prefer in ("short-policy", "short-plans"):
        result = learn(MICONIC.domain, train, prefer=prefer)
        done = [execute(problem, result.policy) for problem in test]
        assert all(one.solved for one in done)
        taken[prefer] = sum(one.steps for one in done)
    assert taken["short-plans"] < taken["short-policy"]
