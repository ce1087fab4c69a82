"""The JSON format of policies, in and out; docs/reference/policy-format.md is its specification.

Reading is strict: every key must be known, present once and of the right kind. That keeps files
that a later version extends from being half understood by this one.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from pg3.errors import PolicyError, Span
from pg3.pddl.lexer import check_text, text_source
from pg3.pddl.model import Atom, Literal, Parameter
from pg3.policy.checks import first_fault
from pg3.policy.layout import Places
from pg3.policy.model import Clause, DecisionList, Rule
from pg3.storage.schema import As, Flag, Format, ListOf, Record, ShapeError, Text, path_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pg3.errors import Source
    from pg3.pddl.model import Domain
    from pg3.policy.layout import Place

FORMAT = "pg3-policy"
VERSION = 1

# The reader of text folds ASCII letters only; a name must mean the same in both formats.
_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}

# A policy nests 7 deep; a text that nests deeper than this is none, and must not exhaust the stack.
_DEPTH = 32

_SPACE = re.compile(r"[ \t\n\r]*")


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
    value, places = _load(source)
    try:
        fields = _POLICY.check(value)
    except ShapeError as error:
        raise PolicyError(str(error), places.span(error.place), error.hint) from None
    if fields.get("domain", domain.name) != domain.name:
        raise PolicyError(
            f"domain: the policy is for domain '{fields['domain']}', "
            f"but the domain given is '{domain.name}'",
            places.span(("domain",)),
        )
    policy = DecisionList(fields["name"], fields["rules"], fields.get("definitions", ()), domain)
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
    members = {
        "name": json.dumps(rule.name),
        "parameters": _block("[]", map(_parameter_to_json, rule.parameters)),
        "preconditions": _block("[]", map(_literal_to_json, rule.preconditions)),
        "goals": _block("[]", map(_literal_to_json, rule.goals)),
        "action": json.dumps({"name": rule.action, "arguments": rule.arguments}),
    }
    return _block("{}", (_member(key, value) for key, value in members.items()))


def _clause_to_json(clause: Clause) -> str:
    members = {
        "name": json.dumps(clause.name),
        "parameters": _block("[]", map(_parameter_to_json, clause.parameters)),
        "variables": _block("[]", map(_parameter_to_json, clause.variables)),
        "conditions": _block("[]", map(_literal_to_json, clause.conditions)),
        "goals": _block("[]", map(_literal_to_json, clause.goals)),
    }
    return _block("{}", (_member(key, value) for key, value in members.items()))


def _parameter_to_json(parameter: Parameter) -> str:
    return json.dumps({"name": parameter.name, "types": parameter.types})


def _literal_to_json(literal: Literal) -> str:
    predicate, terms = literal.atom
    return json.dumps({"positive": literal.positive, "predicate": predicate, "terms": terms})


# -- reading --------------------------------------------------------------------------------------


def _lower(name: str) -> str:
    return name.translate(_LOWER)


def _literal(positive: bool, predicate: str, terms: tuple[str, ...]) -> Literal:
    return Literal(Atom(predicate, terms), positive)


def _rule(action: dict[str, Any], **fields: Any) -> Rule:
    return Rule(**fields, action=action["name"], arguments=action["arguments"])


_NAME = As(_lower, Text("(?s:.*)", "a name"))
_NAMES = As(tuple, ListOf(_NAME))
_PARAMETERS = As(tuple, ListOf(As(Parameter, Record({"name": _NAME, "types": _NAMES}))))
_LITERAL = Record({"positive": Flag(), "predicate": _NAME, "terms": _NAMES})
_LITERALS = As(tuple, ListOf(As(_literal, _LITERAL)))
_CLAUSE = Record(
    {
        "name": _NAME,
        "parameters": _PARAMETERS,
        "variables": _PARAMETERS,
        "conditions": _LITERALS,
        "goals": _LITERALS,
    }
)
_RULE = Record(
    {
        "name": _NAME,
        "parameters": _PARAMETERS,
        "preconditions": _LITERALS,
        "goals": _LITERALS,
        "action": Record({"name": _NAME, "arguments": _NAMES}),
    }
)
_POLICY = Format(
    FORMAT,
    VERSION,
    Record(
        {"name": _NAME, "rules": As(tuple, ListOf(As(_rule, _RULE)))},
        {"domain": _NAME, "definitions": As(tuple, ListOf(As(Clause, _CLAUSE)))},
    ),
)


def _load(source: Source) -> tuple[Any, Places]:
    """The value that the source holds and where its parts stand; PolicyError if it is not JSON.

    Stricter than the standard library: a key may stand only once in an object.
    """
    check_text(source, PolicyError)
    text = source.data.decode()
    try:
        value = json.loads(text)
    except json.JSONDecodeError as fault:
        raise PolicyError(
            f"not valid JSON: {_message(fault)}", _character_span(source, text, fault.pos)
        ) from None
    except RecursionError:
        raise _too_deep(Span(source, 0, 1)) from None
    except ValueError:
        # The standard library refuses to read an integer of thousands of digits.
        raise PolicyError("a number has too many digits", Span(source, 0, 1)) from None
    return value, _Locator(source, text).places()


def _character_span(source: Source, text: str, begin: int, end: int | None = None) -> Span:
    first = len(text[:begin].encode())
    return Span(
        source, first, first + len(text[begin : begin + 1 if end is None else end].encode())
    )


def _message(fault: json.JSONDecodeError) -> str:
    return fault.msg[0].lower() + fault.msg[1:]


def _too_deep(span: Span) -> PolicyError:
    return PolicyError("nested too deeply for a policy", span)


class _Locator:
    """Walks over a text that is known to be valid JSON and notes where each part stands."""

    def __init__(self, source: Source, text: str) -> None:
        self.source = source
        self.text = text
        self.ranges: dict[Place, tuple[int, int]] = {}
        self.decoder = json.JSONDecoder()

    def places(self) -> Places:
        self.value(0, ())
        if self.text.isascii():
            return Places(self.source, self.ranges)
        # From characters to bytes, range by range: a list of all would dwarf the text.
        offsets, at, offset = dict[int, int](), 0, 0
        for character in sorted({end for ends in self.ranges.values() for end in ends}):
            offset += len(self.text[at:character].encode())
            offsets[character], at = offset, character
        return Places(
            self.source,
            {place: (offsets[begin], offsets[end]) for place, (begin, end) in self.ranges.items()},
        )

    def after_space(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        assert match is not None
        return match.end()

    def value(self, at: int, place: Place) -> int:
        """Note the value that begins at or after a character; returns where it ends."""
        begin = self.after_space(at)
        if self.text[begin] not in "{[":
            end = self.decoder.raw_decode(self.text, begin)[1]
        elif len(place) >= _DEPTH:
            raise _too_deep(_character_span(self.source, self.text, begin))
        else:
            end = self.members(begin, place)
        self.ranges[place] = begin, end
        return end

    def members(self, opening: int, place: Place) -> int:
        is_object = self.text[opening] == "{"
        at = self.after_space(opening + 1)
        count = 0
        while self.text[at] not in "}]":
            step: str | int = count
            if is_object:
                key_at = at
                step, at = self.decoder.raw_decode(self.text, at)
                if (*place, step) in self.ranges:
                    span = _character_span(self.source, self.text, key_at, at)
                    raise PolicyError(f'key "{step}" is repeated', span)
                at = self.after_space(at) + 1
            at = self.after_space(self.value(at, (*place, step)))
            count += 1
            if self.text[at] == ",":
                at = self.after_space(at + 1)
        return at + 1
