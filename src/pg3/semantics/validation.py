"""Whether a plan is valid.

`validate` is slow, obvious and shares no code with the kernel: the state is a Python set of true
atoms, updated action by action, and derived atoms are computed anew where an action or the goal
needs them. `validate_codes` and `validate_file` are for plans of a million steps: the kernel's
checker, which shares no code with its searches, looks for the fault; the message is that of
`validate`, word for word. They call `validate` where the domain has axioms, and where the fault is
not a false precondition or goal.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pg3 import _native
from pg3.errors import Pg3Error, PlanError, pluralize
from pg3.pddl.given import as_problem
from pg3.pddl.lexer import check_text, read_source
from pg3.pddl.model import Action, Atom, Literal, Problem, disjunction_text
from pg3.pddl.numbers import is_comparison
from pg3.pddl.plans import GroundAction, plan_of, read_plan
from pg3.semantics.datalog import Program, holds
from pg3.semantics.effects import Effects
from pg3.semantics.numbers import Values

if TYPE_CHECKING:
    from pathlib import Path

    from pg3.pddl.given import PathLike, ProblemLike
    from pg3.pddl.model import Disjunction
    from pg3.pddl.plans import Plan
    from pg3.semantics.task import Task


@dataclass(frozen=True, slots=True)
class Validation:
    """Whether a plan is valid, and if not, why.

    `failed_step` (from 1) is the first step that cannot be done, `action` its action, `failed` its
    first false precondition (None if it is no ground action of the problem). `missing_goals` are
    the goals that do not hold at the end of a plan whose every step can be done. `cost` is that of
    the steps that were done. `message` says all of it in one sentence.
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

    def __str__(self) -> str:
        return self.message if self.valid else f"invalid: {self.message}"


def validate(problem: ProblemLike, plan: Plan | PathLike) -> Validation:
    """Whether the plan leads from the initial state to the goal, and if not, the first fault.

    An action needs all its preconditions, derived ones included; its effects first delete, then
    add. With total-cost in the domain the cost is the sum of the actions' costs, otherwise the
    number of steps. A step that is no ground action makes the plan invalid; Pg3Error only if the
    problem does not give the cost of a step. Problem and plan may be paths.
    """
    problem = as_problem(problem)
    if isinstance(plan, str | os.PathLike):
        plan = read_plan(plan, problem)
    for step in plan if isinstance(plan, Sequence) else [plan]:
        if not isinstance(step, GroundAction):
            raise Pg3Error(f"a plan or its path is expected, but {step!r} is no action")
    domain = problem.domain
    types = {o.name: o.type for o in problem.all_objects}
    state = set(problem.initial_state)
    effects = Effects(problem)
    axioms = Program(domain.axioms, problem)
    by_axioms = {clause.name for clause in domain.axioms}
    # Kept from step to step: a large problem has many values.
    values = Values(problem, state) if domain.has_numbers else None
    cost = 0

    for number, step in enumerate(plan, start=1):
        if fault := _step_fault(problem, types, step):
            message = f"step {number}: {step} {fault}"
            return Validation(False, len(plan), cost, message, number, step)
        action = domain.action(step.name).ground(step.objects)
        asks = any(literal.atom.predicate in by_axioms for literal in action.precondition)
        known = axioms.closed(state) if asks else state
        for needed in action.precondition:
            if values is not None and is_comparison(needed.atom.predicate):
                is_true = values.holds(needed.atom) == needed.positive
            else:
                is_true = holds(needed, known)
            if not is_true:
                return _inapplicable(len(plan), cost, number, step, needed)
        if values is not None and (unknown := _unknown_number(values, action)) is not None:
            message = f"step {number}: {step} needs {unknown}, which has no value"
            return Validation(False, len(plan), cost, message, number, step)
        adds, deletes = effects.changes(step, state, values)
        state -= deletes
        state |= adds
        if values is not None:
            values.update(adds)
        cost += _cost_of(problem, action, step)

    if names := _goal_comparisons(problem):
        axioms = Program(domain.axioms, problem, names)
    known = axioms.closed(state) if domain.derived or names else state
    missing = tuple(goal for goal in problem.goal_literals if not holds(goal, known))
    open_ = tuple(
        one
        for one in problem.disjunctions
        if not any(all(holds(literal, known) for literal in part) for part in one)
    )
    return _at_the_end(problem, len(plan), cost, missing, open_)


def validate_codes(task: Task, codes: bytes) -> Validation:
    """The same for a plan in the kernel's code (see `Task.decode_plan`), fast."""
    if task.domain.axioms or task.problem.disjunctions:
        return validate(task.problem, task.decode_plan(codes))
    valid, steps, cost, failed_step, obstacle, missing, violated = _native.check_plan(
        task.native, codes
    )
    problem = task.problem
    if valid or failed_step < 0:
        goals = (
            *(Literal(problem.goal[place]) for place in missing),
            *(Literal(problem.negative_goal[place], False) for place in violated),
        )
        return _at_the_end(problem, steps, cost, goals)
    plan = task.decode_plan(codes)
    step = plan[failed_step]
    schema = task.domain.action(step.name)
    if obstacle >= len(schema.precondition):
        return validate(problem, plan)
    needed = schema.ground(step.objects).precondition[obstacle]
    return _inapplicable(steps, cost, failed_step + 1, step, needed)


def validate_file(task: Task, path: str | Path) -> Validation:
    """The same for the plan in a file, fast; PlanError if the file is no plan for the task.

    The kernel reads a file in the plain form, one `(action object ...)` after the other. Any other,
    and any that it does not understand, `plans.plan_of` reads.
    """
    source = read_source(path)
    check_text(source, PlanError)
    codes, fault = _native.read_plan(_native.Tokens(source.data), plan_names(task))
    if fault < 0:
        verdict = validate_codes(task, codes)
        # A wrong type is an error of the file, with a place, not a step that fails.
        if verdict.valid or verdict.failed is not None or verdict.missing_goals:
            return verdict
    # Not from the path again: a pipe can be read only once.
    return validate(task.problem, plan_of(source, task.problem))


def plan_names(task: Task) -> _native.NameCode:
    """The names that the kernel needs to read or write plans of the task."""
    actions = [(action.name, len(action.parameters)) for action in task.domain.actions]
    return actions, task.names


def _at_the_end(
    problem: Problem,
    steps: int,
    cost: int,
    missing: tuple[Literal, ...],
    disjunctions: tuple[Disjunction, ...] = (),
) -> Validation:
    """The result for a plan whose every action can be done, given the goals that do not hold."""
    if not missing and not disjunctions:
        return Validation(True, steps, cost, f"valid: {pluralize(steps, 'step')}, cost {cost}")
    others = len(missing) + len(disjunctions) - 1
    rest = f" and {pluralize(others, 'more goal')}" if others else ""
    first = problem.goal_text(missing[0]) if missing else disjunction_text(disjunctions[0])
    message = f"the plan ends without {first}{rest}"
    return Validation(False, steps, cost, message, missing_goals=missing)


def _inapplicable(
    steps: int, cost: int, number: int, step: GroundAction, needed: Literal
) -> Validation:
    """The result for a plan with a step whose precondition is false."""
    truth = "which is false" if needed.positive else f"but {needed.atom} is true"
    message = f"step {number}: {step} needs {needed}, {truth}"
    return Validation(False, steps, cost, message, number, step, needed)


def without_value(problem: Problem, action: Action) -> str | None:
    """The function that a ground action cannot be done for: nothing gives it a value later."""
    if isinstance(action.cost, Atom) and action.cost not in problem.function_values:
        return str(action.cost)
    return _unknown_number(Values(problem, problem.initial_state), action)


def _unknown_number(values: Values, action: Action) -> str | None:
    """A function without a value that a ground action changes, or changes others by."""
    for effect in action.numeric:
        for function in (effect.function, *(f for _, f in effect.amount.functions)):
            if values.of(function) is None:
                return str(function)
    return None


def _goal_comparisons(problem: Problem) -> tuple[str, ...]:
    """The comparisons in disjunctions of the goal, which the domain may not have."""
    names = (a.predicate for one in problem.disjunctions for part in one for a, _ in part)
    return tuple(name for name in names if is_comparison(name))


def plan_cost(problem: Problem, plan: Plan) -> int:
    """What the actions of a plan cost together, as in `validate`; the plan is not checked."""
    if not problem.domain.has_costs:
        return len(plan)
    ground = ((step, problem.domain.action(step.name).ground(step.objects)) for step in plan)
    return sum(_cost_of(problem, action, step) for step, action in ground)


def _step_fault(problem: Problem, types: dict[str, str], step: GroundAction) -> str:
    """Why a step is no ground action of the problem; "" if it is one."""
    if step.name not in problem.domain.action_index:
        return f"is no action of domain {problem.domain.name}"
    schema = problem.domain.action(step.name)
    if len(step.objects) != len(schema.parameters):
        given = pluralize(len(step.objects), "argument")
        return f"has {given} instead of {len(schema.parameters)}"
    for name, parameter in zip(step.objects, schema.parameters, strict=True):
        if name not in types:
            return f"names '{name}', which is no object of problem {problem.name}"
        if not problem.domain.is_a(types[name], parameter.types):
            wanted = " or ".join(parameter.types)
            return f"has {name} ({types[name]}) as {parameter.name}, which must be {wanted}"
    return ""


def _cost_of(problem: Problem, action: Action, step: GroundAction) -> int:
    """The cost of a ground action."""
    if not problem.domain.has_costs:
        return 1
    if not isinstance(action.cost, Atom):
        return action.cost or 0
    if action.cost not in problem.function_values:
        raise Pg3Error(
            f"{step} has no cost: problem {problem.name} gives no value for {action.cost}"
        )
    price = problem.function_values[action.cost]
    assert isinstance(price, int)
    return price
