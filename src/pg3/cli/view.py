"""`view`: a search or a policy as a page for a browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pg3.cli.app import (
    STDOUT,
    OptionalPolicy,
    PhrasesFile,
    Words,
    command,
    note,
    ordered,
    output_option,
    require_outputs,
)
from pg3.cli.output.progress import progress, with_progress
from pg3.cli.proof_folder import ProofFolder, ranking_of
from pg3.errors import Pg3Error
from pg3.pddl import read_domain, read_problem
from pg3.pddl.given import problem_files
from pg3.planning import Limits
from pg3.policy import read_policy
from pg3.storage.files import is_regular, write_atomically
from pg3.viewer import log_path, policy_page, read_log, search_page

if TYPE_CHECKING:
    from pg3.pddl import Domain, Problem
    from pg3.viewer import SearchLog


@command()
def view(
    what: Annotated[
        str,
        typer.Argument(
            metavar="RUN|DOMAIN",
            help="What `pg3 learn --log` wrote, a folder with log.jsonl, or the policy's domain.",
        ),
    ],
    problem_paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PROBLEM]",
            help="A problem to follow the policy on; for a run its training problems, "
            "if they are no longer where the log says.",
        ),
    ] = None,
    *,
    policy_path: OptionalPolicy = None,
    domain_path: Annotated[
        str | None,
        typer.Option(
            "--domain", "-d", metavar="DOMAIN", help="For a run, if its log names another file."
        ),
    ] = None,
    output: Annotated[
        str | None,
        output_option(
            "FILE", "Write the page here (-: to stdout); else NAME.html in this folder.", extra=True
        ),
    ] = None,
    phrases: PhrasesFile = None,
    proof: ProofFolder = None,
) -> None:
    """Make a page: a policy at work step by step, or a search.

    With a domain, what a policy does on a problem; with a log, the search over policies. One HTML
    file that needs no network; open it with any browser.

    \b
    Example: pg3 view ferry.jsonl -o search.html
             pg3 view domain.pddl problem.pddl --policy ferry.policy -o ferry.html
    """
    log_file = None if policy_path is not None else log_path(what)
    words = None
    if log_file is None:
        usage = "pg3 view DOMAIN [PROBLEM] --policy POLICY"
        words = ordered([what, *(problem_paths or [])], policy_path, domain_path, usage)
    of = what if words is None else words.policy
    name = Path(of).resolve().name if Path(of).is_dir() else Path(of).stem
    target = output if output is not None else f"{name}.html"
    given = problem_files((problem_paths or []) if words is None else words.problems)
    inputs = [str(log_file)] if words is None else [words.domain, words.policy]
    require_outputs([target], [*inputs, *given])
    if words is not None:
        page = _policy_page(words, given, phrases, proof)
    else:
        if proof is not None:
            raise Pg3Error("--proof is about a policy, not about a search")
        assert log_file is not None
        log = read_log(log_file)
        domain, problems = _training(log, log_file, domain_path, given, phrases)
        page = with_progress("working out the plans", lambda: search_page(log, domain, problems))
    write_atomically(target or STDOUT, page)
    if is_regular(target):
        note(f"{target}: {len(page.encode()) / 1e6:.1f} MB; open it with a browser")


def _policy_page(
    words: Words, problem_paths: list[str], phrases: str | None, proof: str | None
) -> str:
    if len(problem_paths) > 1:
        raise Pg3Error(f"{words.policy}: one problem at a time, not {len(problem_paths)}")
    with progress("reading"):
        domain = read_domain(words.domain, phrases)
        policy = read_policy(words.policy, domain)
        problem = read_problem(problem_paths[0], domain) if problem_paths else None
        ranking = ranking_of(proof, words.domain, words.policy, policy, problem)
    return with_progress(
        "following the policy",
        lambda: policy_page(policy, domain, problem, limits=Limits(seconds=60), ranking=ranking),
    )


def _training(
    log: SearchLog,
    log_file: Path,
    domain_path: str | None,
    given: list[str],
    phrases: str | None,
) -> tuple[Domain | None, list[Problem] | None]:
    """Domain and training problems: as given, else where the log says if they are still there."""
    wanted = [str(name) for name in log.header.get("problems", [])]
    if given and len(given) != len(wanted):
        raise Pg3Error(
            f"{log_file}: learned from {len(wanted)} problems, but {len(given)} are given"
        )
    named = domain_path or _found(str(log.header.get("domain", "")), log_file)
    paths = given or [path for name in wanted if (path := _found(name, log_file))]
    if named is None:
        note("the domain is not where the log says: no plans on the page (see --domain)")
        return None, None
    domain = read_domain(named, phrases)
    if len(paths) != len(wanted):
        note("training problems are not where the log says: no plans on the page")
        return domain, None
    with progress("reading"):
        return domain, [read_problem(path, domain) for path in paths]


def _found(name: str, log_file: Path) -> str | None:
    """A file of the log: from here, or from where the log lies."""
    for path in (Path(name), log_file.parent / name):
        if name and path.is_file():
            return str(path)
    return None
