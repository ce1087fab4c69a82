"""Reading PDDL problems: the outline here, the long lists in the native reader."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from pg3._native import read_problem_lists
from pg3.pddl.formulas import Junction
from pg3.pddl.goals import TooLargeError, ground_goal, with_goal_numbers
from pg3.pddl.lexer import read_source, text_source
from pg3.pddl.model import (
    EQUALS,
    OBJECT,
    Atom,
    Atoms,
    Predicate,
    Problem,
    TypedObject,
    decode_atoms,
)
from pg3.pddl.numbers import comparison_of
from pg3.pddl.reading.conditions import Conditions
from pg3.pddl.reading.domain import take_header, take_sections
from pg3.pddl.reading.forgiving import read_forgiving
from pg3.pddl.reading.number_reader import TOTAL_COST
from pg3.pddl.reading.typed_lists import signature, take_name, typed_objects

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable
    from typing import NoReturn

    from pg3._native import ProblemLists
    from pg3.errors import Span
    from pg3.pddl.formulas import Formula
    from pg3.pddl.lexer import Cursor
    from pg3.pddl.model import Action, Domain, TypeNames
    from pg3.pddl.numbers import Number

_SECTIONS = (":domain", ":requirements", ":objects", ":init", ":goal", ":metric", ":length")
_UNSUPPORTED_SECTIONS = {
    ":constraints": "constraints",
    ":htn": "hierarchical planning",
}


def read_problem(path: str | os.PathLike[str], domain: Domain) -> Problem:
    """The problem of a domain in a PDDL file; raises as `read_domain` does."""
    return read_forgiving(read_source(path), lambda cursor: _problem(cursor, domain))


def parse_problem(text: str | bytes, domain: Domain, name: str = "<problem>") -> Problem:
    """The problem in a text; `name` is what messages call it. Raises as `read_domain` does."""
    source = text_source(text, name)
    return read_forgiving(source, lambda cursor: _problem(cursor, domain))


def _problem(cursor: Cursor, domain: Domain) -> Problem:
    header = 2  # the token of "(problem NAME)"
    name = take_header(cursor, "problem")
    sections = take_sections(cursor, _SECTIONS, _UNSUPPORTED_SECTIONS)
    for keyword, hint in (
        (":domain", f"expected '(:domain {domain.name})'"),
        (":init", "expected '(:init ...)'; it may be empty"),
        (":goal", "expected '(:goal ...)'"),
    ):
        if not sections[keyword]:
            raise cursor.fail(
                f"problem '{name}' has no section '{keyword}'", cursor.whole(header), hint=hint
            )
    # A section that is absent begins after the last token, as the native reader has it.
    starts = {keyword: (*tokens, len(cursor.tokens))[0] for keyword, tokens in sections.items()}

    cursor.at = starts[":domain"] + 2
    _check_domain_name(cursor, domain)
    lists = _read_lists(cursor, domain, starts)
    own_names = lists.names
    names = (*[constant.name for constant in domain.constants], *own_names)
    function_values: dict[Atom, Number] = dict(
        zip(
            decode_atoms(domain.functions, names, lists.valued),
            memoryview(lists.values).cast("i"),
            strict=True,
        )
    )
    # Before what the native reader stopped at: a fault of these is the earlier one.
    if lists.odd_values:
        _read_odd_values(cursor, domain, lists, function_values)
    goal = None
    if lists.fault == ":goal":
        goal = _goal(cursor, domain, lists, starts[":goal"])
    elif lists.fault:
        _explain(cursor, domain, lists, starts[lists.fault])
    if domain.derived:
        _refuse_derived(cursor, domain, starts[":init"])
    for token in lists.repeated_constants:
        message = f"object '{cursor.word_at(token)}' is a constant of the domain already"
        cursor.note(message, cursor.span(token), kind="repeated constant")
    for token in lists.joined_facts:
        message = "facts of :init are joined by 'and'"
        cursor.note(message, cursor.span(token, token + 1), kind="joined facts")
    if not domain.has_costs:
        _note_undeclared_cost(cursor, domain, starts[":init"])
    if sections[":length"]:
        cursor.note("the section ':length' is ignored", cursor.span(starts[":length"] + 1))
    minimizes_cost = False
    if sections[":metric"]:
        cursor.at = starts[":metric"] + 2
        minimizes_cost = _metric(cursor, domain)

    type_names = [type_.name for type_ in domain.types]
    types = [type_names[code] for code in memoryview(lists.types).cast("i")]
    present = {*types, *(constant.type for constant in domain.constants)}
    init = Atoms(domain, names, lists.init)
    _note_missing_costs(cursor, init, present, function_values, cursor.span(starts[":init"] + 1))
    problem = Problem(
        name,
        domain,
        objects=tuple(map(TypedObject._make, zip(own_names, types, strict=True))),
        init=init,
        goal=Atoms(domain, names, lists.goal),
        negative_goal=Atoms(domain, names, lists.negative_goal),
        function_values=function_values,
        minimizes_cost=minimizes_cost,
    )
    return problem if goal is None else _with_goal(problem, goal, cursor, starts[":goal"])


def _note_missing_costs(
    cursor: Cursor, init: Atoms, present: set[str], values: Iterable[Atom], place: Span
) -> None:
    """Warn of actions that can never be done only because :init does not give their cost."""
    domain = init.domain
    functions = {a.cost.predicate for a in domain.actions if isinstance(a.cost, Atom)}
    functions -= {atom.predicate for atom in values} if functions else set()
    if not functions:
        return
    without: dict[str, list[str]] = {}
    for action in _possible_actions(init, present):
        if isinstance(action.cost, Atom) and action.cost.predicate in functions:
            without.setdefault(action.cost.predicate, []).append(f"'{action.name}'")
    for function, actions in without.items():
        cursor.note(
            f"no value of '{function}', the cost of {' and '.join(actions)}: "
            "what has no cost can never be done",
            place,
        )


def _possible_actions(init: Atoms, present: set[str]) -> list[Action]:
    """The actions that may be possible, in their order: a look at predicates and types only.

    Each parameter needs an object of a type that is `present`, each condition a predicate that
    :init mentions, that is derived, or that a possible action adds.
    """
    domain = init.domain
    known = {*domain.derived, EQUALS} | {atom.predicate for atom in init}
    possible: dict[str, Action] = {}
    changed = True
    while changed:
        changed = False
        for action in domain.actions:
            if action.name not in possible and _is_possible(action, known, present, domain):
                possible[action.name] = action
                known |= {e.atom.predicate for e in action.possible_effects if e.positive}
                changed = True
    return [action for action in domain.actions if action.name in possible]


def _is_possible(action: Action, known: set[str], present: set[str], domain: Domain) -> bool:
    return all(any(domain.is_a(t, p.types) for t in present) for p in action.parameters) and all(
        atom.predicate in known for atom, positive in action.precondition if positive
    )


def _refuse_derived(cursor: Cursor, domain: Domain, init: int) -> None:
    """Raise the error for the first fact of :init whose predicate is derived."""
    cursor.at = init + 2
    depth = 0  # of 'and'
    while depth or not cursor.is_close:
        if cursor.is_close or cursor.head == "and":
            depth += -1 if cursor.is_close else 1
            cursor.at += 1 if cursor.is_close else 2
            continue
        negated = cursor.head == "not"
        at = cursor.at + 2 if negated else cursor.at
        name = cursor.word_at(at + 1)
        if name in domain.derived:
            raise cursor.fail(
                f"'{name}' is derived, so that no fact of :init speaks of it",
                cursor.whole(),
                hint="it holds where one of the domain's (:derived ...) says so",
            )
        cursor.skip()


def _note_undeclared_cost(cursor: Cursor, domain: Domain, init: int) -> None:
    """Warn of `(= (total-cost) 0)` where the domain has no costs."""
    if TOTAL_COST.encode() not in cursor.source.data.lower():
        return
    declared = [*map(signature, domain.functions), f"({TOTAL_COST})"]
    for at in range(init, cursor.closing(init)):
        if cursor.word_at(at) == TOTAL_COST and cursor.word_at(at - 2) == EQUALS:
            message = f"function '{TOTAL_COST}' is not declared: every action costs 1"
            right = f"(:functions {' '.join(declared)} - number)"
            cursor.note(message, cursor.span(at), write=right, kind="no costs")


def _check_domain_name(cursor: Cursor, domain: Domain) -> None:
    at = cursor.at
    name = take_name(cursor, "the name of the domain")
    cursor.take_close()
    if name != domain.name:
        cursor.note(
            f"the problem is of domain '{name}', but the domain given is '{domain.name}'",
            cursor.span(at),
            write=f"(:domain {domain.name})",
            kind="other domain",
        )


def _metric(cursor: Cursor, domain: Domain) -> bool:
    at = cursor.at
    direction = cursor.take_word("'minimize'")
    if direction not in ("minimize", "maximize"):
        raise cursor.fail(f"unexpected '{direction}'", at, hint="expected 'minimize'")
    function = cursor.head
    if direction == "minimize" and domain.has_costs and cursor.word_at(cursor.at) == TOTAL_COST:
        cursor.note("'total-cost' has no parentheses", cursor.span(cursor.at), write="(total-cost)")
        return True
    if not cursor.is_open or not function:
        raise cursor.unexpected("'(total-cost)'")
    if direction == "maximize" or function != TOTAL_COST:
        cursor.note("a metric other than 'minimize (total-cost)' is ignored", cursor.whole())
        return False
    if not domain.has_costs:
        message = "the domain has no 'total-cost': every action costs 1"
        cursor.note(message, cursor.whole(), kind="no costs")
        return False
    Conditions(cursor, domain, {}, ground=True).application(TOTAL_COST)
    cursor.take_close()
    return True


def _read_lists(cursor: Cursor, domain: Domain, starts: dict[str, int]) -> ProblemLists:
    type_names = [type_.name for type_ in domain.types]
    type_number = {name: i for i, name in enumerate(type_names)}

    @cache
    def accepted(types: TypeNames) -> str:
        return "".join("01"[domain.is_a(name, types)] for name in type_names)

    def specification(symbol: Predicate) -> tuple[str, list[str]]:
        return symbol.name, [accepted(parameter.types) for parameter in symbol.parameters]

    functions = domain.functions
    if not domain.has_costs:  # its value is 0, which is not kept
        functions = (*functions, Predicate(TOTAL_COST, ()))
    function_names = [function.name for function in functions]
    return read_problem_lists(
        cursor.tokens,
        types=type_names,
        constants=[constant.name for constant in domain.constants],
        constant_types=[type_number[constant.type] for constant in domain.constants],
        predicates=[specification(predicate) for predicate in domain.predicates],
        functions=[specification(function) for function in functions],
        default_type=type_number[OBJECT],
        total_cost=function_names.index(TOTAL_COST),
        objects=starts[":objects"],
        init=starts[":init"],
        goal=starts[":goal"],
    )


def _read_odd_values(
    cursor: Cursor, domain: Domain, lists: ProblemLists, values: dict[Atom, Number]
) -> None:
    """Read the values that the native reader leaves: of those, only costs must be whole.

    In a domain without numbers all values are costs.
    """
    functions = list(values)
    prices = {a.cost.predicate for a in domain.actions if isinstance(a.cost, Atom)}
    exact = _exact_functions(domain)
    first: dict[int, int] = {}
    conditions = Conditions(cursor, domain, _terms(domain, lists), ground=True)
    for entry, element in lists.odd_values:
        function = functions[entry]
        cursor.at = element
        cursor.at = cursor.closing() - 1
        value = (
            conditions.number(
                rounds=function.predicate not in exact, is_paid=function.predicate in prices
            )
            if function.predicate in prices or not domain.has_numbers
            else conditions.numbers.sum().constant
        )
        if first.setdefault(entry, element) != element and values[function] != value:
            hint = f"the other is in line {cursor.line(first[entry])}"
            raise cursor.fail(f"{function} has two values", cursor.whole(element), hint=hint)
        values[function] = value


def _exact_functions(domain: Domain) -> set[str]:
    """The functions that actions compare, or change others by."""
    compared = (f.name for name in domain.comparisons for f in comparison_of(name).functions)
    amounts = (e.amount for action in domain.actions for e in action.numeric)
    return {*compared, *(f.name for amount in amounts for _, f in amount.functions)}


# -- goals that are no conjunctions of literals -------------------------------------------------


def _goal(cursor: Cursor, domain: Domain, lists: ProblemLists, section: int) -> Formula:
    """The condition in a section :goal that the native reader does not accept."""
    cursor.at = section + 2
    if cursor.is_close:
        raise cursor.unexpected("a condition; '(and)' if there is nothing to reach")
    conditions = Conditions(cursor, domain, _terms(domain, lists), ground=True)
    parts: list[Formula] = []
    conditions.conjunction(lambda: parts.append(conditions.formula()))
    if cursor.is_open:
        raise cursor.fail(
            "a second goal condition", cursor.whole(), hint="join conditions with '(and ...)'"
        )
    cursor.take_close()
    return Junction("and", tuple(parts))


def _with_goal(problem: Problem, formula: Formula, cursor: Cursor, section: int) -> Problem:
    """The problem with another goal."""
    facts = frozenset(problem.init)
    try:
        goal = ground_goal(formula, problem.domain, problem.all_objects, facts)
    except TooLargeError as error:
        place = cursor.whole(section)
        raise cursor.unsupported(str(error), place) from None
    literals, more, numbers = with_goal_numbers(goal.literals, problem.domain)
    return replace(
        problem.replace(goal=literals, function_values={**problem.function_values, **numbers}),
        disjunctions=(*goal.disjunctions, *more),
    )


def _terms(domain: Domain, lists: ProblemLists) -> dict[str, TypeNames]:
    """The objects of the problem with their types."""
    type_names = [type_.name for type_ in domain.types]
    terms: dict[str, TypeNames] = {c.name: (c.type,) for c in domain.constants}
    for name, code in zip(lists.names, memoryview(lists.types).cast("i"), strict=True):
        terms[name] = (type_names[code],)
    return terms


# -- what the native reader would not accept ----------------------------------------------------


def _explain(cursor: Cursor, domain: Domain, lists: ProblemLists, section: int) -> NoReturn:
    """Raise the error for the section that the native reader stopped in, by reading it again."""
    cursor.at = section + 2
    if lists.fault == ":objects":
        typed_objects(cursor, "object", domain.subtypes, domain.constants)
    else:
        conditions = Conditions(cursor, domain, _terms(domain, lists), ground=True)
        cursor.at = lists.fault_at
        _explain_element(cursor, conditions, lists.contradicts)
    raise AssertionError("the native reader refused what the front end accepts")


def _explain_element(cursor: Cursor, conditions: Conditions, contradicts: int) -> None:
    """Raise the error for one element of :init; `contradicts` is an earlier element, or 0."""
    element = cursor.whole()
    head = cursor.head
    time = cursor.word_at(cursor.at + 2)
    if head == "at" and time not in ("(", ")") and cursor.word_at(cursor.at + 3) == "(":
        raise cursor.unsupported(
            "timed initial literals", element, hint="expected a fact that holds from the start"
        )
    if head == EQUALS:
        cursor.at += 2
        thing = _explain_value(cursor, conditions)
        what = f"{thing} has two values"
    elif head == "not":
        cursor.at += 2
        thing = conditions.atom()
        cursor.take_close()
        what = f"{thing} is both true and false"
    else:
        thing = conditions.atom()
        what = f"{thing} is both true and false"
    if contradicts:
        hint = f"the other is in line {cursor.line(contradicts)}"
        raise cursor.fail(what, element, hint=hint)


def _explain_value(cursor: Cursor, conditions: Conditions) -> Atom:
    function = cursor.head
    if not function:
        raise cursor.unexpected("'(' and a function")
    thing = conditions.application(function)
    at = cursor.at
    if conditions.number() and function == TOTAL_COST:
        raise cursor.unsupported("a total cost that does not begin with 0", at, hint="expected 0")
    cursor.take_close()
    return thing
