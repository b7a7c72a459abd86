"""A gate lets so many writes through and no more; reads, watches and dry-runs always."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from devcluster.cluster import SYSTEM_NAMESPACE, Cluster
from devcluster.kubectl import Kubectl
from devcluster.waiting import wait_for
from devcluster.write_gate import WriteGate

ACCOUNT = "operator-controller-controller-manager"


@pytest.fixture
def gate(own_cluster: Cluster, olm: Cluster) -> Iterator[WriteGate]:
    made = WriteGate(own_cluster)
    yield made
    made.stop()


@pytest.fixture
def gated(gate: WriteGate, olm: Cluster) -> Kubectl:
    """The controller's own `kubectl`, behind the gate."""
    return Kubectl(gate.kubeconfig_for(ACCOUNT), olm.state_dir / "kubectl-cache")


def create(gated: Kubectl, name: str, *options: str) -> bool:
    arguments = ("create", "secret", "generic", name, "-n", SYSTEM_NAMESPACE, *options)
    return gated.attempt(*arguments).returncode == 0


def test_gate_closes_after_so_many_writes_and_lets_them_through_later(
    gate: WriteGate, gated: Kubectl, olm: Cluster
) -> None:
    gate.watch_for("gated-", close_after=2)
    assert create(gated, "gated-0", "--dry-run=server")
    assert create(gated, "gated-1")
    assert create(gated, "other")
    assert not gate.is_closed
    assert create(gated, "gated-2")
    assert gate.is_closed
    late = threading.Thread(target=create, args=(gated, "gated-3"))
    late.start()
    assert create(gated, "another")
    assert [gated.get("secret", name, SYSTEM_NAMESPACE) is None for name in ("gated-2", "gated-3")] == [False, True]
    assert [str(write) for write in gate.seen] == [f"POST /api/v1/namespaces/{SYSTEM_NAMESPACE}/secrets"] * 2
    gate.open()
    late.join(30)
    wait_for(lambda: olm.kubectl.get("secret", "gated-3", SYSTEM_NAMESPACE), "the write that waited")
    assert (gate.seen, gate.is_closed) == ((), False)
    for name in ("gated-1", "gated-2", "gated-3", "other", "another"):
        olm.kubectl.delete("secret", name, SYSTEM_NAMESPACE)


def test_write_of_a_client_that_was_killed_never_arrives(gate: WriteGate, gated: Kubectl, olm: Cluster) -> None:
    gate.watch_for("killed-", close_after=1)
    assert create(gated, "killed-1")
    with pytest.raises(Exception, match="took longer than"):
        gated.attempt("create", "secret", "generic", "killed-2", "-n", SYSTEM_NAMESPACE, timeout_s=3)
    gate.open()
    assert create(gated, "afterwards")
    assert olm.kubectl.get("secret", "killed-2", SYSTEM_NAMESPACE) is None
    for name in ("killed-1", "afterwards"):
        olm.kubectl.delete("secret", name, SYSTEM_NAMESPACE)
