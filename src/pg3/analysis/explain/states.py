"""A state from a file: a list of atoms, or the :init of a problem."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pg3.errors import InputError, PddlError, Source, Span
from pg3.pddl import parse_problem, write_problem
from pg3.pddl.lexer import check_text, read_source

if TYPE_CHECKING:
    from pathlib import Path

    from pg3.pddl.model import Atoms, Problem
    from pg3.semantics.task import State


def read_state(path: str | Path, problem: Problem) -> State:
    """The state in a file, over the objects of a problem.

    The file holds atoms, `(at c1 l1) (on c2) ...`, one a line or not; or it is a problem of the
    same domain, whose :init is meant. What never changes (static atoms) is taken from `problem`
    and need not be listed. PddlError at the first fault, Pg3Error if the file cannot be read.
    """
    source = read_source(path)
    check_text(source, PddlError)
    text = source.data.decode()
    bare = re.sub(r";[^\n]*", lambda comment: " " * len(comment[0]), text)
    if re.match(r"\s*\(\s*define\b", bare, re.IGNORECASE):
        given = parse_problem(text, problem.domain, str(path))
        known = set(problem.object_names)
        for atom in given.init:
            for term in atom.terms:
                if term not in known:
                    raise PddlError(
                        f"{atom} of :init names '{term}', which is no object of {problem.name}",
                        Span(source, 0, len(source.data)),
                    )
        atoms = list(given.init)
    else:
        atoms = list(_atoms(bare, source, problem))
    fluents = problem.domain.fluents
    return frozenset(
        [atom for atom in problem.init if atom.predicate not in fluents]
        + [atom for atom in atoms if atom.predicate in fluents]
    )


def _atoms(text: str, source: Source, problem: Problem) -> Atoms:
    """The atoms of a bare list, read as the :init of the problem would be."""
    frame = write_problem(problem.replace(init=(), function_values={}))
    before, mark, after = re.split(r"(\(:init\b)", frame, maxsplit=1)
    start = len((before + mark).encode())
    try:
        return parse_problem(before + mark + text + after, problem.domain, source.name).init
    except InputError as error:
        # Where it stands in the file that the user gave: without the frame around it.
        length = len(source.data)
        begin = min(max(error.span.begin - start, 0), length)
        end = min(max(error.span.end - start, begin), length)
        raise PddlError(error.message, Span(source, begin, end), error.hint) from None
