"""How a domain's predicates and actions read, in a user's own words: for `explain` and `view`.

    :predicates
    (door-locked ?r)        the door of ?r is locked
    (opens ?c ?r)           ?c opens ?r
    :actions
    (unlock ?m ?r ?c)       unlock ?r with ?c

After a predicate or an action, with a name for each argument, comes how it reads. A predicate's
words are a sentence, and its verb must be known to say its opposite: after `?x` or `the WORD` at
the beginning a word with "s" at its end, else the first "is", "are" or "has". An article before a
variable may stand there and is left out: each object has its own. What has no line reads as before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pg3.errors import InputError, Span, did_you_mean, pluralize
from pg3.pddl.lexer import check_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pg3.errors import Source
    from pg3.pddl.model import Action, Domain, Predicate

_PREDICATES, _ACTIONS = ":predicates", ":actions"
_VARIABLE = re.compile(r"\?[A-Za-z0-9_-]+")
# Each object comes with its own: "a pallet", then "the pallet", or "pallet1".
_ARTICLE = re.compile(r"\b(the|an?)\s+(?=\?)", re.IGNORECASE)
_LINE = re.compile(r"\(\s*([^\s()]+)([^()]*)\)(.*)", re.DOTALL)
_VERBS = ("is", "are", "has")


class PhrasesError(InputError):
    """A file of phrases that is not well formed, or does not fit its domain."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """The words of an action, or the sentence of a predicate in three parts, with variables."""

    parameters: tuple[str, ...]
    parts: tuple[str, ...]

    def told(self, terms: Sequence[str], call: Callable[[str], str]) -> list[str]:
        """The parts with what the terms are called; these are called in the order of the text."""
        of = dict(zip(self.parameters, terms, strict=True))
        return [_VARIABLE.sub(lambda found: call(of[found[0].lower()]), one) for one in self.parts]


@dataclass(frozen=True, slots=True)
class Phrases:
    """The phrases of a domain, by the names of its predicates and of its actions."""

    predicates: Mapping[str, Phrase] = field(default_factory=dict)
    actions: Mapping[str, Phrase] = field(default_factory=dict)


def phrases_in(source: Source, domain: Domain) -> Phrases:
    """The phrases of a file for a domain; PhrasesError at the first fault."""
    check_text(source, PhrasesError)
    found: dict[str, dict[str, Phrase]] = {_PREDICATES: {}, _ACTIONS: {}}
    section, offset = "", 0
    for data in source.data.splitlines(keepends=True):
        line = data.decode().split(";")[0].strip()
        begin = offset + data.index(line.encode())
        span = Span(source, begin, begin + len(line.encode()))
        offset += len(data)
        if not line:
            continue
        if line.startswith(":"):
            section = line.lower()
            if section not in found:
                hint = f"there are {_PREDICATES} and {_ACTIONS}"
                raise PhrasesError(f"there is no section '{line}'", span, hint)
            continue
        if not section:
            hint = f"begin with {_PREDICATES} or {_ACTIONS}"
            raise PhrasesError("a phrase before the first section", span, hint)
        known: Sequence[Predicate] | Sequence[Action] = (
            domain.predicates if section == _PREDICATES else domain.actions
        )
        name, phrase = _phrase(line, span, known, is_sentence=section == _PREDICATES)
        if name in found[section]:
            raise PhrasesError(f"'{name}' has two phrases", span)
        found[section][name] = phrase
    return Phrases(found[_PREDICATES], found[_ACTIONS])


def _phrase(
    line: str, span: Span, known: Sequence[Predicate] | Sequence[Action], *, is_sentence: bool
) -> tuple[str, Phrase]:
    example = "(at ?x ?p)  ?x stands at ?p" if is_sentence else "(lift ?x ?p)  lift ?x at ?p"
    read = _LINE.fullmatch(line)
    if read is None or not read[3].strip():
        raise PhrasesError("no phrase", span, f"expected a line such as  {example}")
    name, arguments = read[1].lower(), read[2].lower().split()
    text = _ARTICLE.sub("", read[3].strip())
    declared = next((one for one in known if one.name == name), None)
    what = "predicate" if is_sentence else "action"
    if declared is None:
        hint = did_you_mean(name, [one.name for one in known])
        raise PhrasesError(f"the domain has no {what} '{name}'", span, hint)
    places = [parameter.name for parameter in declared.parameters]
    if len(arguments) != len(places):
        hint = f"it is declared as ({' '.join((name, *places))})"
        number = pluralize(len(places), "argument")
        raise PhrasesError(f"'{name}' has {number}, not {len(arguments)}", span, hint)
    for one in arguments:
        if not _VARIABLE.fullmatch(one) or arguments.count(one) > 1:
            raise PhrasesError(f"'{one}' is no name for one argument", span, "as in  " + example)
    for one in _VARIABLE.findall(text):
        if one.lower() not in arguments:
            raise PhrasesError(f"'{one}' is no argument of '{name}' here", span)
    return name, Phrase(tuple(arguments), _sentence(text, span) if is_sentence else (text,))


def _sentence(text: str, span: Span) -> tuple[str, str, str]:
    """Subject, verb and the rest."""
    words = text.split()
    at = 1 if _VARIABLE.fullmatch(words[0]) else 2 if words[0].lower() == "the" else 0
    if at == 0 or not re.fullmatch(r"[a-z]+[^isu]s|is|has", "".join(words[at : at + 1])):
        at = next((i for i, word in enumerate(words) if word in _VERBS and i > 0), 0)
    if at == 0:
        raise PhrasesError(
            "the sentence has no verb that can be negated",
            span,
            "begin with '?c opens' or 'the lock keeps', or use 'is', 'are' or 'has'",
        )
    return " ".join(words[:at]), words[at], " ".join(words[at + 1 :])
