"""The JSON format of policies, in and out; docs/reference/policy-format.md is its specification.

Reading is strict: every key must be known, present once and of the right kind. That keeps files
that a later version extends from being half understood by this one.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

from pg3.errors import PolicyError, did_you_mean
from pg3.pddl.lexer import text_source
from pg3.pddl.model import Atom, Literal, Parameter
from pg3.policy import json_source
from pg3.policy.checks import first_fault
from pg3.policy.model import Clause, DecisionList, Rule
from pg3.storage.schema import path_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pg3.errors import Source
    from pg3.pddl.model import Domain
    from pg3.policy.layout import Place, Places

FORMAT = "pg3-policy"
VERSION = 1

_Item = TypeVar("_Item")

# The reader of text folds ASCII letters only; a name must mean the same in both formats.
_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def policy_to_json(policy: DecisionList, domain: Domain | None = None) -> str:
    """The JSON text of a policy; `policy_from_json` gives back an equal one, all names included.

    With a domain the text names it, and reading the text for another domain is an error.
    """
    head = {"format": FORMAT, "version": VERSION, "name": policy.name}
    if domain is not None:
        head["domain"] = domain.name
    members = [_member(key, json.dumps(value)) for key, value in head.items()]
    if policy.definitions:
        members.append(
            _member("definitions", _block("[]", map(_clause_to_json, policy.definitions)))
        )
    members.append(_member("rules", _block("[]", map(_rule_to_json, policy.rules))))
    return _block("{}", members) + "\n"


def policy_from_json(text: str | bytes, domain: Domain, name: str = "<policy>") -> DecisionList:
    """The policy in a JSON text, checked against the domain; PolicyError at the first fault.

    `name` is what messages call the text.
    """
    return read_json(text_source(text, name), domain)


def read_json(source: Source, domain: Domain) -> DecisionList:
    """The policy in a source in the JSON format."""
    value, places = json_source.load(source)
    reader = _Reader(places)
    policy = reader.policy(value, domain)
    fault = first_fault(policy, domain)
    if fault is not None:
        raise fault.error(places, prefix=f"{path_of(fault.place)}: ")
    return policy


# -- writing --------------------------------------------------------------------------------------


def _member(key: str, value: str) -> str:
    return f"{json.dumps(key)}: {value}"


def _block(brackets: str, items: Iterable[str]) -> str:
    """A JSON list or object with one item a line, indented; the items are JSON already."""
    lines = ",\n".join(items)
    if not lines:
        return brackets
    return f"{brackets[0]}\n{_indented(lines)}\n{brackets[1]}"


def _indented(lines: str) -> str:
    return "\n".join(f"  {line}" for line in lines.split("\n"))


def _rule_to_json(rule: Rule) -> str:
    parameters = [{"name": p.name, "types": p.types} for p in rule.parameters]
    members = {
        "name": json.dumps(rule.name),
        "parameters": _block("[]", map(json.dumps, parameters)),
        "preconditions": _block("[]", map(_literal_to_json, rule.preconditions)),
        "goals": _block("[]", map(_literal_to_json, rule.goals)),
        "action": json.dumps({"name": rule.action, "arguments": rule.arguments}),
    }
    return _block("{}", (_member(key, value) for key, value in members.items()))


def _clause_to_json(clause: Clause) -> str:
    members = {"name": json.dumps(clause.name)}
    for key, parameters in (("parameters", clause.parameters), ("variables", clause.variables)):
        values = [{"name": p.name, "types": p.types} for p in parameters]
        members[key] = _block("[]", map(json.dumps, values))
    members["conditions"] = _block("[]", map(_literal_to_json, clause.conditions))
    members["goals"] = _block("[]", map(_literal_to_json, clause.goals))
    return _block("{}", (_member(key, value) for key, value in members.items()))


def _literal_to_json(literal: Literal) -> str:
    predicate, terms = literal.atom
    return json.dumps({"positive": literal.positive, "predicate": predicate, "terms": terms})


# -- reading --------------------------------------------------------------------------------------


class _Reader:
    """Turns a JSON value into a policy; every fault names the path to the part and points at it."""

    def __init__(self, places: Places) -> None:
        self.places = places

    def fail(self, place: Place, message: str, hint: str | None = None) -> PolicyError:
        path = path_of(place)
        span = self.places.span(place)
        return PolicyError(f"{path}: {message}" if path else message, span, hint)

    def policy(self, value: Any, domain: Domain) -> DecisionList:
        if not isinstance(value, dict) or value.get("format") != FORMAT:
            span = self.places.span(("format",))
            raise PolicyError(
                "this JSON is no policy", span, f'expected {{"format": "{FORMAT}", ...}}'
            )
        # Before anything else: the keys of another version are not ours to judge.
        version = value.get("version", VERSION)
        if version != VERSION or isinstance(version, bool):
            raise self.fail(
                ("version",), "this pg3 does not read such a version", f"expected {VERSION}"
            )
        keys = ("format", "version", "name", "rules")
        self.members(value, (), keys, optional=("domain", "definitions"))
        name = self.string(value["name"], ("name",))
        if "domain" in value:
            domain_name = self.string(value["domain"], ("domain",))
            if domain_name != domain.name:
                raise self.fail(
                    ("domain",),
                    f"the policy is for domain '{domain_name}', "
                    f"but the domain given is '{domain.name}'",
                )
        definitions = self.items(value.get("definitions", []), ("definitions",), self.clause)
        return DecisionList(name, self.items(value["rules"], ("rules",), self.rule), definitions)

    def clause(self, value: Any, place: Place) -> Clause:
        self.members(value, place, ("name", "parameters", "variables", "conditions", "goals"))
        return Clause(
            name=self.string(value["name"], (*place, "name")),
            parameters=self.items(value["parameters"], (*place, "parameters"), self.parameter),
            variables=self.items(value["variables"], (*place, "variables"), self.parameter),
            conditions=self.items(value["conditions"], (*place, "conditions"), self.literal),
            goals=self.items(value["goals"], (*place, "goals"), self.literal),
        )

    def rule(self, value: Any, place: Place) -> Rule:
        self.members(value, place, ("name", "parameters", "preconditions", "goals", "action"))
        action, action_place = value["action"], (*place, "action")
        self.members(action, action_place, ("name", "arguments"))
        return Rule(
            name=self.string(value["name"], (*place, "name")),
            parameters=self.items(value["parameters"], (*place, "parameters"), self.parameter),
            preconditions=self.items(
                value["preconditions"], (*place, "preconditions"), self.literal
            ),
            goals=self.items(value["goals"], (*place, "goals"), self.literal),
            action=self.string(action["name"], (*action_place, "name")),
            arguments=self.items(action["arguments"], (*action_place, "arguments"), self.string),
        )

    def parameter(self, value: Any, place: Place) -> Parameter:
        self.members(value, place, ("name", "types"))
        return Parameter(
            self.string(value["name"], (*place, "name")),
            self.items(value["types"], (*place, "types"), self.string),
        )

    def literal(self, value: Any, place: Place) -> Literal:
        self.members(value, place, ("positive", "predicate", "terms"))
        positive = value["positive"]
        if not isinstance(positive, bool):
            raise self.wrong_kind((*place, "positive"), "true or false", positive)
        predicate = self.string(value["predicate"], (*place, "predicate"))
        terms = self.items(value["terms"], (*place, "terms"), self.string)
        return Literal(Atom(predicate, terms), positive)

    # -- kinds of values --------------------------------------------------------------------------

    def members(
        self, value: Any, place: Place, keys: tuple[str, ...], optional: tuple[str, ...] = ()
    ) -> None:
        """Require an object with exactly the given keys, the optional ones perhaps missing."""
        if not isinstance(value, dict):
            raise self.wrong_kind(place, "an object", value)
        known = keys + optional
        for key in value:
            if key not in known:
                hint = did_you_mean(key, known) or f"expected only: {', '.join(known)}"
                path = f"{path_of(place)}: " if place else ""
                span = self.places.span((*place, f'"{key}"'))
                raise PolicyError(f"{path}unknown key {json.dumps(key)}", span, hint)
        for key in keys:
            if key not in value:
                raise self.fail(place, f'key "{key}" is missing')

    def items(
        self, value: Any, place: Place, read: Callable[[Any, Place], _Item]
    ) -> tuple[_Item, ...]:
        if not isinstance(value, list):
            raise self.wrong_kind(place, "a list", value)
        return tuple(read(item, (*place, i)) for i, item in enumerate(value))

    def string(self, value: Any, place: Place) -> str:
        if not isinstance(value, str):
            raise self.wrong_kind(place, "a string", value)
        return value.translate(_LOWER)

    def wrong_kind(self, place: Place, expected: str, value: Any) -> PolicyError:
        return self.fail(place, f"found {_kind(value)}", f"expected {expected}")


def _kind(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return "a string"
        case list():
            return "a list"
        case dict():
            return "an object"
        case _:
            return "a number"
