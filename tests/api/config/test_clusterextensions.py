"""What the API server admits, fills in and refuses of a ClusterExtension, with the exact messages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from olmv1.kube.client import KubeClient
from olmv1.kube.errors import Invalid, NotFound
from olmv1.kube.resources import CLUSTER_EXTENSIONS
from tests.crds import refusals

pytestmark = pytest.mark.api

NOT_A_SUBDOMAIN = (
    "must be a valid DNS1123 subdomain. It must contain only lowercase alphanumeric characters, hyphens (-) or periods "
    "(.), start and end with an alphanumeric character, and be no longer than 253 characters"
)
LONG = "a" * 254


def an_extension(catalog: Mapping[str, Any] | None = None, *, name: str = "ledger", **spec: Any) -> dict[str, Any]:
    source = {"sourceType": "Catalog", "catalog": {"packageName": "ledger-operator", **(catalog or {})}}
    return {
        "apiVersion": "olm.operatorframework.io/v1",
        "kind": "ClusterExtension",
        "metadata": {"name": name},
        "spec": {"namespace": "ledger-system", "source": source, **spec},
    }


def a_status(**status: Any) -> dict[str, Any]:
    return {"status": {"install": {"bundle": {"name": "ledger.v1", "version": "1.0.0", **status}}}}


@pytest.fixture
async def stored(client: KubeClient) -> AsyncIterator[KubeClient]:
    """A client of a server that has an extension `ledger` with an account."""
    await client.create(CLUSTER_EXTENSIONS, an_extension(serviceAccount={"name": "installer"}))
    try:
        yield client
    finally:
        await client.delete(CLUSTER_EXTENSIONS, "ledger")
        with pytest.raises(NotFound):
            await client.get(CLUSTER_EXTENSIONS, "ledger")


async def test_extension_gets_the_default_policy_and_nothing_else(client: KubeClient) -> None:
    created = await client.create(CLUSTER_EXTENSIONS, an_extension(), dry_run=True)
    filled_in = an_extension({"upgradeConstraintPolicy": "CatalogProvided"})
    assert (created["spec"], "status" in created) == (filled_in["spec"], False)


@pytest.mark.parametrize(
    ("path", "spec"),
    [
        pytest.param("serviceAccount", {"serviceAccount": {"name": "a.b-c"}}, id="account"),
        pytest.param(
            "install", {"install": {"preflight": {"crdUpgradeSafety": {"enforcement": "None"}}}}, id="preflight off"
        ),
        pytest.param(
            "install", {"install": {"preflight": {"crdUpgradeSafety": {"enforcement": "Strict"}}}}, id="preflight on"
        ),
        pytest.param("config", {"config": {"configType": "Inline", "inline": {"any": {"thing": [1]}}}}, id="config"),
        pytest.param("progressDeadlineMinutes", {"progressDeadlineMinutes": 720}, id="longest deadline"),
    ],
)
async def test_extension_keeps_its_field(client: KubeClient, path: str, spec: dict[str, Any]) -> None:
    created = await client.create(CLUSTER_EXTENSIONS, an_extension(**spec), dry_run=True)
    assert created["spec"][path] == spec[path]


@pytest.mark.parametrize(
    ("field", "message", "spec"),
    [
        ("spec.namespace", "namespace must be a valid DNS1123 label", {"namespace": "a.b"}),
        ("spec.namespace", "namespace must be a valid DNS1123 label", {"namespace": ""}),
        ("spec.namespace", "Too long: may not be more than 63 bytes", {"namespace": "a" * 64}),
        ("spec.serviceAccount.name", f"name {NOT_A_SUBDOMAIN}", {"serviceAccount": {"name": "Installer"}}),
        ("spec.serviceAccount.name", "Too long: may not be more than 253 bytes", {"serviceAccount": {"name": LONG}}),
        (
            "spec.serviceAccount",
            "spec.serviceAccount in body should have at least 1 properties",
            {"serviceAccount": {}},
        ),
        (
            "spec.source",
            "catalog is required when sourceType is Catalog, and forbidden otherwise",
            {"source": {"sourceType": "Catalog"}},
        ),
        (
            "spec.source.sourceType",
            'Unsupported value: "Image": supported values: "Catalog"',
            {"source": {"sourceType": "Image"}},
        ),
        ("spec.install", "at least one of [preflight] are required when install is specified", {"install": {}}),
        ("spec.install.preflight.crdUpgradeSafety", "Required value", {"install": {"preflight": {}}}),
        (
            "spec.install.preflight.crdUpgradeSafety.enforcement",
            'Unsupported value: "Maybe": supported values: "None", "Strict"',
            {"install": {"preflight": {"crdUpgradeSafety": {"enforcement": "Maybe"}}}},
        ),
        (
            "spec.config",
            "inline is required when configType is Inline, and forbidden otherwise",
            {"config": {"configType": "Inline"}},
        ),
        (
            "spec.config.configType",
            'Unsupported value: "Secret": supported values: "Inline"',
            {"config": {"configType": "Secret"}},
        ),
        (
            "spec.config.inline",
            "spec.config.inline in body should have at least 1 properties",
            {"config": {"configType": "Inline", "inline": {}}},
        ),
        (
            "spec.progressDeadlineMinutes",
            "spec.progressDeadlineMinutes in body should be greater than or equal to 10",
            {"progressDeadlineMinutes": 9},
        ),
        (
            "spec.progressDeadlineMinutes",
            "spec.progressDeadlineMinutes in body should be less than or equal to 720",
            {"progressDeadlineMinutes": 721},
        ),
    ],
)
async def test_extension_is_refused(client: KubeClient, field: str, message: str, spec: dict[str, Any]) -> None:
    with pytest.raises(Invalid) as refused:
        await client.create(CLUSTER_EXTENSIONS, an_extension(**spec), dry_run=True)
    assert refusals(refused.value) == {(field, message)}


@pytest.mark.parametrize(
    ("field", "message", "catalog"),
    [
        ("packageName", f"packageName {NOT_A_SUBDOMAIN}", {"packageName": "ledger_operator"}),
        ("packageName", "Too long: may not be more than 253 bytes", {"packageName": LONG}),
        ("version", "Too long: may not be more than 64 bytes", {"version": ">=1.0.0 || " * 6 + "2"}),
        ("channels[1]", "channels entries must be valid DNS1123 subdomains", {"channels": ["stable", "Fast"]}),
        ("channels[0]", "Too long: may not be more than 253 bytes", {"channels": [LONG]}),
        ("channels", "Too many: 257: must have at most 256 items", {"channels": ["a"] * 257}),
        (
            "upgradeConstraintPolicy",
            'Unsupported value: "Ignore": supported values: "CatalogProvided", "SelfCertified"',
            {"upgradeConstraintPolicy": "Ignore"},
        ),
        (
            "selector.matchExpressions[0].operator",
            'Unsupported value: "in": supported values: "In", "NotIn", "Exists", "DoesNotExist"',
            {"selector": {"matchExpressions": [{"key": "tier", "operator": "in"}]}},
        ),
    ],
)
async def test_catalog_filter_is_refused(client: KubeClient, field: str, message: str, catalog: dict[str, Any]) -> None:
    with pytest.raises(Invalid) as refused:
        await client.create(CLUSTER_EXTENSIONS, an_extension(catalog), dry_run=True)
    assert refusals(refused.value) == {(f"spec.source.catalog.{field}", message)}


async def test_extension_name_fits_into_a_label_with_its_revision(client: KubeClient) -> None:
    await client.create(CLUSTER_EXTENSIONS, an_extension(name="a" * 53), dry_run=True)
    with pytest.raises(Invalid) as refused:
        await client.create(CLUSTER_EXTENSIONS, an_extension(name="a" * 54), dry_run=True)
    assert {message for _, message in refusals(refused.value)} == {"metadata.name must be no longer than 53 characters"}


async def test_account_name_cannot_be_empty(client: KubeClient) -> None:
    with pytest.raises(Invalid) as refused:
        await client.create(CLUSTER_EXTENSIONS, an_extension(serviceAccount={"name": ""}), dry_run=True)
    assert refusals(refused.value) == {
        ("spec.serviceAccount.name", "spec.serviceAccount.name in body should be at least 1 chars long"),
        ("spec.serviceAccount.name", f"name {NOT_A_SUBDOMAIN}"),
    }


async def test_extension_needs_namespace_and_source(client: KubeClient) -> None:
    with pytest.raises(Invalid) as refused:
        await client.create(CLUSTER_EXTENSIONS, {**an_extension(), "spec": {}}, dry_run=True)
    assert refusals(refused.value) == {("spec.namespace", "Required value"), ("spec.source", "Required value")}


@pytest.mark.parametrize(
    ("field", "message", "spec"),
    [
        ("spec.namespace", "namespace is immutable", {"namespace": "other"}),
        (
            "spec.serviceAccount.name",
            "name is immutable once set but may be cleared",
            {"serviceAccount": {"name": "other"}},
        ),
        (
            "spec.source.catalog.packageName",
            "packageName is immutable",
            {"source": {"catalog": {"packageName": "other"}}},
        ),
    ],
)
async def test_field_cannot_change(stored: KubeClient, field: str, message: str, spec: dict[str, Any]) -> None:
    with pytest.raises(Invalid) as refused:
        await stored.patch(CLUSTER_EXTENSIONS, "ledger", {"spec": spec}, dry_run=True)
    assert refusals(refused.value) == {(field, message)}


async def test_account_can_be_cleared_and_set_again(stored: KubeClient) -> None:
    cleared = await stored.patch(CLUSTER_EXTENSIONS, "ledger", {"spec": {"serviceAccount": None}})
    set_again = await stored.patch(CLUSTER_EXTENSIONS, "ledger", {"spec": {"serviceAccount": {"name": "other"}}})
    assert ("serviceAccount" in cleared["spec"], set_again["spec"]["serviceAccount"]) == (False, {"name": "other"})


@pytest.mark.parametrize("release", ["", "2", "el9.1", "0"])
async def test_installed_bundle_is_stored(stored: KubeClient, release: str) -> None:
    status = a_status(release=release)["status"]
    status["install"]["catalog"] = "team"
    patched = await stored.patch(CLUSTER_EXTENSIONS, "ledger", {"status": status}, subresource="status")
    assert patched["status"] == status


@pytest.mark.parametrize(
    ("field", "message", "bundle"),
    [
        ("name", f"packageName {NOT_A_SUBDOMAIN}", {"name": "Ledger"}),
        ("version", "version must be well-formed semver", {"version": "v1"}),
        (
            "release",
            "release must be empty or consist of dot-separated identifiers (numeric without leading zeros, "
            "or alphanumeric)",
            {"release": "01"},
        ),
        ("release", "Too long: may not be more than 20 bytes", {"release": "1" * 21}),
    ],
)
async def test_installed_bundle_is_refused(
    stored: KubeClient, field: str, message: str, bundle: dict[str, Any]
) -> None:
    with pytest.raises(Invalid) as refused:
        await stored.patch(CLUSTER_EXTENSIONS, "ledger", a_status(**bundle), subresource="status", dry_run=True)
    assert refusals(refused.value) == {(f"status.install.bundle.{field}", message)}
