"""Runs that do not search over policies: random actions and the graph neural network."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from pg3.experiments.methods.outcomes import Outcome, success
from pg3.experiments.result_line import Best
from pg3.semantics.task import Task

if TYPE_CHECKING:
    from pg3.baselines.gnn import GnnPolicy
    from pg3.experiments.methods.outcomes import Job, Steps

# More than the test problems of any run: no two runs share a seed for random actions.
_SEEDS_APART = 1_000_000


def random_actions(job: Job) -> Outcome:
    """Any applicable action, until the goal or the horizon: nothing is learned."""
    from pg3.baselines.random_actions import execute_random  # noqa: PLC0415

    job.stage("testing")
    started = time.perf_counter()
    steps = []
    for number, problem in enumerate(job.test):
        seed = job.run.seed * _SEEDS_APART + number
        execution = execute_random(problem, seed=seed, max_steps=job.horizon)
        steps.append(execution.steps if execution.solved else None)
    return Outcome(tuple(steps), testing_seconds=time.perf_counter() - started)


def network(job: Job) -> Outcome:
    """Behaviour cloning. The network is tested as it was after some of the epochs, not each.

    With a checkpoint, learning that was cut off goes on from there and knows the earlier times.
    """
    from pg3.baselines.gnn import evaluate_gnn, learn_gnn  # noqa: PLC0415

    epochs, time_limit = job.run.options.epochs, job.run.options.time_limit
    assert epochs is not None
    seen: list[tuple[int, float, GnnPolicy]] = []
    job.stage("learning")
    result = learn_gnn(
        job.domain,
        job.train,
        seed=job.run.seed,
        epochs=epochs,
        time_limit=time_limit,
        observe=lambda epoch, seconds, policy: seen.append((epoch, seconds, policy)),
        checkpoint=job.checkpoint,
    )
    learned = Outcome(
        (None,) * len(job.test),
        learning_seconds=result.seconds,
        stopped=result.reason,
        over_time=result.epochs < epochs,
    )
    if learned.over_time:
        return learned
    job.stage("testing")
    started = time.perf_counter()
    known: dict[bytes, Steps] = {}
    tasks = [Task(problem) for problem in job.test]

    def tested(policy: GnnPolicy) -> Steps:
        if policy.weights not in known:
            done = evaluate_gnn(policy, tasks, max_steps=job.horizon)
            known[policy.weights] = tuple(e.steps if e.solved else None for e in done)
        return known[policy.weights]

    steps = tested(result.policy)
    bests = tuple(
        Best(round(seconds, 6), success(tested(policy)), _finite(policy.loss), epoch=epoch)
        for epoch, seconds, policy in seen
    )
    training = evaluate_gnn(result.policy, job.train, max_steps=job.horizon)
    return learned._replace(
        steps=steps,
        testing_seconds=time.perf_counter() - started,
        training_solved=all(execution.solved for execution in training),
        bests=bests,
    )


def _finite(loss: float | None) -> float | None:
    return loss if loss is not None and math.isfinite(loss) else None
