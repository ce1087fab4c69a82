"""The search for a proof: mine candidates, use them, give up those that are not preserved.

Progress and termination are tried first, with all candidates as hypotheses; only the invariants
that they used must be preserved, and those that *their* preservation uses, and so on. An invariant
that is not preserved is given up, and everything that used it is tried again without it.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pg3.analysis.prove.conditions import Conditions
from pg3.analysis.prove.mining.existential import existential_invariants
from pg3.analysis.prove.mining.links import link_invariants
from pg3.analysis.prove.mining.measures import candidate_measures
from pg3.analysis.prove.mining.numbers import acyclic_goals, acyclic_relations, counts, levels
from pg3.analysis.prove.mining.universal import uninformative, universal_invariants
from pg3.analysis.prove.ranking import ByMeasure, BySplit, RankingSearch
from pg3.analysis.prove.reasoning import Reasoner, Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pg3.analysis.prove.logic.invariants import AnyInvariant
    from pg3.analysis.prove.logic.theory import Path, Theory
    from pg3.analysis.prove.mining.samples import Samples
    from pg3.analysis.prove.ranking import Ranking
    from pg3.analysis.prove.reasoning import Answer, Model

# Rounds in which invariants are given up; proofs took at most 12.
_ROUNDS = 40
# Invariants that are given up before the rest is tried again.
_AT_A_TIME = 4


@dataclass(frozen=True)
class Asked:
    """A condition: its name, the answer, and the rules that it is about."""

    condition: str
    answer: Answer
    rules: tuple[int, ...]


@dataclass(frozen=True)
class Found:
    """What the search came to: a proof if `ranking` is there and `failures` is empty."""

    ranking: Ranking | None
    used: tuple[str, ...]
    failures: tuple[Asked, ...]
    stuck: tuple[tuple[int, ...], ...]

    @property
    def proved(self) -> bool:
        """Whether all conditions are proved."""
        return self.ranking is not None and not self.failures


class Search:
    """Everything that the search for one proof knows."""

    def __init__(self, theory: Theory, samples: Samples) -> None:
        self.theory = theory
        states = samples.states
        self.acyclic: Sequence[Path] = acyclic_relations(theory, states)
        universal = universal_invariants(theory, self.acyclic, states)
        ignored = uninformative(theory, universal)
        goals = acyclic_goals(theory, states)
        invariants: list[AnyInvariant] = [
            *universal,
            *link_invariants(theory, states),
            *existential_invariants(theory, states, ignored),
            *counts(theory, samples),
            *levels(theory, self.acyclic, states),
        ]
        self.reasoner = Reasoner(theory, self.acyclic, invariants, goals)
        self.conditions = Conditions(self.reasoner)
        measures = candidate_measures(theory, self.acyclic, ignored)
        self._rankings = RankingSearch(self.conditions, measures, samples)

    def run(self) -> Found:
        """Rounds of progress, termination and preservation, until nothing is given up."""
        for _ in range(_ROUNDS):
            asked = list(self._progress())
            failures = tuple(one for one in asked if one.answer.status is not Status.PROVED)
            ranking = None if failures else self._rankings.run()
            if ranking is None:
                return Found(None, (), failures, tuple(self._rankings.stuck))
            cores = [answer.core for answer in self._answers(ranking).values()]
            used = self._preserve(set[str]().union(*cores))
            if used is not None:
                return Found(ranking, used, (), ())
        return Found(None, (), (), ())

    def uses(self, found: Found) -> dict[str, frozenset[str]]:
        """The hypotheses that each obligation of a proof uses, by the obligation's name."""
        assert found.ranking is not None
        answers = self._answers(found.ranking)
        for case in self.theory.cases:
            for name in found.used:
                if self.reasoner.invariants[name].source.is_affected(case):
                    answer = self.conditions.preserved(name, case)
                    answers[f"preserved {name} {case.label}"] = answer
        return {name: answer.core for name, answer in answers.items()}

    def countermodels(self, found: Found) -> Iterator[Model]:
        """States that may be counterexamples, most promising first.

        Those of the conditions that failed, of other conditions about the same rules that were
        refuted on the way, and some from which one or two of the rules lead round in a circle.
        """
        for failure in found.failures:
            if failure.answer.countermodel is not None:
                yield failure.answer.countermodel
        for failure in found.failures:
            yield from self.reasoner.countermodels_about(failure.rules)
        for rules in found.stuck:
            cases = [case for rule in rules for case in self.theory.cases_of(rule)]
            for case, other in itertools.product(cases, cases):
                yield from self.conditions.circles_of(case, other)
            yield from self.reasoner.countermodels_about(rules)

    def _progress(self) -> Iterator[Asked]:
        """The conditions that say that some rule acts, and that its action can be done."""
        rules = tuple(range(len(self.theory.policy.rules)))
        yield Asked("some rule", self.conditions.some_rule(), rules)
        for case in self.theory.cases:
            possible = self.conditions.possible(case)
            if possible is not None:
                yield Asked(f"possible {case.label}", possible, (case.rule,))

    def _answers(self, ranking: Ranking) -> dict[str, Answer]:
        """The answers that progress and the ranking use, by the names of the obligations."""
        progress = {one.condition: one.answer for one in self._progress()}
        return progress | dict(ranking_answers(self.conditions, ranking))

    def _preserve(self, names: set[str]) -> tuple[str, ...] | None:
        """All invariants needed, if each is preserved; else None, and some are given up."""
        queue = sorted(names & self.reasoner.invariants.keys(), key=_number)
        done: dict[str, None] = {}
        given_up = 0
        while queue:
            name = queue.pop(0)
            if name in done:
                continue
            done[name] = None
            source = self.reasoner.invariants[name].source
            for case in self.theory.cases:
                if not source.is_affected(case):
                    continue
                answer = self.conditions.preserved(name, case)
                if answer.status is not Status.PROVED:
                    self.reasoner.given_up.add(name)
                    given_up += 1
                    break
                more = answer.core & self.reasoner.invariants.keys()
                queue += sorted(more - done.keys(), key=_number)
            if given_up >= _AT_A_TIME:
                break
        return None if given_up else tuple(sorted(done, key=_number))


def _number(name: str) -> int:
    return int(name[1:])


def ranking_answers(
    conditions: Conditions, ranking: Ranking, numbers: Iterator[int] | None = None
) -> Iterator[tuple[str, Answer]]:
    """The answers to the conditions of a ranking, from memory, by the names of the obligations.

    Measures are numbered from 1, in the order in which they come.
    """
    theory = conditions.theory
    numbers = itertools.count(1) if numbers is None else numbers
    if isinstance(ranking, ByMeasure):
        number = next(numbers)
        for rule in ranking.rules:
            for case in theory.cases_of(rule):
                answer = conditions.not_increased(case, ranking.measure)
                yield f"not increased {number} {case.label}", answer
                if rule in ranking.decreasing:
                    answer = conditions.decreased(case, ranking.measure)
                    yield f"decreased {number} {case.label}", answer
        if ranking.rest is not None:
            yield from ranking_answers(conditions, ranking.rest, numbers)
    elif isinstance(ranking, BySplit):
        for rule in ranking.rules:
            for following in ranking.rules:
                if (rule, following) not in ranking.follows:
                    for case in theory.cases_of(rule):
                        for other in theory.cases_of(following):
                            answer = conditions.cannot_follow(case, other)
                            yield f"not after {case.label}: {other.label}", answer
        for component in ranking.components:
            yield from ranking_answers(conditions, component, numbers)
    else:
        for case, way in ranking.ways:
            prefixes, hop = conditions.way_answers(case, way)
            yield f"prefixes {case.label}", prefixes
            yield f"hop {case.label}", hop
