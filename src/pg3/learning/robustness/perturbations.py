"""The registry of perturbations: ways to make further problems from given ones alone.

The robust learner tests policies on perturbed problems (`test_suite`), goal regression learns from
some, and `challenge` searches them for counterexamples. A perturbed problem may have no solution: a
planner or a policy has to find out.

A perturbation is one function from a problem and a random generator to a problem, and one line in
`PERTURBATIONS`. What it has to know of the domain's problems is looked up once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.learning.robustness.growing import Grower
from pg3.learning.robustness.longer_paths import LongerPaths
from pg3.learning.robustness.permutations import renamed, shuffled
from pg3.learning.robustness.random_starts import randomly_started
from pg3.learning.robustness.variations import Variations

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    from pg3.pddl.model import Problem

    Perturbation = Callable[[Problem, random.Random], Problem]

# How much larger a grown problem is: large enough to have more of everything, and to plan for.
_TIMES = 2.0


def _larger(problems: Sequence[Problem]) -> Perturbation:
    grower = Grower(problems)

    def larger(problem: Problem, generator: random.Random) -> Problem:
        """A problem grown from this one; the problem itself if it cannot grow."""
        return grower.grow(problem, generator, times=_TIMES) or problem

    return larger


PERTURBATIONS: dict[str, Callable[[Sequence[Problem]], Perturbation]] = {
    "shuffled objects": lambda _: shuffled,
    "renamed objects": lambda _: renamed,
    "twins": lambda problems: Variations(problems).with_twins,
    "relinked facts": lambda problems: Variations(problems).relinked,
    "other goals": lambda problems: Variations(problems).with_other_goals,
    "fewer goals": lambda problems: Variations(problems).with_fewer_goals,
    "longer paths": lambda problems: LongerPaths(problems).subdivided,
    "random starts": lambda _: randomly_started,
    "larger problems": _larger,
}
