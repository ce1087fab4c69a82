"""Policy files in either format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pg3.pddl.given import PathLike, as_domain, as_path, domain_beside, expected, is_path
from pg3.pddl.lexer import read_source
from pg3.policy.json_format import policy_to_json, read_json
from pg3.policy.model import DecisionList
from pg3.policy.text import read_text, write_policy
from pg3.storage.files import write_atomically

if TYPE_CHECKING:
    from pg3.errors import Source
    from pg3.pddl.given import DomainLike
    from pg3.pddl.model import Domain

PolicyLike = DecisionList | PathLike


def read_policy(path: PathLike, domain: DomainLike | None = None) -> DecisionList:
    """The policy in a file, checked against the domain.

    Without a domain, domain.pddl is looked for beside the file and one folder up. PolicyError at
    the first fault, Pg3Error if there is no such file.
    """
    if not is_path(path):
        raise expected("a policy", path)
    found = domain_beside(Path(path)) if domain is None else as_domain(domain)
    return policy_in(read_source(path), found)


def as_policy(policy: PolicyLike, domain: Domain) -> DecisionList:
    """The policy, read if it is the path of a file."""
    if isinstance(policy, DecisionList):
        return policy
    if not is_path(policy):
        raise expected("a policy", policy)
    return read_policy(policy, domain)


def save_policy(policy: DecisionList, path: PathLike) -> None:
    """Write a policy, with the domain it is for: JSON if the name ends with .json, else text."""
    path = as_path(path)
    as_json = path.lower().endswith(".json")
    write = policy_to_json if as_json else write_policy
    write_atomically(path, write(policy, policy.domain))


def policy_in(source: Source, domain: Domain) -> DecisionList:
    """The policy in a source; PolicyError at the first fault.

    The first character tells the format: text begins with "(" or a comment, JSON with "{".
    """
    is_json = source.data.lstrip().startswith((b"{", b"["))
    return read_json(source, domain) if is_json else read_text(source, domain)
