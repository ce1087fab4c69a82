"""Random worlds, training problems and tables."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from pg3.pddl.model import Action, Atom, Literal
from tests.support.random_conditions import rarely
from tests.theory.tabular import Entry, Quest, Setting, graph, strips

if TYPE_CHECKING:
    from tests.theory.tabular import Goal, World


@st.composite
def graphs(draw: st.DrawFn) -> World:
    """Three to six places with one to three ways on from each."""
    places = [f"s{i}" for i in range(draw(st.integers(3, 6)))]
    ends = st.lists(st.sampled_from(places), min_size=1, max_size=3, unique=True)
    return graph({place: " ".join(draw(ends)) for place in places})


@st.composite
def forks(draw: st.DrawFn) -> World:
    """Two roads of one to three places between s0 and the last place, and ways off the roads.

    Where the roads differ in length the policy and the planner can have different minds.
    """
    lengths = draw(st.permutations([draw(st.integers(1, 2)), draw(st.integers(1, 3))]))
    places = [f"s{i}" for i in range(sum(lengths) + 2)]
    first, last = places[0], places[-1]
    split = lengths[0] + 1
    roads = [[first, *places[1:split], last], [first, *places[split:-1], last]]
    ways: dict[str, list[str]] = {place: [] for place in places}
    for a, b in itertools.chain.from_iterable(map(itertools.pairwise, roads)):
        ways[a].append(b)
    for place in places:
        off = draw(st.sampled_from(places)) if rarely(draw, 2) else place
        if off not in ways[place]:
            ways[place].insert(0, off)
    return graph({place: " ".join(ends) for place, ends in ways.items()})


@st.composite
def strips_worlds(draw: st.DrawFn) -> World:
    """Up to eight states; an action can be done in many of them, or change nothing at all.

    Several actions may lead to the same state, which a graph with one action an edge never has.
    """
    atoms = [Atom(f"p{i}") for i in range(draw(st.integers(2, 3)))]
    literals = st.dictionaries(st.sampled_from(atoms), st.booleans(), min_size=1, max_size=2)
    conditions = st.dictionaries(st.sampled_from(atoms), st.booleans(), max_size=2)
    actions = []
    for i in range(draw(st.integers(1, 5))):
        pre, effect = draw(conditions), draw(literals)
        as_literals = [tuple(Literal(*pair) for pair in chosen.items()) for chosen in (pre, effect)]
        actions.append(Action(f"a{i}", (), as_literals[0], as_literals[1]))
    return strips(len(atoms), actions)


WORLDS = st.one_of(forks(), graphs(), strips_worlds())


@st.composite
def tabular_settings(draw: st.DrawFn, worlds: st.SearchStrategy[World] = WORLDS) -> Setting:
    """A world with some training problems, most of them for the same goal, and a table for them.

    Most goals can be reached, and most entries name an action that can be done.
    """
    world = draw(worlds)
    states = list(world.moves)
    goals: list[Goal] = []
    quests: list[Quest] = []
    for _ in range(draw(st.sampled_from([6, 12, 3, 1]))):
        start = draw(st.sampled_from(states))
        if not goals or rarely(draw, 6):
            reachable = world.reachable(start)
            end = draw(st.sampled_from(reachable)) if rarely(draw) else reachable[-1]
            atoms = [atom for atom in world.atoms if atom in end]
            # Part of a state is a goal that several states satisfy.
            left_out = draw(st.sampled_from(atoms)) if len(atoms) > 1 and rarely(draw) else None
            goals.append(frozenset(atom for atom in atoms if atom != left_out))
        goal = draw(st.sampled_from(goals))
        trivial = goal <= start or not any(goal <= end for end in world.reachable(start))
        if (not trivial or rarely(draw, 10)) and (start, goal) not in quests:
            quests.append(Quest(start, goal))
    everything = sorted({action for moves in world.moves.values() for action in moves})
    table = {}
    for goal in dict.fromkeys(quest.goal for quest in quests):
        for state, moves in world.moves.items():
            if goal <= state or not everything:
                continue
            choices = everything if rarely(draw, 10) else list(moves)
            if choices:
                table[Entry(state, goal)] = draw(st.sampled_from(choices))
    return Setting(world, tuple(quests), table)


def improvable_settings() -> st.SearchStrategy[Setting]:
    """Settings whose policy does not solve all training problems."""

    def improvable(setting: Setting) -> bool:
        return not all(map(setting.solved, setting.quests))

    return tabular_settings().filter(improvable)


def settings_of_theorem_1() -> st.SearchStrategy[Setting]:
    """Settings whose policy solves all training problems but one, one of the harder ones."""

    def keep_one_unsolved(setting: Setting) -> Setting:
        def nearer(quest: Quest) -> int:
            reachable = setting.world.reachable(quest.start)
            return next((i for i, one in enumerate(reachable) if quest.goal <= one), 0)

        unsolved = max((q for q in setting.quests if not setting.solved(q)), key=nearer)
        kept = [quest for quest in setting.quests if setting.solved(quest) or quest == unsolved]
        return replace(setting, quests=tuple(kept))

    return improvable_settings().map(keep_one_unsolved)
