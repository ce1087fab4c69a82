"""What the network imitates: the states of plans, each with the action that the plan does there."""

from __future__ import annotations

import hashlib
from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pg3.baselines.gnn.graphs import Graph, GraphMaker, Tables
from pg3.baselines.gnn.vocabulary import Vocabulary
from pg3.planning import Limits, plan
from pg3.semantics.task import Task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.pddl.model import Domain, Problem


class SkippedProblem(NamedTuple):
    """A training problem without a plan to learn from, and why."""

    name: str
    reason: str


@dataclass
class Samples:
    """The graphs of all samples one after the other, and the action to do in each.

    Sample i has the nodes from `node_begins[i]` up to the next one's, and edges likewise. `sources`
    and `targets` count from the sample's first node. `arguments` has as many entries a sample as an
    action has arguments at most, -1 where it has fewer.
    """

    vocabulary: Vocabulary
    tables: Tables
    node_begins: array[int] = field(default_factory=lambda: array("q", [0]))
    edge_begins: array[int] = field(default_factory=lambda: array("q", [0]))
    nodes: array[int] = field(default_factory=lambda: array("q"))
    edges: array[int] = field(default_factory=lambda: array("q"))
    sources: array[int] = field(default_factory=lambda: array("q"))
    targets: array[int] = field(default_factory=lambda: array("q"))
    globals: array[int] = field(default_factory=lambda: array("q"))
    actions: array[int] = field(default_factory=lambda: array("q"))
    arguments: array[int] = field(default_factory=lambda: array("q"))

    def __len__(self) -> int:
        return len(self.actions)

    def append(self, graph: Graph, action: int, arguments: Sequence[int]) -> None:
        """Add one sample."""
        self.nodes.extend(graph.nodes)
        self.edges.extend(graph.edges)
        self.sources.extend(graph.sources)
        self.targets.extend(graph.targets)
        self.node_begins.append(len(self.nodes))
        self.edge_begins.append(len(self.edges))
        self.globals.append(graph.globals)
        self.actions.append(action)
        missing = self.vocabulary.arguments - len(arguments)
        self.arguments.extend([*arguments, *[-1] * missing])

    def split(self) -> tuple[Samples, Samples]:
        """The samples to train on, and the first tenth, held out: one at least, if any is left."""
        held_out = min(max(1, len(self) // 10), len(self) - 1)
        parts = Samples(self.vocabulary, self.tables), Samples(self.vocabulary, self.tables)
        width = self.vocabulary.arguments
        for sample in range(len(self)):
            arguments = self.arguments[sample * width : (sample + 1) * width]
            part = parts[sample < held_out]
            part.append(self.graph(sample), self.actions[sample], arguments)
        return parts

    def graph(self, sample: int) -> Graph:
        """The graph of one sample."""
        nodes = slice(self.node_begins[sample], self.node_begins[sample + 1])
        edges = slice(self.edge_begins[sample], self.edge_begins[sample + 1])
        return Graph(
            self.nodes[nodes],
            self.sources[edges],
            self.targets[edges],
            self.edges[edges],
            self.globals[sample],
        )

    def fields(self) -> tuple[array[int], ...]:
        """All lists of numbers, in the order in which the C++ trainer takes them."""
        return (
            self.node_begins,
            self.edge_begins,
            self.nodes,
            self.edges,
            self.sources,
            self.targets,
            self.globals,
            self.actions,
            self.arguments,
        )

    def fingerprint(self) -> str:
        """A text that is the same for the same samples only."""
        digest = hashlib.sha256(repr(self.vocabulary).encode())
        for rows in (self.tables.nodes, self.tables.edges, self.tables.globals):
            digest.update(repr(list(rows.numbers)).encode())
        for values in self.fields():
            digest.update(repr(values.tolist()).encode())
        return digest.hexdigest()


def demonstrate(
    domain: Domain, problems: Sequence[Problem], limits: Limits
) -> tuple[Samples, tuple[SkippedProblem, ...]]:
    """The samples of the plans that A* with h_add finds, and the problems that it does not solve.

    `limits` are those of each search.
    """
    vocabulary = Vocabulary.of(domain, problems)
    samples = Samples(vocabulary, Tables.of(vocabulary))
    skipped = []
    for problem in problems:
        task = Task(problem)
        outcome = plan(task, limits=limits)
        if outcome.plan is None:
            skipped.append(SkippedProblem(problem.name, str(outcome.status)))
            continue
        maker, state = GraphMaker(vocabulary, problem), task.space.initial
        for step in outcome.plan:
            number = task.action_number(step)
            action, *arguments = task.space.action(number)
            samples.append(maker.graph(task.space.atoms(state), samples.tables), action, arguments)
            state = task.space.apply(state, number)
    return samples, tuple(skipped)
