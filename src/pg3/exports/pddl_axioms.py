"""PDDL in which a planner can do only what a policy allows, by derived predicates.

The domain gets, for each rule, a derived predicate for the objects that satisfy it and one for
"some objects do", and for each action one for "the first applicable rule names this action with
these objects", which becomes a precondition. Goals are needed as facts of the state: problems get
them as static facts of predicates of their own.

What is allowed are all objects that satisfy the first applicable rule, not the first ones only, as
PDDL has no order of objects. So the policy's own execution is among the allowed ones, and each plan
for the transformed problem is a plan for the original one: preconditions only became stronger.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from pg3.pddl.model import (
    EQUALS,
    OBJECT,
    Action,
    Atom,
    Domain,
    Literal,
    Parameter,
    Predicate,
    Problem,
)
from pg3.pddl.typed_lists import signature
from pg3.pddl.writer import write_domain, write_problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pg3.policy.model import DecisionList, Rule

_REQUIREMENTS = (
    ":strips",
    ":typing",
    ":equality",
    ":negative-preconditions",
    ":existential-preconditions",
    ":derived-predicates",
)


_COMMENT = """; The domain, restricted by pg3 to what a policy allows. Use it with problems that
; `pg3 export --to pddl-axioms --problem` has made: they hold their goals as facts, too.
"""

# Conditions stand in one line up to this length.
_WIDTH = 92


def policy_text(policy: DecisionList, domain: Domain) -> str:
    """The domain with the policy's restrictions. Actions that no rule names are left out."""
    names = _Names(policy, domain)
    used = {rule.action for rule in policy.rules}
    restricted = replace(
        domain,
        requirements=tuple(dict.fromkeys((*domain.requirements, *_REQUIREMENTS))),
        predicates=(*domain.predicates, *_declared(policy, domain, names)),
        actions=tuple(
            _restricted(action, names) for action in domain.actions if action.name in used
        ),
    )
    text = write_domain(restricted)
    axioms = "".join(f"{line}\n" for line in _axioms(policy, domain, names))
    if not restricted.actions:
        return text
    place = text.index("  (:action ")
    return f"{_COMMENT}{text[:place]}{axioms}\n{text[place:]}"


def problem_text(policy: DecisionList, problem: Problem) -> str:
    """The problem with its goal among the static facts, for the domain of `policy_text`.

    Goals that are wanted false give no facts: rules ask only what is wanted true.
    """
    domain = problem.domain
    names = _Names(policy, domain)
    wanted = [
        Predicate(new, domain.predicates[domain.predicate_index[old]].parameters)
        for old, new in names.goals.items()
    ]
    extended = replace(domain, predicates=(*domain.predicates, *wanted))
    facts = [
        Atom(names.goals[atom.predicate], atom.terms)
        for atom in problem.goal
        if atom.predicate in names.goals
    ]
    goal = [Literal(atom) for atom in problem.goal]
    goal += [Literal(atom, False) for atom in problem.negative_goal]
    transformed = Problem.of(
        problem.name,
        extended,
        problem.objects,
        [*problem.init, *facts],
        goal,
        function_values=problem.function_values,
    )
    return write_problem(replace(transformed, minimizes_cost=problem.minimizes_cost))


class _Names:
    """The new predicates' names, none of which the domain has."""

    def __init__(self, policy: DecisionList, domain: Domain) -> None:
        taken = set(domain.predicate_index)
        prefix = "pg3-"
        while any(name.startswith(prefix) for name in taken):
            prefix += "-"
        wanted = {literal.atom.predicate for rule in policy.rules for literal in rule.goals}
        self.goals = {
            predicate.name: f"{prefix}goal-{predicate.name}"
            for predicate in domain.predicates
            if predicate.name in wanted
        }
        self.satisfied = [f"{prefix}rule-{i}-satisfied" for i in range(1, len(policy.rules) + 1)]
        self.applicable = [f"{prefix}rule-{i}-applicable" for i in range(1, len(policy.rules) + 1)]
        self.allowed = {action.name: f"{prefix}allowed-{action.name}" for action in domain.actions}


def _declared(policy: DecisionList, domain: Domain, names: _Names) -> Iterator[Predicate]:
    for old, new in names.goals.items():
        yield Predicate(new, domain.predicates[domain.predicate_index[old]].parameters)
    for rule, satisfied, applicable in zip(
        policy.rules, names.satisfied, names.applicable, strict=True
    ):
        yield Predicate(satisfied, rule.parameters)
        yield Predicate(applicable, ())
    used = {rule.action for rule in policy.rules}
    for action in domain.actions:
        if action.name in used:
            yield Predicate(names.allowed[action.name], action.parameters)


def _restricted(action: Action, names: _Names) -> Action:
    allowed = Atom(names.allowed[action.name], tuple(p.name for p in action.parameters))
    return replace(action, precondition=(*action.precondition, Literal(allowed)))


def _axioms(policy: DecisionList, domain: Domain, names: _Names) -> Iterator[str]:
    for place, rule in enumerate(policy.rules):
        yield f"\n  ; rule {place + 1}, {rule.name}"
        # Planners know `either` in declarations at most; clauses for each choice of types will do.
        for parameters in _single_typed(rule.parameters):
            yield from _clauses(rule, parameters, place, names)


def _single_typed(parameters: tuple[Parameter, ...]) -> Iterator[tuple[Parameter, ...]]:
    for types in product(*(parameter.types for parameter in parameters)):
        yield tuple(
            Parameter(parameter.name, (type_,))
            for parameter, type_ in zip(parameters, types, strict=True)
        )


def _clauses(
    rule: Rule, parameters: tuple[Parameter, ...], place: int, names: _Names
) -> Iterator[str]:
    satisfied = Atom(names.satisfied[place], tuple(p.name for p in parameters))
    yield _derived(
        Predicate(satisfied.predicate, parameters),
        (),
        [
            *map(str, rule.preconditions),
            *(
                str(Literal(Atom(names.goals[predicate], terms), positive))
                for (predicate, terms), positive in rule.goals
            ),
        ],
    )
    yield _derived(Predicate(names.applicable[place], ()), parameters, [str(satisfied)])

    # The rule lets its action be done if no rule before it is applicable. The arguments that are
    # different variables stand in the head as they are, which leaves a planner less to ground.
    head: list[Parameter] = []
    equalities = []
    types = dict(parameters)
    for number, argument in enumerate(rule.arguments, start=1):
        variable = argument
        if argument not in types or any(argument == p.name for p in head):
            variable = f"?argument-{number}"
            while variable in types:
                variable += "-"
            equalities.append(str(Atom(EQUALS, (variable, argument))))
        head.append(Parameter(variable, types.get(argument, (OBJECT,))))
    yield _derived(
        Predicate(names.allowed[rule.action], tuple(head)),
        [parameter for parameter in parameters if parameter not in head],
        [
            *(f"(not ({earlier}))" for earlier in names.applicable[:place]),
            str(satisfied),
            *equalities,
        ],
    )


def _derived(head: Predicate, some: Sequence[Parameter], conditions: Sequence[str]) -> str:
    """A clause: the head holds if there are objects for `some` with which all conditions hold."""
    lines = [f"  (:derived {signature(head)}"]
    body = conditions[0] if len(conditions) == 1 else f"(and {' '.join(conditions)})"
    indent = "      " if some else "    "
    if len(body) > _WIDTH:
        body = f"\n{indent}  ".join(["(and", *conditions]) + ")"
    if some:
        variables = " ".join(f"{name} - {types[0]}" for name, types in some)
        lines.append(f"    (exists ({variables})")
        body += ")"
    return "\n".join([*lines, f"{indent}{body})"])
