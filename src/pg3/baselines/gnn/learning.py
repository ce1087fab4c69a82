"""Behaviour cloning: from training problems to a network's policy."""

from __future__ import annotations

import hashlib
import importlib.util
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from pg3.baselines.gnn.demonstrations import SkippedProblem, demonstrate
from pg3.baselines.gnn.storage import Checkpoint, Snapshot, load_checkpoint, save_checkpoint
from pg3.baselines.gnn.trainer import Trainer, TrainerState
from pg3.baselines.gnn.weights import GnnPolicy, initial_weights
from pg3.errors import Pg3Error
from pg3.planning import Limits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.baselines.gnn.demonstrations import Samples
    from pg3.pddl.model import Domain, Problem

Engine = Literal["kernel", "torch"]

# Told of an epoch, the seconds of learning up to its end, and the policy that it left.
Observer = Callable[[int, float, GnnPolicy], None]

# A training problem should be small: a plan that takes more memory than this is not looked for.
_PLAN_MEGABYTES = 1000.0

# How long training goes on before it looks at the clock, and before the next checkpoint.
_LOOK_SECONDS = 0.2
_CHECKPOINT_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class GnnResult:
    """A learned network and how it came about.

    `loss` is the mean loss of the last epoch, None if there was none. `held_out` of the `samples`
    were not trained on; `held_out_loss` is their mean loss at the end. `seconds` is the time of
    planning and training, without that of the observer; `skipped` are the problems without a plan.
    """

    policy: GnnPolicy
    loss: float | None
    epochs: int
    seconds: float
    samples: int
    held_out: int
    held_out_loss: float | None
    skipped: tuple[SkippedProblem, ...]
    reason: str


def require_torch() -> None:
    """Raise Pg3Error if torch is missing."""
    if importlib.util.find_spec("torch") is None:
        raise Pg3Error('the GNN baseline needs torch: pip install "pg3[gnn]"')


def learn_gnn(
    domain: Domain,
    problems: Sequence[Problem],
    *,
    seed: int,
    epochs: int = 100_000,
    astar_expansions: int = 100_000,
    time_limit: float | None = None,
    observe: Observer | None = None,
    checkpoint: str | Path | None = None,
    engine: Engine | None = None,
) -> GnnResult:
    """Train a network to do what plans of the training problems do.

    The first tenth of the states of all plans is held out; an epoch is one pass over the others, in
    batches of 16, always in the same order. A problem that A* does not solve within
    `astar_expansions` is skipped, and the result names it. `time_limit` is in seconds and ends
    training after an epoch.

    `observe(epoch, seconds, policy)` is called after the epochs 1, 2, 5, 10, 20, 50, … and the
    last; its own time does not count. With `checkpoint`, training is saved to that file now and
    then and at the end, and goes on from it if it is there: the result has the weights, and the
    observer is told the same, as if there had been no pause.

    `engine` is "kernel" (C++, the optional extension `pg3._gnn`), "torch" (the same up to rounding,
    many times slower), or None for the kernel's where it is built and torch's elsewhere.

    The same problems, seed, epochs and engine give the same weights on the same machine. Pg3Error
    if torch or the engine is missing, or no problem has a plan to imitate.
    """
    require_torch()
    # It takes seconds, which are none of learning.
    from pg3.baselines.gnn.torch_trainer import mean_loss  # noqa: PLC0415

    engine = _available(engine)
    if epochs < 0:
        raise Pg3Error(f"the number of epochs must not be negative, got {epochs}")
    start = time.perf_counter()
    limits = Limits(expansions=astar_expansions, megabytes=_PLAN_MEGABYTES)
    samples, skipped = demonstrate(domain, problems, limits)
    if not len(samples):
        raise Pg3Error("there is nothing to imitate: no training problem has a plan with a step")
    training, held_out = samples.split()
    file = None if checkpoint is None else Path(checkpoint)
    run = _Run(domain.name, training, seed, engine, file, start)
    reason = run.go(epochs, time_limit, observe)
    seconds, state = run.seconds(), run.trainer.state()
    return GnnResult(
        policy=run.policy(state),
        loss=state.loss,
        epochs=state.epoch,
        seconds=seconds,
        samples=len(samples),
        held_out=len(held_out),
        held_out_loss=mean_loss(state.weights, held_out),
        skipped=skipped,
        reason=reason,
    )


class _Run:
    """Training on its way: the trainer, the clock, and what was shown to the observer."""

    def __init__(
        self,
        domain: str,
        samples: Samples,
        seed: int,
        engine: Engine,
        checkpoint: Path | None,
        start: float,
    ) -> None:
        self._domain = domain
        self._samples = samples
        self._checkpoint = checkpoint
        self._saved_at = start
        # The clock stands still while somebody else works: `start` moves on by that time.
        self._start = start
        self._snapshots: list[Snapshot] = []
        name = f"{samples.fingerprint()} {seed} {engine}"
        self._name = hashlib.sha256(name.encode()).hexdigest()
        state = TrainerState.initial(initial_weights(samples.vocabulary, seed))
        if checkpoint is not None and checkpoint.exists():
            before = load_checkpoint(checkpoint, self._name, samples.vocabulary)
            state = before.state
            self._start -= before.seconds
            self._snapshots = list(before.snapshots)
        self.trainer = _trainer(engine, samples, state)

    def seconds(self) -> float:
        return time.perf_counter() - self._start

    def policy(self, state: TrainerState) -> GnnPolicy:
        vocabulary = self._samples.vocabulary
        return GnnPolicy(self._domain, vocabulary, state.weights, state.epoch, state.loss)

    def go(self, epochs: int, time_limit: float | None, observe: Observer | None) -> str:
        """Train until all epochs are done or time is up; why it stopped."""
        epoch = self.trainer.state().epoch
        if epoch > epochs:
            raise Pg3Error(
                f"{self._checkpoint}: the checkpoint is {epoch} epochs old, {epochs} are asked for"
            )
        shown = set(_schedule(epochs))
        for snapshot in self._snapshots:
            if snapshot.epoch in shown:
                self._show(snapshot, observe)
        pace = 1
        while epoch < epochs:
            if time_limit is not None and self.seconds() >= time_limit:
                self._save()
                return "time limit"
            stop = min(at for at in shown if at > epoch)
            count = min(pace, stop - epoch)
            before = time.perf_counter()
            left = None if time_limit is None else time_limit - self.seconds()
            done = self.trainer.run(count, left)
            epoch += done
            if done < count:
                continue
            taken = time.perf_counter() - before
            pace = max(1, min(2 * pace, int(count * _LOOK_SECONDS / max(taken, 1e-6))))
            if epoch in shown:
                state = self.trainer.state()
                snapshot = Snapshot(self.seconds(), epoch, state.loss, state.weights)
                self._snapshots.append(snapshot)
                self._show(snapshot, observe)
            if time.perf_counter() - self._saved_at >= _CHECKPOINT_SECONDS:
                self._save()
        self._save()
        return "all epochs done"

    def _show(self, snapshot: Snapshot, observe: Observer | None) -> None:
        if observe is None:
            return
        paused = time.perf_counter()
        state = TrainerState(snapshot.epoch, snapshot.loss, snapshot.weights, b"", b"")
        observe(snapshot.epoch, snapshot.seconds, self.policy(state))
        self._start += time.perf_counter() - paused

    def _save(self) -> None:
        self._saved_at = time.perf_counter()
        if self._checkpoint is not None:
            state = self.trainer.state()
            saved = Checkpoint(self._name, state, self.seconds(), tuple(self._snapshots))
            save_checkpoint(saved, self._samples.vocabulary, self._checkpoint)


def _available(engine: Engine | None) -> Engine:
    """The engine that is asked for, or the fastest there is; Pg3Error if it is not there."""
    if engine is not None and engine not in get_args(Engine):
        raise Pg3Error(f"unknown engine '{engine}'; known are {', '.join(get_args(Engine))}")
    built = importlib.util.find_spec("pg3._gnn") is not None
    if engine == "kernel" and not built:
        raise Pg3Error(
            "the engine 'kernel' needs the extension pg3._gnn, which was not built with this pg3;"
            " the engine 'torch' gives the same up to rounding, more slowly"
        )
    return engine or ("kernel" if built else "torch")


def _trainer(engine: Engine, samples: Samples, state: TrainerState) -> Trainer:
    if engine == "kernel":
        from pg3.baselines.gnn.kernel_trainer import KernelTrainer  # noqa: PLC0415 - optional

        return KernelTrainer(samples, state)
    from pg3.baselines.gnn.torch_trainer import TorchTrainer  # noqa: PLC0415 - imports torch

    return TorchTrainer(samples, state)


def _schedule(epochs: int) -> list[int]:
    """The epochs after which the observer is told: 1, 2, 5, 10, 20, 50, … and the last."""
    shown, power = {epochs}, 1
    while power <= epochs:
        shown.update(power * factor for factor in (1, 2, 5) if power * factor <= epochs)
        power *= 10
    return sorted(shown - {0})
