"""A policy laid out as text for people, with the place of every part.

A *place* is the path to a part of a policy, in the words of the JSON format: ("rules", 2,
"preconditions", 0, "terms", 1). The checks report places, and the reader of a text turns a place
into a span of that text. For a policy that was built in Python this module makes the text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from pg3.errors import Source, Span
from pg3.pddl.formula_names import is_formula
from pg3.pddl.model import OBJECT, Atom, Literal
from pg3.pddl.negative_goals import unwanted_predicate

if TYPE_CHECKING:
    from pg3.pddl.model import Parameter, TypeNames
    from pg3.policy.model import Clause, DecisionList, Rule

Place = tuple[str | int, ...]

# Conditions are laid out in one line up to this column, else one below the other.
_WIDTH = 88


@dataclass(frozen=True, slots=True)
class Places:
    """Where the parts of a policy stand in a source, as byte ranges."""

    source: Source
    ranges: dict[Place, tuple[int, int]] = field(default_factory=dict)

    def span(self, place: Place) -> Span:
        """Where a part stands; if that is not known, the smallest known part that contains it."""
        for length in range(len(place), -1, -1):
            if place[:length] in self.ranges:
                return Span(self.source, *self.ranges[place[:length]])
        return Span(self.source, 0, 0)


def lay_out(policy: DecisionList, domain_name: str | None) -> str:
    """The policy as text, with a (:domain ...) section if the name is given."""
    return _Sheet().policy(policy, domain_name).text()


def lay_out_with_places(policy: DecisionList) -> Places:
    """The policy as text with the place of every part, also for an ill-formed policy."""
    sheet = _Sheet().policy(policy, None)
    return Places(Source(f"<policy {policy.name}>", _bytes(sheet.text())), sheet.ranges)


def _body(clause: Clause, *, with_variables: bool = True) -> str:
    """The condition of a clause in one line, to see how long it is."""
    literals = [str(literal) for literal in clause.conditions]
    for literal in clause.goals:
        asked = literal
        if not unwanted_predicate(literal.atom.predicate):
            asked = Literal(Atom("goal", (str(literal.atom),)), literal.positive)
        literals.append(str(asked))
    body = literals[0] if len(literals) == 1 else f"({' '.join(('and', *literals))})"
    if not (clause.variables and with_variables):
        return body
    names = (f"{name} - {' '.join(types)}" for name, types in clause.variables)
    return f"(exists ({' '.join(names)}) {body})"


def _bytes(text: str) -> bytes:
    # A name that was made in Python may hold what is no character (a lone surrogate).
    return text.encode("utf-8", "replace")


class _Sheet:
    """A text that is written from start to end, and where its parts stand."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.ranges: dict[Place, tuple[int, int]] = {}
        self.length = 0

    def text(self) -> str:
        return "".join(self.pieces)

    def put(self, text: str, place: Place | None = None) -> None:
        self.pieces.append(text)
        begin, self.length = self.length, self.length + len(_bytes(text))
        if place is not None:
            self.ranges[place] = begin, self.length

    def policy(self, policy: DecisionList, domain_name: str | None) -> _Sheet:
        self.put("(define (policy ")
        self.put(policy.name, ("name",))
        self.put(")")
        if domain_name is not None:
            self.put(f"\n  (:domain {domain_name})")
        for i, clause in enumerate(policy.definitions):
            self.put(
                "\n\n  " if i == 0 or clause.name != policy.definitions[i - 1].name else "\n  "
            )
            self.clause(clause, ("definitions", i))
        for i, rule in enumerate(policy.rules):
            self.put("\n\n  ")
            self.rule(rule, ("rules", i))
        self.put(")\n")
        return self

    def rule(self, rule: Rule, place: Place) -> None:
        begin = self.length
        self.put("(:rule ")
        self.put(rule.name, (*place, "name"))
        self.put("\n    :parameters (")
        self.parameters(rule.parameters, (*place, "parameters"))
        self.put(")")
        for section, literals in (
            ("preconditions", rule.preconditions),
            ("goals", rule.goals),
        ):
            if literals:
                self.put(f"\n    :{section} ")
                self.conjunction(literals, (*place, section), indent=4 + len(f":{section} (and "))
        self.put("\n    :action ")
        self.atom(rule.action, rule.arguments, (*place, "action"), ("name", "arguments"))
        self.put(")")
        self.ranges[place] = begin, self.length

    def clause(self, clause: Clause, place: Place) -> None:
        begin = self.length
        self.put("(:derived (")
        self.put(clause.name, (*place, "name"))
        if clause.parameters:
            self.put(" ")
            self.parameters(clause.parameters, (*place, "parameters"))
        self.put(")")
        one_line = 2 + self.length - begin + 1 + len(_body(clause)) <= _WIDTH
        self.put(" " if one_line else "\n    ")
        indent = 2 + self.length - begin if one_line else 4
        if clause.variables:
            self.put("(exists (")
            self.parameters(clause.variables, (*place, "variables"))
            self.put(")")
            wide = indent + len(_body(clause)) > _WIDTH
            self.put("\n" + " " * (indent + 2) if wide else " ")
            indent += 2
        single = len(clause.conditions) + len(clause.goals) == 1
        wide = indent + len(_body(clause, with_variables=False)) > _WIDTH
        self.put("" if single else "(and")
        for section, literals in (("conditions", clause.conditions), ("goals", clause.goals)):
            for k, literal in enumerate(literals):
                first = (section == "conditions" and k == 0) or (not clause.conditions and k == 0)
                if not single:
                    self.put(" " if first or not wide else "\n" + " " * (indent + len("(and ")))
                self.body_literal(literal, (*place, section, k), section == "goals")
        self.put("" if single else ")")
        self.put(")" if clause.variables else "")
        self.put(")")
        self.ranges[place] = begin, self.length

    def body_literal(self, literal: Literal, place: Place, of_goal: bool) -> None:
        if not of_goal or unwanted_predicate(literal.atom.predicate):
            self.literal(literal, place)
            return
        begin = self.length
        self.put("(goal " if literal.positive else "(not (goal ")
        self.atom(*literal.atom, place, ("predicate", "terms"))
        self.put(")" if literal.positive else "))")
        self.ranges[place] = begin, self.length

    def parameters(self, parameters: tuple[Parameter, ...], place: Place) -> None:
        untyped = all(parameter.types == (OBJECT,) for parameter in parameters)
        for types, group in groupby(range(len(parameters)), key=lambda i: parameters[i].types):
            members = list(group)
            for i in members:
                self.put(" " if i else "")
                self.put(parameters[i].name, (*place, i, "name"))
            if not untyped:
                self.put(" - ")
                # The types stand once for the group: what is said of any member points there.
                self.types(types, [(*place, i, "types") for i in members])

    def types(self, types: TypeNames, places: list[Place]) -> None:
        single = len(types) == 1
        self.put("" if single else "(either")
        for k, name in enumerate(types):
            self.put("" if single else " ")
            begin = self.length
            self.put(name)
            for place in places:
                self.ranges[*place, k] = begin, self.length
        self.put("" if single else ")")

    def conjunction(self, literals: tuple[Literal, ...], place: Place, indent: int) -> None:
        one_line = indent + sum(len(str(literal)) + 1 for literal in literals) <= _WIDTH
        self.put("(and ")
        for k, literal in enumerate(literals):
            if k:
                self.put(" " if one_line else "\n" + " " * indent)
            self.literal(literal, (*place, k))
        self.put(")")

    def literal(self, literal: Literal, place: Place) -> None:
        begin = self.length
        if is_formula(literal.atom.predicate):
            self.put(str(literal), place)
            self.ranges[*place, "predicate"] = self.ranges[place]
            for t in range(len(literal.atom.terms)):
                self.ranges[*place, "terms", t] = self.ranges[place]
            return
        self.put("" if literal.positive else "(not ")
        self.atom(*literal.atom, place, ("predicate", "terms"))
        self.put("" if literal.positive else ")")
        self.ranges[place] = begin, self.length

    def atom(self, name: str, terms: tuple[str, ...], place: Place, steps: tuple[str, str]) -> None:
        """`(NAME TERM ...)`; the steps lead from its place to those of the name and the terms."""
        begin = self.length
        self.put("(")
        self.put(name, (*place, steps[0]))
        for t, term in enumerate(terms):
            self.put(" ")
            self.put(term, (*place, steps[1], t))
        self.put(")")
        self.ranges[place] = begin, self.length
