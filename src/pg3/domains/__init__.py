"""The domains of the paper, each with a seeded generator of its training and test problems.

`delivery`  bring packages to all who want one, and never enter a trap
`forest`    hike to a place in a grid: round water, over rocks, with a marked trail to help
`gripper`   a robot with two grippers moves balls between many rooms
`miconic`   lifts bring passengers to their floors, in one building or several
`ferry`     a ferry takes cars to their destinations, one at a time
`spanner`   pick up spanners along a one-way corridor to tighten the nuts at its end

A domain is a file with a generator, its PDDL beside it under the same name, and one line in
`DOMAINS`. The appendix of the paper has the sizes, the numbers of problems and the horizons::

    >>> from pg3.domains import DOMAINS
    >>> problems = DOMAINS["ferry"].problems("train", seed=0)
    >>> len(problems), problems[0].domain.name
    (10, 'ferry')
"""

from pg3.domains.base import BuiltInDomain, Range, Size, Split
from pg3.domains.delivery import DELIVERY
from pg3.domains.ferry import FERRY
from pg3.domains.forest import FOREST
from pg3.domains.gripper import GRIPPER
from pg3.domains.miconic import MICONIC
from pg3.domains.spanner import SPANNER

# In the order of the paper's tables.
DOMAINS: dict[str, BuiltInDomain] = {
    "delivery": DELIVERY,
    "forest": FOREST,
    "gripper": GRIPPER,
    "miconic": MICONIC,
    "ferry": FERRY,
    "spanner": SPANNER,
}

__all__ = ["DOMAINS", "BuiltInDomain", "Range", "Size", "Split"]
