from __future__ import annotations

from typing import Any

import pytest

from olmv1.api.cluster_extension import ClusterExtension, ServiceAccountReference
from olmv1.errors import TerminalError


def an_extension(**spec: Any) -> dict[str, Any]:
    source = {"sourceType": "Catalog", "catalog": {"packageName": "ledger-operator"}}
    return {"metadata": {"name": "ledger"}, "spec": {"namespace": "ledger-system", "source": source, **spec}}


EVERYTHING: dict[str, Any] = {
    "apiVersion": "olm.operatorframework.io/v1",
    "kind": "ClusterExtension",
    "metadata": {"name": "ledger"},
    "spec": {
        "namespace": "ledger-system",
        "serviceAccount": {"name": "ledger-installer"},
        "source": {
            "sourceType": "Catalog",
            "catalog": {
                "packageName": "ledger-operator",
                "version": ">=1.4.0, <2",
                "channels": ["stable", "stable-v1"],
                "upgradeConstraintPolicy": "SelfCertified",
                "selector": {"matchLabels": {"team": "a"}},
            },
        },
        "install": {"preflight": {"crdUpgradeSafety": {"enforcement": "None"}}},
        "config": {"configType": "Inline", "inline": {"watchNamespace": "ledger-data"}},
        "progressDeadlineMinutes": 30,
    },
    "status": {
        "install": {"bundle": {"name": "ledger.v1.4.2", "version": "1.4.2", "release": "2"}, "catalog": "team"},
        "activeRevisions": [{"name": "ledger-1"}],
    },
}


def test_extension_shows_its_spec() -> None:
    spec = ClusterExtension.parse(EVERYTHING).spec
    catalog = spec.source.catalog
    assert (spec.namespace, spec.service_account.name, spec.progress_deadline_minutes) == (
        "ledger-system",
        "ledger-installer",
        30,
    )
    assert (catalog.package_name, catalog.version, catalog.channels, catalog.upgrade_constraint_policy) == (
        "ledger-operator",
        ">=1.4.0, <2",
        ("stable", "stable-v1"),
        "SelfCertified",
    )
    assert catalog.selector is not None
    assert catalog.selector.compile().matches({"team": "a"})
    assert spec.config is not None
    assert spec.config.inline == {"watchNamespace": "ledger-data"}


def test_extension_shows_its_status() -> None:
    status = ClusterExtension.parse(EVERYTHING).status
    assert status.install is not None
    assert (status.install.bundle.name, status.install.bundle.version, status.install.bundle.release) == (
        "ledger.v1.4.2",
        "1.4.2",
        "2",
    )
    assert status.install.catalog == "team"
    assert [revision.name for revision in status.active_revisions] == ["ledger-1"]


def test_extension_has_defaults_for_what_is_absent() -> None:
    extension = ClusterExtension.parse(an_extension())
    spec, catalog = extension.spec, extension.spec.source.catalog
    assert (spec.service_account, spec.install, spec.config, spec.progress_deadline_minutes) == (
        ServiceAccountReference(name=None),
        None,
        None,
        None,
    )
    assert (catalog.version, catalog.channels, catalog.selector, catalog.upgrade_constraint_policy) == (
        None,
        (),
        None,
        "CatalogProvided",
    )
    assert (extension.status.conditions, extension.status.install, extension.status.active_revisions) == ((), None, ())


@pytest.mark.parametrize(
    ("install", "is_enforced"),
    [
        pytest.param({}, True, id="left out"),
        pytest.param({"install": {"preflight": {"crdUpgradeSafety": {"enforcement": "Strict"}}}}, True, id="Strict"),
        pytest.param({"install": {"preflight": {"crdUpgradeSafety": {"enforcement": "None"}}}}, False, id="None"),
    ],
)
def test_crd_upgrade_safety_is_enforced_unless_turned_off(install: dict[str, Any], is_enforced: bool) -> None:
    assert ClusterExtension.parse(an_extension(**install)).spec.enforces_crd_upgrade_safety is is_enforced


def test_extension_without_catalog_is_refused() -> None:
    with pytest.raises(TerminalError) as raised:
        ClusterExtension.parse(an_extension(source={"sourceType": "Catalog"}))
    assert str(raised.value) == 'ClusterExtension "ledger" is invalid: spec.source.catalog: Field required'
