"""The text format of policies, in and out; docs/reference/policy-format.md is its specification."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.errors import PolicyError, did_you_mean
from pg3.pddl.formula_names import is_formula, negated_text, pattern_of, terms_of
from pg3.pddl.formulas import free_variables
from pg3.pddl.lexer import Cursor, text_source
from pg3.pddl.model import EQUALS, OBJECT, Atom, Literal, Parameter
from pg3.pddl.negative_goals import unwanted_name
from pg3.pddl.numbers import COMPARISONS
from pg3.pddl.reading.conditions import Conditions
from pg3.pddl.reading.typed_lists import take_name, variables
from pg3.policy.checks import first_fault
from pg3.policy.derived import GOAL, GRAPH_ARITIES
from pg3.policy.layout import Places, lay_out
from pg3.policy.model import Clause, DecisionList, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pg3.errors import Source, Span
    from pg3.pddl.formulas import Formula
    from pg3.pddl.model import Domain, TypeNames
    from pg3.policy.layout import Place

_FILE_SECTIONS = (":rule", ":derived", ":domain")

_SECTIONS = (":parameters", ":preconditions", ":goals", ":action")

# What PDDL itself allows in conditions and a rule does not, with what to do instead.
_OPERATORS = {
    "or": "write one rule for each alternative",
    "imply": "write one rule for each alternative",
    "exists": "add the variable to the rule's :parameters",
    "forall": "a condition speaks of the rule's :parameters only",
    "when": "a condition is a predicate, or 'not' with a predicate",
}

_CLAUSE_OPERATORS = {
    "or": "write one (:derived ...) for each alternative",
    "imply": "write one (:derived ...) for each alternative",
    "exists": "it stands around the whole condition only: (exists (?y - type) (and ...))",
    "forall": "define the opposite, and use it with 'not'",
    "when": "a condition is a predicate, or 'not' with a predicate",
}

# What begins a condition that is no predicate.
_COMPOUND = ("and", "or", "imply", "exists", "forall")

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
        # The predicates that stand for formulas, by how these are written.
        self.formulas = {
            pattern_of(p.name, ()): p.name for p in domain.predicates if is_formula(p.name)
        }

    def note(self, place: Place, span: Span) -> None:
        self.places.ranges[place] = span.begin, span.end

    def policy(self) -> DecisionList:
        cursor = self.cursor
        name = self.opening()
        rules: list[Rule] = []
        clauses: list[Clause] = []
        has_domain = False
        while not cursor.is_close:
            section = cursor.head
            if section == ":rule":
                rules.append(self.rule(("rules", len(rules))))
            elif section == ":derived":
                clauses.append(self.clause(("definitions", len(clauses))))
            elif section == ":domain":
                if has_domain:
                    raise cursor.fail("there are two sections ':domain'", cursor.at + 1)
                has_domain = True
                self.domain_section()
            elif section:
                hint = did_you_mean(section, _FILE_SECTIONS) or "expected '(:rule ...'"
                raise cursor.fail(f"there is no section '{section}'", cursor.at + 1, hint)
            else:
                raise cursor.unexpected("'(:rule ...' or ')'")
        cursor.take_close()
        return DecisionList(name, tuple(rules), tuple(clauses), self.domain)

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

    def clause(self, place: Place) -> Clause:
        """`(:derived (NAME TYPED ...) CONDITION)`; the condition may begin with `exists`."""
        cursor = self.cursor
        cursor.at += 2
        self.note(place, cursor.span(cursor.at - 1))
        cursor.take_open("'(' and the name of the derived predicate")
        self.note((*place, "name"), cursor.span())
        name = take_name(cursor, "the derived predicate's name")
        parameters = self.typed_variables((*place, "parameters"))
        cursor.take_close()
        if cursor.is_close:
            raise cursor.fail(f"derived predicate '{name}' has no condition")
        quantified = cursor.head == "exists" and "exists" not in self.domain.predicate_index
        extra: tuple[Parameter, ...] = ()
        if quantified:
            cursor.at += 2
            cursor.take_open("'(' and the variables")
            extra = self.typed_variables((*place, "variables"))
            cursor.take_close()
        conditions: list[Literal] = []
        goals: list[Literal] = []
        if cursor.is_open and cursor.word_at(cursor.at + 1) == ")":
            cursor.at += 2
        elif cursor.head == "and":
            cursor.at += 2
            while not cursor.is_close:
                self.body_literal(place, conditions, goals)
            cursor.take_close()
        else:
            self.body_literal(place, conditions, goals)
        if quantified:
            cursor.take_close()
        cursor.take_close("')', as several conditions need '(and ...)' around them")
        return Clause(name, parameters, extra, tuple(conditions), tuple(goals))

    def body_literal(self, place: Place, conditions: list[Literal], goals: list[Literal]) -> None:
        """Read a condition of a clause and add it to the goals if it is `(goal ...)`."""
        cursor = self.cursor
        is_negated = cursor.head == "not"
        if is_negated:
            cursor.at += 2
        of_goal = cursor.head == GOAL and GOAL not in self.domain.predicate_index
        if is_negated:
            cursor.at -= 2
        if not of_goal:
            conditions.append(self.literal((*place, "conditions", len(conditions))))
            return
        part = (*place, "goals", len(goals))
        if self.is_unwanted():
            goals.append(self.unwanted(part))
            return
        self.note(part, cursor.whole())
        cursor.at += 4 if is_negated else 2
        atom = self.atom((*part, "predicate"), (*part, "terms"))
        cursor.take_close("')', as 'goal' takes one predicate")
        if is_negated:
            cursor.take_close("')', as 'not' takes one predicate")
        goals.append(Literal(atom, not is_negated))

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
        self.cursor.take_open("'(' and the parameters")
        parameters = self.typed_variables(place)
        self.cursor.take_close()
        return parameters

    def typed_variables(self, place: Place) -> tuple[Parameter, ...]:
        cursor = self.cursor
        entries = variables(cursor)
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
        if self.is_formula():
            return self.formula(place)
        if self.is_comparison():
            return self.comparison(place)
        if place[2] == "goals" and self.is_unwanted():
            return self.unwanted(place)
        names = (*place, "predicate"), (*place, "terms")
        if cursor.head != "not":
            return Literal(self.atom(*names))
        cursor.at += 2
        atom = self.atom(*names)
        cursor.take_close("')', as 'not' takes one predicate")
        return Literal(atom, positive=False)

    def is_formula(self) -> bool:
        """Whether a condition comes next that the domain has a predicate without a name for."""
        cursor, at = self.cursor, self.cursor.at
        while cursor.word_at(at) == "(" and cursor.word_at(at + 1) == "not":
            at += 2
        is_compound = cursor.word_at(at) == "(" and cursor.word_at(at + 1) in _COMPOUND
        return is_compound and len(self.domain.declared) < len(self.domain.predicates)

    def formula(self, place: Place) -> Literal:
        """A condition of ADL that stands in one of the domain's actions, with other terms."""
        cursor, at = self.cursor, self.cursor.at
        words = [cursor.word_at(i) for i in range(at, cursor.closing() + 1)]
        terms = {c.name: (c.type,) for c in self.domain.constants}
        terms |= {word: (OBJECT,) for word in words if word.startswith("?")}
        self.note((*place, "predicate"), cursor.whole())
        formula = Conditions(cursor, self.domain, terms, ground=False).formula()
        found = next(self.readings(formula), None)
        if found is None:
            word = cursor.word_at(at + 1)
            raise cursor.fail(
                f"not supported: '{word}' in a rule, unless an action has it, too",
                cursor.whole(at),
                _OPERATORS.get(word, "write it as one of the domain's actions does"),
            )
        for k in range(len(found.atom.terms)):
            self.note((*place, "terms", k), cursor.whole(at))
        return found

    def readings(self, formula: Formula) -> Iterator[Literal]:
        """The literals that are written like a formula, whatever its bound variables are called."""
        free = free_variables(formula)
        both = (str(formula), True), (negated_text(str(formula)), False)
        for text, positive in both:
            if name := self.formulas.get(pattern_of(text, free)):
                yield Literal(Atom(name, free), positive)
        # With a constant, or a variable at several places of the formula that an action has.
        allowed = {*free, *(constant.name for constant in self.domain.constants)}
        for text, positive in both:
            for name in self.formulas.values():
                terms = terms_of(name, text, allowed)
                if terms is not None:
                    yield Literal(Atom(name, terms), positive)

    def is_comparison(self) -> bool:
        """Whether a comparison of numbers comes next, perhaps negated."""
        cursor, at = self.cursor, self.cursor.at
        if cursor.word_at(at) == "(" and cursor.word_at(at + 1) == "not":
            at += 2
        if cursor.word_at(at) != "(" or cursor.word_at(at + 1) not in COMPARISONS:
            return False
        return cursor.word_at(at + 1) != EQUALS or "(" in map(cursor.word_at, (at + 2, at + 3))

    def comparison(self, place: Place) -> Literal:
        """A comparison of numbers; `(goal (f ...))` is the number that a goal asks of a function.

        Which terms it has, is checked later, as of all conditions.
        """
        cursor, at = self.cursor, self.cursor.at
        positive = cursor.head != "not"
        if not positive:
            cursor.at += 2
        self.note((*place, "predicate"), cursor.whole())
        words = [cursor.word_at(i) for i in range(cursor.at, cursor.closing() + 1)]
        terms: dict[str, TypeNames] = {c.name: (c.type,) for c in self.domain.constants}
        terms |= {word: tuple(self.domain.subtypes) for word in words if word.startswith("?")}
        atom = Conditions(cursor, self.domain, terms, ground=False, goals_of_numbers=True).atom()
        if not positive:
            cursor.take_close("')', as 'not' takes one predicate")
        for k in range(len(atom.terms)):
            self.note((*place, "terms", k), cursor.whole(at))
        return Literal(atom, positive)

    def is_unwanted(self) -> bool:
        """Whether `(goal (not ATOM))` comes next, perhaps negated."""
        cursor, at = self.cursor, self.cursor.at
        if cursor.head == "not":
            at += 2
        words = [cursor.word_at(at + i) for i in range(4)]
        return words == ["(", GOAL, "(", "not"] and GOAL not in self.domain.predicate_index

    def unwanted(self, place: Place) -> Literal:
        """A condition that the goal holds `(not ATOM)`; `negative_goals` has its predicate."""
        cursor = self.cursor
        positive = cursor.head != "not"
        self.note(place, cursor.whole())
        cursor.at += 4 if positive else 6
        name, terms = self.atom((*place, "predicate"), (*place, "terms"))
        cursor.take_close("')', as 'not' takes one predicate")
        cursor.take_close("')', as 'goal' takes one predicate")
        if not positive:
            cursor.take_close("')', as 'not' takes one predicate")
        return Literal(Atom(unwanted_name(name, len(terms)), terms), positive)

    def relation(self) -> str:
        """A formula as the relation of a condition on paths, with $1, $2, ... for its places."""
        cursor, at = self.cursor, self.cursor.at
        cursor.skip()
        text = " ".join(cursor.word_at(i) for i in range(at, cursor.at))
        name = self.formulas.get(pattern_of(text, ()))
        if name is None:
            raise cursor.fail(
                "no action of the domain has this condition",
                cursor.whole(at),
                "expected a predicate, or a condition of an action",
            )
        return name

    def action(self, place: Place) -> Atom:
        self.note(place, self.cursor.whole())
        return self.atom((*place, "name"), (*place, "arguments"), of_action=True)

    def atom(self, name_place: Place, terms_place: Place, *, of_action: bool = False) -> Atom:
        """`(NAME TERM ...)`: a predicate or an action with its terms."""
        what = "an action" if of_action else "a predicate"
        cursor = self.cursor
        if cursor.word in self.domain.predicate_index:
            hint = f"did you mean '({cursor.word} ...)'?"
            raise cursor.fail(f"unexpected '{cursor.word}'", hint=hint)
        cursor.take_open(f"'(' and {what}")
        self.note(name_place, cursor.span())
        name = cursor.word
        # A domain may call its actions as it likes.
        if not (of_action and name in self.domain.action_index):
            self.refuse_operator(name, name_place[0] == "definitions", of_action)
        cursor.take_word(f"the name of {what}")
        terms: list[str] = []
        while not cursor.is_close:
            self.note((*terms_place, len(terms)), cursor.whole())
            if not terms and name in GRAPH_ARITIES and cursor.is_open:
                terms.append(self.relation())
                continue
            terms.append(cursor.take_word(f"an argument of '{name}' or ')'"))
        cursor.take_close()
        return Atom(name, tuple(terms))

    def refuse_operator(self, name: str, in_clause: bool, of_action: bool) -> None:
        """Raise an error if an operator of PDDL stands where a name should be."""
        cursor = self.cursor
        if name in _OPERATORS and name not in self.domain.predicate_index:
            where = "a definition" if in_clause else "a rule"
            hint = (_CLAUSE_OPERATORS if in_clause else _OPERATORS)[name]
            raise cursor.fail(f"not supported: '{name}' in {where}", hint=hint)
        if name == GOAL and name not in self.domain.predicate_index and not of_action:
            hint = "a rule has them in :goals: (p ?x), or (goal (not (p ?x))) for a negative goal"
            raise cursor.fail("'goal' belongs in definitions", hint=hint)
        if name in ("and", "not"):
            raise cursor.fail(f"'{name}' cannot stand here", hint=_JUNCTION)
