"""Ten more domains from working life, written apart from the learner as those held out.

Each has nine to fifteen actions, and problems that begin in the middle of the work: with things
that no goal mentions, and with goals that hold at first and must hold again in the end.
"""

from __future__ import annotations

from benchmarks.workplace.third.houses import HOUSES
from benchmarks.workplace.third.roads import ROADS
from benchmarks.workplace.third.yards import YARDS

THIRD = {d.name: d for d in sorted(HOUSES + YARDS + ROADS, key=lambda d: d.name)}
