"""A file that one process at a time may hold, on any system."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


def lock(descriptor: int) -> None:
    """Hold an open file until it is closed or the process ends.

    BlockingIOError if another process holds it; OSError where the system has no locks.
    """
    if sys.platform == "win32":
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            raise BlockingIOError from None
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
