"""Policies as tables: Example 2 of the paper, on problems small enough to try everything.

A *world* is a domain with the states that its problems can be in; a *quest* is a start and a goal
in it, i.e. one training problem; a *table* gives an action for a state and a goal. A table may lack
an entry, or name an action that cannot be done there: the policy then stops.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.model import (
    OBJECT,
    Action,
    Atom,
    Domain,
    Literal,
    Parameter,
    Predicate,
    Problem,
    Type,
    TypedObject,
)
from pg3.pddl.plans import GroundAction
from pg3.policy.model import DecisionList, Rule
from pg3.semantics.task import Task
from tests.oracle import semantics

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

State = frozenset[Atom]
Goal = frozenset[Atom]


class Entry(NamedTuple):
    """Where a table is looked up."""

    state: State
    goal: Goal


class Quest(NamedTuple):
    """A training problem: from where to what."""

    start: State
    goal: Goal


Table = Mapping[Entry, GroundAction]


@dataclass(frozen=True)
class World:
    """A domain and all states of its problems, with what each action leads to in each state."""

    domain: Domain
    moves: Mapping[State, Mapping[GroundAction, State]]

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:
        """The atoms that tell the states apart."""
        everywhere = frozenset.intersection(*self.moves)
        return tuple(sorted(frozenset.union(*self.moves) - everywhere))

    def problem(self, quest: Quest) -> Problem:
        """The quest as a PDDL problem; all objects are constants of the domain."""
        goal = map(Literal, sorted(quest.goal))
        return Problem.of("quest", self.domain, (), sorted(quest.start), goal)

    def reachable(self, start: State) -> list[State]:
        """The states that some sequence of actions leads to, nearest first, the start included."""
        found = [start]
        for state in found:
            found.extend(dict.fromkeys(s for s in self.moves[state].values() if s not in found))
        return found


def _world(domain: Domain, states: Iterable[State]) -> World:
    anywhere = Problem.of("anywhere", domain, (), [], [])
    instances = semantics.instances(anywhere)
    return World(
        domain,
        {
            state: {one.action: one.successor(state) for one in instances if one.applicable(state)}
            for state in states
        },
    )


def at(place: str) -> Atom:
    """The one fluent atom of a graph's states."""
    return Atom("at", (place,))


def graph(edges: Mapping[str, str]) -> World:
    """A traveller in a directed graph, given as {"a": "b c", "b": "c", "c": ""}; states are places.

    The action (go a b) is declared for every edge from a to b.
    """
    variables = (Parameter("?from"), Parameter("?to"))
    road = Predicate("road", variables)
    go = Action(
        "go",
        variables,
        (Literal(at("?from")), Literal(Atom("road", ("?from", "?to")))),
        (Literal(at("?from"), False), Literal(at("?to"))),
    )
    domain = Domain(
        "graph",
        (Type(OBJECT, ()),),
        tuple(TypedObject(place) for place in edges),
        (Predicate("at", (Parameter("?place"),)), road),
        (go,),
    )
    roads = {Atom("road", (a, b)) for a, ends in edges.items() for b in ends.split()}
    return _world(domain, [frozenset({at(place), *roads}) for place in edges])


def strips(atoms: int, actions: Iterable[Action]) -> World:
    """All 2^n states over atoms p0, p1, ... without arguments, under actions without parameters."""
    predicates = tuple(Predicate(f"p{i}", ()) for i in range(atoms))
    domain = Domain("strips", (Type(OBJECT, ()),), (), predicates, tuple(actions))
    signs = itertools.product((False, True), repeat=atoms)
    states = [
        frozenset(Atom(one.name) for one, true in zip(predicates, chosen, strict=True) if true)
        for chosen in signs
    ]
    return _world(domain, states)


@dataclass(frozen=True)
class Setting:
    """A world, the training problems and a policy."""

    world: World
    quests: tuple[Quest, ...]
    table: Table

    @cached_property
    def problems(self) -> list[Task]:
        """The training problems."""
        return [Task(self.world.problem(quest)) for quest in self.quests]

    @cached_property
    def policy(self) -> DecisionList:
        """The table as a decision list: one rule an entry, which pins the state and the goal."""
        return decision_list(self.world, self.table)

    def solved(self, quest: Quest) -> bool:
        """Whether following the table leads to the quest's goal, by definition."""
        goal, state = quest.goal, quest.start
        seen: set[State] = set()
        while not goal <= state:
            action = self.table.get(Entry(state, goal))
            moves = self.world.moves[state]
            if state in seen or action is None or action not in moves:
                return False
            seen.add(state)
            state = moves[action]
        return True

    def successors(self) -> Iterator[Setting]:
        """The policies one search operator away: one entry changed, in every possible way."""
        for goal in sorted({quest.goal for quest in self.quests}, key=sorted):
            for state, moves in self.world.moves.items():
                entry = Entry(state, goal)
                for action in moves:
                    if not goal <= state and action != self.table.get(entry):
                        yield replace(self, table={**self.table, entry: action})

    def cost_to_go(self) -> float:
        """Definition 1: how many entries must change until all problems are solved.

        Goals have no entries in common, so the changes for each add up.
        """
        goals = {quest.goal for quest in self.quests}
        return sum(self._changes([q for q in self.quests if q.goal == goal]) for goal in goals)

    def _changes(self, quests: list[Quest]) -> float:
        """As few changes as possible for problems with one goal, by trying first 0, then 1, ..."""
        world, goal = self.world, quests[0].goal
        reachable: set[State] = set()
        for quest in quests:
            new = world.reachable(quest.start)
            if not any(goal <= state for state in new):
                return math.inf
            reachable |= {*new}
        states = [one for one in world.moves if one in reachable and not goal <= one]
        for number in range(len(states) + 1):
            for chosen in itertools.combinations(states, number):
                entries = [Entry(state, goal) for state in chosen]
                for actions in itertools.product(*(world.moves[state] for state in chosen)):
                    changed = dict(zip(entries, actions, strict=True))
                    candidate = replace(self, table={**self.table, **changed})
                    if all(candidate.solved(quest) for quest in quests):
                        return number
        raise AssertionError("every goal can be reached, so some table reaches them all")


def decision_list(world: World, table: Table) -> DecisionList:
    """A table as a policy in pg3's own form."""
    atoms = world.atoms
    rules = tuple(
        Rule(
            f"entry{number}",
            (),
            tuple(Literal(atom, atom in entry.state) for atom in atoms),
            tuple(Literal(atom, atom in entry.goal) for atom in atoms),
            action.name,
            action.objects,
        )
        for number, (entry, action) in enumerate(table.items())
    )
    return DecisionList("table", rules)


def journey(edges: Mapping[str, str], routes: str, **tables: str) -> Setting:
    """A setting in a graph from short texts, as in `journey(edges, "a-g b-g", g="a-b b-g")`.

    The routes are the training problems, as start-goal; for each goal a table says where to go next
    from where.
    """
    world = graph(edges)
    states = {place: state for place in edges for state in world.moves if at(place) in state}
    pairs = [route.split("-") for route in routes.split()]
    quests = tuple(Quest(states[start], frozenset({at(goal)})) for start, goal in pairs)
    table = {
        Entry(states[a], frozenset({at(goal)})): GroundAction("go", (a, b))
        for goal, text in tables.items()
        for a, b in (step.split("-") for step in text.split())
    }
    return Setting(world, quests, table)
