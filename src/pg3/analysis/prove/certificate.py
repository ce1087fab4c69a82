"""The certificate folder: one JSON file, and an SMT-LIB file for each obligation."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pg3
from pg3.analysis.prove.checker.format import FILE_NAME, FORMAT, VERSION, sha256
from pg3.analysis.prove.logic.words import class_in_words, invariant_in_words
from pg3.errors import file_error
from pg3.storage.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pg3.analysis.prove.proving import ProofResult
    from pg3.analysis.prove.search import Found, Search


def class_json(search: Search, found: Found, uses: Mapping[str, frozenset[str]]) -> dict[str, Any]:
    """The class of the problems that are proved to be solved."""
    theory = search.theory
    invariants = [(name, search.reasoner.invariants[name].source) for name in found.used]
    given = theory.given
    named = sorted(set[str]().union(*uses.values()))
    acyclic = dict.fromkeys(n.split(" ")[1] for n in named if n.endswith(" no circle"))
    # "lowest", the relation (of the goals: "goal on"), the kind, the predicate
    acyclic |= dict.fromkeys(" ".join(n.split(" ")[1:-2]) for n in named if n[:7] == "lowest ")
    return {
        "words": class_in_words(theory, list(acyclic), [one for _, one in invariants]),
        "kinds": [kind._asdict() for kind in theory.kinds.values()],
        "constants": sorted([name, term.kind] for name, term in theory.constants.items()),
        "facts": sorted(map(list, given.init)),
        "goals": sorted(map(list, given.goal)),
        "negated_goals": sorted(map(list, given.avoid)),
        "acyclic": list(acyclic),
        "invariants": [
            {"name": name, "words": invariant_in_words(theory, one), **one.to_json()}
            for name, one in invariants
        ],
    }


def uses_json(uses: Mapping[str, frozenset[str]]) -> dict[str, list[str]]:
    """The hypotheses of each obligation, in order."""
    return {name: sorted(used, key=_order) for name, used in uses.items()}


def _order(name: str) -> tuple[str, int]:
    number = re.fullmatch(r"i([0-9]+)", name)
    return ("i", int(number[1])) if number else (name, 0)


def write_proof(folder: Path, domain: bytes, policy: bytes, proof: ProofResult) -> str:
    """Write a certificate and return its JSON file; `domain` and `policy` are the files' bytes.

    Files of an earlier certificate in the folder are replaced or removed.
    """
    value = {
        "format": FORMAT,
        "version": VERSION,
        "pg3": pg3.__version__,
        "claim": proof.claim,
        "domain": sha256(domain),
        "policy": sha256(policy),
        "problem_class": proof.problem_class,
        "ranking": proof.ranking,
        "obligations": [
            {"name": one.name, "uses": list(one.uses), "file": file_name(i)}
            for i, one in enumerate(proof.obligations, start=1)
        ],
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("[0-9][0-9][0-9][0-9].smt2"):
            old.unlink()
    except OSError as error:
        raise file_error(folder, "write", error) from None
    for i, one in enumerate(proof.obligations, start=1):
        write_atomically(folder / file_name(i), one.script)
    write_atomically(folder / FILE_NAME, json.dumps(value, indent=1, ensure_ascii=True) + "\n")
    return str(folder / FILE_NAME)


def file_name(number: int) -> str:
    """The name of the SMT-LIB file of an obligation."""
    return f"{number:04d}.smt2"
