"""Domains: types, predicates, actions, axioms."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pg3 import pddl
from pg3.errors import pluralize
from pg3.pddl.formula_names import is_formula
from pg3.pddl.model.atoms import Atom, Literal
from pg3.pddl.numbers import NumericEffect, comparison_of, is_comparison, read_comparison
from pg3.pddl.phrases import Phrases

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

OBJECT = "object"


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
    other predicates, so neither effects nor initial states mention them. `phrases` say how
    predicates and actions read to people; domains are equal whatever these are. `opposites` are
    pairs of predicates, the second of which actions keep true exactly where the first is false:
    learners add them (see `complements`), no file has them.
    """

    name: str
    types: tuple[Type, ...]
    constants: tuple[TypedObject, ...]
    predicates: tuple[Predicate, ...]
    actions: tuple[Action, ...]
    functions: tuple[Predicate, ...] = ()
    requirements: tuple[str, ...] = ()
    axioms: tuple[Clause, ...] = ()
    phrases: Phrases = field(default_factory=Phrases, compare=False)
    opposites: tuple[tuple[str, str], ...] = ()

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
