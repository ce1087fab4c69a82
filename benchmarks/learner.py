"""The learner on the training problems of the paper's six domains, as our generators draw them.

How many candidate policies a second the search scores: preset `paper`, 2,500 candidates, one job,
going on after a perfect score; Forest without the induce operator, as in the paper. And how long
`learn` takes with its defaults, one job, beside the seconds that the paper prints for PG3: those of
the authors' program on their machine. All seconds here are of processor time.
"""

from __future__ import annotations

import statistics
import time

from pg3 import learn
from pg3.domains import PAPER_DOMAINS
from pg3.experiments.methods.table import OPERATORS_OF
from pg3.learning.operators import OPERATORS, OperatorOptions
from pg3.learning.policy_search import PolicySearch
from pg3.learning.scores import SCORES
from pg3.learning.training import Training
from pg3.report.paper import PAPER

CANDIDATES = 2500
REPETITIONS = 3


def run() -> None:
    """Print candidates a second, and the seconds of learning, for each domain."""
    print("Search over policies (preset paper, one job), and learning with the defaults (seed 0)")
    print(f"  {'':10}{'candidates/s':>14}{'memory':>10}{'learn':>10}{'the paper':>12}")
    for name in PAPER_DOMAINS:
        searches = [scored(name) for _ in range(REPETITIONS)]
        rate = statistics.median(rate for rate, _ in searches)
        seconds = statistics.median(learning_seconds(name) for _ in range(REPETITIONS))
        print(
            f"  {name:10}{rate:14,.0f}{searches[0][1]:7.0f} MB{seconds:8.2f} s"
            f"{PAPER[name, 'pg3'].time:10} s",
            flush=True,
        )


def scored(name: str) -> tuple[float, float]:
    """Candidates a second, and the megabytes that the kernel keeps at the end."""
    source = PAPER_DOMAINS[name]
    training = Training(source.problems("train", seed=0))
    search = PolicySearch(
        training,
        SCORES["pg3"](training, 50, 100, "max"),
        {
            operator: OPERATORS[operator](training, OperatorOptions())
            for operator in OPERATORS_OF.get(name, tuple(OPERATORS))
        },
        max_candidates=CANDIDATES,
        stop_when_perfect=False,
    )
    started = time.process_time()
    candidates = search.run().candidates
    return candidates / (time.process_time() - started), training.native.bytes() / 2**20


def learning_seconds(name: str) -> float:
    """Seconds of `learn` with its defaults."""
    source = PAPER_DOMAINS[name]
    problems = source.problems("train", seed=0)
    started = time.process_time()
    learn(source.domain, problems, jobs=1)
    return time.process_time() - started
