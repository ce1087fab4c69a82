"""Experience: plans for single goals, and the rules that they are regressed to."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from pg3.learning.regression.ordering import RankedRule, RuleOrder, goal_kind, layers
from pg3.learning.regression.rules.cases import has_cases, has_conditional_effects, used_effects
from pg3.learning.regression.rules.numbers import used_numbers
from pg3.learning.regression.rules.steps import Step
from pg3.learning.regression.rules.suffixes import SuffixTree
from pg3.learning.training import Steps, most_states
from pg3.pddl.model import Literal
from pg3.planning import PlanStatus
from pg3.storage.schema import Flag, ListOf

if TYPE_CHECKING:
    import random
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from pg3.learning.dependencies import Dependencies
    from pg3.learning.regression.macro_moves import MacroMove
    from pg3.learning.regression.ordering import Kind
    from pg3.learning.regression.problems import RegressionProblem
    from pg3.learning.regression.rules.steps import Suffix
    from pg3.learning.regression.subgoals import SubgoalChain
    from pg3.learning.training import Training
    from pg3.pddl.model import Atom
    from pg3.pddl.plans import GroundAction
    from pg3.policy.model import Rule
    from pg3.policy.rule_book import PolicyKey


class Experience:
    """Plans for single goals and the rules that they give."""

    def __init__(
        self,
        training: Training,
        expansions: int,
        max_run: int | None,
        macro_moves: Mapping[str, MacroMove],
        subgoals: Mapping[str, SubgoalChain],
        *,
        by_chains: bool = False,
        dependencies: Dependencies = MappingProxyType({}),
    ) -> None:
        self.book = training.book
        self.budget = training.budget
        self.expansions = expansions
        self.rules: dict[int, RankedRule] = {}
        self.plans = 0
        self.failures = 0
        self.longest_run = 0
        self.effort = 0
        self._max_run = max_run
        self._macro_moves = macro_moves
        self._subgoals = subgoals
        self._tree = SuffixTree(
            training.domain, macro_moves, by_chains=by_chains, dependencies=dependencies
        )
        self._order = RuleOrder(training.domain, thin=bool(macro_moves))
        self._met: set[Suffix] = set()
        self._undone_by: set[tuple[Kind, Kind]] = set()
        self._kinds: set[Kind] = set()

    def gather(self, problem: RegressionProblem, state: int, rng: random.Random) -> bool:
        """Plan from a state for one goal after the other, keep achieved goals, learn the rules.

        Goals come in random order, layer by layer. A goal without a plan is skipped; on a
        variation, which may have no solution at all, it ends the experience. Returns whether
        anything was new.
        """
        known = len(self.rules), len(self._undone_by)
        self._kinds.update(problem.kinds.values())
        goals = list(problem.goals)
        rng.shuffle(goals)
        layer = layers(self._undone_by)
        goals.sort(key=lambda goal: layer.get(problem.kinds[goal], 0))
        achieved = problem.achieved(state)
        postponed: set[int] = set()
        for goal in goals:
            if goal in achieved:
                continue
            self.plans += 1
            plan = self._plan(problem, state, [goal, *sorted(achieved)])
            if plan is not None and self._is_fatal(problem, state, plan):
                if goal not in postponed and self._learn_what_comes_before(
                    problem, goal, state, plan
                ):
                    postponed.add(goal)
                    goals.append(goal)
                    continue
                # A plan for all goals tells how to achieve this one and keep the others possible.
                plan = self._plan(problem, state, [*problem.goals])
            self.effort += problem.space.num_actions * (
                self.expansions if plan is None else len(plan)
            )
            if plan is None:
                self.failures += 1
                if problem.is_variation:
                    break
                continue
            done: list[tuple[int, GroundAction]] = []  # each action with the state before it
            kind = problem.kinds[goal]
            for number in plan:
                delta = problem.goal_delta(number, state)
                done.append((state, delta.action))
                if goal not in achieved:
                    self._undone_by |= {
                        (problem.kinds[other], kind) for other in delta.deleted & achieved
                    }
                achieved = (achieved - delta.deleted) | delta.added
                state = problem.space.apply(state, number)
            self._learn(problem, problem.goals[goal], done)
            longest_run = self.longest_run
            for part, atom in self._goals_on_the_way(problem, done, state):
                self._learn(problem, atom, part)
            # It is about the goals that were asked for.
            self.longest_run = longest_run
        return known != (len(self.rules), len(self._undone_by))

    def _learn_what_comes_before(
        self, problem: RegressionProblem, goal: int, state: int, plan: Sequence[int]
    ) -> bool:
        """Goals that a plan for another one puts out of reach come before it, if of other kinds.

        Whether there are any.
        """
        end = problem.end_of(state, plan)
        kind = problem.kinds[goal]
        lost = {
            (kind, problem.kinds[other])
            for other in problem.goals
            if problem.kinds[other] != kind and self._is_out_of_reach(problem, other, end)
        }
        self._undone_by |= lost
        return bool(lost)

    def _is_out_of_reach(self, problem: RegressionProblem, goal: int, state: int) -> bool:
        """Whether a goal cannot be reached from a state, which is seen without a search."""

        def is_dead_end() -> bool:
            status, _ = problem.space.plan_to(state, [goal], 1, *self.budget.limits)
            return self.budget.checked(status) == PlanStatus.UNSOLVABLE

        return bool(self.budget.journal.once("out of reach", Flag(), is_dead_end))

    def gather_after(
        self,
        problem: RegressionProblem,
        policy: PolicyKey,
        states: Sequence[int],
        rng: random.Random,
    ) -> None:
        """Learn from a run of a policy that failed: where it ended, or before its dead end.

        The rule that led into a dead end comes after all others from now on. So does one that undid
        a goal in a cycle; in its place comes one that leaves goals alone.
        """
        cycle = problem.cycle(policy, states, self.budget)
        for state, then in zip(cycle, [*cycle[1:], *cycle[:1]], strict=True):
            undone = problem.achieved(state) - problem.achieved(then)
            if undone:
                acting = problem.acting_rule(policy, state, self.budget)
                self._let_leave_alone(acting, {problem.kinds[goal][0] for goal in undone})
        # After a dead end come only dead ends. A run that began in one is learned from at its end.
        alive = bisect_left(states, True, key=problem.is_dead_end)
        if 0 < alive < len(states):
            fatal = problem.acting_rule(policy, states[alive - 1], self.budget)
            if fatal in self.rules:
                self.rules[fatal] = replace(self.rules[fatal], is_resort=True)
        self.gather(problem, states[alive - 1], rng)

    def _let_leave_alone(self, number: int, predicates: Collection[str]) -> None:
        """Put before a rule, which comes last now, one that undoes no goals of some predicates."""
        known = self.rules.get(number)
        if known is None or known.is_resort:
            return
        rule = known.rule
        schema = self.book.domain.action(rule.action)
        own = {literal.atom for literal in rule.goals}
        spared = [
            Literal(atom, False)
            for atom in Step.of(schema, rule.arguments).deletes
            if atom.predicate in predicates and atom not in own
        ]
        if spared:
            self.rules[number] = replace(known, is_resort=True)
            self._add(replace(rule, goals=(*rule.goals, *spared)), known.rank)

    def _is_fatal(self, problem: RegressionProblem, state: int, plan: Sequence[int]) -> bool:
        """Whether a plan leads into a dead end from a state that is none."""
        return problem.is_dead_end(problem.end_of(state, plan)) and not problem.is_dead_end(state)

    def _plan(self, problem: RegressionProblem, state: int, fluents: list[int]) -> list[int] | None:
        """The actions of a plan to make fluents true, None if none is found within the limit."""
        goals = set(fluents)
        plan_shape = Steps(problem.space, state, lambda end: goals <= problem.achieved(end))

        def found() -> list[list[int]]:
            limits = self.budget.limits
            status, plan = problem.space.plan_to(
                state, fluents, self.expansions, *limits, generated=most_states(problem.space)
            )
            return [plan] if self.budget.checked(status) == "solved" else []

        plans = self.budget.journal.once("subplan", ListOf(plan_shape, most=1), found)
        return plans[0] if plans else None

    def _goals_on_the_way(
        self,
        problem: RegressionProblem,
        done: Sequence[tuple[int, GroundAction]],
        end: int,
    ) -> Iterator[tuple[Sequence[tuple[int, GroundAction]], Atom]]:
        """What a plan also brings about to stay and is a goal of other problems, with its part.

        So what one problem asks for is learned from the plans for what others ask for.
        """
        asked = {*problem.goals.values()}
        found = [
            (number, state, effect.atom)
            for number, (state, action) in enumerate(done)
            for effect in self.book.domain.action(action.name).ground(action.objects).effects
            if effect.positive
            and effect.atom not in asked
            and goal_kind(effect.atom, problem.types) in self._kinds
        ]
        at_end = problem.task.atoms(end) if found else frozenset()
        for number, state, atom in found:
            if atom in at_end and atom not in problem.task.atoms(state):
                yield done[: number + 1], atom

    def _learn(
        self, problem: RegressionProblem, atom: Atom, done: Sequence[tuple[int, GroundAction]]
    ) -> None:
        plan: Sequence[GroundAction] = [action for _, action in done]
        if has_cases(self.book.domain):
            plan = self._with_cases(problem, atom, done)
        if problem.task.domain.numeric_functions:
            used = used_numbers(problem.task, atom, done)
            plan = [
                self._tree.giving(one) if is_used else one
                for one, is_used in zip(plan, used, strict=True)
            ]
        chain = self._subgoals.get(atom.predicate)
        if chain is None:
            self._learn_part(problem, atom, plan, None)
            return
        for subgoal, part in chain.split(atom, plan, self.book.domain):
            self._learn_part(problem, subgoal, part, chain)

    def _with_cases(
        self, problem: RegressionProblem, goal: Atom, done: Sequence[tuple[int, GroundAction]]
    ) -> list[GroundAction]:
        """The actions of a plan with the disjuncts and the conditional effects that it has used."""
        disjunctions = problem.disjunctions
        cases = [
            # Runs of moves become one action, whatever they need.
            (action, (), ())
            if action.name in self._macro_moves
            else disjunctions.used(state, action)
            for state, action in done
        ]
        effects: Sequence[tuple[tuple[str, ...], tuple[int, ...]]] = [((), ())] * len(done)
        if has_conditional_effects(self.book.domain):
            effects = used_effects(problem.task, goal, done, [needs for _, _, needs in cases])
        return [
            self._tree.with_effects(self._tree.with_disjuncts(action, chosen), objects, numbers)
            for (action, chosen, _), (objects, numbers) in zip(cases, effects, strict=True)
        ]

    def _learn_part(
        self,
        problem: RegressionProblem,
        goal: Atom,
        plan: Sequence[GroundAction],
        chain: SubgoalChain | None,
    ) -> None:
        run, schema = 0, None
        movers = problem.movers(self._macro_moves)
        for suffix in self._tree.regress(goal, plan, problem.types, movers):
            name = suffix.steps[0].schema.name
            run, schema = (run + 1 if name == schema else 1), name
            self.longest_run = max(self.longest_run, run)
            if self._max_run is not None and run > self._max_run:
                return
            if suffix in self._met:
                continue
            self._met.add(suffix)
            for rule in _for_goal(suffix.rules, chain):
                self._add(rule, suffix.rank)

    def _add(self, rule: Rule, rank: int) -> None:
        number = self.book.number(rule)
        known = self.rules.get(number)
        if known is None:
            self.rules[number] = RankedRule(number, rule, rank)
        elif rank < known.rank:
            self.rules[number] = replace(known, rank=rank)

    def policy(self) -> PolicyKey:
        """The rules learned so far, in order."""
        ordered = self._order.arrange(
            self.rules.values(), layers(self._undone_by), self.budget.check
        )
        return tuple(rule.number for rule in ordered)


def _for_goal(rules: Iterable[Rule], chain: SubgoalChain | None) -> Iterator[Rule]:
    """The rules for the goal of a chain of subgoals, as far as there are such."""
    for rule in rules:
        made = rule if chain is None else chain.rule_for_goal(rule)
        if made is not None:
            yield made
