"""Learning whose candidates are scored elsewhere: through any executor, in whatever shares.

The workers here are threads or processes of this machine; tests/cluster has a real cluster.
"""

from __future__ import annotations

import json
import multiprocessing
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from pg3.backends import dask_pool, scorer
from pg3.backends.dask_pool import DaskPool
from pg3.backends.pool import LostTaskError
from pg3.backends.scoring import PoolEvaluator
from pg3.domains import DOMAINS
from pg3.errors import Pg3Error
from pg3.learning.budget import Budget, LimitReached
from pg3.learning.evaluator import LOCAL
from pg3.learning.learner import learn
from pg3.learning.scores import SCORES
from pg3.learning.training import Training
from pg3.policy.text import write_policy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pg3.learning.policy_search import Candidate
    from pg3.policy.rule_book import RuleBook


class LocalPool(Executor):
    """A pool whose number of places changes all the time."""

    def __init__(self, executor: Executor, sizes: Callable[[], int]) -> None:
        self._executor = executor
        self._sizes = sizes
        self.messages: list[str] = []

    @property
    def places(self) -> int:
        return self._sizes()

    def executor(self, place: int | None = None) -> LocalPool:
        return self

    def submit(self, task: Callable[..., Any], /, *messages: Any, **_: Any) -> Future[Any]:
        self.messages += messages
        return self._executor.submit(task, *messages)

    def value(self, future: Future[str], timeout: float | None = None) -> str:
        return future.result(timeout)


@pytest.fixture
def pool() -> Iterator[LocalPool]:
    sizes = iter(range(1, 10**9))
    with ThreadPoolExecutor(3) as executor:
        yield LocalPool(executor, lambda: next(sizes) % 12 + 1)


def learned(
    domain: str, problems: int = 6, pool: LocalPool | None = None, **options: Any
) -> tuple[Any, ...]:
    """Everything that learning comes to, but for times: the policy, the counts, each candidate."""
    source = DOMAINS[domain]
    seen = []

    def observe(method: str, candidate: Candidate, book: RuleBook) -> None:
        evaluation = candidate.evaluation
        seen.append(
            (
                *(method, candidate.number, candidate.parent, candidate.operator, candidate.policy),
                *(evaluation.score, list(evaluation.by_problem), evaluation.perfect),
                *(candidate.size, candidate.semantic_count, candidate.is_best, candidate.problems),
            )
        )

    train = source.problems("train", seed=0)[:problems]
    evaluator = LOCAL if pool is None else PoolEvaluator(pool)
    result = learn(source.domain, train, observe=observe, evaluator=evaluator, **options)
    return (
        write_policy(result.policy, source.domain),
        *(result.score, result.problems, result.method, result.reason),
        *(result.candidates, result.expansions, seen),
    )


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("domain", ["gripper", "ferry", "forest"])
def test_scored_elsewhere_is_as_scored_here(pool: LocalPool, domain: str, score: str) -> None:
    options: dict[str, Any] = {"preset": "paper", "score": score, "max_candidates": 200}
    assert learned(domain, pool=pool, **options) == learned(domain, **options)
    assert pool.messages


@pytest.mark.parametrize("domain", ["gripper", pytest.param("spanner", marks=pytest.mark.thorough)])
def test_the_robust_preset(pool: LocalPool, domain: str) -> None:
    assert learned(domain, pool=pool) == learned(domain)


@pytest.mark.parametrize("rollout", [0, 1, 50])
def test_effort_does_not_depend_on_who_worked(pool: LocalPool, rollout: int) -> None:
    """Nor on what workers know already: each batch is asked for twice, and by two learners."""
    source = DOMAINS["miconic"]
    problems = source.problems("train", seed=0)[:4]
    there_too = PoolEvaluator(pool)
    evaluators = (LOCAL, there_too, there_too)
    here, *there = (Training(problems, expansions=200, evaluator=e) for e in evaluators)
    policies = []
    for training in (here, *there):
        # The numbers of rules are not the same everywhere.
        if training is there[1]:
            training.book.table.add((1, [0, 1], [[0], [0]], []))
        rules = [
            training.book.table.add((action, [0, 1], [[0], [0]], [(0, sign, fact, [0, 1])]))
            for action in (0, 1)
            for fact, predicate in enumerate(source.domain.predicates)
            if predicate.arity == 2
            for sign in (True, False)
        ]
        policies.append([(), *((a, b) for a in rules for b in rules)])
    for batch in (slice(0, 5), slice(3, 20), slice(0, 40), slice(0, 40)):
        expected = here.guided(policies[0][batch], rollout)
        identifiers = here.identified(policies[0][batch])
        for training, own in zip(there, policies[1:], strict=True):
            assert training.guided(own[batch], rollout) == expected
            assert training.identified(own[batch]) == identifiers
            assert training.effort == here.effort > 0


def test_a_journal_of_here_goes_on_elsewhere(pool: LocalPool) -> None:
    """The traces that a journal keeps are the same, too."""
    from pg3.learning.checkpoint.journal import Entry, Journal

    def run(past: list[str], elsewhere: bool) -> list[str]:
        lines = list(past)
        journal = Journal([Entry.parse(line) for line in past], lines.append)
        learned(
            "gripper",
            journal=journal,
            pool=pool if elsewhere else None,
            preset="paper",
            max_candidates=300,
        )
        return [json.dumps(Entry.parse(line)[1:]) for line in lines]

    def unordered(lines: list[str]) -> list[Any]:
        values = [json.loads(line) for line in lines]
        for kind, value in values:
            if kind == "scores":
                value[2].sort()
        return values

    here = run([], False)
    assert unordered(run([], True)) == unordered(here)
    stamped = [json.dumps([0.0, *json.loads(line)]) for line in here]
    assert unordered(run(stamped[: len(stamped) // 2], True)) == unordered(here)


def test_other_processes() -> None:
    """Workers that share nothing with the learner: what they need is in the messages."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as executor:
        there = learned("gripper", preset="paper", pool=LocalPool(executor, lambda: 2))
    assert there == learned("gripper", preset="paper")


def test_problems_are_sent_once_and_again_if_forgotten(
    pool: LocalPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    options: dict[str, Any] = {"preset": "paper", "max_candidates": 100}
    monkeypatch.setattr(scorer, "_KEPT", 1)
    monkeypatch.setattr(scorer, "_courses", type(scorer._courses)())
    pool = LocalPool(pool._executor, lambda: 1)
    for domain in ("gripper", "ferry", "gripper"):
        pool.messages.clear()
        assert learned(domain, pool=pool, **options) == learned(domain, **options)
        messages = [json.loads(message) for message in pool.messages]
        assert len(messages) > 3
        assert [m["text"] is not None for m in messages] == [i == 1 for i in range(len(messages))]


def test_time_is_up(pool: LocalPool) -> None:
    problems = DOMAINS["gripper"].problems("train", seed=0)[:2]
    training = Training(problems, evaluator=PoolEvaluator(pool))
    training.find_plans()
    training.budget = Budget(0.0)
    with pytest.raises(LimitReached, match="time limit"):
        training.guided([()], 50)


def test_workers_that_do_not_answer() -> None:
    class Silent(LocalPool):
        def submit(self, task: Callable[..., Any], /, *messages: Any, **_: Any) -> Future[Any]:
            return Future()

    with ThreadPoolExecutor(1) as executor:
        pool = Silent(executor, lambda: 1)
        *_, reason, candidates, _, _ = learned(
            "gripper", pool=pool, time_limit=0.5, operators=["add-rule", "add-condition"]
        )
    assert (reason, candidates) == ("time limit", 0)


def test_workers_that_die() -> None:
    class Deadly(LocalPool):
        def value(self, future: Future[str], timeout: float | None = None) -> str:
            raise LostTaskError("the worker was lost, 4 times in a row")

    with ThreadPoolExecutor(1) as executor, pytest.raises(Pg3Error, match="4 times in a row"):
        learned("gripper", pool=Deadly(executor, lambda: 1), operators=["add-rule"])


def test_the_extra_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_pool, "find_spec", lambda _: None)
    with pytest.raises(Pg3Error, match=r'pip install "pg3\[cluster\]"'):
        DaskPool("127.0.0.1:8786")
