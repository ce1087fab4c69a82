"""What may hinder learning: every check, in the order of the report.

A check is a function of the domain and of the measurements of all readable problems.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.analysis.doctor.domain_checks import (
    axioms,
    costs,
    unused_actions,
    unused_predicates,
    unused_types,
)
from pg3.analysis.doctor.problem_checks import (
    copies,
    hard_problems,
    idle_objects,
    large_problems,
    useless_problems,
)
from pg3.analysis.doctor.training_set_checks import (
    few_problems,
    goals,
    likely_constants,
    same_size,
    short_plans,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pg3.analysis.doctor.findings import Finding
    from pg3.analysis.doctor.measurements import Measurements
    from pg3.pddl import Domain

CHECKS: dict[str, Callable[[Domain, Sequence[Measurements]], Iterator[Finding]]] = {
    check.__name__: check
    for check in (
        useless_problems,
        hard_problems,
        large_problems,
        copies,
        few_problems,
        same_size,
        short_plans,
        unused_actions,
        goals,
        likely_constants,
        idle_objects,
        unused_predicates,
        unused_types,
        costs,
        axioms,
    )
}
