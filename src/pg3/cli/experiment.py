"""`experiment`: the paper's experiments, run by run, into a folder of results."""

from __future__ import annotations

import re
from importlib.util import find_spec
from statistics import fmean
from typing import TYPE_CHECKING, Annotated

import typer

from pg3.cli.app import (
    NO,
    Cluster,
    command,
    completed,
    connected,
    note,
)
from pg3.cli.learning.options import with_config
from pg3.cli.output.experiment import Watch, duration, shown
from pg3.domains import DOMAINS, PAPER_DOMAINS
from pg3.errors import Pg3Error, pluralize, printable
from pg3.experiments.experiment import CRASHES, Experiment
from pg3.experiments.methods.fast_downward import find_driver
from pg3.experiments.methods.table import DEFAULT_METHODS, METHODS, Kind, plan_runs
from pg3.experiments.results import locked
from pg3.experiments.sources import benchmarks_in
from pg3.report.figures import fraction
from pg3.storage import signals

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from pg3.backends.pool import Pool
    from pg3.experiments.result_line import ResultLine
    from pg3.learning.config import LearnConfig

# More seeds than this are a typing error: "0-99999999".
_MOST_SEEDS, _LARGEST_SEED = 10_000, 2**31 - 1

# So many failures are told one by one.
_SHOWN_FAILURES = 10


def _names(known: Collection[str]) -> Callable[[list[str] | None], list[str] | None]:
    """A check of names that are separated by commas or given by several options."""

    def check(values: list[str] | None) -> list[str] | None:
        if not values:
            return None
        names = {name.strip() for value in values for name in value.split(",")}
        for name in sorted(names - {"all", *known}):
            raise typer.BadParameter(f"'{name}' is not one of {', '.join(known)}, all")
        return [name for name in known if name in names or "all" in names]

    return check


def _seeds(values: list[str] | None) -> list[str] | None:
    _parse_seeds(values or [])
    return values


def _parse_seeds(values: Sequence[str]) -> list[int]:
    """The seeds in texts like "0-9" and "0,3,5-7", in order."""
    seeds: set[int] = set()
    for part in ",".join(values).split(",") if values else []:
        match = re.fullmatch(r"\s*([0-9]{1,12})\s*(?:-\s*([0-9]{1,12}))?\s*", part)
        if match is None:
            raise typer.BadParameter(f"'{part}' is no seed: 0-9 or 0,3,5-7 are the forms")
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise typer.BadParameter(f"'{part}' is no range of seeds: {last} is below {first}")
        if last > _LARGEST_SEED:
            raise typer.BadParameter(f"'{part}': the largest seed is {_LARGEST_SEED}")
        if last - first >= _MOST_SEEDS:
            raise typer.BadParameter(f"'{part}' are more than {_MOST_SEEDS} seeds")
        seeds.update(range(first, last + 1))
    return sorted(seeds)


@command()
@with_config(
    *("max_candidates", "max_expansions", "as_printed", "accumulate", "time_limit", "memory_limit"),
    before={"time_limit": "epochs"},
    texts={
        "time_limit": "Seconds of learning for a run; of Fast Downward for a problem (60).",
        "memory_limit": "Megabytes for a run, or for Fast Downward (4096).",
    },
    preset="paper",
)
def experiment(
    *,
    folder: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FOLDER", help="Where the results are, or will be."),
    ],
    domains: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B,...",
            autocompletion=completed(DOMAINS),
            help="Some of the domains; else the paper's six, or all of --data.",
        ),
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Folders NAME/{domain.pddl,train/,test/} to run on."),
    ] = None,
    methods: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B,...",
            callback=_names(METHODS),
            autocompletion=completed(METHODS),
            help=f"Some of {', '.join(METHODS)}, or all; else all up to random.",
        ),
    ] = None,
    seeds: Annotated[
        list[str] | None, typer.Option(metavar="0-9", callback=_seeds, help="As 0-9 or 0,3,5-7.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, metavar="N", help="Runs at a time.")] = 1,
    cluster: Cluster = None,
    config: LearnConfig,
    epochs: Annotated[int, typer.Option(min=1, metavar="N", help="For gnn.")] = 100_000,
    retry: Annotated[
        bool, typer.Option("--retry", help="Do runs again that crashed or went over a limit.")
    ] = False,
) -> None:
    """Compare methods on built-in domains or on those of a folder.

    A run learns from a few problems and is tested on others; its line goes into FOLDER. Stop it
    at any time and start it again: runs that are in FOLDER are not repeated.
    Exit code 1 if a run crashed or went over a limit; it counts as no success.

    \b
    Example: pg3 experiment -o results/ --domains ferry,spanner --seeds 0-4
             pg3 experiment -o out/ --data moose/ --methods robust,pg3 --seeds 0
    """
    if not folder:
        raise Pg3Error("cannot write: the name of the folder is empty")
    methods = methods or list(DEFAULT_METHODS)
    _require_tools(methods)
    folders, refused = ({}, []) if data is None else benchmarks_in(data)
    for reason in refused:
        note(f"left out: {reason}")
    runs = plan_runs(
        _chosen(domains, folders) or list(folders or PAPER_DOMAINS),
        methods,
        _parse_seeds(seeds or ["0-9"]),
        config,
        epochs=epochs,
        data=folders,
    )
    with locked(folder):
        work = Experiment(folder, runs, retry=retry)
        _say_what_is_there(work)
        stop = _perform(work, jobs, cluster) if work.waiting else None
    if stop is not None:
        note(
            f"interrupted: {len(work.lines)} of {pluralize(len(runs), 'run')} are in {folder}; "
            "the same command goes on from there"
        )
        raise typer.Exit(stop)
    signals.finish()
    print(_table(list(work.lines.values())), end="")
    _say_failures(work)
    if work.failures:
        raise typer.Exit(NO)


def _chosen(names: list[str] | None, folders: Mapping[str, str]) -> list[str] | None:
    """The domains that are asked for; those of a folder also by the last part of their names."""
    if not folders:
        return _names(DOMAINS)(names)
    short = {name.rpartition("/")[2]: name for name in folders}
    found = _names([*folders, *short])(names)
    return found and list(dict.fromkeys(short.get(name, name) for name in found))


def _require_tools(methods: Collection[str]) -> None:
    """Say at once what would otherwise go wrong in each of many runs."""
    kinds = {METHODS[name] for name in methods}
    if Kind.NETWORK in kinds and find_spec("torch") is None:
        raise Pg3Error('the method gnn needs PyTorch: pip install "pg3[gnn]"')
    if Kind.PLANNER in kinds:
        find_driver()


def _say_what_is_there(work: Experiment) -> None:
    if work.file.torn:
        note(f"{work.file.path}: half a line at the end, of a run that was cut off, is moved aside")
    if not work.waiting:
        note(f"nothing to do: all of {pluralize(len(work.runs), 'run')} are in {work.folder}")
    elif work.found:
        note(f"{work.found} of {pluralize(len(work.runs), 'run')} are in {work.folder} already")


def _perform(work: Experiment, jobs: int, cluster: str | None) -> int | None:
    """Do the runs; the exit code of the signal that ended it early, if one did."""
    pool = connected(cluster)
    # Heeded between two lines, never within one.
    came: list[int] = []
    signals.on_signal(came.append)
    watch = Watch(work)

    def tell(line: ResultLine) -> None:
        if not line.done:
            note(_failure(line))

    with shown(watch):
        if pool is None:
            work.perform(jobs=jobs, stopping=lambda: bool(came), tell=tell)
        else:
            with pool:
                _perform_on(pool, work, stopping=lambda: bool(came), tell=tell)
    signals.finish()
    if not came:
        note(f"{pluralize(len(work.runs), 'run')} finished in {duration(watch.seconds)}")
    return came[0] if came and len(work.lines) < len(work.runs) else None


def _perform_on(
    pool: Pool,
    work: Experiment,
    stopping: Callable[[], bool],
    tell: Callable[[ResultLine], None],
) -> None:
    try:
        work.perform_on(pool, stopping=stopping, tell=tell)
    except Pg3Error:
        note(
            f"{len(work.lines)} of {pluralize(len(work.runs), 'run')} are in {work.folder}; "
            "the same command goes on from there"
        )
        raise


def _table(lines: Sequence[ResultLine]) -> str:
    """The mean success of each method in each domain."""
    named = {line.domain for line in lines}
    domains = [name for name in DOMAINS if name in named] + sorted(named.difference(DOMAINS))
    methods = [name for name in METHODS if any(line.method == name for line in lines)]
    width = max(len(name) for name in ("domain", *domains))
    rows = [f"{'domain':{width}}  " + "  ".join(f"{name:>6}" for name in methods)]
    for domain in domains:
        cells = []
        for method in methods:
            values = [x.success for x in lines if (x.domain, x.method) == (domain, method)]
            text = fraction(fmean(values)) if values else "-"
            cells.append(f"{text:>{max(6, len(method))}}")
        rows.append(f"{domain:{width}}  " + "  ".join(cells))
    return "".join(f"{row}\n" for row in rows)


def _failure(line: ResultLine) -> str:
    return f"{line.run}: {line.status}: {printable(line.reason or '')}"


def _say_failures(work: Experiment) -> None:
    failures = work.failures
    if not failures:
        note(f"to see more: pg3 report {work.folder} -o report.html")
        return
    note(f"{pluralize(len(failures), 'run')} failed and count as no success:")
    for line in failures[:_SHOWN_FAILURES]:
        note(f"  {_failure(line)}")
    if len(failures) > _SHOWN_FAILURES:
        note(f"  and {len(failures) - _SHOWN_FAILURES} more")
    if (work.folder / CRASHES).is_dir():
        note(f"what crashed runs said is in {work.folder / CRASHES}")
    note("--retry does them again")
