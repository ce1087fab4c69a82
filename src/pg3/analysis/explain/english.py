"""English from names: the words of a predicate or a type, and clauses made of them.

Everything here is about English in general; no domain's names are known. A name whose part of
speech is unclear is quoted ("“carry” links the ball to the gripper"): a wrong reading is worse than
a clumsy one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Usual abbreviations in PDDL files.
_LONG_FORMS = {
    "destin": "destination",
    "dest": "destination",
    "eq": "equal",
    "loc": "location",
    "neq": "not equal",
    "num": "number",
    "obj": "object",
    "pos": "position",
    "pickup": "pick up",
    "putdown": "put down",
    "dropoff": "drop off",
}

PREPOSITIONS = _words(
    "above at behind below beneath beside between by from in inside into near of off on onto "
    "outside over through to under upon with"
)

# Words that take a second object with "to".
_WITH_TO = _words("adjacent attached close connected equal linked next parallel similar")

# States of a thing that the name also mentions: `empty-ferry`, `arm-free`.
_STATES = _words(
    "active available broken busy clean clear closed cold dirty dry empty free full hot idle "
    "locked off on open ready unlocked wet"
)

# What "in" and "on" have without an article: `on-foot`, `in-use`.
_WITHOUT_ARTICLE = frozenset(
    [
        "bed",
        "board",
        "call",
        "duty",
        "fire",
        "flight",
        "foot",
        "hand",
        "hold",
        "line",
        "motion",
        "order",
        "place",
        "progress",
        "sale",
        "service",
        "stock",
        "time",
        "transit",
        "use",
    ]
)

# What a thing does by itself; of other words in -ing the name does not say who does it to whom.
_BY_ITSELF = frozenset(
    ["burning", "hanging", "lying", "moving", "sitting", "sleeping", "standing", "waiting"]
)

# What nobody does to something without a preposition: (lies ?book ?shelf).
_INTRANSITIVE = _words("belong depend go hang lie live rest sit sleep stand stay wait")

# Participles without "ed".
_DONE = _words("built cut done hung made paid put sent shut sold")

# Words before a participle that are not what something was done to.
_ADVERBS = _words("all already half never not self still well")

_PREFIX = re.compile(r"(on|at|in)([a-z]{3,})")
# Names of properties; few words begin with these letters by themselves.
_PROPERTY = re.compile(r"(is(?!land|ol|su)|has(?!h|t[ey]))([a-z]{4,})")

# Nouns that say what something is of something else: "the destination of the parcel is the floor".
_RELATIONAL = _words(
    "color colour destination home kind level location origin owner parent position size source "
    "status target type"
)


def words_of(name: str, vocabulary: Collection[str] = ()) -> list[str]:
    """The words of a name: split at hyphens and underscores, and between words that are known.

    `vocabulary` holds words that the domain uses elsewhere, such as its types: so "wantspaper"
    becomes "wants paper", and "infectious" stays as it is. Trailing digits are dropped, common
    short forms written out.
    """
    words: list[str] = []
    for piece in re.split(r"[-_]+", name.lower()):
        part = re.sub(r"(?<=[a-z])[0-9]+$", "", piece)
        words += _parts(part, vocabulary) if part else []
    return " ".join(_LONG_FORMS.get(word, word) for word in words).split() or [name]


def _parts(word: str, vocabulary: Collection[str]) -> list[str]:
    """The word in two, if both parts are words: the second one of the domain's."""
    found = _PREFIX.fullmatch(word)
    if found and found[2] not in vocabulary:
        found = None
    found = found or _PROPERTY.fullmatch(word)
    if found:
        return [found[1], found[2]]
    for known in sorted(vocabulary, key=lambda item: (-len(item), item)):
        before = word.removesuffix(known)
        if len(known) >= 4 and before != word and _is_word(before, vocabulary):
            return [before, known]
    return [word]


def _is_word(word: str, vocabulary: Collection[str]) -> bool:
    return word in vocabulary or word in PREPOSITIONS or _infinitive(word) in _VERBS


def indefinite(noun: str) -> str:
    """The noun with "a" or "an"."""
    return f"{'an' if noun[:1] in 'aeio' else 'a'} {noun}"


def with_article(words: list[str]) -> str:
    """The words after "in" or "on" in a name: "the chamber", but "foot"."""
    noun = " ".join(words)
    return noun if noun in _WITHOUT_ARTICLE else f"the {noun}"


def thing_in(words: list[str]) -> str:
    """What a predicate's name says something about: "bed" of bed-made, in-bed, has-bed; else ""."""
    if len(words) != 2:
        return ""
    first, last = words
    if first in ("at", "has", "have", "in", "inside", "on"):
        return "" if last in _WITHOUT_ARTICLE else last
    is_state = last in _STATES - PREPOSITIONS or last in _DONE or last.endswith("ed")
    return first if is_state and not _is_adverb(first) else ""


def listing(items: Iterable[str]) -> str:
    """Several things in a row: "a", "a and b", "a, b and c"."""
    *rest, last = items
    return f"{', '.join(rest)} and {last}" if rest else last


def capital(sentence: str) -> str:
    """The sentence with a capital letter at its beginning."""
    return sentence[:1].upper() + sentence[1:]


@dataclass(frozen=True, slots=True)
class Clause:
    """A statement: subject, verb in the third person, and the rest."""

    subject: str
    verb: str
    rest: str = ""

    def __str__(self) -> str:
        return _joined(self.subject, self.verb, self.rest)

    def negated(self, adverb: str = "") -> str:
        """Its negation; `adverb` is "" or "yet"."""
        if self.verb in ("is", "are"):
            return _joined(self.subject, self.verb, "not", adverb, self.rest)
        return _joined(self.subject, "does not", adverb, _infinitive(self.verb), self.rest)

    def wanted(self, *, positive: bool = True) -> str:
        """It as a wish: "the car to be at the location", or not to be there."""
        return _joined(
            self.subject, "to" if positive else "not to", _infinitive(self.verb), self.rest
        )


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def _infinitive(verb: str) -> str:
    if verb in ("is", "are"):
        return "be"
    if verb == "has":
        return "have"
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    if re.search(r"(sh|ch|x|ss|o)es$", verb):
        return verb[:-2]
    return verb.removesuffix("s")


def third_person(verb: str) -> str:
    """What somebody does: "goes", "carries"."""
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{verb}es"
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def _is_third_person(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3


def _quoted(words: list[str]) -> str:
    return f"“{' '.join(words)}”"


def _is_adverb(word: str) -> bool:
    """Whether a word before a participle says how, or what else, was done."""
    return word in _ADVERBS or (len(word) > 4 and word.endswith(("ed", "ly")))


def about_nothing(words: list[str]) -> Clause:
    """A condition without arguments: "the ferry is empty", or “door closed” holds."""
    if len(words) == 2 and words[0] in _STATES - PREPOSITIONS:
        return Clause(f"the {words[1]}", "is", words[0])
    if len(words) == 2 and words[1] in _STATES:
        return Clause(f"the {words[0]}", "is", words[1])
    return Clause(_quoted(words), "holds")


def about_one(words: list[str], it: str, noun: str = "") -> Clause:
    """A condition on one object: "the lift is at the floor", "the car is on".

    `noun` is the kind of the object, where it is known.
    """
    first, rest, last = words[0], words[1:], words[-1]
    if first == "is" and rest:
        return Clause(it, "is", " ".join(rest))
    if first == "has" and rest:
        return Clause(it, "has", " ".join(rest))
    if words == ["at"]:
        # The name does not say who is there: the agent.
        return Clause("the agent", "is", f"at {it}")
    if len(words) == 1 and last.endswith("ing") and len(last) > 5:
        if last[:-3] in _VERBS:
            return Clause("the agent", "is", f"{last} {it}")
        if last not in _BY_ITSELF:
            # (driving ?car): it is driven.
            return Clause(_quoted(words), "holds", f"for {it}")
    if first == "at" and rest:
        return Clause(f"the {' '.join(rest)}", "is", f"{first} {it}")
    if first in ("in", "inside", "on", "under") and rest:
        return Clause(it, "is", f"{first} {with_article(rest)}")
    if last in ("at", "in") and len(words) > 1:
        return Clause(f"the {' '.join(words[:-1])}", "is", f"{last} {it}")
    if rest and _is_third_person(first):
        verb = _infinitive(first)
        if rest == [last] and last in _STATES - PREPOSITIONS and verb not in _VERBS | _INTRANSITIVE:
            # (hands-free ?nurse)
            return Clause(f"the {first} of {it}", "are", last)
        return Clause(it, first, " ".join(rest))
    if not rest:
        return Clause(it, "is", first)
    what = " ".join(words[:-1])
    if _is_third_person(last) and _infinitive(last) in _VERBS:
        # (hoist-holds ?pod)
        return Clause(f"the {what}", last, it)
    if last == "on" and what != noun:
        # (light-on ?room), and (spare-on ?truck).
        return Clause(_quoted(words), "holds", f"for {it}")
    is_state = last in _STATES or last in _DONE or last.endswith("ed")
    if is_state and noun and not _is_adverb(first):
        # (door-locked ?room), and (door-locked ?door).
        return Clause(it if what == noun else f"the {what} of {it}", "is", last)
    is_adjective = is_state or last.endswith(("able", "ible"))
    # (equipped-for-imaging ?rover)
    is_adjective = is_adjective or (first.endswith("ed") and rest[0] in ("for", *PREPOSITIONS))
    return Clause(it, "is", " ".join(words) if is_adjective else _quoted(words))


def about_two(
    words: list[str], it: str, other: str, *, roles: tuple[str, str], nouns: tuple[str, str]
) -> Clause:
    """A condition on two objects.

    `roles` are the names of the predicate's parameters, `nouns` the kinds of the objects: where
    both are of one kind, only the order distinguishes them.
    """
    own, noun = nouns
    alike = own == noun
    first, rest, last = words[0], words[1:], words[-1]
    if words == ["not", "equal"]:
        return Clause(it, "differs", f"from {other}")
    if first == "has" and (not rest or rest[-1] == noun):
        return Clause(it, "has", other)
    if last == "to" and len(words) == 2 and first in _WITH_TO:
        return Clause(it, "is", f"{first} to {other}")
    if last in _WITH_TO or last.endswith("ed"):
        return Clause(it, "is", f"{' '.join(words)} to {other}")
    if roles in (("from", "to"), ("start", "end")) and last.endswith(("able", "ible")):
        return Clause(other, "is", f"{' '.join(words)} from {it}")
    if roles in (("from", "to"), ("start", "end")):
        on_it = first == "on" and rest
        thing = f"the {' '.join(rest)}" if on_it else indefinite(" ".join(words))
        return Clause(thing, "leads", f"from {it} to {other}")
    if last in PREPOSITIONS:
        if alike and all(len(role) > 2 and role.isalpha() and role not in noun for role in roles):
            # The names say more than the order: in some domains (above a b) has b on top.
            return Clause(
                _quoted(words), "holds", f"for {it} ({roles[0]}) and {other} ({roles[1]})"
            )
        if rest and _is_third_person(first):
            return Clause(it, first, f"{' '.join(rest)} {other}")
        # (truck-at ?truck ?place) says twice what is there; so does (tech-at ?technician ?place).
        what = " ".join(words[:-1])
        is_own = what == own or (len(what) > 2 and own.startswith(what))
        told = [last] if is_own else words
        is_said = len(told) == 1 or told[-2].endswith(("ed", "ing", "able", "ible"))
        if is_said or told[0] in PREPOSITIONS:
            return Clause(it, "is", f"{' '.join(told)} {other}")
    if first in PREPOSITIONS and rest and (" ".join(rest) in noun or rest[-1] == noun):
        return Clause(it, "is", f"{first} {other}")
    if last.endswith("ing") and len(last) > 5:
        return Clause(it, "is", f"{' '.join(words)} {other}")
    if first == "is" and rest:
        return Clause(it, "is", f"{' '.join(rest)} {other}")
    if _is_third_person(first) and (rest or _infinitive(first) not in _INTRANSITIVE):
        return Clause(it, first, f"{' '.join(rest)} {other}".strip())
    if last in _RELATIONAL:
        return Clause(f"the {' '.join(words)} of {it}", "is", other)
    return Clause(_quoted(words), "links", f"{it} to {other}")


# Verbs as bare predicates do not say who does it to whom: (carry ?ball ?gripper).
_VERBS = _words(
    "block carry connect contain cover hold keep lead link load lock need occupy open own pass "
    "reach require serve store support touch use visit want"
)


def about_many(words: list[str], those: list[str]) -> Clause:
    """A condition on three or more objects."""
    return Clause(_quoted(words), "links", listing(those))
