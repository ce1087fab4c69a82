"""`pg3` with a variant of the learner: `python -m benchmarks.ablation.child VARIANT learn ...`.

The learner's clock counts CPU seconds here, so that other work on the machine does not change what
a time limit ends.
"""

from __future__ import annotations

import sys
import time
from types import SimpleNamespace

from benchmarks.ablation.variants import BASELINE, VARIANTS
from pg3.__main__ import main
from pg3.learning.checkpoint import journal

if __name__ == "__main__":
    name = sys.argv.pop(1)
    if name != BASELINE:
        VARIANTS[name].apply()
    vars(journal)["time"] = SimpleNamespace(perf_counter=time.process_time)
    main()
