"""Algorithm 1 on made-up policies, against a slow twin; and on Ferry, for its batches."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pg3.learning import policy_search
from pg3.learning.budget import Budget
from pg3.learning.operators import OPERATORS, OperatorOptions
from pg3.learning.policy_search import Candidate, PolicySearch, SearchOutcome, StopReason
from pg3.learning.scores import SCORES, Evaluation
from pg3.learning.training import Training
from tests.support.ferry_problems import small_ferry_problems

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pg3.learning.scores import Plans
    from pg3.policy.rule_book import PolicyKey

ROOT: PolicyKey = ()


@dataclass
class World:
    """Policies that are only names: what becomes of each, its score, its semantics and its size.

    A policy is a name alone, () is the empty one. What is not given: no children, score 9, a
    semantic identifier of its own, size, total and tie 0.
    """

    children: dict[str, list[str]]
    scores: dict[str, float]
    semantics: dict[str, int] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    totals: dict[str, int] = field(default_factory=dict)
    ties: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = sorted({"", *self.children, *(c for some in self.children.values() for c in some)})
        self._names = dict(enumerate(names))
        self._numbers = {name: number for number, name in self._names.items()}

    def name(self, policy: PolicyKey) -> str:
        return self._names[policy[0]] if policy else ""

    def key(self, name: str) -> PolicyKey:
        return (self._numbers[name],) if name else ()

    def score(self, name: str) -> float:
        return self.scores.get(name, 9)

    def identifier(self, name: str) -> int:
        return self.semantics.get(name, 1000 + self._numbers[name])

    def size(self, name: str) -> int:
        return self.sizes.get(name, 0)


class FakeScore:
    def __init__(self, world: World) -> None:
        self.world = world
        self.scored: list[str] = []

    def evaluate(self, policies: Sequence[PolicyKey]) -> list[Evaluation]:
        evaluations = []
        for policy in policies:
            name = self.world.name(policy)
            self.scored.append(name)
            score = self.world.score(name)
            total, tie = self.world.totals.get(name, 0), self.world.ties.get(name, 0)
            evaluations.append(Evaluation(score, [score], score == 0, lambda: (), total, tie))
        return evaluations


class FakeOperator:
    def __init__(self, world: World) -> None:
        self.world = world
        self.expanded: list[str] = []

    def children(self, policy: PolicyKey, plans: Callable[[], Plans]) -> Iterator[PolicyKey]:
        name = self.world.name(policy)
        self.expanded.append(name)
        yield from map(self.world.key, self.world.children.get(name, []))


@dataclass
class Run:
    """What a search over a world did."""

    world: World
    outcome: SearchOutcome
    seen: list[Candidate]
    expanded: list[str]
    scored: list[str]

    @property
    def names(self) -> list[str]:
        return [self.world.name(candidate.policy) for candidate in self.seen]

    @property
    def best(self) -> str:
        return self.world.name(self.outcome.policy)


class FakeTraining(SimpleNamespace):
    """What a search asks of its training problems, of which there is one."""

    def __len__(self) -> int:
        return 1


def search(world: World, time_limit: float | None = None, **options: Any) -> Run:
    training = FakeTraining(
        identified=lambda policies: [world.identifier(world.name(p)) for p in policies],
        indices=(),
        budget=Budget(time_limit),
        recalled_plans=lambda find: find(),
        book=SimpleNamespace(
            policy_size=lambda policy: sum(world.size(world.name((rule,))) for rule in policy)
        ),
    )
    score, operator = FakeScore(world), FakeOperator(world)
    seen: list[Candidate] = []
    outcome = PolicySearch(
        cast("Training", training), score, {"fake": operator}, observe=seen.append, **options
    ).run()
    return Run(world, outcome, seen, operator.expanded, score.scored)


# -- by hand ---------------------------------------------------------------------------------------


def test_the_lowest_score_is_expanded_first() -> None:
    world = World({"": ["a", "b", "c"], "b": ["d"]}, {"": 1, "a": 4, "b": 2, "c": 3, "d": 2.5})
    run = search(world)
    assert run.names == ["", "a", "b", "c", "d"]
    assert run.expanded == ["", "b", "d", "c", "a"]
    assert run.best == ""
    assert run.outcome.reason is StopReason.EXHAUSTED
    assert (run.outcome.candidates, run.outcome.expansions) == (4, 5)


def test_of_equal_scores_the_older_is_expanded_first() -> None:
    assert search(World({"": ["c", "a", "b"]}, {"": 1})).expanded == ["", "c", "a", "b"]


def test_a_better_child_goes_first_and_its_siblings_come_later() -> None:
    world = World({"": ["a", "b", "c"], "a": ["d"]}, {"": 10, "a": 8, "b": 9, "c": 9, "d": 9.5})
    run = search(world)
    # a interrupts the empty policy; d is expanded before b and c, which wait with their parent.
    assert run.names == ["", "a", "d", "b", "c"]
    assert run.expanded == ["", "a", "d", "b", "c"]
    assert [candidate.parent for candidate in run.seen] == [None, 0, 1, 0, 0]
    assert [candidate.is_best for candidate in run.seen] == [True, True, False, False, False]
    # Every candidate is scored once, whatever is scored ahead.
    assert sorted(run.scored) == ["", "a", "b", "c", "d"]
    assert run.best == "a"


def test_a_policy_is_a_candidate_once() -> None:
    world = World({"": ["a", "a", "b"], "a": ["b", "", "a"], "b": ["a", "c"]}, {"": 1})
    run = search(world)
    assert run.names == ["", "a", "b", "c"]
    assert sorted(run.scored) == ["", "a", "b", "c"]


def test_a_perfect_policy_ends_the_search() -> None:
    world = World({"": ["a", "b", "c"], "b": ["d"]}, {"": 5, "a": 6, "b": 0})
    run = search(world)
    assert run.names == ["", "a", "b"]
    assert (run.best, run.outcome.reason) == ("b", StopReason.PERFECT)
    assert (run.outcome.candidates, run.outcome.expansions) == (2, 1)

    on = search(world, stop_when_perfect=False)
    assert sorted(on.names) == ["", "a", "b", "c", "d"]
    assert (on.best, on.outcome.reason) == ("b", StopReason.EXHAUSTED)


def test_a_perfect_start_ends_the_search() -> None:
    run = search(World({"": ["a"]}, {"": 0}))
    assert (run.names, run.outcome.reason) == ([""], StopReason.PERFECT)
    assert run.outcome.candidates == 0


def test_a_perfect_policy_that_is_refused_is_not_the_best() -> None:
    world = World({"": ["a", "b"], "a": ["c"], "b": ["d"]}, {"": 5, "a": 0, "b": 4, "d": 0})
    asked = []

    def accept(policy: PolicyKey) -> bool:
        asked.append(world.name(policy))
        return asked[-1] != "a"

    run = search(world, accept=accept)
    assert asked[0] == "a"
    assert asked[-1] == "d"
    assert run.names == ["", "a", "b", "d"]
    # Its turn has not come yet: a new best goes first.
    assert "a" not in run.expanded
    assert [candidate.is_best for candidate in run.seen] == [True, False, True, True]
    assert (run.best, run.outcome.reason) == ("d", StopReason.PERFECT)


@pytest.mark.parametrize("limit", [1, 2, 15, 16, 17, 40])
def test_the_candidate_limit_is_exact(limit: int) -> None:
    names = [f"p{i:02}" for i in range(50)]
    run = search(World({"": names}, {"": 1}), max_candidates=limit)
    assert run.names == ["", *names[:limit]]
    assert run.outcome.candidates == limit
    assert run.outcome.reason is StopReason.CANDIDATES


def test_a_time_limit() -> None:
    run = search(World({"": ["a", "b"]}, {"": 1}), time_limit=0.0)
    assert run.outcome.reason is StopReason.TIME
    assert run.outcome.candidates <= 1


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_the_expansion_limit_counts_each_policy_once(limit: int) -> None:
    # b interrupts the empty policy, which then goes on: that is no second expansion.
    world = World({"": ["a", "b", "c"], "b": ["d"], "d": ["e"]}, {"": 5, "b": 4})
    run = search(world, max_expansions=limit, max_candidates=None)
    assert run.expanded == ["", "b", "a"][:limit]
    assert (run.outcome.expansions, run.outcome.reason) == (limit, StopReason.EXPANSIONS)


def test_as_printed() -> None:
    """Algorithm 1 to the letter: whole expansions, no end at a perfect score, the lowest wins."""
    world = World(
        {"": ["a", "b", "c"], "b": ["d"]}, {"": 5, "a": 4, "b": 0, "c": 6}, sizes={"b": 3, "d": 1}
    )
    world.scores["d"] = 0
    run = search(world, stop_when_perfect=False, follow_progress=False)
    assert run.names == ["", "a", "b", "c", "d"]
    assert run.expanded == ["", "b", "d", "a", "c"]
    assert (run.best, run.outcome.reason) == ("d", StopReason.EXHAUSTED)


def test_of_equal_semantics_only_the_first_is_expanded_early() -> None:
    # x and y mean the same: y waits behind z, in spite of its score and of x's turn to come.
    world = World(
        {"": ["x", "y", "z"], "z": ["w"]},
        {"": 1, "x": 2, "y": 3, "z": 8, "w": 7},
        {"x": 1, "y": 1},
    )
    run = search(world)
    assert run.expanded == ["", "x", "z", "w", "y"]
    counts = {run.world.name(c.policy): c.semantic_count for c in run.seen}
    assert counts == {"": 0, "x": 0, "y": 1, "z": 0, "w": 0}


def test_less_in_total_is_progress_at_an_equal_score() -> None:
    world = World({"": ["a", "b"], "a": ["c"]}, {"": 5, "a": 5, "b": 5, "c": 5}, sizes={"a": 1})
    world.totals.update({"": 9, "a": 8, "b": 9, "c": 8})
    run = search(world)
    assert run.names == ["", "a", "c", "b"]
    # The result has the lowest score and the smallest size, whatever the total.
    assert run.best == ""
    assert search(world, heed_total=False).names == ["", "a", "b", "c"]


def test_a_smaller_policy_is_progress_at_an_equal_score_and_total() -> None:
    world = World(
        {"": ["a", "b", "c"], "b": ["d"]}, {"": 5, "a": 4, "b": 4}, sizes={"a": 3, "b": 1}
    )
    run = search(world)
    assert run.names == ["", "a", "b", "d", "c"]
    assert run.best == "b"
    world.totals["b"] = 1
    run = search(world)
    # Worse in total, so that it is not followed; still it is the smaller one of the lowest score.
    assert run.names == ["", "a", "b", "c", "d"]
    assert run.best == "b"


def test_ties_count_where_scores_and_sizes_are_equal() -> None:
    world = World({"": ["a", "b", "c"]}, {"": 1, "a": 3, "b": 3, "c": 3}, sizes={"c": 1})
    world.ties.update({"a": 7, "b": 2, "c": 1})
    run = search(world)
    assert run.names == ["", "a", "b", "c"]
    assert run.expanded == ["", "b", "a", "c"]


def test_a_new_best_is_expanded_next_whatever_its_semantics() -> None:
    world = World({"": ["a"], "a": ["b", "c"]}, {"": 5, "a": 6, "b": 4}, {"": 1, "a": 1, "b": 1})
    assert search(world).expanded == ["", "a", "b", "c"]


def test_size_counts_where_scores_are_equal() -> None:
    world = World({"": ["a", "b"]}, {"": 1, "a": 3, "b": 3}, sizes={"a": 7, "b": 2})
    assert search(world).expanded == ["", "b", "a"]
    assert search(world, size_weight=0.0).expanded == ["", "a", "b"]
    assert [candidate.size for candidate in search(world).seen] == [0, 7, 2]
    smaller = World({"": ["a", "b"]}, {"": 5, "a": 3, "b": 3}, sizes={"a": 7, "b": 2})
    assert search(smaller).best == "b"


# -- against the slow twin -------------------------------------------------------------------------


def slow_search(
    world: World, limit: int, refused: set[str], *, stop: bool, follow: bool
) -> list[str]:
    """The names of the candidates, in order: Algorithm 1, one candidate at a time."""
    weight = 1e-5

    def priority(name: str) -> tuple[float, int]:
        return world.score(name) + weight * world.size(name), world.ties.get(name, 0)

    def rank(name: str) -> tuple[float, int, int]:
        return world.score(name), world.totals.get(name, 0), world.size(name)

    names, followed, best = [""], [rank("")], priority("")
    queue: list[tuple[int, tuple[float, int], int, str]] = [(0, best, 0, "")]
    if world.score("") == 0:
        if "" in refused:
            followed, best = [], (float("inf"), 0)
        elif stop:
            return names
    to_do: dict[str, list[str]] = {}
    while queue:
        node = min(queue)
        queue.remove(node)
        name = node[3]
        remaining = to_do.setdefault(name, list(world.children.get(name, [])))
        while remaining:
            child = remaining.pop(0)
            if child in names:
                continue
            count = [world.identifier(other) for other in names].count(world.identifier(child))
            names.append(child)
            perfect = world.score(child) == 0
            passed = not (perfect and child in refused)
            progress = follow and passed and all(rank(child) < other for other in followed)
            if progress:
                followed.append(rank(child))
                count = -len(names)
            queue.append((count, priority(child), len(names) - 1, child))
            if passed and priority(child) < best:
                best = priority(child)
                if perfect and stop:
                    return names
            if len(names) - 1 == limit:
                return names
            if progress:
                queue.append(node)
                break
    return names


@st.composite
def worlds(draw: st.DrawFn) -> World:
    names = [f"p{i}" for i in range(draw(st.integers(1, 14)))]
    some = st.lists(st.sampled_from(names), max_size=6)
    return World(
        {name: draw(some) for name in ("", *names)},
        {name: draw(st.integers(0, 6)) for name in ("", *names)},
        {name: draw(st.integers(0, 3)) for name in ("", *names)},
        {name: draw(st.integers(0, 3)) for name in names},
        {name: draw(st.integers(0, 3)) for name in ("", *names)},
        {name: draw(st.integers(0, 1)) for name in ("", *names)},
    )


@given(
    worlds(),
    st.integers(1, 20),
    st.sets(st.sampled_from(["p0", "p1", "p2", ""])),
    st.booleans(),
    st.booleans(),
)
def test_the_slow_twin_agrees_for_any_batches(
    world: World, limit: int, refused: set[str], stop: bool, follow: bool
) -> None:
    expected = slow_search(world, limit, refused, stop=stop, follow=follow)
    for first, largest in ((16, 128), (1, 1), (2, 3)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(policy_search, "_FIRST_BATCH", first)
            patch.setattr(policy_search, "_LARGEST_BATCH", largest)
            run = search(
                world,
                max_candidates=limit,
                accept=lambda policy: world.name(policy) not in refused,
                stop_when_perfect=stop,
                follow_progress=follow,
            )
        assert run.names == expected
        assert sorted(run.scored) == sorted(set(run.scored))


# -- a real one ------------------------------------------------------------------------------------


@pytest.mark.parametrize("operators", [tuple(OPERATORS), ("add-condition", "add-rule")])
def test_batches_change_nothing_on_ferry(
    monkeypatch: pytest.MonkeyPatch, operators: tuple[str, ...]
) -> None:
    def candidates() -> list[object]:
        training = Training(small_ferry_problems(4))
        seen: list[object] = []
        PolicySearch(
            training,
            SCORES["pg3"](training, 50, 100, "max"),
            {name: OPERATORS[name](training, OperatorOptions()) for name in operators},
            max_candidates=300,
            stop_when_perfect=False,
            observe=lambda c: seen.append(
                (
                    *(c.number, c.parent, c.operator, c.size, c.semantic_count, c.is_best),
                    (c.evaluation.score, list(c.evaluation.by_problem)),
                    training.book.policy(c.policy, "p"),
                )
            ),
        ).run()
        return seen

    in_batches = candidates()
    monkeypatch.setattr(policy_search, "_FIRST_BATCH", 1)
    monkeypatch.setattr(policy_search, "_LARGEST_BATCH", 1)
    one_by_one = candidates()
    assert len(one_by_one) == 301
    assert in_batches == one_by_one
