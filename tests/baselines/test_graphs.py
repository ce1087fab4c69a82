"""States as graphs: one example by hand, and the order of objects."""

from __future__ import annotations

import pytest

from pg3.baselines.gnn.graphs import GraphMaker, Tables
from pg3.baselines.gnn.vocabulary import Kind, Symbol, Vocabulary
from pg3.pddl import parse_domain, parse_problem
from pg3.semantics.task import Task

WORKSHOP = parse_domain(
    """
(define (domain workshop)
  (:requirements :strips :typing)
  (:types thing room - object tool part - thing)
  (:predicates (open) (clean ?t - thing) (in ?t - thing ?r - room)
               (fix ?t - tool ?p - part ?r - room))
  (:action shut :parameters () :precondition (open) :effect (not (open)))
  (:action wash :parameters (?t - thing) :precondition (open) :effect (clean ?t))
  (:action use
    :parameters (?t - tool ?p - part ?r - room)
    :precondition (and (in ?t ?r) (in ?p ?r))
    :effect (and (fix ?t ?p ?r) (not (clean ?t)))))
"""
)
BENCH = parse_problem(
    """
(define (problem bench) (:domain workshop)
  (:objects saw - tool leg - part shed - room)
  (:init (open) (clean saw) (in saw shed) (in leg shed))
  (:goal (and (fix saw leg shed) (clean leg) (not (clean saw)))))
""",
    WORKSHOP,
)
VOCABULARY = Vocabulary.of(WORKSHOP, [BENCH])


def bits(row: int) -> set[int]:
    return {bit for bit in range(row.bit_length()) if row >> bit & 1}


def test_vocabulary() -> None:
    assert VOCABULARY.types == ("object", "thing", "room", "tool", "part")
    assert VOCABULARY.actions == (Symbol("shut", 0), Symbol("wash", 1), Symbol("use", 3))
    assert VOCABULARY.unwanted == ("clean",)
    assert VOCABULARY.arguments == 3
    # Types, then clean in the state, in the goal, and unwanted.
    assert VOCABULARY.node_width == 8
    assert VOCABULARY.node_features == {
        (Kind.STATE, 1): 5,
        (Kind.GOAL, 1): 6,
        (Kind.UNWANTED, 1): 7,
    }
    # One pair of places for in and three for fix, both directions, state and goal.
    assert VOCABULARY.edge_width == 16
    assert VOCABULARY.global_width == 2
    assert Vocabulary.of(WORKSHOP).node_width == 7


def test_a_graph_by_hand() -> None:
    tables = Tables.of(VOCABULARY)
    task = Task(BENCH)
    graph = GraphMaker(VOCABULARY, BENCH).graph(task.space.atoms(task.space.initial), tables)
    saw, leg, shed = range(3)
    nodes = list(tables.nodes.numbers)
    assert [bits(nodes[row]) for row in graph.nodes] == [
        {0, 1, 3, 5, 7},  # a tool, so a thing; clean, and should not be
        {0, 1, 4, 6},  # a part; should be clean
        {0, 2},
    ]
    labels = list(tables.edges.numbers)
    edges = {
        (source, target): bits(labels[row])
        for source, target, row in zip(graph.sources, graph.targets, graph.edges, strict=True)
    }
    # In the state `in` is 0 there, 1 back; in the goal `fix` is (0,1): 10, 11; (0,2): 12, 13;
    # (1,2): 14, 15.
    assert edges == {
        (saw, shed): {0, 12},
        (shed, saw): {1, 13},
        (leg, shed): {0, 14},
        (shed, leg): {1, 15},
        (saw, leg): {10},
        (leg, saw): {11},
    }
    assert list(graph.targets) == sorted(graph.targets)
    assert bits(list(tables.globals.numbers)[graph.globals]) == {0}


def test_changes_of_the_state_show() -> None:
    tables = Tables.of(VOCABULARY)
    task, maker = Task(BENCH), GraphMaker(VOCABULARY, BENCH)
    shut = task.successor(task.initial_state, task.applicable(task.initial_state)[0])
    graph = maker.graph(task.space.atoms(task.number(shut)), tables)
    assert bits(list(tables.globals.numbers)[graph.globals]) == set()
    again = maker.graph(task.space.atoms(task.space.initial), tables)
    assert bits(list(tables.globals.numbers)[again.globals]) == {0}


def test_rows_are_numbered_as_they_come() -> None:
    rows = Tables.of(VOCABULARY).globals
    assert [rows.number(row) for row in (2, 0, 2, 3)] == [0, 1, 0, 2]
    assert list(rows.floats()) == [0, 1, 0, 0, 1, 1]


@pytest.mark.parametrize("part", ["types", "predicates", "actions"])
def test_misfit(part: str) -> None:
    assert VOCABULARY.misfit(WORKSHOP) is None
    values = {name: getattr(VOCABULARY, name) for name in ("types", "predicates", "actions")}
    values[part] = values[part][::-1]
    assert Vocabulary(**values).misfit(WORKSHOP) == part
