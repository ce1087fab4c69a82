"""Random small domains, problems, states and policies, with their features as parameters.

Everything is well typed and free of repeated literals, as the readers demand, but otherwise as odd
as `Features` allows. First choices are the plain ones, so that failing examples shrink to readable
ones.
"""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from hypothesis import strategies as st

from pg3.pddl.model import (
    EQUALS,
    OBJECT,
    Action,
    Atom,
    ConditionalEffect,
    Domain,
    Literal,
    Parameter,
    Predicate,
    Problem,
    Type,
    TypedObject,
)
from pg3.policy.model import DecisionList, Rule
from tests.oracle import semantics
from tests.support.errands import ERRANDS, errand_policies, errand_problems
from tests.support.random_conditions import (
    all_well_typed,
    draw_conditions,
    draw_definitions,
    draw_equalities,
    draw_goal_conditions,
    draw_literals,
    draw_parameters,
    draw_predicate,
    draw_unwanted,
    fits,
    heads_of,
    named_terms,
    rarely,
    terms_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tests.oracle.semantics import Instance, State

MAX_OBJECTS = 5
MAX_RULE_PARAMETERS = 4


@dataclass(frozen=True)
class Features:
    """What a domain, its problems and the policies for it may have."""

    types: bool = True
    either: bool = True  # several types for a parameter, several parents of a type
    constants: bool = True
    negative: bool = True  # preconditions and goals
    equality: bool = True
    costs: bool = True
    conditional: bool = False  # conditional and universal effects
    axioms: bool = False
    derived: bool = False  # derived predicates, paths and `_` in policies

    @property
    def errands(self) -> bool:
        """Whether the errands domain is allowed, the only one with long plans."""
        return self.types and self.constants and self.negative and self.equality


PAPER = Features()
DERIVED = Features(derived=True)
AXIOMS = Features(axioms=True)
AXIOMS_AND_DERIVED = Features(axioms=True, derived=True)
CONDITIONAL = Features(conditional=True)
CONDITIONAL_AND_AXIOMS = Features(conditional=True, axioms=True)
EVERY_LANGUAGE = (
    PAPER,
    DERIVED,
    AXIOMS,
    AXIOMS_AND_DERIVED,
    CONDITIONAL,
    CONDITIONAL_AND_AXIOMS,
)


class Scenario(NamedTuple):
    """A problem with a policy for its domain."""

    problem: Problem
    policy: DecisionList


# -- domains ---------------------------------------------------------------------------------------


def _draw_types(draw: st.DrawFn, features: Features) -> tuple[Type, ...]:
    types = [Type(OBJECT, ())]
    most = 2 if features.either else 1
    for i in range(draw(st.integers(0, 3)) if features.types else 0):
        above = [one.name for one in types]
        parents = draw(st.lists(st.sampled_from(above), min_size=1, max_size=most, unique=True))
        # Below `object` and something else is the same as below something else.
        types.append(Type(f"t{i}", tuple(p for p in parents if p != OBJECT) or (OBJECT,)))
    return tuple(types)


def _draw_action(
    draw: st.DrawFn, features: Features, domain: Domain, fluents: Sequence[Predicate], i: int
) -> Action:
    parameters = draw_parameters(draw, features, domain.types, "x", 3)
    terms = terms_of(parameters, domain)
    atoms = all_well_typed(domain, domain.predicates, terms)
    conditions = draw_literals(draw, atoms, 3, negative=features.negative)
    effects = draw_literals(
        draw, all_well_typed(domain, fluents, terms), 4, min_size=2, contradictory=rarely(draw)
    )
    cost: int | Atom | None = None
    if domain.has_costs:
        functions = [one for one in domain.functions if one.name != "total-cost"]
        values = [atom for f in all_well_typed(domain, functions, terms) for atom in f]
        cost = draw(st.sampled_from([1, None, 0, 3, *values]))
    equalities = draw_equalities(draw, features, terms)
    drawn = [
        _draw_conditional(draw, features, domain, fluents, parameters, j)
        for j in range(draw(st.integers(1, 2)) if features.conditional else 0)
    ]
    # Others are no conditional effects, or are written as one.
    conditional = {
        (one.variables, one.conditions): one
        for one in drawn
        if one.effects and (one.variables or one.conditions)
    }
    return Action(
        f"a{i}",
        parameters,
        tuple(conditions + equalities),
        tuple(effects),
        cost,
        tuple(conditional.values()),
    )


def _draw_conditional(
    draw: st.DrawFn,
    features: Features,
    domain: Domain,
    fluents: Sequence[Predicate],
    parameters: tuple[Parameter, ...],
    j: int,
) -> ConditionalEffect:
    variables = draw_parameters(draw, features, domain.types, f"y{j}", 1)
    terms = terms_of((*parameters, *variables), domain)
    atoms = all_well_typed(domain, domain.predicates, terms)
    conditions = draw_literals(draw, atoms, 2, negative=True)
    conditions += draw_equalities(draw, features, terms)
    effects = draw_literals(
        draw, all_well_typed(domain, fluents, terms), 2, min_size=1, contradictory=rarely(draw)
    )
    return ConditionalEffect(variables, tuple(conditions), tuple(effects))


@st.composite
def domains(draw: st.DrawFn, features: Features = PAPER) -> Domain:
    """A domain with up to three types, two constants, four predicates and three actions.

    With axioms it has up to three derived predicates besides, and its actions ask for them.
    """
    types = _draw_types(draw, features)
    names = st.sampled_from([one.name for one in types])
    count = draw(st.integers(0, 2)) if features.constants else 0
    constants = tuple(TypedObject(f"k{i}", draw(names)) for i in range(count))
    arities = draw(st.lists(st.sampled_from([1, 2, 0, 1, 2, 3]), min_size=1, max_size=4))
    predicates = tuple(
        draw_predicate(draw, features, types, f"p{i}", "x", arity)
        for i, arity in enumerate(arities)
    )
    functions: tuple[Predicate, ...] = ()
    if features.costs and rarely(draw, 5):
        price = Predicate("price", draw_parameters(draw, features, types, "x", 2))
        functions = (Predicate("total-cost", ()), price)
    frame = Domain("random", types, constants, predicates, (), functions, ())
    statics = draw(st.integers(0, len(predicates) - 1)) if rarely(draw, 2) else 0
    fluents = predicates[statics:]
    actions = [
        _draw_action(draw, features, frame, fluents, i) for i in range(draw(st.integers(1, 3)))
    ]
    domain = dataclasses.replace(frame, actions=tuple(actions))
    return _with_axioms(draw, features, domain) if features.axioms else domain


def _with_axioms(draw: st.DrawFn, features: Features, domain: Domain) -> Domain:
    """The domain with derived predicates, which its actions mostly ask for."""
    clauses = draw_definitions(draw, features, domain, "q", plain=True)
    heads = heads_of(clauses)
    whole = dataclasses.replace(domain, predicates=(*domain.predicates, *heads), axioms=clauses)
    actions = []
    for action in domain.actions:
        atoms = all_well_typed(whole, heads, terms_of(action.parameters, whole))
        held = {literal.atom for literal in action.precondition}
        drawn = draw_literals(draw, atoms, 2, negative=features.negative)
        added = [one for one in drawn if one.atom not in held]
        conditional = tuple(
            dataclasses.replace(
                one,
                conditions=tuple(
                    dict.fromkeys((*one.conditions, *draw_literals(draw, atoms, 1, negative=True)))
                ),
            )
            for one in action.conditional
        )
        actions.append(
            dataclasses.replace(
                action, precondition=(*action.precondition, *added), conditional=conditional
            )
        )
    return dataclasses.replace(whole, actions=tuple(actions))


# -- problems --------------------------------------------------------------------------------------


def _draw_walk(
    draw: st.DrawFn, problem: Problem, max_steps: int, min_steps: int = 0
) -> tuple[list[State], list[Instance]]:
    """The states along a random walk from the initial state, that one included, and its steps."""
    grounded = semantics.instances(problem)
    states, steps = [semantics.initial_state(problem)], []
    for _ in range(draw(st.integers(min_steps, max_steps))):
        choices = [one for one in grounded if one.applicable(states[-1])]
        if not choices:
            break
        steps.append(draw(st.sampled_from(choices)))
        states.append(steps[-1].successor(states[-1]))
    return states, steps


def _draw_goal(
    draw: st.DrawFn, features: Features, problem: Problem, ground: list[list[Atom]]
) -> list[Literal]:
    """Anything; or what a walk has changed, so that it can be reached but is not yet true."""
    if not ground:
        return []
    if rarely(draw, 4):
        return draw_literals(draw, ground, 3, negative=features.negative)
    end = _draw_walk(draw, problem, 12, min_steps=3)[0][-1]
    before = semantics.initial_state(problem)
    sensible = {atom for atoms in ground for atom in atoms}
    changed = [Literal(atom) for atom in sorted((end - before) & sensible)]
    if features.negative:
        changed += [Literal(atom, False) for atom in sorted(before - end)]
    if not changed:
        return draw_literals(draw, ground, 3, negative=features.negative)
    goal = draw(st.lists(st.sampled_from(changed), min_size=1, max_size=4, unique=True))
    if kept := sorted(end & before):
        goal += [Literal(draw(st.sampled_from(kept)))] if rarely(draw, 3) else []
    return goal


def _draw_problem(draw: st.DrawFn, features: Features, domain: Domain) -> Problem:
    """Up to five objects, constants included, and a mostly reachable goal."""
    names = st.sampled_from([one.name for one in domain.types])
    count = draw(st.integers(2, MAX_OBJECTS - len(domain.constants)))
    objects = tuple(TypedObject(f"o{i}", draw(names)) for i in range(count))
    terms = named_terms(domain.constants + objects)
    basic = [one for one in domain.predicates if one.name not in domain.derived]
    ground = all_well_typed(domain, basic, terms)
    values = {
        atom: draw(st.integers(0, 3))
        for atoms in all_well_typed(domain, domain.functions[1:], terms)
        for atom in atoms
        if not rarely(draw, 10)
    }
    empty = Problem.of("random", domain, objects, [], [], function_values=values)
    init: set[Atom] = set()
    # Without the preconditions of some actions hardly any action would ever be applicable.
    grounded = semantics.instances(empty)
    for _ in range(draw(st.integers(1, 6)) if grounded else 0):
        init |= draw(st.sampled_from(grounded)).positive
    for _ in range(draw(st.integers(0, 5)) if ground else 0):
        init.add(draw(st.sampled_from(draw(st.sampled_from(ground)))))
    # An action's variables may be of a wider type than a predicate's; facts may not.
    init &= {atom for atoms in ground for atom in atoms}
    start = Problem.of("random", domain, objects, sorted(init), [], function_values=values)
    goal = _draw_goal(draw, features, start, ground)
    return Problem.of("random", domain, objects, sorted(init), goal, function_values=values)


@st.composite
def problems(draw: st.DrawFn, features: Features = PAPER, domain: Domain | None = None) -> Problem:
    """A problem of the domain, or of any: a random one or the errands domain."""
    if domain is ERRANDS or (domain is None and features.errands and rarely(draw, 3)):
        problem = draw(errand_problems())
    else:
        plain = dataclasses.replace(features, axioms=False)
        problem = _draw_problem(draw, features, domain or draw(domains(plain)))
    return _asking_for_derived(draw, features, problem) if features.axioms else problem


def _asking_for_derived(draw: st.DrawFn, features: Features, problem: Problem) -> Problem:
    """The problem with axioms, if its domain has none; and perhaps a goal that asks for them."""
    domain = problem.domain
    if not domain.axioms:
        domain = _with_axioms(draw, features, domain)
    goal = list(problem.goal_literals)
    if rarely(draw, 2):
        atoms = all_well_typed(domain, heads_of(domain.axioms), named_terms(problem.all_objects))
        wanted = draw_literals(draw, atoms, 2, min_size=1, negative=features.negative)
        goal = [*goal[:1], *wanted]
    values = problem.function_values
    init = list(problem.init)
    return Problem.of(problem.name, domain, problem.objects, init, goal, function_values=values)


@st.composite
def walks(draw: st.DrawFn, problem: Problem, max_steps: int = 6) -> list[State]:
    """The states along a random walk from the problem's initial state."""
    return _draw_walk(draw, problem, max_steps)[0]


@st.composite
def action_sequences(draw: st.DrawFn, problem: Problem, max_steps: int = 8) -> list[Instance]:
    """The actions of a random walk from the problem's initial state."""
    return _draw_walk(draw, problem, max_steps)[1]


def changing_atoms(problem: Problem) -> list[Atom]:
    """All ground atoms of predicates that some action changes."""
    actions = problem.domain.actions
    return ground_atoms(
        problem, {e.atom.predicate for one in actions for e in one.possible_effects}
    )


def ground_atoms(problem: Problem, predicates: Iterable[str]) -> list[Atom]:
    """All ground atoms of these predicates."""
    return [
        Atom(predicate.name, tuple(binding.values()))
        for predicate in problem.domain.predicates
        if predicate.name in predicates
        for binding in semantics.bindings(problem, predicate.parameters)
    ]


@st.composite
def changes(draw: st.DrawFn, problem: Problem, max_size: int) -> list[tuple[Atom, bool]]:
    """Atoms that become true or false one by one, far from what actions would do."""
    atoms = changing_atoms(problem)
    if not atoms:
        return []
    # Few atoms, so that they come back.
    some = draw(st.lists(st.sampled_from(atoms), min_size=1, max_size=8, unique=True))
    return draw(st.lists(st.tuples(st.sampled_from(some), st.booleans()), max_size=max_size))


# -- policies --------------------------------------------------------------------------------------


def _draw_rule(draw: st.DrawFn, features: Features, domain: Domain, i: int) -> Rule:
    """A rule around an action: some of its preconditions, and any other conditions."""
    action = draw(st.sampled_from(domain.actions))
    own = [Parameter(one.name.replace("x", "y"), one.types) for one in action.parameters]
    extra = draw_parameters(draw, features, domain.types, "z", MAX_RULE_PARAMETERS - len(own))
    parameters = [*own, *extra]
    terms = terms_of(parameters, domain)
    arguments = []
    for parameter, mine in zip(action.parameters, own, strict=True):
        others = [one.name for one in terms if fits(domain, one, parameter.types)]
        arguments.append(draw(st.sampled_from(others)) if rarely(draw, 6) else mine.name)
    binding = dict(zip((one.name for one in action.parameters), arguments, strict=True))
    atoms = all_well_typed(domain, domain.predicates, terms)
    sensible = {atom for same in atoms for atom in same}
    sensible |= {Atom(EQUALS, pair) for pair in itertools.permutations([t.name for t in terms], 2)}
    conditions: dict[Atom, Literal] = {}
    for atom, positive in action.precondition:
        condition = semantics.substitute(atom, binding)
        mirrored = Atom(atom.predicate, condition.terms[::-1])
        if atom.predicate == EQUALS and mirrored in conditions:
            continue
        if condition in sensible and not rarely(draw, 6):
            conditions.setdefault(condition, Literal(condition, positive))
    if rarely(draw, 2):
        for literal in draw_literals(draw, atoms, 2):
            conditions.setdefault(literal.atom, literal)
        if not any(atom.predicate == EQUALS for atom in conditions):
            for literal in draw_equalities(draw, features, terms):
                conditions[literal.atom] = literal
    goals = draw_literals(draw, atoms, 2) if rarely(draw, 2) else []
    goals = draw_unwanted(draw, features, domain, goals)
    return Rule(
        f"r{i}",
        tuple(draw(st.permutations(parameters))),
        tuple(conditions.values()),
        tuple(goals),
        action.name,
        tuple(arguments),
    )


def _extended(
    draw: st.DrawFn, features: Features, rule: Rule, domain: Domain, derived: Sequence[Predicate]
) -> Rule:
    """The rule with conditions on derived predicates, on paths and with `_`."""
    terms = terms_of(rule.parameters, domain)
    known, count = [*domain.predicates, *derived], draw(st.integers(0, 2))
    added = draw_conditions(draw, features, domain, terms, derived, known, count)
    held = {literal.atom for literal in rule.preconditions}
    if any(atom.predicate == EQUALS for atom in held):
        added = tuple(literal for literal in added if literal.atom.predicate != EQUALS)
    new = [literal for literal in added if literal.atom not in held]
    goals = list(rule.goals)
    if rarely(draw, 4):  # on what the goal does not want
        wanted = {literal.atom for literal in rule.goals}
        drawn = draw_goal_conditions(draw, features, domain, terms, [])
        goals += [literal for literal in drawn if literal.atom not in wanted]
    return dataclasses.replace(rule, preconditions=(*rule.preconditions, *new), goals=tuple(goals))


@st.composite
def policies(draw: st.DrawFn, domain: Domain, features: Features = PAPER) -> DecisionList:
    """A decision list of up to four rules that mostly fire, or one that was made for errands."""
    clauses = draw_definitions(draw, features, domain, "d") if features.derived else ()
    if domain is ERRANDS and not rarely(draw, 4):
        policy = draw(errand_policies())
    else:
        count = 0 if rarely(draw, 30) else draw(st.integers(1, 4))
        rules = tuple(_draw_rule(draw, features, domain, i) for i in range(count))
        policy = DecisionList("random", rules)
    if not features.derived:
        return policy
    heads = heads_of(clauses)
    rules = tuple(_extended(draw, features, rule, domain, heads) for rule in policy.rules)
    return DecisionList(policy.name, rules, clauses)


@st.composite
def scenarios(draw: st.DrawFn, *languages: Features) -> Scenario:
    """A problem and a policy, with one of these sets of features."""
    features = draw(st.sampled_from(languages or (PAPER,)))
    problem = draw(problems(features))
    return Scenario(problem, draw(policies(problem.domain, features)))
