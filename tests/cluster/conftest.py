"""Clusters for tests."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.cluster.local_cluster import Cluster

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def lonely(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler without workers."""
    with closing(Cluster(tmp_path_factory.mktemp("cluster"))) as cluster:
        yield cluster


@pytest.fixture
def cluster(lonely: Cluster) -> Cluster:
    """A scheduler and three workers."""
    lonely.add_workers(3)
    return lonely
