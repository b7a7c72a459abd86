from __future__ import annotations

from typing import Any

import pytest

from olmv1.served import Served
from operator_controller.preflight import MissingKindsError, check_kinds, groups_of, optional_kinds_differ

SECRET, MONITOR = ("", "v1", "Secret"), ("monitoring.coreos.com", "v1", "ServiceMonitor")
BARE = Served("1.36.3", frozenset({SECRET}))
MONITORED = Served("1.36.3", frozenset({SECRET, MONITOR}))


def an_object(api_version: str, kind: str, **parts: Any) -> dict[str, Any]:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": kind.lower()}, **parts}


def a_definition(group: str, kind: str, **versions: bool) -> dict[str, Any]:
    listed = [{"name": name, "served": is_served} for name, is_served in versions.items()]
    spec = {"group": group, "names": {"kind": kind}, "versions": listed}
    return an_object("apiextensions.k8s.io/v1", "CustomResourceDefinition", spec=spec)


OBJECTS = (an_object("v1", "Secret"), an_object("monitoring.coreos.com/v1", "ServiceMonitor"))
DEFINITIONS = ("apiextensions.k8s.io", "v1", "CustomResourceDefinition")


def test_objects_of_served_kinds_pass() -> None:
    found = check_kinds(OBJECTS, MONITORED)
    recorded = "monitoring.coreos.com/v1/ServiceMonitor=applied"
    assert (found.objects, found.left_out, found.recorded, [*found.warnings]) == (OBJECTS, (), recorded, [])


def test_monitoring_is_left_out_where_its_api_is_absent() -> None:
    found = check_kinds(OBJECTS, BARE)
    assert (found.objects, found.recorded) == (OBJECTS[:1], "monitoring.coreos.com/v1/ServiceMonitor=absent")
    assert [*found.warnings] == [
        "objects of monitoring.coreos.com/v1/ServiceMonitor are left out: the cluster does not serve this API; "
        "they are applied when it does"
    ]


def test_every_missing_api_is_named_at_once() -> None:
    objects = [
        *OBJECTS,
        an_object("cert-manager.io/v1", "Issuer"),
        an_object("cert-manager.io/v1", "Certificate"),
        an_object("example.com/v1", "Thing"),
    ]
    text = (
        r"^required APIs are not available on the cluster: "
        r"cert-manager\.io/v1 \(Certificate, Issuer\), example\.com/v1 \(Thing\)$"
    )
    with pytest.raises(MissingKindsError, match=text) as raised:
        check_kinds(objects, BARE)
    assert raised.value.groups == {"cert-manager.io", "example.com"}


def test_kinds_of_own_definitions_count_in_their_served_versions() -> None:
    served = Served("1.36.3", frozenset({DEFINITIONS}))
    definition = a_definition("example.com", "Thing", v1=True, v2=False)
    objects = (definition, an_object("example.com/v1", "Thing"))
    assert check_kinds(objects, served).objects == objects
    with pytest.raises(MissingKindsError, match=r"example\.com/v2 \(Thing\)$"):
        check_kinds((definition, an_object("example.com/v2", "Thing")), served)


@pytest.mark.parametrize(
    ("recorded", "served", "differs"),
    [
        ("monitoring.coreos.com/v1/ServiceMonitor=absent", BARE, False),
        ("monitoring.coreos.com/v1/ServiceMonitor=absent", MONITORED, True),
        ("monitoring.coreos.com/v1/ServiceMonitor=applied", MONITORED, False),
        ("monitoring.coreos.com/v1/ServiceMonitor=applied", BARE, True),
        ("", MONITORED, False),
        ("nonsense", MONITORED, False),
    ],
)
def test_revision_is_made_anew_when_an_optional_kind_came_or_went(recorded: str, served: Served, differs: bool) -> None:
    assert optional_kinds_differ(recorded, served) is differs


def test_groups_of_optional_kinds_are_known() -> None:
    assert groups_of("monitoring.coreos.com/v1/ServiceMonitor=absent,a/v1/B=applied") == {"monitoring.coreos.com", "a"}
