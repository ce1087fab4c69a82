"""`learn`: from training problems to a policy."""

from __future__ import annotations

import time
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

import pg3
from pg3.cli.app import (
    BAD_INPUT,
    STDOUT,
    Cluster,
    Json,
    command,
    connected,
    extra_path,
    note,
    output_option,
    require_outputs,
)
from pg3.cli.learning.display import Watch, kept, shown
from pg3.cli.learning.given import Given, read_given
from pg3.cli.learning.options import with_config
from pg3.cli.learning.proving import prove_learned, write_certificate
from pg3.cli.learning.report import (
    Delivery,
    LearningReport,
    held_out_results,
    write_counterexample,
)
from pg3.cli.output.progress import with_progress
from pg3.errors import Pg3Error, pluralize
from pg3.learning.checkpoint.folder import LearningRun, Setup
from pg3.learning.evaluator import LOCAL
from pg3.learning.learner import kept_names, local_reason
from pg3.learning.learner import learn as learn_policy
from pg3.learning.log import LearningLog
from pg3.learning.result import Status
from pg3.learning.scores import SCORES
from pg3.pddl.given import problem_files
from pg3.policy import DecisionList, read_policy
from pg3.storage import signals
from pg3.storage.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.analysis.evaluation import EvaluationLine
    from pg3.learning.config import LearnConfig
    from pg3.learning.evaluator import Evaluator
    from pg3.learning.policy_search import Candidate
    from pg3.learning.result import LearningResult
    from pg3.pddl import Problem
    from pg3.policy.rule_book import RuleBook


# Seconds to try the policies found last before the best one is written.
_LAST_LOOK = 0.3


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
    outputs = _Outputs(output, json_path, log_path)
    with ExitStack() as stack:
        if resumed is not None:
            _refuse_other_arguments(context)
            jobs = config.jobs if _given(context, "jobs") else None
            session = _going_on(resumed, outputs, held_out, jobs, stack)
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
            session = _anew(setup, outputs, held_out, run_folder, stack)
        session.cluster = cluster
        last = not challenge and not prove and not held_out
        result = session.finished() or session.learn(stack, started, last=last)
        for _ in range(challenge):
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


class _Outputs(NamedTuple):
    """Where results go; the policy goes to stdout if no file is given."""

    policy: str | None
    json: str | None
    log: str | None = None

    def require(self, inputs: Sequence[str]) -> None:
        """Raise Pg3Error if one cannot be written or would overwrite an input or another."""
        require_outputs([self.policy or STDOUT, self.json, self.log], inputs)


def _anew(
    setup: Setup,
    outputs: _Outputs,
    held_out: Sequence[str],
    folder: str | None,
    stack: ExitStack,
) -> Session:
    """The session that begins a run, in a folder if there is one."""
    inputs = [setup.domain, *setup.problems]
    outputs.require([*inputs, *([] if setup.start is None else [setup.start]), *held_out])
    given = read_given(inputs, setup.start, held_out)
    # Before there is a folder that could only be thrown away.
    kept_names(given.start, setup.config.keep)
    session = Session(setup, given, outputs.policy, outputs.log, inputs)
    # The folder is there before any message mentions it.
    with signals.steady:
        if folder is not None:
            session.run = stack.enter_context(LearningRun.create(folder, setup, given.texts))
        signals.on_signal(session.interrupted)
    return session


def _going_on(
    folder: str, outputs: _Outputs, held_out: Sequence[str], jobs: int | None, stack: ExitStack
) -> Session:
    """The session that goes on with the run in a folder."""
    # A signal that comes meanwhile waits until there is a policy to write.
    with signals.steady:
        run = stack.enter_context(LearningRun.resume(folder, pg3.__version__))
        setup = run.setup
        if jobs is not None:
            setup = replace(setup, config=replace(setup.config, jobs=jobs))
        outputs = outputs._replace(policy=outputs.policy or setup.output)
        inputs = [str(path) for path in (run.domain_file, *run.problem_files)]
        outputs.require([*inputs, *held_out])
        given = read_given(inputs, run.start_file, held_out)
        # Beside the policy, nothing is written over the files that the run began with.
        session = Session(setup, given, outputs.policy, None, (*inputs, *setup.problems))
        session.run = run
        with suppress(Pg3Error):
            session.before = read_policy(run.best_file, session.domain)
        signals.on_signal(session.interrupted)
    return session


class Session:
    """One process's work on a run: it learns, shows that, and hands over what there is."""

    def __init__(
        self,
        setup: Setup,
        given: Given,
        output: str | None,
        log_path: str | None = None,
        inputs: Sequence[str] = (),
    ) -> None:
        self.setup = setup
        self.inputs = inputs
        self._given = given
        self.domain = domain = given.domain
        self.problems = given.problems
        self.start = given.start
        own = domain.name if given.start is None else given.start.name
        self.deliver = Delivery(domain, own if setup.name is None else setup.name, output)
        self.run: LearningRun | None = None
        self.cluster: str | None = None
        self.watch = Watch(given.problems, setup.config.time_limit)
        # The best policy of the run before it was interrupted.
        self.before: DecisionList | None = None
        self._log_path = log_path
        self._result: LearningResult | None = None
        # What is done with the result before it is written, for messages.
        self.doing = "challenged"
        self._stack = ExitStack()

    def finished(self) -> LearningResult | None:
        """The result of a run that has one already."""
        result = None if self.run is None else self.run.result(self.domain)
        if self.run is not None and result is not None:
            note(f"{self.run.folder}: the run is finished; this is its result")
            self._result = result
        return result

    def tested(self, policy: DecisionList, held_out: Sequence[str]) -> list[EvaluationLine]:
        """What the policy does on held-out problems."""
        self.doing = "tested"
        return held_out_results(held_out, self.domain, policy, self.setup.config.jobs)

    def learn(self, stack: ExitStack, started: float, *, last: bool) -> LearningResult:
        """The result; if this is the `last` learning, no signal comes between from then on."""
        run, watch, self._stack = self.run, self.watch, stack
        log = journal = None
        try:
            evaluator = self._evaluator(stack)
            if run is not None:
                log, journal = run.open_log(), run.open_journal()
                if journal.is_replaying:
                    note(f"{run.folder}: goes on after {journal.total:.1f} s of learning")
                if self.before is not None:
                    watch.consider(self.before)
            elif self._log_path is not None:
                log = stack.enter_context(LearningLog(self._log_path, self.setup.header))
            with shown(watch), kept(watch, self._keep) as check:

                def observe(method: str, candidate: Candidate, book: RuleBook) -> None:
                    check()
                    watch.observe(method, candidate, book)
                    if log is not None:
                        log.observe(method, candidate, book)

                result = learn_policy(
                    self.domain,
                    self.problems,
                    # The limit is about the whole command: reading, too.
                    replace(self.setup.config, time_limit=self.left(started)),
                    start=self.start,
                    observe=observe,
                    observe_round=watch.observe_round,
                    journal=journal,
                    evaluator=evaluator,
                )
            if last:
                signals.finish()
            with signals.steady:
                if run is not None:
                    run.keep_best(self.deliver.text(result.policy))
                if log is not None:
                    log.finish(result)
                stack.close()
                self._result = result
        except Pg3Error:
            signals.finish()
            # A full disk, say. What was learned so far is worth something all the same.
            if watch.candidates:
                with suppress(Pg3Error):
                    self._unfinished("stopped")
            raise
        return result

    def left(self, started: float) -> float | None:
        """The seconds that are left of the command's limit."""
        seconds = self.setup.config.time_limit
        return None if seconds is None else max(0.0, seconds - (time.monotonic() - started))

    def _evaluator(self, stack: ExitStack) -> Evaluator:
        """Who tries out the candidates: this machine, or a cluster if there is one."""
        if self.cluster is None:
            return LOCAL
        if (why := local_reason(self.domain, self.problems, self.start)) is not None:
            note(f"learning runs on this machine, not on the cluster: {why}")
            return LOCAL
        pool = connected(self.cluster)
        assert pool is not None
        from pg3.backends.scoring import PoolEvaluator  # noqa: PLC0415

        return PoolEvaluator(stack.enter_context(pool))

    def interrupted(self, code: int) -> int:
        """What Ctrl-C and SIGTERM lead to (`signals.on_signal`): the best policy there is."""
        try:
            if self._result is not None:
                self.deliver(self._result.policy)
                note(f"interrupted: the policy was still being {self.doing}")
            else:
                # The reader of the message may have gone.
                try:
                    self._unfinished("interrupted")
                finally:
                    self._stack.close()
        except Pg3Error as error:
            note(str(error))
            return BAD_INPUT
        return code

    def challenge(self, result: LearningResult, started: float) -> Session | None:
        """The session that learns from a problem more, one that the policy fails, if any is found.

        A policy that fails its training problems needs no others.
        """
        # Only now: most learning goes without.
        from pg3.analysis.challenge.feedback import challenge_learned  # noqa: PLC0415

        if not result.solved:
            return None
        seconds = self.left(started)
        policy, problems, seed = result.policy, self.problems, self.setup.config.seed
        found = with_progress(
            "challenging", lambda: challenge_learned(policy, problems, seed, seconds)
        )
        if found is None or found.problem in problems:
            what = "no counterexample found" if found is None else "nothing is learned from it"
            note(f"challenged: {what}")
            return None
        note(
            f"challenged: learns again from counterexample {found.problem.name}: "
            f"{found.outcome.reason}"
        )
        return self.with_problems([found.problem])

    def with_problems(self, more: Sequence[Problem]) -> Session:
        """The session that learns from counterexamples, too."""
        names = (f"counterexample {problem.name}" for problem in more)
        setup = replace(self.setup, problems=(*self.setup.problems, *names))
        given = self._given._replace(problems=[*self.problems, *more])
        session = Session(setup, given, self.deliver.output, inputs=self.inputs)
        session.cluster = self.cluster
        return session

    def _keep(self, policy: DecisionList) -> None:
        if self.run is not None:
            # An interrupt writes the policy that was kept last.
            with signals.steady:
                self.run.keep_best(self.deliver.text(policy))

    def _unfinished(self, what: str) -> None:
        """Hand over the best policy of a search that has been cut off, and say so."""
        best = self.watch.best(_LAST_LOOK)
        if best is None and self.before is not None:
            self.deliver(self.before)
            note(f"{what} before the first candidate: this is the best policy of before")
        elif best is None:
            note(f"{what} before the first candidate: nothing is written")
        else:
            with suppress(Pg3Error):
                self._keep(best.policy)
            # Ctrl-C ends the reader of a pipe as well.
            with suppress(BrokenPipeError):
                self.deliver(best.policy)
            where = "" if self.deliver.output is None else f"; it is in {self.deliver.output}"
            note(
                f"{what}: the best policy of {pluralize(self.watch.candidates, 'candidate')} "
                f"solves {best.text()} {self.watch.tried_on}{where}"
            )
        if self.run is not None:
            note(f"go on with: pg3 learn --resume {self.run.folder}")


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
