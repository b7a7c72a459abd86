"""An operator says through its OperatorCondition that it must not be replaced now, and is listened to."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from devcluster.binaries import PROJECT_DIR
from devcluster.waiting import wait_for
from e2e.world import World
from tests.api.operators import Operator, bundle_of

CRD = PROJECT_DIR / "config" / "crd-optional" / "operators.coreos.com_operatorconditions.yaml"
TIME = "2026-01-01T00:00:00Z"


@pytest.fixture
def operator(world: World) -> Iterator[Operator]:
    made = Operator(world).prepare()
    made.publish({version: using(made.name, version) for version in ("1.0.0", "1.1.0")})
    yield made
    made.delete()
    made.wait_nothing_left()
    made.forget()


@pytest.fixture
def api(world: World) -> None:
    """The optional CRD, applied as an administrator would."""
    world.kubectl.apply_files([CRD])
    world.kubectl.run("wait", "--for=condition=Established", f"crd/{CRD.stem.partition('_')[2]}.operators.coreos.com")


def using(name: str, version: str) -> dict[str, bytes]:
    """A bundle whose operator asks for rights on OperatorConditions."""
    files = bundle_of(name, version)
    csv = json.loads(files["manifests/000.yaml"])
    rule = {"apiGroups": ["operators.coreos.com"], "resources": ["operatorconditions"], "verbs": ["get", "update"]}
    csv["spec"]["install"]["spec"]["permissions"] = [{"serviceAccountName": "default", "rules": [rule]}]
    return {**files, "manifests/000.yaml": json.dumps(csv).encode()}


def a_condition(status: str, message: str = "The Operator is performing a migration.") -> dict[str, Any]:
    said = {"type": "Upgradeable", "status": status, "reason": "migration", "message": message}
    return {**said, "lastTransitionTime": TIME}


def change(operator: Operator, version: str, patch: Mapping[str, Any], *flags: str, api_version: str = "v2") -> None:
    resource = f"operatorconditions.{api_version}.operators.coreos.com"
    name = f"{operator.name}.v{version}"
    text = json.dumps(patch)
    operator.kubectl.run("patch", resource, name, "-n", operator.namespace, "--type=merge", *flags, "-p", text)


def found(operator: Operator, version: str) -> dict[str, Any] | None:
    return operator.kubectl.get("operatorconditions", f"{operator.name}.v{version}", operator.namespace)


def refusal(operator: Operator, text: str) -> str:
    return f'cannot upgrade from bundle "{operator.name}.v1.0.0" to "{operator.name}.v1.1.0": {text}'


def test_bundle_that_needs_the_api_is_told_of_where_it_is_absent(operator: Operator) -> None:
    operator.install(version="1.0.0")
    operator.wait_installed("1.0.0")
    text = (
        f'bundle "{operator.name}.v1.0.0" uses OperatorConditions, but gets none here: '
        "OPERATOR_CONDITION_NAME is not set"
    )

    def told() -> bool:
        events = operator.kubectl.items("events.events.k8s.io", "default")
        return any(each["regarding"]["name"] == operator.name and each["note"] == text for each in events)

    wait_for(told, f"an Event: {text}")


@pytest.mark.usefixtures("api")
def test_operator_gets_its_condition_its_name_and_its_rights(operator: Operator) -> None:
    operator.install(version="1.0.0")
    operator.wait_installed("1.0.0")
    name = f"{operator.name}.v1.0.0"
    condition = found(operator, "1.0.0")
    assert condition is not None
    assert condition["spec"] == {"deployments": [f"{operator.name}-controller"], "serviceAccounts": ["default"]}
    deployment = operator.kubectl.get("deployment", f"{operator.name}-controller", operator.namespace)
    assert deployment is not None
    [container] = deployment["spec"]["template"]["spec"]["containers"]
    assert {"name": "OPERATOR_CONDITION_NAME", "value": name} in container["env"]
    account = f"system:serviceaccount:{operator.namespace}:default"
    asked = ("auth", "can-i", "update", f"operatorconditions.operators.coreos.com/{name}", "--as", account)
    assert operator.kubectl.run(*asked, "-n", operator.namespace).strip() == "yes"


@pytest.mark.usefixtures("api")
def test_operator_that_migrates_is_not_replaced_until_it_is_done(operator: Operator) -> None:
    operator.install(version="1.0.0")
    operator.wait_installed("1.0.0")
    change(operator, "1.0.0", {"spec": {"conditions": [a_condition("False")]}})
    operator.install()
    text = "the operator is not upgradeable: The Operator is performing a migration."
    operator.wait("Progressing", status="False", reason="Blocked", message=refusal(operator, text))
    assert list(operator.lifecycle().values()) == ["Active"]
    change(operator, "1.0.0", {"spec": {"conditions": [a_condition("True", "done")]}})
    operator.wait_installed("1.1.0")
    wait_for(lambda: found(operator, "1.0.0") is None, "the OperatorCondition of the replaced version to go")
    assert found(operator, "1.1.0") is not None


@pytest.mark.usefixtures("api")
def test_override_of_the_administrator_decides_alone(operator: Operator) -> None:
    operator.install(version="1.0.0")
    operator.wait_installed("1.0.0")
    change(operator, "1.0.0", {"spec": {"conditions": [a_condition("False")]}})
    operator.install()
    operator.wait("Progressing", reason="Blocked")
    change(operator, "1.0.0", {"spec": {"overrides": [a_condition("True", "I know better")]}})
    operator.wait_installed("1.1.0")


@pytest.mark.usefixtures("api")
def test_status_of_an_older_generation_holds(operator: Operator) -> None:
    operator.install(version="1.0.0")
    operator.wait_installed("1.0.0")
    generation = (found(operator, "1.0.0") or {})["metadata"]["generation"]
    status = ("--subresource=status",)
    old = {**a_condition("True"), "observedGeneration": generation - 1}
    change(operator, "1.0.0", {"status": {"conditions": [old]}}, *status, api_version="v1")
    operator.install()
    text = 'the operatorcondition status "Upgradeable"="True" is outdated'
    operator.wait("Progressing", reason="Blocked", message=refusal(operator, text))
    now = {**old, "observedGeneration": generation}
    change(operator, "1.0.0", {"status": {"conditions": [now]}}, *status, api_version="v1")
    operator.wait_installed("1.1.0")


@pytest.mark.usefixtures("api")
def test_operator_that_holds_its_upgrade_can_be_configured_and_removed(operator: Operator) -> None:
    operator.install(version="1.0.0")
    operator.wait_installed("1.0.0")
    change(operator, "1.0.0", {"spec": {"conditions": [a_condition("False")]}})
    operator.install(version="1.0.0", config={"deploymentConfig": {"env": [{"name": "A", "value": "b"}]}})
    wait_for(lambda: operator.lifecycle().get(f"{operator.name}-2") == "Active", "the second revision")
    operator.wait_installed("1.0.0")
    kept = (found(operator, "1.0.0") or {})["spec"]["conditions"]
    assert kept == [a_condition("False")]
