"""Conditions that no test needs."""

from __future__ import annotations

from dataclasses import replace

from pg3.learning.learner import learn
from pg3.learning.robustness.pruning import without_needless_conditions
from pg3.learning.robustness.test_suite import Suite
from pg3.learning.robustness.verdicts import Result
from pg3.learning.training import Training
from pg3.pddl.model import Atom, Literal
from pg3.planning import execute
from tests.support.ferry_problems import FERRY, POLICY, small_ferry_problems

PROBLEMS = small_ferry_problems(6)


def pruned(rules: tuple[str, ...] = ()) -> tuple[int, int, bool]:
    """The conditions before and after, of a policy with one that is always true in each rule."""
    wordy = replace(
        POLICY,
        rules=tuple(
            replace(
                rule,
                preconditions=(
                    *rule.preconditions,
                    Literal(Atom("location", (rule.parameters[1].name,))),
                ),
            )
            for rule in POLICY.rules
        ),
    )
    training = Training(PROBLEMS)
    suite = Suite(training, seed=0)
    key = training.book.take(wordy)
    kept = tuple(
        number for rule, number in zip(wordy.rules, key, strict=True) if rule.name in rules
    )
    before = Result(suite.test(key), "some", key)
    after = without_needless_conditions(before, suite, kept)
    assert after.verdict == suite.test(after.policy)
    assert after.verdict[:2] <= before.verdict[:2]
    assert after.verdict.steps <= before.verdict.steps
    return before.verdict.size, after.verdict.size, set(kept) <= set(after.policy)


def test_what_is_always_true_goes() -> None:
    before, after, _ = pruned()
    # In all rules but those whose action asks for it.
    assert after <= before - 3


def test_rules_to_keep_stay() -> None:
    everything = tuple(rule.name for rule in POLICY.rules)
    before, after, kept = pruned(everything)
    assert (after, kept) == (before, True)
    assert pruned(everything[:1])[2]


def test_learning() -> None:
    plain, pruned = learn(FERRY, PROBLEMS), learn(FERRY, PROBLEMS, prune=True)
    assert pruned.solved

    def size(rules: int) -> int:
        policy = (plain, pruned)[rules].policy
        return sum(len(rule.preconditions) + len(rule.goals) for rule in policy.rules)

    assert size(1) < size(0)
    for problem in small_ferry_problems(20, seed=1):
        assert execute(problem, pruned.policy).solved
    assert (plain.pruned, pruned.pruned) == (False, True)
