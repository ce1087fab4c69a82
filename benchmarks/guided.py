"""`pg3 solve --guided` with broken policies next to `pg3 plan`: python -m benchmarks.guided.

A policy is learned from a domain's training problems ("learned") and broken in two ways: every
other rule is removed ("half"), or the rules stand in the reversed order ("reversed"). A third
broken one needs no learning: a rule for each action, with its preconditions only ("any action").
The problems are the largest test problems of the built-in domains and of MOOSE's. Autoscale's have
the last policy only. What other people wrote is left out where it is missing
(benchmarks/foreign.py).

Both have the same limit of expanded states, so that every machine prints the same but the
processor times. A problem that `pg3 plan` solves and `pg3 solve --guided` does not is LOST. Of the
limit `pg3 solve --guided` may spend a part with the policy, so `plan` is also run with a limit
without that part: "late" is a problem that only the full limit solves.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.coverage import problems as autoscale_problems
from benchmarks.foreign import AUTOSCALE_PROBLEMS, MOOSE_PROBLEMS
from pg3 import Limits, learn, read_domain, read_problem
from pg3.domains import DOMAINS
from pg3.planning import plan
from pg3.planning.hybrid import solve_guided
from pg3.policy.model import DecisionList, Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from pg3.pddl import Domain, Problem
    from pg3.pddl.model import Literal

# More steps than the plans of working policies have here, so that cycles cost no more.
MAX_STEPS = 10_000


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


def policies_of(case: Case) -> Iterator[tuple[str, DecisionList]]:
    """The policies to begin with, each with its name."""
    if case.train:
        policy = learn(case.domain, case.train).policy
        half = DecisionList("half", policy.rules[1::2], policy.definitions, case.domain)
        turned = DecisionList("reversed", policy.rules[::-1], policy.definitions, case.domain)
        yield from (("learned", policy), ("half", half), ("reversed", turned))
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
    """Some of Autoscale's problems."""
    for folder in sorted(path for path in AUTOSCALE_PROBLEMS.glob("*") if path.is_dir()):
        for file, path in autoscale_problems(folder, [*numbers]):
            domain = read_domain(file)
            yield Case(folder.name, domain, (), [(path.stem, read_problem(path, domain))])


def timed(run: Callable[[], bool]) -> tuple[bool, float]:
    """What it says, and the processor seconds that it takes."""
    start = time.process_time()
    return run(), time.process_time() - start


def compare(case: Case, limits: Limits, rest: Limits) -> Iterator[str]:
    """Print a line for each problem and policy; what became of each."""
    policies = [*policies_of(case)]
    for number, problem in case.test:

        def by_search(within: Limits, problem: Problem = problem) -> bool:
            return plan(problem, search="satisficing", limits=within).solved

        plain, plain_seconds = timed(lambda: by_search(limits))
        is_late = plain and not by_search(rest)
        for name, policy in policies:

            def guided(policy: DecisionList = policy, problem: Problem = problem) -> bool:
                return solve_guided(problem, policy, max_steps=MAX_STEPS, limits=limits).solved

            solved, seconds = timed(guided)
            verdict = "won" if solved else "late" if is_late else "LOST"
            verdict = "same" if solved == plain else verdict
            print(
                f"{f'{case.name} {number}':<30}{name:<12}{'yes' if plain else 'no':>5}"
                f"{plain_seconds:>8.2f}{'yes' if solved else 'no':>8}{seconds:>8.2f}  {verdict}",
                flush=True,
            )
            yield verdict


def main() -> None:
    """Print a line for each problem and policy, and the sums."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("domains", nargs="*", help="some of the domains; all if none is named")
    parser.add_argument("--sets", nargs="+", default=("built-in", "moose", "autoscale"))
    parser.add_argument("--count", type=int, default=2, help="problems of a built-in domain")
    parser.add_argument("--problems", default="4,12", help="numbers of Autoscale's problems")
    parser.add_argument("--expansions", type=int, default=20_000)
    parser.add_argument("--megabytes", type=int, default=2048)
    chosen = parser.parse_args()
    numbers = [int(number) for number in chosen.problems.split(",")]
    sets = {
        "built-in": lambda: built_in(chosen.count),
        "moose": lambda: moose(chosen.count),
        "autoscale": lambda: autoscale(numbers),
    }
    limits = Limits(expansions=chosen.expansions, megabytes=chosen.megabytes)
    rest = Limits(expansions=chosen.expansions * 4 // 5, megabytes=chosen.megabytes)
    print(f"{'problem':<30}{'policy':<12}{'plan':>5}{'CPU s':>8}{'guided':>8}{'CPU s':>8}")
    counts: Counter[str] = Counter()
    for name in chosen.sets:
        for case in sets[name]():
            if case.name in chosen.domains or not chosen.domains:
                counts.update(compare(case, limits, rest))
    print(", ".join(f"{verdict}: {counts[verdict]}" for verdict in ("same", "won", "late", "LOST")))


if __name__ == "__main__":
    main()
