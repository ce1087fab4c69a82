from __future__ import annotations

import json

import pytest

from pg3.errors import PolicyError
from pg3.policy import policy_from_json, policy_to_json
from tests.policy.ferry import FERRY, POLICY

TEXT = policy_to_json(POLICY, FERRY)


def test_what_programs_see() -> None:
    assert json.loads(TEXT) == {
        "format": "pg3-policy",
        "version": 1,
        "name": "ferry",
        "domain": "ferry",
        "rules": [
            {
                "name": "debark-at-goal",
                "parameters": [
                    {"name": "?c", "types": ["car"]},
                    {"name": "?l", "types": ["location"]},
                ],
                "preconditions": [
                    {"positive": True, "predicate": "on", "terms": ["?c"]},
                    {"positive": True, "predicate": "at-ferry", "terms": ["?l"]},
                ],
                "goals": [{"positive": True, "predicate": "at", "terms": ["?c", "?l"]}],
                "action": {"name": "debark", "arguments": ["?c", "?l"]},
            }
        ],
    }
    assert "domain" not in json.loads(policy_to_json(POLICY))


def test_the_domain_is_optional_and_checked() -> None:
    assert policy_from_json(policy_to_json(POLICY), FERRY) == POLICY
    assert policy_from_json(TEXT.replace('"domain": "ferry"', '"domain": "FERRY"'), FERRY) == POLICY
    with pytest.raises(
        PolicyError, match=r"^<policy>:5:13: domain: the policy is for domain 'boat'"
    ):
        policy_from_json(TEXT.replace('"domain": "ferry"', '"domain": "boat"'), FERRY)


def test_case_does_not_matter() -> None:
    assert policy_from_json(TEXT.replace('"at-ferry"', '"At-Ferry"'), FERRY) == POLICY


@pytest.mark.parametrize("brackets", [("[", ""), ("[", "]"), ('{"a":', "1}")])
@pytest.mark.parametrize("depth", [100, 1000, 100_000])
def test_deep_nesting(brackets: tuple[str, str], depth: int) -> None:
    opening, closing = brackets
    with pytest.raises(PolicyError, match=r"^<policy>:1:"):
        policy_from_json(opening * depth + closing * depth, FERRY)


@pytest.mark.parametrize("value", ["true", "null", '"1"', "NaN", "[1]", "0", "9" * 5000])
def test_versions_that_are_none(value: str) -> None:
    with pytest.raises(PolicyError, match=r"version|too many digits"):
        policy_from_json(TEXT.replace('"version": 1', f'"version": {value}'), FERRY)


def test_positions_count_characters_even_after_wide_ones() -> None:
    text = TEXT.replace("debark-at-goal", "débarquer").replace('"on"', '"om"')
    text = text.replace("\n", " ")
    with pytest.raises(PolicyError) as caught:
        policy_from_json(text, FERRY)
    assert f":1:{text.index(chr(34) + 'om') + 1}: rules[0].preconditions[0]" in str(caught.value)


def test_json_has_no_comments_that_could_be_anything() -> None:
    with pytest.raises(PolicyError, match="byte 0xff is not UTF-8 text"):
        policy_from_json(b"{};\xff", FERRY)


def test_every_part_is_required_and_of_one_kind() -> None:
    def parts(value: object, path: tuple[str | int, ...]) -> list[tuple[str | int, ...]]:
        items: list[tuple[str | int, object]] = []
        if isinstance(value, dict):
            items = list(value.items())
        elif isinstance(value, list):
            items = list(enumerate(value))
        inner = [deeper for step, part in items for deeper in parts(part, (*path, step))]
        return [path, *inner] if path else inner

    for path in parts(json.loads(TEXT), ()):
        for change in ("wrong", "missing"):
            value = json.loads(TEXT)
            holder = value
            for step in path[:-1]:
                holder = holder[step]
            if change == "wrong":
                holder[path[-1]] = 3.5
            elif isinstance(path[-1], str) and path != ("domain",):
                del holder[path[-1]]
            else:
                continue
            with pytest.raises(PolicyError):
                policy_from_json(json.dumps(value), FERRY)
