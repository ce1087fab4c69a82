"""`pg3 solve --guided` with broken policies next to `pg3 plan`: python -m benchmarks.guided.

A policy is learned from a domain's training problems ("learned") and broken in three ways: without
its first rule ("rule missing"), with its rules in the reversed order ("reversed"), and with a
random rule that lacks a random condition ("condition missing"). A fourth broken one needs no
learning: a rule for each action, with its preconditions only ("any action"). The problems are the
largest test problems of the built-in domains and of MOOSE's, and some of Autoscale's, whose
policies are learned from the domain's first three problems. What other people wrote is left out
where it is missing (benchmarks/foreign.py).

Broken policies are tried where `pg3 plan` has a plan. Both have the same limits, by default of
seconds; with `--expansions` the result is the same on
every machine. A problem that `pg3 plan` solves and `pg3 solve --guided` does not is LOST. Of its
limits `pg3 solve --guided` may spend a fifth with the policy: "late" is a problem for which `plan`
needs more than the rest. On a busy machine a run may end before it had its CPU time: what has no
plan then says nothing ("busy").

Policies and answers are kept in build/guided, so that a run can be stopped and gone on with; what
was busy is tried again.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.coverage import problems as autoscale_problems
from benchmarks.foreign import AUTOSCALE_PROBLEMS, MOOSE_PROBLEMS
from pg3 import Limits, learn, read_domain, read_policy, read_problem
from pg3.domains import DOMAINS
from pg3.planning import plan
from pg3.planning.hybrid import solve_guided
from pg3.planning.search import PlanStatus
from pg3.policy.model import DecisionList, Rule
from pg3.policy.text import write_policy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pg3.pddl import Domain, Problem
    from pg3.pddl.model import Literal
    from pg3.planning import PlanOutcome
    from pg3.planning.hybrid import GuidedSolve

# More steps than the plans of working policies have here, so that cycles cost no more.
MAX_STEPS = 10_000

VERDICTS = ("same", "won", "late", "LOST", "busy")


class Case(NamedTuple):
    """Problems of a domain, and what a policy for it is learned from, if one is."""

    name: str
    domain: Domain
    train: Sequence[Problem]
    test: Sequence[tuple[str, Problem]]


def any_action(domain: Domain) -> DecisionList:
    """Does the first action that is applicable."""
    rules = (
        Rule(
            action.name,
            action.parameters,
            _without_repeats(action.precondition),
            (),
            action.name,
            tuple(parameter.name for parameter in action.parameters),
        )
        for action in domain.actions
    )
    return DecisionList("any-action", tuple(rules), (), domain)


def _without_repeats(literals: Sequence[Literal]) -> tuple[Literal, ...]:
    """The literals without any that says the same again, as (= a b) and (= b a) do."""

    def meaning(one: Literal) -> tuple[bool, str, tuple[str, ...]]:
        terms = sorted(one.atom.terms) if one.atom.predicate == "=" else one.atom.terms
        return one.positive, one.atom.predicate, tuple(terms)

    return tuple({meaning(one): one for one in literals}.values())


def learned(case: Case, seconds: float, folder: Path) -> DecisionList:
    """The policy in the folder; if there is none yet, one that is learned and written there."""
    path = folder / f"{case.name}.policy"
    if not path.exists():
        policy = learn(case.domain, case.train, time_limit=seconds).policy
        path.write_text(write_policy(policy, case.domain), "utf-8")
    return read_policy(path, case.domain)


def without_a_condition(policy: DecisionList, seed: str) -> DecisionList:
    """A random rule has one condition less, a precondition or a goal."""
    parts = [
        (number, part, literal)
        for number, rule in enumerate(policy.rules)
        for part in ("preconditions", "goals")
        for literal in getattr(rule, part)
    ]
    number, part, literal = random.Random(seed).choice(parts)
    rules = [*policy.rules]
    rule = rules[number]
    preconditions, goals = (
        tuple(one for one in getattr(rule, name) if (name, one) != (part, literal))
        for name in ("preconditions", "goals")
    )
    rules[number] = replace(rule, preconditions=preconditions, goals=goals)
    return replace(policy, rules=tuple(rules))


def policies_of(case: Case, seconds: float, folder: Path) -> Iterator[tuple[str, DecisionList]]:
    """The policies to begin with, each with its name."""
    if case.train:
        policy = learned(case, seconds, folder)
        yield "learned", policy
        if policy.rules:
            yield "rule missing", replace(policy, rules=policy.rules[1:])
            yield "reversed", replace(policy, rules=policy.rules[::-1])
            yield "condition missing", without_a_condition(policy, case.name)
    yield "any action", any_action(case.domain)


def built_in(count: int) -> Iterator[Case]:
    """The built-in domains with the largest of their test problems."""
    for name, builtin in DOMAINS.items():
        test = builtin.problems("test", seed=0)
        numbered = [(f"p{number:02}", problem) for number, problem in enumerate(test, 1)]
        numbered.sort(key=lambda one: len(one[1].objects))
        yield Case(name, builtin.domain, builtin.problems("train", seed=0), numbered[-count:])


def moose(count: int) -> Iterator[Case]:
    """MOOSE's domains, with the last of its smallest class of test problems."""
    for folder in sorted(path.parent for path in MOOSE_PROBLEMS.glob("*/testing")):
        domain = read_domain(folder / "domain.pddl")

        def read(path: Path, domain: Domain = domain) -> Problem:
            return read_problem(path, domain)

        train = [read(path) for path in sorted((folder / "training").glob("*.pddl"))]
        paths = sorted((folder / "testing").glob("p0_*.pddl"))[-count:]
        yield Case(f"moose-{folder.name}", domain, train, [(p.stem, read(p)) for p in paths])


def autoscale(numbers: Sequence[int]) -> Iterator[Case]:
    """Some of Autoscale's problems; without training if each problem has a domain of its own."""
    for folder in sorted(path for path in AUTOSCALE_PROBLEMS.glob("*") if path.is_dir()):
        for file, path in autoscale_problems(folder, [*numbers]):
            domain = read_domain(file)
            shared = [one for of, one in autoscale_problems(folder, [1, 2, 3]) if of == file]
            train = [read_problem(one, domain) for one in shared]
            yield Case(folder.name, domain, train, [(path.stem, read_problem(path, domain))])


class Answer(NamedTuple):
    """How a planner ended, and what it used."""

    status: str
    expansions: int
    cpu_seconds: float

    @property
    def solved(self) -> bool:
        """Whether there is a plan."""
        return self.status == PlanStatus.SOLVED

    def is_within(self, limits: Limits, part: float) -> bool:
        """Whether it used no more than a part of the limits."""
        return (limits.expansions is None or self.expansions <= part * limits.expansions) and (
            limits.seconds is None or self.cpu_seconds <= part * limits.seconds
        )

    def is_busy(self, limits: Limits) -> bool:
        """Whether it ended for want of time that it did not have."""
        return self.status == PlanStatus.TIME_LIMIT and self.is_within(limits, 0.8)


def answer(run: Callable[[], PlanOutcome | GuidedSolve]) -> Answer:
    """What a planner does, and the processor seconds that it takes."""
    start = time.process_time()
    outcome = run()
    return Answer(outcome.status, outcome.expansions, round(time.process_time() - start, 2))


def verdict(alone: Answer, guided: Answer, limits: Limits) -> str:
    """How `solve --guided` does next to `plan`."""
    if alone.is_busy(limits) or guided.is_busy(limits):
        return "busy"
    if alone.solved == guided.solved:
        return "same"
    if guided.solved:
        return "won"
    return "LOST" if alone.is_within(limits, 0.8) else "late"


class Kept:
    """The answers in a file, a line each."""

    def __init__(self, path: Path) -> None:
        self._path = path
        text = path.read_text("utf-8") if path.exists() else ""
        lines = [json.loads(line) for line in text.splitlines()]
        self._known = {tuple(key): Answer(*found) for key, found in lines}

    def get(self, key: tuple[object, ...], find: Callable[[], Answer], limits: Limits) -> Answer:
        """The answer that is there; else a new one, kept if it says something."""
        if key in self._known:
            return self._known[key]
        found = find()
        if not found.is_busy(limits):
            self._known[key] = found
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([key, found]) + "\n")
        return found


def compare(
    case: Case, limits: Limits, kept: Kept, policies: Sequence[tuple[str, DecisionList]]
) -> Iterator[tuple[str, str]]:
    """Print a line for each problem and policy; what became of each."""
    for (number, problem), (name, policy) in product(case.test, policies):

        def by_search(problem: Problem = problem) -> PlanOutcome:
            return plan(problem, search="satisficing", limits=limits)

        def with_policy(problem: Problem = problem, policy: DecisionList = policy) -> GuidedSolve:
            return solve_guided(problem, policy, max_steps=MAX_STEPS, limits=limits)

        key = (case.name, number, limits.expansions, limits.seconds, limits.megabytes)
        alone = kept.get(("plan", *key), lambda: answer(by_search), limits)
        if not alone.solved and name != "learned":
            continue
        guided = kept.get((name, *key), lambda: answer(with_policy), limits)
        found = verdict(alone, guided, limits)
        print(
            f"{f'{case.name} {number}':<32}{name:<18}{'yes' if alone.solved else 'no':>5}"
            f"{alone.cpu_seconds:>8.2f}{'yes' if guided.solved else 'no':>8}"
            f"{guided.cpu_seconds:>8.2f}  {found}",
            flush=True,
        )
        yield name, found


def main() -> None:
    """Print a line for each problem and policy, and the sums."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("domains", nargs="*", help="some of the domains; all if none is named")
    parser.add_argument("--sets", nargs="+", default=("built-in", "moose", "autoscale"))
    parser.add_argument("--count", type=int, default=2, help="problems of a built-in domain")
    parser.add_argument("--problems", default="4,12", help="numbers of Autoscale's problems")
    parser.add_argument("--learn-seconds", type=float, default=20)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--expansions", type=int, help="a limit instead of the seconds")
    parser.add_argument("--megabytes", type=int, default=2048)
    parser.add_argument("--kept", type=Path, default=Path("build") / "guided")
    chosen = parser.parse_args()
    numbers = [int(number) for number in chosen.problems.split(",")]
    sets = {
        "built-in": lambda: built_in(chosen.count),
        "moose": lambda: moose(chosen.count),
        "autoscale": lambda: autoscale(numbers),
    }
    seconds = chosen.seconds if chosen.expansions is None else None
    limits = Limits(chosen.expansions, seconds, chosen.megabytes)
    chosen.kept.mkdir(parents=True, exist_ok=True)
    kept = Kept(chosen.kept / "answers.jsonl")
    print(f"{'problem':<32}{'policy':<18}{'plan':>5}{'CPU s':>8}{'guided':>8}{'CPU s':>8}")
    counts: Counter[tuple[str, str]] = Counter()
    for name in chosen.sets:
        for case in sets[name]():
            if case.name in chosen.domains or not chosen.domains:
                policies = [*policies_of(case, chosen.learn_seconds, chosen.kept)]
                counts.update(compare(case, limits, kept, policies))
    print(f"{'policy':<18}" + "".join(f"{one:>6}" for one in VERDICTS))
    for name in dict.fromkeys(name for name, _ in counts):
        print(f"{name:<18}" + "".join(f"{counts[name, one]:>6}" for one in VERDICTS))


if __name__ == "__main__":
    main()
