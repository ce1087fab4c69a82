"""What makes a policy well formed for a domain: names, arities, types, sensible conditions.

One set of checks serves policies from text, from JSON and from Python; see `layout` for how a
fault's place becomes a position.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pg3.errors import PolicyError, did_you_mean
from pg3.pddl.model import EQUALS
from pg3.policy.canonical import canonical_literal
from pg3.policy.layout import lay_out_with_places

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from pg3.pddl.model import Domain, Literal, Parameter, TypeNames
    from pg3.policy.layout import Place
    from pg3.policy.model import DecisionList, Rule

# What the text format reads back as one name: lower case, nothing that ends a word.
_NAME = re.compile(r"[^\s();?:A-Z\-][^\s();A-Z]*")
_VARIABLE = re.compile(r"\?[^\s();A-Z]+")

# A hint lists the declared names if they are no more than this.
_LISTED = 8


class Fault(NamedTuple):
    """Something that is not well formed: where in the policy, what is wrong, what would help."""

    place: Place
    message: str
    hint: str | None = None


def check_policy(policy: DecisionList, domain: Domain) -> None:
    """Raise PolicyError for the first fault of a policy, e.g. one that was built in Python.

    Policies that come from `read_policy`, `parse_policy` and `policy_from_json` have passed the
    same checks. As there is no file to point at, the message shows the policy as it would print.
    """
    fault = first_fault(policy, domain)
    if fault is not None:
        places = lay_out_with_places(policy)
        raise PolicyError(fault.message, places.span(fault.place), fault.hint)


def first_fault(policy: DecisionList, domain: Domain) -> Fault | None:
    """The first fault in the order of the text, or None if the policy is well formed."""
    return next(_policy_faults(policy, domain), None)


def _policy_faults(policy: DecisionList, domain: Domain) -> Iterator[Fault]:
    yield from _name_faults(policy.name, ("name",))
    names: set[str] = set()
    for i, rule in enumerate(policy.rules):
        yield from _name_faults(rule.name, ("rules", i, "name"))
        if rule.name in names:
            yield Fault(
                ("rules", i, "name"),
                f"a second rule is named '{rule.name}'",
                "expected a different name for each rule",
            )
        names.add(rule.name)
        yield from _RuleCheck(rule, domain, ("rules", i)).faults()


def _name_faults(name: str, place: Place) -> Iterator[Fault]:
    if not (_NAME.fullmatch(name) and name.isprintable()):
        yield Fault(
            place,
            f"'{name}' cannot be a name",
            "expected lower-case letters, digits, '-' and '_', beginning with a letter",
        )


class _RuleCheck:
    """The checks of one rule."""

    def __init__(self, rule: Rule, domain: Domain, place: Place) -> None:
        self.rule = rule
        self.domain = domain
        self.place = place
        self.constants = {constant.name: constant.type for constant in domain.constants}
        self.variables = {parameter.name: parameter.types for parameter in rule.parameters}

    def faults(self) -> Iterator[Fault]:
        yield from self.parameter_faults()
        rule = self.rule
        for section, literals in (("preconditions", rule.preconditions), ("goals", rule.goals)):
            place = (*self.place, section)
            for k, literal in enumerate(literals):
                yield from self.literal_faults(literal, (*place, k), section)
            yield from self.conjunction_faults(literals, place)
        yield from self.action_faults()

    # -- parameters -------------------------------------------------------------------------------

    def parameter_faults(self) -> Iterator[Fault]:
        seen: set[str] = set()
        for j, parameter in enumerate(self.rule.parameters):
            place = (*self.place, "parameters", j)
            if not (_VARIABLE.fullmatch(parameter.name) and parameter.name.isprintable()):
                yield Fault(
                    (*place, "name"),
                    f"'{parameter.name}' cannot be a parameter",
                    "expected a name that begins with '?'",
                )
            if parameter.name in seen:
                yield Fault(
                    (*place, "name"), f"parameter '{parameter.name}' is declared a second time"
                )
            seen.add(parameter.name)
            if not parameter.types:
                yield Fault((*place, "types"), f"parameter '{parameter.name}' has no type")
            known = self.domain.subtypes
            for k, name in enumerate(parameter.types):
                if name not in known:
                    yield Fault(
                        (*place, "types", k), f"unknown type '{name}'", _suggestion(name, known)
                    )

    # -- conditions -------------------------------------------------------------------------------

    def literal_faults(self, literal: Literal, place: Place, section: str) -> Iterator[Fault]:
        name, terms = literal.atom
        if name == EQUALS:
            if section != "preconditions":
                yield Fault(
                    (*place, "predicate"),
                    "'=' cannot be a goal condition",
                    "expected it in :preconditions: it compares objects, whatever the goal",
                )
            if len(terms) != 2:
                yield Fault(place, f"'=' compares 2 terms, found {len(terms)}")
            yield from self.term_faults(terms, (*place, "terms"))
            yield from self.equality_faults(literal, place)
            return
        index = self.domain.predicate_index
        if name not in index:
            yield Fault(
                (*place, "predicate"), f"unknown predicate '{name}'", _suggestion(name, index)
            )
            return
        parameters = self.domain.predicates[index[name]].parameters
        if len(terms) != len(parameters):
            yield Fault(place, *_wrong_count("predicate", name, parameters, len(terms)))
        yield from self.term_faults(terms, (*place, "terms"))
        for t, (term, parameter) in enumerate(zip(terms, parameters, strict=True)):
            if self.accepted(term).isdisjoint(self.closure(parameter.types)):
                yield Fault(
                    (*place, "terms", t),
                    f"{self.described(term)}, but argument {t + 1} of '{name}' must be of type "
                    f"{_either(parameter.types)}",
                    _declaration("predicate", name, parameters),
                )

    def equality_faults(self, literal: Literal, place: Place) -> Iterator[Fault]:
        left, right = literal.atom.terms
        if not literal.positive:
            if left == right:
                yield Fault(place, f"condition {literal} never holds", "every object equals itself")
        elif self.accepted(left).isdisjoint(self.accepted(right)):
            yield Fault(
                place,
                f"condition {literal} never holds",
                f"{self.described(left)}, {self.described(right)}",
            )
        elif left != right and left in self.constants and right in self.constants:
            yield Fault(
                place, f"condition {literal} never holds", "these are two different constants"
            )

    def conjunction_faults(self, literals: Sequence[Literal], place: Place) -> Iterator[Fault]:
        seen: set[Literal] = set()
        for k, literal in enumerate(literals):
            normal = canonical_literal(literal)
            if normal in seen:
                yield Fault(
                    (*place, k),
                    f"condition {literal} is repeated",
                    "delete one of the two",
                )
            if normal.negated in seen:
                yield Fault(
                    (*place, k),
                    f"condition {literal} contradicts {normal.negated}",
                    "a rule with both can never act",
                )
            seen.add(normal)

    # -- the action -------------------------------------------------------------------------------

    def action_faults(self) -> Iterator[Fault]:
        name, terms = self.rule.action, self.rule.arguments
        place = (*self.place, "action")
        index = self.domain.action_index
        if name not in index:
            yield Fault((*place, "name"), f"unknown action '{name}'", _suggestion(name, index))
            return
        parameters = self.domain.actions[index[name]].parameters
        if len(terms) != len(parameters):
            yield Fault(place, *_wrong_count("action", name, parameters, len(terms)))
        yield from self.term_faults(terms, (*place, "arguments"))
        for t, (term, parameter) in enumerate(zip(terms, parameters, strict=True)):
            # A wider type than the action's would let the rule choose an action that does not
            # exist; in a condition it merely makes an atom that is never true.
            if not self.accepted(term) <= self.closure(parameter.types):
                wanted = _either(parameter.types)
                yield Fault(
                    (*place, "arguments", t),
                    f"{self.described(term)}, but argument {t + 1} of action '{name}' must be of "
                    f"type {wanted}",
                    f"expected '{term} - {wanted}' or a subtype in :parameters"
                    if term in self.variables
                    else _declaration("action", name, parameters),
                )

    # -- terms ------------------------------------------------------------------------------------

    def term_faults(self, terms: Sequence[str], place: Place) -> Iterator[Fault]:
        for t, term in enumerate(terms):
            if term in self.variables or term in self.constants:
                continue
            if term.startswith("?"):
                yield Fault(
                    (*place, t),
                    f"variable '{term}' is not among the rule's :parameters",
                    _suggestion(term, self.variables) or "declare it there with its type",
                )
            else:
                likely = f"?{term}" if f"?{term}" in self.variables else term
                yield Fault(
                    (*place, t),
                    f"'{term}' is no constant of domain '{self.domain.name}'",
                    did_you_mean(likely, [*self.constants, *self.variables])
                    or "expected a variable of :parameters or a constant of the domain",
                )

    def types_of(self, term: str) -> TypeNames:
        return self.variables[term] if term in self.variables else (self.constants[term],)

    def accepted(self, term: str) -> frozenset[str]:
        """The types of the objects that a term can stand for."""
        if term in self.variables:
            return self.closure(self.variables[term])
        return frozenset((self.constants[term],))

    def closure(self, types: TypeNames) -> frozenset[str]:
        return frozenset().union(*(self.domain.subtypes[name] for name in types))

    def described(self, term: str) -> str:
        return f"'{term}' is of type {_either(self.types_of(term))}"


def _suggestion(name: str, known: Collection[str]) -> str | None:
    """What to write instead of an unknown name: one near it, or all if they are few."""
    near = did_you_mean(name, known)
    if near is None and 0 < len(known) <= _LISTED:
        return f"expected one of: {', '.join(known)}"
    return near


def _wrong_count(
    kind: str, name: str, parameters: Sequence[Parameter], found: int
) -> tuple[str, str]:
    plural = "" if len(parameters) == 1 else "s"
    return (
        f"{kind} '{name}' takes {len(parameters)} argument{plural}, found {found}",
        _declaration(kind, name, parameters),
    )


def _declaration(kind: str, name: str, parameters: Sequence[Parameter]) -> str:
    typed = "".join(f" {p.name} - {_either(p.types)}" for p in parameters)
    return f"the domain declares the {kind} ({name}{typed})"


def _either(types: TypeNames) -> str:
    return types[0] if len(types) == 1 else f"(either {' '.join(types)})"
