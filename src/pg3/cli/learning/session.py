"""`learn`: one process's work on a run, from the first candidate to the policy in its file."""

from __future__ import annotations

import time
from contextlib import ExitStack, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import pg3
from pg3.cli.app import BAD_INPUT, STDOUT, connected, note, require_outputs
from pg3.cli.learning.display import Watch, kept, shown
from pg3.cli.learning.given import Given, read_given
from pg3.cli.learning.report import Delivery, held_out_results
from pg3.cli.output.progress import with_progress
from pg3.errors import Pg3Error, pluralize
from pg3.learning.checkpoint.folder import LearningRun, Setup
from pg3.learning.evaluator import LOCAL
from pg3.learning.learner import kept_names, local_reason
from pg3.learning.learner import learn as learn_policy
from pg3.learning.log import LearningLog
from pg3.policy import DecisionList, read_policy
from pg3.storage import signals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.analysis.evaluation import EvaluationLine
    from pg3.learning.evaluator import Evaluator
    from pg3.learning.policy_search import Candidate
    from pg3.learning.result import LearningResult
    from pg3.pddl import Problem
    from pg3.policy.rule_book import RuleBook

# Seconds to try the policies found last before the best one is written.
_LAST_LOOK = 0.3


class Outputs(NamedTuple):
    """Where results go; the policy goes to stdout if no file is given."""

    policy: str | None
    json: str | None
    log: str | None = None

    def require(self, inputs: Sequence[str]) -> None:
        """Raise Pg3Error if one cannot be written or would overwrite an input or another."""
        require_outputs([self.policy or STDOUT, self.json, self.log], inputs)


def begin(
    setup: Setup,
    outputs: Outputs,
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


def resume(
    folder: str, outputs: Outputs, held_out: Sequence[str], jobs: int | None, stack: ExitStack
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
