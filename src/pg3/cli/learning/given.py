"""What `pg3 learn` learns from."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pg3.cli.learning.report import check_held_out
from pg3.cli.output.progress import progress
from pg3.pddl import parse_domain, parse_problem
from pg3.pddl.lexer import read_source
from pg3.policy.files import policy_in

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pg3.pddl import Domain, Problem
    from pg3.policy import DecisionList


class Given(NamedTuple):
    """What is learned from, and the texts that say it."""

    texts: list[bytes]
    domain: Domain
    problems: list[Problem]
    start: DecisionList | None


def read_given(
    paths: Sequence[str | Path], start_path: str | Path | None, held_out: Sequence[str]
) -> Given:
    """The texts of a domain, its problems and a policy if there is one, and what they say.

    Problems that are `held_out` are only checked.
    """

    def read() -> Given:
        sources = [read_source(path) for path in paths]
        domain = parse_domain(sources[0].data, sources[0].name)
        problems = [parse_problem(s.data, domain, s.name) for s in sources[1:]]
        texts, start = [source.data for source in sources], None
        if start_path is not None:
            source = read_source(start_path)
            texts.append(source.data)
            start = policy_in(source, domain)
        check_held_out(held_out, domain, problems)
        return Given(texts, domain, problems, start)

    with progress("reading"):
        return read()
