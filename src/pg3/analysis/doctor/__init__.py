"""Before learning: what can be read, how large it is, what the planner solves, what to change.

`examine`       a domain file and problem files to a `Diagnosis`
`faults`        every fault of a file, not only the first
`measurements`  sizes, and how the planner fares
`checks`        what may hinder learning; one module for problems, training sets and the domain each
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pg3.analysis.doctor.checks import CHECKS
from pg3.analysis.doctor.faults import Fault, read_whole_domain, read_whole_problem
from pg3.analysis.doctor.findings import Finding, Level
from pg3.analysis.doctor.measurements import Measurements, measure
from pg3.errors import pluralize
from pg3.planning import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pg3.pddl import Domain

__all__ = ["CHECKS", "Diagnosis", "Fault", "Finding", "Level", "Measurements", "examine"]


@dataclass(frozen=True)
class Diagnosis:
    """The result of `examine`.

    `faults` are the parts of the files that cannot be read; `findings` are about the rest, the
    reader's warnings among them. With a faulty domain the problems are only searched for faults of
    their own.
    """

    domain_path: str
    problem_paths: tuple[str, ...]
    domain: Domain | None = field(repr=False)
    faults: tuple[Fault, ...]
    findings: tuple[Finding, ...]
    problems: tuple[Measurements, ...]

    def __repr__(self) -> str:
        parts = (self.faults, "fault"), (self.concerns, "concern"), (self.notes, "note")
        told = ", ".join(pluralize(len(found), noun) for found, noun in parts)
        return f"<diagnosis of {pluralize(len(self.problem_paths), 'problem')}: {told}>"

    @property
    def concerns(self) -> tuple[Finding, ...]:
        """The findings that probably harm learning."""
        return tuple(f for f in self.findings if f.level == Level.CONCERN)

    @property
    def notes(self) -> tuple[Finding, ...]:
        """The other findings."""
        return tuple(f for f in self.findings if f.level == Level.NOTE)

    @property
    def static_predicates(self) -> list[str]:
        """The predicates that no action changes."""
        if self.domain is None:
            return []
        return [p.name for p in self.domain.declared if p.name not in self.domain.fluents]

    @property
    def goal_predicates(self) -> dict[str, int]:
        """For each predicate the number of problems that have a goal of it."""
        return dict(Counter(n for p in self.problems for n in sorted(p.goal_predicates)))

    def to_json(self) -> dict[str, Any]:
        """The diagnosis as JSON values."""
        domain = None
        if self.domain is not None:
            domain = {
                "name": self.domain.name,
                "types": [type_.name for type_ in self.domain.types],
                "constants": [constant.name for constant in self.domain.constants],
                "predicates": [predicate.name for predicate in self.domain.declared],
                "static_predicates": self.static_predicates,
                "actions": [action.name for action in self.domain.actions],
            }
        measured = {
            *("path", "objects", "facts", "goals", "negative_goals", "ground_atoms"),
            *("ground_actions", "ground_seconds", "status", "steps", "expansions", "plan_seconds"),
        }
        return {
            "domain_path": self.domain_path,
            "problem_paths": list(self.problem_paths),
            "domain": domain,
            "goal_predicates": self.goal_predicates,
            "faults": [fault._asdict() for fault in self.faults],
            "concerns": [finding._asdict() for finding in self.concerns],
            "notes": [finding._asdict() for finding in self.notes],
            "problems": [
                {
                    **{key: value for key, value in vars(problem).items() if key in measured},
                    "goal_predicates": sorted(problem.goal_predicates),
                }
                for problem in self.problems
            ],
        }


def examine(
    domain_path: str,
    problem_paths: Sequence[str],
    *,
    limits: Limits = Limits(expansions=10_000, seconds=10.0),
    advance: Callable[[], None] = lambda: None,
) -> Diagnosis:
    """Examine a domain and the problems to learn from.

    The limits are for each problem. `advance` is called after each problem. A fault in a file is
    not an error: it is part of the result.
    """
    reading = read_whole_domain(domain_path)
    faults = list(reading.faults)
    warned = list(reading.warnings)
    problems: list[Measurements] = []
    for path in problem_paths:
        if reading.value is not None:
            found = read_whole_problem(path, reading.value)
            faults += found.faults
            warned += found.warnings
            if found.value is not None and not found.faults and not reading.faults:
                problems.append(measure(path, found.value, limits))
        advance()
    domain = None if reading.faults else reading.value
    findings = [_warning(warned)] if warned else []
    if domain is not None:
        findings += [finding for check in CHECKS.values() for finding in check(domain, problems)]
    return Diagnosis(
        domain_path,
        tuple(problem_paths),
        domain,
        tuple(faults),
        tuple(findings),
        tuple(problems),
    )


def _warning(warnings: Sequence[str]) -> Finding:
    return Finding(
        "warnings",
        Level.NOTE,
        "pg3 accepts some faults that other programs may not",
        "correct them if other programs will read these files",
        tuple(warnings),
    )
