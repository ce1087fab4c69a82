"""A problem to learn from by regression: plans for single goals start here, and policies run."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.regression.macro_moves import movers
from pg3.learning.regression.ordering import goal_kind
from pg3.learning.regression.rules.cases import Disjunctions
from pg3.learning.robustness.perturbations.random_starts import random_walk
from pg3.learning.training import Steps

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pg3.learning.budget import Budget
    from pg3.learning.regression.macro_moves import MacroMove
    from pg3.learning.robustness.perturbations.variations import Variations
    from pg3.learning.training import Training
    from pg3.pddl.model import Atom
    from pg3.pddl.plans import GroundAction
    from pg3.policy.rule_book import PolicyKey
    from pg3.semantics.task import Task


# Bounds a run of a policy that never repeats a state, far above the plans of training problems.
_STEPS, _STEPS_A_GOAL = 100, 60


class GoalDelta(NamedTuple):
    """A ground action with the goals of the problem that it adds and deletes."""

    action: GroundAction
    added: frozenset[int]
    deleted: frozenset[int]


class RegressionProblem:
    """A problem's state space with its goals as fluents of the kernel.

    `goals` are the positive goals that are true in some states and false in others, by fluent: the
    rest need no plan or have none. `kinds` are their kinds.
    """

    def __init__(self, task: Task, is_variation: bool = False) -> None:
        self.task = task
        self.is_variation = is_variation
        self.space = task.space
        self.types = {o.name: o.type for o in task.problem.all_objects}
        self.goals: dict[int, Atom] = {}
        self._fluents: dict[tuple[int, ...], int] = {}
        domain, names = task.domain, {name: i for i, name in enumerate(task.names)}
        for atom in task.problem.goal:
            code = (domain.predicate_index[atom.predicate], *(names[o] for o in atom.terms))
            fluent = self.space.find_fluent(code)
            if fluent >= 0:
                self.goals[fluent] = atom
                self._fluents[code] = fluent
        self.kinds = {f: goal_kind(atom, self.types) for f, atom in self.goals.items()}
        self._arities = [symbol.arity for symbol in task.symbols]
        self._by_atom = {atom: fluent for fluent, atom in self.goals.items()}
        self._deltas: dict[int, GoalDelta] = {}
        self._movers: frozenset[GroundAction] | None = None

    @cached_property
    def disjunctions(self) -> Disjunctions:
        """The disjunctions among the preconditions of its actions."""
        return Disjunctions(self.task)

    def achieved(self, state: int) -> set[int]:
        """The goals that hold in a state."""
        values, at, achieved = memoryview(self.space.atoms(state)).cast("i"), 0, set[int]()
        while at < len(values):
            end = at + 1 + self._arities[values[at]]
            fluent = self._fluents.get(tuple(values[at:end]))
            if fluent is not None:
                achieved.add(fluent)
            at = end
        return achieved

    def goal_delta(self, number: int, state: int) -> GoalDelta:
        """The ground action behind one of the kernel's numbers, done in a state."""
        delta = self._deltas.get(number)
        if delta is None:
            action = self.task.decode_action(number)
            schema = self.task.domain.actions[self.task.domain.action_index[action.name]]
            if schema.conditional or schema.numeric:
                before = self.achieved(state)
                after = self.achieved(self.space.apply(state, number))
                return GoalDelta(action, frozenset(after - before), frozenset(before - after))
            binding = dict(zip((p.name for p in schema.parameters), action.objects, strict=True))
            changed: dict[bool, set[int]] = {True: set(), False: set()}
            for effect in schema.effects:
                fluent = self._by_atom.get(effect.atom.substitute(binding))
                if fluent is not None:
                    changed[effect.positive].add(fluent)
            added = frozenset(changed[True])
            delta = self._deltas[number] = GoalDelta(
                action, added, frozenset(changed[False]) - added
            )
        return delta

    def movers(self, macro_moves: Mapping[str, MacroMove]) -> frozenset[GroundAction]:
        """Who can make which of the macro moves (`macro_moves`); these are the same each time."""
        if self._movers is None:
            self._movers = movers(macro_moves, self.task)
        return self._movers

    def end_of(self, state: int, actions: Iterable[int]) -> int:
        """The state after actions that can be done from a state on."""
        for action in actions:
            state = self.space.apply(state, action)
        return state

    def walk(self, steps: int, rng: random.Random) -> int:
        """The state after so many random actions from the start, fewer in a dead end."""
        return random_walk(self.space, steps, rng)

    def follow(self, policy: PolicyKey, state: int, budget: Budget) -> Iterator[tuple[int, int]]:
        """The actions of a policy from a state on, each with the state after it.

        Ends at the goal, where no rule applies, before a state comes a second time, and after more
        steps than a policy for problems of training size needs.
        """
        seen = {state}
        limit = _STEPS + _STEPS_A_GOAL * len(self.goals)
        while len(seen) <= limit and not self.space.is_goal(state):
            action = budget.answered(self.space.policy_action(policy, state, *budget.limits))
            if action < 0:
                return
            state = self.space.apply(state, action)
            if state < 0 or state in seen:
                return
            seen.add(state)
            yield action, state

    def run(self, policy: PolicyKey, state: int, budget: Budget) -> list[int]:
        """The states that `follow` visits, from the first one on; the journal keeps the actions."""

        def actions() -> list[int]:
            done = []
            for action, _ in self.follow(policy, state, budget):
                budget.check()
                done.append(action)
            return done

        states = [state]
        for action in budget.journal.once("run", Steps(self.space, state), actions):
            states.append(self.space.apply(states[-1], action))
        return states

    def cycle(self, policy: PolicyKey, states: Sequence[int], budget: Budget) -> Sequence[int]:
        """Those of the states of a run through which the policy goes round for ever, if it does."""
        action = budget.answered(self.space.policy_action(policy, states[-1], *budget.limits))
        again = self.space.apply(states[-1], action) if action >= 0 else -1
        return states[states.index(again) :] if again in states else ()

    def is_dead_end(self, state: int) -> bool:
        """Whether the goals cannot be reached from a state even if no action deletes anything.

        A state without a plan need not be recognised so.
        """
        return self.space.heuristic(state, "add") is None

    def acting_rule(self, policy: PolicyKey, state: int, budget: Budget) -> int:
        """The rule of a policy that acts in a state; one does."""

        def is_among(number: int) -> bool:
            action = self.space.policy_action(policy[:number], state, *budget.limits)
            return budget.answered(action) >= 0

        return policy[bisect_left(range(1, len(policy) + 1), True, key=is_among)]

    def varied(
        self, variations: Variations, rng: random.Random, training: Training
    ) -> RegressionProblem:
        """A variation of the problem."""
        task = training.task(variations.vary(self.task.problem, rng))
        return RegressionProblem(task, is_variation=True)
