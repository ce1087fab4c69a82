"""`domains` and `generate`: the built-in domains and problems of them."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Annotated

import typer

from pg3.cli.app import Seed, command, completed, limit, note, output_option
from pg3.cli.problem_folder import DOMAIN_FILE, objects_text, write_problems
from pg3.domains import DOMAINS
from pg3.errors import Pg3Error, did_you_mean, pluralize
from pg3.pddl import write_problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.domains import BuiltInDomain, Range, Split

_YES_OR_NO = frozenset(f"--{option.name}" for d in DOMAINS.values() for option in d.options)
_OWN_OPTIONS = (
    "like",
    "scale",
    "policy",
    "unchecked",
    "split",
    "number",
    "seed",
    "output",
    "force",
    "help",
)


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
            help="A name that `pg3 domains` lists, its sizes and options; or, with --like, a file.",
        ),
    ],
    *,
    like: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PROBLEM...", help="Grow larger problems from these files or folders."
        ),
    ] = None,
    scale: Annotated[
        float | None,
        typer.Option(metavar="X", callback=limit, help="About X times the objects; else 3."),
    ] = None,
    policy_path: Annotated[
        str | None,
        typer.Option("--policy", "-p", metavar="POLICY", help="Try this policy before search."),
    ] = None,
    unchecked: Annotated[
        bool, typer.Option("--unchecked", help="Write problems whether they can be solved or not.")
    ] = False,
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
            "--number", "-n", min=1, metavar="N", help="How many; else the whole split, or 10."
        ),
    ] = None,
    seed: Seed = 0,
    output: Annotated[
        str | None, output_option("FOLDER", "Write p001.pddl, p002.pddl, ... and domain.pddl here.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite files, and leave other problems beside them.")
    ] = False,
) -> None:
    """Make problems of a built-in domain, or larger ones of yours.

    With --like they are grown from your own, and written if a plan is found. The same seed gives
    the same problems, the first of them however many are made. A single problem (-n 1) goes to
    stdout if there is no FOLDER.

    \b
    Example: pg3 generate ferry -n 20 --cars 3..5 --locations 10 -o train/
             pg3 generate domain.pddl --like small/ --scale 5 -n 20 -o large/
    """
    if like:
        if split != "train":
            raise Pg3Error("--split is for built-in domains, not for --like")
        # Only now: it imports the learner, which takes longer than most problems do.
        from pg3.cli.grow import grow  # noqa: PLC0415

        grow(
            words,
            like,
            times=3.0 if scale is None else scale,
            number=10 if number is None else number,
            seed=seed,
            policy_path=policy_path,
            unchecked=unchecked,
            output=output,
            force=force,
        )
        return
    for option, given in (
        ("--scale", scale),
        ("--policy", policy_path),
        ("--unchecked", unchecked),
    ):
        if given:
            raise Pg3Error(f"{option} is for problems that are grown: --like PROBLEM")
    domain, sizes, options = _parse(words)
    if split not in domain.splits:
        raise Pg3Error(f"--split: '{split}' is not one of {', '.join(domain.splits)}")
    wanted = domain.splits[split].count if number is None else number
    problems = islice(domain.stream(split, seed=seed, sizes=sizes, options=options), wanted)
    if output is not None:
        label = f"generating {domain.name} problems"
        sizes_made = write_problems(
            domain.text, problems, Path(output), number=wanted, label=label, force=force
        )
        note(
            f"{domain.name}: {pluralize(wanted, 'problem')} of {objects_text(sizes_made)} and "
            f"{DOMAIN_FILE} are in {output}"
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
