"""`domains` and `generate`: the built-in domains and problems of them."""

from __future__ import annotations

import contextlib
import filecmp
import re
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill
from typing import TYPE_CHECKING, Annotated

import typer

from pg3.cli.app import command, completed, note, output_path
from pg3.cli.progress import progress
from pg3.domains import DOMAINS
from pg3.errors import Pg3Error, did_you_mean, pluralize
from pg3.pddl import write_problem
from pg3.storage import signals

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pg3.domains import BuiltInDomain, Range, Split
    from pg3.pddl import Problem

_DOMAIN_FILE = "domain.pddl"
_YES_OR_NO = frozenset(f"--{option.name}" for d in DOMAINS.values() for option in d.options)
_OWN_OPTIONS = ("split", "number", "seed", "output", "force", "help")


@command()
def domains(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME", autocompletion=completed(DOMAINS), help="Show this domain, as PDDL."
        ),
    ] = None,
) -> None:
    """List the built-in domains and the sizes of their problems.

    \b
    Example: pg3 domains
             pg3 domains ferry > domain.pddl
    """
    if name is not None:
        print(_domain(name).text, end="")
        return
    for domain in DOMAINS.values():
        print(f"{domain.name}  {domain.summary}")
        for split_name, split in domain.splits.items():
            line = f"  {split_name:5}  {_text(split)}"
            print(fill(line, 100, subsequent_indent=" " * 9, break_on_hyphens=False))
        for option in domain.options:
            print(f"  --{option.name}  {option.meaning}")


@command(context_settings={"ignore_unknown_options": True})
def generate(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="DOMAIN [--SIZE N|A..B] [--OPTION]",
            autocompletion=completed(DOMAINS),
            show_default=False,
            help="A name that `pg3 domains` lists, and its sizes and options.",
        ),
    ],
    *,
    split: Annotated[
        str,
        typer.Option(
            metavar="train|test",
            autocompletion=completed(["train", "test"]),
            help="Problems to learn from, or larger ones to test.",
        ),
    ] = "train",
    number: Annotated[
        int | None,
        typer.Option(
            "--number", "-n", min=1, metavar="N", help="How many; else as many as the split has."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="For all random choices.")] = 0,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FOLDER",
            callback=output_path,
            help="Write p001.pddl, p002.pddl, ... and domain.pddl here.",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite files, and leave other problems beside them.")
    ] = False,
) -> None:
    """Make problems of a built-in domain.

    The same seed gives the same problems on every machine, and the first of them are the same
    however many are made. A single problem (-n 1) goes to stdout if there is no FOLDER.

    \b
    Example: pg3 generate ferry --split test --seed 1 -o test/
             pg3 generate ferry -n 20 --cars 3..5 --locations 10 -o train/
    """
    domain, sizes, options = _parse(words)
    if split not in domain.splits:
        raise Pg3Error(f"--split: '{split}' is not one of {', '.join(domain.splits)}")
    wanted = domain.splits[split].count if number is None else number
    problems = islice(domain.stream(split, seed=seed, sizes=sizes, options=options), wanted)
    if output is not None:
        fewest, most = _write(domain, problems, wanted, Path(output), force)
        objects = pluralize(most, "object") if fewest == most else f"{fewest} to {most} objects"
        note(
            f"{domain.name}: {pluralize(wanted, 'problem')} of {objects} and {_DOMAIN_FILE} "
            f"are in {output}"
        )
    elif wanted == 1:
        print(write_problem(next(problems)), end="")
    else:
        raise Pg3Error(f"{wanted} problems need a folder: -o FOLDER")


def _text(split: Split) -> str:
    sizes = " ".join(f"--{name} {_range_text(range_)}" for name, range_ in split.sizes.items())
    return f"{pluralize(split.count, 'problem')}: {sizes}"


def _range_text(range_: Range) -> str:
    low, high = range_
    return str(low) if low == high else f"{low}..{high}"


def _domain(name: str) -> BuiltInDomain:
    if name not in DOMAINS:
        hint = did_you_mean(name, DOMAINS) or f"there are {', '.join(DOMAINS)}"
        raise Pg3Error(f"there is no built-in domain '{name}': {hint}")
    return DOMAINS[name]


# -- what is asked for -----------------------------------------------------------------------------


def _parse(words: Sequence[str]) -> tuple[BuiltInDomain, dict[str, Range], list[str]]:
    """The domain, its sizes and its options among the words that the command itself does not take.

    Which of them there are depends on the domain, which may come after them.
    """
    names: list[str] = []
    values: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        if not word.startswith("-"):
            names.append(word)
            continue
        option, equals, value = word.partition("=")
        if option in values:
            raise Pg3Error(f"{option} is given twice")
        if option in _YES_OR_NO and equals:
            raise Pg3Error(f"{option} takes no value")
        values[option] = value if equals or option in _YES_OR_NO else next(rest, "")
    if len(names) != 1:
        given = f", not {' and '.join(names)}" if names else ""
        raise Pg3Error(f"expected one domain{given}: {', '.join(DOMAINS)}")
    domain = _domain(names[0])
    sizes = [f"--{size.name}" for size in domain.sizes]
    options = [f"--{option.name}" for option in domain.options]
    for option in values:
        if option not in sizes and option not in options:
            known = [*sizes, *options, *(f"--{own}" for own in _OWN_OPTIONS)]
            hint = did_you_mean(option, known)
            raise Pg3Error(
                f"{domain.name} has no option {option}; its sizes are {', '.join(sizes)}"
                + (f", its options {', '.join(options)}" if options else "")
                + (f": {hint}" if hint else "")
            )
    ranges = {name[2:]: _range(name, value) for name, value in values.items() if name in sizes}
    return domain, ranges, [name[2:] for name in options if name in values]


def _range(option: str, value: str) -> Range:
    # More digits than any size may have, but not so many that Python refuses to read them.
    match = re.fullmatch(r"([0-9]{1,99})(?:\.\.([0-9]{1,99}))?", value)
    if match is None:
        given = f", not '{value}'" if value else ""
        raise Pg3Error(f"{option} takes a number or a range such as 3..5{given}")
    low = int(match[1])
    return low, int(match[2] or low)


# -- files -----------------------------------------------------------------------------------------


def _write(
    domain: BuiltInDomain, problems: Iterator[Problem], number: int, folder: Path, force: bool
) -> tuple[int, int]:
    """Write the problems and the domain; if one of them cannot be made, none.

    Returns the fewest and the most objects of a problem.

    Without `force` a folder that has other problems is refused: who reads it as a whole would mix
    two sets. Files that are as they would be written do no harm, so a set can be made larger.
    """
    # All is made in a folder of its own first, then moved file by file. What a crash of the machine
    # takes can be made again, so no file waits for the disk.
    with _faults_of(folder), _new_folder_in(folder) as new:
        _add(new / _DOMAIN_FILE, domain.text)
        digits = max(3, len(str(number)))
        sizes = []
        with progress(f"generating {domain.name} problems", number) as advance:
            for i, problem in enumerate(problems, 1):
                _add(new / f"p{i:0{digits}}.pddl", write_problem(problem))
                sizes.append(len(problem.objects))
                advance()
        files = sorted(new.iterdir())
        if not force:
            _refuse_others(folder, files)
        with signals.steady:
            for file in files:
                file.replace(folder / file.name)
    return min(sizes), max(sizes)


@contextlib.contextmanager
def _new_folder_in(folder: Path) -> Iterator[Path]:
    """A new folder in another one, which is made if it is missing.

    It is removed in the end, also by a signal; so is the other one if it was made and is empty.
    """
    with contextlib.ExitStack() as stack:
        with signals.steady:
            made = not folder.exists()
            if made:
                folder.mkdir(parents=True)
            new = TemporaryDirectory(prefix=".pg3-", dir=folder)

            def clear() -> None:
                new.cleanup()
                if made:
                    _remove_empty(folder)

            stack.enter_context(signals.clearing(clear))
        try:
            yield Path(new.name)
        finally:
            with signals.steady:
                clear()


def _add(path: Path, text: str) -> None:
    # Not while the folder is being cleared away.
    with signals.steady:
        path.write_text(text, encoding="utf-8")


def _refuse_others(folder: Path, files: Sequence[Path]) -> None:
    for file in files:
        old = folder / file.name
        if old.exists() and not (old.is_file() and filecmp.cmp(file, old, shallow=False)):
            raise Pg3Error(f"{old} is there already and differs: choose another folder, or --force")
    names = {file.name for file in files}
    others = sorted({file.name for file in folder.glob("*.pddl")} - names)
    if others:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        raise Pg3Error(
            f"{folder} has other problems already ({others[0]}{more}): "
            "choose another folder, or --force"
        )


def _remove_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()


@contextlib.contextmanager
def _faults_of(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Pg3Error(
            f"{folder}: cannot write: {(error.strerror or str(error)).lower()}"
        ) from None
