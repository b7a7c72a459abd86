"""OpenShift is told whether the cluster may be upgraded: the walk of an administrator, and restarts on the way."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import pytest

from devcluster.waiting import wait_for
from e2e.openshift import become_openshift, forget_openshift, set_version
from e2e.world import World, condition
from tests.api.fetching import metrics_of
from tests.api.operators import Operator, bundle_of, down, publish

TO_4_19 = (
    "InstalledOLMOperatorsUpgradeable: Found ClusterExtensions that require upgrades prior to upgrading cluster to "
    'version 4.19: bundle "{name}.v{version}" for ClusterExtension "{name}".'
)


@pytest.fixture(scope="module")
def openshift(world: World) -> Iterator[World]:
    """The two kinds of OpenShift appear on a cluster where both components run."""
    become_openshift(world, "4.18.3")
    yield world
    forget_openshift(world)


@pytest.fixture
def operator(openshift: World) -> Iterator[Operator]:
    made = Operator(openshift).prepare()
    yield made
    made.delete()
    made.wait_nothing_left()
    made.forget()


def bundles(name: str, **maxima: object) -> dict[str, dict[str, bytes]]:
    """Versions `1.0.0`, `1.1.0`, … that declare these maxima; `None` declares nothing."""
    return {
        f"1.{number}.0": declaring(bundle_of(name, f"1.{number}.0"), maximum)
        for number, maximum in enumerate(maxima.values())
    }


def declaring(files: Mapping[str, bytes], maximum: object) -> dict[str, bytes]:
    listed = maximum if isinstance(maximum, list) else [maximum]
    properties = [{"type": "olm.maxOpenShiftVersion", "value": value} for value in listed if value is not None]
    return {**files, "metadata/properties.yaml": json.dumps({"properties": properties}).encode()}


def wait_upgradeable(world: World, status: str, reason: str, message: str, timeout_s: float = 20) -> None:
    def found() -> bool:
        said = condition(world.kubectl.get("clusteroperator", "olm"), "Upgradeable")
        return (said.get("status"), said.get("reason"), said.get("message")) == (status, reason, message)

    wait_for(found, f"Upgradeable={status}/{reason} {message}", timeout_s=timeout_s)


def wait_free(world: World, timeout_s: float = 20) -> None:
    wait_upgradeable(world, "True", "AsExpected", "All is well", timeout_s)


def wait_blocked(operator: Operator, version: str) -> None:
    reason = "InstalledOLMOperators_IncompatibleOperatorsInstalled"
    text = TO_4_19.format(name=operator.name, version=version)
    wait_upgradeable(operator.world, "False", reason, text)


def restart(world: World) -> None:
    """Another controller, which knows only what the cluster knows."""
    with down(world.components.operator_controller):
        pass


def test_cluster_without_extensions_may_be_upgraded(openshift: World) -> None:
    wait_free(openshift)
    found = openshift.kubectl.get("clusteroperator", "olm") or {}
    said = {each["type"]: each["status"] for each in found["status"]["conditions"]}
    assert said == {"Upgradeable": "True", "Available": "True", "Progressing": "False", "Degraded": "False"}
    restart(openshift)
    wait_free(openshift)


def test_blocking_bundle_holds_the_cluster_until_it_is_upgraded(openshift: World, operator: Operator) -> None:
    operator.publish(bundles(operator.name, old="4.18", new="4.19"))
    operator.install(version="1.0.0")
    operator.wait_installed("1.0.0")
    wait_blocked(operator, "1.0.0")
    text = (
        f'bundle "{operator.name}.v1.0.0" supports OpenShift up to 4.18; '
        "it must be updated or removed before the cluster can go to 4.19"
    )
    operator.wait("ClusterUpgradeable", status="False", reason="IncompatibleWithNextMinor", message=text)
    assert 'olmv1_cluster_upgradeable{current="4.18",next="4.19"} 0.0' in metrics_of(
        openshift.cluster, openshift.components.operator_controller
    )
    restart(openshift)
    wait_blocked(operator, "1.0.0")
    operator.install()
    operator.wait_installed("1.1.0")
    wait_free(openshift, timeout_s=5)
    operator.wait("ClusterUpgradeable", status="True", reason="Compatible")
    restart(openshift)
    wait_free(openshift)


def test_removal_frees_the_cluster_too(openshift: World, operator: Operator) -> None:
    operator.publish(bundles(operator.name, only="4.18"))
    operator.install()
    operator.wait_installed("1.0.0")
    wait_blocked(operator, "1.0.0")
    operator.delete()
    wait_free(openshift)


@pytest.mark.parametrize(
    ("maximum", "problem"),
    [
        pytest.param("four", "error converting to semver for version four: invalid version format", id="invalid"),
        pytest.param(
            ["4.19", "4.20"], "more than one olm.maxOpenShiftVersion found in bundle: 4.19, 4.20", id="two values"
        ),
    ],
)
def test_declaration_that_cannot_be_read_blocks(
    openshift: World, operator: Operator, maximum: object, problem: str
) -> None:
    operator.publish(bundles(operator.name, only=maximum))
    operator.install()
    operator.wait_installed("1.0.0")
    operator.wait("ClusterUpgradeable", status="False", reason="InvalidMaxOpenShiftVersion", message=problem)
    reason = "InstalledOLMOperators_FailureGettingExtensionMetadata"
    place = f"error(s) with cluster extension {operator.name}: error in bundle {operator.name}.v1.0.0: "
    text = f"InstalledOLMOperatorsUpgradeable: {place}{problem}"
    wait_upgradeable(openshift, "False", reason, text)
    restart(openshift)
    wait_upgradeable(openshift, "False", reason, text)


def test_deprecated_bundle_blocks_like_any_other(openshift: World, operator: Operator) -> None:
    reference = {"schema": "olm.bundle", "name": f"{operator.name}.v1.0.0"}
    entries = [{"reference": reference, "message": "old"}]
    deprecation = {"schema": "olm.deprecations", "package": operator.name, "entries": entries}
    publish(openshift, operator.name, {operator.name: bundles(operator.name, only="4.18")}, [deprecation])
    operator.install()
    operator.wait_installed("1.0.0")
    operator.wait("BundleDeprecated", status="True", message="old")
    wait_blocked(operator, "1.0.0")


def test_cluster_that_goes_on_is_judged_anew(openshift: World, operator: Operator) -> None:
    operator.publish(bundles(operator.name, only="4.19"))
    operator.install()
    operator.wait_installed("1.0.0")
    wait_free(openshift)
    try:
        set_version(openshift, "4.19.0", "4.18.3")
        operator.wait("ClusterUpgradeable", status="False", reason="IncompatibleWithNextMinor")
        text = TO_4_19.format(name=operator.name, version="1.0.0").replace("version 4.19:", "version 4.20:")
        reason = "InstalledOLMOperators_IncompatibleOperatorsInstalled"
        wait_upgradeable(openshift, "False", reason, text)
        restart(openshift)
        wait_upgradeable(openshift, "False", reason, text)
    finally:
        set_version(openshift, "4.18.3")
    wait_free(openshift)


def test_condition_of_another_writer_survives(openshift: World) -> None:
    since = "2026-01-01T00:00:00Z"
    theirs = {"type": "Theirs", "status": "True", "reason": "R", "message": "m", "lastTransitionTime": since}
    head = {"apiVersion": "config.openshift.io/v1", "kind": "ClusterOperator", "metadata": {"name": "olm"}}
    text = json.dumps({**head, "status": {"conditions": [theirs]}})
    flags = ("--server-side", "--subresource=status", "--field-manager=somebody-else")
    openshift.kubectl.run("apply", *flags, "-f", "-", stdin=text.encode())
    restart(openshift)
    wait_free(openshift)
    assert condition(openshift.kubectl.get("clusteroperator", "olm"), "Theirs") == theirs
