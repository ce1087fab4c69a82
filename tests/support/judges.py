"""Every plan that a test produces, judged by unified-planning's validator as well as by ours.

`conftest` puts the judges behind what makes plans: searches, executions, guided solves and the
plans that a learner learns from. Ours judges every plan but those of large problems with axioms;
unified-planning, thousands of times slower, every plan of a small problem. None that both have
accepted is judged again. How many each has accepted, and how many were left, stands at the end of
the tests' output.
"""

from __future__ import annotations

import contextlib
import functools
import os
import threading
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any
from unittest import mock

import unified_planning.shortcuts as up
from unified_planning import environment
from unified_planning.engines import SequentialPlanValidator, ValidationResultStatus
from unified_planning.plans import ActionInstance, SequentialPlan

from pg3.learning import training
from pg3.pddl.model import EQUALS, Atom, ConditionalEffect, Problem
from pg3.pddl.numbers import comparison_of, is_comparison, is_goal_function
from pg3.planning import Execution, PlanOutcome, hybrid
from pg3.planning import search as planning
from pg3.semantics.task import Task
from pg3.semantics.validation import validate
from tests.oracle.semantics import bindings
from tests.support.faster_validator import KnownProblem, shortcuts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pytest

    from pg3.pddl.model import Action, Domain, Literal
    from pg3.pddl.numbers import Sum
    from pg3.pddl.plans import GroundAction

# What is small to the slow judge: so many steps of a plan, of 1.3 milliseconds each. In the time of
# a step it reads INIT atoms of a problem; to begin with a plan at all takes OPENING of them.
# `make test-thorough` raises it.
STEPS = int(os.environ.get("PG3_JUDGED_STEPS", "60"))
INIT = 15
OPENING = 4
# Longer plans are not even written out: the kernel's checker has them.
LONGEST = max(6_000, STEPS)

# To see where axioms hold takes our validator a tenth of a second with so many bindings, all steps
# together.
BINDINGS = 10_000

# How many plans each judge has accepted in this process, and how many were left.
OURS = "accepted by our validator"
THEIRS = "accepted by unified-planning"
AGAIN = "the same again"
LARGE = "of large problems, left to ours"
AXIOMS = "with axioms, left to ours"
TOO_WIDE = "with axioms, of large problems, not judged"
TOO_LONG = f"over {LONGEST:,} steps, left to the kernel's checker"
judged: Counter[str] = Counter()

# Of the plans that all their judges have accepted in this process: none is judged twice.
_accepted: set[int] = set()


class _Language:
    """What a domain's problems share in unified-planning, types and costs compiled away.

    Its notion of types is narrower than PDDL's: so each set of types that a parameter accepts
    becomes a predicate that never changes, and likewise each cost function becomes the relation
    "has a value here".
    """

    def __init__(self, domain: Domain) -> None:
        # Most of the time that it takes to make an environment goes into looking for planners,
        # which a validator does not need.
        with mock.patch("unified_planning.engines.Factory"):
            self._environment = environment.Environment()
        self.fluents: dict[str, Any] = {}
        self.kinds: dict[tuple[str, ...], str] = {}
        self.actions: dict[object, Any] = {}
        self.ground_actions: dict[Any, Any] = {}
        self.num_problems = 0
        with self.as_global():
            self.thing = up.UserType("thing")
            self._declare_all(domain)

    @contextlib.contextmanager
    def as_global(self) -> Iterator[None]:
        """Not everything in unified-planning takes an environment as an argument."""
        before = environment.GLOBAL_ENVIRONMENT
        environment.GLOBAL_ENVIRONMENT = self._environment
        try:
            yield
        finally:
            environment.GLOBAL_ENVIRONMENT = before

    def _declare_all(self, domain: Domain) -> None:
        for predicate in domain.predicates:
            if not is_comparison(predicate.name):
                self._declare(f"p {predicate.name}", predicate.arity)
        for action in domain.actions:
            for parameter in action.parameters:
                if parameter.types not in self.kinds:
                    self.kinds[parameter.types] = f"t {len(self.kinds)}"
                    self._declare(self.kinds[parameter.types], 1)
        for function in domain.functions:
            self._declare(f"f {function.name}", function.arity)
            self._declare(f"n {function.name}", function.arity, is_number=True)

    def _declare(self, name: str, arity: int, *, is_number: bool = False) -> None:
        places = {f"x{i}": self.thing for i in range(arity)}
        kind = up.RealType() if is_number else up.BoolType()
        self.fluents[name] = up.Fluent(name, kind, **places)


# So many problems have a language in common. It holds on to all their expressions, so it is given
# up then, or the tests' memory would grow without end.
SHARED = 100


@functools.lru_cache(maxsize=4)
def _shared_language(domain: Domain) -> list[_Language]:
    return [_Language(domain)]


def _language(domain: Domain) -> _Language:
    """A language for one more problem; actions that depend on the problem's goal share none."""
    if any(action.conditional or action.numeric for action in domain.actions) or any(
        is_comparison(predicate.name) for predicate in domain.predicates
    ):
        return _Language(domain)
    held = _shared_language(domain)
    if held[0].num_problems == SHARED:
        held[0] = _Language(domain)
    held[0].num_problems += 1
    return held[0]


class Translation:
    """A problem as unified-planning has it."""

    def __init__(self, problem: Problem) -> None:
        self._source = problem
        self._language = _language(problem.domain)
        self._fluents = self._language.fluents
        self.actions = self._language.actions
        with self._language.as_global():
            self._translate(problem)

    def _translate(self, problem: Problem) -> None:
        domain, kinds = problem.domain, self._language.kinds
        self.problem: Any = KnownProblem("translated")
        self.problem.ground_actions = self._language.ground_actions
        thing = self._language.thing
        self._objects = {o.name: up.Object(o.name, thing) for o in problem.all_objects}
        self.problem.add_objects(self._objects.values())
        for fluent in self._fluents.values():
            self.problem.add_fluent(
                fluent, default_initial_value=False if fluent.type.is_bool_type() else 0
            )
        # Conditional effects are written out for the steps of a plan.
        self._is_ground = any(action.conditional for action in domain.actions)
        if not self._is_ground:
            if not self.actions:
                made = {action.name: self._action(action, kinds) for action in domain.actions}
                self.actions.update(made)
            self.problem.add_actions(self.actions.values())
        for atom in problem.init:
            self._set("p", atom)
        for atom, value in problem.function_values.items():
            if not is_goal_function(atom.predicate):
                self._set("f", atom)
                number = self._atom("n", atom, self._objects)
                self.problem.set_initial_value(number, Fraction(value))
        for types, kind in kinds.items():
            for one in problem.all_objects:
                if domain.is_a(one.type, types):
                    self.problem.set_initial_value(
                        self._fluents[kind](self._objects[one.name]), True
                    )
        for literal in problem.goal_literals:
            condition = self._condition(literal, self._objects)
            self.problem.add_goal(condition if literal.positive else up.Not(condition))

    def _set(self, kind: str, atom: Atom) -> None:
        self.problem.set_initial_value(self._atom(kind, atom, self._objects), True)

    def _atom(self, kind: str, atom: Atom, terms: dict[str, Any]) -> Any:
        return self._fluents[f"{kind} {atom.predicate}"](*(terms[term] for term in atom.terms))

    def _action(self, action: Action, kinds: dict[tuple[str, ...], str]) -> Any:
        names = {parameter.name: self._language.thing for parameter in action.parameters}
        made: Any = up.InstantaneousAction(action.name, **names)
        terms = self._objects | {name: made.parameter(name) for name in names}
        for parameter in action.parameters:
            made.add_precondition(self._fluents[kinds[parameter.types]](terms[parameter.name]))
        if isinstance(action.cost, Atom):
            made.add_precondition(self._atom("f", action.cost, terms))
        for literal in action.precondition:
            condition = self._condition(literal, terms)
            made.add_precondition(condition if literal.positive else up.Not(condition))
        # Written twice, an atom that is deleted and added would be refused: adding wins.
        adds = {effect.atom for effect in action.effects if effect.positive}
        for effect in action.effects:
            if effect.positive or effect.atom not in adds:
                made.add_effect(self._atom("p", effect.atom, terms), effect.positive)
        self._add_changes(made, action, terms)
        return made

    def _add_changes(self, made: Any, action: Action, terms: dict[str, Any]) -> None:
        """What an action does to numbers, which must have values."""
        for effect in action.numeric:
            function = Atom(effect.function.name, effect.function.terms)
            amount, known = self._sum(effect.amount, terms)
            for defined in (self._atom("f", function, terms), *known):
                made.add_precondition(defined)
            change = {
                "increase": made.add_increase_effect,
                "decrease": made.add_decrease_effect,
                "assign": made.add_effect,
            }[effect.word]
            change(self._atom("n", function, terms), amount)

    def _sum(self, total: Sum, terms: dict[str, Any]) -> tuple[Any, list[Any]]:
        """A sum of numbers, and the conditions that its functions have values."""
        parts, known = [up.Real(Fraction(total.constant))], []
        for coefficient, function in total.functions:
            if function.goal:
                value = self._source.number_at_goal(function)
                known.append(up.TRUE() if value is not None else up.FALSE())
                parts.append(up.Real(Fraction(value or 0)))
                continue
            atom = Atom(function.name, function.terms)
            known.append(self._atom("f", atom, terms))
            number = self._atom("n", atom, terms)
            parts.append(up.Times(up.Real(Fraction(coefficient)), number))
        return up.Plus(*parts), known

    def _condition(self, literal: Literal, terms: dict[str, Any]) -> Any:
        if literal.atom.predicate == EQUALS:
            return up.Equals(*(terms[term] for term in literal.atom.terms))
        if is_comparison(literal.atom.predicate):
            comparison = comparison_of(literal.atom.predicate)
            binding = dict(zip(comparison.places, literal.atom.terms, strict=True))
            left, known = self._sum(comparison.left.substitute(binding), terms)
            right, more = self._sum(comparison.right.substitute(binding), terms)
            compare = {"<": up.LT, "<=": up.LE, "=": up.Equals, ">=": up.GE, ">": up.GT}
            return up.And(*known, *more, compare[comparison.word](left, right))
        return self._atom("p", literal.atom, terms)

    def _step(self, step: GroundAction) -> Any:
        """A ground action; an atom is deleted only where nothing adds it."""
        if step in self.actions:
            return self.actions[step]
        schema = self._source.domain.action(step.name)
        action = schema.ground(step.objects)
        made: Any = up.InstantaneousAction(f"{step} {len(self.actions)}")
        for literal in action.precondition:
            condition = self._condition(literal, self._objects)
            made.add_precondition(condition if literal.positive else up.Not(condition))
        changes: dict[tuple[bool, Atom], list[Any]] = {}
        for effect in (ConditionalEffect((), (), action.effects), *action.conditional):
            for binding in bindings(self._source, effect.variables):
                ground = effect.substitute(binding)
                conditions = [
                    self._condition(one, self._objects)
                    if one.positive
                    else up.Not(self._condition(one, self._objects))
                    for one in ground.conditions
                ]
                for atom, positive in ground.effects:
                    whole = up.And(*conditions) if conditions else up.TRUE()
                    changes.setdefault((positive, atom), []).append(whole)
        for (positive, atom), reasons in changes.items():
            condition = up.Or(*reasons)
            if not positive and (True, atom) in changes:
                condition = up.And(condition, up.Not(up.Or(*changes[True, atom])))
            made.add_effect(self._atom("p", atom, self._objects), positive, condition)
        self._add_changes(made, action, self._objects)
        self.problem.add_action(made)
        self.actions[step] = made
        return made

    def accepts(self, plan: Sequence[GroundAction]) -> bool:
        """Whether unified-planning finds the plan valid."""
        with self._language.as_global(), shortcuts(), SequentialPlanValidator() as validator:
            if self._is_ground:
                own = [ActionInstance(self._step(step), ()) for step in plan]
                result = validator.validate(self.problem, SequentialPlan(own))
                return bool(result.status == ValidationResultStatus.VALID)
            steps = [
                ActionInstance(self.actions[name], tuple(self._objects[o] for o in objects))
                for name, objects in plan
            ]
            result = validator.validate(self.problem, SequentialPlan(steps))
        return bool(result.status == ValidationResultStatus.VALID)


@functools.lru_cache(maxsize=8)
def _translation(problem: Problem) -> Translation:
    return Translation(problem)


def _num_bindings(problem: Problem) -> int:
    """In how many ways the objects can stand for the variables of one axiom."""
    widths = (len(axiom.parameters) + len(axiom.variables) for axiom in problem.domain.axioms)
    return int(len(problem.all_objects) ** max(widths, default=0))


class Judges:
    """The judges during one test."""

    def __init__(self, steps: int = STEPS) -> None:
        self._steps = steps
        self._later: list[tuple[Problem, tuple[GroundAction, ...]]] = []

    def judge(self, problem: Problem | Task, plan: Sequence[GroundAction]) -> None:
        """Fail unless all judges accept the plan."""
        problem = Task.of(problem).problem
        plan = tuple(plan)
        if _num_bindings(problem) * len(plan) > BINDINGS:
            judged[TOO_WIDE] += 1
            return
        key = hash((problem, plan))
        if key in _accepted:
            judged[AGAIN] += 1
            return
        verdict = validate(problem, plan)
        assert verdict.valid, f"our validator rejects a plan: {verdict.message}"
        judged[OURS] += 1
        # unified-planning knows no axioms; Fast Downward does: tests/semantics/test_axioms.py.
        if problem.domain.axioms:
            judged[AXIOMS] += 1
            _accepted.add(key)
            return
        # unified-planning has one environment for all threads, and turns warnings off for all.
        if threading.current_thread() is threading.main_thread():
            self._ask(problem, plan)
        else:
            self._later.append((problem, plan))

    def finish(self) -> None:
        """Judge what came from other threads than the main one."""
        for problem, plan in self._later:
            self._ask(problem, plan)

    def _ask(self, problem: Problem, plan: tuple[GroundAction, ...]) -> None:
        if OPENING + len(plan) + len(problem.init) // INIT > self._steps:
            judged[LARGE] += 1
            return
        key = hash((problem, plan))
        if key in _accepted:  # since it was put aside
            judged[AGAIN] += 1
            return
        assert _translation(problem).accepts(plan), f"unified-planning rejects {plan}"
        _accepted.add(key)
        judged[THEIRS] += 1


def watch(monkeypatch: pytest.MonkeyPatch) -> Judges:
    """Put the judges behind everything that makes plans, while the test runs."""
    judges = Judges()
    search, construct = planning._search, Execution.__init__
    outcome, guided = hybrid._Search.outcome, training.Training.guided_plan

    def judged_search(problem: Problem | Task, *arguments: Any) -> PlanOutcome:
        found = search(problem, *arguments)
        if found.plan is not None:
            judges.judge(problem, found.plan)
        return found

    def judged_execution(self: Execution, *arguments: Any) -> None:
        construct(self, *arguments)
        if self.solved and self.steps <= LONGEST:
            judges.judge(self._task, self.plan)
        elif self.solved:
            judged[TOO_LONG] += 1

    def judged_outcome(self: Any, *arguments: Any) -> hybrid.GuidedSolve:
        found = outcome(self, *arguments)
        if found.plan is not None and len(found.plan) <= LONGEST:
            judges.judge(self._task, found.plan)
        elif found.plan is not None:
            judged[TOO_LONG] += 1
        return found

    def judged_guided(self: training.Training, policy: Any, problem: int, *rest: Any) -> Any:
        found = guided(self, policy, problem, *rest)
        if found is not None:
            task = self.tasks[problem]
            judges.judge(task, [task.decode_action(action) for action in found])
        return found

    monkeypatch.setattr(planning, "_search", judged_search)
    monkeypatch.setattr(Execution, "__init__", judged_execution)
    monkeypatch.setattr(hybrid._Search, "outcome", judged_outcome)
    monkeypatch.setattr(training.Training, "guided_plan", judged_guided)
    return judges
