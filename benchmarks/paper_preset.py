"""The preset `paper` on the paper's six domains: `make paper-preset`.

Prints the table of docs/results/paper-preset.md: learned from the training split of each seed,
tried on the thirty problems of its test split, beside the figures that the paper gives for PG3.
With `--authors FOLDER` the problems are those that the paper's authors published, which do not come
with pg3: FOLDER/DOMAIN/train/seedK and FOLDER/DOMAIN/test/seedK.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from pg3.domains import PAPER_DOMAINS, BuiltInDomain
from pg3.errors import InputWarning
from pg3.experiments.methods.table import OPERATORS_OF
from pg3.learning.learner import learn
from pg3.pddl import read_problem
from pg3.planning import execute
from pg3.report.paper import PAPER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.pddl import Problem

SEEDS = range(5)


def problems(
    source: BuiltInDomain, split: str, seed: int, authors: Path | None
) -> Sequence[Problem]:
    """Our own problems of a split, or those of the paper's authors."""
    if authors is None:
        return source.problems(split, seed=seed)
    folder = authors / source.name / split / f"seed{seed}"
    paths = sorted(folder.glob("*.pddl"))
    if not paths:
        raise SystemExit(f"{folder}: no problems")
    return [read_problem(path, source.domain) for path in paths]


def run(authors: Path | None) -> None:
    """Print the table, a row as soon as it is known."""
    warnings.simplefilter("ignore", InputWarning)  # the authors' Miconic files lack a parenthesis
    print("| | success, mean | by seed | candidates | seconds | paper: success | paper: seconds |")
    print("|---|---|---|---|---|---|---|")
    for name, source in PAPER_DOMAINS.items():
        successes, candidates, seconds = [], [], []
        for seed in SEEDS:
            train, test = (problems(source, split, seed, authors) for split in ("train", "test"))
            result = learn(
                source.domain,
                train,
                preset="paper",
                operators=OPERATORS_OF.get(source.name),
            )
            solved = [execute(p, result.policy, max_steps=source.horizon).solved for p in test]
            successes.append(fmean(solved))
            candidates.append(result.candidates)
            seconds.append(result.seconds)
        paper = PAPER[name, "pg3"]
        print(
            f"| {name.capitalize()} | {fmean(successes):.2f} "
            f"| {', '.join(f'{s:.2f}' for s in successes)} "
            f"| {', '.join(map(str, candidates))} | {fmean(seconds):.3f} "
            f"| {paper.success:.2f} | {paper.time} |",
            flush=True,
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.paper_preset", description=__doc__)
    parser.add_argument("--authors", type=Path, metavar="FOLDER", help="the authors' problems")
    run(parser.parse_args().authors)
