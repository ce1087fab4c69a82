"""Time of an epoch of the GNN baseline by either trainer: the table of docs/concepts/baselines.md.

Processor time of one thread on the first seed's generated training problems. The two trainers take
turns, and the median of their turns counts, so that other work on the machine falls on both:
`python -m benchmarks.gnn`. Takes a minute or more.
"""

from __future__ import annotations

import statistics
import time

from pg3.baselines.gnn.demonstrations import demonstrate
from pg3.baselines.gnn.kernel_trainer import KernelTrainer
from pg3.baselines.gnn.torch_trainer import TorchTrainer
from pg3.baselines.gnn.trainer import TrainerState
from pg3.baselines.gnn.weights import initial_weights
from pg3.domains import PAPER_DOMAINS
from pg3.planning import Limits

TURNS = 9
# A trainer, and the epochs of one turn.
TRAINERS = ((KernelTrainer, 100), (TorchTrainer, 10))


def run() -> None:
    """One line a domain."""
    print("domain       samples   kernel    torch   torch / kernel   (ms an epoch)")
    for name, domain in PAPER_DOMAINS.items():
        problems = domain.problems("train", seed=0)
        samples, _ = demonstrate(domain.domain, problems, Limits(expansions=100_000))
        training, _ = samples.split()
        initial = TrainerState.initial(initial_weights(training.vocabulary, 0))
        trainers = [(trainer(training, initial), epochs) for trainer, epochs in TRAINERS]
        times: list[list[float]] = [[] for _ in trainers]
        # The first turn only warms up.
        for turn in range(TURNS + 1):
            for (trainer, epochs), taken in zip(trainers, times, strict=True):
                start = time.process_time()
                trainer.run(epochs)
                if turn:
                    taken.append(1000 * (time.process_time() - start) / epochs)
        kernel, torch = map(statistics.median, times)
        print(
            f"{name:12} {len(training):7} {kernel:8.2f} {torch:8.1f} {torch / kernel:8.1f}",
            flush=True,
        )


if __name__ == "__main__":
    run()
