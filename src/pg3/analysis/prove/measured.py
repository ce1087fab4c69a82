"""Why a run of a proved policy ends: for each step what of the proof's ranking becomes smaller."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pg3.analysis.prove.checker.format import read_proof
from pg3.analysis.prove.logic.formulas import Term, from_json
from pg3.analysis.prove.logic.structures import Structure, structure_of
from pg3.analysis.prove.logic.words import set_in_words
from pg3.analysis.prove.membership import ProblemClass, class_of_proof
from pg3.policy.derived import NEXT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pg3.pddl.model import Domain, Problem
    from pg3.policy.model import DecisionList, Rule
    from pg3.semantics.task import State


@dataclass(frozen=True)
class Ranked:
    """The class and the ranking of a proof; whether the proof holds is for the checker to say."""

    members: ProblemClass
    ranking: Mapping[str, Any]

    @classmethod
    def of_proof(
        cls, folder: Path, domain_path: str, policy_path: str, policy: DecisionList, domain: Domain
    ) -> Ranked:
        """The ranking in a folder; Pg3Error if the proof is about another domain or policy."""
        members = class_of_proof(folder, domain_path, policy_path, policy, domain)
        return cls(members, read_proof(folder).ranking)

    def measure(self, problem: Problem, rule: Rule, before: State, after: State) -> str | None:
        """In words what a step of a rule makes smaller, on a problem of the class."""
        theory = self.members.theory
        was, now = (structure_of(theory, problem, state) for state in (before, after))
        if was is None or now is None:
            return None
        step: Mapping[str, Any] | None = self.ranking
        while step is not None:
            if step["step"] == "way":
                relation = next(
                    c.atom.terms[0] for c in rule.preconditions if c.atom.predicate == NEXT
                )
                return f"it is one step of {relation} nearer to where it goes"
            if step["step"] == "split":
                inside = [one for one in step["components"] if rule.name in one["rules"]]
                if not inside:
                    return (
                        f"it cannot act again before a rule other than {', '.join(step['rules'])}"
                    )
                step = inside[0]
            else:
                said = self._smaller(step, was, now)
                if said is not None:
                    return said
                step = step["rest"]
        return None

    def _smaller(self, step: Mapping[str, Any], was: Structure, now: Structure) -> str | None:
        """How a measure became smaller; None if it did not."""
        variables = tuple(Term(name, kind) for name, kind in step["variables"])
        kinds = {term.name: term.kind for term in (*was.theory.constants.values(), *variables)}
        formula = from_json(step["formula"], kinds)
        old, new = (one.extension(variables, formula) or frozenset() for one in (was, now))
        if not new < old:
            return None
        if variables:
            words = set_in_words(variables, formula)
            return f"fewer of these: {words} ({len(old)}, now {len(new)})"
        if formula[0] == "not":
            return f"from now on: {set_in_words((), formula[1])}"
        return f"no longer: {set_in_words((), formula)}"
