"""PDDL text to and from immutable `Domain` and `Problem` values."""

from pg3.pddl.given import Benchmark, load, read_problem, read_problems
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
from pg3.pddl.reading.domain import parse_domain, read_domain
from pg3.pddl.reading.problem import parse_problem
from pg3.pddl.writer import write_domain, write_problem

__all__ = [
    "Action",
    "Atom",
    "Atoms",
    "Benchmark",
    "Domain",
    "Literal",
    "Parameter",
    "Predicate",
    "Problem",
    "Type",
    "TypedObject",
    "load",
    "parse_domain",
    "parse_problem",
    "read_domain",
    "read_problem",
    "read_problems",
    "write_domain",
    "write_problem",
]
