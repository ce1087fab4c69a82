"""`--cluster ADDRESS`: what is wrong with an address or with a worker is said at once."""

from __future__ import annotations

import re
import socket
import sys
from typing import TYPE_CHECKING

import pytest

from pg3.backends.dask_pool import DaskPool
from pg3.backends.tasks import answered, answering, request
from pg3.errors import Pg3Error
from tests.cluster.local_cluster import pg3
from tests.support.waiting import PATIENCE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cluster.local_cluster import Cluster

RUNS = ("--domains", "ferry", "--methods", "random", "--seeds", "0")


def experiment(folder: Path, address: str) -> tuple[int, str]:
    result = pg3("experiment", "-o", folder / "results", *RUNS, "--cluster", address)
    return result.returncode, result.stderr


def test_nothing_listens(tmp_path: Path) -> None:
    with socket.socket() as taken:
        # Bound but not listening: nobody else gets the port, and nobody answers.
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        code, stderr = experiment(tmp_path, address)
    assert code == 2
    assert stderr == f"tcp://{address}: no Dask scheduler answers: connection refused\n"


@pytest.mark.filterwarnings("ignore")
def test_something_else_listens(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        code, stderr = experiment(tmp_path, address)
    assert code == 2
    assert re.fullmatch(rf"{address}: no Dask scheduler answers: .*\n", stderr)


@pytest.mark.parametrize(
    "address", ["", "tcp://", "http://127.0.0.1:8786", "127.0.0.1:99999", "a b:1", "tcp://x/y"]
)
def test_no_address(address: str) -> None:
    with pytest.raises(Pg3Error, match=r"tcp://HOST:8786 is the form|no Dask scheduler answers"):
        DaskPool(address)


def test_another_version_on_a_worker(lonely: Cluster, tmp_path: Path) -> None:
    """A worker whose pg3 says that it is an other one."""
    (tmp_path / "sitecustomize.py").write_text("import pg3\npg3.__version__ = '0.0.9'\n")
    lonely.add_workers(1, PYTHONPATH=str(tmp_path))
    code, stderr = experiment(tmp_path, lonely.address)
    assert code == 2
    assert stderr.splitlines()[-1].startswith(
        f"{lonely.address}: the cluster has pg3 0.0.9, this is "
    )
    assert not (tmp_path / "results" / "results.jsonl").read_bytes()


def test_a_worker_without_pg3(lonely: Cluster, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['pg3'] = None\n")
    lonely.add_workers(1, PYTHONPATH=str(tmp_path))
    code, stderr = experiment(tmp_path, lonely.address)
    assert code == 2
    assert re.search(r"the worker tcp://127\.0\.0\.1:\d+ cannot import pg3: ", stderr)


def test_a_worker_that_joins_later_looks_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    message = request(question=1)
    assert answered(answering(message, lambda fields: fields)) == {"question": 1}
    monkeypatch.setattr(sys.modules["pg3"], "__version__", "0.0.9")
    with pytest.raises(Pg3Error, match=r"has pg3 0\.0\.9"):
        answered(answering(message, lambda fields: fields))


def test_work_waits_for_workers(lonely: Cluster, tmp_path: Path) -> None:
    with DaskPool(lonely.address) as pool:
        assert (pool.workers, pool.places) == (0, 1)
        future = pool.executor(0).submit(request, question=1)
        lonely.add_workers(1)
        assert '"question":1' in pool.value(future, PATIENCE)
