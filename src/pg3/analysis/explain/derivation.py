"""The derived atoms of a state, and paths, for explanations: slow, obvious, without the kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.analysis.explain.matching import RuleMatcher
from pg3.pddl.model import Atom
from pg3.policy.derived import groups
from pg3.policy.model import Rule

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from pg3.pddl.model import Problem
    from pg3.policy.model import Clause


class Deriver:
    """Adds to states what a policy's definitions say of them."""

    def __init__(self, definitions: Sequence[Clause], problem: Problem) -> None:
        self._groups = [
            [
                (clause, RuleMatcher(_as_rule(clause), problem))
                for clause in definitions
                if clause.name in group
            ]
            for group in groups(definitions, problem.domain)
        ]

    def __call__(self, state: AbstractSet[Atom]) -> AbstractSet[Atom]:
        """The state with all derived atoms; the state itself if nothing is defined."""
        if not self._groups:
            return state
        known = set(state)
        for members in self._groups:
            size = -1
            while size < len(known):
                size = len(known)
                for clause, matcher in members:
                    found = [
                        Atom(clause.name, tuple(binding[p.name] for p in clause.parameters))
                        for binding in matcher.all_matches(known)
                    ]
                    known.update(found)
        return known


def _as_rule(clause: Clause) -> Rule:
    everything = (*clause.parameters, *clause.variables)
    return Rule(clause.name, everything, clause.conditions, clause.goals, "", ())
