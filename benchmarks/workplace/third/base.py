"""What a domain of the third set is: as one of the others, but its problems are chosen together."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, ClassVar

from benchmarks.workplace.base import TEST_PROBLEMS, TRAINING_PROBLEMS, WorkplaceDomain
from benchmarks.workplace.third.choice import TEST, TRAIN, fitting, tests_of, training_of
from benchmarks.workplace.third.sketch import Sketch
from pg3.domains.base import Draft, Size, Split
from pg3.errors import Pg3Error
from pg3.pddl import Literal, Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from pg3.domains.base import Range, Sizes
    from pg3.domains.chance import Chance

# That of the files from which the first results come.
_FIRST_SEED = 20240611


@dataclass(frozen=True)
class ThirdDomain(WorkplaceDomain):
    """A domain whose PDDL is pddl/NAME.pddl here.

    `draw` adds objects, facts and goals to an empty sketch; whatever it adds can be solved. The
    smallest training problem has at most `least` objects.
    """

    folder: ClassVar[Path] = Path(__file__).with_name("pddl")

    draw: Callable[[Sketch], None] = field(kw_only=True)
    least: int = 7

    def stream(
        self,
        split: str = "train",
        *,
        seed: int,
        sizes: Mapping[str, Range] | None = None,
        options: Iterable[str] = (),
    ) -> Iterator[Problem]:
        """The problems of a split, which are so many; with one's own sizes, others without end."""
        if sizes or options:
            yield from super().stream(split, seed=seed, sizes=sizes, options=options)
        number = self._split(split).count
        rng = Random(f"{self.name}-{_FIRST_SEED + seed}")
        sketches = tests_of(self.draw, rng)
        if split == "train":
            constants = dict(self.domain.constants)
            sketches = training_of(self.draw, rng, sketches, constants, self.least)
        for i, sketch in enumerate(sketches, 1):
            name = f"{self.name}-{split}-{seed}-{i}"
            objects, init, goal = _draft(sketch)
            yield Problem.of(name, self.domain, objects, init, map(Literal, goal))
        raise Pg3Error(f"{self.name} has {number} problems for '{split}' unless sizes are given")


def third(
    name: str,
    summary: str,
    draw: Callable[[Sketch], None],
    least: int = 7,
    kind: type[ThirdDomain] = ThirdDomain,
) -> ThirdDomain:
    """A domain with ten training problems, and tests of three to five times the objects and goals.

    A policy gets 20,000 steps. The `kind` knows where the PDDL is.
    """

    def generate(chance: Chance, sizes: Sizes) -> Draft:
        """One problem of any sizes."""
        big = sizes.ranges["objects"][1] > 2 * TRAIN["objects"][1]
        rng = Random(chance.below(2**32))
        return _draft(fitting(draw, lambda: Sketch(rng, big, rng.random()), sizes.ranges))

    return kind(
        name=name,
        summary=summary,
        horizon=20_000,
        sizes=tuple(Size(size, size) for size in TRAIN),
        splits={"train": Split(TRAINING_PROBLEMS, TRAIN), "test": Split(TEST_PROBLEMS, TEST)},
        generate=generate,
        draw=draw,
        least=least,
    )


def _draft(sketch: Sketch) -> Draft:
    # Types in the order of their names, as in the files from which the first results come.
    return Draft(sorted(sketch.objects, key=lambda each: each.type), sketch.init, sketch.goal)
