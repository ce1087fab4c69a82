"""Text, JSON and values hold the same: whatever way a policy goes, it comes back equal."""

from __future__ import annotations

import json
import warnings

from hypothesis import given
from hypothesis import strategies as st

from pg3.errors import InputWarning, PolicyError
from pg3.pddl.model import Domain, Parameter
from pg3.policy import (
    DecisionList,
    Rule,
    check_policy,
    parse_policy,
    policy_from_json,
    policy_to_json,
    write_policy,
)
from pg3.policy.checks import first_fault
from tests.policy.ferry import FERRY, POLICY
from tests.support.random_problems import domains, policies

NAMES = st.from_regex(r"[a-z0-9_+*<>/!][a-z0-9_+*<>/!é\-]{0,8}", fullmatch=True)


@st.composite
def well_formed(draw: st.DrawFn) -> tuple[Domain, DecisionList]:
    """A policy that passes the checks, with arbitrary names, and its domain."""
    domain = draw(domains())
    policy = draw(policies(domain).filter(lambda policy: first_fault(policy, domain) is None))
    names = draw(st.lists(NAMES, min_size=len(policy.rules), unique=True))
    rules = (
        Rule(name, r.parameters, r.preconditions, r.goals, r.action, r.arguments)
        for name, r in zip(names, policy.rules, strict=False)
    )
    return domain, DecisionList(draw(NAMES), tuple(rules))


@given(well_formed(), st.booleans())
def test_every_way_round(pair: tuple[Domain, DecisionList], named: bool) -> None:
    domain, policy = pair
    check_policy(policy, domain)
    text = write_policy(policy, domain if named else None)
    code = policy_to_json(policy, domain if named else None)
    assert parse_policy(text, domain) == policy
    assert policy_from_json(code, domain) == policy
    assert write_policy(policy_from_json(code, domain), domain if named else None) == text
    assert policy_to_json(parse_policy(text, domain), domain if named else None) == code
    assert all(len(line) <= 100 for line in text.splitlines())


@given(well_formed(), st.data())
def test_case_and_layout_do_not_matter(
    pair: tuple[Domain, DecisionList], data: st.DataObject
) -> None:
    domain, policy = pair
    text = write_policy(policy, domain)
    words = text.replace("(", " ( ").replace(")", " ) ").split()
    spaces = st.sampled_from([" ", "\n", "\t", " ; a (comment\n", "\r\n"])
    loose = "".join(word + data.draw(spaces) for word in words)
    upper = "".join(c.upper() if c.isascii() else c for c in loose)
    assert parse_policy(upper, domain) == policy
    code = json.loads(policy_to_json(policy, domain))
    assert policy_from_json(json.dumps(code, separators=(",", ":")), domain) == policy


@given(st.binary(max_size=80) | st.text(max_size=80))
def test_any_text_is_a_policy_or_a_clear_error(text: bytes | str) -> None:
    for read in (parse_policy, policy_from_json):
        try:
            read(text, FERRY)
        except PolicyError as error:
            assert str(error).startswith("<policy>:")


@given(st.data())
def test_a_mutilated_policy_is_a_policy_or_a_clear_error(data: st.DataObject) -> None:
    for write, read in ((write_policy, parse_policy), (policy_to_json, policy_from_json)):
        text = write(POLICY, FERRY)
        begin = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(begin, min(len(text), begin + 30)))
        insert = data.draw(
            st.sampled_from(["", "(", ")", "?c", "and", '"', "[", "]", "{", "1", ":"])
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InputWarning)
            try:
                read(text[:begin] + insert + text[end:], FERRY)
            except PolicyError as error:
                assert str(error).startswith("<policy>:")


def test_layout() -> None:
    parameters = tuple(
        Parameter(name, types)
        for name, types in [
            ("?a", ("object",)),
            ("?b", ("object",)),
            ("?c", ("car",)),
            ("?d", ("car", "truck")),
        ]
    )
    rule = POLICY.rules[0]
    long = Rule("long", parameters, rule.preconditions * 4, (), "wash", ("?c",))
    untyped = Rule("untyped", parameters[:2], (), rule.goals, "sail", ("harbour", "harbour"))
    bare = Rule("bare", (), (), (), "sail", ("harbour", "harbour"))
    assert write_policy(DecisionList("p", (long, untyped, bare)), FERRY) == (
        "(define (policy p)\n"
        "  (:domain ferry)\n"
        "\n"
        "  (:rule long\n"
        "    :parameters (?a ?b - object ?c - car ?d - (either car truck))\n"
        "    :preconditions (and (on ?c)\n"
        + "                        (at-ferry ?l)\n                        (on ?c)\n"
        * 3
        + "                        (at-ferry ?l))\n"
        "    :action (wash ?c))\n"
        "\n"
        "  (:rule untyped\n"
        "    :parameters (?a ?b)\n"
        "    :goals (and (at ?c ?l))\n"
        "    :action (sail harbour harbour))\n"
        "\n"
        "  (:rule bare\n"
        "    :parameters ()\n"
        "    :action (sail harbour harbour)))\n"
    )
    assert write_policy(DecisionList("empty", ())) == "(define (policy empty))\n"
