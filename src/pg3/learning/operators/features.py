"""Conditions beyond the domain's predicates that a learner proposes by itself.

Three kinds of conditions, found in the domain and the goals of the training problems:

- For a fluent p of two places of one type, with goals on it, that makes chains of objects: which
  objects are *unsettled*. An object is unsettled if a goal on it is open, if it stands (by p) on an
  unsettled one, or if it stands on one that an open goal mentions. A settled object need not move
  any more: a recursive notion that no conjunction of conditions can express.
- For a static relation E of that kind without cycles: whether goals are open *beyond* an object,
  about what follows it in E, however far. Where finished work blocks a path, it must be done in
  some order; an object's turn comes when nothing is left to do beyond it.
- For a relation along which some action is a *pure move* (`moves`): `(next E x y z)`, that y is the
  next stop from x on a shortest path to z. Further arguments of the relation come before x.

If a domain has constants, induced rules name them; otherwise rules have variables only.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

from pg3.learning.operators.recursion import (
    links_like_to_like,
    makes_chains,
    makes_circles,
    may_meet,
    open_beyond,
    unsettled,
)
from pg3.learning.operators.ways import edge_types, pure_moves, roads, ways
from pg3.pddl.model import Atom, Literal
from pg3.policy.derived import NEXT, is_graph

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from pg3.learning.operators.induce import Lesson
    from pg3.learning.operators.moves import Move
    from pg3.learning.operators.triangle_tables.triangle_table import Step
    from pg3.pddl.model import Domain, Problem, TypeNames
    from pg3.policy.model import Clause

# Bounds the lessons of a missed action: all objects, or at most so many, are its reason.
_REASONS = 2


@dataclass(frozen=True)
class Features:
    """What can be proposed for a domain.

    `unsettled` and `beyond` are the names of predicates that `definitions` define, each with the
    types of its objects; `moves` are the pure moves by the names of their actions, `edges` the
    relations that they follow with the types of their places, the two ends last. `roads` are the
    moves along their edges without what changes.
    """

    domain: Domain
    unsettled: dict[str, TypeNames]
    beyond: dict[str, TypeNames]
    definitions: tuple[Clause, ...]
    moves: dict[str, Move]
    roads: dict[str, Move] = field(default_factory=dict)
    edges: dict[str, tuple[TypeNames, ...]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.unsettled or self.beyond or self.moves or self.domain.constants)


class _Definitions:
    """New clauses, under names that are free."""

    def __init__(self, domain: Domain, known: Collection[Clause]) -> None:
        self.new: list[Clause] = []
        self._domain = domain
        self._known = known

    def add(self, name: str, make: Callable[[str], Iterable[Clause]]) -> str:
        """Define something, unless the known clauses do; its name, or one like it."""
        while True:
            own = tuple(make(name))
            held = tuple(one for one in (*self._known, *self.new) if one.name == name)
            if name not in self._domain.predicate_index and held in ((), own):
                break
            name += "-2"
        self.new += [] if held else own
        return name


def features_of(
    domain: Domain, problems: Iterable[Problem], known: Collection[Clause] = ()
) -> Features:
    """What can be proposed for a domain, given some of its problems.

    `known` are clauses that exist already: nothing is defined twice, nor under a name of theirs.
    """
    problems = tuple(problems)
    mentioned = {atom.predicate for problem in problems for atom in problem.goal}
    goals = [one for one in domain.predicates if one.name in mentioned]
    definitions = _Definitions(domain, known)
    settling: dict[str, TypeNames] = {}
    beyond: dict[str, TypeNames] = {}
    for predicate in domain.predicates:
        if not links_like_to_like(predicate, domain):
            continue
        if not any(makes_chains(predicate.name, problem) for problem in problems):
            continue
        types = predicate.parameters[0].types
        if predicate.name in domain.fluents:
            if predicate in goals:
                name = definitions.add(
                    f"unsettled-{predicate.name}",
                    partial(unsettled, below=predicate, goals=goals, domain=domain),
                )
                settling[name] = types
        elif any(
            may_meet(parameter.types, types, domain)
            for goal in goals
            for parameter in goal.parameters
        ) and not any(makes_circles(predicate.name, problem) for problem in problems):
            name = definitions.add(
                f"open-beyond-{predicate.name}",
                partial(open_beyond, edges=predicate, goals=goals, domain=domain),
            )
            beyond[name] = types
    moves = {
        action: move
        for action, move in pure_moves(domain).items()
        if is_graph(Atom(NEXT, (move.edges, *("",) * (len(move.leading) + 3))), domain)
    }
    along = roads(moves, domain)
    moves = _with_definitions(moves, domain, definitions)
    along = _with_definitions(along, domain, definitions)
    edges = {move.edges: edge_types(name, move, domain) for name, move in moves.items()}
    return Features(domain, settling, beyond, tuple(definitions.new), moves, along, edges)


def _with_definitions(
    moves: dict[str, Move], domain: Domain, definitions: _Definitions
) -> dict[str, Move]:
    """The moves, now that their edges are defined; another name may have been taken."""
    for relation, clauses in ways(moves, domain).items():
        name = definitions.add(relation, partial(_called, clauses=clauses))
        moves = {
            action: move._replace(edges=name) if move.edges == relation else move
            for action, move in moves.items()
        }
    return moves


def _called(name: str, clauses: Iterable[Clause]) -> list[Clause]:
    """The same clauses under another name."""
    return [replace(clause, name=name) for clause in clauses]


def extended(
    lesson: Lesson, features: Features, true: Collection[Atom], types: dict[str, str]
) -> Iterator[Lesson]:
    """What a plan says about a missed action, in the larger language: several lessons.

    `true` are the atoms of derived predicates that are true before the action. Each lesson says of
    the objects of the action and of the goal whether they are settled. It also says beyond which of
    the goal's objects no goals are open. Only some of these may be the reason why it was this
    goal's turn, so there is a lesson with all, with each two, with each and with none. Edges of
    later pure moves are left out: another path may do. If the action itself is a pure move, the
    next stop is on a shortest path to the end of its chain of moves. That end has a variable of its
    own: if it is the next stop, it gets another name, which is added to `types`.
    """
    constants = {constant.name for constant in features.domain.constants}
    first = lesson.table.steps[lesson.subsequence[0]]

    def about(objects: Iterable[str], predicates: dict[str, TypeNames]) -> list[Atom]:
        return [
            Atom(name, (one,))
            for name, accepted in predicates.items()
            for one in dict.fromkeys(objects)
            if one not in constants and features.domain.is_a(types[one], accepted)
        ]

    important = (*first.action.objects, *lesson.goal.terms)
    settled = [Literal(atom, atom in true) for atom in about(important, features.unsettled)]
    ended = [atom for atom in about(lesson.goal.terms, features.beyond) if atom not in true]
    moved = _along_paths(lesson, features, types)
    for number in dict.fromkeys((*range(min(len(ended), _REASONS) + 1), len(ended))):
        for atoms in combinations(ended, number):
            required = (*moved.required, *settled, *(Literal(atom, False) for atom in atoms))
            yield replace(moved, required=required)


def _along_paths(lesson: Lesson, features: Features, types: dict[str, str]) -> Lesson:
    """The lesson with conditions on shortest paths instead of edges."""
    goal, required, context = lesson.goal, list(lesson.required), list(lesson.context)
    later = set[Literal]().union(*(_edge(lesson, k, features) for k in lesson.subsequence[1:]))
    context = [literal for literal in context if literal not in later]
    first = lesson.table.steps[lesson.subsequence[0]]
    move = features.moves.get(first.action.name)
    if move is not None:
        start, stop = first.action.objects[move.start], first.action.objects[move.end]
        graph = move.graph(first.action.objects)
        end = _end_of_chain(lesson, features)
        if end == stop:
            end = f"{stop}-end"
            while end in types:
                end += "-"
            types[end] = types[stop]
            own, binding = set(first.conditions), {stop: end}
            goal = goal.substitute(binding)
            required = [one if one in own else one.substitute(binding) for one in required]
            context = [one.substitute(binding) for one in context]
        required.append(Literal(Atom(NEXT, (*graph, start, stop, end))))
    return replace(lesson, goal=goal, required=tuple(required), context=tuple(context))


def _edge(lesson: Lesson, step: int, features: Features) -> set[Literal]:
    """The conditions that make the edge which a step follows; none if it is no pure move."""
    done = lesson.table.steps[step].action
    move = features.moves.get(done.name)
    if move is None:
        return set()
    return move.edge(features.domain.actions[features.domain.action_index[done.name]], done)


def _end_of_chain(lesson: Lesson, features: Features) -> str:
    """The end of the chain of pure moves, one right after the other, that the first step begins."""
    table = lesson.table
    at = lesson.subsequence[0]
    while True:
        step: Step = table.steps[at]
        move = features.moves[step.action.name]
        end = step.action.objects[move.end]
        arrived = min(atom for atom in step.adds if atom.predicate == move.moved)
        users = [k for k in lesson.subsequence if table.suppliers[k].get(arrived) == at]
        if len(users) != 1 or table.steps[users[0]].action.name not in features.moves:
            return end
        if arrived not in table.steps[users[0]].deletes:
            return end
        at = users[0]
