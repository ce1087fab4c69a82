"""The network in torch: against a naive twin, alone or in a batch, and under renamed objects."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
import torch

from pg3.baselines.gnn.execution import batch_of
from pg3.baselines.gnn.graphs import GraphMaker, Tables
from pg3.baselines.gnn.network import Network, log_probabilities, named_views
from pg3.baselines.gnn.torch_trainer import features_of, floats, one_thread
from pg3.baselines.gnn.vocabulary import Vocabulary
from pg3.baselines.gnn.weights import initial_weights, weight_layout
from pg3.pddl.model import Atom, Literal, Problem
from pg3.semantics.task import Task
from tests.baselines.naive_network import NaiveNetwork
from tests.baselines.test_graphs import BENCH, WORKSHOP
from tests.support.errands import FETCH
from tests.support.ferry_problems import FERRY, small_ferry_problems

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pg3.baselines.gnn.graphs import Graph


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """More threads would only wait for each other."""
    with one_thread():
        yield


def initial_graph(vocabulary: Vocabulary, problem: Problem, tables: Tables) -> Graph:
    task = Task(problem)
    return GraphMaker(vocabulary, problem).graph(task.space.atoms(task.space.initial), tables)


def weights_of(vocabulary: Vocabulary, seed: int = 0) -> dict[str, torch.Tensor]:
    return named_views(vocabulary, floats(initial_weights(vocabulary, seed)))


def test_agrees_with_the_naive_network() -> None:
    for problem in (BENCH, FETCH, small_ferry_problems(1)[0]):
        vocabulary = Vocabulary.of(problem.domain, [problem])
        tables, weights = Tables.of(vocabulary), weights_of(vocabulary)
        graph = initial_graph(vocabulary, problem, tables)
        batch, _ = batch_of([graph])
        outputs = Network(weights)(features_of(tables), batch)
        actions, arguments = NaiveNetwork(weights).logits(graph, tables)
        torch.testing.assert_close(outputs.actions[0], actions, rtol=1e-4, atol=1e-5)
        torch.testing.assert_close(outputs.arguments, arguments, rtol=1e-4, atol=1e-5)


def test_a_batch_gives_what_its_graphs_give_alone() -> None:
    vocabulary = Vocabulary.of(FERRY)
    tables, network = Tables.of(vocabulary), Network(weights_of(vocabulary))
    graphs = [initial_graph(vocabulary, p, tables) for p in small_ferry_problems(4)]
    batch, begins = batch_of(graphs)
    together = log_probabilities(network(features_of(tables), batch), batch)
    for number, graph in enumerate(graphs):
        single, _ = batch_of([graph])
        alone = log_probabilities(network(features_of(tables), single), single)
        torch.testing.assert_close(together.actions[number], alone.actions[0])
        nodes = slice(int(begins[number]), int(begins[number]) + len(graph.nodes))
        torch.testing.assert_close(together.arguments[nodes], alone.arguments)


def renamed(problem: Problem, seed: int) -> tuple[Problem, list[int]]:
    """The problem with other names in another order, and the old number of each new object."""
    order = list(range(len(problem.objects)))
    random.Random(seed).shuffle(order)
    names = {problem.objects[old].name: f"x{new}" for new, old in enumerate(order)}

    def atom(one: Atom) -> Atom:
        return Atom(one.predicate, tuple(names.get(term, term) for term in one.terms))

    result = Problem.of(
        problem.name,
        problem.domain,
        [problem.objects[old]._replace(name=f"x{new}") for new, old in enumerate(order)],
        map(atom, problem.init),
        [
            *(Literal(atom(one)) for one in problem.goal),
            *(Literal(atom(one), positive=False) for one in problem.negative_goal),
        ],
    )
    constants = len(problem.domain.constants)
    return result, [*range(constants), *(constants + old for old in order)]


def test_names_and_order_of_objects_do_not_matter() -> None:
    for problem in (BENCH, FETCH, small_ferry_problems(1)[0]):
        vocabulary = Vocabulary.of(problem.domain, [problem])
        network = Network(weights_of(vocabulary, seed=3))
        other, olds = renamed(problem, 5)
        results = []
        for one in (problem, other):
            tables = Tables.of(vocabulary)
            batch, _ = batch_of([initial_graph(vocabulary, one, tables)])
            results.append(network(features_of(tables), batch))
        torch.testing.assert_close(results[0].actions, results[1].actions)
        torch.testing.assert_close(results[0].arguments[olds], results[1].arguments)


def test_log_probabilities_sum_to_one_in_each_graph() -> None:
    vocabulary = Vocabulary.of(WORKSHOP)
    tables = Tables.of(vocabulary)
    batch, _ = batch_of([initial_graph(vocabulary, BENCH, tables)] * 2)
    outputs = Network(weights_of(vocabulary))(features_of(tables), batch)
    # Far apart: the powers of the raw numbers would overflow.
    chances = log_probabilities(outputs._replace(arguments=outputs.arguments * 1e4), batch)
    torch.testing.assert_close(chances.actions.exp().sum(1), torch.ones(2))
    totals = torch.zeros(2, 3).index_add(0, batch.graphs, chances.arguments.exp())
    torch.testing.assert_close(totals, torch.ones(2, 3))


def test_initial_weights() -> None:
    vocabulary = Vocabulary.of(FERRY)
    weights = weights_of(vocabulary)
    assert sum(weight.numel() for weight in weights.values()) == weight_layout(vocabulary)[-1].end
    bound = 128**-0.5
    first = weights["process.edge.hidden.weight"]
    assert first.shape == (128, 16)
    assert first.abs().max() <= bound
    assert abs(float(first.mean())) < bound / 20
    assert weights["process.edge.norm.scale"].tolist() == [1.0] * 16
    assert weights["process.edge.norm.shift"].tolist() == [0.0] * 16
    assert initial_weights(vocabulary, 0) == initial_weights(vocabulary, 0)
    assert initial_weights(vocabulary, 0) != initial_weights(vocabulary, 1)
