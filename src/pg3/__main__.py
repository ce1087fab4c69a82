"""The command `pg3`, also `python -m pg3`: tiny, so that Ctrl-C is heeded from the start."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit with its code; see `pg3.cli`."""
    try:
        # Getting ready takes a moment, in which an impatient user is not to see a traceback.
        from pg3.cli import main as run  # noqa: PLC0415

        run()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
