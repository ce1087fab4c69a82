"""Windows of a plan: some steps in a row as a problem of their own, which may have a cheaper plan.

A window begins in the state that the steps before it lead to. Its goal is what the steps after it
need, and the goals that they do not see to: any plan for it can take its place.

Its objects are those of its steps, and of the others those nearest to them by facts that never
change, fifty in all: it is a small problem whatever the size of the whole one.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from pg3.pddl.model import Literal
from pg3.planning.elimination import plan_steps
from pg3.semantics.effects import Effects

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from pg3.pddl.model import Atom, Problem
    from pg3.pddl.plans import GroundAction, Plan

# The objects of a window, unless its steps have more.
MOST_OBJECTS = 50

# The neighbours of an object that are looked at: some have thousands.
_MOST_NEIGHBOURS = 50


V = TypeVar("V")


class Window(NamedTuple):
    """Some steps of a plan, and the problem that they solve; `is_all` if it is the whole one."""

    steps: tuple[GroundAction, ...]
    problem: Problem
    is_all: bool


def is_plain(problem: Problem) -> bool:
    """Whether what each action needs and changes are facts that its objects tell."""
    domain = problem.domain
    conditional = any(action.conditional for action in domain.actions)
    return not (domain.derived or problem.disjunctions or conditional or domain.has_numbers)


class Windows:
    """The windows of a problem's plans.

    If the problem is not plain, there is no telling what the later steps need, and any object may
    matter: then windows have all objects, and only those at the end of a plan are known.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._is_plain = is_plain(problem)
        self._numbers = {one.name: i for i, one in enumerate(problem.objects)}
        fluents = problem.domain.fluents
        self._degrees = Counter(term for atom in problem.init for term in atom.terms)
        self._values = _Filed(self._degrees, problem.function_values.items())
        self._neighbours: dict[str, dict[str, None]] = {}
        for atom in problem.init if len(self._numbers) > MOST_OBJECTS else ():
            if atom.predicate not in fluents:
                for term in atom.terms:
                    known = self._neighbours.setdefault(term, {})
                    if len(known) < _MOST_NEIGHBOURS:
                        known.update(dict.fromkeys(atom.terms))

    def sweep(
        self, plan: Plan, length: int, replan: Callable[[Window], Plan | None]
    ) -> tuple[GroundAction, ...]:
        """The plan with windows of a length replanned, from the last to the first.

        Each has half of its steps in common with the one before. Going on to the next takes time
        in proportion to the length: steps are undone in the state, and regressed in the goal.
        """
        before = list(plan)  # the steps up to the end of the next window
        after: list[GroundAction] = []  # the others, the last one first
        if not self._is_plain:
            begin = max(0, len(before) - length)
            window = Window(tuple(before[begin:]), self._suffix(before[:begin]), begin == 0)
            return (*before[:begin], *(replan(window) or window.steps))
        state = _Filed(self._degrees, ((atom, True) for atom in self._problem.init))
        needed = _Filed(self._degrees, self._problem.goal_literals)
        changes = [_change(state, step.sets) for step in plan_steps(self._problem, before)]
        while before:
            begin = max(0, len(before) - length)
            while len(changes) > begin:
                _change(state, changes.pop())
            steps = tuple(before[begin:])
            whole = begin == 0 and not after
            window = self._window(steps, state, needed, whole)
            steps = tuple(replan(window) or steps)
            # Cheaper steps may be more of them, and the sweep must come to an end.
            keep = 0 if begin == 0 else min(len(steps), length) // 2
            for step in reversed(plan_steps(self._problem, steps[keep:])):
                for atom in step.sets:
                    needed.pop(atom)
                for atom, truth in step.needs.items():
                    needed[atom] = truth
                after.append(step.action)
            before[begin:] = steps[:keep]
            kept = plan_steps(self._problem, steps[:keep])
            changes += [_change(state, step.sets) for step in kept]
        return tuple(reversed(after))

    def _suffix(self, prefix: Plan) -> Problem:
        effects = Effects(self._problem)
        state = set(self._problem.initial_state)
        for action in prefix:
            adds, deletes = effects.changes(action, state)
            state = (state - deletes) | adds
        return self._problem.replace(init=sorted(state))

    def _window(
        self, steps: Plan, state: _Filed[bool], needed: _Filed[bool], whole: bool
    ) -> Window:
        objects = self._objects(steps)
        among = dict.fromkeys((*(one.name for one in self._problem.domain.constants), *objects))
        all_objects = self._problem.objects
        problem = self._problem.replace(
            objects=[
                all_objects[number] for number in sorted(map(self._numbers.__getitem__, objects))
            ],
            init=[atom for atom, _ in state.within(among)],
            goal=[Literal(atom, truth) for atom, truth in needed.within(among)],
            function_values=dict(self._values.within(among)),
        )
        return Window(tuple(steps), problem, whole and len(objects) == len(all_objects))

    def _objects(self, steps: Plan) -> Collection[str]:
        """The problem's own objects in a window."""
        if len(self._numbers) <= MOST_OBJECTS:
            return self._numbers
        found = {name: None for step in steps for name in step.objects if name in self._numbers}
        ring = list(found)
        while ring and len(found) < MOST_OBJECTS:
            near = dict.fromkeys(
                name
                for one in ring
                for name in self._neighbours.get(one, ())
                if name in self._numbers and name not in found
            )
            ring = list(islice(near, MOST_OBJECTS - len(found)))
            found.update(dict.fromkeys(ring))
        return found


class _Filed(Generic[V]):
    """Values of facts, indexed by the object of each fact that the fewest facts are about.

    So the facts about some objects are found without going through all facts about, say, a depot.
    """

    def __init__(self, degrees: Counter[str], values: Iterable[tuple[Atom, V]]) -> None:
        self._degrees = degrees
        self._buckets: dict[str, dict[Atom, V]] = {}
        for atom, value in values:
            self[atom] = value

    def _bucket(self, atom: Atom) -> dict[Atom, V]:
        terms = atom.terms
        name = min(terms, key=self._degrees.__getitem__) if terms else ""
        return self._buckets.setdefault(name, {})

    def __setitem__(self, atom: Atom, value: V) -> None:
        self._bucket(atom)[atom] = value

    def pop(self, atom: Atom) -> V | None:
        return self._bucket(atom).pop(atom, None)

    def within(self, objects: Collection[str]) -> Iterator[tuple[Atom, V]]:
        """Those about no other objects than these."""
        for name in ("", *objects):
            for atom, value in self._buckets.get(name, {}).items():
                if all(term in objects for term in atom.terms):
                    yield atom, value


def _change(state: _Filed[bool], truths: Mapping[Atom, bool]) -> dict[Atom, bool]:
    """Give facts of a state this truth; what undoes it. A state has the true ones only."""
    undo = {}
    for atom, truth in truths.items():
        if (state.pop(atom) is not None) != truth:
            undo[atom] = not truth
        if truth:
            state[atom] = True
    return undo
