"""Domains and problems as immutable values; names are lower case, as PDDL ignores case."""

from pg3.pddl.model.atoms import (
    EQUALS,
    Atom,
    Atoms,
    Literal,
    decode_atoms,
    substitute,
    value_atom,
    value_of,
)
from pg3.pddl.model.domain import (
    OBJECT,
    Action,
    Clause,
    ConditionalEffect,
    Domain,
    Parameter,
    Predicate,
    Type,
    TypedObject,
    TypeNames,
)
from pg3.pddl.model.problem import (
    Disjunction,
    Problem,
    copies_in,
    disjunction_text,
    moved_disjunction,
    objects_of,
)

__all__ = [
    "EQUALS",
    "OBJECT",
    "Action",
    "Atom",
    "Atoms",
    "Clause",
    "ConditionalEffect",
    "Disjunction",
    "Domain",
    "Literal",
    "Parameter",
    "Predicate",
    "Problem",
    "Type",
    "TypeNames",
    "TypedObject",
    "copies_in",
    "decode_atoms",
    "disjunction_text",
    "moved_disjunction",
    "objects_of",
    "substitute",
    "value_atom",
    "value_of",
]
