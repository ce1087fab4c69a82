"""What a round of the counterexample loop came to, for whoever watches."""

from __future__ import annotations

from typing import NamedTuple


class Round(NamedTuple):
    """A policy was proposed, generalised and tried.

    The `proposer` learned it from `working` problems. It fails `failed_tests` of the `tests` on
    these and on variations of them. If it fails none that counts, it was also tried on the `given`
    problems, of which it fails `unsolved`, and on `grown` larger ones, of which it fails
    `failed_grown`. `smallest_failure` names a problem, if there is one to name.
    """

    proposer: str
    working: int
    rules: int
    tests: int
    failed_tests: int
    given: int = 0
    unsolved: int = 0
    grown: int = 0
    failed_grown: int = 0
    smallest_failure: str | None = None
