"""Training in C++: the network of network.py, written out by hand.

Many times faster than torch, whose calls take longer than the arithmetic of layers this small (see
docs/concepts/baselines.md); the results agree up to rounding. Its extension `pg3._gnn` is optional.
"""

from __future__ import annotations

import time
from array import array
from typing import TYPE_CHECKING

from pg3 import _gnn
from pg3.baselines.gnn.merging import merge
from pg3.baselines.gnn.trainer import BATCH, LEARNING_RATE, TrainerState

if TYPE_CHECKING:
    from pg3.baselines.gnn.demonstrations import Samples


class KernelTrainer:
    """Behaviour cloning of the samples in C++.

    `plain` does without the processor's wider registers; the numbers are the same.
    """

    def __init__(self, samples: Samples, state: TrainerState, *, plain: bool = False) -> None:
        vocabulary, tables = samples.vocabulary, samples.tables
        merged = merge(samples)
        fields = (*merged.samples.fields(), merged.node_counts, merged.edge_counts)
        self._epoch = state.epoch
        self._loss = state.loss
        self._native = _gnn.GnnTrainer(
            shape=(
                vocabulary.node_width,
                vocabulary.edge_width,
                vocabulary.global_width,
                vocabulary.arguments,
                len(vocabulary.actions),
            ),
            rows=[rows.floats().tobytes() for rows in (tables.nodes, tables.edges, tables.globals)],
            samples=[array("i", values).tobytes() for values in fields],
            epoch=state.epoch,
            state=(state.weights, state.means, state.squares),
            batch=BATCH,
            learning_rate=LEARNING_RATE,
            plain=plain,
        )

    def run(self, count: int, seconds: float | None = None) -> int:
        """Train for some more epochs; how many were done before the time was over."""
        start, first = time.perf_counter(), self._epoch
        while self._epoch - first < count:
            left = None if seconds is None else seconds - (time.perf_counter() - start)
            loss = self._native.run_epoch(left)
            if loss == "time limit":
                break
            if isinstance(loss, str):
                raise MemoryError(loss)
            self._loss = loss
            self._epoch += 1
        return self._epoch - first

    def state(self) -> TrainerState:
        """All that is needed to go on from here."""
        return TrainerState(self._epoch, self._loss, *self._native.state())
