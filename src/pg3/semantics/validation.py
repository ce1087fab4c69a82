"""Whether a plan works: a slow, obvious referee that shares no code with the kernel.

The state is a Python set of true atoms, updated action by action; what the domain's axioms say of
it is worked out anew where an action or the goal asks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pg3.errors import Pg3Error, pluralize
from pg3.pddl.model import EQUALS, Action, Atom, Literal, Problem
from pg3.semantics.closure import Axioms

if TYPE_CHECKING:
    from pg3.pddl.plans import GroundAction, Plan


@dataclass(frozen=True, slots=True)
class Validation:
    """The referee's word on a plan.

    `failed_step` (from 1) is the first action that cannot be done, `action` that action, `failed`
    its first false precondition (None if the action itself makes no sense in the problem);
    `missing_goals` are the goals that do not hold at the end of a plan whose every action can be
    done. `cost` counts the actions that were done. `message` says all of it in one sentence.
    """

    valid: bool
    steps: int
    cost: int
    message: str
    failed_step: int | None = None
    action: GroundAction | None = None
    failed: Literal | None = None
    missing_goals: tuple[Literal, ...] = ()

    def __bool__(self) -> bool:
        return self.valid


def validate(problem: Problem, plan: Plan) -> Validation:
    """Whether the plan leads from the initial state to the goal, and if not, the first fault.

    An action needs all its preconditions, derived ones included; its effects delete first and add
    then. With total-cost in the domain the cost is the sum of the actions' costs, otherwise the
    number of steps. A plan that makes no sense is not valid; Pg3Error only where the problem lacks
    the value of a step's cost.
    """
    schemas = {action.name: action for action in problem.domain.actions}
    types = {o.name: o.type for o in problem.all_objects}
    state = set(problem.init)
    axioms = Axioms(problem)
    derived = problem.domain.derived
    cost = 0

    for number, step in enumerate(plan, start=1):
        schema = schemas.get(step.name)
        asks = schema is not None and any(
            literal.atom.predicate in derived for literal in schema.precondition
        )
        known = axioms.closed(state) if asks else state
        reason, failed = _fault(problem, types, known, schema, step)
        if reason or schema is None:
            message = f"step {number}: {step} {reason}"
            return Validation(False, len(plan), cost, message, number, step, failed)
        binding = _binding(schema, step)
        effects = [_ground(effect, binding) for effect in schema.effects]
        state.difference_update(effect.atom for effect in effects if not effect.positive)
        state.update(effect.atom for effect in effects if effect.positive)
        cost += _price(problem, schema, step)

    goals = [Literal(atom) for atom in problem.goal]
    goals += [Literal(atom, False) for atom in problem.negative_goal]
    known = axioms.closed(state) if derived else state
    missing = tuple(goal for goal in goals if not _holds(goal, known))
    return at_the_end(len(plan), cost, missing)


def at_the_end(steps: int, cost: int, missing: tuple[Literal, ...]) -> Validation:
    """The word on a plan whose every action can be done, given the goals that do not hold."""
    if not missing:
        return Validation(True, steps, cost, f"valid: {pluralize(steps, 'step')}, cost {cost}")
    others = len(missing) - 1
    rest = f" and {pluralize(others, 'more goal')}" if others else ""
    message = f"the plan ends without {missing[0]}{rest}"
    return Validation(False, steps, cost, message, missing_goals=missing)


def plan_cost(problem: Problem, plan: Plan) -> int:
    """What the actions of a plan cost together, as in `validate`, without asking if it works."""
    if not problem.domain.has_costs:
        return len(plan)
    schemas = {action.name: action for action in problem.domain.actions}
    return sum(_price(problem, schemas[step.name], step) for step in plan)


def _fault(
    problem: Problem,
    types: dict[str, str],
    state: set[Atom],
    schema: Action | None,
    step: GroundAction,
) -> tuple[str, Literal | None]:
    """Why a step cannot be done, with the false precondition if that is why; "" if it can."""
    if schema is None:
        return f"is no action of domain {problem.domain.name}", None
    if len(step.objects) != len(schema.parameters):
        given = pluralize(len(step.objects), "argument")
        return f"has {given} instead of {len(schema.parameters)}", None
    for name, parameter in zip(step.objects, schema.parameters, strict=True):
        if name not in types:
            return f"names '{name}', which is no object of problem {problem.name}", None
        if not problem.domain.is_a(types[name], parameter.types):
            wanted = " or ".join(parameter.types)
            return f"has {name} ({types[name]}) as {parameter.name}, which must be {wanted}", None
    binding = _binding(schema, step)
    for literal in schema.precondition:
        needed = _ground(literal, binding)
        if not _holds(needed, state):
            return unmet(needed), needed
    return "", None


def unmet(needed: Literal) -> str:
    """What to say of an action whose precondition is false."""
    if needed.positive:
        return f"needs {needed}, which is false"
    return f"needs {needed}, but {needed.atom} is true"


def _binding(schema: Action, step: GroundAction) -> dict[str, str]:
    return {p.name: o for p, o in zip(schema.parameters, step.objects, strict=True)}


def _ground(literal: Literal, binding: dict[str, str]) -> Literal:
    return Literal(_ground_atom(literal.atom, binding), literal.positive)


def _ground_atom(atom: Atom, binding: dict[str, str]) -> Atom:
    return Atom(atom.predicate, tuple([binding.get(term, term) for term in atom.terms]))


def _holds(literal: Literal, state: set[Atom]) -> bool:
    atom = literal.atom
    true = atom.terms[0] == atom.terms[1] if atom.predicate == EQUALS else atom in state
    return true == literal.positive


def _price(problem: Problem, schema: Action, step: GroundAction) -> int:
    if not problem.domain.has_costs:
        return 1
    if not isinstance(schema.cost, Atom):
        return schema.cost or 0
    function = _ground_atom(schema.cost, _binding(schema, step))
    if function not in problem.function_values:
        raise Pg3Error(f"{step} has no cost: problem {problem.name} gives no value for {function}")
    return problem.function_values[function]
