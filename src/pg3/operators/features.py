"""Conditions beyond the domain's predicates that a learner proposes by itself.

Two kinds of conditions, found in the domain and the goals of the training problems:

- For a fluent p of two places of one type, with goals on it, that makes chains of objects: which
  objects are *unsettled*. An object is if a goal on it is open, if it stands (by p) on an unsettled
  one, or if it stands on one that an open goal is about. What is settled need not be moved any
  more: a recursive notion that no conjunction of conditions can say.
- For a static relation E along which some action is a *pure move*: `(next E x y z)`, that y is the
  next stop from x on a shortest way to z. An action is a pure move if all that it does is to take
  away an atom and to add the same one with the other end of the edge.

And where a domain has constants, induced rules name them, where else they speak of variables only.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.model import Atom, Literal, Parameter
from pg3.policy.derived import NEXT
from pg3.policy.model import Clause

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from pg3.operators.induce import Lesson
    from pg3.operators.triangle_table import Step
    from pg3.pddl.model import Action, Domain, Predicate, Problem, TypeNames


class Move(NamedTuple):
    """A pure move: along which relation, and which of the action's arguments are the ends."""

    edges: str
    start: int
    end: int


@dataclass(frozen=True)
class Features:
    """What can be proposed for a domain.

    `unsettled` are the names of the predicates that `definitions` define, each with the types of
    its objects; `moves` are the pure moves by the names of their actions.
    """

    domain: Domain
    unsettled: dict[str, TypeNames]
    definitions: tuple[Clause, ...]
    moves: dict[str, Move]
    edges: tuple[str, ...] = field(default=())

    def __bool__(self) -> bool:
        return bool(self.unsettled or self.moves or self.domain.constants)


def features_of(
    domain: Domain, problems: Iterable[Problem], known: Collection[Clause] = ()
) -> Features:
    """What can be proposed for a domain, given some of its problems.

    `known` are clauses that there are already. What they define is not defined again, and their
    names are not taken for anything else.
    """
    unsettled: dict[str, TypeNames] = {}
    clauses: list[Clause] = []
    problems = tuple(problems)
    mentioned = {atom.predicate for problem in problems for atom in problem.goal}
    goals = [one for one in domain.predicates if one.name in mentioned]
    for predicate in goals:
        if predicate.arity != 2 or predicate.name not in domain.fluents:
            continue
        one, other = (parameter.types for parameter in predicate.parameters)
        if one == other and any(_makes_chains(predicate.name, problem) for problem in problems):
            name = f"unsettled-{predicate.name}"
            while True:
                own = tuple(_unsettled(name, predicate, goals, domain))
                held = tuple(clause for clause in known if clause.name == name)
                if name not in domain.predicate_index and held in ((), own):
                    break
                name += "-2"
            unsettled[name] = one
            clauses += [] if held else own
    moves = {
        action.name: move
        for action in domain.actions
        if (move := _pure_move(action, domain)) is not None
    }
    if NEXT in domain.predicate_index:
        moves = {}
    edges = tuple(dict.fromkeys(move.edges for move in moves.values()))
    return Features(domain, unsettled, tuple(clauses), moves, edges)


def _makes_chains(name: str, problem: Problem) -> bool:
    """Whether some object stands at both places of a predicate: types alone do not tell."""
    pairs = [
        a.terms for atoms in (problem.init, problem.goal) for a in atoms if a.predicate == name
    ]
    return not {x for x, _ in pairs}.isdisjoint(y for _, y in pairs)


def _unsettled(
    name: str, below: Predicate, goals: Iterable[Predicate], domain: Domain
) -> Iterator[Clause]:
    types = below.parameters[0].types
    x, y = Parameter("?x", types), Parameter("?y", types)
    stands = Literal(Atom(below.name, ("?x", "?y")))
    for goal in goals:
        if goal.parameters and _may_meet(goal.parameters[0].types, types, domain):
            others = _others(goal, 0)
            atom = Atom(goal.name, ("?x", *(p.name for p in others)))
            yield Clause(name, (x,), others, (Literal(atom, False),), (Literal(atom),))
    yield Clause(name, (x,), (y,), (stands, Literal(Atom(name, ("?y",)))), ())
    for goal in goals:
        for place in range(1, goal.arity):
            if not _may_meet(goal.parameters[place].types, types, domain):
                continue
            others = _others(goal, place)
            terms = [p.name for p in others]
            atom = Atom(goal.name, (*terms[:place], "?y", *terms[place:]))
            yield Clause(name, (x,), (y, *others), (stands, Literal(atom, False)), (Literal(atom),))


def _others(goal: Predicate, place: int) -> tuple[Parameter, ...]:
    """Variables for the places of a goal but one."""
    return tuple(
        Parameter(f"?z{i}" if goal.arity > 2 else "?z", parameter.types)
        for i, parameter in enumerate(goal.parameters)
        if i != place
    )


def _may_meet(types: TypeNames, others: TypeNames, domain: Domain) -> bool:
    return any(
        domain.is_a(below, others) for name in types for below in sorted(domain.subtypes[name])
    )


def _pure_move(action: Action, domain: Domain) -> Move | None:
    if len(action.effects) != 2:
        return None
    gone, come = sorted(action.effects, key=lambda effect: effect.positive)
    if gone.positive or not come.positive or gone.atom.predicate != come.atom.predicate:
        return None
    pairs = zip(gone.atom.terms, come.atom.terms, strict=True)
    differing = [(a, b) for a, b in pairs if a != b]
    names = [parameter.name for parameter in action.parameters]
    if len(differing) != 1 or not set(differing[0]) <= set(names):
        return None
    for atom, positive in action.precondition:
        if positive and atom.terms == differing[0] and atom.predicate not in domain.fluents:
            if atom.predicate not in domain.predicate_index:
                continue  # an equality
            start, end = map(names.index, differing[0])
            return Move(atom.predicate, start, end)
    return None


def extended(
    lesson: Lesson, features: Features, unsettled: Collection[Atom], types: dict[str, str]
) -> Lesson:
    """What a plan says about a missed action, in the larger language.

    Whether the objects of the action and of the goal are settled is said of each; `unsettled` are
    the atoms that are true before the action. Edges that later pure moves follow are left out: the
    way need not be the same. If the action itself is one, the next stop is to lie on a shortest way
    to the end of its chain of moves. That end is a variable of its own: where it is the next stop,
    it gets another name, and `types` the type for that.
    """
    goal, required, context = lesson.goal, list(lesson.required), list(lesson.context)
    later = {edge for k in lesson.subsequence[1:] if (edge := _edge(lesson, k, features))}
    context = [literal for literal in context if literal.atom not in later]
    first = lesson.table.steps[lesson.subsequence[0]]
    move = features.moves.get(first.action.name)
    if move is not None:
        start, stop = first.action.objects[move.start], first.action.objects[move.end]
        end = _end_of_chain(lesson, features)
        if end == stop:
            end = f"{stop}-end"
            while end in types:
                end += "-"
            types[end] = types[stop]

            def renamed(atom: Atom) -> Atom:
                return Atom(atom.predicate, tuple(end if t == stop else t for t in atom.terms))

            own = set(first.conditions)
            goal = renamed(goal)
            required = [
                one if one in own else Literal(renamed(one.atom), one.positive) for one in required
            ]
            context = [Literal(renamed(one.atom), one.positive) for one in context]
        required.append(Literal(Atom(NEXT, (move.edges, start, stop, end))))
    constants = {constant.name for constant in features.domain.constants}
    important = dict.fromkeys((*first.action.objects, *lesson.goal.terms))
    for name, accepted in features.unsettled.items():
        for one in important:
            if one not in constants and features.domain.is_a(types[one], accepted):
                atom = Atom(name, (one,))
                required.append(Literal(atom, atom in unsettled))
    return replace(lesson, goal=goal, required=tuple(required), context=tuple(context))


def _edge(lesson: Lesson, step: int, features: Features) -> Atom | None:
    action = lesson.table.steps[step].action
    move = features.moves.get(action.name)
    if move is None:
        return None
    return Atom(move.edges, (action.objects[move.start], action.objects[move.end]))


def _end_of_chain(lesson: Lesson, features: Features) -> str:
    """Where the pure moves that begin with the first step lead, with nothing in between."""
    table = lesson.table
    at = lesson.subsequence[0]
    while True:
        step: Step = table.steps[at]
        move = features.moves[step.action.name]
        end = step.action.objects[move.end]
        (arrived,) = step.adds
        users = [k for k in lesson.subsequence if table.suppliers[k].get(arrived) == at]
        if len(users) != 1 or _edge(lesson, users[0], features) is None:
            return end
        if arrived not in table.steps[users[0]].deletes:
            return end
        at = users[0]
