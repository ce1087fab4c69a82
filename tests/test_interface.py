"""The Python interface as a person uses it: paths, methods, words, messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import pg3
from pg3.analysis.evaluation import rounded_rate
from pg3.errors import Pg3Error
from pg3.pddl import Atom
from tests.conftest import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FERRY = REPOSITORY / "examples" / "ferry"
DOMAIN, TRAIN, SMALL = FERRY / "domain.pddl", FERRY / "train", str(FERRY / "small.pddl")
POLICY = REPOSITORY / "examples" / "policies" / "ferry.policy"


def test_paths_everywhere() -> None:
    domain = pg3.read_domain(DOMAIN)
    problem = pg3.read_problem(SMALL, domain)
    policy = pg3.read_policy(POLICY, DOMAIN)
    assert pg3.learn(DOMAIN, TRAIN).policy == pg3.learn(domain, pg3.read_problems(TRAIN)).policy
    assert pg3.execute(SMALL, POLICY) == pg3.execute(problem, policy)
    assert pg3.plan(SMALL).plan == pg3.plan(problem).plan
    assert pg3.plan_guided(SMALL, POLICY).plan == pg3.plan_guided(problem, policy).plan
    assert pg3.solve_guided(SMALL, POLICY).plan == pg3.solve_guided(problem, policy).plan
    assert pg3.validate(SMALL, pg3.plan(SMALL).plan or ())
    assert pg3.score(DOMAIN, TRAIN, POLICY).solved
    assert pg3.explain(SMALL, POLICY).plan == pg3.execute(problem, policy).plan
    assert pg3.evaluate(TRAIN, POLICY).rate == 1
    assert pg3.certify(TRAIN, POLICY).passed
    assert pg3.challenge(TRAIN, POLICY, number=5).counterexample is None
    assert not pg3.doctor(DOMAIN, TRAIN).faults


def test_the_methods_of_a_policy(tmp_path: Path) -> None:
    policy = pg3.read_policy(POLICY, DOMAIN)
    problem = pg3.read_problem(SMALL)
    assert str(policy.act(SMALL)) == "(sail l1 l2)"
    moved = {Atom("at-ferry", ("l1",)), Atom("at-ferry", ("l2",))}
    state = frozenset(problem.init) ^ moved
    assert str(policy.act(problem, state)) == "(board c1 l2)"
    execution = policy.run(SMALL)
    assert execution == pg3.execute(problem, policy)
    assert policy.evaluate([SMALL, problem]).solved == 2
    assert "the goal is reached" in str(policy.explain(SMALL))
    for name in ("ferry.policy", "ferry.json"):
        policy.save(tmp_path / name)
        assert pg3.read_policy(tmp_path / name, DOMAIN) == policy
    assert policy.to_python(tmp_path / "ferry.py") == (tmp_path / "ferry.py").read_text()


def test_words_for_people(tmp_path: Path) -> None:
    result = pg3.learn(DOMAIN, TRAIN)
    problem = pg3.read_problem(SMALL)
    assert str(result).startswith("passed: 4 rules; solves all 6 training problems and ")
    assert repr(result) == f"<learned policy ferry: {result}>"
    assert repr(result.policy) == "<policy ferry: 4 rules>"
    assert str(result.policy).startswith("(define (policy ferry)\n  (:domain ferry)")
    assert repr(problem) == "<problem ferry-small of ferry: 6 objects, 17 facts, 3 goals>"
    assert str(problem).startswith("(define (problem ferry-small)")
    assert repr(problem.domain) == "<domain ferry: 3 actions, 7 predicates>"
    assert repr(result.policy.run(problem)) == "<execution on ferry-small: solved, 8 steps>"
    assert repr(pg3.plan(problem).plan).startswith("((sail l1 l2), (board c1 l2), ")
    assert repr(pg3.plan(problem)).startswith("<plan: 8 steps, cost 8, ")
    assert str(pg3.evaluate(TRAIN, result.policy)) == "solved 6/6 (1.00)"
    report = result.report()
    assert "ferry-2-5" in report
    assert "(:rule sail-1" in report


def test_a_failure_in_words() -> None:
    half = pg3.read_policy(FERRY / "half.policy", DOMAIN)
    found = pg3.challenge(TRAIN, half)
    assert found.counterexample is not None
    assert repr(found).startswith("<challenge: <counterexample: <problem ")
    failed = pg3.evaluate(TRAIN, half).failed
    assert failed
    assert failed[0].reason is not None


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pg3.execute(_any(3), POLICY), "a problem or its path is expected, not a value"),
        (lambda: pg3.execute(SMALL, _any(None)), "a policy or its path is expected, not a value"),
        (lambda: pg3.execute(_any(pg3.read_policy(POLICY, DOMAIN)), SMALL), "of type policy"),
        (lambda: pg3.learn(_any([]), TRAIN), "a domain or its path is expected"),
        (lambda: pg3.learn(DOMAIN, _any(7)), "a problem or its path is expected"),
        (lambda: pg3.learn(DOMAIN, [_any(DOMAIN), _any(7)]), "a problem or its path is expected"),
        (lambda: pg3.learn("nothing.pddl", TRAIN), "nothing.pddl: no such file"),
        (lambda: pg3.export(POLICY), "the policy's domain is not known"),
        (lambda: pg3.export(POLICY, "fortran", domain=DOMAIN), "no export to 'fortran'"),
        (lambda: pg3.Learner().predict(SMALL), "nothing is learned yet"),
        (lambda: pg3.doctor(_any(pg3.read_domain(DOMAIN)), TRAIN), "doctor looks at files"),
        (lambda: pg3.evaluate([], POLICY), "no problems"),
    ],
)
def test_wrong_arguments(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(Pg3Error) as error:
        call()
    assert message in str(error.value)


def _any(value: object) -> Any:
    return value


_NO_NUMBER: list[object] = [None, "7", 2.5, -1, [], True]
_NO_LIMITS: list[object] = [None, 60, "60", [], {"seconds": 60}]


@pytest.mark.parametrize(
    ("call", "name", "wrong"),
    [
        (lambda x: pg3.execute(SMALL, POLICY, limits=x), "limits", _NO_LIMITS),
        (lambda x: pg3.execute(SMALL, POLICY, max_steps=x), "max_steps", _NO_NUMBER[1:]),
        (lambda x: pg3.solve_guided(SMALL, POLICY, limits=x), "limits", _NO_LIMITS),
        (lambda x: pg3.solve_guided(SMALL, POLICY, max_steps=x), "max_steps", _NO_NUMBER[1:]),
        (lambda x: pg3.plan(SMALL, limits=x), "limits", _NO_LIMITS),
        (lambda x: pg3.plan(SMALL, heuristic=x), "heuristic", [None, 3, "ff", [], ""]),
        (lambda x: pg3.plan(SMALL, search=x), "search", [None, 3, "bfs", [], ""]),
        (lambda x: pg3.plan(SMALL, use_costs=x), "use_costs", [None, 3, "yes", []]),
        (lambda x: pg3.plan_guided(SMALL, POLICY, limits=x), "limits", _NO_LIMITS),
        (lambda x: pg3.plan_guided(SMALL, POLICY, rollout_steps=x), "rollout_steps", _NO_NUMBER),
        (lambda x: pg3.plan_guided(SMALL, POLICY, heuristic=x), "heuristic", [None, "ff"]),
        (lambda x: pg3.explain(SMALL, POLICY, limits=x), "limits", _NO_LIMITS),
        (lambda x: pg3.explain(SMALL, POLICY, max_steps=x), "max_steps", _NO_NUMBER[1:]),
        (lambda x: pg3.explain(SMALL, POLICY, start=x), "start", [3, "(at c1 l1)", [3], ["x"]]),
        (lambda x: pg3.evaluate(TRAIN, POLICY, limits=x), "limits", _NO_LIMITS),
        (lambda x: pg3.evaluate(TRAIN, POLICY, max_steps=x), "max_steps", _NO_NUMBER[1:]),
        (lambda x: pg3.evaluate(TRAIN, POLICY, jobs=x), "jobs", [*_NO_NUMBER, 0]),
        (lambda x: pg3.score(DOMAIN, TRAIN, POLICY, accumulate=x), "accumulate", [None, 3, "sum"]),
        (lambda x: pg3.score(DOMAIN, TRAIN, POLICY, rollout_steps=x), "rollout_steps", _NO_NUMBER),
        (lambda x: pg3.score(DOMAIN, TRAIN, POLICY, plan_horizon=x), "plan_horizon", _NO_NUMBER),
        (
            lambda x: pg3.score(DOMAIN, TRAIN, POLICY, astar_expansions=x),
            "astar_expansions",
            _NO_NUMBER,
        ),
        (lambda x: pg3.score(DOMAIN, TRAIN, POLICY, names=x), "names", [3, "abc", [], ["one"]]),
        (lambda x: pg3.certify(TRAIN, POLICY, reachable=x), "reachable", [None, 3, "yes"]),
        (lambda x: pg3.challenge(TRAIN, POLICY, number=x), "number", _NO_NUMBER),
        (lambda x: pg3.challenge(TRAIN, POLICY, seed=x), "seed", _NO_NUMBER),
        (lambda x: pg3.challenge(TRAIN, POLICY, seconds=x), "seconds", ["1", -1, [], True]),
        (lambda x: pg3.prove(DOMAIN, TRAIN, POLICY, jobs=x), "jobs", _NO_NUMBER),
        (lambda x: pg3.read_policy(POLICY, DOMAIN).save(x), "path", [None, 3, "", [], b"x"]),
        (lambda x: pg3.export(POLICY, path=x, domain=DOMAIN), "path", [3, "", [], b"x"]),
    ],
)
def test_wrong_options(call: Callable[[Any], Any], name: str, wrong: list[object]) -> None:
    """What is no number, no limit or no name of a file is told by the argument's name."""
    for value in wrong:
        with pytest.raises(Pg3Error, match=f"^'{name}': .+ is expected, not "):
            call(value)


def test_the_manners_of_scikit_learn() -> None:
    learner = pg3.Learner(seed=2)
    assert repr(learner) == "Learner(seed=2)"
    assert learner.get_params()["seed"] == 2
    assert learner.set_params(seed=0) is learner
    assert learner.fit(DOMAIN, TRAIN) is learner
    assert str(learner.predict(SMALL)) == "(sail l1 l2)"
    assert learner.score(TRAIN) == 1.0
    assert learner.result_ is not None
    assert learner.policy_ is learner.result_.policy


@pytest.mark.parametrize(
    ("number", "total", "text"),
    [(5, 30, "0.17"), (30, 30, "1.00"), (0, 30, "0.00"), (999, 1000, "0.99"), (1, 1000, "0.01")],
)
def test_rates_are_rounded(number: int, total: int, text: str) -> None:
    assert rounded_rate(number, total) == text
