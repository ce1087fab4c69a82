"""The process of one run: `python -m pg3.experiments.worker [CHECKPOINT]`.

The run comes as a line of JSON on stdin. The answer is on stdout, a JSON object a line: where the
run is (`{"stage": "learning"}`), in the end the result line. What goes wrong is told on stderr.

The process that started it keeps its stdin open. When stdin is closed, the result is no longer
wanted, and the process ends. So a runner that was killed leaves nothing behind.
"""

from __future__ import annotations

import faulthandler
import json
import os
import sys
import threading
import traceback
from pathlib import Path

from pg3.errors import Pg3Error
from pg3.experiments.measurement import perform
from pg3.experiments.runs import Run


def main() -> None:
    """Carry out the run that stdin tells."""
    faulthandler.enable()
    # Nothing else may come between the lines: what is printed by chance goes to stderr.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answer:
        os.dup2(2, 1)
        run = Run.from_json(sys.stdin.buffer.readline())
        threading.Thread(target=_end_when_alone, daemon=True).start()

        def tell(line: str) -> None:
            print(line, file=answer, flush=True)

        checkpoint = Path(sys.argv[1]) if len(sys.argv) > 1 else None
        try:
            line = perform(
                run, checkpoint=checkpoint, stage=lambda name: tell(json.dumps({"stage": name}))
            )
        except Pg3Error as error:
            sys.exit(str(error).splitlines()[0])
        except Exception:
            traceback.print_exc()
            sys.exit(1)
        tell(line.to_json())


def _end_when_alone() -> None:
    while os.read(0, 1024):
        pass
    os._exit(1)


if __name__ == "__main__":
    main()
