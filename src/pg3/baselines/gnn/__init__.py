"""Behaviour cloning with a graph neural network: the paper's "GNN BC" baseline.

The network reads a state as a graph of its objects and says which action to do with which objects;
it is trained to do what plans of A* with h_add do in their states. See docs/concepts/baselines.md.

Needs torch, which comes with the extra `pg3[gnn]`; importing this package does not import it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.baselines.gnn.learning import GnnResult, learn_gnn, require_torch
from pg3.baselines.gnn.storage import load_gnn, save_gnn
from pg3.baselines.gnn.weights import GnnPolicy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.baselines.gnn.execution import GnnExecution
    from pg3.pddl.model import Problem
    from pg3.semantics.task import Task

__all__ = ["GnnPolicy", "GnnResult", "evaluate_gnn", "learn_gnn", "load_gnn", "save_gnn"]


def evaluate_gnn(
    policy: GnnPolicy, problems: Sequence[Problem | Task], *, max_steps: int
) -> list[GnnExecution]:
    """Execute a policy on all problems side by side; the result on each, in their order.

    In each state the policy does the applicable action to which it gives the largest probability,
    the first in the kernel's order among those that are equal up to rounding. A run ends at the
    goal, where nothing is applicable, after `max_steps`, and when a state comes back. Pg3Error if
    torch is missing.
    """
    require_torch()
    from pg3.baselines.gnn.execution import run_policy  # noqa: PLC0415

    return run_policy(policy, problems, max_steps)
