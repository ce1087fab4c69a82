"""Which problems a domain of the third set has, of all those that its generator draws."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

from benchmarks.workplace.base import TEST_PROBLEMS, TRAINING_PROBLEMS
from benchmarks.workplace.third.sketch import Sketch
from pg3.errors import Pg3Error

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from random import Random

    from pg3.domains.base import Range

TRAIN: Mapping[str, Range] = {"objects": (5, 14), "goals": (1, 3)}
TEST: Mapping[str, Range] = {"objects": (45, 67), "goals": (9, 15)}

CANDIDATES = 40
"""So many training problems are drawn of each size, of which one is chosen."""

_DRAWS = 5_000


def tests_of(draw: Callable[[Sketch], None], rng: Random) -> list[Sketch]:
    """The test problems, which grow from the first to the last."""
    last = TEST_PROBLEMS - 1
    empty = (partial(Sketch, rng, True, i / last) for i in range(TEST_PROBLEMS))
    return [fitting(draw, each, TEST) for each in empty]


def training_of(
    draw: Callable[[Sketch], None],
    rng: Random,
    tests: Sequence[Sketch],
    constants: Mapping[str, str],
    least: int,
) -> list[Sketch]:
    """The training problems for these tests, from small to large.

    Of the candidates of each size, the largest first, that one is chosen that has most of what the
    tests have and the others do not: shapes of goals, types, pairs of goals, predicates. `least`
    is the most objects of the smallest. `constants` have types.

    The files of the first results were chosen like this, too, but strategies written by hand had
    solved all candidates: actions of their plans counted as well, and plans of one step or of more
    than sixty were left out. Here are no strategies. With seed 0 all test problems are those of
    the files, and two in three training problems.
    """
    last = TRAINING_PROBLEMS - 1
    sizes = [i / last for i in range(TRAINING_PROBLEMS)]
    drawn = [
        [fitting(draw, partial(Sketch, rng, False, s), _training(s, least)) for s in sizes]
        for _ in range(CANDIDATES)
    ]
    missing = set().union(*(features(test, constants) for test in tests))
    train: list[Sketch] = []
    for candidates in [*zip(*drawn, strict=True)][::-1]:
        # The largest has as many goals as any.
        able = candidates if train else [c for c in candidates if len(c.goal) == TRAIN["goals"][1]]
        best = max(able, key=lambda each: _worth(features(each, constants) & missing))
        missing -= features(best, constants)
        train.insert(0, best)
    return train


def fitting(
    draw: Callable[[Sketch], None], empty: Callable[[], Sketch], sizes: Mapping[str, Range]
) -> Sketch:
    """A sketch of these sizes, with two thirds of its goals open at first, of an empty one."""
    (least, most), (fewest, highest) = sizes["objects"], sizes["goals"]
    for _ in range(_DRAWS):
        sketch = empty()
        draw(sketch)
        goals = len(sketch.goal)
        if least <= len(sketch.objects) <= most and fewest <= goals <= highest:
            unmet = sum(goal not in sketch.init for goal in sketch.goal)
            if unmet >= max(1, 2 * goals // 3):
                return sketch
    raise Pg3Error(f"no problem has {least} to {most} objects and {fewest} to {highest} goals")


def _training(size: float, least: int) -> dict[str, Range]:
    """The objects and goals of the training problems of a size."""
    low, high = TRAIN["objects"]
    most = least + round(size * (high - least))
    return {**TRAIN, "objects": (high if most == high else max(low, most - 2), most)}


def features(sketch: Sketch, constants: Mapping[str, str]) -> set[tuple[str, ...]]:
    """What a learner can meet in a problem, each with its kind first."""
    types = [type_ for _, type_ in sketch.objects]
    type_of = {**constants, **dict(sketch.objects)}
    found = {("goal", name, *(type_of[term] for term in terms)) for name, terms in sketch.goal}
    found |= {("fact", fact.predicate) for fact in sketch.init}
    found |= {("type", type_) for type_ in types}
    found |= {("several", type_) for type_ in types if types.count(type_) > 1}
    for one, other in combinations(sketch.goal, 2):
        pair = sorted((one.predicate, other.predicate))
        found.add(("pair", *pair))
        if {*one.terms}.intersection(other.terms).difference(constants):
            found.add(("pair of one", *pair))
    return found


def _worth(found: set[tuple[str, ...]]) -> int:
    return sum(1 if kind.startswith("pair") else 4 for kind, *_ in found)
