"""The certificate's JSON file: its shape, and the values that the checker gets from it.

The format is written down in docs/concepts/proofs.md. A file that does not fit it is an error of
the input; whether what it says is true is the business of `obligations`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pg3.errors import Pg3Error
from pg3.pddl.lexer import read_source
from pg3.storage.schema import (
    LINE,
    SHA256,
    As,
    Format,
    ListOf,
    Nothing,
    OneOf,
    Place,
    Record,
    Shape,
    ShapeError,
    Text,
    TupleOf,
    Whole,
    parse_as,
    wrong,
)

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = "pg3-proof"
VERSION = 1
FILE_NAME = "proof.json"

_VARIABLE = Text(r"\?[^\s|\\()]+", "a variable such as ?x")
_NAME = Text(r"[^\s|\\()?][^\s|\\()]*", "a name")
_TERM = Text(r"[^\s|\\()]+", "a variable or a constant")
# The predicate that says that a cost is given has two words.
_PREDICATE = Text(r"(cost )?[^\s|\\()?][^\s|\\()]*", "a predicate")
# A relation of the state, or that of the goals.
_ACYCLIC = Text(r"(goal )?[^\s|\\()?][^\s|\\()]*", "a relation")
# Deeper formulas than any that is mined; Python's stack is the limit.
_DEEPEST = 40


@dataclass(frozen=True)
class _FormulaShape:
    """A formula as nested lists; see docs/concepts/proofs.md."""

    depth: int = 0

    def check(self, value: Any, place: Place = ()) -> list[Any]:
        """The formula."""
        if not isinstance(value, list) or not value or not isinstance(value[0], str):
            wrong(place, "a formula", value)
        if self.depth > _DEEPEST:
            raise ShapeError(place, ": the formula is nested too deeply")
        inner = _FormulaShape(self.depth + 1)
        word = OneOf(_WORDS).check(value[0], (*place, 0))
        shapes: list[Shape]
        if word in ("state", "goal", "avoid"):
            shapes = [_PREDICATE, *[_TERM] * (len(value) - 2)]
        elif word == "path":
            word_of_path = OneOf(("reach", "next", "closer", "linked", "derived"))
            shapes = [word_of_path, _NAME, *[_TERM] * (len(value) - 3)]
        elif word == "=":
            shapes = [_TERM, _TERM]
        elif word in ("and", "or"):
            shapes = [inner] * (len(value) - 1)
        elif word == "not":
            shapes = [inner]
        else:
            shapes = [ListOf(TupleOf([_VARIABLE, _NAME]), 1), inner]
        return [word, *TupleOf(shapes).check(value[1:], place)]


_WORDS = ("state", "goal", "avoid", "path", "=", "not", "and", "or", "exists", "forall")
_FORMULA = _FormulaShape()
_VARIABLES = ListOf(TupleOf([_VARIABLE, _NAME]))
_SET = Record({"variables": _VARIABLES, "formula": _FORMULA})
_SIGNATURE = ListOf(_PREDICATE, 1)
_PAIR_OF_KINDS = TupleOf([_PREDICATE, _NAME, _NAME])
_RULES = ListOf(LINE, 1)


@dataclass(frozen=True)
class _InvariantShape:
    """An invariant of one of the three forms."""

    def check(self, value: Any, place: Place = ()) -> dict[str, Any]:
        """The invariant."""
        form = value.get("form") if isinstance(value, dict) else None
        fields: dict[str, Shape] = {"name": _NAME, "words": LINE}
        fields["form"] = OneOf(("formula", "count", "level"))
        if form == "formula":
            fields |= {"kind": LINE, "formula": _FORMULA}
        elif form == "count":
            fields |= {"more": ListOf(_SET, 1), "fewer": _SET}
        else:
            place_of_owner = Whole(0, 1)
            fields |= {"level": _PAIR_OF_KINDS, "level_owner": place_of_owner}
            fields |= {"content": _PAIR_OF_KINDS, "content_owner": place_of_owner}
            fields |= {"chain": _PREDICATE}
        return Record(fields).check(value, place)


@dataclass(frozen=True)
class _RankingShape:
    """A step of a ranking, with the rankings below it."""

    depth: int = 0

    def check(self, value: Any, place: Place = ()) -> dict[str, Any]:
        """The step."""
        if self.depth > _DEEPEST * 10:
            raise ShapeError(place, ": the ranking is nested too deeply")
        inner = _RankingShape(self.depth + 1)
        step = value.get("step") if isinstance(value, dict) else None
        fields: dict[str, Shape] = {"step": OneOf(("measure", "split", "way")), "rules": _RULES}
        if step == "measure":
            fields |= {"variables": _VARIABLES, "formula": _FORMULA}
            fields |= {"decreasing": _RULES, "rest": Nothing(inner)}
        elif step == "split":
            fields |= {"follows": ListOf(TupleOf([LINE, LINE])), "components": ListOf(inner)}
        else:
            way: dict[str, Shape] = {
                "kinds": ListOf(_NAME),
                "prefix": Whole(),
                "start": _VARIABLE,
                "hop": _VARIABLE,
            }
            fields |= {"ways": ListOf(Record(way), 1, 1)}
        return Record(fields).check(value, place)


_KIND = Record({"name": _NAME, "type": _NAME, "predicate": Nothing(_NAME)})
_CLASS = Record(
    {
        "words": ListOf(LINE),
        "kinds": ListOf(_KIND, 1),
        "constants": ListOf(TupleOf([_NAME, _NAME])),
        "facts": ListOf(_SIGNATURE),
        "goals": ListOf(_SIGNATURE),
        "negated_goals": ListOf(_SIGNATURE),
        "acyclic": ListOf(_ACYCLIC),
        "invariants": ListOf(_InvariantShape()),
    }
)
_OBLIGATION = Record({"name": LINE, "uses": ListOf(LINE), "file": LINE})


@dataclass(frozen=True)
class ProofFile:
    """What the JSON file says: the class, the ranking, and the hypotheses of each obligation."""

    pg3: str
    claim: str
    domain: str
    policy: str
    problem_class: dict[str, Any]
    ranking: dict[str, Any]
    obligations: list[dict[str, Any]]

    @property
    def uses(self) -> dict[str, list[str]]:
        """The names of the hypotheses that each obligation uses."""
        return {one["name"]: one["uses"] for one in self.obligations}


_SHAPE = As(
    ProofFile,
    Format(
        FORMAT,
        VERSION,
        Record(
            {
                "pg3": LINE,
                "claim": LINE,
                "domain": SHA256,
                "policy": SHA256,
                "problem_class": _CLASS,
                "ranking": _RankingShape(),
                "obligations": ListOf(_OBLIGATION),
            }
        ),
    ),
)


def sha256(data: bytes) -> str:
    """The hash by which a certificate names a file."""
    return hashlib.sha256(data).hexdigest()


def parse_proof(text: str | bytes, name: str) -> ProofFile:
    """The certificate in a text; Pg3Error if it is none."""
    try:
        proof: ProofFile = parse_as(_SHAPE, text)
    except ShapeError as error:
        raise Pg3Error(f"{name}: no proof: {error}") from None
    return proof


def read_proof(folder: Path) -> ProofFile:
    """The certificate in a folder; Pg3Error if it is none."""
    path = folder / FILE_NAME
    return parse_proof(read_source(path).data, str(path))
