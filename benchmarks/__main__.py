"""All benchmarks, one after the other: `python -m benchmarks`, or `make bench`."""

from __future__ import annotations

from benchmarks import learner, loading, planners

planners.run()
print()
learner.run()
print()
loading.run()
