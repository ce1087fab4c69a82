"""Results that nobody ran: as many as a test needs, each a line that the reader accepts."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pg3.experiments.results import Best, Options, ResultLine, Status, Versions
from pg3.report.paper import DOMAINS, PAPER
from tests.conftest import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

VERSIONS = Versions("0.1.0", "3.11.7", "Linux x86_64")
PAPER_OPTIONS = Options(preset="paper", max_candidates=2500)
ROBUST_OPTIONS = Options(preset="robust", max_candidates=2500)
GPS_METHODS = ("pg3", "policy-evaluation", "plan-comparison", "combo", "goal-count")
DATE = "2026-11-16T00:30:00Z"

POLICY = """(define (policy ferry)
  (:domain ferry)

  (:rule debark
    :parameters (?c ?l)
    :preconditions (and (at-ferry ?l) (not (at ?c ?l)) (on ?c))
    :goals (and (at ?c ?l))
    :action (debark ?c ?l)))
"""


def result(
    domain: str = "ferry",
    method: str = "pg3",
    seed: int = 0,
    *,
    solved: int = 30,
    bests: tuple[tuple[float, float], ...] = ((0.01, 0.0), (0.05, 1.0)),
    **changes: Any,
) -> ResultLine:
    """A line of a run that solves so many of 30 test problems.

    `bests` are seconds and success; the candidates are numbered 1, 11, 21 and so on.
    """
    line = ResultLine(
        domain=domain,
        method=method,
        seed=seed,
        options=PAPER_OPTIONS,
        versions=VERSIONS,
        date=DATE,
        status=Status.DONE,
        reason=None,
        train=10,
        test=30,
        horizon=1000,
        success=round(solved / 30, 4),
        steps=tuple(20 if i < solved else None for i in range(30)),
        learning_seconds=bests[-1][0] if bests else 0.1,
        testing_seconds=0.5,
        candidates=10 * len(bests),
        expansions=3,
        stopped="training score 0",
        training_solved=True,
        peak_megabytes=80.0,
        policy=POLICY,
        bests=tuple(
            Best(seconds=seconds, success=success, score=1.0, candidate=1 + 10 * i)
            for i, (seconds, success) in enumerate(bests)
        ),
    )
    return replace(line, **changes)


def failure(
    domain: str = "ferry", method: str = "combo", seed: int = 0, **changes: Any
) -> ResultLine:
    """A line of a run that did not come to its end."""
    fields: dict[str, Any] = {
        "status": Status.CRASHED,
        "reason": "MemoryError: cannot allocate",
        "solved": 0,
        "bests": (),
        "policy": None,
        "stopped": None,
        "training_solved": None,
        **changes,
    }
    return result(domain, method, seed, **fields)


def network(
    domain: str, seed: int, epochs: int, solved: int = 6, second: float = 0.001
) -> ResultLine:
    """A line of a graph neural network; `second` is how long an epoch takes."""
    schedule = [e for e in (1, 10, 100, 1_000, 10_000, 100_000) if e <= epochs]
    bests = tuple(
        Best(
            seconds=second * epoch,
            success=round(solved * (i + 1) / len(schedule)) / 30,
            score=1.0 / epoch,
            epoch=epoch,
        )
        for i, epoch in enumerate(schedule)
    )
    line = result(domain, "gnn", seed, solved=solved, options=Options(epochs=epochs))
    return replace(
        line,
        versions=replace(VERSIONS, torch="2.13.0"),
        learning_seconds=second * epochs,
        candidates=None,
        expansions=None,
        stopped="all epochs done",
        policy=None,
        bests=bests,
    )


def chance(domain: str, seed: int, solved: int = 0) -> ResultLine:
    """A line of random actions, which learn nothing."""
    return replace(
        result(domain, "random", seed, solved=solved, bests=(), options=Options()),
        learning_seconds=0.0,
        candidates=None,
        expansions=None,
        stopped=None,
        training_solved=None,
        policy=None,
    )


def write(folder: Path, lines: list[ResultLine]) -> Path:
    """A folder of results with these lines."""
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(line.to_json() + "\n" for line in lines)
    (folder / "results.jsonl").write_text(text, encoding="utf-8")
    return folder


def full(seeds: int = 10) -> list[ResultLine]:
    """Results of all methods in all domains, somewhat like real ones."""
    choice = random.Random(0)
    lines: list[ResultLine] = []
    for domain in DOMAINS:
        text = (REPOSITORY / "examples" / "policies" / f"{domain}.policy").read_text()
        for seed in range(seeds):
            lines += [_search(choice, domain, method, seed, text) for method in GPS_METHODS]
            bests = ((choice.uniform(0.04, 0.6), 1.0),)
            robust = result(domain, "robust", seed, bests=bests, options=ROBUST_OPTIONS)
            lines.append(replace(robust, policy=text, candidates=choice.randrange(100, 3000)))
            lines.append(network(domain, seed, 1_000, choice.randrange(0, 12)))
            lines.append(chance(domain, seed, choice.choice((0, 0, 1, 4))))
        lines.append(network(domain, 0, 100_000, choice.randrange(4, 28)))
    return lines


def _search(choice: random.Random, domain: str, method: str, seed: int, text: str) -> ResultLine:
    """A search that about as often succeeds as in the paper, and tells how it went."""
    expected = PAPER[domain, method].success
    solved = 30 if choice.random() < expected else choice.choice((0, 0, 1, 5, 20))
    start = 10 ** choice.uniform(-2.5, -0.5)
    steps = choice.randrange(1, 6)
    bests = tuple((start * 3**i, solved / 30 * i / steps) for i in range(steps + 1))
    if solved < 30:
        text = text.replace("(:rule ", f"(:rule r{choice.randrange(3)}-", 1)
    line = result(domain, method, seed, solved=solved, bests=bests)
    candidates = [int(2 * 4**i + choice.randrange(3)) for i in range(steps + 1)]
    numbered = tuple(
        replace(best, candidate=candidate)
        for best, candidate in zip(line.bests, candidates, strict=True)
    )
    return replace(line, policy=text, candidates=candidates[-1], bests=numbered)
