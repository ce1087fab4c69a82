"""Domains and problems as immutable values.

Names are lower case, as PDDL ignores case. A term is a string: a variable begins with "?", anything
else names a constant or an object. Equality is the predicate "=".
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple, overload

from pg3 import pddl
from pg3.errors import pluralize
from pg3.pddl.formula_names import formula_text, is_formula, negated_text
from pg3.pddl.numbers import (
    FunctionTerm,
    Number,
    NumericEffect,
    comparison_of,
    function_of_value,
    goal_function,
    is_comparison,
    is_value,
    number_of,
    number_text,
    read_comparison,
    value_predicate,
)

OBJECT = "object"
EQUALS = "="


def substitute(terms: Iterable[str], binding: Mapping[str, str]) -> tuple[str, ...]:
    """The terms with each one replaced that the binding has; the others stay."""
    return tuple([binding.get(term, term) for term in terms])


class Atom(NamedTuple):
    """A predicate applied to terms, e.g. `Atom("at", ("?c", "?l"))`."""

    predicate: str
    terms: tuple[str, ...] = ()

    def __str__(self) -> str:
        if is_formula(self.predicate):
            return formula_text(self.predicate, self.terms)
        return f"({' '.join((self.predicate, *self.terms))})"

    def __repr__(self) -> str:
        return str(self)  # states are shown as sets of atoms

    def substitute(self, binding: Mapping[str, str]) -> Atom:
        """The atom with each term replaced that the binding has; the others stay."""
        predicate, terms = self
        # Half the time of Atom(...): problems are made by millions of substitutions.
        return tuple.__new__(Atom, (predicate, tuple([binding.get(t, t) for t in terms])))


def value_atom(function: Atom, value: Number) -> Atom:
    """The fact of a state that a function has a value."""
    name, terms = function
    return Atom(value_predicate(name, len(terms)), (*terms, number_text(value)))


def value_of(fact: Atom) -> tuple[Atom, Number] | None:
    """The function and its value, if a fact is of that kind."""
    if not is_value(fact.predicate):
        return None
    value = number_of(fact.terms[-1])
    assert value is not None
    return Atom(function_of_value(fact.predicate), fact.terms[:-1]), value


class Literal(NamedTuple):
    """An atom or its negation."""

    atom: Atom
    positive: bool = True

    def __str__(self) -> str:
        return str(self.atom) if self.positive else negated_text(str(self.atom))

    def __repr__(self) -> str:
        return str(self)

    @property
    def negated(self) -> Literal:
        """The literal that holds exactly where this one does not."""
        return Literal(self.atom, not self.positive)

    def substitute(self, binding: Mapping[str, str]) -> Literal:
        """The literal with each term replaced that the binding has; the others stay."""
        return Literal(self.atom.substitute(binding), self.positive)


@dataclass(frozen=True, slots=True)
class Type:
    """A type and the types it is declared under; `object` is the root and has no parents."""

    name: str
    parents: tuple[str, ...]


# A declared type: one name, or several for `(either ...)`.
TypeNames = tuple[str, ...]


class Parameter(NamedTuple):
    """A typed variable."""

    name: str
    types: TypeNames = (OBJECT,)


class TypedObject(NamedTuple):
    """A constant or object with its declared type."""

    name: str
    type: str = OBJECT


@dataclass(frozen=True, slots=True)
class Predicate:
    """A declared predicate, or a numeric function used for action costs."""

    name: str
    parameters: tuple[Parameter, ...]

    @property
    def arity(self) -> int:
        """The number of arguments."""
        return len(self.parameters)


@dataclass(frozen=True, slots=True)
class ConditionalEffect:
    """Effects for all objects (of the variables' types) with which the conditions hold.

    `(forall (?x - t) (when condition effects))`: the conditions are about the state before the
    action; either part may be absent. The variables have other names than the action's parameters.
    """

    variables: tuple[Parameter, ...]
    conditions: tuple[Literal, ...]
    effects: tuple[Literal, ...]

    def substitute(self, binding: Mapping[str, str]) -> ConditionalEffect:
        """The effect with objects for the action's parameters."""
        return ConditionalEffect(
            self.variables,
            tuple([literal.substitute(binding) for literal in self.conditions]),
            tuple([literal.substitute(binding) for literal in self.effects]),
        )


@dataclass(frozen=True, slots=True)
class Action:
    """An action schema: Par(a), Pre(a), Add(a), Del(a) of the paper, and what it costs.

    `effects` happen always, `conditional` ones where their conditions hold before the action. What
    is both deleted and added holds afterwards, be it by effects of either kind. `cost` is a number,
    or a function of the parameters whose values the problem's :init gives; None where the action
    does not increase total-cost. `numeric` is what it does to other functions.
    """

    name: str
    parameters: tuple[Parameter, ...]
    precondition: tuple[Literal, ...]
    effects: tuple[Literal, ...]
    cost: int | Atom | None = None
    conditional: tuple[ConditionalEffect, ...] = ()
    numeric: tuple[NumericEffect, ...] = ()

    @property
    def possible_effects(self) -> tuple[Literal, ...]:
        """The effects, conditional ones included."""
        more = (effect for one in self.conditional for effect in one.effects)
        return (*self.effects, *more)

    def ground(self, objects: Iterable[str]) -> Action:
        """The action with these objects for its parameters, as many as it has."""
        binding = {p.name: o for p, o in zip(self.parameters, objects, strict=True)}
        return Action(
            self.name,
            (),
            tuple([literal.substitute(binding) for literal in self.precondition]),
            tuple([literal.substitute(binding) for literal in self.effects]),
            self.cost.substitute(binding) if isinstance(self.cost, Atom) else self.cost,
            tuple([one.substitute(binding) for one in self.conditional]),
            tuple([one.substitute(binding) for one in self.numeric]),
        )


@dataclass(frozen=True, slots=True)
class Clause:
    """One way in which a derived predicate holds: `(:derived (name ?x ...) condition)`.

    It holds of objects for `parameters` if some objects for `variables` satisfy all `conditions`
    and all `goals`; only a policy's definitions have goals. Several clauses of one name are
    alternatives.
    """

    name: str
    parameters: tuple[Parameter, ...]
    variables: tuple[Parameter, ...]
    conditions: tuple[Literal, ...]
    goals: tuple[Literal, ...] = ()


@dataclass(frozen=True)
class Domain:
    """A PDDL domain: the pair of predicates and actions of the paper, with types and constants.

    `axioms` are the clauses of its derived predicates. Their truth in a state follows from the
    other predicates, so neither effects nor initial states mention them.
    """

    name: str
    types: tuple[Type, ...]
    constants: tuple[TypedObject, ...]
    predicates: tuple[Predicate, ...]
    actions: tuple[Action, ...]
    functions: tuple[Predicate, ...] = ()
    requirements: tuple[str, ...] = ()
    axioms: tuple[Clause, ...] = ()

    def __repr__(self) -> str:
        actions = pluralize(len(self.actions), "action")
        return f"<domain {self.name}: {actions}, {pluralize(len(self.declared), 'predicate')}>"

    def __str__(self) -> str:
        return pddl.write_domain(self)

    @cached_property
    def predicate_index(self) -> dict[str, int]:
        """The number of each predicate, in the order of declaration."""
        return {predicate.name: i for i, predicate in enumerate(self.predicates)}

    @cached_property
    def function_index(self) -> dict[str, int]:
        """The number of each function, in the order of declaration."""
        return {function.name: i for i, function in enumerate(self.functions)}

    @cached_property
    def action_index(self) -> dict[str, int]:
        """The number of each action, in the order of declaration."""
        return {action.name: i for i, action in enumerate(self.actions)}

    def action(self, name: str) -> Action:
        """The action schema of that name; KeyError if there is none."""
        return self.actions[self.action_index[name]]

    @cached_property
    def subtypes(self) -> dict[str, frozenset[str]]:
        """For each type its subtypes, itself included."""
        parents = {type_.name: type_.parents for type_ in self.types}
        below: dict[str, set[str]] = {name: set() for name in parents}
        for name in parents:
            pending = [name]
            while pending:
                above = pending.pop()
                if name not in below[above]:
                    below[above].add(name)
                    pending.extend(parents[above])
        return {name: frozenset(names) for name, names in below.items()}

    @cached_property
    def comparisons(self) -> tuple[str, ...]:
        """The predicates that compare numbers: those of actions, axioms and goals."""
        return tuple(p.name for p in self.predicates if is_comparison(p.name))

    def comparison(self, name: str) -> Predicate | None:
        """The predicate of a comparison of this domain's functions, be it one of the above."""
        read = read_comparison(name) if is_comparison(name) else None
        if read is None:
            return None
        types: dict[str, TypeNames] = {}
        for function in read.functions:
            number = self.function_index.get(function.name)
            places = () if number is None else self.functions[number].parameters
            if number is None or len(places) != len(function.terms):
                return None
            for term, place in zip(function.terms, places, strict=True):
                types.setdefault(term, place.types)
        parameters = [Parameter(f"?{place[1:]}", types[place]) for place in read.places]
        return Predicate(name, tuple(parameters))

    @cached_property
    def numeric_functions(self) -> frozenset[str]:
        """The functions that actions change, total-cost apart."""
        return frozenset(e.function.name for action in self.actions for e in action.numeric)

    @cached_property
    def has_numbers(self) -> bool:
        """Whether actions change or compare functions other than total-cost."""
        return bool(self.numeric_functions or self.comparisons)

    @cached_property
    def derived(self) -> frozenset[str]:
        """The predicates that axioms define, and those that compare numbers."""
        return frozenset((*(clause.name for clause in self.axioms), *self.comparisons))

    @property
    def declared(self) -> tuple[Predicate, ...]:
        """The predicates that the user knows: without those that stand for formulas (`adl`)."""
        return tuple(p for p in self.predicates if not is_formula(p.name))

    @property
    def declared_axioms(self) -> tuple[Clause, ...]:
        """The clauses of predicates that the user knows."""
        return tuple(clause for clause in self.axioms if not is_formula(clause.name))

    @cached_property
    def fluents(self) -> frozenset[str]:
        """The predicates that some action changes, and the derived ones; the others are static."""
        changed = {
            effect.atom.predicate for action in self.actions for effect in action.possible_effects
        }
        return self.derived | changed

    def changed_to(self, positive: bool) -> frozenset[str]:
        """The predicates that some action may make true, or false."""
        return frozenset(
            effect.atom.predicate
            for action in self.actions
            for effect in action.possible_effects
            if effect.positive == positive
        )

    @cached_property
    def changing(self) -> frozenset[str]:
        """The fluents without those that are derived from static predicates and numbers alone."""
        found = self.fluents - self.derived
        for name in self.comparisons:
            read = comparison_of(name)
            if any(function.name in self.numeric_functions for function in read.functions):
                found |= {name}
        while True:
            more = {
                clause.name
                for clause in self.axioms
                if any(atom.predicate in found for atom, _ in clause.conditions)
            }
            if more <= found:
                return found
            found |= more

    @property
    def has_costs(self) -> bool:
        """Whether the domain declares total-cost; without it every action costs 1."""
        return any(function.name == "total-cost" for function in self.functions)

    def is_a(self, type_name: str, types: TypeNames) -> bool:
        """Whether an object of the given type may stand where one of `types` is declared."""
        return any(type_name in self.subtypes[name] for name in types)

    def accepts(
        self, atom: Atom, types: Mapping[str, str], fixed: Collection[str] = frozenset()
    ) -> bool:
        """Whether a condition on a predicate may have terms of these types.

        An action's parameter may have a wider type than the predicate's, and so stand for objects
        that the predicate does not take. `fixed` terms are constants, whose own type must fit; a
        variable may also have a subtype that fits. Conditions on anything but a predicate of the
        domain fit.
        """
        number = self.predicate_index.get(atom.predicate)
        if number is None:
            return True
        places = self.predicates[number].parameters
        return all(
            any(
                self.is_a(name, place.types)
                for name in ([types[term]] if term in fixed else self.subtypes[types[term]])
            )
            for term, place in zip(atom.terms, places, strict=True)
        )


def decode_atoms(
    symbols: Sequence[Predicate], names: Sequence[str], codes: bytes | memoryview
) -> Iterator[Atom]:
    """The atoms in a code: for each the number of its symbol, then those of its objects.

    See `Atoms`.
    """
    values = iter(memoryview(codes).cast("i"))
    described = [(symbol.name, range(symbol.arity)) for symbol in symbols]
    for symbol in values:
        name, places = described[symbol]
        # Half the time of Atom(...).
        yield tuple.__new__(Atom, (name, tuple([names[next(values)] for _ in places])))


class Atoms(Sequence[Atom]):
    """An immutable sequence of ground atoms, kept as integers: problems can have millions.

    `codes` holds for each atom the number of its predicate followed by the numbers of its objects,
    as 32-bit integers in the machine's byte order; `names` are the objects in number order.
    """

    __slots__ = ("__dict__", "codes", "domain", "names")

    def __init__(self, domain: Domain, names: tuple[str, ...], codes: bytes) -> None:
        self.domain = domain
        self.names = names
        self.codes = codes

    @classmethod
    def of(cls, domain: Domain, names: tuple[str, ...], atoms: Iterable[Atom]) -> Atoms:
        """The given atoms, in their order, over objects known by name."""
        number = {name: i for i, name in enumerate(names)}
        symbols = domain.predicate_index
        codes: list[int] = []
        for predicate, terms in atoms:
            codes.append(symbols[predicate])
            codes += [number[term] for term in terms]
        return cls(domain, names, array("i", codes).tobytes())

    def over(self, names: tuple[str, ...]) -> Atoms:
        """The same atoms over these objects, which may be others or in another order."""
        if names == self.names:
            return self
        number = {name: i for i, name in enumerate(names)}
        if not all(name in number for name in self.names):
            return Atoms.of(self.domain, names, self)
        new = [number[name] for name in self.names]
        widths = [range(predicate.arity) for predicate in self.domain.predicates]
        values = iter(memoryview(self.codes).cast("i"))
        codes: list[int] = []
        for symbol in values:
            codes.append(symbol)
            codes += [new[next(values)] for _ in widths[symbol]]
        return Atoms(self.domain, names, array("i", codes).tobytes())

    @cached_property
    def _offsets(self) -> list[int]:
        arities = [predicate.arity for predicate in self.domain.predicates]
        codes = memoryview(self.codes).cast("i")
        offsets, at = [], 0
        while at < len(codes):
            offsets.append(at)
            at += 1 + arities[codes[at]]
        return offsets

    @cached_property
    def _number(self) -> int:
        widths = [1 + predicate.arity for predicate in self.domain.predicates]
        codes = memoryview(self.codes).cast("i")
        number = at = 0
        while at < len(codes):
            number += 1
            at += widths[codes[at]]
        return number

    def __len__(self) -> int:
        return self._number

    def _atom(self, at: int) -> Atom:
        rest = memoryview(self.codes)[at * array("i").itemsize :]
        return next(decode_atoms(self.domain.predicates, self.names, rest))

    def of_predicates(self, names: Collection[str]) -> Iterator[Atom]:
        """Those of the atoms that have one of these predicates; the others are not decoded."""
        described = [(p.name, p.name in names, 1 + p.arity) for p in self.domain.predicates]
        values = memoryview(self.codes).cast("i")
        at = 0
        while at < len(values):
            name, is_wanted, width = described[values[at]]
            if is_wanted:
                yield Atom(name, tuple([self.names[o] for o in values[at + 1 : at + width]]))
            at += width

    @overload
    def __getitem__(self, index: int) -> Atom: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Atom, ...]: ...
    def __getitem__(self, index: int | slice) -> Atom | tuple[Atom, ...]:
        if isinstance(index, slice):
            return tuple(self._atom(at) for at in self._offsets[index])
        return self._atom(self._offsets[index])

    def __iter__(self) -> Iterator[Atom]:
        return decode_atoms(self.domain.predicates, self.names, self.codes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Atoms):
            return NotImplemented
        if self.names == other.names and self.domain.predicates == other.domain.predicates:
            return self.codes == other.codes
        return tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<{len(self)} atoms>"


# Conjunctions of ground literals, of which one is to hold.
Disjunction = tuple[tuple[Literal, ...], ...]


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
    ) -> Problem:
        """The problem with some parts replaced; trusted as in `of`."""
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
            disjunctions=self.disjunctions if goal is None else (),
        )

    def same_as(self, other: Problem) -> bool:
        """Whether both are copies of one problem: only names and order of the lists may differ."""
        return self.content == other.content


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
