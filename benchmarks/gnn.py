"""How long an epoch of the GNN baseline takes: the table of docs/concepts/baselines.md.

Processor time of one thread, the best of a few, on the first seed's generated problems:
`python -m benchmarks.gnn`. Takes about a minute.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from pg3.baselines.gnn.demonstrations import demonstrate
from pg3.baselines.gnn.kernel_trainer import KernelTrainer
from pg3.baselines.gnn.torch_trainer import TorchTrainer
from pg3.baselines.gnn.trainer import TrainerState
from pg3.baselines.gnn.weights import initial_weights
from pg3.domains import PAPER_DOMAINS
from pg3.planning import Limits

if TYPE_CHECKING:
    from pg3.baselines.gnn.demonstrations import Samples

TRIES = 5
# An engine, and the epochs of one try.
ENGINES = ((TorchTrainer, 2), (KernelTrainer, 50))


def milliseconds(
    samples: Samples, engine: type[KernelTrainer | TorchTrainer], epochs: int
) -> float:
    """The time of an epoch."""
    initial = TrainerState.initial(initial_weights(samples.vocabulary, 0))
    trainer = engine(samples, initial)
    trainer.run(1)
    taken = []
    for _ in range(TRIES):
        start = time.process_time()
        trainer.run(epochs)
        taken.append(time.process_time() - start)
    return 1000 * min(taken) / epochs


def run() -> None:
    """One line a domain."""
    print("domain       samples    torch   kernel   (ms an epoch)")
    for name, domain in PAPER_DOMAINS.items():
        problems = domain.problems("train", seed=0)
        samples, _ = demonstrate(domain.domain, problems, Limits(expansions=100_000))
        training, _ = samples.split()
        torch, kernel = (milliseconds(training, *engine) for engine in ENGINES)
        print(f"{name:12} {len(training):7} {torch:8.1f} {kernel:8.2f}", flush=True)


if __name__ == "__main__":
    run()
