"""Components as real processes: what they are started with, and how they are watched, killed and started again.

The process is a small real program here; the components themselves are the subject of the other tests.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from devcluster.cluster import Cluster
from devcluster.components import Component, ComponentOptions, catalogd, operator_controller
from devcluster.errors import DevClusterError
from devcluster.kubectl import Kubectl

PROGRAM = """
import http.server, sys
flags = dict(argument.removeprefix("--").split("=", 1) for argument in sys.argv[1:])
print("begun with", sorted(flags), flush=True)
if "fail" in flags:
    sys.exit(flags["fail"])
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/readyz" else 404)
        self.end_headers()
    def log_message(self, *_):
        pass
host, port = flags["health-probe-bind-address"].split(":")
http.server.HTTPServer((host, int(port)), Handler).serve_forever()
"""


@pytest.fixture
def options(tmp_path: Path) -> ComponentOptions:
    (tmp_path / "parrot.py").write_text(PROGRAM)
    return ComponentOptions(instance=f"parrot-{tmp_path.name}", env={"PYTHONPATH": str(tmp_path)})


@pytest.fixture
def parrot(cluster: Cluster, options: ComponentOptions) -> Iterator[Component]:
    address = f"127.0.0.1:{cluster.workspace.ports.reserve()}"
    component = Component(cluster, "parrot", {"health-probe-bind-address": address, "left-out": None}, options)
    yield component
    if component.is_running:
        component.kill()


def test_component_starts_again_after_a_kill_with_the_same_flags_and_log(parrot: Component) -> None:
    parrot.start().wait_ready()
    first = parrot.pid
    parrot.restart(signal.SIGKILL)
    assert parrot.is_ready()
    assert parrot.pid != first
    assert parrot.log_text() == "begun with ['health-probe-bind-address']\n" * 2


def test_component_tells_how_it_ended(parrot: Component) -> None:
    parrot.start().wait_ready()
    assert parrot.stop() == -signal.SIGTERM
    assert (parrot.is_running, parrot.is_ready()) == (False, False)


def test_component_cannot_be_started_twice(parrot: Component) -> None:
    parrot.start()
    with pytest.raises(DevClusterError, match=rf"^{parrot.name} runs already as process {parrot.pid}$"):
        parrot.start()


def test_wait_ready_shows_the_log_when_the_component_ends(cluster: Cluster, options: ComponentOptions) -> None:
    flags = {"fail": "the flag --fail was given", "health-probe-bind-address": "127.0.0.1:1"}
    component = Component(cluster, "parrot", flags, options).start()
    with pytest.raises(DevClusterError) as caught:
        component.wait_ready()
    assert str(caught.value) == (
        f"{component.name} ended with code 1 while waiting for {component.name} to be ready\n"
        f"--- end of {component.log} ---\n"
        "begun with ['fail', 'health-probe-bind-address']\nthe flag --fail was given"
    )


@pytest.mark.parametrize(
    ("factory", "account"),
    [
        pytest.param(catalogd, "catalogd-controller-manager", id="catalogd"),
        pytest.param(operator_controller, "operator-controller-controller-manager", id="operator-controller"),
    ],
)
def test_components_act_as_their_service_accounts(
    olm: Cluster, factory: Callable[[Cluster], Component], account: str
) -> None:
    kubeconfig = factory(olm).flags["kubeconfig"]
    assert kubeconfig is not None
    kubectl = Kubectl(Path(kubeconfig), olm.state_dir / "kubectl-cache")
    user = kubectl.run("auth", "whoami", "-o", "jsonpath={.status.userInfo.username}")
    assert user == f"system:serviceaccount:olmv1-system:{account}"


def test_operator_controller_trusts_what_the_cluster_signed(olm: Cluster) -> None:
    flags = operator_controller(olm, ComponentOptions(flags={"leader-elect": "true"})).flags
    authorities = {flags["catalogd-cas-dir"], flags["pull-cas-dir"], str(olm.authority_dir)}
    assert (authorities, flags["leader-elect"]) == ({str(olm.authority_dir)}, "true")
