"""What all tasks on a worker have in common."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pg3
from pg3.errors import Pg3Error

if TYPE_CHECKING:
    from collections.abc import Callable

_VERSION, _REFUSAL = "pg3", "refused"


def version() -> str:
    """The version of pg3 in this process."""
    return pg3.__version__


def request(**fields: Any) -> str:
    """A message to a worker."""
    return json.dumps({_VERSION: version(), **fields}, separators=(",", ":"))


def answering(message: str, answer: Callable[[dict[str, Any]], dict[str, Any]]) -> str:
    """The answer to a message, or a refusal if it comes from another version of pg3.

    Workers can join a cluster at any time, so that each of them has to look for itself.
    """
    fields = json.loads(message)
    theirs = fields.pop(_VERSION)
    if theirs != version():
        return json.dumps({_REFUSAL: other_version(version(), theirs)})
    return json.dumps(answer(fields), separators=(",", ":"))


def other_version(theirs: str, ours: str) -> str:
    """Why a cluster is of no use."""
    return f"the cluster has pg3 {theirs}, this is {ours}: results might not be the same"


def answered(text: str) -> dict[str, Any]:
    """What a worker answered; Pg3Error if it refused."""
    fields: dict[str, Any] = json.loads(text)
    if _REFUSAL in fields:
        raise Pg3Error(fields[_REFUSAL])
    return fields


def still_wanted() -> Callable[[], bool]:
    """For the task of this thread: whether somebody waits for its result.

    Dask lets a task that was cancelled run on to its end, and so it does if the client is gone.
    """
    # Where there is no Dask, this is no worker of a cluster.
    distributed = sys.modules.get("distributed")
    if distributed is None:
        return lambda: True
    try:
        worker = distributed.get_worker()
    except ValueError:
        return lambda: True
    key = worker.get_current_task()

    def wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state != "cancelled"

    return wanted
