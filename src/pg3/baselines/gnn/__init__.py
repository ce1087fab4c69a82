"""Behaviour cloning with a graph neural network: the paper's "GNN BC" baseline.

The network reads a state as a graph of its objects and says which action to do with which objects;
it is trained to do what plans of A* with h_add do in their states. See docs/concepts/baselines.md.

Needs torch, which comes with the extra `pg3[gnn]`; importing this package does not import it.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

from pg3.baselines.gnn.learning import Engine, GnnResult, learn
from pg3.baselines.gnn.storage import load_gnn, save_gnn
from pg3.baselines.gnn.weights import GnnPolicy
from pg3.errors import Pg3Error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.baselines.gnn.execution import GnnExecution
    from pg3.baselines.gnn.learning import Observer
    from pg3.pddl.model import Domain, Problem
    from pg3.semantics.task import Task

__all__ = ["GnnPolicy", "GnnResult", "evaluate_gnn", "learn_gnn", "load_gnn", "save_gnn"]


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
    _require_torch()
    import torch  # noqa: F401, PLC0415 - takes seconds, which are none of learning

    return learn(
        domain,
        problems,
        seed=seed,
        epochs=epochs,
        astar_expansions=astar_expansions,
        time_limit=time_limit,
        observe=observe,
        checkpoint=None if checkpoint is None else Path(checkpoint),
        engine=engine,
    )


def evaluate_gnn(
    policy: GnnPolicy, problems: Sequence[Problem | Task], *, max_steps: int
) -> list[GnnExecution]:
    """Carry out a policy on all problems side by side; what came of each, in their order.

    In each state the policy does the applicable action to which it gives the largest probability,
    the first in the kernel's order among those that are equal up to rounding. A run ends at the
    goal, where nothing is applicable, after `max_steps`, and when a state comes back. Pg3Error if
    torch is missing.
    """
    _require_torch()
    from pg3.baselines.gnn.execution import run_policy  # noqa: PLC0415

    return run_policy(policy, problems, max_steps)


def _require_torch() -> None:
    if importlib.util.find_spec("torch") is None:
        raise Pg3Error('the GNN baseline needs torch: pip install "pg3[gnn]"')
