"""What every built-in domain is: its PDDL, its splits, and a seeded generator of problems."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pg3.domains.chance import Chance
from pg3.errors import Pg3Error, did_you_mean, pluralize
from pg3.pddl import Atom, Domain, Literal, Problem, TypedObject, parse_domain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

# The smallest and the largest number of something, both allowed.
Range = tuple[int, int]

# A mistake ("--locations 1000000") must not fill the memory: this many objects or facts take one or
# two gigabytes.
_MOST = 5_000_000

# The most draws before we say that there are no further problems: fewer where a problem has very
# many facts.
_DRAWS = 2000
_FACTS_DRAWN = 2_000_000


@dataclass(frozen=True, slots=True)
class Size:
    """A size of problems: the number of something, and the least that a problem needs.

    `train` and `test` are its ranges in the splits of a built-in domain.
    """

    name: str
    meaning: str
    least: int = 1
    train: Range = (1, 1)
    test: Range = (1, 1)


@dataclass(frozen=True, slots=True)
class Option:
    """An option that problems can have; by default they do not."""

    name: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Sizes:
    """The ranges from which a generator draws the sizes of one problem, and the options set."""

    ranges: Mapping[str, Range]
    options: frozenset[str] = frozenset()

    def draw(self, chance: Chance, name: str) -> int:
        """A number within the range of this size."""
        return chance.between(*self.ranges[name])

    def draw_two(
        self, chance: Chance, larger: str, smaller: str, *, apart: int = 0
    ) -> tuple[int, int]:
        """Numbers within two ranges, the first larger than the second by at least `apart`.

        The first is drawn from those that leave room for the second, then the second from what fits
        below. Raises Pg3Error if nothing does.
        """
        (low, high), (least, most) = self.ranges[larger], self.ranges[smaller]
        if least + apart > high:
            raise Pg3Error(
                f"impossible sizes: {least} {smaller} need at least {least + apart} {larger}, "
                f"but at most {high} are allowed"
            )
        first = chance.between(max(low, least + apart), high)
        return first, chance.between(least, min(most, first - apart))


class Draft(NamedTuple):
    """A problem as a generator draws it: objects, initial facts and goals."""

    objects: Sequence[TypedObject]
    init: Iterable[Atom]
    goal: Iterable[Atom]


@dataclass(frozen=True, slots=True)
class Split:
    """A distribution of problems: how many the paper has of it, and how large they are."""

    count: int
    sizes: Mapping[str, Range]


@dataclass(frozen=True)
class BuiltInDomain:
    """A domain with its PDDL and its distributions of problems.

    `horizon` is the number of steps that a policy gets on each problem. `generate` draws a problem
    that is certain to be solvable. `shares` names another domain that has the same PDDL.
    `options` are what one can ask of the problems besides sizes. `splits` are by default those that
    the sizes tell, with `counts` problems for training and for testing.
    """

    name: str
    summary: str
    horizon: int
    sizes: tuple[Size, ...]
    generate: Callable[[Chance, Sizes], Draft]
    splits: Mapping[str, Split] = field(default_factory=dict)
    counts: tuple[int, int] = (10, 30)
    shares: str | None = None
    options: tuple[Option, ...] = ()

    def __post_init__(self) -> None:
        """Make the splits that the sizes tell."""
        if not self.splits:
            train, test = self.counts
            splits = {
                "train": Split(train, {size.name: size.train for size in self.sizes}),
                "test": Split(test, {size.name: size.test for size in self.sizes}),
            }
            object.__setattr__(self, "splits", splits)

    @property
    def text(self) -> str:
        """The domain as PDDL: the file NAME.pddl in this folder, or that of the one it shares."""
        name = self.shares or self.name
        return Path(__file__).with_name(f"{name}.pddl").read_text(encoding="utf-8")

    @cached_property
    def domain(self) -> Domain:
        """What `text` describes."""
        return parse_domain(self.text, f"{self.name}.pddl")

    def problems(
        self,
        split: str = "train",
        *,
        seed: int,
        count: int | None = None,
        sizes: Mapping[str, Range] | None = None,
        options: Iterable[str] = (),
    ) -> tuple[Problem, ...]:
        """The first `count` problems of a split, by default as many as the paper has.

        No two are alike, none is solved from the start, and each is the same whatever the count.
        `sizes` replaces some ranges of the split; `options` names the options to set. Raises
        Pg3Error if a size or an option is unknown, if a size is impossible, or if there are not so
        many different problems of these sizes.
        """
        number = self._split(split).count if count is None else count
        if number < 0:
            raise Pg3Error(f"cannot make {number} problems")
        return tuple(islice(self.stream(split, seed=seed, sizes=sizes, options=options), number))

    def stream(
        self,
        split: str = "train",
        *,
        seed: int,
        sizes: Mapping[str, Range] | None = None,
        options: Iterable[str] = (),
    ) -> Iterator[Problem]:
        """The problems of a split one by one, without end; see `problems`."""
        ranges = Sizes(self._ranges(split, sizes or {}), self._known(options))
        seen: set[bytes] = set()
        while True:
            yield self._another(split, seed, ranges, seen)

    def _another(self, split: str, seed: int, sizes: Sizes, seen: set[bytes]) -> Problem:
        """The next problem, which is added to those seen."""
        number = len(seen) + 1
        # Each problem has a seed of its own: it does not depend on what was drawn for the others,
        # except where chance makes two alike.
        chance = Chance(f"pg3/{self.name}/{split}/{seed}/{number}")
        drawn = 0
        for _ in range(_DRAWS):
            objects, init, goal = self.generate(chance, sizes)
            problem = Problem.of(
                f"{self.name}-{split}-{seed}-{number}",
                self.domain,
                objects,
                _bounded(init),
                map(Literal, goal),
            )
            fingerprint = _fingerprint(problem)
            if fingerprint not in seen and not _is_solved(problem):
                seen.add(fingerprint)
                return problem
            drawn += len(problem.init)
            if drawn > _FACTS_DRAWN:
                break
        raise Pg3Error(
            f"{self.name}: these sizes allow no more than "
            f"{pluralize(len(seen), 'different problem')}: ask for fewer, or for larger ones"
        )

    def _split(self, name: str) -> Split:
        if name not in self.splits:
            raise Pg3Error(f"{self.name} has no split '{name}', only {', '.join(self.splits)}")
        return self.splits[name]

    def _known(self, options: Iterable[str]) -> frozenset[str]:
        """These options, which are checked."""
        known = [option.name for option in self.options]
        chosen = frozenset(options)
        for name in sorted(chosen.difference(known)):
            hint = did_you_mean(name, known)
            raise Pg3Error(f"{self.name} has no option '{name}'" + (f": {hint}" if hint else ""))
        return chosen

    def _ranges(self, split: str, own: Mapping[str, Range]) -> dict[str, Range]:
        """The split's ranges with some replaced by one's own, which are checked."""
        ranges = dict(self._split(split).sizes)
        for name in own:
            if name not in ranges:
                hint = did_you_mean(name, ranges)
                raise Pg3Error(
                    f"{self.name} has no size '{name}', only {', '.join(ranges)}"
                    + (f": {hint}" if hint else "")
                )
        for size in self.sizes:
            low, high = ranges[size.name] = own.get(size.name, ranges[size.name])
            if low > high:
                raise Pg3Error(f"{self.name}: {size.name}: the range {low}..{high} is empty")
            if not size.least <= low <= high <= _MOST:
                bad = low if low < size.least else high
                raise Pg3Error(
                    f"{self.name}: {size.name}: must be from {size.least} to {_MOST}, not {bad}"
                )
        return ranges


def _bounded(atoms: Iterable[Atom]) -> Iterator[Atom]:
    for i, atom in enumerate(atoms):
        if i == _MOST:
            raise Pg3Error(f"a problem of this size has more than {_MOST} facts")
        yield atom


def _fingerprint(problem: Problem) -> bytes:
    """The content of a problem, without its name."""
    hashed = sha256()
    for name, type_ in problem.objects:
        hashed.update(f"{name} {type_}\n".encode())
    hashed.update(problem.init.codes)
    # No atom begins with a negative number, so the goal cannot be mistaken for facts.
    hashed.update((-1).to_bytes(4, "little", signed=True))
    hashed.update(problem.goal.codes)
    return hashed.digest()


def _is_solved(problem: Problem) -> bool:
    open_goals = set(problem.goal)
    open_goals.difference_update(problem.init)
    return not open_goals
