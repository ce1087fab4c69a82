"""Rules in another order: fewer steps, and nothing that was solved is lost."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from pg3.domains import DOMAINS
from pg3.learning.checkpoint.journal import Entry, Journal
from pg3.learning.learner import learn
from pg3.learning.robustness.reordering import shorter_order
from pg3.learning.training import Training
from pg3.planning import execute
from pg3.policy import DecisionList
from tests.support.ferry_problems import POLICY, ferry_problem

if TYPE_CHECKING:
    from collections.abc import Sequence

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


def learned(past: Sequence[Entry] = ()) -> tuple[str, list[tuple[str, object]]]:
    """A policy that is reordered, and the new entries of the journal."""
    lines: list[str] = []
    train = MICONIC.problems("train", seed=0)
    journal = Journal(past, lines.append)
    policy = learn(MICONIC.domain, train, prefer="short-plans", journal=journal).policy
    return str(policy), [Entry.parse(line)[1:] for line in lines]


def test_a_run_that_was_stopped_around_the_reordering_ends_as_one_that_was_not() -> None:
    policy, entries = learned()
    place = [kind for kind, _ in entries].index("order")
    order = entries[place][1]
    assert isinstance(order, list)
    assert order != sorted(order)
    for length in (place, place + 1):
        past = [Entry(float(i), *entry) for i, entry in enumerate(entries[:length])]
        again, rest = learned(past)
        assert again == policy
        assert entries[:length] + rest == entries
