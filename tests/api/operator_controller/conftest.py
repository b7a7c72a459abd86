"""One operator-controller for the tests of revisions, and the words in which they speak of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from devcluster.cluster import Cluster
from devcluster.components import Component, ComponentOptions, operator_controller
from devcluster.processes import tail_of
from devcluster.waiting import wait_for
from e2e.world import condition

_numbers = itertools.count(1)
_PREFIX = "olm.operatorframework.io"


@pytest.fixture(scope="module")
def controller(olm: Cluster) -> Iterator[Component]:
    """A running controller of this module."""
    component = operator_controller(olm, ComponentOptions(instance=f"controller-of-sets-{next(_numbers)}"))
    component.start().wait_ready()
    yield component
    print(f"--- end of {component.log} ---\n{tail_of(component.log, 40)}")
    component.stop()


class Sets:
    """Hand-made ClusterObjectSets of one namespace, applied as an account of it."""

    def __init__(self, cluster: Cluster, namespace: str) -> None:
        self.cluster = cluster
        self.kubectl = cluster.kubectl
        self.namespace = namespace
        self.owner = f"by-hand-{next(_numbers)}"
        self.kubectl.apply(
            {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "installer", "namespace": namespace}}
        )

    def grant(self) -> None:
        """Let the account manage what the tests use."""
        resources = "--resource=configmaps,services,secrets,deployments.apps"
        self.kubectl.run("create", "role", "installer", "-n", self.namespace, "--verb=*", resources)
        account = f"--serviceaccount={self.namespace}:installer"
        self.kubectl.run("create", "rolebinding", "installer", "-n", self.namespace, "--role=installer", account)

    def revoke(self) -> None:
        """Take the rights away again."""
        self.kubectl.delete("rolebinding", "installer", self.namespace)

    def config_map(self, name: str, **data: str) -> dict[str, Any]:
        """A ConfigMap of the namespace."""
        return {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": name, "namespace": self.namespace},
            "data": data or {"a": "b"},
        }

    def apply(self, number: int, *phases: list[dict[str, Any]], **spec: Any) -> str:
        """Apply set `number` with these phases of inline objects; its name."""
        name = f"{self.owner}-{number}"
        annotations = spec.pop("annotations", None)
        listed = [
            {"name": f"phase-{index}", "objects": [{"object": item} for item in objects]}
            for index, objects in enumerate(phases)
        ]
        self.kubectl.apply(
            {
                "apiVersion": f"{_PREFIX}/v1",
                "kind": "ClusterObjectSet",
                "metadata": {
                    "name": name,
                    "labels": {f"{_PREFIX}/owner-name": self.owner},
                    "annotations": self.account_annotations() if annotations is None else annotations,
                },
                "spec": {
                    "lifecycleState": "Active",
                    "revision": number,
                    "collisionProtection": "Prevent",
                    "phases": listed,
                    **spec,
                },
            }
        )
        return name

    def account_annotations(self) -> dict[str, str]:
        """What names the account."""
        return {
            f"{_PREFIX}/service-account-namespace": self.namespace,
            f"{_PREFIX}/service-account-name": "installer",
            f"{_PREFIX}/bundle-version": "1.0.0",
        }

    def wait(self, name: str, type_: str, *, timeout_s: float = 20, **wanted: str) -> dict[str, Any]:
        """Wait until a condition of the set has these fields; the condition."""

        def found() -> dict[str, Any] | None:
            state = condition(self.kubectl.get("clusterobjectset", name), type_)
            is_there = bool(state) and all(state.get(key) == value for key, value in wanted.items())
            return dict(state) if is_there else None

        try:
            return wait_for(found, f"{type_} of {name} to be {wanted}", timeout_s=timeout_s)
        except Exception as error:
            raise AssertionError(f"{error}\nfound {self.kubectl.get('clusterobjectset', name)}") from error

    def wait_succeeded(self, name: str) -> None:
        """Wait until the set has rolled out."""
        self.wait(name, "Progressing", reason="Succeeded")

    def data(self, name: str) -> dict[str, str] | None:
        """The data of a ConfigMap, or `None` when it is not there."""
        found = self.kubectl.get("configmap", name, self.namespace)
        return None if found is None else found["data"]

    def clean(self) -> None:
        """Delete every set of this owner."""
        selector = f"{_PREFIX}/owner-name={self.owner}"
        self.kubectl.run("delete", "clusterobjectset", "-l", selector, "--timeout=150s")


@pytest.fixture
def sets(controller: Component, olm: Cluster, namespace: str) -> Iterator[Sets]:
    """Sets of this test, gone after it."""
    made = Sets(olm, namespace)
    yield made
    made.clean()


@pytest.fixture
def eventually() -> Callable[..., Any]:
    """Waits for a condition with a deadline."""
    return wait_for
