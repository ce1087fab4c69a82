"""`python -m pg3`: the same as the command `pg3`."""

from __future__ import annotations

from pg3.cli import main

if __name__ == "__main__":
    main()
