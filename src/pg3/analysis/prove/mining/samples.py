"""States that the policy meets on the training problems: what invariants are mined from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pg3.analysis.prove.logic.structures import Structure, structure_of
from pg3.analysis.prove.logic.theory import facts_of
from pg3.planning.execution import execute

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.analysis.prove.logic.theory import Theory
    from pg3.pddl.model import Atom, Problem
    from pg3.pddl.plans import GroundAction
    from pg3.policy.model import DecisionList

# More states reject more wrong candidates without the solver; twice as many change no proof of the
# built-in domains and cost twice the time of mining.
_STATES = 120
# A training problem gives at least so many, so that each shows its beginning.
_STATES_A_PROBLEM = 12
_STEPS = 2000


@dataclass(frozen=True)
class Step:
    """A step of the policy: the rule that acted, the state before and the state after."""

    rule: int
    before: Structure
    after: Structure


@dataclass(frozen=True)
class Samples:
    """States on the policy's way, steps between them, and the problems that it fails."""

    states: tuple[Structure, ...]
    steps: tuple[Step, ...]
    failed: tuple[Problem, ...]


def sample(theory: Theory, problems: Sequence[Problem], policy: DecisionList) -> Samples:
    """States of the policy's runs on the problems, smallest problems first."""
    states: list[Structure] = []
    steps: list[Step] = []
    failed = []
    each = max(_STATES_A_PROBLEM, _STATES // max(1, len(problems)))
    for problem in sorted(problems, key=lambda one: len(one.all_objects)):
        run = execute(problem, policy, max_steps=_STEPS)
        if not run.solved:
            failed.append(problem)
        wanted = each if len(states) < _STATES else 0
        facts = dict.fromkeys(facts_of(problem))
        before = _structure(theory, problem, facts)
        states.append(before)
        for action in run.plan[:wanted]:
            facts = successor(problem, facts, action)
            after = _structure(theory, problem, facts)
            after.graphs = before.graphs
            states.append(after)
            steps.append(Step(acting_rule(before), before, after))
            before = after
    return Samples(tuple(states), tuple(steps), tuple(failed))


def acting_rule(state: Structure) -> int:
    """The first rule that some objects satisfy; as many as there are rules if there is none."""
    theory = state.theory
    number = len(theory.policy.rules)
    return next((i for i in range(number) if state.satisfies(theory.applicable(i))), number)


def successor(problem: Problem, facts: dict[Atom, None], action: GroundAction) -> dict[Atom, None]:
    """The facts after an action: what it deletes goes first, then comes what it adds."""
    effects = problem.domain.action(action.name).ground(action.objects).effects
    left = {effect.atom for effect in effects if not effect.positive}
    found = {atom: None for atom in facts if atom not in left}
    return found | {effect.atom: None for effect in effects if effect.positive}


def _structure(theory: Theory, problem: Problem, facts: dict[Atom, None]) -> Structure:
    found = structure_of(theory, problem, facts)
    assert found is not None, "the theory's kinds are those of the problems"
    return found
