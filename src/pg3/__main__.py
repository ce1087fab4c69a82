"""The command `pg3`, also `python -m pg3`: small, so that signals are handled from the start."""

from __future__ import annotations

import sys

from pg3.storage import signals


def main() -> None:
    """Run the command line and exit with its code; see `pg3.cli.main`."""
    try:
        signals.listen()
        # Getting ready takes a moment, in which an impatient user is not to see a traceback.
        from pg3.cli.main import main as run  # noqa: PLC0415

        run()
    except KeyboardInterrupt:
        # It came before the handler was there.
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    finally:
        signals.finish()


if __name__ == "__main__":
    main()
