"""Policies that were built in Python meet the same checks as files: see also `test_broken`."""

from __future__ import annotations

import dataclasses

import pytest

from pg3.errors import PolicyError
from pg3.pddl.model import Atom, Literal, Parameter
from pg3.policy import DecisionList, check_policy, parse_policy, policy_from_json, policy_to_json
from pg3.policy import write_policy as write
from tests.policy.ferry import CAR, DEBARK, FERRY, POLICY

VEHICLE = Parameter("?v", ("vehicle",))

CHANGES: dict[str, dict[str, object]] = {
    "predicate 'om' is not declared": {"preconditions": (Literal(Atom("om", ("?c",))),)},
    "predicate 'on' takes 1 argument, not 2": {
        "preconditions": (Literal(Atom("on", ("?c", "?l"))),)
    },
    "variable '?d' is not declared": {"goals": (Literal(Atom("washed", ("?d",))),)},
    "constant 'port' is not declared": {"arguments": ("?c", "port")},
    "type 'van' is not declared": {"parameters": (Parameter("?c", ("van",)),)},
    "parameter '?c' is declared twice": {"parameters": (*DEBARK.parameters, CAR)},
    "condition (on ?c) is repeated": {"preconditions": DEBARK.preconditions[:1] * 2},
    "condition (not (at ?c ?l)) contradicts (at ?c ?l)": {
        "goals": (*DEBARK.goals, DEBARK.goals[0].negated)
    },
    "condition (not (= ?c ?c)) never holds": {
        "preconditions": (Literal(Atom("=", ("?c", "?c")), False),)
    },
    "'=' cannot be a goal condition": {"goals": (Literal(Atom("=", ("?c", "?c"))),)},
    "action 'fly' is not declared": {"action": "fly"},
    "action 'debark' takes 2 arguments, not 1": {"arguments": ("?c",)},
    "'?v' is of type 'vehicle', but argument 1 of action 'wash' must be of type 'car'": {
        "parameters": (*DEBARK.parameters, VEHICLE),
        "action": "wash",
        "arguments": ("?v",),
    },
    "'?l' is of type 'location', but argument 1 of 'on' must be of type 'vehicle'": {
        "preconditions": (Literal(Atom("on", ("?l",))),)
    },
}


def complaint(policy: DecisionList) -> PolicyError:
    with pytest.raises(PolicyError) as caught:
        check_policy(policy, FERRY)
    return caught.value


@pytest.mark.parametrize("message", CHANGES)
def test_same_message_for_values_text_and_json(message: str) -> None:
    rule = dataclasses.replace(DEBARK, **CHANGES[message])  # type: ignore[arg-type]
    policy = DecisionList("ferry", (rule,))
    built = complaint(policy)
    assert built.message == message
    with pytest.raises(PolicyError) as from_text:
        parse_policy(write(policy), FERRY, name="<policy ferry>")
    assert str(from_text.value) == str(built)
    with pytest.raises(PolicyError) as from_json:
        policy_from_json(policy_to_json(policy), FERRY)
    assert from_json.value.message.startswith("rules[0].")
    assert from_json.value.message.endswith(f": {message}")


def test_a_built_policy_is_shown_as_it_would_print() -> None:
    rule = dataclasses.replace(DEBARK, action="debrak")
    assert str(complaint(DecisionList("ferry", (rule,)))) == (
        "<policy ferry>:7:14: action 'debrak' is not declared\n"
        "        :action (debrak ?c ?l)))\n"
        "                 ^^^^^^\n"
        "  did you mean 'debark'?"
    )


@pytest.mark.parametrize(
    "name", ["", "two words", "Upper", "(", "a;b", "?x", ":rule", "-", "\u200b"]
)
def test_names_that_the_text_format_could_not_read_back(name: str) -> None:
    assert "cannot be a name" in complaint(dataclasses.replace(POLICY, name=name)).message
    rule = dataclasses.replace(DEBARK, name=name)
    assert "cannot be a name" in complaint(dataclasses.replace(POLICY, rules=(rule,))).message


@pytest.mark.parametrize("name", ["x", "?", "?X", "?x y", "? x", "?x)", "?\ud800"])
def test_parameters_that_the_text_format_could_not_read_back(name: str) -> None:
    rule = dataclasses.replace(DEBARK, parameters=(*DEBARK.parameters, Parameter(name, ("car",))))
    message = complaint(dataclasses.replace(POLICY, rules=(rule,))).message
    assert "cannot be a parameter" in message


def test_a_parameter_without_type() -> None:
    rule = dataclasses.replace(DEBARK, parameters=(Parameter("?c", ()), DEBARK.parameters[1]))
    assert complaint(DecisionList("p", (rule,))).message == "parameter '?c' has no type"


def test_two_rules_of_one_name() -> None:
    error = complaint(DecisionList("p", (DEBARK, DEBARK)))
    assert error.message == "rule 'debark-at-goal' is declared twice"
    assert error.hint == "the first time in line 3"


def test_well_formed() -> None:
    check_policy(POLICY, FERRY)
    check_policy(DecisionList("empty", ()), FERRY)
