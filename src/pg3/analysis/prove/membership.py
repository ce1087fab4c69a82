"""Is a problem in the class of a proof? A check of its initial state and its goal, no search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pg3.analysis.prove.checker.format import read_proof, sha256
from pg3.analysis.prove.logic.formulas import Term, from_json
from pg3.analysis.prove.logic.invariants import Count, CountedSet, Invariant, Level
from pg3.analysis.prove.logic.structures import structure_of
from pg3.analysis.prove.logic.theory import (
    Kind,
    Signatures,
    Theory,
    Unsupported,
    facts_of,
    kind_of_objects,
)
from pg3.analysis.prove.logic.words import class_in_words
from pg3.analysis.prove.mining.numbers import has_circle
from pg3.errors import Pg3Error
from pg3.pddl.lexer import read_source

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from pg3.analysis.prove.logic.invariants import AnyInvariant
    from pg3.pddl.model import Domain, Problem
    from pg3.policy.model import DecisionList


@dataclass(frozen=True)
class ProblemClass:
    """The class of a proof, as it stands in the certificate, ready to be asked about problems."""

    theory: Theory
    acyclic: tuple[str, ...]
    invariants: tuple[tuple[str, AnyInvariant], ...]

    @classmethod
    def of(cls, domain: Domain, policy: DecisionList, value: Mapping[str, Any]) -> ProblemClass:
        """The class that the certificate's JSON describes; it has been checked."""
        kinds = [Kind(k["name"], k["type"], k["predicate"]) for k in value["kinds"]]
        parts = (value[part] for part in ("facts", "goals", "negated_goals"))
        signatures = Signatures(*(frozenset(tuple(s) for s in part) for part in parts))
        constants = dict(value["constants"])
        theory = Theory(domain, policy, kinds, constants, signatures)
        invariants = tuple(
            (one["words"], _invariant(one, constants)) for one in value["invariants"]
        )
        return cls(theory, tuple(value["acyclic"]), invariants)

    @property
    def words(self) -> list[str]:
        """The class in words, made from its formulas."""
        return class_in_words(self.theory, self.acyclic, [one for _, one in self.invariants])

    def reasons_against(self, problem: Problem) -> Iterator[str]:
        """Why the problem is not in the class, each in words; none if it is."""
        theory = self.theory
        if problem.disjunctions:
            yield "its goal leaves a choice (or, exists)"
        kind_of = kind_of_objects(problem, theory.kinds.values())
        for name, kind in kind_of.items():
            if kind is None:
                yield f"{name} is of no kind of the class"
        for kind in theory.kinds:
            if kind not in kind_of.values():
                yield f"there is no {kind}"
        for constant, term in theory.constants.items():
            if kind_of.get(constant) != term.kind:
                yield f"the constant {constant} is no {term.kind}"
        for what, atoms, known in (
            ("fact", facts_of(problem), theory.given.init),
            ("goal", problem.goal, theory.given.goal),
            ("negated goal", problem.negative_goal, theory.given.avoid),
        ):
            for atom in atoms:
                if (atom.predicate, *(kind_of[t] for t in atom.terms)) not in known:
                    yield f"the {what} {atom} is of no kind of the class"
        structure = structure_of(theory, problem)
        if structure is None:
            return
        for relation in self.acyclic:
            word = "goal" if relation.startswith("goal ") else "state"
            if has_circle(list(structure.rows(word, relation.removeprefix("goal ")))):
                yield f"{relation} leads in a circle"
        for words, invariant in self.invariants:
            if not invariant.holds(structure):
                yield f"it is not so that {words}"

    def reason_against(self, problem: Problem) -> str | None:
        """The first reason; None if the problem is in the class."""
        return next(self.reasons_against(problem), None)


def class_of_proof(
    folder: Path, domain_path: str, policy_path: str, policy: DecisionList, domain: Domain
) -> ProblemClass:
    """The class of the proof in a folder; Pg3Error if it is about another domain or policy.

    The proof is not checked: that is `check_proof`.
    """
    proof = read_proof(folder)
    for what, path, known in (
        ("domain", domain_path, proof.domain),
        ("policy", policy_path, proof.policy),
    ):
        if sha256(read_source(path).data) != known:
            raise Pg3Error(f"{folder}: the proof is about another {what} than {path}")
    try:
        return ProblemClass.of(domain, policy, proof.problem_class)
    except (KeyError, Unsupported) as error:
        raise Pg3Error(f"{folder}: the class does not fit the domain: {error}") from None


def _invariant(value: Mapping[str, Any], constants: Mapping[str, str]) -> AnyInvariant:
    if value["form"] == "formula":
        return Invariant(value["kind"], from_json(value["formula"], constants))
    if value["form"] == "level":
        (level, *kinds), (content, *others) = value["level"], value["content"]
        return Level(
            level,
            (kinds[0], kinds[1]),
            value["level_owner"],
            content,
            (others[0], others[1]),
            value["content_owner"],
            value["chain"],
        )
    sets = [_set(one, constants) for one in (*value["more"], value["fewer"])]
    return Count(tuple(sets[:-1]), sets[-1])


def _set(value: Mapping[str, Any], constants: Mapping[str, str]) -> CountedSet:
    variables = tuple(Term(name, kind) for name, kind in value["variables"])
    return CountedSet(variables, from_json(value["formula"], {**constants, **dict(variables)}))
