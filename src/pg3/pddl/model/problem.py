"""Problems: objects, initial state, goal."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

from pg3 import pddl
from pg3.errors import pluralize
from pg3.pddl.formula_names import is_formula, negated_text
from pg3.pddl.model.atoms import Atom, Atoms, Literal, value_atom, value_of
from pg3.pddl.negative_goals import unwanted_name
from pg3.pddl.numbers import (
    FunctionTerm,
    Number,
    comparison_of,
    goal_function,
    is_comparison,
    is_value,
    number_text,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from pg3.pddl.model.domain import Domain, TypedObject

# Conjunctions of ground literals, of which one is to hold.
Disjunction = tuple[tuple[Literal, ...], ...]


def moved_disjunction(disjunction: Disjunction, name_of: Mapping[str, str]) -> Disjunction:
    """The disjunction about other objects."""
    return tuple(tuple(literal.substitute(name_of) for literal in one) for one in disjunction)


def objects_of(disjunction: Disjunction) -> set[str]:
    """The objects that a disjunction is about."""
    return {term for one in disjunction for literal in one for term in literal.atom.terms}


def disjunction_text(disjunction: Disjunction) -> str:
    """The disjunction as PDDL writes it."""
    parts = [
        str(one[0]) if len(one) == 1 else f"(and {' '.join(map(str, one))})" for one in disjunction
    ]
    return f"(or {' '.join(parts)})"


@dataclass(frozen=True)
class Problem:
    """A PDDL problem: objects, initial state and goal of the paper.

    Objects are numbered constants first, then `objects` in the order of the file; that order is
    the order in which rules try them. `goal` holds the atoms that must be true, `negative_goal`
    those that must be false; of each of the `disjunctions` one alternative must hold, too.
    `function_values` are the numbers at the start, and those that goals compare functions with (see
    `goal_function`).
    """

    name: str
    domain: Domain
    objects: tuple[TypedObject, ...]
    init: Atoms
    goal: Atoms
    negative_goal: Atoms
    function_values: dict[Atom, Number] = field(default_factory=dict, hash=False)
    minimizes_cost: bool = False
    disjunctions: tuple[Disjunction, ...] = ()

    def __repr__(self) -> str:
        goals = len(self.goal) + len(self.negative_goal) + len(self.disjunctions)
        return (
            f"<problem {self.name} of {self.domain.name}: "
            f"{pluralize(len(self.all_objects), 'object')}, {pluralize(len(self.init), 'fact')}, "
            f"{pluralize(goals, 'goal')}>"
        )

    def __str__(self) -> str:
        return pddl.write_problem(self)

    @cached_property
    def initial_state(self) -> frozenset[Atom]:
        """All that may change: the facts, and the values of the functions that actions change."""
        numeric = self.domain.numeric_functions
        values = (value_atom(a, v) for a, v in self.function_values.items() if a[0] in numeric)
        return frozenset((*self.init, *values))

    def goal_text(self, goal: Literal) -> str:
        """A goal with the number that it asks for: `(>= (stock a) 5)`."""
        (name, terms), positive = goal
        text = str(goal.atom)
        for function in comparison_of(name).functions if is_comparison(name) else ():
            if function.goal:
                places = comparison_of(name).places
                ground = function.substitute(dict(zip(places, terms, strict=True)))
                number = self.number_at_goal(ground)
                text = text if number is None else text.replace(str(ground), number_text(number))
        return text if positive else negated_text(text)

    def number_at_goal(self, function: FunctionTerm) -> Number | None:
        """The number that a goal compares a function with, by the word of the term."""
        name = goal_function(function.goal, function.name)
        return self.function_values.get(Atom(name, function.terms))

    @cached_property
    def object_names(self) -> tuple[str, ...]:
        """The names of `all_objects`."""
        return self.init.names

    @cached_property
    def all_objects(self) -> tuple[TypedObject, ...]:
        """Constants, then the problem's own objects, in number order."""
        return self.domain.constants + self.objects

    @property
    def numbers(self) -> Hashable:
        """How many objects, facts, goals and values there are: the same for the same content."""
        atoms = (self.init, self.goal, self.negative_goal)
        return len(self.objects), *(len(a.codes) for a in atoms), len(self.function_values)

    @property
    def content(self) -> Hashable:
        """All that distinguishes a problem from others of its domain: copies have the same content.

        The name and the order of the lists in the file do not count.
        """
        return (
            frozenset(self.objects),
            frozenset(self.init),
            frozenset(self.goal),
            frozenset(self.negative_goal),
            frozenset(self.function_values.items()),
            self.minimizes_cost,
            frozenset(self.disjunctions),
        )

    @classmethod
    def of(
        cls,
        name: str,
        domain: Domain,
        objects: Iterable[TypedObject],
        init: Iterable[Atom],
        goal: Iterable[Literal],
        *,
        function_values: Mapping[Atom, Number] | None = None,
    ) -> Problem:
        """A problem from plain Python values, for generators and converters.

        Names are trusted: undeclared ones raise KeyError. Text goes through `read_problem`, which
        checks everything. Values among the atoms of the state go before `function_values`.
        """
        objects = tuple(objects)
        init = tuple(init)
        if values := {a: v for atom in init if (found := value_of(atom)) for a, v in [found]}:
            function_values = {**(function_values or {}), **values}
            init = tuple(atom for atom in init if not is_value(atom.predicate))
        names = tuple(o.name for o in domain.constants + objects)
        goal = tuple(goal)
        if domain.opposites:
            init = _with_opposites(domain, domain.constants + objects, init)

        def atoms(these: Iterable[Atom]) -> Atoms:
            return Atoms.of(domain, names, dict.fromkeys(these))

        return cls(
            name,
            domain,
            objects,
            init=atoms(init),
            goal=atoms(literal.atom for literal in goal if literal.positive),
            negative_goal=atoms(literal.atom for literal in goal if not literal.positive),
            function_values=dict(function_values or {}),
            minimizes_cost=domain.has_costs,
        )

    @property
    def goal_atoms(self) -> tuple[Atom, ...]:
        """What policies can ask about the goal: atoms wanted true, then those wanted false.

        The latter as `negative_goals` names them; predicates without a name are left out.
        """
        unwanted = (
            Atom(unwanted_name(name, len(terms)), terms)
            for name, terms in self.negative_goal
            if not is_formula(name)
        )
        return (*self.goal, *unwanted)

    @property
    def goal_literals(self) -> tuple[Literal, ...]:
        """What must hold at the end: the atoms that must be true, then those that must not."""
        return (
            *(Literal(atom) for atom in self.goal),
            *(Literal(atom, False) for atom in self.negative_goal),
        )

    def replace(
        self,
        *,
        name: str | None = None,
        objects: Iterable[TypedObject] | None = None,
        init: Iterable[Atom] | None = None,
        goal: Iterable[Literal] | None = None,
        function_values: Mapping[Atom, Number] | None = None,
        disjunctions: Iterable[Disjunction] | None = None,
    ) -> Problem:
        """The problem with some parts replaced; trusted as in `of`."""
        if init is None and objects is not None and self.domain.opposites:
            init = self.init
        changed = Problem.of(
            self.name if name is None else name,
            self.domain,
            self.objects if objects is None else objects,
            () if init is None else init,
            () if goal is None else goal,
            function_values=self.function_values if function_values is None else function_values,
        )
        # What stays is not encoded anew: there may be very many facts.
        names = changed.object_names
        return replace(
            changed,
            init=self.init.over(names) if init is None else changed.init,
            goal=self.goal.over(names) if goal is None else changed.goal,
            negative_goal=self.negative_goal.over(names) if goal is None else changed.negative_goal,
            minimizes_cost=self.minimizes_cost,
            disjunctions=self.disjunctions if disjunctions is None else tuple(disjunctions),
        )

    def same_as(self, other: Problem) -> bool:
        """Whether both are copies of one problem: only names and order of the lists may differ."""
        return self.content == other.content


def _with_opposites(
    domain: Domain, objects: Iterable[TypedObject], init: tuple[Atom, ...]
) -> tuple[Atom, ...]:
    """The facts with the opposites that hold: of all atoms of a predicate that are no facts."""
    opposites = dict(domain.opposites)
    facts = dict.fromkeys(atom for atom in init if atom.predicate not in opposites.values())
    more = []
    for name, opposite in opposites.items():
        parameters = domain.predicates[domain.predicate_index[name]].parameters
        choices = ([o.name for o in objects if domain.is_a(o.type, p.types)] for p in parameters)
        more += [Atom(opposite, t) for t in product(*choices) if Atom(name, t) not in facts]
    return (*facts, *more)


def copies_in(problems: Iterable[Problem]) -> dict[int, int]:
    """The problems that are copies of an earlier one: the places of both in the list, from 0."""
    # The contents of large problems take much memory and time, so only problems that are as large
    # as each other are compared.
    of_size: dict[Hashable, list[int]] = {}
    problems = tuple(problems)
    for i, problem in enumerate(problems):
        of_size.setdefault(problem.numbers, []).append(i)
    found = {}
    for places in of_size.values():
        first: dict[Hashable, int] = {}
        for i in places if len(places) > 1 else ():
            earlier = first.setdefault(problems[i].content, i)
            if earlier != i:
                found[i] = earlier
    return dict(sorted(found.items()))
