"""Which action a decision list takes: Definitions 3 to 5 of the paper, by enumeration."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.model import EQUALS
from pg3.pddl.plans import GroundAction
from tests.oracle.derived import goal_atoms, holds, with_derived
from tests.oracle.semantics import bindings, candidates, closed, substitute

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pg3.pddl.model import Literal, Problem
    from pg3.policy.model import DecisionList, Rule
    from tests.oracle.semantics import State


class Match(NamedTuple):
    """The first applicable rule of a policy, with the first objects that satisfy it."""

    rule: int
    objects: tuple[str, ...]
    action: GroundAction


def satisfied(problem: Problem, rule: Rule, binding: Mapping[str, str], state: State) -> bool:
    """Whether all conditions of the rule hold under the binding; derived atoms are in the state.

    A goal condition asks whether the atom is among the positive goal atoms, or by `(goal (not
    ATOM))` among the negative ones; a negated condition asks whether it is not.
    """
    goal = goal_atoms(problem)
    return all(holds(problem, literal, binding, state) for literal in rule.preconditions) and all(
        holds(problem, literal, binding, goal) for literal in rule.goals
    )


def first_match(problem: Problem, rule: Rule, state: State) -> dict[str, str] | None:
    """The lexicographically first choice of objects that satisfies the rule, or None."""
    for binding in bindings(problem, rule.parameters):
        if satisfied(problem, rule, binding, state):
            return binding
    return None


def first_match_early(problem: Problem, rule: Rule, state: State) -> dict[str, str] | None:
    """The same by backtracking: each condition is tested as soon as its variables have objects.

    For rules and problems that are too large to try every tuple, and the paper's language only.
    """
    names = [parameter.name for parameter in rule.parameters]
    goal = goal_atoms(problem)
    tests: list[list[tuple[Literal, bool]]] = [[] for _ in range(len(names) + 1)]
    for literals, of_goal in ((rule.preconditions, False), (rule.goals, True)):
        for literal in literals:
            places = [names.index(term) + 1 for term in literal.atom.terms if term in names]
            tests[max(places, default=0)].append((literal, of_goal))

    def passes(depth: int, binding: Mapping[str, str]) -> bool:
        for (atom, positive), of_goal in tests[depth]:
            ground = substitute(atom, binding)
            if ground.predicate == EQUALS:
                is_true = ground.terms[0] == ground.terms[1]
            else:
                is_true = ground in (goal if of_goal else state)
            if is_true != positive:
                return False
        return True

    def search(depth: int, binding: dict[str, str]) -> dict[str, str] | None:
        if not passes(depth, binding):
            return None
        if depth == len(names):
            return binding
        for name in choices[depth]:
            found = search(depth + 1, {**binding, names[depth]: name})
            if found is not None:
                return found
        return None

    choices = [candidates(problem, parameter) for parameter in rule.parameters]
    return search(0, {})


def policy_answer_early(
    problem: Problem, policy: DecisionList, state: State
) -> tuple[int, tuple[str, ...]] | None:
    """The first rule that is applicable, and its objects, by `first_match_early`."""
    for number, rule in enumerate(policy.rules):
        binding = first_match_early(problem, rule, state)
        if binding is not None:
            return number, tuple(binding.values())
    return None


def policy_action(problem: Problem, policy: DecisionList, state: State) -> Match | None:
    """What the policy does in the state; None where no rule is applicable.

    The action comes from the first applicable rule even if that action's own preconditions fail:
    later rules get no chance.
    """
    state = with_derived(problem, policy.definitions, closed(problem, state))
    for index, rule in enumerate(policy.rules):
        binding = first_match(problem, rule, state)
        if binding is not None:
            return Match(
                index,
                tuple(binding[parameter.name] for parameter in rule.parameters),
                GroundAction(rule.action, tuple(binding.get(t, t) for t in rule.arguments)),
            )
    return None
