"""The text format of policies, in and out; docs/policy-format.md is its specification."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.errors import PolicyError, did_you_mean
from pg3.pddl.lexer import Cursor, text_source
from pg3.pddl.model import OBJECT, Atom, Literal, Parameter
from pg3.pddl.typed_lists import take_name, variables
from pg3.policy.checks import first_fault
from pg3.policy.layout import Places, lay_out
from pg3.policy.model import DecisionList, Rule

if TYPE_CHECKING:
    from pg3.errors import Source, Span
    from pg3.pddl.model import Domain
    from pg3.policy.layout import Place

_SECTIONS = (":parameters", ":preconditions", ":goals", ":action")

# What PDDL itself allows in conditions and a rule does not, with what to do instead.
_OPERATORS = {
    "or": "write one rule for each alternative",
    "imply": "write one rule for each alternative",
    "exists": "add the variable to the rule's :parameters",
    "forall": "a condition speaks of the rule's :parameters only",
    "when": "a condition is a predicate, or 'not' with a predicate",
}

_JUNCTION = "'and' stands around all conditions only, 'not' around one predicate only"


def parse_policy(text: str | bytes, domain: Domain, name: str = "<policy>") -> DecisionList:
    """The policy in a text, checked against the domain; PolicyError at the first fault.

    `name` is what messages call the text.
    """
    return read_text(text_source(text, name), domain)


def write_policy(policy: DecisionList, domain: Domain | None = None) -> str:
    """The text of a policy; `parse_policy` gives back an equal one, all names included.

    With a domain the text names it, and reading the text for another domain is an error.
    """
    return lay_out(policy, None if domain is None else domain.name)


def read_text(source: Source, domain: Domain) -> DecisionList:
    """The policy in a source in the text format."""
    reader = _Reader(source, domain)
    policy = reader.policy()
    fault = first_fault(policy, domain)
    if fault is not None:
        raise fault.error(reader.places)
    reader.cursor.finish()
    return policy


class _Reader:
    """One pass over the tokens: builds the value and notes where its parts stand."""

    def __init__(self, source: Source, domain: Domain) -> None:
        self.cursor = Cursor(source, PolicyError)
        self.domain = domain
        self.places = Places(source)

    def note(self, place: Place, span: Span) -> None:
        self.places.ranges[place] = span.begin, span.end

    def policy(self) -> DecisionList:
        cursor = self.cursor
        name = self.opening()
        rules: list[Rule] = []
        has_domain = False
        while not cursor.is_close:
            section = cursor.head
            if section == ":rule":
                rules.append(self.rule(("rules", len(rules))))
            elif section == ":domain":
                if has_domain:
                    raise cursor.fail("there are two sections ':domain'", cursor.at + 1)
                has_domain = True
                self.domain_section()
            elif section:
                hint = did_you_mean(section, (":rule", ":domain")) or "expected '(:rule ...'"
                raise cursor.fail(f"there is no section '{section}'", cursor.at + 1, hint)
            else:
                raise cursor.unexpected("'(:rule ...' or ')'")
        cursor.take_close()
        return DecisionList(name, tuple(rules))

    def opening(self) -> str:
        """Step over `(define (policy NAME)`; returns the name."""
        cursor = self.cursor
        cursor.take_open("'(define (policy ...'")
        if cursor.word != "define":
            raise cursor.unexpected("'define'")
        cursor.take()
        cursor.take_open("'(policy NAME)'")
        if cursor.word in ("domain", "problem"):
            raise cursor.fail(f"this is a {cursor.word}, but a policy was expected")
        if cursor.word != "policy":
            raise cursor.unexpected("'policy'")
        cursor.take()
        self.note(("name",), cursor.span())
        name = take_name(cursor, "the policy's name")
        cursor.take_close()
        return name

    def domain_section(self) -> None:
        cursor = self.cursor
        cursor.at += 2
        at = cursor.at
        name = take_name(cursor, "the domain's name")
        if name != self.domain.name:
            raise cursor.fail(
                f"the policy is for domain '{name}', but the domain given is '{self.domain.name}'",
                at,
            )
        cursor.take_close()

    def rule(self, place: Place) -> Rule:
        cursor = self.cursor
        cursor.at += 2
        self.note((*place, "name"), cursor.span())
        name = take_name(cursor, "the rule's name")
        seen: set[str] = set()
        parameters: tuple[Parameter, ...] = ()
        conditions: dict[str, tuple[Literal, ...]] = {}
        action: Atom | None = None
        while not cursor.is_close:
            keyword = self.section_keyword(name, seen)
            part = (*place, keyword[1:])
            if keyword == ":parameters":
                parameters = self.parameters(part)
            elif keyword == ":action":
                action = self.action(part)
            else:
                conditions[keyword] = self.conjunction(part)
        cursor.take_close()
        if action is None:
            raise cursor.fail(
                f"rule '{name}' has no ':action'",
                self.places.span((*place, "name")),
                "expected ':action' and an action of the domain",
            )
        preconditions = conditions.get(":preconditions", ())
        return Rule(name, parameters, preconditions, conditions.get(":goals", ()), *action)

    def section_keyword(self, rule: str, seen: set[str]) -> str:
        """Step over the keyword that opens a section of a rule and has not been seen before."""
        cursor = self.cursor
        keyword = cursor.word
        if keyword in seen:
            raise cursor.fail(f"rule '{rule}' has two '{keyword}'", hint="expected each only once")
        if keyword not in _SECTIONS:
            expected = f"expected one of: {', '.join(_SECTIONS)}"
            if keyword == "(" and cursor.word_at(cursor.at - 1) == ")":
                expected += "; several conditions need '(and ...)' around them"
            if not keyword.startswith(":"):
                raise cursor.fail(f"unexpected '{keyword}'", hint=expected)
            hint = did_you_mean(keyword, _SECTIONS) or expected
            raise cursor.fail(f"a rule has no '{keyword}'", hint=hint)
        seen.add(keyword)
        cursor.take()
        return keyword

    def parameters(self, place: Place) -> tuple[Parameter, ...]:
        cursor = self.cursor
        cursor.take_open("'(' and the parameters")
        entries = variables(cursor)
        cursor.take_close()
        for j, entry in enumerate(entries):
            self.note((*place, j, "name"), cursor.span(entry.at))
            for k, token in enumerate(entry.type_tokens):
                self.note((*place, j, "types", k), cursor.span(token))
        return tuple(
            Parameter(entry.name, tuple(map(cursor.word_at, entry.type_tokens)) or (OBJECT,))
            for entry in entries
        )

    def conjunction(self, place: Place) -> tuple[Literal, ...]:
        """Literals from `(and ...)`, one literal, or `()`."""
        cursor = self.cursor
        if cursor.is_open and cursor.word_at(cursor.at + 1) == ")":
            cursor.at += 2
            return ()
        if cursor.is_open and cursor.word_at(cursor.at + 1) == "(":
            cursor.at += 1
            raise cursor.unexpected("'and' or the name of a predicate")
        if cursor.head != "and":
            return (self.literal((*place, 0)),)
        cursor.at += 2
        literals: list[Literal] = []
        while not cursor.is_close:
            if cursor.word.startswith(":"):
                raise cursor.unexpected("a condition, or the ')' of 'and'")
            literals.append(self.literal((*place, len(literals))))
        cursor.take_close()
        return tuple(literals)

    def literal(self, place: Place) -> Literal:
        cursor = self.cursor
        self.note(place, cursor.whole())
        names = (*place, "predicate"), (*place, "terms")
        if cursor.head != "not":
            return Literal(self.atom(*names, "a predicate"))
        cursor.at += 2
        atom = self.atom(*names, "a predicate")
        cursor.take_close("')', as 'not' takes one predicate")
        return Literal(atom, positive=False)

    def action(self, place: Place) -> Atom:
        self.note(place, self.cursor.whole())
        return self.atom((*place, "name"), (*place, "arguments"), "an action")

    def atom(self, name_place: Place, terms_place: Place, what: str) -> Atom:
        """`(NAME TERM ...)`, of which `what` says what it is."""
        cursor = self.cursor
        if cursor.word in self.domain.predicate_index:
            hint = f"did you mean '({cursor.word} ...)'?"
            raise cursor.fail(f"unexpected '{cursor.word}'", hint=hint)
        cursor.take_open(f"'(' and {what}")
        self.note(name_place, cursor.span())
        name = cursor.word
        if name in _OPERATORS and name not in self.domain.predicate_index:
            raise cursor.fail(f"not supported: '{name}' in a rule", hint=_OPERATORS[name])
        if name in ("and", "not"):
            raise cursor.fail(f"'{name}' cannot stand here", hint=_JUNCTION)
        cursor.take_word(f"the name of {what}")
        terms: list[str] = []
        while not cursor.is_close:
            self.note((*terms_place, len(terms)), cursor.span())
            terms.append(cursor.take_word(f"an argument of '{name}' or ')'"))
        cursor.take_close()
        return Atom(name, tuple(terms))
