"""What the open choices of the paper's algorithm are worth: python -m benchmarks.readings.

The preset `paper` as it is, and with one choice at a time made otherwise; for each the success on
the test problems of the paper's six domains, the mean over seeds: the table of
docs/concepts/deviations.md.
With `--authors FOLDER` the problems are those that the paper's authors published (`paper_preset`).
"""

from __future__ import annotations

import argparse
import warnings
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch

from benchmarks.paper_preset import problems
from pg3.domains import PAPER_DOMAINS
from pg3.errors import InputWarning
from pg3.experiments.methods.table import OPERATORS_OF
from pg3.learning import learner
from pg3.learning.operators import OperatorOptions
from pg3.learning.operators.induce import InduceRule, Lesson
from pg3.learning.policy_search import PolicySearch
from pg3.planning import execute

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pg3.pddl.model import Literal


class CountsExpanded(PolicySearch):
    """Counts a semantic identifier when one of its policies is expanded, not when generated."""

    def _add(self, *arguments: Any) -> bool:
        before = dict(self._generated)
        progress = super()._add(*arguments)
        self._generated = before
        return progress

    def _children(self, node: Any) -> Any:
        if node.number:  # the start is counted from the first
            (identifier,) = self.training.identified([node.policy])
            self._generated[identifier] = self._generated.get(identifier, 0) + 1
        return super()._children(node)


def with_the_achievers_objects(self: Lesson, **_: bool) -> Iterator[tuple[Literal, ...]]:
    """The first set with all that is about objects of the achieving action."""
    achiever = self.table.steps[self.subsequence[-1]].action
    known = {*self.action.objects, *self.goal.terms, *achiever.objects}
    yield self.required + tuple(c for c in self.context if known.issuperset(c.atom.terms))
    yield from GROWING(self)


def first_missed(self: InduceRule, policy: Any, plans: Any) -> Iterator[Any]:
    """The rule of the first missed action instead of the last."""
    failing = []
    for problem, plan in enumerate(plans()):
        if plan is not None:
            agreements = self.training.agreements(policy, problem, plan)
            if False in agreements:
                failing.append((-agreements.count(False), problem, plan, agreements.index(False)))
    for _, problem, plan, missed in sorted(failing)[:1]:
        yield from self._children(policy, problem, plan, missed)


def goal_may_hold(cls: type[Lesson], *arguments: Any) -> Lesson | None:
    """Without the condition that the goal does not hold yet."""
    lesson: Lesson | None = OF(*arguments)
    if lesson is None:
        return None
    step = lesson.table.steps[lesson.subsequence[0]]
    return cls(lesson.table, lesson.subsequence, lesson.goal, step.conditions, lesson.context)


GROWING, OF = Lesson.growing_preconditions, Lesson.of


class Reading(NamedTuple):
    """One way to read the paper: options of `learn`, and what is patched."""

    options: Mapping[str, Any] = {}
    patches: tuple[tuple[Any, str, Any], ...] = ()


def searched(kind: type[PolicySearch] = PolicySearch, **changes: bool) -> Reading:
    """A search of another kind, or with other options."""

    def make(*arguments: Any, **options: Any) -> PolicySearch:
        return kind(*arguments, **{**options, **changes})

    return Reading(patches=((learner, "PolicySearch", make),))


def induced(**options: Any) -> Reading:
    """Other options of the operators."""
    return Reading(patches=((learner, "OperatorOptions", partial(OperatorOptions, **options)),))


READINGS: dict[str, Reading] = {
    "as it is": Reading(),
    "`mean` instead of `max`": Reading({"accumulate": "mean"}),
    "first set: without the achieving action's needs": induced(achiever_needs=False),
    "first set: all about the achieving action's objects": Reading(
        patches=((Lesson, "growing_preconditions", with_the_achievers_objects),)
    ),
    "the shortest failing plan": induced(shortest_first=True),
    "the first missed action": Reading(patches=((InduceRule, "children", first_missed),)),
    "goal may hold already": Reading(patches=((Lesson, "of", classmethod(goal_may_hold)),)),
    "progress: the score alone": searched(heed_total=False),
    "whole expansions": searched(follow_progress=False),
    "on to 2500 candidates": searched(stop_when_perfect=False),
    "as printed, 2500 candidates": searched(follow_progress=False, stop_when_perfect=False),
    "counts over expanded policies": searched(CountsExpanded),
}


def success(name: str, seed: int, authors: Path | None, reading: Reading, score: str) -> float:
    """The part of the test problems that the policy learned from one seed's problems solves."""
    source = PAPER_DOMAINS[name]
    with ExitStack() as stack:
        for target, attribute, value in reading.patches:
            stack.enter_context(patch.object(target, attribute, value))
        result = learner.learn(
            source.domain,
            problems(source, "train", seed, authors),
            preset="paper",
            score=score,
            operators=OPERATORS_OF.get(source.name),
            **reading.options,
        )
    tests = problems(source, "test", seed, authors)
    return fmean(execute(p, result.policy, max_steps=source.horizon).solved for p in tests)


def run(seeds: range, authors: Path | None, score: str, only: str) -> None:
    """Print the table, a row as soon as it is known."""
    warnings.simplefilter("ignore", InputWarning)  # the authors' Miconic files lack a parenthesis
    print(f"| {score}, seeds {seeds[0]}-{seeds[-1]} | {' | '.join(PAPER_DOMAINS)} |")
    print("|---" * (1 + len(PAPER_DOMAINS)) + "|")
    for name, reading in READINGS.items():
        if only in name:
            means = (
                fmean(success(domain, seed, authors, reading, score) for seed in seeds)
                for domain in PAPER_DOMAINS
            )
            print(f"| {name} |", " | ".join(f"{mean:.2f}" for mean in means), "|", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.readings", description=__doc__)
    parser.add_argument("--seeds", type=int, default=40, help="how many, from 0")
    parser.add_argument("--authors", type=Path, metavar="FOLDER", help="the authors' problems")
    parser.add_argument("--score", default="pg3", help="another score function")
    parser.add_argument("--only", default="", help="readings with this in their names")
    given = parser.parse_args()
    run(range(given.seeds), given.authors, given.score, given.only)
