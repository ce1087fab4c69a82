"""The ground of all commands: exit codes, messages, and options that several of them share."""

from __future__ import annotations

import io
import json
import math
import os
import re
import sys
import traceback
import warnings
from functools import partial
from signal import SIGINT
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, NoReturn, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

import pg3
from pg3.errors import InputWarning, Pg3Error, pluralize, printable, system_reason
from pg3.storage import signals
from pg3.storage.files import is_stdout, require_writable, same_file, write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from pg3.backends.dask_pool import DaskPool

_Value = TypeVar("_Value")

NO = 1
BAD_INPUT = 2
_BUG = 70
_PIPE_CLOSED = 141


# The module of each command, in the order in which a user comes to need them; help lists them so.
MODULES = {
    "learn": "learn",
    **dict.fromkeys(("plan", "solve"), "solve"),
    "evaluate": "evaluate",
    **dict.fromkeys(("validate", "show"), "validate"),
    "explain": "explain",
    "view": "view",
    "score": "score",
    **dict.fromkeys(("challenge", "certify"), "challenge"),
    "prove": "prove",
    "doctor": "doctor",
    "export": "export",
    **dict.fromkeys(("domains", "generate"), "domains"),
    "experiment": "experiment",
    "report": "report",
}

# What help says of each. Help would else have to import them all, which takes most of its time.
SUMMARIES = {
    "learn": "Learn a policy from small problems; exit code 1 if it fails.",
    "plan": "Find a plan by search.",
    "solve": "Solve a problem by following a policy, without search.",
    "evaluate": "Run a policy on many problems and count the solved ones.",
    "validate": "Check a plan step by step; says which step or goal fails.",
    "show": "Check a policy against its domain and pretty-print it.",
    "explain": "Tell in words what a policy does on a problem, and why.",
    "view": "Make a page: a policy at work step by step, or a search.",
    "score": "Show every score of a policy, and the actions that it misses.",
    "challenge": "Look for a small solvable problem that a policy fails.",
    "certify": "Check a policy and write down what was checked.",
    "prove": "Prove that a policy solves every problem of a class.",
    "doctor": "Look at a domain and its training problems before learning.",
    "export": "Write a policy in a form that other programs can use.",
    "domains": "List the built-in domains and the sizes of their problems.",
    "generate": "Make problems of a built-in domain, or larger ones of yours.",
    "experiment": "Compare methods on built-in domains or on those of a folder.",
    "report": "Make a report of the results of experiments.",
}


class _Commands(TyperGroup):
    """The group of commands: what they raise becomes a message and an exit code, here only."""

    def list_commands(self, ctx: Any) -> list[str]:
        return sorted(super().list_commands(ctx), key=list(MODULES).index)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        limit = formatter.width - 6 - max(map(len, SUMMARIES))
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, TyperCommand(name, help=text).get_short_help_str(limit))
                    for name, text in SUMMARIES.items()
                ]
            )

    def make_context(self, *arguments: Any, **options: Any) -> Any:
        try:
            return super().make_context(*arguments, **options)
        except KeyboardInterrupt:
            _end_interrupted()

    def invoke(self, ctx: Any) -> Any:
        try:
            result = super().invoke(ctx)
            # Here and not at the interpreter's end, where a closed pipe could not be handled.
            sys.stdout.flush()
            return result
        except (Pg3Error, InputWarning) as error:
            note(str(error))
            raise typer.Exit(BAD_INPUT) from None
        except KeyboardInterrupt:
            _end_interrupted()
        except OSError as error:
            # All files have errors of their own, so this is stdout. What is still in its buffer
            # must go somewhere when the interpreter ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if isinstance(error, BrokenPipeError):
                raise typer.Exit(_PIPE_CLOSED) from None
            note(f"stdout: cannot write: {system_reason(error)}")
            raise typer.Exit(BAD_INPUT) from None


def _end_interrupted() -> NoReturn:
    """End a command after a Ctrl-C without a listener (see `pg3.storage.signals`)."""
    note("interrupted")
    signals.end(signals.CODES[SIGINT])


class _Command(TyperCommand):
    """A command whose usage shows arguments as people write them: DOMAIN, not {DOMAIN}."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [re.sub("[{}]", "", piece) for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Arguments and options, as short as they can be: help is to fit a screen.

        Types of arguments and ranges of numbers are left out: a value that does not fit gets a
        message.
        """
        for kind, title in (("argument", "Arguments"), ("option", "Options")):
            records = [
                (re.sub(r" <[^>]*>$", "", name), re.sub(r"(; |  \[)x[<>]=[^\];]*\]$", _rest, text))
                for parameter in self.get_params(ctx)
                if parameter.param_type_name == kind
                and (record := parameter.get_help_record(ctx)) is not None
                for name, text in [record]
            ]
            if records:
                with formatter.section(title):
                    formatter.write_dl(records, col_max=22)


def _rest(of_range: re.Match[str]) -> str:
    return "]" if of_range[1] == "; " else ""


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

command = partial(app.command, cls=_Command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line (by default the process's own arguments) and exit with its code."""
    signals.open_streams()
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A file name that the terminal cannot show must not end a run.
        sys.stdout.reconfigure(errors="backslashreplace")
    arguments = sys.argv[1:] if arguments is None else arguments
    with warnings.catch_warnings():
        # The word may stand anywhere, before or after the command.
        warnings.simplefilter("error" if "--strict" in arguments else "always", InputWarning)
        warnings.showwarning = _show_warning
        arguments = [word for word in arguments if word != "--strict"]
        try:
            app(arguments, prog_name="pg3")
        except Exception:
            traceback.print_exc()
            note("this is a fault in pg3: please report it with the files that cause it")
            sys.exit(_BUG)


def note(text: str) -> None:
    """Print a message, which is no result, to stderr; control characters in it are escaped."""
    print("\n".join(map(printable, text.split("\n"))), file=sys.stderr)


def _show_warning(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    known = issubclass(category, InputWarning)
    note(f"warning: {message}" if known else f"warning: {category.__name__}: {message}")


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"pg3 {pg3.__version__}")
        raise typer.Exit


def number(value: float | None) -> float | None:
    """The value of an option that must be a number: not every typer refuses "nan"."""
    if value is not None and math.isnan(value):
        raise typer.BadParameter("not a number")
    return value


def limit(value: float | None) -> float | None:
    """The value of an option for a limit: an infinite one is none, which files can say."""
    return None if number(value) == math.inf else value


def one_of(names: Collection[str]) -> Callable[[str | None], str | None]:
    """A check of an option's value."""

    def check(value: str | None) -> str | None:
        if value is not None and value not in names:
            raise typer.BadParameter(f"'{value}' is not one of {', '.join(names)}")
        return value

    return check


def completed(names: Iterable[str]) -> Callable[[str], list[str]]:
    """For shell completion: the names that begin like the word so far, the last of a list a,b,c."""
    known = list(names)

    def complete(incomplete: str) -> list[str]:
        before, comma, word = incomplete.rpartition(",")
        return [f"{before}{comma}{name}" for name in known if name.startswith(word)]

    return complete


# What "-" stands for, as a path.
STDOUT = "/dev/stdout"


def output_path(value: str | None) -> str | None:
    """The value of an option for a result that goes to stdout (None) if the option is not given."""
    _refuse_empty(value)
    return None if value == "-" else value


def extra_path(value: str | None) -> str | None:
    """The value of an option for a result that is not asked for (None) if it is not given."""
    _refuse_empty(value)
    return STDOUT if value == "-" else value


def _refuse_empty(value: str | None) -> None:
    if value == "":
        raise typer.BadParameter("the name of the file is empty")


def same_output(one: str, other: str) -> bool:
    """Whether what is written to two paths ends up in one place."""
    return (is_stdout(one) and is_stdout(other)) or same_file(one, other)


def require_outputs(outputs: Iterable[str | None], inputs: Iterable[str]) -> None:
    """Raise Pg3Error if an output cannot be written or would overwrite an input or another."""
    inputs, claimed = list(inputs), list[str]()
    for path in outputs:
        if path is None:
            continue
        require_writable(path)
        for other in inputs:
            if same_file(path, other):
                raise Pg3Error(f"{path}: cannot write: it is an input of this command")
        if any(same_output(path, other) for other in claimed):
            raise Pg3Error(f"{path}: cannot write: two results cannot go to one file")
        claimed.append(path)


DomainPath = Annotated[str, typer.Argument(metavar="DOMAIN", help="PDDL domain file.")]
ProblemPath = Annotated[str, typer.Argument(metavar="PROBLEM", help="PDDL problem file.")]
ProblemPaths = Annotated[
    list[str],
    typer.Argument(
        metavar="PROBLEM",
        help="PDDL problem files, or folders: all *.pddl in them but domain.pddl.",
    ),
]
PolicyPath = Annotated[
    str, typer.Option("--policy", "-p", metavar="POLICY", help="Policy file (text or JSON).")
]


# Names of files that pg3 writes may end as one likes, but not like those of other programs.
_FOREIGN = (".doc", ".docx", ".gz", ".jpg", ".odt", ".pdf", ".png", ".svg", ".xlsx", ".zip")


def output_option(metavar: str, text: str, *, extra: bool = False, any_ending: bool = False) -> Any:
    """`-o`: where the result goes; `extra` if it does not go to stdout otherwise.

    `any_ending` if the command itself says which endings it can write.
    """

    def callback(value: str | None) -> str | None:
        if value is not None and value.lower().endswith(_FOREIGN) and not any_ending:
            ending = value[value.rindex(".") :]
            raise typer.BadParameter(f"{value}: pg3 cannot write a file of the kind '{ending}'")
        return extra_path(value) if extra else output_path(value)

    return typer.Option("--output", "-o", metavar=metavar, callback=callback, help=text)


Output = Annotated[str | None, output_option("PLAN", "Write the plan here, not to stdout (-).")]
Json = Annotated[
    str | None,
    typer.Option(
        "--json",
        metavar="FILE",
        callback=extra_path,
        help="Write the result as JSON (-: to stdout).",
    ),
]
Seed = Annotated[int, typer.Option(metavar="N", help="For all random choices.")]
OptionalPolicy = Annotated[
    str | None, typer.Option("--policy", "-p", metavar="POLICY", help="Policy file (text or JSON).")
]
# The order of words that three commands once had: POLICY --domain DOMAIN.
OldDomain = Annotated[str | None, typer.Option("--domain", "-d", metavar="DOMAIN", hidden=True)]
PhrasesFile = Annotated[
    str | None,
    typer.Option(
        "--phrases", metavar="FILE", help="How predicates and actions read, in your own words."
    ),
]
MaxSteps = Annotated[
    int | None,
    typer.Option(min=0, metavar="N", help="Stop after N actions."),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(min=0, metavar="S", callback=limit, help="Stop after S seconds."),
]
ImproveSeconds = Annotated[
    float | None,
    typer.Option(
        "--improve",
        min=0,
        metavar="S",
        callback=limit,
        help="Then make the plan cheaper for up to S seconds.",
    ),
]
ImproveExpansions = Annotated[
    int | None,
    typer.Option(min=0, metavar="N", help="The same by work: N expanded states."),
]
MemoryLimit = Annotated[
    float | None,
    typer.Option(min=0, metavar="MB", callback=limit, help="Stop at MB megabytes."),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Work on the cluster of this Dask scheduler.",
    ),
]


def speaker(json_path: str | None) -> Callable[[str], None]:
    """Who says what is for people: stderr if stdout has the JSON."""
    return note if json_path is not None and is_stdout(json_path) else print


def write_json(path: str | None, values: object) -> None:
    """The result for programs, if it is asked for."""
    if path is not None:
        text = json.dumps(values, indent=1, ensure_ascii=False)
        write_atomically(path, text + "\n")


def renamed(old: str, given: _Value | None, new: str, value: _Value | None) -> _Value | None:
    """The value of an option, or what its old name was given, with a note."""
    if given is None:
        return value
    if value is not None:
        raise typer.BadParameter(f"{old} is the old name of {new}: give one of them")
    note(f"note: {old} is now {new}")
    return given


class Words(NamedTuple):
    """What a command is about: DOMAIN PROBLEM... --policy POLICY."""

    domain: str
    policy: str
    problems: list[str]


def ordered(words: Sequence[str], policy: str | None, old_domain: str | None, usage: str) -> Words:
    """The words of a command, which some people write as POLICY PROBLEM... --domain DOMAIN."""
    if old_domain is not None and policy is None:
        note(f"note: the order is now {usage}")
        return Words(old_domain, words[0], list(words[1:]))
    if old_domain is not None or policy is None:
        raise Pg3Error(f"which policy, for which domain? The order is {usage}")
    return Words(words[0], policy, list(words[1:]))


@app.callback()
def _of_all_commands(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
    _strict: Annotated[
        bool, typer.Option("--strict", help="Refuse files that would be read with a warning.")
    ] = False,
) -> None:
    """Learn one readable policy for a PDDL domain, and solve problems of any size with it.

    \b
    Exit codes: 0 done; 1 no (unsolved, invalid, some failed); 2 bad input.
    Example: pg3 learn domain.pddl train/ -o ferry.policy
             pg3 solve domain.pddl problem.pddl --policy ferry.policy
    """


def connected(address: str | None) -> DaskPool | None:
    """The cluster at an address, if there is one; a context manager."""
    if address is None:
        return None
    # Only now: few want a cluster, and it takes long to import.
    from pg3.backends.dask_pool import DaskPool  # noqa: PLC0415

    pool = DaskPool(address)
    workers = pool.workers
    if workers:
        note(f"{pool.address}: {pluralize(workers, 'worker')}")
    else:
        note(f"{pool.address}: no workers yet; work begins when there is one")
    return pool
