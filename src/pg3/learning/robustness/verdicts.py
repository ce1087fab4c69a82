"""Verdicts of the test suite on policies."""

from __future__ import annotations

from typing import NamedTuple


class Verdict(NamedTuple):
    """How a policy did in the tests, what counts most first; less is better.

    `unsolved` counts the problems that it does not solve, as they are or shuffled.
    `failed_perturbed` counts the made problems that it fails; some may have no solution at all.
    `size` is the policy's, and `steps` are those of all solved problems.
    """

    unsolved: int
    failed_perturbed: int
    size: int
    steps: int
