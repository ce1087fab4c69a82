"""A training problem on which plans for single goals are made and policies are tried."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.regression.ordering import goal_kind
from pg3.learning.regression.travel import travellers
from pg3.learning.training import Steps, random_walk

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Mapping

    from pg3.learning.budget import Budget
    from pg3.learning.regression.travel import Road
    from pg3.learning.robustness.perturbations import Variations
    from pg3.learning.training import Training
    from pg3.pddl.model import Atom
    from pg3.pddl.plans import GroundAction
    from pg3.policy.rule_book import PolicyKey
    from pg3.semantics.task import Task


class Deed(NamedTuple):
    """A ground action with the goals of the problem that it makes true and false."""

    action: GroundAction
    achieves: frozenset[int]
    undoes: frozenset[int]


class Practice:
    """A problem's state space with its goals as fluents of the kernel.

    `goals` are the positive goals that some state makes true and some false, by fluent: the others
    need no plan or have none. `kinds` are the kinds of these.
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
        self._arities = [predicate.arity for predicate in domain.predicates]
        self._by_atom = {atom: fluent for fluent, atom in self.goals.items()}
        self._deeds: dict[int, Deed] = {}
        self._travellers: frozenset[GroundAction] | None = None

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

    def deed(self, number: int) -> Deed:
        """The ground action behind one of the kernel's numbers."""
        deed = self._deeds.get(number)
        if deed is None:
            action = self.task.decode_action(number)
            schema = self.task.domain.actions[self.task.domain.action_index[action.name]]
            binding = dict(zip((p.name for p in schema.parameters), action.objects, strict=True))
            changed: dict[bool, set[int]] = {True: set(), False: set()}
            for atom, positive in schema.effects:
                ground = atom._replace(terms=tuple(binding.get(t, t) for t in atom.terms))
                if ground in self._by_atom:
                    changed[positive].add(self._by_atom[ground])
            achieves = frozenset(changed[True])
            deed = self._deeds[number] = Deed(
                action, achieves, frozenset(changed[False]) - achieves
            )
        return deed

    def travellers(self, roads: Mapping[str, Road]) -> frozenset[GroundAction]:
        """Who can go along which of the roads; these are the same each time."""
        if self._travellers is None:
            self._travellers = travellers(roads, self.task)
        return self._travellers

    def walk(self, steps: int, rng: random.Random) -> int:
        """The state after so many random actions from the start, fewer if there is a dead end."""
        return random_walk(self.space, steps, rng)

    def follow(self, policy: PolicyKey, state: int, budget: Budget) -> Iterator[tuple[int, int]]:
        """The actions that a policy does from a state on, each with the state after it.

        Ends at the goal, where no rule applies, before a state comes a second time, and after a
        number of steps that no sensible policy needs.
        """
        seen = {state}
        limit = 100 + 60 * len(self.goals)
        while len(seen) <= limit and not self.space.is_goal(state):
            action = budget.answered(self.space.policy_action(policy, state, *budget.limits))
            if action < 0:
                return
            state = self.space.apply(state, action)
            if state < 0 or state in seen:
                return
            seen.add(state)
            yield action, state

    def run(self, policy: PolicyKey, state: int, budget: Budget) -> int:
        """The last state that `follow` visits; what it did is in the journal."""
        known = budget.journal.recall("run", Steps(self.space, state))
        if known is None:
            actions = []
            for action, after in self.follow(policy, state, budget):
                budget.check()
                actions.append(action)
                state = after
            budget.journal.record("run", actions)
        else:
            for action in known:
                state = self.space.apply(state, action)
        return state

    def varied(self, variations: Variations, rng: random.Random, training: Training) -> Practice:
        """A variation of the problem."""
        return Practice(training.task(variations.vary(self.task.problem, rng)), is_variation=True)
