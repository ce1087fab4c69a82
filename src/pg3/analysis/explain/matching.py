"""Which objects satisfy a rule in a state, and if none do, which come nearest.

Like `policy_action`, but without grounding, so that a step can be explained on a problem of any
size; slow and obvious, as only a few states are asked about.

The *nearest* binding of a rule that does not apply meets the conditions on the goal and those that
say what an object is (types, and positive static conditions on one object). Bindings whose goals
are open come before those whose goals are reached already. Of these bindings it has the fewest
false conditions; of several, its first false condition stands latest in the rule; of these it is
the first in the order in which rules try objects. If no binding meets those conditions, all
conditions count alike. The search is bounded: where it takes too long, further bindings are
accepted, so that one is always found quickly.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pg3.pddl.model import EQUALS, Atom, Literal
from pg3.pddl.negative_goals import unwanted_predicate
from pg3.policy.derived import is_anything, is_graph
from pg3.semantics.datalog import Binding, Condition, satisfied

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from pg3.pddl.model import Problem
    from pg3.policy.model import Rule

# Objects tried in one of the attempts to find the nearest binding: a hundredth of a second.
BUDGET = 5000

# For a parameter: the parameters before it that a condition names, and for each choice of objects
# for these the objects that meet the condition.
_Table = tuple[list[str], dict[tuple[str, ...], list[str]]]


@dataclass(frozen=True, slots=True)
class NearMiss:
    """The nearest binding of a rule that does not apply, and the conditions that it makes false.

    `false` are the ground conditions in the order of the rule. `binding` is None if a parameter has
    no object of its type. `certain` is False if the search was cut short: there may be a binding
    with fewer false conditions. `idle` says that the rule has nothing to do: each of its goals is
    reached already, or the problem has none like it.
    """

    binding: Binding | None
    false: tuple[Condition, ...]
    certain: bool
    idle: bool = False


def goal_of(goal: Atom) -> Literal:
    """The goal of a problem that a condition on the goal asks for."""
    unwanted = unwanted_predicate(goal.predicate)
    return Literal(goal) if unwanted is None else Literal(Atom(unwanted, goal.terms), False)


class RuleMatcher:
    """Matches one rule of a policy in the states of one problem.

    States contain the derived atoms that the rule's conditions are about (see `datalog`).
    """

    def __init__(self, rule: Rule, problem: Problem) -> None:
        self.rule = rule
        self.problem = problem
        self.variables = [parameter.name for parameter in rule.parameters]
        self.conditions = [
            *(Condition(literal, False) for literal in rule.preconditions),
            *(Condition(literal, True) for literal in rule.goals),
        ]
        order = {name: i for i, name in enumerate(self.variables)}
        # A condition can be tested once its last variable is bound.
        self._ready: list[list[Condition]] = [[] for _ in range(len(self.variables) + 1)]
        # That the goals are open; not of one that the rule wants to be reached already.
        self._open: list[list[Condition]] = [[] for _ in range(len(self.variables) + 1)]
        opened = [
            Condition(reached.negated, False)
            for goal in rule.goals
            for reached in [goal_of(goal.atom)]
            if goal.positive
            and reached not in rule.preconditions
            and reached.atom.predicate in problem.domain.predicate_index
            and not any(is_anything(term, problem.domain) for term in goal.atom.terms)
        ]
        for ready, conditions in ((self._ready, self.conditions), (self._open, opened)):
            for condition in conditions:
                places = [order[t] for t in condition.literal.atom.terms if t in order]
                ready[max(places, default=-1) + 1].append(condition)
        fluents = problem.domain.fluents
        # Conditions that the nearest binding must meet; by identity, as state and goal may share a
        # literal.
        self._about = frozenset(
            id(c)
            for c in self.conditions
            if c.of_goal
            or (
                c.literal.positive
                and len(c.literal.atom.terms) == 1
                and c.literal.atom.predicate not in fluents
                and c.literal.atom.predicate in problem.domain.predicate_index
            )
        )

    @cached_property
    def _goal(self) -> frozenset[Atom]:
        return frozenset(self.problem.goal_atoms)

    @cached_property
    def _objects(self) -> list[list[str]]:
        """For each parameter the objects of its type, in their order."""
        domain = self.problem.domain
        return [
            [o.name for o in self.problem.all_objects if domain.is_a(o.type, parameter.types)]
            for parameter in self.rule.parameters
        ]

    @cached_property
    def _typed(self) -> list[frozenset[str]]:
        return [frozenset(names) for names in self._objects]

    @cached_property
    def _number(self) -> dict[str, int]:
        return {o.name: i for i, o in enumerate(self.problem.all_objects)}

    def holds(self, ground: Condition, state: AbstractSet[Atom]) -> bool:
        """Whether a ground condition is met."""
        atoms = self._goal if ground.of_goal else state
        return satisfied(ground.literal, atoms, self.problem.domain)

    def first_match(self, state: AbstractSet[Atom]) -> Binding | None:
        """The binding that the rule acts with, or None if it does not apply: Definition 3."""
        strict = frozenset(map(id, self.conditions))
        return _Search(self, state, self._tables(state), strict, 0, None).first()

    def nearest(self, state: AbstractSet[Atom], budget: int = BUDGET) -> NearMiss:
        """The nearest binding in a state where the rule does not apply."""
        certain = True
        tables = self._tables(state)
        total = len(self.conditions)
        attempts = [(self._about, False), (frozenset[int](), False)]
        if any(self._open):
            least = _Search(self, state, tables, self._about, total, budget, open_only=True)
            if least.first() is not None:
                attempts.insert(0, (self._about, True))
        for about, open_only in attempts:
            for misses in range(1, total + 1):
                for place in reversed(range(total)):
                    if id(self.conditions[place]) in about:
                        continue
                    # All conditions before this place hold, so the first false one stands here or
                    # later.
                    strict = about.union(map(id, self.conditions[:place]))
                    # In the last attempt everything is accepted, so the first binding is found at
                    # once.
                    limit = budget if strict or misses < total else None
                    search = _Search(
                        self, state, tables, strict, misses, limit, open_only=open_only
                    )
                    found = search.first()
                    if found is not None:
                        idle = any(self._open) and not open_only
                        return NearMiss(found, self._false(found, state), certain, idle)
                    certain = certain and not search.cut_short
        return NearMiss(None, (), certain)

    def _tables(self, state: AbstractSet[Atom]) -> dict[int, list[tuple[int, _Table]]]:
        """The objects to try, for each positive condition and each of its parameters."""
        positive = [
            c
            for c in self.conditions
            if c.literal.positive
            and c.literal.atom.predicate != EQUALS
            and not is_graph(c.literal.atom, self.problem.domain)
        ]
        found: dict[tuple[bool, str], list[Atom]] = {
            (c.of_goal, c.literal.atom.predicate): [] for c in positive
        }
        for of_goal, atoms in ((True, self._goal), (False, state)):
            for atom in atoms:
                if (of_goal, atom.predicate) in found:
                    found[of_goal, atom.predicate].append(atom)
        result: dict[int, list[tuple[int, _Table]]] = {}
        for condition in positive:
            pattern = condition.literal.atom
            fitting = found[condition.of_goal, pattern.predicate]
            bindings = [b for atom in fitting if (b := unify(pattern, atom)) is not None]
            ordered = [name for name in self.variables if name in pattern.terms]
            entries = result[id(condition)] = []
            for j, name in enumerate(ordered):
                table: dict[tuple[str, ...], set[str]] = {}
                for binding in bindings:
                    key = tuple(binding[earlier] for earlier in ordered[:j])
                    table.setdefault(key, set()).add(binding[name])
                in_order = {k: sorted(v, key=self._number.__getitem__) for k, v in table.items()}
                entries.append((self.variables.index(name), (ordered[:j], in_order)))
        return result

    def _false(self, binding: Binding, state: AbstractSet[Atom]) -> tuple[Condition, ...]:
        grounded = (condition.ground(binding) for condition in self.conditions)
        return tuple(condition for condition in grounded if not self.holds(condition, state))


class _Search:
    """Bindings in the order of the rule's parameters, with at most `misses` false conditions.

    Those in `strict` (by identity) must hold; where they are positive, they also say which objects
    to try at all. With `open_only` the rule's goals must be open.
    """

    def __init__(
        self,
        matcher: RuleMatcher,
        state: AbstractSet[Atom],
        tables: dict[int, list[tuple[int, _Table]]],
        strict: Collection[int],
        misses: int,
        budget: int | None,
        *,
        open_only: bool = False,
    ) -> None:
        self.matcher = matcher
        self.open_only = open_only
        self.state = state
        self.strict = strict
        self.misses = misses
        self.budget = budget
        self.cut_short = False
        self.binding: Binding = {}
        self._tables: list[list[_Table]] = [[] for _ in matcher.variables]
        for condition, entries in tables.items():
            if condition in strict:
                for place, table in entries:
                    self._tables[place].append(table)

    def first(self) -> Binding | None:
        """The first such binding, or None if there is none or the search was cut short."""
        misses = self._misses(0)
        if misses is None or misses > self.misses:
            return None
        return next(self._extend(0, misses), None)

    def _misses(self, place: int) -> int | None:
        """The number of false conditions ready at a place; None if a strict one is false."""
        found = 0
        for condition in self.matcher._open[place] if self.open_only else ():
            if not self.matcher.holds(condition.ground(self.binding), self.state):
                return None
        for condition in self.matcher._ready[place]:
            if not self.matcher.holds(condition.ground(self.binding), self.state):
                if id(condition) in self.strict:
                    return None
                found += 1
        return found

    def _extend(self, place: int, before: int) -> Iterator[Binding]:
        if place == len(self.matcher.variables):
            yield dict(self.binding)
            return
        name = self.matcher.variables[place]
        for candidate in self._candidates(place):
            if self.budget is not None:
                if self.budget == 0:
                    self.cut_short = True
                    return
                self.budget -= 1
            self.binding[name] = candidate
            misses = self._misses(place + 1)
            if misses is not None and before + misses <= self.misses:
                yield from self._extend(place + 1, before + misses)
        self.binding.pop(name, None)

    def _candidates(self, place: int) -> Sequence[str]:
        typed = self.matcher._objects[place]
        lists = [
            table.get(tuple(self.binding[name] for name in earlier), [])
            for earlier, table in self._tables[place]
        ]
        if not lists:
            return typed
        shortest = min(lists, key=len)
        accepted = self.matcher._typed[place]
        return [name for name in shortest if name in accepted]


def unify(pattern: Atom, atom: Atom) -> Binding | None:
    """What makes the pattern an atom of the same predicate; None if nothing does."""
    binding: Binding = {}
    for term, name in zip(pattern.terms, atom.terms, strict=True):
        if not term.startswith("?"):
            if term != name:
                return None
        elif binding.setdefault(term, name) != name:
            return None
    return binding
