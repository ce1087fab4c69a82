"""PDDL in which a planner can do only what a policy allows, by derived predicates.

The domain gets, for each rule, derived predicates for "it proposes its action with these objects"
and for "it is applicable", and for each action one for "the first applicable rule proposes it with
these objects", which becomes a precondition. Goals are needed as facts of the state: problems get
them as static facts of predicates of their own.

What is allowed are all objects that satisfy the first applicable rule, not the first ones only, as
PDDL has no order of objects. So the policy's own execution is among the allowed ones, and each plan
for the transformed problem is a plan for the original one: preconditions only became stronger.

What the policy itself derives, and the domain's own axioms, stay derived predicates; `plain_policy`
says what has to be put in other words.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from pg3.integrations.exports.plain_policy import PlainPolicy
from pg3.pddl.model import (
    EQUALS,
    Action,
    Atom,
    Domain,
    Literal,
    Parameter,
    Predicate,
    Problem,
)
from pg3.pddl.negative_goals import unwanted_name, unwanted_predicate
from pg3.pddl.reading.typed_lists import signature
from pg3.pddl.writer import write_domain, write_problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pg3.policy.model import Clause, DecisionList, Rule

_REQUIREMENTS = (
    ":strips",
    ":typing",
    ":equality",
    ":negative-preconditions",
    ":existential-preconditions",
    ":derived-predicates",
)


_COMMENT = """; The domain, restricted by pg3 to what a policy allows. Use it with problems that
; `pg3 export DOMAIN PROBLEM... --to pddl-axioms` has made: they hold their goals as facts, too.
"""

# Conditions stand in one line up to this length.
_WIDTH = 92


def policy_text(policy: DecisionList, domain: Domain) -> str:
    """The domain with the policy's restrictions. Actions that no rule names are left out."""
    names = _Names(policy, domain)
    plain = PlainPolicy(policy, domain, names.prefix, names.goals)
    used = {rule.action for rule in policy.rules}
    actions = [action for action in domain.actions if action.name in used]
    known = (*domain.predicates, *_goal_predicates(domain, names), *plain.predicates.values())
    choices = _Choices(domain, known)
    axioms = [list(_clauses(rule, i, names, choices)) for i, rule in enumerate(plain.rules)]
    text = write_domain(
        replace(
            domain,
            requirements=tuple(dict.fromkeys((*domain.requirements, *_REQUIREMENTS))),
            predicates=(*known, *_declared(clause.head for one in axioms for clause in one)),
            actions=tuple(_restricted(action, names) for action in actions),
        )
    )
    if not actions:
        return text
    place = text.index("  (:action ")
    lines = [text[:place].rstrip("\n")]
    if plain.clauses:
        lines.append("\n  ; what the policy derives")
    for clause in plain.clauses:
        lines += _derived(_definition(clause, choices))
    for rule, of_rule in zip(policy.rules, axioms, strict=True):
        lines.append(f"\n  ; rule {rule.name}")
        lines += _derived(of_rule)
    return _COMMENT + "\n".join(lines) + f"\n\n{text[place:]}"


def _goal_predicates(domain: Domain, names: _Names) -> list[Predicate]:
    return [
        Predicate(new, domain.predicates[domain.predicate_index[name]].parameters)
        for old, new in names.goals.items()
        for name in [unwanted_predicate(old) or old]
    ]


def problem_text(policy: DecisionList, problem: Problem) -> str:
    """The problem with its goal among the static facts, for the domain of `policy_text`."""
    domain = problem.domain
    names = _Names(policy, domain)
    extended = replace(domain, predicates=(*domain.predicates, *_goal_predicates(domain, names)))
    facts = [
        Atom(names.goals[atom.predicate], atom.terms)
        for atom in problem.goal_atoms
        if atom.predicate in names.goals
    ]
    moved = replace(problem, domain=extended)
    return write_problem(moved.replace(init=[*problem.init, *facts]))


class _Names:
    """The new predicates' names, none of which the domain has."""

    def __init__(self, policy: DecisionList, domain: Domain) -> None:
        self.prefix = "pg3-"
        taken = [*domain.predicate_index, *(clause.name for clause in policy.definitions)]
        while any(name.startswith(self.prefix) for name in taken):
            self.prefix += "-"
        wanted = {literal.atom.predicate for rule in policy.rules for literal in rule.goals}
        wanted |= {goal.atom.predicate for one in policy.definitions for goal in one.goals}
        # By how rules name them: what is wanted true, then what is wanted false.
        self.goals = {
            name: f"{self.prefix}{word}-{predicate.name}"
            for word in ("goal", "unwanted")
            for predicate in domain.predicates
            for name in [
                predicate.name if word == "goal" else unwanted_name(predicate.name, predicate.arity)
            ]
            if name in wanted
        }

    def of_rule(self, place: int, what: str) -> str:
        """A predicate about the rule at a place, counted from 1 for the reader."""
        return f"{self.prefix}rule-{place + 1}-{what}"

    def allowed(self, action: str) -> str:
        """The predicate for what may be done with an action."""
        return f"{self.prefix}allowed-{action}"


def _restricted(action: Action, names: _Names) -> Action:
    allowed = Atom(names.allowed(action.name), tuple(p.name for p in action.parameters))
    return replace(action, precondition=(*action.precondition, Literal(allowed)))


class _Clause(NamedTuple):
    """The head holds if some objects for `some` satisfy all conditions.

    Without conditions (None) nothing makes it true: it is only declared.
    """

    head: Predicate
    some: Sequence[Parameter]
    conditions: Sequence[Literal] | None


def _declared(heads: Iterable[Predicate]) -> list[Predicate]:
    """The predicates that clauses define, as the first clause of each says."""
    found: dict[str, Predicate] = {}
    for head in heads:
        found.setdefault(head.name, head)
    return list(found.values())


class _Choices:
    """Conditions for each choice of types: planners know `either` in declarations at most."""

    def __init__(self, domain: Domain, known: Iterable[Predicate]) -> None:
        self.domain = domain
        self._places = {p.name: [one.types for one in p.parameters] for p in known}

    def of(
        self, parameters: Sequence[Parameter], conditions: Sequence[Literal]
    ) -> Iterator[tuple[list[Parameter], list[Literal]]]:
        """The parameters with one type each, and the conditions that remain.

        A condition on a type that its predicate does not take is false, so the choice is dropped;
        under `not` it is true and left out.
        """
        for types in product(*(p.types for p in parameters)):
            typed = [Parameter(p.name, (t,)) for p, t in zip(parameters, types, strict=True)]
            own = {p.name: p.types[0] for p in typed}
            fitting = [one for one in conditions if self._may_fit(one.atom, own)]
            if all(one in fitting or not one.positive for one in conditions):
                yield typed, fitting

    def _may_fit(self, atom: Atom, types: Mapping[str, str]) -> bool:
        if atom.predicate == EQUALS:
            return True
        return all(
            any(self.domain.is_a(name, accepted) for name in self.domain.subtypes[types[term]])
            for term, accepted in zip(atom.terms, self._places[atom.predicate], strict=True)
            if term in types
        )


def _clauses(rule: Rule, place: int, names: _Names, choices: _Choices) -> Iterator[_Clause]:
    """The clauses of one rule.

    A rule whose conditions fall into parts without a common variable gets a predicate for each
    part, with the variables that the action needs: a planner then grounds the parts one by one and
    not all their combinations.
    """
    chosen = [p for p in rule.parameters if p.name in rule.arguments]
    together: list[Literal] = []
    for number, (parameters, conditions) in enumerate(_parts(rule, names), start=1):
        if not parameters:
            together += conditions
            continue
        visible = [p for p in parameters if p in chosen]
        hidden = [p for p in parameters if p not in chosen]
        part = Atom(names.of_rule(place, f"part-{number}"), tuple(p.name for p in visible))
        together.append(Literal(part))
        # No choice of types may fit all conditions together.
        yield _Clause(Predicate(part.predicate, tuple(map(_widened, visible))), (), None)
        for chosen_types, fitting in choices.of(parameters, conditions):
            typed = {p.name: p for p in chosen_types}
            yield _Clause(
                Predicate(part.predicate, tuple(typed[p.name] for p in visible)),
                [typed[p.name] for p in hidden],
                fitting,
            )
    proposes = Atom(names.of_rule(place, "proposes"), tuple(p.name for p in chosen))
    yield _Clause(
        Predicate(proposes.predicate, tuple(map(_widened, chosen))),
        (),
        together,
    )
    yield _Clause(
        Predicate(names.of_rule(place, "applicable"), ()),
        [*map(_widened, chosen)],
        [Literal(proposes)],
    )

    # The action is allowed if no rule before this one is applicable. Only a constant, or a variable
    # for the second time, cannot stand in the head as it is. Types are those of the action, which
    # takes all that the rule proposes.
    action = choices.domain.action(rule.action)
    head: list[Parameter] = []
    equalities = []
    for number, argument in enumerate(rule.arguments, start=1):
        variable = argument
        if all(argument != p.name for p in chosen) or any(argument == p.name for p in head):
            variable = f"?argument-{number}"
            while any(variable == p.name for p in rule.parameters):
                variable += "-"
            equalities.append(Literal(Atom(EQUALS, (variable, argument))))
        head.append(Parameter(variable, _widened(action.parameters[number - 1]).types))
    earlier = [Literal(Atom(names.of_rule(before, "applicable")), False) for before in range(place)]
    yield _Clause(
        Predicate(names.allowed(rule.action), tuple(head)),
        (),
        [*earlier, Literal(proposes), *equalities],
    )


def _definition(clause: Clause, choices: _Choices) -> Iterator[_Clause]:
    """A clause of the policy's own, once for each choice of types."""
    everything = (*clause.parameters, *clause.variables)
    own = len(clause.parameters)
    for typed, conditions in choices.of(everything, clause.conditions):
        yield _Clause(Predicate(clause.name, tuple(typed[:own])), typed[own:], conditions)


def _widened(parameter: Parameter) -> Parameter:
    """The parameter with a single type; an `either` is resolved in its part."""
    return parameter if len(parameter.types) == 1 else Parameter(parameter.name)


def _parts(rule: Rule, names: _Names) -> list[tuple[list[Parameter], list[Literal]]]:
    """The conditions in groups without a common variable, each with its variables.

    Conditions without variables are a group, too; so is each variable without conditions.
    """
    literals = [
        *rule.preconditions,
        *(
            Literal(Atom(names.goals[predicate], terms), positive)
            for (predicate, terms), positive in rule.goals
        ),
    ]
    group = {parameter.name: parameter.name for parameter in rule.parameters}
    for literal in literals:
        variables = [term for term in literal.atom.terms if term in group]
        merged = {group[variable] for variable in variables}
        group |= {name: group[variables[0]] for name, old in group.items() if old in merged}
    found: dict[str, tuple[list[Parameter], list[Literal]]] = {}
    for parameter in rule.parameters:
        found.setdefault(group[parameter.name], ([], []))[0].append(parameter)
    for literal in literals:
        variable = next((term for term in literal.atom.terms if term in group), "")
        found.setdefault(group.get(variable, ""), ([], []))[1].append(literal)
    return list(found.values())


def _derived(clauses: Iterable[_Clause]) -> Iterator[str]:
    """The clauses as PDDL."""
    for head, some, literals in clauses:
        if literals is None:
            continue
        # "Some object of this type" must not be simplified to "true" by a planner that forgets that
        # there may be none: a variable without conditions gets one.
        named = {term for literal in literals for term in literal.atom.terms}
        unnamed = [Atom(EQUALS, (name, name)) for name, _ in some if name not in named]
        conditions = list(map(str, [*literals, *map(Literal, unnamed)]))
        lines = [f"  (:derived {signature(head)}"]
        body = conditions[0] if len(conditions) == 1 else f"(and {' '.join(conditions)})"
        indent = "      " if some else "    "
        if len(body) > _WIDTH:
            body = f"\n{indent}  ".join(["(and", *conditions]) + ")"
        if some:
            variables = " ".join(f"{name} - {types[0]}" for name, types in some)
            lines.append(f"    (exists ({variables})")
            body += ")"
        yield "\n".join([*lines, f"{indent}{body})"])
