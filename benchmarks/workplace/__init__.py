"""Domains from working life, to develop the learner on.

None is a copy of a benchmark. Each has six to twelve actions, and some of: constants, subtypes,
machines and hands that hold one thing at a time, things that must be made ready first, costs.
"""

from __future__ import annotations

from benchmarks.workplace.indoors import INDOORS
from benchmarks.workplace.outdoors import OUTDOORS

WORKPLACE = {d.name: d for d in sorted(INDOORS + OUTDOORS, key=lambda d: d.name)}
