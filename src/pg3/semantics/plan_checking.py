"""Whether a plan works, for plans of a million steps: `validation` at the kernel's speed.

The checker in the kernel shares no code with what makes plans. It says what `validation.validate`
says, word for word; where it has no words of its own, or the domain has axioms, it asks that one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3 import _native
from pg3.errors import PlanError
from pg3.pddl.lexer import check_text, read_source
from pg3.pddl.model import Literal
from pg3.pddl.plans import plan_of
from pg3.semantics.validation import Validation, at_the_end, unmet, validate

if TYPE_CHECKING:
    from pathlib import Path

    from pg3.semantics.task import Task


def check_codes(task: Task, codes: bytes) -> Validation:
    """Whether a plan in the kernel's code (see `Task.decode_plan`) solves the task."""
    if task.domain.axioms:
        return validate(task.problem, task.decode_plan(codes))
    valid, steps, cost, failed_step, obstacle, missing, violated = _native.check_plan(
        task.native, codes
    )
    problem = task.problem
    if valid:
        return at_the_end(steps, cost, ())
    if failed_step < 0:
        return at_the_end(
            steps,
            cost,
            (
                *(Literal(problem.goal[place]) for place in missing),
                *(Literal(problem.negative_goal[place], False) for place in violated),
            ),
        )
    plan = task.decode_plan(codes)
    action = plan[failed_step]
    schema = task.domain.actions[task.domain.action_index[action.name]]
    if obstacle >= len(schema.precondition):
        return validate(problem, plan)
    binding = dict(zip((p.name for p in schema.parameters), action.objects, strict=True))
    atom, positive = schema.precondition[obstacle]
    terms = tuple(binding.get(term, term) for term in atom.terms)
    needed = Literal(atom._replace(terms=terms), positive)
    number = failed_step + 1
    message = f"step {number}: {action} {unmet(needed)}"
    return Validation(False, steps, cost, message, number, action, needed)


def check_file(task: Task, path: str | Path) -> Validation:
    """Whether the plan in a file solves the task; PlanError if the file is no plan for it.

    A file in the plain form, one `(action object ...)` after the other, is read by the kernel; any
    other, and any that it does not understand, by `plans.plan_of`.
    """
    source = read_source(path)
    check_text(source, PlanError)
    codes, fault = _native.read_plan(_native.Tokens(source.data), plan_names(task))
    if fault < 0:
        verdict = check_codes(task, codes)
        # A wrong type is an error of the file, with a place, not a step that fails.
        if verdict.valid or verdict.failed is not None or verdict.missing_goals:
            return verdict
    # Not from the path again: a pipe can be read only once.
    return validate(task.problem, plan_of(source, task.problem))


def plan_names(task: Task) -> _native.NameCode:
    """The names that the kernel needs to read or write plans of the task."""
    actions = [(action.name, len(action.parameters)) for action in task.domain.actions]
    return actions, task.names
