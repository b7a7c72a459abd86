from __future__ import annotations

from typing import Any

import pytest

from operator_controller.bundle import Permission
from operator_controller.renderer.names import (
    cert_name,
    issuer_name,
    join_name,
    rbac_name,
    service_account_name,
    service_name,
    short_service_name,
)

_PODS: Any = {"resources": ["pods"], "verbs": ["get", "list"], "apiGroups": [""]}
_METRICS: Any = {"verbs": ["get"], "nonResourceURLs": ["/metrics"]}
_ESCAPED: Any = {"verbs": ["*"], "apiGroups": ["a<b>&c"], "resources": ["y"], "resourceNames": ["x"]}


@pytest.mark.parametrize(
    ("csv_name", "permission", "name"),
    [
        ("op.v1.0.0", Permission("sa", (_PODS,)), "op.v1.0.0-sa-r46sxgnvym0hdhnfu1rwde004cd0apgsk0yju9fat7x"),
        ("op.v1.0.0", Permission("sa", ()), "op.v1.0.0-sa-1fy0tjntmla1b4pz8uowcp2meoeu5ngt638jnkzkb2ti"),
        ("op.v1.0.0", Permission("sa", None), "op.v1.0.0-sa-swixy5saxqg1a8tp9a6ak4e8ktu1z8emjaqzit38ihw"),
        (
            "a-very-long-operator-name.v10.20.30",
            Permission("controller-manager", (_METRICS, _ESCAPED)),
            "a-very-long-operat-2ashvu0rogiy20sy0jdvfkce44cu22qilj6qyev56e6g",
        ),
    ],
)
def test_rbac_name_is_that_of_the_reference(csv_name: str, permission: Permission, name: str) -> None:
    assert rbac_name(csv_name, permission) == name


def test_rbac_name_names_the_default_account_but_hashes_the_empty_one() -> None:
    empty, default = rbac_name("op", Permission("", ())), rbac_name("op", Permission("default", ()))
    assert empty.startswith("op-default-")
    assert default.startswith("op-default-")
    assert empty != default


@pytest.mark.parametrize(
    ("first", "suffix", "name"),
    [
        pytest.param("a", "b", "a-b", id="short"),
        pytest.param("a" * 56, "service", "a" * 56 + "-service", id="one over the limit is kept"),
        pytest.param("a" * 57, "service", "a" * 55 + "-service", id="cut"),
        pytest.param("a" * 54 + "é" * 2, "service", "a" * 54 + "-service", id="cut inside a character"),
    ],
)
def test_join_name_makes_room_for_the_suffix(first: str, suffix: str, name: str) -> None:
    assert join_name(first, suffix) == name


@pytest.mark.parametrize(("account", "name"), [("", "default"), ("sa", "sa")])
def test_service_account_name_defaults(account: str, name: str) -> None:
    assert service_account_name(Permission(account, ())) == name


@pytest.mark.parametrize(
    ("deployment", "service", "short"),
    [
        ("my.op", "my-op-service", "my-op-service"),
        ("d" * 55, f"{'d' * 55}-service", f"{'d' * 55}-service"),
        ("d" * 56, f"{'d' * 56}-service", f"{'d' * 55}-service"),
        ("d" * 57, f"{'d' * 55}-service", f"{'d' * 55}-service"),
    ],
)
def test_service_name_is_that_of_the_reference_and_short_where_that_is_too_long(
    deployment: str, service: str, short: str
) -> None:
    assert (service_name(deployment), short_service_name(deployment)) == (service, short)


def test_certificate_names_build_on_the_service_name() -> None:
    assert (cert_name("op"), issuer_name("op")) == ("op-service-cert", "op-service-cert-selfsigned-issuer")
