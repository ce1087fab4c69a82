"""`learn`: from training problems to a policy."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import pg3
from pg3.cli.app import Cluster, Json, command, extra_path, note, output_option
from pg3.cli.learning.options import with_config
from pg3.cli.learning.proving import prove_learned, write_certificate
from pg3.cli.learning.report import LearningReport, write_counterexample
from pg3.cli.learning.session import Outputs, begin, resume
from pg3.learning.checkpoint.folder import Setup
from pg3.learning.result import Status
from pg3.learning.scores import SCORES
from pg3.pddl.given import problem_files
from pg3.storage import signals
from pg3.storage.files import write_atomically

if TYPE_CHECKING:
    from pg3.cli.learning.session import Session
    from pg3.learning.config import LearnConfig
    from pg3.learning.result import LearningResult


def _folder(value: str | None) -> str | None:
    if value == "":
        raise typer.BadParameter("the name of the folder is empty")
    return value


@command()
@with_config(
    before={"rollout_steps": "cluster log_path run_folder resumed", "keep": "start"},
    texts={"score": f"Score function: {', '.join(SCORES)}."},
)
def learn(
    context: typer.Context,
    domain_path: Annotated[
        str | None, typer.Argument(metavar="DOMAIN", help="PDDL domain file.", show_default=False)
    ] = None,
    problem_paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PROBLEM",
            help="PDDL problem files, or folders of them.",
            show_default=False,
        ),
    ] = None,
    *,
    output: Annotated[
        str | None, output_option("POLICY", "Write the policy here, not to stdout (-).")
    ] = None,
    held_out_paths: Annotated[
        list[str] | None,
        typer.Option(
            "--test", metavar="PROBLEM", help="Try the policy on these files or folders, too."
        ),
    ] = None,
    json_path: Json = None,
    config: LearnConfig,
    cluster: Cluster = None,
    log_path: Annotated[
        str | None,
        typer.Option(
            "--log",
            metavar="FILE",
            callback=extra_path,
            help="Write all candidates here as JSON (-: stdout).",
        ),
    ] = None,
    run_folder: Annotated[
        str | None,
        typer.Option(
            "--run",
            metavar="DIR",
            callback=_folder,
            help="Keep log, best policy and state in this folder.",
        ),
    ] = None,
    resumed: Annotated[
        str | None,
        typer.Option(
            "--resume",
            metavar="DIR",
            callback=_folder,
            help="Go on with the run in this folder.",
        ),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option("--start", metavar="POLICY", help="Begin with this policy and repair it."),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Name of the policy, not the start's or domain's."),
    ] = None,
    challenge: Annotated[
        int,
        typer.Option(
            min=0, metavar="N", show_default=False, help="Learn N times more, from counterexamples."
        ),
    ] = 0,
    prove: Annotated[
        bool,
        typer.Option("--prove", help="Learn from counterexamples until it is proved."),
    ] = False,
) -> None:
    """Learn a policy from small problems; exit code 1 if it fails.

    \b
    Example: pg3 learn domain.pddl train/ -o ferry.policy --log ferry.jsonl
    """
    started = time.monotonic()
    held_out = problem_files(held_out_paths or ())
    outputs = Outputs(output, json_path, log_path)
    with ExitStack() as stack:
        if resumed is not None:
            _refuse_other_arguments(context)
            jobs = config.jobs if _given(context, "jobs") else None
            session = resume(resumed, outputs, held_out, jobs, stack)
        else:
            if domain_path is None or not problem_paths:
                raise typer.BadParameter("DOMAIN and PROBLEM are missing", ctx=context)
            if run_folder is not None and log_path is not None:
                raise typer.BadParameter("--log: the log of a run is in its folder")
            if config.keep and start is None:
                raise typer.BadParameter("--keep: there is no policy to keep rules of: --start")
            if option := next((name for name in config.keep if name.startswith("-")), None):
                text = f"--keep needs the name of a rule, or all, before {option}"
                raise typer.BadParameter(text)
            if (challenge or prove) and (run_folder is not None or log_path is not None):
                what = "--challenge" if challenge else "--prove"
                raise typer.BadParameter(f"{what} goes without --run and --log")
            setup = Setup(
                pg3=pg3.__version__,
                domain=domain_path,
                problems=tuple(problem_files(problem_paths)),
                name=name,
                output=None if output is None else str(Path(output).absolute()),
                config=config,
                start=start,
            )
            session = begin(setup, outputs, held_out, run_folder, stack)
        session.cluster = cluster
        last = not challenge and not prove and not held_out
        result = session.finished() or session.learn(stack, started, last=last)
        session, result = _challenged(session, result, challenge, stack, started)
        proof = None
        if prove:
            session, result, proof = prove_learned(session, result, stack, started)
        tests = session.tested(result.policy, held_out) if held_out else None
    signals.finish()
    session.deliver(result.policy)
    report = LearningReport(
        result=replace(result, policy=replace(result.policy, name=session.deliver.name)),
        domain=session.domain,
        domain_path=session.setup.domain,
        paths=session.setup.problems,
        output=session.deliver.output,
        counterexample=write_counterexample(
            result, session.deliver.output, (*session.inputs, *held_out)
        ),
        tests=tests,
        start=session.start,
        proof=proof,
        certificate=write_certificate(proof, domain_path, session.deliver.output),
    )
    report.say()
    if json_path is not None:
        write_atomically(json_path, report.to_json())
    if report.code:
        raise typer.Exit(report.code)


def _challenged(
    session: Session, result: LearningResult, times: int, stack: ExitStack, started: float
) -> tuple[Session, LearningResult]:
    """What learning comes to that goes on from counterexamples, so many times at most."""
    for _ in range(times):
        harder = session.challenge(result, started)
        if harder is None:
            break
        again = harder.learn(stack, started, last=False)
        if not again.solved or (
            result.status is Status.PASSED and again.status is not Status.PASSED
        ):
            note("challenged: that was not learned; the policy of before is kept")
            break
        session, result = harder, again
        signals.on_signal(session.interrupted)
    return session, result


def _refuse_other_arguments(context: typer.Context) -> None:
    allowed = ("resumed", "output", "json_path", "held_out_paths", "jobs", "cluster")
    if any(_given(context, name) for name in context.params if name not in allowed):
        raise typer.BadParameter(
            "--resume takes everything from the run, but for -o, --json, --test, --jobs and "
            "--cluster",
            ctx=context,
        )


def _given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
