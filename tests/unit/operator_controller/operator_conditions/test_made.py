from __future__ import annotations

import pytest

from olmv1.served import Served
from operator_controller.bundle import Bundle, Permission
from operator_controller.operator_conditions import GROUP, KIND, condition_for
from operator_controller.revisions.phases import sort_into_phases
from tests.builders import an_object
from tests.bundles import a_bundle, a_deployment

RULE = {"apiGroups": [GROUP], "resources": ["operatorconditions"], "verbs": ["get", "update"]}


def serving(*versions: str) -> Served:
    return Served(kinds=frozenset((GROUP, version, KIND) for version in versions))


def using() -> Bundle:
    return a_bundle(permissions=(Permission("sa", (RULE,)),), deployments=(a_deployment(),))


@pytest.mark.parametrize(("versions", "version"), [(("v1", "v2"), "v2"), (("v1",), "v1"), (("v2",), "v2")])
def test_condition_is_made_in_the_best_version(versions: tuple[str, ...], version: str) -> None:
    bundle = using()
    [deployment] = bundle.deployments
    account = deployment.spec["template"]["spec"].get("serviceAccountName", "default")
    assert condition_for(bundle, "ns", serving(*versions)) == {
        "apiVersion": f"{GROUP}/{version}",
        "kind": KIND,
        "metadata": {"name": bundle.csv_name, "namespace": "ns"},
        "spec": {"deployments": [deployment.name], "serviceAccounts": [account]},
    }


def test_condition_is_made_only_where_it_is_served_and_used() -> None:
    assert condition_for(using(), "ns", Served()) is None
    assert condition_for(a_bundle(deployments=(a_deployment(),)), "ns", serving("v2")) is None


def test_condition_is_there_before_the_operator_starts() -> None:
    condition = condition_for(using(), "ns", serving("v2"))
    assert condition is not None
    phases = sort_into_phases([an_object("Deployment", api_version="apps/v1"), condition])
    assert [phase.name for phase in phases] == ["configuration", "deploy"]
