"""A result line to vary in tests."""

from __future__ import annotations

from typing import Any

from pg3.experiments.results import Best, Options, ResultLine, Status, Versions

LINE = ResultLine(
    domain="ferry",
    method="pg3",
    seed=0,
    options=Options("paper", 2500, ("induce-rule", "add-rule"), None, 60.0, None),
    versions=Versions("0.1.0", "3.11.7", "Linux x86_64"),
    date="2026-11-16T00:30:00Z",
    status=Status.DONE,
    reason=None,
    train=10,
    test=3,
    horizon=1000,
    success=2 / 3,
    steps=(12, None, 33),
    learning_seconds=1.5,
    testing_seconds=0.25,
    candidates=123,
    expansions=12,
    stopped="perfect training score",
    training_solved=True,
    peak_megabytes=123.4,
    policy="(define (policy ferry))\n",
    bests=(Best(0.01, 0.0, 12.0, candidate=5), Best(1.25, 2 / 3, 0.0, candidate=123)),
)


def comparable(line: ResultLine) -> dict[str, Any]:
    """All of a line that must not depend on when and how fast it was made."""
    import json

    fields: dict[str, Any] = json.loads(line.to_json())
    for name in ("date", "learning_seconds", "testing_seconds", "peak_megabytes"):
        del fields[name]
    for best in fields["bests"]:
        del best["seconds"]
    return fields
