"""What is true of `reach`, `next` and `closer` in every finite graph: axioms for the solver.

The solver does not know what a path is. It gets relations of these names and, as hypotheses, facts
that hold of the real ones; docs/concepts/proofs.md shows for each of them that it does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.analysis.prove.logic.formulas import (
    Formula,
    Term,
    conjunction,
    disjunction,
    equal,
    exists,
    forall,
    negate,
    variables_for,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pg3.analysis.prove.logic.theory import Path, Theory


def path_axioms(theory: Theory, acyclic: Sequence[Path]) -> list[tuple[str, Formula]]:
    """What is true of paths in every finite graph, and of paths along relations without circles."""
    found = []
    for path in [*theory.paths, *(p for p in acyclic if p not in theory.paths)]:
        label = " ".join((path.relation, *path.leading, path.kind))
        axioms = _axioms_of(theory, path, path in theory.paths, path in acyclic)
        found += [(f"path {label} {name}", formula) for name, formula in axioms]
    return found


def _axioms_of(
    theory: Theory, path: Path, has_next: bool, no_circle: bool
) -> Iterable[tuple[str, Formula]]:
    leading = variables_for(path.leading, "p")
    x, y, z, w = (Term(f"?{n}", path.kind) for n in "xyzw")

    def along(word: str, *terms: Term) -> Formula:
        return ("path", word, path.relation, (*leading, *terms))

    def edge(a: Term, b: Term) -> Formula:
        return theory.edge(path.relation, (*leading, a, b))

    def rule(*parts: Formula, then: Formula) -> Formula:
        return forall(
            (*leading, x, y, z, w), disjunction([*(negate(part) for part in parts), then])
        )

    yield "itself", rule(then=along("reach", x, x))
    yield "edge", rule(edge(x, y), along("reach", y, z), then=along("reach", x, z))
    yield (
        "transitive",
        rule(along("reach", x, y), along("reach", y, z), then=along("reach", x, z)),
    )
    apart = negate(equal(x, z))
    step = exists([y], conjunction([edge(x, y), along("reach", y, z)]))
    yield "step", rule(along("reach", x, z), apart, then=step)
    if no_circle:
        yield "no circle", rule(edge(x, y), then=negate(along("reach", y, x)))
    if has_next:
        hop = along("next", x, y, z)
        yield "next", rule(hop, then=conjunction([edge(x, y), along("reach", y, z), apart]))
        some = exists([y], hop)
        yield "some next", rule(along("reach", x, z), apart, then=some)
        yield "next closer", rule(hop, then=along("closer", y, x, z))
        yield "closer itself", rule(then=negate(along("closer", x, x, z)))
        yield (
            "closer transitive",
            rule(along("closer", w, y, z), along("closer", y, x, z), then=along("closer", w, x, z)),
        )
