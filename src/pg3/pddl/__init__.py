"""PDDL text to and from immutable `Domain` and `Problem` values."""

from pg3.pddl.domain import parse_domain, read_domain
from pg3.pddl.model import (
    Action,
    Atom,
    Atoms,
    Domain,
    Literal,
    Parameter,
    Predicate,
    Problem,
    Type,
    TypedObject,
)
from pg3.pddl.problem import parse_problem, read_problem
from pg3.pddl.writer import write_domain, write_problem

__all__ = [
    "Action",
    "Atom",
    "Atoms",
    "Domain",
    "Literal",
    "Parameter",
    "Predicate",
    "Problem",
    "Type",
    "TypedObject",
    "parse_domain",
    "parse_problem",
    "read_domain",
    "read_problem",
    "write_domain",
    "write_problem",
]
