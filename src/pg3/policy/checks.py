"""What makes a policy well formed for a domain: names, arities, types, sensible conditions.

One set of checks serves policies from text, from JSON and from Python; see `layout` for how a
fault's place becomes a position.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pg3.errors import PolicyError, did_you_mean, pluralize
from pg3.pddl.model import EQUALS, Atom, Predicate
from pg3.pddl.negative_goals import unwanted_predicate
from pg3.pddl.numbers import is_comparison
from pg3.pddl.reading.typed_lists import MOST_PARAMETERS, signature, type_choice, type_text
from pg3.policy.canonical import canonical_literal
from pg3.policy.derived import (
    GOAL,
    GRAPH_ARITIES,
    REACH,
    dependencies,
    derived_predicates,
    is_anything,
    is_graph,
    stratify_definitions,
)
from pg3.policy.layout import lay_out_with_places

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from pg3.pddl.model import Domain, Literal, Parameter, TypeNames
    from pg3.policy.layout import Place, Places
    from pg3.policy.model import Clause, DecisionList, Rule

# What the text format reads back as one name: lower case, nothing that ends a word.
_NAME = re.compile(r"[^\s();?:A-Z\-][^\s();A-Z]*")
_VARIABLE = re.compile(r"\?[^\s();A-Z]+")

# Words of conditions, which no derived predicate may have as its name.
_RESERVED = {EQUALS, GOAL, *GRAPH_ARITIES, "and", "or", "not", "imply", "exists", "forall", "when"}

# A hint lists the declared names if there are no more than this.
_LISTED = 8


class Fault(NamedTuple):
    """A fault of a policy: its place, what is wrong, and a hint."""

    place: Place
    message: str
    hint: str | None = None
    earlier: Place | None = None

    def error(self, places: Places, prefix: str = "") -> PolicyError:
        """The error to raise, given where the parts of the policy stand in a text.

        Without a hint of its own, a fault that repeats something names the line of the first.
        """
        hint = self.hint
        if hint is None and self.earlier is not None:
            line, _ = places.source.locate(places.span(self.earlier).begin)
            hint = f"the first time in line {line}"
        return PolicyError(prefix + self.message, places.span(self.place), hint)


def check_policy(policy: DecisionList, domain: Domain) -> None:
    """Raise PolicyError for the first fault of a policy, e.g. one that was built in Python.

    Policies that come from `read_policy`, `parse_policy` and `policy_from_json` have passed the
    same checks. As there is no file to point at, the message shows the policy as it would print.
    """
    fault = first_fault(policy, domain)
    if fault is not None:
        raise fault.error(lay_out_with_places(policy))


def first_fault(policy: DecisionList, domain: Domain) -> Fault | None:
    """The first fault in the order of the text, or None if the policy is well formed."""
    return next(_policy_faults(policy, domain), None)


def _policy_faults(policy: DecisionList, domain: Domain) -> Iterator[Fault]:
    yield from _name_faults(policy.name, ("name",))
    derived = derived_predicates(policy.definitions)
    yield from _definition_faults(policy.definitions, derived, domain)
    first: dict[str, Place] = {}
    for i, rule in enumerate(policy.rules):
        place = ("rules", i, "name")
        yield from _name_faults(rule.name, place)
        earlier = first.setdefault(rule.name, place)
        if earlier != place:
            yield Fault(place, f"rule '{rule.name}' is declared twice", earlier=earlier)
        yield from _RuleCheck(domain, derived, ("rules", i)).faults(rule)


def _definition_faults(
    definitions: Sequence[Clause], derived: Mapping[str, Predicate], domain: Domain
) -> Iterator[Fault]:
    first: dict[str, int] = {}
    for i, clause in enumerate(definitions):
        place: Place = ("definitions", i)
        yield from _name_faults(clause.name, (*place, "name"))
        if clause.name in domain.predicate_index:
            hint = "give the derived predicate another name"
            message = f"'{clause.name}' is a predicate of domain '{domain.name}'"
            yield Fault((*place, "name"), message, hint)
        if clause.name in _RESERVED:
            message = f"'{clause.name}' is a reserved word"
            yield Fault((*place, "name"), message, "give the derived predicate another name")
        yield from _ClauseCheck(domain, derived, place).faults(clause)
        earlier = definitions[first.setdefault(clause.name, i)]
        if [p.types for p in clause.parameters] != [p.types for p in earlier.parameters]:
            declared = signature(Predicate(clause.name, earlier.parameters))
            yield Fault(
                (*place, "name"),
                f"'{clause.name}' has other parameters than before",
                f"the first time it is {declared}",
            )
    strata = stratify_definitions(definitions, domain)
    stratum_of = {name: stratum for stratum in strata for name in stratum}
    for i, clause in enumerate(definitions):
        for name, k, through in dependencies(clause, derived, domain):
            if through and stratum_of[name] == stratum_of[clause.name]:
                yield Fault(
                    ("definitions", i, "conditions", k),
                    f"derived predicate '{clause.name}' depends on itself through '{through}'",
                    "it may depend on itself only through conditions without 'not', 'reach' "
                    "and 'next'",
                )


def _name_faults(name: str, place: Place) -> Iterator[Fault]:
    if not (_NAME.fullmatch(name) and name.isprintable()):
        yield Fault(
            place,
            f"'{name}' cannot be a name",
            "expected lower-case letters, digits, '-' and '_', beginning with a letter",
        )


class _Check:
    """The checks of variables, conditions and terms, for a rule or a clause."""

    # For hints: where to declare a variable, and where to put a condition that cannot be a goal.
    declaration = ""
    elsewhere = ""

    def __init__(self, domain: Domain, derived: Mapping[str, Predicate], place: Place) -> None:
        self.domain = domain
        self.derived = derived
        self.place = place
        self.constants = {constant.name: constant.type for constant in domain.constants}
        self.variables: dict[str, TypeNames] = {}

    # -- parameters -------------------------------------------------------------------------------

    def parameter_faults(
        self, parameters: Sequence[Parameter], place: Place, first: dict[str, Place]
    ) -> Iterator[Fault]:
        """`first` has the places of the variables declared so far."""
        if len(parameters) > MOST_PARAMETERS:
            yield Fault(
                (*place, MOST_PARAMETERS), f"not supported: more than {MOST_PARAMETERS} parameters"
            )
        for j, (name, types) in enumerate(parameters):
            here = (*place, j)
            if not (_VARIABLE.fullmatch(name) and name.isprintable()):
                hint = "expected a variable such as '?x'"
                yield Fault((*here, "name"), f"'{name}' cannot be a parameter", hint)
            earlier = first.setdefault(name, (*here, "name"))
            if earlier != (*here, "name"):
                message = f"parameter '{name}' is declared twice"
                yield Fault((*here, "name"), message, earlier=earlier)
            if not types:
                yield Fault((*here, "types"), f"parameter '{name}' has no type")
            for k, type_ in enumerate(types):
                if type_ not in self.domain.subtypes:
                    hint = self.suggestion(type_, self.domain.subtypes, "a type")
                    yield Fault((*here, "types", k), f"type '{type_}' is not declared", hint)
            self.variables[name] = types

    # -- conditions -------------------------------------------------------------------------------

    def section_faults(self, section: str, literals: Sequence[Literal]) -> Iterator[Fault]:
        place = (*self.place, section)
        for k, literal in enumerate(literals):
            yield from self.literal_faults(literal, (*place, k), section)
        yield from self.conjunction_faults(literals, place)

    def literal_faults(self, literal: Literal, place: Place, section: str) -> Iterator[Fault]:
        name, terms = literal.atom
        if name == EQUALS:
            yield from self.equality_faults(literal, place, section)
            return
        if is_graph(literal.atom, self.domain):
            yield from self.graph_faults(literal, place, section)
            return
        unwanted = unwanted_predicate(name)
        if unwanted is not None and section != "goals":
            what = "a condition on the goal belongs in :goals"
            yield Fault((*place, "predicate"), what, f"in a definition, {self.elsewhere}")
        predicate = self.predicate(name)
        if predicate is None:
            known = (*self.domain.predicate_index, *self.derived)
            hint = self.suggestion(unwanted or name, known, "a predicate")
            message = f"predicate '{unwanted or name}' is not declared"
            yield Fault((*place, "predicate"), message, hint)
            return
        if section == "goals" and is_comparison(name) and name not in self.domain.predicate_index:
            yield Fault(
                (*place, "predicate"),
                "a goal about a number is written with the goal's own number",
                "as in (>= (f ?x) (goal (f ?x)))",
            )
        if section == "goals" and predicate.name in self.derived:
            yield Fault(
                (*place, "predicate"),
                f"'{predicate.name}' is derived, and a goal speaks of the domain's predicates only",
                self.elsewhere,
            )
        declared = f"it is declared as {signature(predicate)}"
        if len(terms) != predicate.arity:
            yield Fault(place, _wrong_count("predicate", predicate, len(terms)), declared)
        yield from self.term_faults(terms, (*place, "terms"), negated=not literal.positive)
        for t, (term, parameter) in enumerate(zip(terms, predicate.parameters, strict=True)):
            if is_anything(term, self.domain):
                continue
            # As in PDDL: a variable of a wider type is fine, one of a disjoint type a mistake.
            if self.accepted(term).isdisjoint(self.closure(parameter.types)):
                message = self.mismatch(term, f"argument {t + 1} of '{name}'", parameter.types)
                yield Fault((*place, "terms", t), message, declared)

    def equality_faults(self, literal: Literal, place: Place, section: str) -> Iterator[Fault]:
        terms = literal.atom.terms
        if section == "goals":
            hint = f"it compares objects, whatever the goal: {self.elsewhere}"
            yield Fault((*place, "predicate"), "'=' cannot be a goal condition", hint)
        if len(terms) != 2:
            yield Fault(place, f"'=' takes 2 arguments, not {len(terms)}", "as in (= ?x ?y)")
        yield from self.term_faults(terms, (*place, "terms"))
        if terms[0] == terms[1] and not literal.positive:
            yield Fault(place, f"condition {literal} never holds", "a rule with it can never act")

    def graph_faults(self, literal: Literal, place: Place, section: str) -> Iterator[Fault]:
        name, terms = literal.atom
        if section == "goals":
            yield Fault(
                (*place, "predicate"),
                f"'{name}' follows paths in the state, not in the goal",
                self.elsewhere,
            )
        example = "(reach E ?x ?z)" if name == REACH else "(next E ?x ?y ?z)"
        expected = f"as in {example}, with a predicate E of two arguments or more"
        if not terms:
            yield Fault(place, f"'{name}' takes the name of a predicate first", expected)
        edges = self.predicate(terms[0])
        if edges is None or edges.arity < 2:
            at = (*place, "terms", 0)
            if edges is not None:
                yield Fault(at, _wrong_count("predicate", edges, 2), expected)
            pairs = [
                *(p.name for p in self.domain.predicates if p.arity >= 2),
                *(p.name for p in self.derived.values() if p.arity >= 2),
            ]
            hint = did_you_mean(terms[0], pairs) or expected
            yield Fault(at, f"predicate '{terms[0]}' is not declared", hint)
            return
        *leading, begin, end = (parameter.types for parameter in edges.parameters)
        wanted = [*leading, begin, end] if name == REACH else [*leading, begin, end, end]
        if len(terms) != 1 + len(wanted):
            names = [parameter.name for parameter in edges.parameters[:-2]]
            names += ["?x", "?z"] if name == REACH else ["?x", "?y", "?z"]
            yield Fault(
                place,
                f"'{name}' along '{edges.name}' takes {1 + len(wanted)} arguments, "
                f"not {len(terms)}",
                f"expected {Atom(name, (edges.name, *names))}",
            )
        yield from self.term_faults(("", *terms[1:]), (*place, "terms"))
        for t, (term, types) in enumerate(zip(terms[1:], wanted, strict=True), start=1):
            # A path of no edge ends where it begins, so its end may be of the first type as well.
            fitting = self.closure(types) | (self.closure(begin) if t == len(wanted) else set())
            if self.accepted(term).isdisjoint(fitting):
                message = self.mismatch(term, f"argument {t + 1} of '{name}' here", types)
                hint = f"'{edges.name}' is declared as {signature(edges)}"
                yield Fault((*place, "terms", t), message, hint)

    def predicate(self, name: str) -> Predicate | None:
        """The predicate of that name, the domain's or a derived one."""
        number = self.domain.predicate_index.get(name)
        if number is not None:
            return self.domain.predicates[number]
        if GOAL not in self.domain.predicate_index and (unwanted := unwanted_predicate(name)):
            number = self.domain.predicate_index.get(unwanted)
            return None if number is None else self.domain.predicates[number]
        return self.derived.get(name) or self.domain.comparison(name)

    def conjunction_faults(self, literals: Sequence[Literal], place: Place) -> Iterator[Fault]:
        first: dict[Literal, int] = {}
        for k, literal in enumerate(literals):
            normal = canonical_literal(literal)
            if normal in first:
                earlier = (*place, first[normal])
                yield Fault((*place, k), f"condition {literal} is repeated", earlier=earlier)
            if normal.negated in first:
                contrary = literals[first[normal.negated]]
                message = f"condition {literal} contradicts {contrary}"
                yield Fault((*place, k), message, "a rule with both can never act")
            first.setdefault(normal, k)

    # -- terms ------------------------------------------------------------------------------------

    def term_faults(
        self, terms: Sequence[str], place: Place, *, negated: bool = False
    ) -> Iterator[Fault]:
        """`negated`: whether `_` may stand for any object. An empty term is none."""
        for t, term in enumerate(terms):
            if term in self.variables or term in self.constants or not term:
                continue
            if is_anything(term, self.domain):
                if not negated:
                    hint = f"it means 'no object at all'; here, use a variable: {self.declaration}"
                    yield Fault((*place, t), "'_' stands in negated conditions only", hint)
                continue
            known = [*self.variables, *self.constants]
            if term.startswith("?"):
                hint = did_you_mean(term, known) or self.declaration
                yield Fault((*place, t), f"variable '{term}' is not declared", hint)
            else:
                likely = f"?{term}" if f"?{term}" in self.variables else term
                hint = did_you_mean(likely, known) or f"expected a variable; {self.declaration}"
                yield Fault((*place, t), f"constant '{term}' is not declared", hint)

    def types_of(self, term: str) -> TypeNames:
        return self.variables[term] if term in self.variables else (self.constants[term],)

    def accepted(self, term: str) -> frozenset[str]:
        """The types of the objects that a term can stand for."""
        if term in self.variables:
            return self.closure(self.variables[term])
        return frozenset((self.constants[term],))

    def closure(self, types: TypeNames) -> frozenset[str]:
        return frozenset().union(*(self.domain.subtypes[name] for name in types))

    def suggestion(self, name: str, known: Collection[str], what: str) -> str:
        """A hint for an unknown name: a similar one, all if they are few, or the kind of thing."""
        if near := did_you_mean(name, known):
            return near
        if 0 < len(known) <= _LISTED:
            return f"expected one of: {', '.join(known)}"
        return f"expected {what} of domain '{self.domain.name}'"

    def mismatch(self, term: str, what: str, declared: TypeNames) -> str:
        types = self.types_of(term)
        return (
            f"'{term}' is of type {type_choice(types)}, "
            f"but {what} must be of type {type_choice(declared)}"
        )


class _ClauseCheck(_Check):
    """The checks of one clause of a derived predicate."""

    declaration = "declare it after the predicate's name, or in (exists (?y - type) ...)"
    elsewhere = "write it without 'goal'"

    def faults(self, clause: Clause) -> Iterator[Fault]:
        first: dict[str, Place] = {}
        yield from self.parameter_faults(clause.parameters, (*self.place, "parameters"), first)
        yield from self.parameter_faults(clause.variables, (*self.place, "variables"), first)
        yield from self.section_faults("conditions", clause.conditions)
        yield from self.section_faults("goals", clause.goals)


class _RuleCheck(_Check):
    """The checks of one rule."""

    declaration = "declare it in the rule's :parameters"
    elsewhere = "write it in :preconditions"

    def faults(self, rule: Rule) -> Iterator[Fault]:
        yield from self.parameter_faults(rule.parameters, (*self.place, "parameters"), {})
        yield from self.section_faults("preconditions", rule.preconditions)
        yield from self.section_faults("goals", rule.goals)
        yield from self.action_faults(rule)

    # -- the action -------------------------------------------------------------------------------

    def action_faults(self, rule: Rule) -> Iterator[Fault]:
        name, terms = rule.action, rule.arguments
        place = (*self.place, "action")
        index = self.domain.action_index
        if name not in index:
            hint = self.suggestion(name, index, "an action")
            yield Fault((*place, "name"), f"action '{name}' is not declared", hint)
            return
        action = self.domain.actions[index[name]]
        schema = Predicate(name, action.parameters)
        if len(terms) != schema.arity:
            declared = f"it is declared as {signature(schema)}"
            yield Fault(place, _wrong_count("action", schema, len(terms)), declared)
        yield from self.term_faults(terms, (*place, "arguments"))
        for t, (term, parameter) in enumerate(zip(terms, action.parameters, strict=True)):
            # A wider type than the action's would let the rule choose an action that does not
            # exist; in a condition it merely makes an atom that is never true.
            accepted, wanted = self.accepted(term), self.closure(parameter.types)
            if not accepted <= wanted:
                hint = f"it is declared as {signature(schema)}"
                if not accepted.isdisjoint(wanted):
                    narrower = f"'{term} - {type_text(parameter.types)}'"
                    hint = f"expected {narrower} or a subtype in the rule's :parameters"
                what = f"argument {t + 1} of action '{name}'"
                message = self.mismatch(term, what, parameter.types)
                yield Fault((*place, "arguments", t), message, hint)


def _wrong_count(kind: str, symbol: Predicate, found: int) -> str:
    return f"{kind} '{symbol.name}' takes {pluralize(symbol.arity, 'argument')}, not {found}"
