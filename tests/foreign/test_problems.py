"""Files of other people: they are read as they are, and policies and problems can be exchanged.

The only tests of their problems: they do not come with pg3 (`benchmarks/foreign.py` says where they
are looked for). All else is tested on problems of our own generators.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import pytest
from benchmarks.foreign import MOOSE_PROBLEMS, PAPER_PROBLEMS

import pg3
from pg3.domains import DOMAINS, PAPER_DOMAINS
from pg3.errors import InputWarning
from pg3.experiments.methods.table import OPERATORS_OF
from pg3.pddl import parse_domain, parse_problem, write_domain, write_problem
from tests.project.test_built_in_policies import policy_path

if TYPE_CHECKING:
    from pathlib import Path

    from pg3.pddl import Domain, Literal, Problem

if not (PAPER_PROBLEMS.is_dir() and MOOSE_PROBLEMS.is_dir()):
    pytest.skip(
        "problems that other people wrote do not come with pg3 (PG3_FOREIGN names their folder)",
        allow_module_level=True,
    )

# Our domain for each of theirs.
OURS = {
    **{f"paper/{name}": domain for name, domain in PAPER_DOMAINS.items()},
    **{
        f"moose/{theirs}": DOMAINS[ours]
        for theirs, ours in {
            "barman": "barman",
            "ferry": "ferry-typed",
            "gripper": "gripper",
            "logistics": "logistics",
            "miconic": "miconic-once",
            "rovers": "rovers",
            "satellite": "satellite",
            "transport": "transport",
        }.items()
    },
}
# Where the parts are that we learn from and test on.
PARTS = {"paper": ("train/seed0", "test/seed0"), "moose": ("training", "testing")}

every_folder = pytest.mark.parametrize("theirs", OURS)


def folder_of(theirs: str) -> Path:
    return PAPER_PROBLEMS.parent / theirs


def domain_of(theirs: str) -> Domain:
    with warnings.catch_warnings():
        # The authors' Miconic has types and does not say so.
        warnings.simplefilter("ignore", InputWarning)
        return pg3.read_domain(folder_of(theirs) / "domain.pddl")


def read(path: Path, domain: Domain) -> Problem:
    with warnings.catch_warnings():
        # The authors' Miconic files lack their last parenthesis.
        warnings.simplefilter("ignore", InputWarning)
        return pg3.read_problem(path, domain)


def read_part(theirs: str, part: int, domain: Domain) -> list[Problem]:
    folder = folder_of(theirs) / PARTS[theirs.split("/", maxsplit=1)[0]][part]
    return [read(path, domain) for path in sorted(folder.glob("*.pddl"))]


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


@pytest.mark.filterwarnings("ignore::pg3.errors.InputWarning")
@every_folder
def test_every_file_is_read_and_written_back(theirs: str) -> None:
    folder = folder_of(theirs)
    domain = domain_of(theirs)
    assert parse_domain(write_domain(domain)) == domain
    paths = sorted(path for path in folder.rglob("*.pddl") if path.name != "domain.pddl")
    assert paths
    for path in paths:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", InputWarning)
            problem = pg3.read_problem(path, domain)
        assert len(caught) == (theirs == "paper/miconic")
        assert all("missing ')' at the end" in str(one.message) for one in caught)
        assert parse_problem(write_problem(problem), domain) == problem


@every_folder
def test_our_domain_means_the_same(theirs: str) -> None:
    domain = domain_of(theirs)
    assert meaning(OURS[theirs].domain) == meaning(domain)


@every_folder
def test_our_policy_solves_their_problems_read_with_our_domain(theirs: str) -> None:
    ours = OURS[theirs]
    policy = pg3.read_policy(policy_path(ours.name), ours.domain)
    for problem in read_part(theirs, 1, ours.domain):
        assert pg3.execute(problem, policy, max_steps=ours.horizon).solved, problem.name


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(1, 5))]
)
@pytest.mark.parametrize("name", PAPER_DOMAINS)
def test_the_papers_method_solves_its_test_problems(name: str, seed: int) -> None:
    source = PAPER_DOMAINS[name]
    folder = folder_of(f"paper/{name}")
    train, tests = (
        [read(path, source.domain) for path in sorted((folder / part / f"seed{seed}").iterdir())]
        for part in ("train", "test")
    )
    operators = OPERATORS_OF.get(source.name)
    result = pg3.learn(source.domain, train, preset="paper", operators=operators)
    for problem in tests:
        assert pg3.execute(problem, result.policy, max_steps=source.horizon).solved, problem.name


@pytest.mark.parametrize("theirs", ["paper/gripper", "moose/transport"])
def test_what_is_learned_from_their_problems_solves_the_others(theirs: str) -> None:
    domain = domain_of(theirs)
    result = pg3.learn(domain, read_part(theirs, 0, domain)[::2])
    for problem in read_part(theirs, 1, domain):
        assert pg3.execute(problem, result.policy).solved, problem.name
