"""Why a policy does what it does on a problem, step by step, as values.

`explain` executes the policy once. Each step is explained on demand, so a plan of 100,000 steps
costs no more than the steps that are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from pg3.analysis.explain import text
from pg3.analysis.explain.matching import (
    BUDGET,
    NearMiss,
    RuleMatcher,
    goal_of,
    unify,
)
from pg3.analysis.explain.reasons import Reason, Reasons
from pg3.errors import ArgumentError, pluralize
from pg3.pddl.model import Atom
from pg3.planning import ExecutionStatus, Limits, execute
from pg3.planning.agent import Agent
from pg3.policy.derived import comparisons_in
from pg3.semantics.datalog import Binding, Condition, Program, holds
from pg3.semantics.effects import Effects
from pg3.semantics.task import Task
from pg3.semantics.validation import without_value

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from pg3.pddl.given import ProblemLike
    from pg3.pddl.model import Action, Literal, Problem
    from pg3.pddl.plans import GroundAction
    from pg3.planning import Execution
    from pg3.policy.files import PolicyLike
    from pg3.policy.model import DecisionList, Rule
    from pg3.semantics.task import State

# One state in so many is stored; the others are recomputed from it.
_STRIDE = 64
# So many states are kept with what follows from them.
_CLOSED = 4


@dataclass(frozen=True, slots=True)
class Firing:
    """A rule that applies: its place in the policy, its objects and the action it chooses.

    `serves` are its goal conditions with these objects.
    """

    rule: int
    binding: Binding
    action: GroundAction
    serves: tuple[Literal, ...]

    @property
    def aims(self) -> tuple[Literal, ...]:
        """The goals of the problem that its goal conditions ask for."""
        return tuple(goal_of(goal.atom) for goal in self.serves if goal.positive)


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A rule that does not apply, with its nearest binding."""

    rule: int
    miss: NearMiss


@dataclass(frozen=True, slots=True)
class Step:
    """What the policy does in one state, and why.

    `number` counts from 1. `firing` is None if no rule applies, which ends the execution; `missing`
    is what the chosen action needs and does not have, None if it can be done: the first false
    precondition, or a function that has no value. `achieves` and `undoes` are the goals that the
    action makes true and false; `next_goal` is the first goal that this step or a later one
    achieves, with the number of that step. `measure` says what a proof measures by, and the step
    makes smaller, if there is a proof.
    """

    number: int
    passed_over: tuple[PassedOver, ...]
    firing: Firing | None
    missing: str | None
    added: tuple[Atom, ...]
    deleted: tuple[Atom, ...]
    achieves: tuple[Literal, ...]
    undoes: tuple[Literal, ...]
    next_goal: tuple[Literal, int] | None
    measure: str | None = None


class Ranking(Protocol):
    """Why the policy ends, as a proof knows it."""

    def measure(self, problem: Problem, rule: Rule, before: State, after: State) -> str | None:
        """In words what a step of a rule makes smaller; None if the proof is not about it."""


@dataclass(frozen=True)
class Explanation:
    """A policy on a problem: the plan, how it ended, and every step on demand."""

    problem: Problem
    policy: DecisionList
    execution: Execution
    budget: int = BUDGET
    ranking: Ranking | None = None
    _states: dict[int, State] = field(default_factory=dict, repr=False)
    _closed: dict[State, AbstractSet[Atom]] = field(default_factory=dict, repr=False)
    _latest: dict[int, State] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        return f"<explanation of {self.execution!r}>"

    def __str__(self) -> str:
        return text.tell(self)

    @property
    def plan(self) -> tuple[GroundAction, ...]:
        """The actions that were done."""
        return self.execution.plan

    @property
    def status(self) -> ExecutionStatus:
        """How the execution ended."""
        return self.execution.status

    @cached_property
    def goals(self) -> tuple[Literal, ...]:
        """What the problem wants."""
        return self.problem.goal_literals

    @cached_property
    def cycle_start(self) -> int | None:
        """On a cycle: the step before which the state was the same as at the end."""
        if self.status is not ExecutionStatus.CYCLE:
            return None
        last = self.state(len(self.plan))
        return next(i for i, state in enumerate(self._all_states()) if state == last) + 1

    @property
    def ending(self) -> str:
        """Why the execution stopped, in a sentence."""
        steps = len(self.plan)
        if self.status is ExecutionStatus.SOLVED:
            return "the goal is reached" if steps else "the goal holds from the start"
        if self.status is ExecutionStatus.CYCLE:
            return (
                f"it goes round in a cycle: after step {steps} everything is as before step "
                f"{self.cycle_start}, so these {steps - (self.cycle_start or 1) + 1} steps would "
                "be repeated for ever"
            )
        # The number of steps is told beside it.
        reason = self.execution.reason or str(self.status)
        return reason.removesuffix(f" after {pluralize(steps, 'step')}")

    def open_goals(self, state: State) -> tuple[Literal, ...]:
        """The goals that are false in a state."""
        known = self.closed(state)
        return tuple(goal for goal in self.goals if not holds(goal, known))

    @property
    def actions_of_no_rule(self) -> tuple[str, ...]:
        """The actions of the domain that the policy never does: perhaps one of them is missing."""
        done = {rule.action for rule in self.policy.rules}
        return tuple(a.name for a in self.problem.domain.actions if a.name not in done)

    def goals_of_no_rule(self, goals: Iterable[Literal]) -> tuple[Literal, ...]:
        """Those of some goals that no rule and no definition asks for.

        None of them if the policy never asks for goals.
        """
        named = [goal for rule in self.policy.rules for goal in rule.goals]
        named += [goal for clause in self.policy.definitions for goal in clause.goals]
        asked = [goal_of(goal.atom) for goal in named if goal.positive]
        if not asked:
            return ()
        return tuple(
            goal
            for goal in goals
            if not any(
                pattern.predicate == goal.atom.predicate
                and positive == goal.positive
                and unify(pattern, goal.atom) is not None
                for pattern, positive in asked
            )
        )

    @property
    def stops_short(self) -> bool:
        """Whether there is a state after the last step in which the policy is stuck."""
        return self.status is ExecutionStatus.NOT_APPLICABLE

    @property
    def steps(self) -> int:
        """The number of steps to explain: those done, and the one that could not be done."""
        return len(self.plan) + self.stops_short

    def state(self, after: int) -> State:
        """The state after so many steps."""
        states = self._states | self._latest
        known = max((i for i in states if i <= after), default=0)
        state = set(states[known] if known else self.problem.initial_state)
        for i in range(known, after):
            self._apply(state, self.plan[i])
            if (i + 1) % _STRIDE == 0 and i + 1 not in self._states:
                self._states[i + 1] = frozenset(state)
        found = frozenset(state)
        # Steps are mostly asked for one after the other: the last one asked for is kept, too.
        self._latest.clear()
        self._latest[after] = found
        return found

    def _all_states(self) -> Iterator[State]:
        state = set(self.problem.initial_state)
        yield frozenset(state)
        for action in self.plan:
            self._apply(state, action)
            yield frozenset(state)

    def _apply(self, state: set[Atom], action: GroundAction) -> None:
        adds, deletes = self._effects.changes(action, state)
        state -= deletes
        state |= adds

    @cached_property
    def _effects(self) -> Effects:
        return Effects(self.problem)

    def _ground(self, action: GroundAction) -> Action:
        return self.problem.domain.action(action.name).ground(action.objects)

    @cached_property
    def _matchers(self) -> tuple[RuleMatcher, ...]:
        return tuple(RuleMatcher(rule, self.problem) for rule in self.policy.rules)

    @cached_property
    def _axioms(self) -> Program:
        return Program(self.problem.domain.axioms, self.problem)

    def closed(self, state: State) -> AbstractSet[Atom]:
        """The state with what the domain's axioms derive."""
        found = self._closed.get(state)
        if found is None:
            found = self._axioms.closed(state)
            # A step is told of the states before and after it, several times each.
            if len(self._closed) == _CLOSED:
                del self._closed[next(iter(self._closed))]
            self._closed[state] = found
        return found

    @cached_property
    def _axioms_and_definitions(self) -> Program:
        clauses = (*self.problem.domain.axioms, *self.policy.definitions)
        return Program(clauses, self.problem, self._own_comparisons)

    @cached_property
    def _own_comparisons(self) -> tuple[str, ...]:
        """The comparisons of the policy that the domain does not have."""
        known = self.problem.domain.comparisons
        return tuple(name for name in comparisons_in(self.policy) if name not in known)

    def _derived(self, state: State) -> AbstractSet[Atom]:
        if not self.policy.definitions and not self._own_comparisons:
            return self.closed(state)
        return self._axioms_and_definitions.closed(state)

    def firing(self, state: State) -> Firing | None:
        """The rule that acts in a state, or None."""
        known = self._derived(state)
        for index, matcher in enumerate(self._matchers):
            binding = matcher.first_match(known)
            if binding is not None:
                rule = matcher.rule
                serves = tuple(goal.substitute(binding) for goal in rule.goals)
                return Firing(index, binding, rule.ground_action(binding), serves)
        return None

    def step(self, number: int, *, near_misses: bool = True) -> Step:
        """The step with a number from 1 to `steps`; faster without near misses.

        IndexError if there is no such step.
        """
        if not 1 <= number <= self.steps:
            raise IndexError(f"there is no step {number}")
        state = self.state(number - 1)
        firing = self.firing(state)
        before = len(self.policy.rules) if firing is None else firing.rule
        known = self._derived(state)
        passed = tuple(
            PassedOver(i, self._matchers[i].nearest(known, self.budget))
            for i in range(before if near_misses else 0)
        )
        done = number <= len(self.plan)
        assert not done or (firing is not None and firing.action == self.plan[number - 1])
        if not done:
            missing = None if firing is None else self._missing(firing.action, state)
            return Step(number, passed, firing, missing, (), (), (), (), None)
        after = self.state(number)
        measure = None
        if self.ranking is not None and firing is not None:
            rule = self.policy.rules[firing.rule]
            measure = self.ranking.measure(self.problem, rule, state, after)
        return Step(
            number,
            passed,
            firing,
            None,
            _in_order(after - state),
            _in_order(state - after),
            self._changed(state, after),
            self._changed(after, state),
            self._next_goal(number),
            measure,
        )

    @cached_property
    def end(self) -> Step:
        """The last step; IndexError if there is none."""
        return self.step(self.steps)

    def walk(self) -> Iterator[Step]:
        """Every step without near misses, in order: the fast way through a long plan."""
        agent = Agent(self.problem, self.policy)
        state = set(self.problem.initial_state)
        derived = self.problem.domain.derived & {goal.atom.predicate for goal in self.goals}
        for number, action in enumerate(self.plan, start=1):
            chosen = agent.step()
            assert chosen is not None
            assert chosen.action == action
            rule = self.policy.rules[chosen.rule]
            pairs = zip(rule.parameters, chosen.objects, strict=True)
            binding = {parameter.name: name for parameter, name in pairs}
            serves = tuple(goal.substitute(binding) for goal in rule.goals)
            before = frozenset(state) if derived else frozenset()
            adds, deletes = self._effects.changes(action, state)
            added, deleted = adds - state, deletes & state
            state -= deleted
            state |= added
            agent.update(added, deleted)
            if derived:
                after = frozenset(state)
                achieves, undoes = self._changed(before, after), self._changed(after, before)
            else:
                gained, lost = (
                    tuple(g for g in self._goals_of(atoms) if g.positive is positive)
                    for atoms, positive in ((added, True), (deleted, False))
                )
                achieves = gained + lost
                undoes = tuple(g for g in self._goals_of(added) if not g.positive)
                undoes += tuple(g for g in self._goals_of(deleted) if g.positive)
            yield Step(
                number,
                (),
                Firing(chosen.rule, binding, action, serves),
                None,
                _in_order(added),
                _in_order(deleted),
                achieves,
                undoes,
                self._next_goal(number),
            )
        if self.stops_short:
            yield self.step(self.steps, near_misses=False)

    @cached_property
    def _goal_of_atom(self) -> dict[Atom, Literal]:
        return {goal.atom: goal for goal in self.goals}

    def _goals_of(self, atoms: Iterable[Atom]) -> list[Literal]:
        return [self._goal_of_atom[atom] for atom in sorted(atoms) if atom in self._goal_of_atom]

    def reasons(self, step: Step) -> dict[int, tuple[Reason, ...]]:
        """For each rule of a step, from 0, the reasons of its derived conditions.

        Of the rule that acts these are all conditions, of the rules passed over the false ones.
        """
        asked: dict[int, list[Condition]] = {}
        for passed in step.passed_over:
            asked[passed.rule] = list(passed.miss.false)
        if step.firing is not None:
            conditions = self._matchers[step.firing.rule].conditions
            asked[step.firing.rule] = [c.ground(step.firing.binding) for c in conditions]
        reasons = Reasons(self.policy, self.problem, self.state(step.number - 1))
        found = {rule: reasons.of(conditions) for rule, conditions in asked.items()}
        return {rule: given for rule, given in found.items() if given}

    def _missing(self, action: GroundAction, state: State) -> str | None:
        known = self.closed(state)
        ground = self._ground(action)
        for literal in ground.precondition:
            if not holds(literal, known):
                return str(literal)
        function = without_value(self.problem, ground)
        return None if function is None else f"{function}, which has no value"

    def _changed(self, before: State, after: State) -> tuple[Literal, ...]:
        new, old = self.closed(after), self.closed(before)
        return tuple(g for g in self.goals if holds(g, new) and not holds(g, old))

    @cached_property
    def achieved(self) -> tuple[tuple[int, Literal], ...]:
        """Each time a goal became true: the step and the goal, in order."""
        if self.problem.domain.derived & {goal.atom.predicate for goal in self.goals}:
            # An action may achieve a derived goal, which is none of its effects.
            states = [self.closed(state) for state in self._all_states()]
            return tuple(
                (number, goal)
                for number in range(1, len(states))
                for goal in self.goals
                if holds(goal, states[number]) and not holds(goal, states[number - 1])
            )
        wanted = {goal.atom: goal for goal in self.goals}
        state = set(self.problem.init)
        found = []
        for number, action in enumerate(self.plan, start=1):
            adds, deletes = self._effects.changes(action, state)
            touched = [atom for atom in wanted if atom in adds or atom in deletes]
            before = {atom: atom in state for atom in touched}
            self._apply(state, action)
            for atom in touched:
                goal = wanted[atom]
                if (atom in state) == goal.positive != before[atom]:
                    found.append((number, goal))
        return tuple(found)

    def _next_goal(self, number: int) -> tuple[Literal, int] | None:
        return next(((goal, at) for at, goal in self.achieved if at >= number), None)

    def fired(self) -> list[int]:
        """The rule of each step that was done, from 0."""
        agent, rules = Agent(self.problem, self.policy), []
        for action in self.plan:
            step = agent.step()
            assert step is not None
            rules.append(step.rule)
            agent.apply(action)
        return rules


def _in_order(atoms: Iterable[Atom]) -> tuple[Atom, ...]:
    return tuple(sorted(atoms))


def _state(start: object) -> Iterable[Atom]:
    """The atoms of an initial state; ArgumentError if it is no such thing."""
    if isinstance(start, Iterable) and not isinstance(start, str):
        atoms = list(start)
        if all(isinstance(atom, Atom) for atom in atoms):
            return atoms
    raise ArgumentError("start", "a set of pg3.pddl.Atom values", start)


def explain(
    problem: ProblemLike,
    policy: PolicyLike,
    *,
    start: State | None = None,
    max_steps: int | None = None,
    limits: Limits = Limits(),
    budget: int = BUDGET,
    ranking: Ranking | None = None,
) -> Explanation:
    """Execute a policy on a problem, and explain what it does.

    `start` is another initial state; its atoms must be on the problem's objects (KeyError).
    `budget` bounds the search for the nearest binding of each rule that does not apply. With the
    `ranking` of a proof steps say what they make smaller. PolicyError if the policy does not fit
    the domain.
    """
    task, policy = Task.with_policy(problem, policy)
    problem = task.problem
    if start is not None:
        problem = problem.replace(init=sorted(_state(start)))
    execution = execute(problem, policy, max_steps=max_steps, limits=limits)
    return Explanation(problem, policy, execution, budget, ranking)
