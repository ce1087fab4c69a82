"""Termination: a ranking, which shows that no rules can act for ever.

A ranking of a set of rules is one of these:
- *measure*: a set of tuples that no rule of the set makes larger and some rules make smaller, with
  a ranking of the other rules;
- *split*: which rule can act right after which; a ranking of each strongly connected component;
- *way*: a single rule that follows shortest paths, with the first objects that satisfy it.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from pg3.analysis.prove.conditions import Way
from pg3.analysis.prove.logic.formulas import next_hops_in, to_json
from pg3.analysis.prove.reasoning import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pg3.analysis.prove.conditions import Conditions, Measure
    from pg3.analysis.prove.logic.theory import Case
    from pg3.analysis.prove.mining.samples import Samples, Step

# Measures that agree with the sampled steps and are tried with the solver; the right one was among
# the first 20 in all proofs.
_MEASURES = 80
# Sampled steps of a rule that a measure is compared with before the solver is asked.
_STEPS_A_RULE = 8
# A set of more tuples in a small problem is no measure that anybody would think of.
_TUPLES = 3000


@dataclass(frozen=True)
class ByMeasure:
    """No rule makes the set larger, those of `decreasing` make it smaller."""

    rules: tuple[int, ...]
    measure: Measure
    decreasing: tuple[int, ...]
    rest: Ranking | None

    def to_json(self, names: Sequence[str]) -> dict[str, Any]:
        """The step as the certificate has it."""
        return {
            "step": "measure",
            "rules": [names[i] for i in self.rules],
            "variables": [list(v) for v in self.measure.variables],
            "formula": to_json(self.measure.formula),
            "decreasing": [names[i] for i in self.decreasing],
            "rest": None if self.rest is None else self.rest.to_json(names),
        }


@dataclass(frozen=True)
class BySplit:
    """Rules that act for ever are all in one of the components."""

    rules: tuple[int, ...]
    follows: tuple[tuple[int, int], ...]
    components: tuple[Ranking, ...]

    def to_json(self, names: Sequence[str]) -> dict[str, Any]:
        """The step as the certificate has it."""
        return {
            "step": "split",
            "rules": [names[i] for i in self.rules],
            "follows": [[names[i], names[j]] for i, j in self.follows],
            "components": [one.to_json(names) for one in self.components],
        }


@dataclass(frozen=True)
class ByWay:
    """A rule whose action goes one step along a shortest path."""

    rule: int
    ways: tuple[tuple[Case, Way], ...]

    @property
    def rules(self) -> tuple[int, ...]:
        """The rule."""
        return (self.rule,)

    def to_json(self, names: Sequence[str]) -> dict[str, Any]:
        """The step as the certificate has it."""
        ways = [
            {
                "kinds": [t.kind for t in case.parameters],
                "prefix": len(way.prefix),
                "start": way.start.name,
                "hop": way.hop.name,
            }
            for case, way in self.ways
        ]
        return {"step": "way", "rules": [names[self.rule]], "ways": ways}


Ranking = ByMeasure | BySplit | ByWay


class _Decreasing(NamedTuple):
    """A measure with the rules that make it smaller, or are hoped to."""

    measure: Measure
    rules: frozenset[int]


def _some_of_each_rule(steps: Sequence[Step]) -> list[Step]:
    """A few steps of each rule, in turns, so that wrong measures are seen early."""
    of_rule: dict[int, list[Step]] = {}
    for step in steps:
        of_rule.setdefault(step.rule, []).append(step)
    few = [these[:: len(these) // _STEPS_A_RULE + 1] for these in of_rule.values()]
    turns = itertools.zip_longest(*few)
    return [step for turn in turns for step in turn if step is not None]


class RankingSearch:
    """The search for a ranking; `stuck` has the sets of rules that none was found for."""

    def __init__(
        self, conditions: Conditions, measures: Sequence[Measure], samples: Samples
    ) -> None:
        self._conditions = conditions
        self._theory = conditions.theory
        self._measures = measures
        self._steps = _some_of_each_rule(samples.steps)
        self._seen = {
            (one.rule, other.rule)
            for one, other in zip(samples.steps, samples.steps[1:], strict=False)
            if one.after is other.before
        }
        self.stuck: list[tuple[int, ...]] = []

    def run(self) -> Ranking | None:
        """A ranking of all rules; None if some set of rules is stuck, or if no rule has a case."""
        self.stuck.clear()
        rules = tuple(sorted({case.rule for case in self._theory.cases}))
        return self._rank(rules) if rules else None

    def _rank(self, rules: tuple[int, ...]) -> Ranking | None:
        found = self._by_measure(rules)
        if found is not None:
            left = tuple(i for i in rules if i not in found.rules)
            rest = self._rank(left) if left else None
            if left and rest is None:
                return None
            return ByMeasure(rules, found.measure, tuple(sorted(found.rules)), rest)
        follows = tuple((i, j) for i in rules for j in rules if self._can_follow(i, j))
        components = strong_components(rules, follows)
        if components == [rules]:
            way = self._by_way(rules)
            if way is None:
                self.stuck.append(rules)
            return way
        rankings = [self._rank(component) for component in components]
        if any(one is None for one in rankings):
            return None
        return BySplit(rules, follows, tuple(one for one in rankings if one is not None))

    # -- measures ----------------------------------------------------------------------------------

    def _by_measure(self, rules: tuple[int, ...]) -> _Decreasing | None:
        unseen = set(rules) - {step.rule for step in self._steps}
        candidates: list[_Decreasing] = []
        for measure in self._measures:
            seen = self._seen_to_decrease(measure, rules)
            if seen is not None and (seen or unseen):
                candidates.append(_Decreasing(measure, frozenset(seen | unseen)))
        candidates.sort(key=lambda c: (-len(c.rules), len(c.measure.text), c.measure.text))
        for measure, hoped in candidates[:_MEASURES]:
            decreasing = self._proved_to_decrease(measure, rules, hoped)
            if decreasing:
                return _Decreasing(measure, decreasing)
        return None

    def _seen_to_decrease(self, measure: Measure, rules: Iterable[int]) -> set[int] | None:
        """The rules that made the set smaller at each sampled step; None if one made it larger."""
        smaller, same = set[int](), set[int]()
        for step in self._steps:
            if step.rule not in rules:
                continue
            before, after = (
                state.extension(measure.variables, measure.formula, _TUPLES)
                for state in (step.before, step.after)
            )
            if before is None or after is None or not after <= before:
                return None
            (smaller if after < before else same).add(step.rule)
        return smaller - same

    def _proved_to_decrease(
        self, measure: Measure, rules: Sequence[int], hoped: frozenset[int]
    ) -> frozenset[int]:
        """The rules that make the set smaller; none if some rule may make it larger."""
        decreasing = []
        for rule in sorted(rules, key=lambda i: (i not in hoped, i)):
            cases = self._theory.cases_of(rule)
            for case in cases:
                if self._conditions.not_increased(case, measure).status is not Status.PROVED:
                    return frozenset()
            if rule in hoped and all(
                self._conditions.decreased(case, measure).status is Status.PROVED for case in cases
            ):
                decreasing.append(rule)
            elif hoped == {rule}:
                return frozenset()
        return frozenset(decreasing)

    # -- which rule follows which ------------------------------------------------------------------

    def _can_follow(self, rule: int, following: int) -> bool:
        return (rule, following) in self._seen or any(
            self._conditions.cannot_follow(case, other).status is not Status.PROVED
            for case in self._theory.cases_of(rule)
            for other in self._theory.cases_of(following)
        )

    # -- ways --------------------------------------------------------------------------------------

    def _by_way(self, rules: tuple[int, ...]) -> ByWay | None:
        if len(rules) != 1:
            return None
        found = []
        cases = self._theory.cases_of(rules[0])
        # The first objects are chosen among those of all cases, so there must be one case only.
        if len(cases) != 1:
            return None
        for case in cases:
            way = next((w for w in ways_of(case) if self._goes_on(case, w)), None)
            if way is None:
                return None
            found.append((case, way))
        return ByWay(rules[0], tuple(found))

    def _goes_on(self, case: Case, way: Way) -> bool:
        answers = self._conditions.way_answers(case, way)
        return all(answer.status is Status.PROVED for answer in answers)


def ways_of(case: Case) -> list[Way]:
    """The conditions of a case on a next hop whose start and hop come after all that they need."""
    found = []
    for relation, leading, start, hop, target in next_hops_in(case.conditions):
        if not (start.is_variable and hop.is_variable) or start == hop:
            continue
        cut = min(case.parameters.index(start), case.parameters.index(hop))
        prefix = case.parameters[:cut]
        if all(t in prefix or not t.is_variable for t in (*leading, target)):
            found.append(Way(prefix, start, hop, relation, target))
    return found


def strong_components(
    nodes: Sequence[int], edges: Iterable[tuple[int, int]]
) -> list[tuple[int, ...]]:
    """The strongly connected components with an edge inside, in the order of their first nodes."""
    reach = {i: {j for k, j in edges if k == i} for i in nodes}
    for middle in nodes:
        for i in nodes:
            if middle in reach[i]:
                reach[i] |= reach[middle]
    found: list[tuple[int, ...]] = []
    for i in nodes:
        component = tuple(j for j in nodes if j in reach[i] and i in reach[j])
        if component and component not in found and i in component:
            found.append(component)
    return found
