"""`challenge` and `certify`: what a policy cannot do, and what it has been seen to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pg3.analysis.challenge import (
    Trial,
    find_counterexample,
    generated_cases,
    given_cases,
    read_certificate,
)
from pg3.analysis.challenge.certificate import write_certificate
from pg3.analysis.challenge.certifying import all_of, given, hashed, sample_of
from pg3.analysis.challenge.certifying import certify as check
from pg3.cli.app import (
    NO,
    DomainPath,
    Json,
    MaxSteps,
    PolicyPath,
    Seed,
    TimeLimit,
    command,
    completed,
    limit,
    note,
    output_option,
    renamed,
    require_outputs,
    speaker,
    write_json,
)
from pg3.cli.output.progress import progress
from pg3.domains import DOMAINS
from pg3.errors import Pg3Error, did_you_mean, pluralize
from pg3.pddl import parse_domain, parse_problem, write_problem
from pg3.pddl.given import problem_files
from pg3.pddl.lexer import read_source
from pg3.planning.execution import in_words
from pg3.policy import read_policy
from pg3.storage.files import write_atomically

if TYPE_CHECKING:
    from pg3.analysis.challenge import Certificate, Counterexample
    from pg3.analysis.challenge.trial import Failure
    from pg3.domains import BuiltInDomain
    from pg3.errors import Source
    from pg3.pddl import Domain, Problem

# Cases that are tried where neither a number nor a time is given.
_CASES = 300
# Rounds of choices of a generator, where all its problems are asked for.
_ALL = 10_000

Generator = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        autocompletion=completed(DOMAINS),
        help="Problems of this built-in domain, of growing size.",
    ),
]
Problems = Annotated[
    list[str] | None,
    typer.Argument(metavar="[PROBLEM]", help="Problem files or folders.", show_default=False),
]
# What the words were called before all commands had the same.
OldFrom = Annotated[list[str] | None, typer.Option("--from", metavar="PROBLEM", hidden=True)]
OldNumber = Annotated[int | None, typer.Option("--problems", min=0, metavar="N", hidden=True)]
Expansions = Annotated[
    int, typer.Option(min=1, metavar="N", help="States to expand to show a problem solvable.")
]


@command()
def challenge(
    domain_path: DomainPath,
    problem_paths: Problems = None,
    *,
    policy_path: PolicyPath,
    generator: Generator = None,
    number: Annotated[
        int | None,
        typer.Option(
            "--number", "-n", min=0, metavar="N", help=f"Try N problems; else {_CASES}, or a time."
        ),
    ] = None,
    time_limit: TimeLimit = None,
    seed: Seed = 0,
    walks: Annotated[
        bool,
        typer.Option("--walks/--no-walks", help="Also start where actions lead to."),
    ] = True,
    shrink: Annotated[
        bool, typer.Option("--shrink/--no-shrink", help="Make what is found as small as possible.")
    ] = True,
    max_steps: MaxSteps = None,
    max_expansions: Expansions = 5_000,
    output: Annotated[
        str | None, output_option("FILE", "Write the counterexample here, not to stdout (-).")
    ] = None,
    json_path: Json = None,
    old_from: OldFrom = None,
    old_number: OldNumber = None,
    old_budget: Annotated[
        float | None, typer.Option("--budget", min=0, metavar="S", callback=limit, hidden=True)
    ] = None,
) -> None:
    """Look for a small solvable problem that a policy fails.

    Tries problems as they are, with their objects permuted, and from states that random actions or
    the policy lead to; what is found is made as small as possible. Exit code 0 if nothing is found,
    1 if something is.

    \b
    Example: pg3 challenge domain.pddl -p ferry.policy --generator ferry
             pg3 challenge domain.pddl train/ -p ferry.policy -o p.pddl
    """
    number = renamed("--problems", old_number, "--number", number)
    time_limit = renamed("--budget", old_budget, "--time-limit", time_limit)
    problem_paths = renamed("--from", old_from, "PROBLEM...", problem_paths)
    inputs = _Inputs(domain_path, policy_path, generator, problem_paths, [output, json_path])
    say = speaker(json_path)
    trial = Trial(inputs.policy, max_steps, max_expansions)
    if inputs.generator is not None:
        cases = generated_cases(inputs.generator, trial, seed=seed, walks=walks)
    else:
        cases = given_cases(inputs.problems, trial, seed=seed, walks=walks)
    if number is None and time_limit is None:
        number = _CASES
    with progress("challenging", number) as advance:
        found, tried, undecided = find_counterexample(
            cases,
            trial,
            problems=number,
            seconds=time_limit,
            smallest=shrink,
            advance=advance,
        )
    if undecided:
        which = "it" if undecided == 1 else "they"
        failed = pluralize(undecided, "problem")
        note(f"{failed} failed, but it is not known whether {which} can be solved")
    write_json(json_path, _values(found, tried, undecided))
    if found is None:
        say(f"no counterexample in {pluralize(tried, 'problem')}")
        return
    for line in _story(found, tried, shrink):
        note(line)
    text = write_problem(found.problem)
    if output is None:
        say(text.rstrip())
    else:
        write_atomically(output, text)
        note(f"the counterexample is in {output}")
    raise typer.Exit(NO)


def _values(found: Counterexample | None, tried: int, undecided: int) -> dict[str, object]:
    """The result for programs; the problem and its plan are PDDL text."""
    values: dict[str, object] = {"tried": tried, "undecided": undecided, "counterexample": None}
    if found is not None:
        values["counterexample"] = {
            "problem": write_problem(found.problem),
            "status": found.outcome.status,
            "reason": found.outcome.reason,
            "plan": [str(action) for action in found.plan],
            "minimal": found.minimal,
        }
    return values


def _story(found: Counterexample, tried: int, shrunk: bool) -> list[str]:
    """How the counterexample came about, and what happens on it."""
    problem = found.problem
    sizes = ", ".join(
        (
            pluralize(len(problem.objects), "object"),
            pluralize(len(problem.init), "fact"),
            pluralize(len(problem.goal) + len(problem.negative_goal), "goal"),
        )
    )
    size = f"shrunk to {sizes}" if shrunk else sizes
    if shrunk and not found.minimal:
        size += " (there may be smaller ones)"
    return [
        f"problem {tried}: {found.found.origin}, {found.found.kind}: {_told(found.failure)}",
        size,
        f"the policy fails: {_reason(found.outcome)}",
        f"there is a plan of {pluralize(len(found.plan), 'step')}",
    ]


def _told(failure: Failure) -> str:
    return in_words(failure.status, failure.no_rule_applied)


def _reason(failure: Failure) -> str:
    # Where no rule applies, the reason says so, and when.
    return failure.reason if failure.no_rule_applied else f"{_told(failure)}: {failure.reason}"


@command()
def certify(
    domain_path: DomainPath,
    problem_paths: Problems = None,
    *,
    policy_path: PolicyPath,
    generator: Generator = None,
    objects: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="All problems of the generator up to N objects."),
    ] = None,
    number: Annotated[
        int | None,
        typer.Option(
            "--number",
            "-n",
            min=1,
            metavar="N",
            help=f"Stop at N; else {_ALL}, or a sample of {_CASES}.",
        ),
    ] = None,
    reachable: Annotated[
        bool, typer.Option("--reachable", help="From every state that can be reached.")
    ] = False,
    max_states: Annotated[
        int, typer.Option(min=1, metavar="N", help="At most so many states of a problem.")
    ] = 100_000,
    seed: Seed = 0,
    max_steps: MaxSteps = None,
    max_expansions: Expansions = 5_000,
    output: Annotated[
        str | None, output_option("FILE", "Write the certificate here, not to stdout (-).")
    ] = None,
    certificate_path: Annotated[
        str | None,
        typer.Option("--check", metavar="FILE", help="Only read a certificate of these files."),
    ] = None,
    json_path: Json = None,
    old_from: OldFrom = None,
    old_number: OldNumber = None,
) -> None:
    """Check a policy and write down what was checked.

    That is all small problems of a generator, given ones, or a sample.
    Exit code 0 if nothing failed and nothing was left undecided, else 1.

    \b
    Example: pg3 certify domain.pddl -p ferry.policy --generator ferry --objects 5
             pg3 certify domain.pddl small/ -p ferry.policy --reachable
             pg3 certify domain.pddl -p ferry.policy --check certificate.json
    """
    if certificate_path is not None:
        _check(certificate_path, domain_path, policy_path)
        return
    number = renamed("--problems", old_number, "--number", number)
    problem_paths = renamed("--from", old_from, "PROBLEM...", problem_paths)
    inputs = _Inputs(domain_path, policy_path, generator, problem_paths, [output, json_path])
    trial = Trial(inputs.policy, max_steps, max_expansions)
    most = number or (_CASES if objects is None else _ALL)
    if inputs.generator is None:
        if objects is not None:
            raise typer.BadParameter("--objects goes with --generator")
        subject = given(inputs.problems, inputs.sources)
    elif objects is not None:
        with progress("making all problems"):
            subject = all_of(inputs.generator, objects, most)
    else:
        subject = sample_of(inputs.generator, trial, most, seed)
    with progress("checking", len(subject.problems)) as advance:
        certificate = check(
            hashed(inputs.domain_source),
            hashed(inputs.policy_source),
            subject,
            trial,
            reachable=reachable,
            most_problems=most,
            most_states=max_states,
            advance=advance,
        )
    if json_path is not None:
        write_certificate(json_path, certificate)
    if output is not None:
        write_certificate(output, certificate)
    if output is None and json_path is None:
        print(certificate.to_json(), end="")
        note(certificate.claim)
    else:
        speaker(json_path)(certificate.claim)
    _end(certificate)


def _check(path: str, domain_path: str, policy_path: str) -> None:
    """Say what a certificate claims, if it speaks of these files."""
    certificate = read_certificate(path)
    for what, file, expected in (
        ("domain", domain_path, certificate.domain),
        ("policy", policy_path, certificate.policy),
    ):
        if hashed(read_source(file)).sha256 != expected.sha256:
            raise Pg3Error(f"{path}: is about another {what} than {file}: the hashes differ")
    print(certificate.claim)
    _end(certificate)


def _end(certificate: Certificate) -> None:
    for failure in certificate.failures[:3]:
        note(f"failed: {failure.problem}: {failure.start}: {failure.reason}")
    if not certificate.passed:
        raise typer.Exit(NO)


class _Inputs:
    """What both commands read: domain, policy, and a generator or problem files."""

    def __init__(
        self,
        domain_path: str,
        policy_path: str,
        generator: str | None,
        problem_paths: list[str] | None,
        outputs: list[str | None],
    ) -> None:
        if (generator is None) == (not problem_paths):
            raise typer.BadParameter("give problems, or --generator NAME, and not both")
        files = problem_files(problem_paths or ())
        require_outputs(outputs, [domain_path, policy_path, *files])
        self.domain_source = read_source(domain_path)
        self.domain: Domain = parse_domain(self.domain_source.data, self.domain_source.name)
        self.policy_source = read_source(policy_path)
        self.policy = read_policy(policy_path, self.domain)
        self.sources: list[Source] = [read_source(file) for file in files]
        self.problems: list[Problem] = [
            parse_problem(source.data, self.domain, source.name) for source in self.sources
        ]
        self.generator = None if generator is None else _generator(generator, self.domain)


def _generator(name: str, domain: Domain) -> BuiltInDomain:
    if name not in DOMAINS:
        hint = did_you_mean(name, DOMAINS) or f"there are {', '.join(DOMAINS)}"
        raise Pg3Error(f"--generator: there is no built-in domain '{name}': {hint}")
    if DOMAINS[name].domain != domain:
        raise Pg3Error(
            f"--generator: its problems are of another domain; this one: pg3 domains {name}"
        )
    return DOMAINS[name]
