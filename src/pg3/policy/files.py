"""Policy files in either format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.pddl.lexer import read_source
from pg3.policy.json_format import read_json
from pg3.policy.text import read_text

if TYPE_CHECKING:
    from pathlib import Path

    from pg3.errors import Source
    from pg3.pddl.model import Domain
    from pg3.policy.model import DecisionList


def read_policy(path: str | Path, domain: Domain) -> DecisionList:
    """The policy in a file, checked against the domain.

    PolicyError at the first fault, Pg3Error if there is no such file.
    """
    return policy_in(read_source(path), domain)


def policy_in(source: Source, domain: Domain) -> DecisionList:
    """The policy in a source; PolicyError at the first fault.

    The first character tells the format: text begins with "(" or a comment, JSON with "{".
    """
    is_json = source.data.lstrip().startswith((b"{", b"["))
    return read_json(source, domain) if is_json else read_text(source, domain)
