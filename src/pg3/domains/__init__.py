"""Built-in domains, each with a seeded generator of its training and test problems.

Of the paper, in the order of its tables:

`delivery`  bring packages to all who want one, and never enter a trap
`forest`    hike to a place in a grid: round water, over rocks, with a marked trail to help
`gripper`   a robot with two grippers moves balls between many rooms
`miconic`   lifts bring passengers to their floors, in one building or several
`ferry`     a ferry takes cars to their destinations, one at a time
`spanner`   pick up spanners along a one-way corridor to tighten the nuts at its end

Further ones, known from planning competitions; `docs/reference/domains.md` tells what is in each:

`blocksworld`, `blocksworld-partial`, `childsnack`, `floortile`, `transport-roads`, `barman`,
`ferry-typed`, `logistics`, `miconic-once`, `rovers`, `satellite`, `transport`, `rovers-traverse`

A domain is a file with a generator, its PDDL beside it under the same name, and one line below. The
appendix of the paper has the sizes, the numbers of problems and the horizons of its own::

    >>> from pg3.domains import DOMAINS
    >>> problems = DOMAINS["ferry"].problems("train", seed=0)
    >>> len(problems), problems[0].domain.name
    (10, 'ferry')
"""

from pg3.domains.barman import BARMAN
from pg3.domains.base import BuiltInDomain, Option, Range, Size, Split
from pg3.domains.blocksworld import BLOCKSWORLD, BLOCKSWORLD_PARTIAL
from pg3.domains.childsnack import CHILDSNACK
from pg3.domains.delivery import DELIVERY
from pg3.domains.ferry import FERRY
from pg3.domains.ferry_typed import FERRY_TYPED
from pg3.domains.floortile import FLOORTILE
from pg3.domains.forest import FOREST
from pg3.domains.gripper import GRIPPER
from pg3.domains.logistics import LOGISTICS
from pg3.domains.miconic import MICONIC
from pg3.domains.miconic_once import MICONIC_ONCE
from pg3.domains.rovers import ROVERS, ROVERS_TRAVERSE
from pg3.domains.satellite import SATELLITE
from pg3.domains.spanner import SPANNER
from pg3.domains.transport import TRANSPORT, TRANSPORT_ROADS

# In the order of the paper's tables: what its experiments are about.
PAPER_DOMAINS: dict[str, BuiltInDomain] = {
    domain.name: domain for domain in (DELIVERY, FOREST, GRIPPER, MICONIC, FERRY, SPANNER)
}

DOMAINS: dict[str, BuiltInDomain] = PAPER_DOMAINS | {
    domain.name: domain
    for domain in (
        BLOCKSWORLD,
        BLOCKSWORLD_PARTIAL,
        CHILDSNACK,
        FLOORTILE,
        TRANSPORT_ROADS,
        BARMAN,
        FERRY_TYPED,
        LOGISTICS,
        MICONIC_ONCE,
        ROVERS,
        SATELLITE,
        TRANSPORT,
        ROVERS_TRAVERSE,
    )
}

__all__ = ["DOMAINS", "PAPER_DOMAINS", "BuiltInDomain", "Option", "Range", "Size", "Split"]
