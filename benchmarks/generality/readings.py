"""What the learned policies do, as a person reads them.

A reading belongs to one policy and is found by its text: learning may find another one after a
change of the code, and then the words of `pg3 explain` stand in until somebody has read it.
"""

from __future__ import annotations

from hashlib import sha256

READINGS: dict[str, str] = {}


def reading_of(policy: str) -> str | None:
    """What somebody wrote about this very policy."""
    return READINGS.get(mark(policy))


def mark(policy: str) -> str:
    """The key of a policy's reading."""
    return sha256(policy.encode()).hexdigest()[:12]
