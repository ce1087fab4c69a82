"""Our domains next to the paper's own files: policies and problems can be exchanged."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import pytest

import pg3
from pg3.domains import PAPER_DOMAINS as DOMAINS
from pg3.domains import BuiltInDomain
from pg3.errors import InputWarning
from tests.conftest import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

    from pg3.pddl import Domain, Literal

every_domain = pytest.mark.parametrize("domain", DOMAINS.values(), ids=DOMAINS)


def meaning(domain: Domain) -> tuple[object, ...]:
    """All that matters in a domain: not the names of parameters, and not the order of anything."""

    def numbered(literals: tuple[Literal, ...], names: list[str]) -> set[tuple[object, ...]]:
        return {
            (positive, atom.predicate, tuple(names.index(term) for term in atom.terms))
            for atom, positive in literals
        }

    actions = {}
    for action in domain.actions:
        names = [name for name, _ in action.parameters]
        actions[action.name] = (
            [types for _, types in action.parameters],
            numbered(action.precondition, names),
            numbered(action.effects, names),
        )
    return (
        domain.name,
        set(domain.types),
        {p.name: [types for _, types in p.parameters] for p in domain.predicates},
        actions,
    )


@every_domain
def test_the_same_names_signatures_and_meaning(
    domain: BuiltInDomain, shared_problems: Path
) -> None:
    theirs = pg3.read_domain(shared_problems / "paper" / domain.name / "domain.pddl")
    assert meaning(domain.domain) == meaning(theirs)


@every_domain
def test_our_policies_solve_their_problems_read_with_our_domain(
    domain: BuiltInDomain, shared_problems: Path
) -> None:
    path = REPOSITORY / "examples" / "policies" / f"{domain.name}.policy"
    policy = pg3.read_policy(path, domain.domain)
    for file in sorted((shared_problems / "paper" / domain.name / "test" / "seed0").iterdir())[:3]:
        with warnings.catch_warnings():
            # Some of their files lack the last parenthesis.
            warnings.simplefilter("ignore", InputWarning)
            problem = pg3.read_problem(file, domain.domain)
        assert pg3.execute(problem, policy, max_steps=domain.horizon).solved
