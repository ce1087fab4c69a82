"""Eight more domains from working life, written apart from the learner as those held out.

Each has eleven to fourteen actions. They have what real domains have: few tools that are fetched
and returned, machines that are cleaned or cooled, levels, doors, permits. Problems begin in the
middle of the work, as those of the third set, and are chosen in the same way.
"""

from __future__ import annotations

from benchmarks.workplace.fourth.routes import ROUTES
from benchmarks.workplace.fourth.works import WORKS

FOURTH = {d.name: d for d in sorted(WORKS + ROUTES, key=lambda d: d.name)}
