"""Generalized policy search: greedy best-first search over policies, Algorithm 1 of the paper.

Candidates wait in a queue ordered by (how many policies with the same semantic identifier were
generated before, score with size penalty, tie, age). Two departures can be switched off, and are
measured in docs/concepts/deviations.md: a candidate that is progress over all before it is expanded
at once, its parent waiting with the rest of its children; and the search ends at the first perfect
score.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, partial
from heapq import heappop, heappush
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from pg3.learning.budget import LimitReached, reason_of
from pg3.learning.scores.base import Evaluation
from pg3.storage.schema import Flag, ListOf, Number, TupleOf, Whole, list_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from pg3.learning.operators.base import Operator
    from pg3.learning.scores.base import Plans, Score
    from pg3.learning.training import Training
    from pg3.policy.rule_book import PolicyKey
    from pg3.storage.schema import Shape

# Semantic identifiers and traces are codes of the kernel.
_CODE = Whole(0, 2**64 - 1)

# Children are scored in batches, ahead of the search: large enough that a call of the kernel costs
# little a candidate, small enough that little is lost when a child ends the expansion. Part of the
# search's definition: it does not depend on the number of jobs.
_FIRST_BATCH, _LARGEST_BATCH = 16, 128

# With many problems a batch is smaller, so that limits are looked at in between: this many scores.
_SCORES_AHEAD = 320


# What the queue orders candidates of equal semantic count by: score with size penalty, and tie.
Priority = tuple[float, float]

# What tells progress: score, total and size penalty. A candidate with less than all before is
# followed.
Rank = tuple[float, float, float]


class StopReason(StrEnum):
    """Why a search over policies ended."""

    PERFECT = "perfect training score"
    CANDIDATES = "candidate limit"
    EXPANSIONS = "expansion limit"
    TIME = "time limit"
    MEMORY = "memory limit"
    EFFORT = "effort limit"
    EXHAUSTED = "no candidates left"


class Candidate(NamedTuple):
    """One scored policy, as the log tells it. The start is 0 and has no parent.

    `problems` are the numbers, from 0, of the training problems that the scores are about.
    """

    number: int
    parent: int | None
    operator: str | None
    policy: PolicyKey
    evaluation: Evaluation
    size: int
    semantic_count: int
    seconds: float
    is_best: bool
    problems: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """The best policy seen and what the search did.

    `expansions` counts the policies whose children were looked at, each once.
    """

    policy: PolicyKey
    evaluation: Evaluation
    reason: StopReason
    candidates: int
    expansions: int
    seconds: float


@dataclass(slots=True)
class _Node:
    """A candidate in the queue."""

    number: int
    policy: PolicyKey
    evaluation: Evaluation
    children: Iterator[tuple[str, PolicyKey]] | None = None


@dataclass
class PolicySearch:
    """One search over policies. `run` it once.

    `accept` is asked about each perfect policy: False lets the search go on. `observe`
    is told every candidate. `max_candidates` limits the policies that are scored, `max_expansions`
    those that are expanded, and `max_effort` the kernel's work on scores (`Training.effort`), a
    measure of time that is the same on every machine; None is no limit. Algorithm 1 as it is
    printed has neither `stop_when_perfect` nor `follow_progress`; without `heed_total`, the totals
    of evaluations are no progress. `patient_with` names an operator whose children are all scored
    before the best of them is expanded, instead of the first that is better. `start` is where the
    search begins, the empty policy in the paper. Time and memory are limited by the training's
    budget, and what its journal knows is not worked out again.
    """

    training: Training
    score: Score
    operators: Mapping[str, Operator]
    max_candidates: int | None = 2500
    size_weight: float = 1e-5
    max_effort: int | None = None
    max_expansions: int | None = None
    stop_when_perfect: bool = True
    follow_progress: bool = True
    heed_total: bool = True
    accept: Callable[[PolicyKey], bool] | None = None
    observe: Callable[[Candidate], None] | None = None
    start: PolicyKey = ()
    patient_with: str | None = None

    _queue: list[tuple[int, Priority, int, _Node]] = field(default_factory=list, init=False)
    _visited: set[PolicyKey] = field(default_factory=set, init=False)
    _generated: dict[int, int] = field(default_factory=dict, init=False)
    _ahead: dict[PolicyKey, tuple[Evaluation, int]] = field(default_factory=dict, init=False)
    _candidates: int = field(default=0, init=False)

    def run(self) -> SearchOutcome:
        """Search until a perfect policy is accepted, a limit is reached or nothing is left."""
        self._started = self.training.budget.journal.elapsed
        # In case that not even the start can be scored.
        self._best, self._best_evaluation = self.start, Evaluation(math.inf, (), False, tuple)
        self._expansions = 0
        try:
            reason = self._search()
        except (LimitReached, MemoryError) as limit:
            reason = StopReason(reason_of(limit))
        return SearchOutcome(
            self._best,
            self._best_evaluation,
            reason,
            self._candidates,
            self._expansions,
            self._seconds,
        )

    @property
    def _seconds(self) -> float:
        return self.training.budget.journal.elapsed - self._started

    def _search(self) -> StopReason:
        if self.max_effort is not None:
            self.max_effort += self.training.effort
        self._visited.add(self.start)
        ((evaluation, identifier),) = self._score([self.start])
        self._best, self._best_evaluation = self.start, evaluation
        self._best_priority = self._priority(self.start, evaluation)
        self._furthest = self._rank(self.start, evaluation)
        self._generated[identifier] = 1
        self._report(None, None, self.start, evaluation, 0, True)
        heappush(self._queue, (0, self._best_priority, 0, _Node(0, self.start, evaluation)))
        if evaluation.perfect:
            if not self._accepts(self.start):
                # A refused start must not stand in the way of what comes after it.
                self._best_priority, self._furthest = (math.inf, math.inf), (math.inf, math.inf, 0)
            elif self.stop_when_perfect:
                return StopReason.PERFECT
        while self._queue:
            entry = heappop(self._queue)
            ended = self._expand(entry[-1])
            if isinstance(ended, StopReason):
                return ended
            if not ended:
                # Interrupted by a better child: the rest of its children wait with it.
                heappush(self._queue, entry)
        return StopReason.EXHAUSTED

    def _rank(self, policy: PolicyKey, evaluation: Evaluation) -> Rank:
        total = evaluation.total if self.heed_total else 0.0
        return evaluation.score, total, self._penalty(policy)

    def _priority(self, policy: PolicyKey, evaluation: Evaluation) -> Priority:
        return evaluation.score + self._penalty(policy), evaluation.tie

    def _penalty(self, policy: PolicyKey) -> float:
        return self.size_weight * self.training.book.policy_size(policy)

    def _expand(self, node: _Node) -> bool | StopReason:
        """Score the node's children; True if all are done, False if a better one came up."""
        if self._left == 0:
            return StopReason.CANDIDATES
        self.training.budget.check()
        if node.children is None:
            if self._expansions == self.max_expansions:
                return StopReason.EXPANSIONS
            self._expansions += 1
            node.children = self._children(node)
        problems = max(1, len(node.evaluation.by_problem))
        largest = max(1, min(_LARGEST_BATCH, _SCORES_AHEAD // problems))
        batch_size = min(_FIRST_BATCH, largest)
        better = False
        while True:
            batch = self._take(node.children, batch_size)
            if not batch:
                return not better
            scores = self._score([policy for _, policy in batch])
            for done, ((operator, policy), (evaluation, identifier)) in enumerate(
                zip(batch, scores, strict=True), start=1
            ):
                better |= self._add(node, operator, policy, evaluation, identifier)
                stop = self._must_stop(evaluation, policy)
                if better and operator == self.patient_with and not stop:
                    # There may be a better one yet from the same operator.
                    following = batch[done][0] if done < len(batch) else operator
                    if following == operator:
                        continue
                if better or stop:
                    self._give_back(node, batch[done:], scores[done:])
                    return stop or False
            batch_size = min(2 * batch_size, largest)

    def _children(self, node: _Node) -> Iterator[tuple[str, PolicyKey]]:
        @cache
        def plans() -> Plans:
            return self.training.recalled_plans(node.evaluation.plans)

        for name, operator in self.operators.items():
            for policy in operator.children(node.policy, plans):
                yield name, policy

    @property
    def _left(self) -> int | None:
        """The candidates that may still be scored, None for no limit."""
        if self.max_candidates is None:
            return None
        return max(0, self.max_candidates - self._candidates)

    def _take(
        self, children: Iterable[tuple[str, PolicyKey]], number: int
    ) -> list[tuple[str, PolicyKey]]:
        """The next new children, now marked as met."""
        visited = self._visited
        batch: list[tuple[str, PolicyKey]] = []
        if self._left is not None:
            number = min(number, self._left)
            if number == 0:
                return batch
        for child in children:
            if child[1] not in visited:
                visited.add(child[1])
                batch.append(child)
                if len(batch) == number:
                    break
        return batch

    def _give_back(
        self,
        node: _Node,
        batch: list[tuple[str, PolicyKey]],
        scores: list[tuple[Evaluation, int]],
    ) -> None:
        """Undo what was done ahead: these children are new again, but need no second scoring."""
        for (_, policy), score in zip(batch, scores, strict=True):
            self._visited.discard(policy)
            self._ahead[policy] = score
        assert node.children is not None
        node.children = chain(batch, node.children)

    def _score(self, policies: list[PolicyKey]) -> list[tuple[Evaluation, int]]:
        """Evaluations and semantic identifiers, from what was scored ahead where possible."""
        new = [policy for policy in policies if policy not in self._ahead]
        if new:
            scores = self.training.budget.journal.once(
                "scores",
                self._shape_of_scores(len(new)),
                lambda: self._new_scores(new),
                store=self._stored,
                restore=lambda known: self._restored(new, known),
            )
            if len(new) == len(policies):
                return scores
            self._ahead.update(zip(new, scores, strict=True))
        return [self._ahead.pop(policy) for policy in policies]

    def _new_scores(self, policies: list[PolicyKey]) -> list[tuple[Evaluation, int]]:
        evaluations = self.score.evaluate(policies)
        return list(zip(evaluations, self.training.identified(policies), strict=True))

    def _stored(self, scores: list[tuple[Evaluation, int]]) -> object:
        """What the journal keeps of scores: all but the plans behind them, and what they took."""
        rows = [(e.score, list(e.by_problem), e.perfect, e.total, e.tie, i) for e, i in scores]
        return rows, self.training.effort, self.training.take_traces()

    def _restored(self, policies: list[PolicyKey], known: Any) -> list[tuple[Evaluation, int]]:
        rows, effort, traces = known
        self.training.remember(effort, traces)
        return [
            (
                Evaluation(score, by_problem, perfect, partial(self._plans, policy), *ties),
                identifier,
            )
            for policy, (score, by_problem, perfect, *ties, identifier) in zip(
                policies, rows, strict=True
            )
        ]

    def _shape_of_scores(self, policies: int) -> Shape:
        problems, any_number = len(self.training), Number(-math.inf)
        by_problem = list_of(any_number, problems)
        row = TupleOf((any_number, by_problem, Flag(), any_number, any_number, _CODE))
        trace = TupleOf((Whole(0, problems - 1), _CODE))
        return TupleOf((list_of(row, policies), Whole(), ListOf(trace)))

    def _plans(self, policy: PolicyKey) -> Plans:
        """The plans behind a score that was recalled: it takes a new evaluation to find them."""
        (evaluation,) = self.score.evaluate([policy])
        return evaluation.plans()

    def _add(
        self,
        parent: _Node,
        operator: str,
        policy: PolicyKey,
        evaluation: Evaluation,
        identifier: int,
    ) -> bool:
        """Count and queue a candidate; whether to expand it at once."""
        self._candidates += 1
        priority, rank = self._priority(policy, evaluation), self._rank(policy, evaluation)
        refused = evaluation.perfect and self.accept is not None and not self.accept(policy)
        is_best = not refused and priority < self._best_priority
        progress = not refused and self.follow_progress and rank < self._furthest
        if is_best:
            self._best, self._best_evaluation, self._best_priority = policy, evaluation, priority
        if progress:
            self._furthest = rank
        count = self._generated.get(identifier, 0)
        self._generated[identifier] = count + 1
        self._report(parent.number, operator, policy, evaluation, count, is_best)
        # Progress goes to the front, the newest first, whatever its like has had before. A refused
        # policy stays in the queue: a better one may be next to it.
        place = -self._candidates if progress else count
        node = _Node(self._candidates, policy, evaluation)
        heappush(self._queue, (place, priority, self._candidates, node))
        return progress

    def _must_stop(self, evaluation: Evaluation, policy: PolicyKey) -> StopReason | None:
        if evaluation.perfect and policy == self._best and self.stop_when_perfect:
            return StopReason.PERFECT
        if self._left == 0:
            return StopReason.CANDIDATES
        if self.max_effort is not None and self.training.effort >= self.max_effort:
            return StopReason.EFFORT
        return None

    def _accepts(self, policy: PolicyKey) -> bool:
        return self.accept is None or self.accept(policy)

    def _report(
        self,
        parent: int | None,
        operator: str | None,
        policy: PolicyKey,
        evaluation: Evaluation,
        count: int,
        is_best: bool,
    ) -> None:
        if self.observe is not None:
            self.observe(
                Candidate(
                    self._candidates,
                    parent,
                    operator,
                    policy,
                    evaluation,
                    self.training.book.policy_size(policy),
                    count,
                    self._seconds,
                    is_best,
                    self.training.indices,
                )
            )
