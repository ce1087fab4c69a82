"""All benchmarks, one after the other: `python -m benchmarks`, or `make bench`."""

from __future__ import annotations

from benchmarks import loading, planners

planners.run()
print()
loading.run()
