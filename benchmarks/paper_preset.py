"""The preset `paper` on the problems of the paper: `make paper-preset`.

Prints the table of docs/results-paper-preset.md: learned from train/seedK, tried on the thirty
problems of test/seedK, for the seeds 0-4, beside the figures that the paper gives for PG3.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from statistics import fmean

from pg3.errors import InputWarning
from pg3.learner import learn
from pg3.operators import OPERATORS
from pg3.pddl import read_domain, read_problem
from pg3.planning import execute

PROBLEMS = Path(__file__).parents[2] / "shared" / "problems" / "paper"
SEEDS = range(5)

# From the paper: steps after which a policy has failed on a test problem; and the results of PG3,
# the fraction of test problems solved and the seconds to a policy that solves at least nine tenths
# of them (means over ten seeds).
PAPER = {
    "delivery": (1000, 1.00, 1.5),
    "forest": (100, 1.00, 107.2),
    "gripper": (1000, 1.00, 79.5),
    "miconic": (1000, 1.00, 434.8),
    "ferry": (1000, 1.00, 16.1),
    "spanner": (1000, 1.00, 17.7),
}


def run() -> None:
    if not PROBLEMS.is_dir():
        sys.exit("the problems of the paper are not beside the repository")
    warnings.simplefilter("ignore", InputWarning)
    print("| | success, mean | by seed | candidates | seconds | paper: success | paper: seconds |")
    print("|---|---|---|---|---|---|---|")
    for name, (max_steps, paper_success, paper_seconds) in PAPER.items():
        domain = read_domain(PROBLEMS / name / "domain.pddl")
        successes, candidates, seconds = [], [], []
        for seed in SEEDS:
            train, test = (
                [
                    read_problem(path, domain)
                    for path in sorted((PROBLEMS / name / part / f"seed{seed}").glob("*.pddl"))
                ]
                for part in ("train", "test")
            )
            result = learn(
                domain,
                train,
                preset="paper",
                # As in the paper: induced rules overfit there.
                operators=[o for o in OPERATORS if name != "forest" or o != "induce-rule"],
            )
            solved = [execute(p, result.policy, max_steps=max_steps).solved for p in test]
            successes.append(fmean(solved))
            candidates.append(result.candidates)
            seconds.append(result.seconds)
        print(
            f"| {name.capitalize()} | {fmean(successes):.2f} "
            f"| {', '.join(f'{s:.2f}' for s in successes)} "
            f"| {', '.join(map(str, candidates))} | {fmean(seconds):.3f} "
            f"| {paper_success:.2f} | {paper_seconds} |",
            flush=True,
        )


if __name__ == "__main__":
    run()
