"""`view`: a search or a policy as a page for a browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pg3.cli.app import STDOUT, command, extra_path, note, require_outputs
from pg3.cli.progress import progress, with_progress
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
            metavar="RUN|POLICY",
            help="What `pg3 learn --log` wrote, a folder with log.jsonl, or a policy file.",
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
    domain_path: Annotated[
        str | None,
        typer.Option(
            "--domain", "-d", metavar="DOMAIN", help="PDDL domain file; a log names its own."
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            callback=extra_path,
            help="Write the page here (-: to stdout); else NAME.html in this folder.",
        ),
    ] = None,
) -> None:
    """Make a page that shows a search over policies, or a policy on a problem step by step.

    One HTML file that needs no network; open it with any browser.

    \b
    Example: pg3 view ferry.jsonl -o search.html
             pg3 view ferry.policy --domain domain.pddl problem.pddl -o ferry.html
    """
    log_file = log_path(what)
    name = Path(what).resolve().name if Path(what).is_dir() else Path(what).stem
    target = output if output is not None else f"{name}.html"
    given = problem_files(problem_paths or [])
    require_outputs([target], [*([] if log_file is None else [str(log_file)]), what, *given])
    if log_file is not None:
        log = read_log(log_file)
        domain, problems = _training(log, log_file, domain_path, given)
        page = with_progress("working out the plans", lambda: search_page(log, domain, problems))
    else:
        page = _policy_page(what, domain_path, given)
    write_atomically(target or STDOUT, page)
    if is_regular(target):
        note(f"{target}: {len(page.encode()) / 1e6:.1f} MB; open it with a browser")


def _policy_page(path: str, domain_path: str | None, problem_paths: list[str]) -> str:
    if domain_path is None:
        raise Pg3Error(f"{path}: a policy needs its domain: give it with --domain")
    if len(problem_paths) > 1:
        raise Pg3Error(f"{path}: one problem at a time, not {len(problem_paths)}")
    with progress("reading"):
        domain = read_domain(domain_path)
        policy = read_policy(path, domain)
        problem = read_problem(problem_paths[0], domain) if problem_paths else None
    return with_progress(
        "following the policy",
        lambda: policy_page(policy, domain, problem, limits=Limits(seconds=60)),
    )


def _training(
    log: SearchLog, log_file: Path, domain_path: str | None, given: list[str]
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
    domain = read_domain(named)
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
