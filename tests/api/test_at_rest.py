"""What both components do when there is nothing to do, and that config/rbac gives them every right that they use."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from devcluster.audit import Request
from devcluster.waiting import wait_for
from e2e.world import World
from tests.api.fetching import metrics_of
from tests.api.operators import Operator, bundle_of, config_map, publish

ACCOUNTS = ":olmv1-system:"
QUIET_S = 10.0


@pytest.fixture(scope="module")
def fleet(world: World) -> Iterator[list[Operator]]:
    """Six installed operators, one of them upgraded, beside one that no catalog has."""
    made = [Operator(world).prepare() for _ in range(6)]
    publish(world, "rest", {operator.name: _bundles(operator.name) for operator in made})
    made[0].install(version="1.0.0")
    made[0].wait_installed("1.0.0")
    for operator in made:
        operator.install()
    for operator in made:
        operator.wait_installed("1.1.0")
    yield made
    for operator in made:
        operator.forget()


def _bundles(name: str, *versions: str) -> dict[str, dict[str, bytes]]:
    wanted = versions or ("1.0.0", "1.1.0")
    return {version: bundle_of(name, version, config_map(f"{name}-v"), crds=["things"]) for version in wanted}


def requests(world: World, since: int) -> list[Request]:
    """What either component asked of the API server, but for its lease and watches."""
    found = world.cluster.audit.requests(user=ACCOUNTS, since=since)
    return [item for item in found if item.verb != "watch" and "/leases" not in item.uri]


def wait_quiet(world: World, since: int, seconds: float) -> list[Request]:
    """Wait until neither component has asked anything for so long; what they asked since the mark before."""
    seen, at = -1, time.monotonic()

    def is_quiet() -> bool:
        nonlocal seen, at
        count = len(requests(world, since))
        if count != seen:
            seen, at = count, time.monotonic()
        return time.monotonic() - at >= seconds

    wait_for(is_quiet, f"{seconds:g} s without a request", timeout_s=seconds + 30)
    return requests(world, since)


def test_components_at_rest_ask_nothing(world: World, fleet: list[Operator]) -> None:
    mark = world.cluster.audit.position()
    wait_quiet(world, mark, 2)
    mark = world.cluster.audit.position()
    assert wait_quiet(world, mark, QUIET_S) == []


def test_changes_of_others_cost_no_request(world: World, fleet: list[Operator]) -> None:
    operator, run = fleet[0], world.kubectl.run
    world.kubectl.apply(config_map("of-somebody-else", operator.namespace))
    wait_quiet(world, world.cluster.audit.position(), 2)
    mark = world.cluster.audit.position()
    own = (f"clusterextension/{operator.name}", f"clusterobjectset/{operator.name}-2")  # these are reconciled
    for target in ("namespace/default", "clusterrole/view", "clustercatalog/rest", *own):
        run("annotate", target, "example.com/note=1")
    for target in ("configmap/of-somebody-else", "serviceaccount/installer", "serviceaccount/default"):
        run("annotate", target, "example.com/note=1", "-n", operator.namespace)
    run("create", "serviceaccount", "unrelated", "-n", operator.namespace)
    run("create", "secret", "generic", "unrelated", "-n", "olmv1-system", "--from-literal=a=b")
    world.kubectl.delete("secret", "unrelated", "olmv1-system")
    assert wait_quiet(world, mark, 3) == []


def reconciles(world: World) -> float:
    """How often any extension was reconciled."""
    head = 'controller_runtime_reconcile_total{controller="controller-operator-cluster-extension-controller"'
    lines = metrics_of(world.cluster, world.components.operator_controller).splitlines()
    return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(head))


def test_new_content_wakes_the_extensions_of_packages_that_changed(world: World, fleet: list[Operator]) -> None:
    packages = {operator.name: _bundles(operator.name) for operator in fleet}
    wait_quiet(world, world.cluster.audit.position(), 2)
    before = reconciles(world)
    publish(world, "rest", {**packages, "unrelated": _bundles("unrelated")})
    wait_quiet(world, world.cluster.audit.position(), 2)
    assert reconciles(world) == before
    changed = fleet[4].name
    versions = _bundles(changed, "1.0.0", "1.1.0", "1.2.0")
    publish(world, "rest", {**packages, changed: versions})
    fleet[4].wait_installed("1.2.0")
    assert reconciles(world) > before
    assert [operator.kubectl.get("clusterobjectset", f"{operator.name}-3") for operator in fleet] == [None] * 6


def test_note_of_somebody_else_on_a_managed_object_costs_one_write(world: World, fleet: list[Operator]) -> None:
    operator = fleet[0]
    target = ("configmap", f"{operator.name}-v", "-n", operator.namespace)
    wait_quiet(world, world.cluster.audit.position(), 2)
    mark = world.cluster.audit.position()
    world.kubectl.run("annotate", *target, "example.com/note=1")
    writes = [f"{item.verb} {item.uri.partition('?')[0]}" for item in wait_quiet(world, mark, 3) if item.is_write]
    assert writes == [f"patch /api/v1/namespaces/{operator.namespace}/configmaps/{operator.name}-v"]
    metadata = (world.kubectl.get("configmap", f"{operator.name}-v", operator.namespace) or {})["metadata"]
    assert metadata["annotations"]["example.com/note"] == "1"


def test_repair_costs_few_requests(world: World, fleet: list[Operator]) -> None:
    operator = fleet[1]
    wait_quiet(world, world.cluster.audit.position(), 2)
    mark = world.cluster.audit.position()
    patch = '{"data": {"a": "changed"}}'
    world.kubectl.run("patch", "configmap", f"{operator.name}-v", "-n", operator.namespace, "--type=merge", "-p", patch)
    asked = wait_quiet(world, mark, 3)
    assert (world.kubectl.get("configmap", f"{operator.name}-v", operator.namespace) or {})["data"] == {"a": "b"}
    assert len(asked) <= 3, asked


def test_components_need_no_other_rights_than_they_have(world: World, fleet: list[Operator]) -> None:
    mark = world.cluster.audit.position()  # other tests ask the API server as these accounts, too
    late = Operator(world).prepare()
    publish(world, "late", {late.name: _bundles(late.name)})
    late.install()
    late.wait_installed("1.1.0")
    fleet[2].delete()
    fleet[2].wait_nothing_left()
    found = world.cluster.audit.requests(user=ACCOUNTS, since=mark)
    assert [item for item in found if item.code in (401, 403) and not item.as_user] == []
    for component in world.both:
        lines = component.log_text().splitlines()
        assert [line for line in lines if "forbidden" in line and "system:serviceaccount:olmv1-system:" in line] == []
