from __future__ import annotations

import pytest

from pg3 import _native
from pg3.policy import encode_policy, parse_policy
from tests.policy.ferry import FERRY

TEXT = """
(define (policy p)
  (:rule r
    :parameters (?v - vehicle ?l - location ?e - (either truck location) ?x)
    :preconditions (and (at ?v harbour) (not (= ?l harbour)) (not (at-ferry ?l)) (empty-ferry))
    :goals (and (at ?v ?l) (not (on ?v)))
    :action (board ?v harbour))
  (:rule s :action (sail harbour harbour)))
"""


def test_integers_of_a_rule() -> None:
    assert [type_.name for type_ in FERRY.types] == [
        "object",
        "vehicle",
        "location",
        "car",
        "truck",
    ]
    rule, bare = encode_policy(parse_policy(TEXT, FERRY), FERRY, _native.RuleTable())
    assert all(type(literal.kind) is int for literal in rule.literals)
    assert rule == (
        1,
        [0, -1],
        [[1, 3, 4], [2], [2, 4], [0, 1, 2, 3, 4]],
        [
            (0, True, 0, [0, -1]),
            (2, False, -1, [1, -1]),
            (0, False, 1, [1]),
            (0, True, 4, []),
            (1, True, 0, [0, 1]),
            (1, False, 2, [0]),
        ],
    )
    assert bare == (0, [-1, -1], [], [])


def test_a_policy_for_another_domain_is_no_input_error_but_a_mistake_of_the_caller() -> None:
    policy = parse_policy(TEXT, FERRY)
    other = type(FERRY)("other", FERRY.types, (), (), ())
    with pytest.raises(KeyError):
        encode_policy(policy, other, _native.RuleTable())
