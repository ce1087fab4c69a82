from __future__ import annotations

import dataclasses
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pg3.pddl.model import EQUALS, Atom, Domain, Literal, Parameter
from pg3.policy import Rule, canonical, canonical_rule, check_policy
from tests.policy.ferry import DEBARK, FERRY, POLICY
from tests.support.random_problems import domains, policies


def renamed(rule: Rule, names: dict[str, str]) -> Rule:
    """The rule with other names for its variables."""

    def literals(these: tuple[Literal, ...]) -> tuple[Literal, ...]:
        return tuple(
            Literal(Atom(atom.predicate, tuple(names.get(t, t) for t in atom.terms)), positive)
            for atom, positive in these
        )

    return Rule(
        rule.name,
        tuple(Parameter(names[name], types) for name, types in rule.parameters),
        literals(rule.preconditions),
        literals(rule.goals),
        rule.action,
        tuple(names.get(term, term) for term in rule.arguments),
    )


def test_form() -> None:
    rule = canonical_rule(DEBARK)
    assert str(rule.preconditions[0].atom) == "(at-ferry ?x1)"
    assert str(rule.preconditions[1].atom) == "(on ?x0)"
    assert rule.arguments == ("?x0", "?x1")
    assert rule.name == "rule"


def test_sides_of_an_equality_and_order_of_either_do_not_matter() -> None:
    def rule(types: tuple[str, ...], terms: tuple[str, ...]) -> Rule:
        parameters = (Parameter("?a", types), Parameter("?b", ("car",)))
        return Rule("r", parameters, (Literal(Atom(EQUALS, terms), False),), (), "wash", ("?b",))

    one = rule(("car", "truck"), ("?a", "?b"))
    assert canonical_rule(one) == canonical_rule(rule(("truck", "car"), ("?b", "?a")))


@pytest.mark.parametrize(
    "change",
    [
        {"parameters": DEBARK.parameters[::-1]},
        {"parameters": (*DEBARK.parameters, Parameter("?t", ("truck",)))},
        {"parameters": (Parameter("?c", ("truck",)), DEBARK.parameters[1])},
        {"preconditions": DEBARK.preconditions[:1]},
        {"preconditions": (DEBARK.preconditions[0].negated, DEBARK.preconditions[1])},
        {"preconditions": DEBARK.preconditions + DEBARK.goals, "goals": ()},
        {"goals": ()},
        {"action": "board"},
        {"arguments": ("?c", "harbour")},
    ],
    ids=str,
)
def test_what_changes_the_meaning_changes_the_form(change: dict[str, object]) -> None:
    assert canonical_rule(dataclasses.replace(DEBARK, **change)) != canonical_rule(DEBARK)  # type: ignore[arg-type]


def test_policies_are_equal_if_their_rules_are_in_order() -> None:
    other = dataclasses.replace(DEBARK, name="other", preconditions=DEBARK.preconditions[::-1])
    assert canonical(dataclasses.replace(POLICY, rules=(other,))) == canonical(POLICY)
    assert canonical(dataclasses.replace(POLICY, rules=(other, other))) != canonical(POLICY)
    check_policy(canonical(dataclasses.replace(POLICY, rules=(other, other))), FERRY)


@given(st.data())
def test_names_order_and_repetition_do_not_matter(data: st.DataObject) -> None:
    policy = data.draw(policies(data.draw(domains())))
    for rule in policy.rules:
        names = [name for name, _ in rule.parameters]
        # Includes the names that the canonical form uses itself, in another order.
        pool = [f"?x{i}" for i in range(len(names))] + [f"?v{i}" for i in range(len(names))]
        new = data.draw(st.permutations(pool))[: len(names)]
        other = dataclasses.replace(
            renamed(rule, dict(zip(names, new, strict=True))), name="another"
        )
        repeated = other.preconditions + other.preconditions[:1]
        other = dataclasses.replace(
            other,
            preconditions=tuple(data.draw(st.permutations(repeated))),
            goals=tuple(data.draw(st.permutations(other.goals))),
        )
        assert canonical_rule(other) == canonical_rule(rule)
        assert canonical_rule(canonical_rule(rule)) == canonical_rule(rule)


def equal_up_to_names(one: Rule, other: Rule) -> bool:
    """The definition of equality, word by word: some renaming makes the parts equal as sets."""
    if len(one.parameters) != len(other.parameters):
        return False
    mine = [name for name, _ in one.parameters]
    theirs = [name for name, _ in other.parameters]

    def parts(rule: Rule) -> tuple[object, ...]:
        def literals(these: tuple[Literal, ...]) -> frozenset[object]:
            return frozenset(
                (p, frozenset(atom.terms) if atom.predicate == EQUALS else atom)
                for atom, p in these
            )

        parameters = tuple((name, frozenset(types)) for name, types in rule.parameters)
        conditions = literals(rule.preconditions), literals(rule.goals)
        return (parameters, *conditions, rule.action, rule.arguments)

    return any(
        parts(renamed(one, dict(zip(mine, order, strict=True)))) == parts(other)
        for order in itertools.permutations(theirs)
    )


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Rule, Rule]:
    """Two rules that differ little: one is the other with a part changed, or not at all."""
    domain: Domain = draw(domains())
    policy = draw(policies(domain).filter(lambda policy: policy.rules))
    one, other = draw(st.sampled_from(policy.rules)), draw(st.sampled_from(policy.rules))
    if draw(st.booleans()):
        names = [name for name, _ in one.parameters]
        other = renamed(one, dict(zip(names, draw(st.permutations(names)), strict=True)))
    return one, other


@given(pairs())
def test_equal_exactly_if_equal_up_to_names_and_order(pair: tuple[Rule, Rule]) -> None:
    one, other = pair
    assert (canonical_rule(one) == canonical_rule(other)) == equal_up_to_names(one, other)
