"""Generalized policy search: greedy best-first search over policies, Algorithm 1 of the paper.

Candidates wait in a queue ordered by (how often a policy with the same semantic identifier was
expanded, score with size penalty, age). Two departures, measured in docs/deviations.md: a candidate
better than all before it goes to the front and is expanded at once, its parent waiting with the
rest of its children; and the search may end at the first perfect score.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, partial
from heapq import heappop, heappush
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from pg3.budget import LimitReached, reason_of
from pg3.schema import Flag, ListOf, Number, TupleOf, Whole, list_of
from pg3.scores.base import Evaluation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from pg3.operators.base import Operator
    from pg3.policy.rule_book import PolicyKey
    from pg3.schema import Shape
    from pg3.scores.base import Plans, Score
    from pg3.training import Training

# Semantic identifiers and traces are codes of the kernel.
_CODE = Whole(0, 2**64 - 1)

# Scores that differ by less are equal: a mean is not exact.
_EPSILON = 1e-12

# Children are scored in batches, ahead of the search: large enough that a call of the kernel costs
# little a candidate, small enough that little is lost when a child ends the expansion. Part of the
# search's definition: it does not depend on the number of jobs.
_FIRST_BATCH, _LARGEST_BATCH = 16, 128

# With many problems a batch is smaller, so that limits are looked at in between: this many scores.
_SCORES_AHEAD = 320


class StopReason(StrEnum):
    """Why a search over policies ended."""

    PERFECT = "perfect training score"
    CANDIDATES = "candidate limit"
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
    """The best policy seen and what the search did. `expansions` counts policies, not states."""

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
    identifier: int
    children: Iterator[tuple[str, PolicyKey]] | None = None


@dataclass
class PolicySearch:
    """One search over policies. `run` it once.

    `accept` is asked about each perfect policy: False lets the search go on. `observe`
    is told every candidate. `max_effort` limits the kernel's work on scores (`Training.effort`), a
    measure of time that is the same on every machine. `stop_when_perfect` False goes on to the
    limit, for measurements. `patient_with` names an operator whose children are all scored before
    the best of them is expanded, instead of the first that is better. `start` is where the search
    begins, the empty policy in the paper. Time and memory are limited by the training's budget, and
    what its journal knows is not worked out again.
    """

    training: Training
    score: Score
    operators: Mapping[str, Operator]
    max_candidates: int = 2500
    size_weight: float = 1e-5
    max_effort: int | None = None
    stop_when_perfect: bool = True
    accept: Callable[[PolicyKey], bool] | None = None
    observe: Callable[[Candidate], None] | None = None
    start: PolicyKey = ()
    patient_with: str | None = None

    _queue: list[tuple[int, float, int, _Node]] = field(default_factory=list, init=False)
    _visited: set[PolicyKey] = field(default_factory=set, init=False)
    _expanded: dict[int, int] = field(default_factory=dict, init=False)
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
        self._best_priority = evaluation.score + self.size_weight * self.training.book.policy_size(
            self.start
        )
        self._report(None, None, self.start, evaluation, 0, True)
        heappush(
            self._queue, (0, self._best_priority, 0, _Node(0, self.start, evaluation, identifier))
        )
        if evaluation.perfect:
            if self._accepts(self.start):
                return StopReason.PERFECT
            # A refused start must not stand in the way of what comes after it.
            self._best_priority = math.inf
        while self._queue:
            count, priority, serial, node = heappop(self._queue)
            self._expanded[node.identifier] = self._expanded.get(node.identifier, 0) + 1
            self._expansions += 1
            ended = self._expand(node)
            if isinstance(ended, StopReason):
                return ended
            if not ended:
                # Interrupted by a better child: the rest of its children wait with it.
                self._expanded[node.identifier] -= 1
                heappush(self._queue, (count, priority, serial, node))
        return StopReason.EXHAUSTED

    def _expand(self, node: _Node) -> bool | StopReason:
        """Score the node's children; True if all are done, False if a better one came up."""
        if self._candidates >= self.max_candidates:
            return StopReason.CANDIDATES
        self.training.budget.check()
        if node.children is None:
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

    def _take(
        self, children: Iterable[tuple[str, PolicyKey]], number: int
    ) -> list[tuple[str, PolicyKey]]:
        """The next new children, now marked as met."""
        visited = self._visited
        batch: list[tuple[str, PolicyKey]] = []
        number = min(number, self.max_candidates - self._candidates)
        if number <= 0:
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
            scores = self._recalled_scores(new) or self._new_scores(new)
            if len(new) == len(policies):
                return scores
            self._ahead.update(zip(new, scores, strict=True))
        return [self._ahead.pop(policy) for policy in policies]

    def _new_scores(self, policies: list[PolicyKey]) -> list[tuple[Evaluation, int]]:
        evaluations = self.score.evaluate(policies)
        scores = list(zip(evaluations, self.training.identified(policies), strict=True))
        if self.training.budget.journal.is_kept:
            rows = [(e.score, list(e.by_problem), e.perfect, i) for e, i in scores]
            known = rows, self.training.effort, self.training.take_traces()
            self.training.budget.journal.record("scores", known)
        return scores

    def _recalled_scores(self, policies: list[PolicyKey]) -> list[tuple[Evaluation, int]] | None:
        journal = self.training.budget.journal
        if not journal.is_replaying:
            return None
        known = journal.recall("scores", self._shape_of_scores(len(policies)))
        assert known is not None
        rows, effort, traces = known
        self.training.remember(effort, traces)
        return [
            (Evaluation(score, by_problem, perfect, partial(self._plans, policy)), identifier)
            for policy, (score, by_problem, perfect, identifier) in zip(policies, rows, strict=True)
        ]

    def _shape_of_scores(self, policies: int) -> Shape:
        problems, any_number = len(self.training), Number(-math.inf)
        row = TupleOf((any_number, list_of(any_number, problems), Flag(), _CODE))
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
        """Count and queue a candidate; whether it is better than all before."""
        self._candidates += 1
        priority = evaluation.score + self.size_weight * self.training.book.policy_size(policy)
        better = priority < self._best_priority - _EPSILON
        refused = evaluation.perfect and self.accept is not None and not self.accept(policy)
        if refused:
            better = False
        # A new best goes to the front, whatever its like has had before. A refused one stays in the
        # queue: a better one may be next to it.
        count = self._expanded.get(identifier, 0)
        if better:
            self._best, self._best_evaluation = policy, evaluation
            self._best_priority = priority
        self._report(parent.number, operator, policy, evaluation, count, better)
        node = _Node(self._candidates, policy, evaluation, identifier)
        heappush(self._queue, (-1 if better else count, priority, self._candidates, node))
        return better

    def _must_stop(self, evaluation: Evaluation, policy: PolicyKey) -> StopReason | None:
        if evaluation.perfect and policy == self._best and self.stop_when_perfect:
            return StopReason.PERFECT
        if self._candidates >= self.max_candidates:
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
