"""`export`: a policy for use without pg3."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pg3.cli.app import (
    DomainPath,
    OldDomain,
    OptionalPolicy,
    command,
    note,
    ordered,
    output_option,
    require_outputs,
)
from pg3.errors import Pg3Error, pluralize, system_reason
from pg3.integrations.exports import EXPORTS
from pg3.pddl import read_domain, read_problem
from pg3.pddl.given import problem_files
from pg3.policy import read_policy
from pg3.storage.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable

Form = StrEnum("Form", list(EXPORTS))  # type: ignore[misc]

# The file that the restricted domain gets in a folder, and that no problem of it can be called.
_DOMAIN_FILE = "domain.pddl"


@command()
def export(
    path: DomainPath,
    given: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PROBLEM]",
            help="pddl-axioms: problem files or folders to make fit, too.",
        ),
    ] = None,
    *,
    policy_path: OptionalPolicy = None,
    old_domain: OldDomain = None,
    form: Annotated[
        Form,
        typer.Option(
            "--to",
            metavar="|".join(EXPORTS),
            help="python, c: a file without dependencies; json: data; "
            "pddl-axioms: a domain that lets planners do only what the policy allows.",
        ),
    ],
    output: Annotated[
        str | None,
        output_option("FILE", "Write here, not to stdout (-). With problems: a folder."),
    ] = None,
    problem_paths: Annotated[
        list[str] | None,
        typer.Option(
            "--problem",
            metavar="PROBLEM",
            hidden=True,
        ),
    ] = None,
) -> None:
    """Write a policy in a form that other programs can use.

    \b
    Example: pg3 export domain.pddl -p ferry.policy --to python -o ferry_policy.py
             pg3 export domain.pddl train/ -p f.policy --to pddl-axioms -o out/
    """
    usage = "pg3 export DOMAIN [PROBLEM...] --policy POLICY --to FORM"
    words = ordered([path, *(given or [])], policy_path, old_domain, usage)
    chosen = EXPORTS[form.value]
    files = problem_files([*words.problems, *(problem_paths or [])])
    inputs = [words.policy, words.domain, *files]
    if files and chosen.problem_text is None:
        raise Pg3Error(f"problems are of no use for '{form.value}': it is about the policy alone")
    if files and output is None:
        raise Pg3Error("with problems there are several results: name a folder for them with -o")
    targets = [output] if not files else _targets(Path(str(output)), files)
    if not files:
        require_outputs(targets, inputs)
    domain = read_domain(words.domain)
    policy = read_policy(words.policy, domain)
    texts = [chosen.policy_text(policy, domain)]
    if chosen.problem_text is not None:
        texts += [chosen.problem_text(policy, read_problem(path, domain)) for path in files]
    if output is None:
        print(texts[0], end="")
        return
    if files:
        _make_folder(Path(output))
        require_outputs(targets, inputs)
    for target, text in zip(targets, texts, strict=True):
        write_atomically(str(target), text)
    what = f"the domain and {pluralize(len(files), 'problem')}" if files else f"'{policy.name}'"
    note(f"exported {what} to {output}")


def _targets(folder: Path, files: Iterable[str]) -> list[str | None]:
    """Where the domain and the problems go; Pg3Error if two would go to one place."""
    names = [_DOMAIN_FILE]
    for path in files:
        name = Path(path).name
        if name in names:
            raise Pg3Error(f"{path}: there is already a result called '{name}'; rename the file")
        names.append(name)
    return [str(folder / name) for name in names]


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = "it is a file" if folder.is_file() else system_reason(error)
        raise Pg3Error(f"{folder}: cannot be the folder for the results: {reason}") from None
