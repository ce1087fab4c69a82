"""Carrying out a network's policy on many problems side by side."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from pg3 import _native
from pg3.baselines.gnn.graphs import GraphMaker, Tables
from pg3.baselines.gnn.network import Batch, Network, log_probabilities, named_views
from pg3.baselines.gnn.torch_trainer import features_of, floats, integers, one_thread
from pg3.errors import Pg3Error
from pg3.planning import ExecutionStatus
from pg3.semantics.task import Task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from pg3.baselines.gnn.graphs import Graph
    from pg3.baselines.gnn.network import Outputs
    from pg3.baselines.gnn.weights import GnnPolicy
    from pg3.pddl.model import Problem
    from pg3.pddl.plans import GroundAction

# Log-probabilities that differ by less count as equal. Those of objects that look alike differ by
# rounding, which depends on the problems that are run side by side.
_EQUAL = 1e-3


@dataclass(frozen=True, slots=True)
class GnnExecution:
    """The result of executing the policy on one problem: how it ended, and the actions done."""

    status: ExecutionStatus
    plan: tuple[GroundAction, ...]

    @property
    def solved(self) -> bool:
        """Whether the goal was reached."""
        return self.status is ExecutionStatus.SOLVED

    @property
    def steps(self) -> int:
        """How many actions were done, also where the policy failed in the end."""
        return len(self.plan)


class _Run:
    """One problem on its way."""

    def __init__(self, policy: GnnPolicy, problem: Problem | Task) -> None:
        self.task = problem if isinstance(problem, Task) else Task(problem)
        self.walk = _native.Walk(self.task.space)
        self._maker = GraphMaker(policy.vocabulary, self.task.problem)
        if part := policy.vocabulary.misfit(self.task.domain):
            name = self.task.problem.name
            raise Pg3Error(
                f"the network was learned for a domain with other {part} than '{name}' has"
            )
        width = 1 + policy.vocabulary.arguments
        table = array("i", self.walk.action_table(width))
        self.actions = integers(array("q", table)).view(-1, width)
        self._seen = {self.walk.state}
        self._plan: list[GroundAction] = []
        self.status: ExecutionStatus | None = None
        self.applicable: array[int] = array("i")

    def begin_step(self, max_steps: int) -> None:
        """Look whether the run is over; else find out what can be done."""
        if self.walk.is_goal:
            self.status = ExecutionStatus.SOLVED
        elif len(self._plan) >= max_steps:
            self.status = ExecutionStatus.HORIZON
        else:
            self.applicable = array("i", self.walk.applicable())
            if not self.applicable:
                self.status = ExecutionStatus.NOT_APPLICABLE

    def graph(self, tables: Tables) -> Graph:
        """The state as a graph."""
        return self._maker.graph(self.walk.atoms(), tables)

    def act(self, action: int) -> None:
        """Do an applicable action."""
        self.walk.apply(action)
        self._plan.append(self.task.decode_action(action))
        state = self.walk.state
        # The policy always does the same in the same state: this would go round for ever.
        if state in self._seen and not self.walk.is_goal:
            self.status = ExecutionStatus.CYCLE
        self._seen.add(state)

    def result(self) -> GnnExecution:
        assert self.status is not None
        return GnnExecution(self.status, tuple(self._plan))


def run_policy(
    policy: GnnPolicy, problems: Sequence[Problem | Task], max_steps: int
) -> list[GnnExecution]:
    """The outcome on each problem; in every step the network looks at all that still run."""
    network = Network(named_views(policy.vocabulary, floats(policy.weights)))
    runs = [_Run(policy, problem) for problem in problems]
    tables = Tables.of(policy.vocabulary)
    with one_thread(), torch.inference_mode():
        while True:
            for run in runs:
                if run.status is None:
                    run.begin_step(max_steps)
            running = [run for run in runs if run.status is None]
            if not running:
                return [run.result() for run in runs]
            batch, begins = batch_of([run.graph(tables) for run in running])
            outputs = log_probabilities(network(features_of(tables), batch), batch)
            for run, action in zip(running, _best(outputs, running, begins), strict=True):
                run.act(action)


def batch_of(graphs: Sequence[Graph]) -> tuple[Batch, Tensor]:
    """The graphs side by side, and where the nodes of each begin."""
    nodes, edges = array("q"), array("q")
    sources, targets = array("q"), array("q")
    node_counts, edge_counts = array("q"), array("q")
    for graph in graphs:
        nodes.extend(graph.nodes)
        edges.extend(graph.edges)
        sources.extend(graph.sources)
        targets.extend(graph.targets)
        node_counts.append(len(graph.nodes))
        edge_counts.append(len(graph.edges))
    counts = integers(node_counts)
    begins = counts.cumsum(0) - counts
    shift = torch.repeat_interleave(begins, integers(edge_counts))
    batch = Batch(
        integers(nodes),
        torch.repeat_interleave(torch.arange(len(graphs)), counts),
        integers(edges),
        integers(sources) + shift,
        integers(targets) + shift,
        integers(array("q", [graph.globals for graph in graphs])),
        torch.ones(len(nodes), 1),
        torch.ones(len(edges), 1),
    )
    return batch, begins


def _best(outputs: Outputs, runs: Sequence[_Run], begins: Tensor) -> list[int]:
    """For each run the applicable action of the largest probability, the first of equals."""
    numbers = [integers(array("q", run.applicable)) for run in runs]
    counts = torch.tensor([len(these) for these in numbers])
    graphs = torch.repeat_interleave(torch.arange(len(runs)), counts)
    codes = torch.cat([run.actions[these] for run, these in zip(runs, numbers, strict=True)])
    objects = codes[:, 1:]
    chances = outputs.arguments.gather(0, objects.clamp(min=0) + begins[graphs, None])
    scores = outputs.actions[graphs, codes[:, 0]]
    scores = scores + torch.where(objects < 0, 0.0, chances).sum(dim=1)
    # A network that diverged may say nothing: then any action is as good.
    scores = torch.where(scores.isnan(), -torch.inf, scores)
    best = scores.new_full((len(runs),), -torch.inf).scatter_reduce(0, graphs, scores, "amax")
    places = torch.where(scores >= best[graphs] - _EQUAL, torch.arange(len(scores)), len(scores))
    first = places.new_full((len(runs),), len(scores)).scatter_reduce(0, graphs, places, "amin")
    chosen: list[int] = torch.cat(numbers)[first].tolist()
    return chosen
