"""`prove`: a proof that a policy solves every problem of a class, and the check of one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pg3.analysis.prove.certificate import write_proof
from pg3.analysis.prove.checker.checking import check_proof
from pg3.analysis.prove.checker.format import FILE_NAME
from pg3.analysis.prove.membership import class_of_proof
from pg3.analysis.prove.proving import prove as find_proof
from pg3.cli.app import (
    NO,
    DomainPath,
    Json,
    OptionalPolicy,
    command,
    note,
    require_outputs,
    speaker,
)
from pg3.cli.output.progress import progress
from pg3.errors import Pg3Error, file_error, pluralize
from pg3.pddl import parse_domain, read_domain, read_problem, write_problem
from pg3.pddl.given import problem_files
from pg3.pddl.lexer import read_source
from pg3.policy import read_policy
from pg3.storage.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable

    from pg3.analysis.prove.proving import ProofResult

_COUNTEREXAMPLE = "counterexample.pddl"


@command()
def prove(
    domain_path: DomainPath,
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PROBLEM",
            help="PDDL problem files or folders, which show the class; not with --check.",
        ),
    ] = None,
    *,
    policy_path: OptionalPolicy = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="Write the certificate or counterexample here."
        ),
    ] = None,
    check: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help="Check the certificate in this folder instead."),
    ] = None,
    jobs: Annotated[
        int, typer.Option(min=1, metavar="N", help="Check N obligations at the same time.")
    ] = 1,
    json_path: Json = None,
) -> None:
    """Prove that a policy solves every problem of a class.

    Problems of any size are meant. The class is found from the given ones and printed in words.
    Exit code 0 if there is a proof, 1 if there is none. Needs the solver z3: pip install
    'pg3[prove]'.

    \b
    Example: pg3 prove domain.pddl train/ --policy ferry.policy -o proof/
             pg3 prove domain.pddl --policy ferry.policy --check proof/
    """
    say = speaker(json_path)
    if check is not None:
        usage = "pg3 prove DOMAIN --policy POLICY --check FOLDER"
        if policy_path is None and paths is not None and len(paths) == 1:
            note(f"note: the order is now {usage}")
            policy_path = paths[0]
        elif policy_path is None or paths or output is not None:
            raise Pg3Error(f"--check takes the domain and the policy: {usage}")
        require_outputs([json_path], [domain_path, policy_path, str(Path(check) / FILE_NAME)])
        good = _check(Path(check), domain_path, policy_path, jobs, json_path, say)
    else:
        if policy_path is None:
            raise Pg3Error("which policy? Give it with --policy")
        if not paths:
            raise Pg3Error("which problems? They show the class that a proof is about")
        files = problem_files(paths)
        require_outputs([json_path], [domain_path, policy_path, *files])
        good = _prove(domain_path, files, policy_path, output, jobs, json_path, say)
    if not good:
        raise typer.Exit(NO)


def _prove(
    domain_path: str,
    files: list[str],
    policy_path: str,
    output: str | None,
    jobs: int,
    json_path: str | None,
    say: Callable[[str], None],
) -> bool:
    source = read_source(domain_path)
    domain = parse_domain(source.data, source.name)
    problems = [read_problem(path, domain) for path in files]
    policy = read_policy(policy_path, domain)
    with progress("proving"):
        result = find_proof(domain, problems, policy, jobs=jobs)
    if result.proved:
        say("Proved: solves every problem in which")
        for line in result.words:
            say(f"- {line}")
    else:
        say(result.claim)
    written = None
    if output is not None:
        written = _write(Path(output), source.data, read_source(policy_path).data, result)
    if result.counterexample is not None:
        where = written or "use -o FOLDER to get the problem"
        say(f"counterexample: {where}")
    elif written is not None:
        say(f"{pluralize(len(result.obligations), 'obligation')}; the certificate is {written}")
    if json_path is not None:
        write_atomically(json_path, json.dumps(_answer(result, written), indent=2) + "\n")
    return result.proved


def _write(folder: Path, domain: bytes, policy: bytes, result: ProofResult) -> str | None:
    """The certificate, or the counterexample, if there is one of them; says where."""
    if result.proved:
        return write_proof(folder, domain, policy, result)
    if result.counterexample is None:
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise file_error(folder, "write", error) from None
    path = folder / _COUNTEREXAMPLE
    write_atomically(path, write_problem(result.counterexample))
    return str(path)


def _answer(result: ProofResult, written: str | None) -> dict[str, object]:
    return {
        "verdict": str(result.verdict),
        "claim": result.claim,
        "class": result.words,
        "obligations": len(result.obligations),
        "counterexample": None
        if result.counterexample is None
        else write_problem(result.counterexample),
        "file": written,
    }


def _check(
    folder: Path,
    domain_path: str,
    policy_path: str,
    jobs: int,
    json_path: str | None,
    say: Callable[[str], None],
) -> bool:
    with progress("checking"):
        result = check_proof(folder, domain_path, policy_path, jobs)
    if result.fault is None:
        by = ", ".join(f"{name} {number}" for name, number in result.confirmed)
        say(f"The proof holds: {pluralize(result.obligations, 'obligation')}, confirmed by {by}.")
        # Not the file's own words, which anybody may have edited.
        domain = read_domain(domain_path)
        policy = read_policy(policy_path, domain)
        members = class_of_proof(folder, domain_path, policy_path, policy, domain)
        say("Proved: solves every problem in which")
        for line in members.words:
            say(f"- {line}")
    else:
        say(f"The proof is not confirmed: {result.fault}.")
    if json_path is not None:
        answer = {
            "holds": result.fault is None,
            "fault": result.fault,
            "obligations": result.obligations,
            "confirmed": dict(result.confirmed),
        }
        write_atomically(json_path, json.dumps(answer, indent=2) + "\n")
    return result.fault is None
