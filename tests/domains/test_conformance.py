"""What every built-in domain promises; a new one in the registry is tested without an edit here."""

from __future__ import annotations

from operator import eq

import pytest

import pg3
from pg3.domains import DOMAINS, PAPER_DOMAINS, BuiltInDomain
from pg3.errors import Pg3Error
from pg3.pddl import Problem, parse_domain, parse_problem, write_problem
from tests.domains.solutions import solution

every_domain = pytest.mark.parametrize("domain", DOMAINS.values(), ids=DOMAINS)
every_split = pytest.mark.parametrize("split", ["train", "test"])


def content(problem: Problem) -> tuple[object, ...]:
    """All of a problem but its name."""
    return problem.objects, tuple(problem.init), tuple(problem.goal)


@every_domain
def test_the_description_is_complete(domain: BuiltInDomain) -> None:
    assert DOMAINS[domain.name] is domain
    assert domain.summary.endswith(".")
    assert domain.horizon > 0
    assert list(domain.splits) == ["train", "test"]
    for split in domain.splits.values():
        assert split.count > 0
        assert list(split.sizes) == [size.name for size in domain.sizes]
        for size in domain.sizes:
            low, high = split.sizes[size.name]
            assert size.least <= low <= high
    names = [size.name for size in domain.sizes] + [option.name for option in domain.options]
    assert len(set(names)) == len(names)


@every_domain
def test_the_pddl_is_what_the_problems_use(domain: BuiltInDomain) -> None:
    # Warnings are errors in the tests: the requirements are complete, too.
    assert parse_domain(domain.text) == domain.domain
    assert domain.domain.requirements
    assert domain.domain is domain.domain, "parsed once"


@every_domain
@every_split
def test_problems_read_back_as_they_were(domain: BuiltInDomain, split: str) -> None:
    problems = domain.problems(split, seed=1)
    assert len(problems) == domain.splits[split].count
    for problem in problems:
        # The reader checks every name, type and arity; the generator is trusted with them.
        assert parse_problem(write_problem(problem), domain.domain) == problem


@every_domain
@every_split
def test_problems_differ_and_are_not_solved_from_the_start(
    domain: BuiltInDomain, split: str
) -> None:
    problems, others = (domain.problems(split, seed=seed) for seed in (0, 1))
    assert len({problem.name for problem in problems + others}) == 2 * len(problems)
    for some in (problems, others):
        assert len(set(map(content, some))) == len(some)
    assert sum(map(eq, map(content, problems), map(content, others))) < 0.2 * len(problems)
    assert not any(set(problem.goal) <= set(problem.init) for problem in problems)


@every_domain
@every_split
def test_a_problem_does_not_depend_on_the_number_of_problems(
    domain: BuiltInDomain, split: str
) -> None:
    few, many = (domain.problems(split, seed=7, count=count) for count in (3, 6))
    assert many[:3] == few
    assert domain.problems(split, seed=7, count=0) == ()


@every_domain
@every_split
def test_every_problem_is_solvable_within_the_horizon(domain: BuiltInDomain, split: str) -> None:
    for problem in domain.problems(split, seed=2, count=10):
        plan = solution(domain, problem)
        assert len(plan) <= domain.horizon
        outcome = pg3.validate(problem, plan)
        assert outcome.valid, f"{problem.name}: {outcome.message}"


@every_domain
def test_the_smallest_sizes(domain: BuiltInDomain) -> None:
    """The least of everything either makes a problem that can be solved, or is refused."""
    sizes = {size.name: (size.least, size.least) for size in domain.sizes}
    try:
        (problem,) = domain.problems(seed=0, count=1, sizes=sizes)
    except Pg3Error as error:
        assert str(error).startswith("impossible sizes")
    else:
        assert pg3.plan(problem).solved
    for size in domain.sizes:
        fewer = {size.name: (size.least - 1, size.least)}
        with pytest.raises(Pg3Error, match=rf"^{domain.name}: {size.name}: must be from"):
            domain.problems(seed=0, sizes=fewer)


@every_domain
def test_one_s_own_sizes_replace_those_of_the_split(domain: BuiltInDomain) -> None:
    test = domain.splits["test"].sizes
    large = domain.problems("train", seed=0, count=5, sizes=test)
    small = domain.problems("train", seed=0, count=5)
    assert min(len(p.objects) for p in large) > min(len(p.objects) for p in small)


@every_domain
def test_what_cannot_be_is_a_clear_error(domain: BuiltInDomain) -> None:
    name = domain.sizes[0].name
    for split, count, sizes, message in (
        ("exam", 1, {}, f"{domain.name} has no split 'exam', only train, test"),
        ("train", -1, {}, "cannot make -1 problems"),
        ("train", 1, {"moons": (1, 2)}, f"{domain.name} has no size 'moons', only {name}"),
        ("train", 1, {name + "x": (1, 2)}, f": did you mean '{name}'"),
        ("train", 1, {name: (9, 8)}, f"{domain.name}: {name}: the range 9..8 is empty"),
        ("train", 1, {name: (9, 10**9)}, "must be from . to 5000000, not 1000000000"),
    ):
        with pytest.raises(Pg3Error, match=message):
            domain.problems(split, seed=0, count=count, sizes=sizes)


@every_domain
@every_split
def test_problems_with_options_keep_what_the_others_promise(
    domain: BuiltInDomain, split: str
) -> None:
    for option in domain.options:
        problems = domain.problems(split, seed=1, options=[option.name])
        assert problems != domain.problems(split, seed=1)
        assert len(set(map(content, problems))) == len(problems)
        for problem in problems:
            assert parse_problem(write_problem(problem), domain.domain) == problem
            plan = solution(domain, problem)
            assert len(plan) <= domain.horizon
            assert pg3.validate(problem, plan).valid
    with pytest.raises(Pg3Error, match=f"^{domain.name} has no option 'moons'"):
        domain.problems(split, seed=1, options=["moons"])


@pytest.mark.parametrize("name", [name for name in DOMAINS if name not in PAPER_DOMAINS])
@pytest.mark.parametrize("seed", [0, 1, 4])
def test_test_problems_of_further_domains_are_five_times_as_large(name: str, seed: int) -> None:
    train, test = (DOMAINS[name].problems(split, seed=seed) for split in ("train", "test"))
    largest = max(len(problem.objects) for problem in train)
    assert min(len(problem.objects) for problem in test) >= 5 * largest


@pytest.mark.parametrize("domain", PAPER_DOMAINS.values(), ids=PAPER_DOMAINS)
@pytest.mark.thorough
def test_the_default_learner_masters_it(domain: BuiltInDomain) -> None:
    result = pg3.learn(domain.domain, domain.problems("train", seed=0))
    assert result.solved
    for problem in domain.problems("test", seed=0):
        assert pg3.execute(problem, result.policy, max_steps=domain.horizon).solved, problem.name
