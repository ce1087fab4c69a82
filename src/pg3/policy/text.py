"""The text format of policies, in and out; docs/policy-format.md is its specification."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.errors import PolicyError, did_you_mean
from pg3.pddl.lexer import Cursor, text_source
from pg3.pddl.model import OBJECT, Atom, Literal, Parameter
from pg3.policy.checks import first_fault
from pg3.policy.layout import Places, lay_out
from pg3.policy.model import DecisionList, Rule

if TYPE_CHECKING:
    from pg3.errors import Source, Span
    from pg3.pddl.model import Domain, TypeNames
    from pg3.policy.layout import Place

_SECTIONS = (":parameters", ":preconditions", ":goals", ":action")

_NESTED = (
    "expected one '(and ...)' around conditions of the form '(NAME ...)' or '(not (NAME ...))'"
)

# What PDDL itself would allow in a condition, and a rule does not.
_UNSUPPORTED = {
    "or": "write one rule for each alternative",
    "imply": "write one rule for each alternative",
    "exists": "every parameter of a rule is existential already",
    "forall": "a rule speaks of its own parameters only",
    "when": "a rule's conditions are literals",
}


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
    return _Reader(source, domain).policy()


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
        cursor.take_open("'(define (policy ...'")
        if cursor.word != "define":
            raise cursor.unexpected("'define'")
        cursor.take()
        cursor.take_open("'(policy NAME)'")
        if cursor.word in ("domain", "problem"):
            raise cursor.fail(
                f"this is a PDDL {cursor.word}, not a policy", hint="expected 'policy'"
            )
        if cursor.word != "policy":
            raise cursor.unexpected("'policy'")
        cursor.take()
        self.note(("name",), cursor.span())
        name = cursor.take_word("the policy's name")
        cursor.take_close()
        rules: list[Rule] = []
        has_domain = False
        while not cursor.is_close:
            if cursor.head == ":domain":
                if has_domain:
                    raise cursor.fail("a second (:domain ...)", cursor.at + 1)
                if rules:
                    raise cursor.fail(
                        "(:domain ...) after a rule", cursor.at + 1, "expected it before the rules"
                    )
                has_domain = True
                self.domain_section()
            elif cursor.head == ":rule":
                rules.append(self.rule(("rules", len(rules))))
            elif cursor.head:
                raise cursor.fail(
                    f"unknown section '{cursor.head}'",
                    cursor.at + 1,
                    did_you_mean(cursor.head, (":rule", ":domain")) or "expected '(:rule ...'",
                )
            else:
                raise cursor.unexpected("'(:rule ...' or ')'")
        cursor.take_close()
        policy = DecisionList(name, tuple(rules))
        fault = first_fault(policy, self.domain)
        if fault is not None:
            raise PolicyError(fault.message, self.places.span(fault.place), fault.hint)
        cursor.finish()
        return policy

    def domain_section(self) -> None:
        cursor = self.cursor
        cursor.at += 2
        at = cursor.at
        name = cursor.take_word("the domain's name")
        if name != self.domain.name:
            raise cursor.fail(
                f"this policy is for domain '{name}', not for '{self.domain.name}'",
                at,
                "give the policy's own domain, or correct its (:domain ...)",
            )
        cursor.take_close()

    def rule(self, place: Place) -> Rule:
        cursor = self.cursor
        opening = cursor.at
        self.note(place, cursor.span(opening, opening + 1))
        cursor.at += 2
        if cursor.word.startswith(":"):
            raise cursor.fail("this rule has no name", opening + 1, "expected '(:rule NAME ...'")
        self.note((*place, "name"), cursor.span())
        name = cursor.take_word("the rule's name")
        sections: set[str] = set()
        parameters: tuple[Parameter, ...] = ()
        conditions: dict[str, tuple[Literal, ...]] = {}
        action: Atom | None = None
        while not cursor.is_close:
            keyword = self.section_keyword(sections)
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
                f"rule '{name}' has no :action",
                self.places.span((*place, "name")),
                "expected ':action (NAME ...)'",
            )
        return Rule(
            name,
            parameters,
            conditions.get(":preconditions", ()),
            conditions.get(":goals", ()),
            *action,
        )

    def section_keyword(self, seen: set[str]) -> str:
        """Step over the keyword that opens a section of a rule and has not been seen before."""
        cursor = self.cursor
        keyword = cursor.word
        if keyword in seen:
            raise cursor.fail(
                f"a second {keyword} in one rule",
                hint="expected each section at most once; 'and' joins conditions",
            )
        if keyword not in _SECTIONS:
            hint = did_you_mean(keyword, _SECTIONS) or f"expected one of: {', '.join(_SECTIONS)}"
            what = "unknown section" if keyword.startswith(":") else "unexpected"
            raise cursor.fail(f"{what} '{keyword}'", hint=hint)
        seen.add(keyword)
        cursor.take()
        return keyword

    # -- parameters -------------------------------------------------------------------------------

    def parameters(self, place: Place) -> tuple[Parameter, ...]:
        cursor = self.cursor
        cursor.take_open("'(' and the parameters")
        parameters: list[Parameter] = []
        names: list[str] = []
        while not cursor.is_close:
            if cursor.word == "-":
                if not names:
                    raise cursor.fail("a type without a variable", hint="expected '?name - type'")
                cursor.take()
                first = len(parameters)
                types = self.types([(*place, first + i, "types") for i in range(len(names))])
                parameters += [Parameter(name, types) for name in names]
                names = []
                continue
            self.note((*place, len(parameters) + len(names), "name"), cursor.span())
            names.append(cursor.take_word("a variable, such as '?x', or ')'"))
        cursor.take_close()
        return (*parameters, *(Parameter(name, (OBJECT,)) for name in names))

    def types(self, places: list[Place]) -> TypeNames:
        cursor = self.cursor
        if not cursor.is_open:
            for place in places:
                self.note((*place, 0), cursor.span())
            return (cursor.take_word("a type or '(either ...'"),)
        if cursor.head != "either":
            cursor.at += 1
            raise cursor.unexpected("'either'")
        cursor.at += 2
        types: list[str] = []
        while not cursor.is_close or not types:
            for place in places:
                self.note((*place, len(types)), cursor.span())
            types.append(cursor.take_word("a type"))
        cursor.take_close()
        return tuple(types)

    # -- conditions and actions -------------------------------------------------------------------

    def conjunction(self, place: Place) -> tuple[Literal, ...]:
        """Literals from `(and ...)`, one literal, or `()`."""
        cursor = self.cursor
        if cursor.is_open and cursor.word_at(cursor.at + 1) == ")":
            cursor.at += 2
            return ()
        if cursor.head != "and":
            return (self.literal((*place, 0)),)
        cursor.at += 2
        literals: list[Literal] = []
        while not cursor.is_close:
            literals.append(self.literal((*place, len(literals))))
        cursor.take_close()
        return tuple(literals)

    def literal(self, place: Place) -> Literal:
        cursor = self.cursor
        self.note(place, cursor.whole())
        if cursor.head != "not":
            return Literal(self.atom((*place, "predicate"), (*place, "terms"), "a condition"))
        cursor.at += 2
        if cursor.head == "not":
            raise cursor.fail(
                "'not' inside 'not'", cursor.at + 1, "expected '(not (PREDICATE ...))'"
            )
        atom = self.atom((*place, "predicate"), (*place, "terms"), "a condition")
        cursor.take_close("')': 'not' takes one condition")
        return Literal(atom, positive=False)

    def action(self, place: Place) -> Atom:
        self.note(place, self.cursor.whole())
        return self.atom((*place, "name"), (*place, "arguments"), "an action")

    def atom(self, name_place: Place, terms_place: Place, what: str) -> Atom:
        """`(NAME TERM ...)`, of which `what` says what it is."""
        cursor = self.cursor
        name_at = cursor.at + 1
        cursor.take_open(f"{what}, such as '(NAME ?x)'")
        self.note(name_place, cursor.span())
        name = cursor.take_word(f"the name of {what}")
        if name in ("and", "not"):
            raise cursor.fail(f"unexpected '{name}'", name_at, _NESTED)
        if name in _UNSUPPORTED and name not in self.domain.predicate_index:
            raise cursor.fail(f"not supported: '{name}' in a rule", name_at, _UNSUPPORTED[name])
        terms: list[str] = []
        while not cursor.is_close:
            self.note((*terms_place, len(terms)), cursor.span())
            terms.append(cursor.take_word("a variable, a constant or ')'"))
        cursor.take_close()
        return Atom(name, tuple(terms))
