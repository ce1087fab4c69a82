"""Sets of domains, each with training and test problems as files."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.adl import ADL
from benchmarks.foreign import AUTOSCALE_PROBLEMS, MOOSE_PROBLEMS, NUMERIC_PROBLEMS
from benchmarks.generality.cases import Case, moose_cases, written_case
from benchmarks.survey import SURVEY
from benchmarks.workplace import WORKPLACE
from benchmarks.workplace.fourth import FOURTH
from benchmarks.workplace.third import THIRD
from pg3.domains import DOMAINS, PAPER_DOMAINS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from pg3.domains import BuiltInDomain, Range
    from pg3.pddl import Problem

AUTOSCALE_TRAINING = 10

MIXED_STEPS = 10
MIXED_A_STEP = 10


class ProblemSet(NamedTuple):
    """The names of the domains, what makes a domain's case, and the seeds to measure by default.

    A case is made of a name, a seed and a folder to write problems to. The seed is that of the
    problems if they are `generated`; else they are the same with each, and learning has the seed.
    """

    names: tuple[str, ...]
    case: Callable[[str, int, Path], Case]
    seeds: tuple[int, ...] = (0,)
    generated: bool = True


def problem_set(name: str) -> ProblemSet:
    """One of `SETS`. ImportError if its domains are not in this clone; no names if no files."""
    return SETS[name]()


def _generated(domains: Mapping[str, BuiltInDomain], seeds: int = 1) -> ProblemSet:
    """The training and test splits of domains that have a generator."""

    def case(name: str, seed: int, folder: Path) -> Case:
        train, test = (domains[name].problems(split, seed=seed) for split in ("train", "test"))
        return written_case(domains[name], folder, {"train": train, "test": test})

    return ProblemSet(tuple(domains), case, tuple(range(seeds)))


def _held_out() -> ProblemSet:
    # Its domains are written apart from the learner, and come later.
    return _generated(import_module("benchmarks.workplace.held_out").HELD_OUT)


def _mixed() -> ProblemSet:
    def case(name: str, seed: int, folder: Path) -> Case:
        domain = DOMAINS[name]
        test = domain.problems("test", seed=seed)
        return written_case(domain, folder, {"train": mixed(domain, seed), "test": test})

    return ProblemSet(tuple(DOMAINS), case)


def mixed(domain: BuiltInDomain, seed: int) -> list[Problem]:
    """Ten problems of each of ten steps, from tiny ones to ten times the training split's objects.

    The first step goes from a quarter of the training split's least sizes to its largest. Step k
    has up to k times the objects: all sizes grow alike, in a grid by the square root of that.
    """
    sizes = domain.splits["train"].sizes
    least = {size.name: size.least for size in domain.sizes}
    steps = [{name: (max(least[name], low // 4), high) for name, (low, high) in sizes.items()}]
    most, scale = _objects(domain, seed, sizes), 1.0
    for step in range(2, MIXED_STEPS + 1):
        while scale < step and _objects(domain, seed, _times(sizes, scale + 0.25)) <= step * most:
            scale += 0.25
        steps.append(_times(sizes, scale))
    return [
        problem
        # A seed for each step, so that no two problems have the same name.
        for step, ranges in enumerate(steps)
        for problem in domain.problems(
            "train", seed=MIXED_STEPS * seed + step, count=MIXED_A_STEP, sizes=ranges
        )
    ]


def _times(sizes: Mapping[str, Range], scale: float) -> dict[str, Range]:
    return {name: (round(low * scale), round(high * scale)) for name, (low, high) in sizes.items()}


def _objects(domain: BuiltInDomain, seed: int, sizes: Mapping[str, Range]) -> int:
    """The objects of a problem of the largest sizes."""
    largest = {name: (high, high) for name, (_, high) in sizes.items()}
    (problem,) = domain.problems("train", seed=seed, count=1, sizes=largest)
    return len(problem.objects)


def _autoscale() -> ProblemSet:
    """The first ten problems of each domain of Autoscale for training, the others as tests."""

    def case(name: str, _seed: int, _folder: Path) -> Case:
        problems = sorted((AUTOSCALE_PROBLEMS / name).glob("p*.pddl"))
        domain = own_domain(problems[0])
        train, test = problems[:AUTOSCALE_TRAINING], problems[AUTOSCALE_TRAINING:]
        train = [path for path in train if fits(domain, path)]
        return Case(name, domain, tuple(train), tuple(test))

    names = tuple(sorted(path.name for path in AUTOSCALE_PROBLEMS.glob("*")))
    return ProblemSet(names, case, generated=False)


def own_domain(problem: Path) -> Path:
    """The domain file beside a problem: some problems have one of their own."""
    own = problem.with_name(f"domain-{problem.name}")
    return own if own.exists() else problem.with_name("domain.pddl")


def fits(domain: Path, problem: Path) -> bool:
    """Whether the problem is one of this domain. One without a domain file beside it is."""
    own = own_domain(problem)
    return not own.exists() or own.read_bytes() == domain.read_bytes()


def _moose(problems: Path) -> ProblemSet:
    cases = {case.name.removeprefix("moose/"): case for case in moose_cases(problems, None, 1)}
    return ProblemSet(tuple(cases), lambda name, _seed, _folder: cases[name], generated=False)


SETS: dict[str, Callable[[], ProblemSet]] = {
    "workplace": partial(_generated, WORKPLACE),
    "held-out": _held_out,
    "third": partial(_generated, THIRD),
    "fourth": partial(_generated, FOURTH),
    "survey": partial(_generated, SURVEY),
    "adl": partial(_generated, ADL),
    "autoscale": _autoscale,
    "moose": partial(_moose, MOOSE_PROBLEMS),
    "numeric": partial(_moose, NUMERIC_PROBLEMS),
    "paper": partial(_generated, PAPER_DOMAINS, seeds=10),
    "built-in": partial(_generated, DOMAINS),
    "mixed": _mixed,
}
