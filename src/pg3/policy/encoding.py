"""Rules, actions and axioms as plain integers for the kernel.

Parameters are numbered by position; constants, types, predicates and actions as the domain lists
them. A term is one integer: parameter i is i, constant c is -1 - c.
"""

from __future__ import annotations

from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.model import EQUALS, Atom, Literal
from pg3.pddl.negative_goals import unwanted_predicate
from pg3.pddl.numbers import comparison_of, is_comparison
from pg3.policy.derived import (
    ANYTHING,
    REACH,
    derived_predicates,
    is_anything,
    is_graph,
    stratify_definitions,
)
from pg3.policy.number_encoding import encode_comparison

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pg3 import _native
    from pg3.pddl.model import Action, ConditionalEffect, Domain, Parameter, TypeNames
    from pg3.policy.model import Clause, DecisionList, Rule


class ConditionKind(IntEnum):
    """What a condition is tested against; the goal's atoms are those wanted true, or false."""

    STATE = 0
    GOAL = 1
    EQUALITY = 2
    DERIVED = 3
    UNWANTED = 4


class EncodedLiteral(NamedTuple):
    """A condition: the kind (see `ConditionKind`), the sign, the predicate (-1 for "="), terms.

    Of a derived relation the predicate is its number in the kernel's table.
    """

    kind: int
    positive: bool
    predicate: int
    terms: list[int]


class EncodedRule(NamedTuple):
    """A rule: the action and its arguments, for each parameter the types it accepts, conditions.

    State conditions come first, then goal conditions, each in the order of the rule; equalities
    stand among the state conditions, where they are written.
    """

    action: int
    arguments: list[int]
    parameter_types: list[list[int]]
    literals: list[EncodedLiteral]


class Form(IntEnum):
    """What defines a derived relation: clauses, or the paths of a graph."""

    CLAUSES = 0
    REACH = 1
    NEXT = 2


class Vocabulary:
    """The numbers of the relations in a policy's conditions, in one of the kernel's tables.

    Derived predicates, conditions on paths and negated conditions with `_` are relations of the
    table. Each is added when it is first met; equal ones get the same number, whatever policy they
    come from.
    """

    def __init__(
        self, domain: Domain, table: _native.RuleTable, definitions: Sequence[Clause] = ()
    ) -> None:
        """The definitions must be well formed (see `checks`)."""
        self.domain = domain
        self.definitions = tuple(definitions)
        self._table = table
        self._derived: dict[str, int] = {}
        # How each relation is written: for conditions of which kind, and with which terms.
        self._written: dict[int, tuple[ConditionKind, Callable[[tuple[str, ...]], Atom]]] = {}
        for group in stratify_definitions(self.definitions, domain):
            self._define(group)

    def extended(self, definitions: Sequence[Clause]) -> Vocabulary:
        """The vocabulary with more definitions; it can decode all that this one encoded."""
        found = Vocabulary(self.domain, self._table, (*self.definitions, *definitions))
        found._written = self._written | found._written
        return found

    def encode_rule(self, rule: Rule) -> EncodedRule:
        """The rule as integers. It must be well formed (see `checks`)."""
        numbers = term_numbers(rule.parameters, self.domain)
        return EncodedRule(
            action=self.domain.action_index[rule.action],
            arguments=[numbers[term] for term in rule.arguments],
            parameter_types=_parameter_types(rule.parameters, self.domain),
            literals=self._encode_body(rule.preconditions, rule.goals, numbers),
        )

    def encode_literal(
        self, literal: Literal, kind: ConditionKind, numbers: Mapping[str, int]
    ) -> EncodedLiteral:
        """A condition of a rule or a definition, over terms whose numbers are given."""
        name, terms = literal.atom
        if is_graph(literal.atom, self.domain):
            relation, terms = self._graph(name, terms[0], len(terms) - 1), terms[1:]
        elif any(is_anything(term, self.domain) for term in terms):
            relation, terms = self._projection(literal.atom, kind)
        elif name in self._derived:
            relation = self._derived[name]
        elif name not in self.domain.predicate_index and is_comparison(name):
            relation = self._comparison(name)
        elif unwanted := unwanted_predicate(name):
            wanted = Literal(Atom(unwanted, terms), literal.positive)
            index = self.domain.predicate_index
            return encode_literal(wanted, ConditionKind.UNWANTED, numbers, index)
        else:
            return encode_literal(literal, kind, numbers, self.domain.predicate_index)
        codes = [numbers[term] for term in terms]
        return EncodedLiteral(ConditionKind.DERIVED.value, literal.positive, relation, codes)

    def number(self, atom: Atom) -> int:
        """The number of the relation of a derived atom or a condition on paths."""
        numbers = dict.fromkeys(atom.terms, 0)
        return self.encode_literal(Literal(atom), ConditionKind.STATE, numbers).predicate

    def decode(self, relation: int, terms: tuple[str, ...]) -> tuple[ConditionKind, Atom]:
        """How a condition on a derived relation is written, and whether among the goals."""
        kind, written = self._written[relation]
        return kind, written(terms)

    def _encode_body(
        self, conditions: Iterable[Literal], goals: Iterable[Literal], numbers: Mapping[str, int]
    ) -> list[EncodedLiteral]:
        return [
            self.encode_literal(literal, kind, numbers)
            for kind, literals in ((ConditionKind.STATE, conditions), (ConditionKind.GOAL, goals))
            for literal in literals
        ]

    def _define(self, group: tuple[str, ...]) -> None:
        """Add one stratum of derived predicates to the table."""
        self._derived |= {name: -1 - i for i, name in enumerate(group)}
        predicates = derived_predicates(self.definitions)
        relations = []
        for name in group:
            clauses = [
                self._encode_clause(clause) for clause in self.definitions if clause.name == name
            ]
            relations.append((Form.CLAUSES.value, predicates[name].arity, clauses, 0, -1))
        first = self._table.define(relations)
        for i, name in enumerate(group):
            self._derived[name] = first + i
            self._written[first + i] = (ConditionKind.STATE, partial(Atom, name))

    def _encode_clause(self, clause: Clause) -> tuple[list[list[int]], list[EncodedLiteral]]:
        everything = (*clause.parameters, *clause.variables)
        numbers = term_numbers(everything, self.domain)
        return (
            _parameter_types(everything, self.domain),
            self._encode_body(clause.conditions, clause.goals, numbers),
        )

    def _graph(self, name: str, edges: str, arity: int) -> int:
        form = Form.REACH if name == REACH else Form.NEXT
        kind, predicate = (
            (ConditionKind.DERIVED, self._derived[edges])
            if edges in self._derived
            else (ConditionKind.STATE, self.domain.predicate_index[edges])
        )
        number = self._table.define([(form.value, arity, (), kind.value, predicate)])
        self._written[number] = (
            ConditionKind.STATE,
            lambda terms: Atom(name, (edges, *terms)),
        )
        return number

    def _comparison(self, name: str) -> int:
        """A comparison that the domain has no predicate for."""
        comparison = comparison_of(name)
        code = encode_comparison(comparison, self.domain)
        number = self._table.compare(len(comparison.places), code)
        self._written[number] = (ConditionKind.STATE, partial(Atom, name))
        return number

    def _projection(self, atom: Atom, kind: ConditionKind) -> tuple[int, tuple[str, ...]]:
        """The relation "some objects at the places of `_`", and the terms that are left."""
        name, terms = atom
        wild = [is_anything(term, self.domain) for term in terms]
        kept = tuple(term for term, is_wild in zip(terms, wild, strict=True) if not is_wild)
        # The places that are kept come first: they are the arguments of the relation.
        places = sorted(range(len(terms)), key=lambda place: wild[place])
        order = [places.index(place) for place in range(len(terms))]
        everything = [list(range(len(self.domain.types)))] * len(terms)
        numbers = {f"?{i}": i for i in range(len(terms))}
        plain = Literal(Atom(name, tuple(f"?{i}" for i in order)))
        clause = (everything, [self.encode_literal(plain, kind, numbers)])
        number = self._table.define([(Form.CLAUSES.value, len(kept), [clause], 0, -1)])

        def written(given: tuple[str, ...]) -> Atom:
            rest = iter(given)
            return Atom(name, tuple(ANYTHING if is_wild else next(rest) for is_wild in wild))

        self._written[number] = (kind, written)
        return number, kept


def encode_policy(
    policy: DecisionList, domain: Domain, table: _native.RuleTable
) -> list[EncodedRule]:
    """The rules as integers, in order; the relations that they derive go into the table.

    The policy must be well formed (see `checks`): an unknown name is a KeyError.
    """
    vocabulary = Vocabulary(domain, table, policy.definitions)
    return [vocabulary.encode_rule(rule) for rule in policy.rules]


def encode_action(action: Action, domain: Domain) -> _native.ActionCode:
    """An action schema as integers."""
    numbers = term_numbers(action.parameters, domain)
    index = domain.predicate_index
    # Without total-cost every action costs 1; with it, one that does not increase it costs 0.
    cost, function, terms = (0 if domain.has_costs else 1), -1, list[int]()
    if isinstance(action.cost, int):
        cost = action.cost
    elif action.cost is not None:
        function = domain.function_index[action.cost.predicate]
        terms = [numbers[term] for term in action.cost.terms]
    return (
        _parameter_types(action.parameters, domain),
        [encode_literal(c, ConditionKind.STATE, numbers, index) for c in action.precondition],
        [encode_literal(e, ConditionKind.STATE, numbers, index) for e in action.effects],
        cost,
        function,
        terms,
        [_encode_effect(action, effect, domain) for effect in action.conditional],
    )


def _encode_effect(
    action: Action, effect: ConditionalEffect, domain: Domain
) -> tuple[list[list[int]], list[EncodedLiteral], list[EncodedLiteral]]:
    numbers = term_numbers((*action.parameters, *effect.variables), domain)
    index = domain.predicate_index
    conditions, effects = (
        [encode_literal(one, ConditionKind.STATE, numbers, index) for one in literals]
        for literals in (effect.conditions, effect.effects)
    )
    return _parameter_types(effect.variables, domain), conditions, effects


def encode_axiom(clause: Clause, domain: Domain) -> _native.AxiomCode:
    """A clause of the domain as integers."""
    everything = (*clause.parameters, *clause.variables)
    numbers = term_numbers(everything, domain)
    index = domain.predicate_index
    return (
        index[clause.name],
        _parameter_types(everything, domain),
        [encode_literal(c, ConditionKind.STATE, numbers, index) for c in clause.conditions],
    )


def encode_literal(
    literal: Literal,
    kind: ConditionKind,
    numbers: Mapping[str, int],
    predicates: Mapping[str, int],
) -> EncodedLiteral:
    """A literal over terms and predicates whose numbers are given; an equality has its own kind."""
    predicate, terms = literal.atom
    codes = [numbers[term] for term in terms]
    if predicate == EQUALS:
        return EncodedLiteral(ConditionKind.EQUALITY.value, literal.positive, -1, codes)
    return EncodedLiteral(kind.value, literal.positive, predicates[predicate], codes)


def accepted_types(types: TypeNames, domain: Domain) -> list[int]:
    """The numbers of all types whose objects may stand for a parameter of the given types."""
    return [i for i, type_ in enumerate(domain.types) if domain.is_a(type_.name, types)]


def _parameter_types(parameters: Iterable[Parameter], domain: Domain) -> list[list[int]]:
    return [accepted_types(parameter.types, domain) for parameter in parameters]


def term_numbers(parameters: Iterable[Parameter], domain: Domain) -> dict[str, int]:
    """The numbers of constants and of an action's or a rule's parameters as terms."""
    constants = {constant.name: -1 - i for i, constant in enumerate(domain.constants)}
    return constants | {parameter.name: i for i, parameter in enumerate(parameters)}
