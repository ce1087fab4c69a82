"""The pool of a Dask scheduler, to which workers were added with the tools of the cluster at hand.

Dask moves function references by pickle, as it does everywhere; what pg3 gives to it are strings,
and functions that the workers import by their names.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
import time
from concurrent.futures import CancelledError, Future
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pg3.backends.pool import LostTaskError
from pg3.backends.tasks import other_version, version
from pg3.errors import Pg3Error

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Executor

# Seconds to find a scheduler: long for a network, short for somebody who waits.
_CONNECT = 5.0

# Seconds between looks at which workers there are.
_LOOK = 2.0

_SCHEMES = "tcp", "tls"
_DEFAULT_PORT = 8786


class DaskPool:
    """A connection to a scheduler. A context manager.

    Pg3Error if there is none at the address, or if a worker has another version of pg3.
    """

    def __init__(self, address: str) -> None:
        if find_spec("distributed") is None:
            raise Pg3Error('a cluster needs Dask: pip install "pg3[cluster]"')
        self.address = _reachable(address)
        # Only now: it takes seconds to import.
        import distributed  # noqa: PLC0415

        # What it logs is about its own affairs; what concerns the user is raised.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        self._client: Any = _connected(self.address, distributed.Client)
        self._killed: type[Exception] = distributed.KilledWorker
        self._executors: dict[str | None, Executor] = {}
        self._threads: list[str] = []
        self._looked = -_LOOK
        try:
            self._require_version()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> DaskPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the cluster; what is being worked on there is given up."""
        with contextlib.suppress(Exception):
            # Who was interrupted does not want to wait.
            self._client.close(timeout=0.5)

    @property
    def workers(self) -> int:
        """How many workers there are at the moment."""
        return len(set(self._look()))

    @property
    def places(self) -> int:
        """The threads of all workers, as they are at the moment; 1 if there are no workers yet."""
        return max(1, len(self._look()))

    def executor(self, place: int | None = None) -> Executor:
        """The executor of a worker's thread; of any worker if there is no preference.

        Pg3Error if the scheduler is lost for good.
        """
        if self._client.status in ("closing", "closed"):
            raise self._lost()
        threads = [] if place is None else self._look()
        worker = threads[place % len(threads)] if place is not None and threads else None
        known = self._executors.get(worker)
        if known is None:
            options = {} if worker is None else {"workers": [worker], "allow_other_workers": True}
            known = self._client.get_executor(pure=False, **options)
            self._executors[worker] = known
        return known

    def value(self, future: Future[str], timeout: float | None = None) -> str:
        """What a task came to; see `Pool`."""
        try:
            return future.result(timeout)
        except self._killed as error:
            attempts = getattr(error, "allowed_failures", 0) + 1
            raise LostTaskError(f"the worker was lost, {attempts} times in a row") from None
        except CancelledError:
            raise self._lost() from None

    def _lost(self) -> Pg3Error:
        return Pg3Error(f"{self.address}: the connection to the scheduler is lost")

    def _look(self) -> Sequence[str]:
        """For each thread of a worker its address, worker after worker where there are several."""
        if time.monotonic() - self._looked >= _LOOK:
            try:
                threads: dict[str, int] = self._client.nthreads()
            except (Exception, asyncio.CancelledError):
                # Lost for a moment or for good: who waits for a task will know.
                return self._threads
            rounds = range(max(threads.values(), default=0))
            self._threads = [w for i in rounds for w in sorted(threads) if threads[w] > i]
            self._looked = time.monotonic()
        return self._threads

    def _require_version(self) -> None:
        """Raise Pg3Error unless all that are there have this pg3; Dask wants it at the scheduler.

        A worker that comes later looks for itself (`tasks.answering`).
        """
        try:
            answers = {"scheduler": self._client.run_on_scheduler(version)}
        except Exception as error:
            answers = {"scheduler": error}
        workers: dict[str, Any] = self._client.run(version, on_error="return")
        answers |= {f"worker {address}": answer for address, answer in workers.items()}
        for who, answer in sorted(answers.items()):
            if isinstance(answer, OSError):
                continue  # It is gone.
            if not isinstance(answer, str):
                reason = _first_line(answer)
                raise Pg3Error(f"{self.address}: the {who} cannot import pg3: {reason}")
            if answer != version():
                raise Pg3Error(f"{self.address}: {other_version(answer, version())}")


def _reachable(address: str) -> str:
    """The address in full, where something listens; Pg3Error if nothing does.

    Dask would try again and again until its time is up, and not say what is wrong.
    """
    try:
        parts = urlsplit(address if "://" in address else f"tcp://{address}")
        host, port = parts.hostname, parts.port or _DEFAULT_PORT
        if not host or parts.scheme not in _SCHEMES or parts.path or parts.query or parts.username:
            raise ValueError
    except ValueError:
        raise Pg3Error(
            f"'{address}' is no address of a Dask scheduler: tcp://HOST:{_DEFAULT_PORT} is the form"
        ) from None
    full = f"{parts.scheme}://{f'[{host}]' if ':' in host else host}:{port}"
    try:
        socket.create_connection((host, port), timeout=_CONNECT).close()
    except (OSError, UnicodeError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise Pg3Error(f"{full}: no Dask scheduler answers: {reason}") from None
    return full


def _connected(address: str, connect: Callable[..., Any]) -> Any:
    """A client of the scheduler; Pg3Error if what listens there is none.

    In a thread that may be left behind: Dask waits for ever for the first word of a server that
    says nothing.
    """
    client: Future[Any] = Future()

    def run() -> None:
        try:
            client.set_result(connect(address, timeout=_CONNECT, set_as_default=False))
        except Exception as error:
            client.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    try:
        return client.result(2 * _CONNECT)
    except TimeoutError:
        reason = "something else listens there"
    except Exception as error:
        reason = _first_line(error)
    raise Pg3Error(f"{address}: no Dask scheduler answers: {reason}")


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
