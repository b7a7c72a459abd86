"""pytest fixtures: one control plane for a whole session, namespaces and components for each test.

`tests/api/conftest.py` and `e2e/conftest.py` import them by name. With `KUBECONFIG` set, the session uses that cluster.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Protocol

import pytest

from devcluster.cluster import Cluster
from devcluster.components import ComponentOptions, Components, catalogd, operator_controller
from devcluster.kubectl import Kubectl
from devcluster.processes import tail_of
from devcluster.registry import Registry

__all__ = [
    "ComponentFactory",
    "cluster",
    "components",
    "kubectl",
    "namespace",
    "new_cluster",
    "olm",
    "own_cluster",
    "registry",
]

_numbers = itertools.count(1)


class ComponentFactory(Protocol):
    """Makes and starts a pair of components; without options the usual ones."""

    def __call__(
        self, catalogd_options: ComponentOptions | None = None, controller_options: ComponentOptions | None = None
    ) -> Components:
        """The running pair."""
        ...


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """The cluster of this session, without OLM."""
    with Cluster.from_environment() as started:
        yield started


@pytest.fixture(scope="session")
def olm(cluster: Cluster) -> Cluster:
    """The cluster of this session with the project's CRDs and RBAC."""
    cluster.install_olm()
    return cluster


@pytest.fixture(scope="session")
def own_cluster(cluster: Cluster) -> Cluster:
    """The cluster of this session where it was started here; else the test is skipped: it reads the audit log or breaks
    programs.
    """
    if not cluster.is_own:
        pytest.skip("needs a control plane of its own: unset KUBECONFIG")
    return cluster


@pytest.fixture
def new_cluster() -> Iterator[Callable[[], Cluster]]:
    """Starts clusters that only this test uses, and may break."""
    started: list[Cluster] = []

    def start() -> Cluster:
        started.append(Cluster.start())
        return started[-1]

    yield start
    for one in started:
        one.stop()


@pytest.fixture(scope="session")
def registry(cluster: Cluster) -> Registry:
    """The registry beside the cluster of this session."""
    return cluster.registry


@pytest.fixture(scope="session")
def kubectl(cluster: Cluster) -> Kubectl:
    """`kubectl` as the administrator of the cluster of this session."""
    return cluster.kubectl


@pytest.fixture
def namespace(cluster: Cluster) -> Iterator[str]:
    """A new namespace; it is deleted after the test without waiting for its end."""
    name = f"test-{os.getpid()}-{next(_numbers)}"
    cluster.ensure_namespace(name)
    yield name
    cluster.kubectl.delete("namespace", name, wait=False)


@pytest.fixture
def components(olm: Cluster) -> Iterator[ComponentFactory]:
    """Starts pairs of this test's own, each with new folders and logs, and stops them after it.

    The ends of their logs are shown when the test failed.
    """
    started: list[Components] = []

    def start(
        catalogd_options: ComponentOptions | None = None, controller_options: ComponentOptions | None = None
    ) -> Components:
        number = next(_numbers)
        pair = Components(
            catalogd(olm, _named(catalogd_options, f"catalogd-{number}")),
            operator_controller(olm, _named(controller_options, f"operator-controller-{number}")),
        )
        started.append(pair)
        return pair.start()

    yield start
    for pair in started:
        for component in (pair.catalogd, pair.operator_controller):
            # pytest shows captured output of failed tests only
            print(f"--- end of {component.log} ---\n{tail_of(component.log, 40)}")
        pair.stop()


def _named(options: ComponentOptions | None, instance: str) -> ComponentOptions:
    chosen = options or ComponentOptions()
    return chosen if chosen.instance else replace(chosen, instance=instance)
