"""`pg3.learn` in a notebook: where the search stands, drawn anew below the cell while it goes on.

Rich draws live in a notebook only where ipywidgets is installed; IPython itself can replace what a
cell shows, and that is enough here.
"""

from __future__ import annotations

import contextvars
import sys
import threading
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any

from pg3.cli.learning.display import Watch, drawn_parts
from pg3.cli.output.values import Drawing
from pg3.learning import learner
from pg3.learning.config import LearnConfig, configured
from pg3.pddl.given import as_domain, read_problems

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pg3.learning.result import LearningResult
    from pg3.pddl.given import DomainLike, ProblemsLike

# Seconds between two drawings; work that takes less is not shown.
_PAUSE = 1.0


@wraps(learner.learn)
def learn(
    domain: DomainLike, problems: ProblemsLike, config: LearnConfig | None = None, **rest: Any
) -> LearningResult:
    """`learning.learner.learn`, which is watched unless the caller does so."""
    if "observe" in rest or "observe_round" in rest:
        return learner.learn(domain, problems, config, **rest)
    domain = as_domain(domain)
    problems = read_problems(problems, domain)
    options = {k: v for k, v in rest.items() if k in LearnConfig.__dataclass_fields__}
    watch = Watch(problems, configured(config, options).time_limit)
    with shown(watch):
        return learner.learn(
            domain,
            problems,
            config,
            observe=watch.observe,
            observe_round=watch.observe_round,
            **rest,
        )


@contextmanager
def shown(watch: Watch) -> Iterator[None]:
    """Show what is being watched below the cell that runs; nothing of it stays."""
    over = threading.Event()

    def work() -> None:
        handle = None
        while not over.wait(_PAUSE):
            line, *parts = drawn_parts(watch)
            drawing = Drawing("", str(line), *parts)
            if handle is None:
                handle = sys.modules["IPython"].display.display(drawing, display_id=True)
            else:
                handle.update(drawing)
        if handle is not None:
            handle.update({"text/plain": ""}, raw=True)

    # The kernel knows by the context to which cell an output belongs.
    context = contextvars.copy_context()
    thread = threading.Thread(target=context.run, args=(work,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
