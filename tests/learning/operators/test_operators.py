"""Every operator: branching factors as in the paper, and what all of them must do."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from pg3.learning.operators import OPERATORS, OperatorOptions
from pg3.learning.training import Training
from pg3.pddl.model import EQUALS, Atom, Literal
from pg3.policy import DecisionList, Rule, canonical, check_policy
from pg3.policy.rule_book import PolicyKey, RuleBook
from tests.support.errands import FETCH, FETCHING
from tests.support.ferry_problems import FERRY, POLICY, small_ferry_problems
from tests.support.random_problems import Scenario, scenarios

if TYPE_CHECKING:
    from pg3.learning.scores import Plans

OPTIONS = [
    OperatorOptions(generalise, every_plan, selective)
    for generalise, every_plan, selective in product((True, False), repeat=3)
]


def children_of(
    name: str, training: Training, policy: DecisionList, options: OperatorOptions | None = None
) -> list[PolicyKey]:
    key = training.book.key(policy)
    plans = partial(guided_plans, training, key)
    operator = OPERATORS[name](training, options or OperatorOptions())
    return list(operator.children(key, plans))


def guided_plans(training: Training, key: PolicyKey) -> Plans:
    return tuple(training.guided_plan(key, i, 50) for i in range(len(training)))


@pytest.fixture
def ferry() -> Training:
    return Training(small_ferry_problems(3))


def shorter(policy: DecisionList, length: int) -> DecisionList:
    return DecisionList(policy.name, policy.rules[:length])


# -- branching factors -----------------------------------------------------------------------------


@pytest.mark.parametrize("length", range(5))
def test_add_rule(ferry: Training, length: int) -> None:
    policy = shorter(POLICY, length)
    key = ferry.book.key(policy)
    children = children_of("add-rule", ferry, policy)
    assert len(children) == len(FERRY.actions) * (length + 1)
    for i, child in enumerate(children):
        action = FERRY.actions[i // (length + 1)]
        place = i % (length + 1)
        assert (*child[:place], *child[place + 1 :]) == key
        new = ferry.book.rule(child[place])
        assert (new.action, len(new.parameters)) == (action.name, len(action.parameters))
        assert new.arguments == tuple(parameter.name for parameter in new.parameters)
        assert (set(new.preconditions), new.goals) == (set(action.precondition), ())


@pytest.mark.parametrize("length", range(5))
def test_delete_rule(ferry: Training, length: int) -> None:
    policy = shorter(POLICY, length)
    key = ferry.book.key(policy)
    assert children_of("delete-rule", ferry, policy) == [
        (*key[:i], *key[i + 1 :]) for i in range(length)
    ]


@pytest.mark.parametrize("length", range(5))
def test_add_condition(ferry: Training, length: int) -> None:
    """4 |policy| |P| k^m, but for what a rule has already and the opposite of that."""
    policy = shorter(POLICY, length)
    expected = 0
    for rule in policy.rules:
        k = len(rule.parameters)
        expected += sum(4 * k**predicate.arity for predicate in FERRY.predicates)
        expected -= 2 * (len(rule.preconditions) + len(rule.goals))
    children = children_of("add-condition", ferry, policy)
    assert len(children) == len(set(children)) == expected
    m = max(predicate.arity for predicate in FERRY.predicates)
    bound = sum(4 * len(FERRY.predicates) * len(r.parameters) ** m for r in policy.rules)
    assert expected <= bound


def test_add_condition_with_types() -> None:
    """One child for each literal that the checks allow and whose variables always fit."""
    training = Training([FETCH])
    domain = training.domain
    children = set(children_of("add-condition", training, FETCHING))
    expected = set()
    for place, rule in enumerate(FETCHING.rules):
        types = {parameter.name: parameter.types for parameter in rule.parameters}
        for predicate in domain.predicates:
            fitting = [
                [name for name, of in types.items() if all(domain.is_a(t, p.types) for t in of)]
                for p in predicate.parameters
            ]
            for terms, positive, goal in product(product(*fitting), (True, False), (True, False)):
                literal = Literal(Atom(predicate.name, terms), positive)
                section = rule.goals if goal else rule.preconditions
                if literal.atom in [other.atom for other in section]:
                    continue
                new = Rule(
                    rule.name,
                    rule.parameters,
                    rule.preconditions if goal else (*rule.preconditions, literal),
                    (*rule.goals, literal) if goal else rule.goals,
                    rule.action,
                    rule.arguments,
                )
                rules = (*FETCHING.rules[:place], new, *FETCHING.rules[place + 1 :])
                expected.add(training.book.key(DecisionList("p", rules)))
    assert children == expected


def test_selective_add_condition_leaves_out_what_cannot_matter(ferry: Training) -> None:
    everything = children_of("add-condition", ferry, POLICY)
    selected = children_of("add-condition", ferry, POLICY, OperatorOptions(selective=True))
    left_out = Counter(everything) - Counter(selected)
    assert not Counter(selected) - Counter(everything)
    key = ferry.book.key(POLICY)
    for child in left_out:
        ((old, new),) = (
            (ferry.book.rule(a), ferry.book.rule(b))
            for a, b in zip(key, child, strict=True)
            if a != b
        )
        in_state = set(new.preconditions) - set(old.preconditions)
        in_goal = set(new.goals) - set(old.goals)
        (literal,) = in_state | in_goal
        repeats = len(set(literal.atom.terms)) < len(literal.atom.terms)
        assert repeats or (in_goal and literal.atom.predicate != "at")


@pytest.mark.parametrize("length", range(5))
def test_delete_condition(ferry: Training, length: int) -> None:
    """One child for each literal that is no precondition of the rule's action."""
    policy = shorter(POLICY, length)
    expected = []
    for place, rule in enumerate(policy.rules):
        action = FERRY.actions[FERRY.action_index[rule.action]]
        binding = dict(zip((p.name for p in action.parameters), rule.arguments, strict=True))
        needed = {
            Literal(Atom(a.predicate, tuple(binding[t] for t in a.terms)), positive)
            for a, positive in action.precondition
        }
        for section in ("preconditions", "goals"):
            for literal in getattr(rule, section):
                if section == "preconditions" and literal in needed:
                    continue
                sections = {"preconditions": rule.preconditions, "goals": rule.goals}
                sections[section] = tuple(one for one in sections[section] if one != literal)
                new = Rule(
                    rule.name,
                    rule.parameters,
                    sections["preconditions"],
                    sections["goals"],
                    rule.action,
                    rule.arguments,
                )
                rules = (*policy.rules[:place], new, *policy.rules[place + 1 :])
                expected.append(ferry.book.key(DecisionList("p", rules)))
    children = children_of("delete-condition", ferry, policy)
    assert len(children) == len(expected)
    assert set(children) == set(expected)


def test_induce_rule_has_one_child_at_most(ferry: Training) -> None:
    assert len(children_of("induce-rule", ferry, shorter(POLICY, 0))) == 1
    # Nothing to learn where the policy agrees with its plans.
    assert children_of("induce-rule", ferry, POLICY) == []
    every = children_of("induce-rule", ferry, shorter(POLICY, 0), OperatorOptions(every_plan=True))
    assert 1 <= len(every) <= len(ferry)


# -- every member ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OPERATORS)
@settings(max_examples=25)
@given(scenario=scenarios())
def test_children_are_well_formed_and_always_the_same(name: str, scenario: Scenario) -> None:
    problem, policy = scenario
    for options in (OPTIONS[0], OPTIONS[-1]):
        seen = []
        for _ in range(2):
            training = Training([problem], expansions=200)
            children = children_of(name, training, policy, options)
            found = [training.book.policy(child, "child") for child in children]
            seen.append(found)
        for child in seen[0]:
            check_policy(child, problem.domain)
        assert seen[0] == seen[1]


@pytest.mark.parametrize("name", OPERATORS)
def test_the_same_operator_again_and_again(name: str, ferry: Training) -> None:
    """What an operator remembers of one policy has no say in the next."""
    operator = OPERATORS[name](ferry, OperatorOptions())
    for length in (4, 2, 0, 4, 3, 2):
        policy = shorter(POLICY, length)
        key = ferry.book.key(policy)
        assert list(operator.children(key, partial(guided_plans, ferry, key))) == children_of(
            name, ferry, policy
        )


@pytest.mark.parametrize("name", OPERATORS)
def test_no_child_is_the_policy_itself(name: str, ferry: Training) -> None:
    for length in range(5):
        policy = shorter(POLICY, length)
        assert ferry.book.key(policy) not in children_of(name, ferry, policy)


@pytest.mark.parametrize("name", OPERATORS)
def test_children_are_one_change_away(name: str, ferry: Training) -> None:
    policy = shorter(POLICY, 3)
    key = ferry.book.key(policy)
    for child in children_of(name, ferry, policy):
        same = sum(a == b for a, b in zip(key, child, strict=False))
        same += sum(a == b for a, b in zip(key[::-1], child[::-1], strict=False))
        assert same >= min(len(key), len(child)) - 1


def test_rules_that_differ_in_names_and_order_only_are_one_rule() -> None:
    """Pruning of duplicates rests on this: equal canonical forms, equal numbers."""
    book = RuleBook(FERRY)
    for rule in POLICY.rules:
        renaming = {p.name: f"?v{i}" for i, p in enumerate(rule.parameters)}

        def renamed(literals: tuple[Literal, ...], names: dict[str, str]) -> tuple[Literal, ...]:
            return tuple(
                Literal(Atom(a.predicate, tuple(names[t] for t in a.terms)), positive)
                for a, positive in reversed(literals)
            )

        other = Rule(
            "other",
            tuple(p._replace(name=renaming[p.name]) for p in rule.parameters),
            renamed(rule.preconditions, renaming),
            renamed(rule.goals, renaming),
            rule.action,
            tuple(renaming[argument] for argument in rule.arguments),
        )
        assert book.number(other) == book.number(rule)
        assert not any(literal.atom.predicate == EQUALS for literal in other.preconditions)
    assert canonical(book.policy(book.key(POLICY), "ferry")) == canonical(POLICY)
