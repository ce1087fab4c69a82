"""Further domains from working life, held out: the learner is measured on them, not developed.

They were written without regard to what the learner can do. As in the first half, none is a copy of
a benchmark.
"""

from __future__ import annotations

from benchmarks.workplace.held_out.journeys import JOURNEYS
from benchmarks.workplace.held_out.services import SERVICES
from benchmarks.workplace.held_out.yards import YARDS

HELD_OUT = {d.name: d for d in sorted(SERVICES + YARDS + JOURNEYS, key=lambda d: d.name)}
