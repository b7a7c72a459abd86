"""The optional policies of `config/admission/templates`, each with people it is about and people it is not about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from devcluster.cluster import Cluster
from devcluster.waiting import wait_for
from tests.api.operators import PREFIX
from tests.api.people import ADMISSION, Person, an_extension, role_for, writers_of_extensions

pytestmark = pytest.mark.api

HOME = "lantern-system"
EXTRAS = f"extras.{PREFIX}"


@pytest.fixture(scope="module", autouse=True)
def people(olm: Cluster) -> Iterator[None]:
    """Ann may use the account `installer` of two namespaces."""
    namespaces = (HOME, "shop-system")
    with writers_of_extensions(olm):
        for namespace in namespaces:
            olm.ensure_namespace(namespace)
            olm.kubectl.apply(*role_for("ann", namespace, "installer", "use"))
        wait_for(lambda: not any(refusals(olm, namespaces)), "the rights to count")
        yield
    for namespace in namespaces:
        olm.kubectl.delete("namespace", namespace, wait=False)


def refusals(cluster: Cluster, namespaces: Iterable[str]) -> list[str]:
    return [Person(cluster, "ann").create(an_extension("kiosk", namespace)) for namespace in namespaces]


@pytest.fixture
def ann(olm: Cluster) -> Person:
    return Person(olm, "ann")


@contextmanager
def in_force(cluster: Cluster, name: str, refused: Mapping[str, Any], told: str) -> Iterator[None]:
    """The template is on the cluster, and already refuses what it should."""
    path = ADMISSION / "templates" / f"{name}.yaml"
    cluster.kubectl.apply_files([path])
    try:
        wait_for(lambda: Person(cluster, "ann").create(refused) == told, f"{name} to be in force", timeout_s=60)
        yield
    finally:
        cluster.kubectl.run("delete", "-f", str(path))
        wait_for(lambda: Person(cluster, "ann").create(refused) == "", f"{name} to be gone", timeout_s=60)


def with_spec(**spec: Any) -> dict[str, Any]:
    manifest = an_extension("kiosk", HOME)
    return {**manifest, "spec": {**manifest["spec"], **spec}}


def with_extras(**extras: str) -> dict[str, Any]:
    annotations = {f"{EXTRAS}/{name.replace('_', '-')}": value for name, value in extras.items()}
    return {**an_extension("kiosk", HOME), "metadata": {"name": "kiosk", "annotations": annotations}}


def of_package(package: str, **catalog: Any) -> dict[str, Any]:
    return an_extension("kiosk", HOME, packageName=package, **catalog)


def selecting(**labels: str) -> dict[str, Any]:
    return an_extension("kiosk", HOME, selector={"matchLabels": {f"example.com/{k}": v for k, v in labels.items()}})


def unsafe(enforcement: str) -> dict[str, Any]:
    return with_spec(install={"preflight": {"crdUpgradeSafety": {"enforcement": enforcement}}})


RANGE = "^(1[.]x|~?1[.][0-9]+([.][0-9]+)?)$"
WAIVERS = f"{EXTRAS}/crd-accept, {EXTRAS}/confirm-delete-crds, {EXTRAS}/on-delete"
LABEL = 'spec.source.catalog.selector.matchLabels: expected example.com/approved: "true", found '
CASES = [
    pytest.param(
        "namespaces",
        [an_extension("kiosk", HOME)],
        {
            "spec.namespace: expected one of lantern-system, kiosk-system, found shop-system": an_extension(
                "kiosk", "shop-system"
            )
        },
        id="namespaces",
    ),
    pytest.param(
        "catalogs",
        [selecting(approved="true"), selecting(approved="true", region="north")],
        {f"{LABEL}none": an_extension("kiosk", HOME), f'{LABEL}"false"': selecting(approved="false")},
        id="catalogs",
    ),
    pytest.param(
        "packages",
        [
            of_package("kiosk-operator"),
            *(of_package("lantern-operator", version=each) for each in ("1.x", "1.2.3", "~1.2")),
        ],
        {
            "spec.source.catalog.packageName: expected one of lantern-operator, kiosk-operator, found till": of_package(
                "till"
            ),
            f"spec.source.catalog.version: expected what fits {RANGE} for lantern-operator, found none": of_package(
                "lantern-operator"
            ),
            f"spec.source.catalog.version: expected what fits {RANGE} for lantern-operator, found 2.0.0": of_package(
                "lantern-operator", version="2.0.0"
            ),
        },
        id="packages",
    ),
    pytest.param(
        "upgrade-paths",
        [an_extension("kiosk", HOME), an_extension("kiosk", HOME, upgradeConstraintPolicy="CatalogProvided")],
        {
            "spec.source.catalog.upgradeConstraintPolicy: expected CatalogProvided, found SelfCertified": an_extension(
                "kiosk", HOME, upgradeConstraintPolicy="SelfCertified"
            )
        },
        id="upgrade paths",
    ),
    pytest.param(
        "crd-safety",
        [an_extension("kiosk", HOME), unsafe("Strict"), with_extras(paused="true")],
        {
            "spec.install.preflight.crdUpgradeSafety.enforcement: expected Strict, found None": unsafe("None"),
            f"metadata.annotations: expected none of {WAIVERS}, found {EXTRAS}/crd-accept": with_extras(crd_accept="x"),
            f"metadata.annotations: expected none of {WAIVERS}, found {EXTRAS}/confirm-delete-crds, "
            f"{EXTRAS}/on-delete": with_extras(on_delete="Cascade", confirm_delete_crds="true"),
        },
        id="CRD safety",
    ),
]


@pytest.mark.parametrize(("name", "admitted", "refused"), CASES)
def test_template_refuses_members_of_the_group(
    ann: Person, name: str, admitted: list[dict[str, Any]], refused: dict[str, dict[str, Any]]
) -> None:
    administrator = Person(ann.cluster, "root", ("system:masters",))
    told, first = next(iter(refused.items()))
    with in_force(ann.cluster, name, first, told):
        assert [ann.create(each) for each in admitted] == [""] * len(admitted)
        assert [ann.create(each) for each in refused.values()] == list(refused)
        assert [administrator.create(each) for each in refused.values()] == [""] * len(refused)


def test_only_approvers_approve(ann: Person) -> None:
    approver = Person(ann.cluster, "ann", (*ann.groups, "extension-approvers"))
    listed = f"{EXTRAS}/approve, {EXTRAS}/requested-at and {EXTRAS}/upgrade-policy"
    told = f"metadata.annotations: {listed} are for the group extension-approvers"
    extension = an_extension("approval-template", HOME)
    extension["metadata"]["annotations"] = {f"{EXTRAS}/upgrade-policy": "Manual"}
    ann.cluster.kubectl.apply(extension)
    with in_force(ann.cluster, "approval", with_extras(approve="0123456789ab"), told):
        changes = ({"approve": "0123456789ab"}, {"requested-at": "now"}, {"upgrade-policy": "Auto"})
        for change in (*changes, {"upgrade-policy": None}):
            patch = {"metadata": {"annotations": {f"{EXTRAS}/{key}": value for key, value in change.items()}}}
            assert ann.patch("clusterextension", "approval-template", patch) == told
            assert approver.patch("clusterextension", "approval-template", patch) == ""
        assert ann.patch("clusterextension", "approval-template", {"metadata": {"labels": {"a": "b"}}}) == ""
    ann.cluster.kubectl.delete("clusterextension", "approval-template")


def test_every_change_takes_the_right_to_use_the_account(ann: Person) -> None:
    bob, path = Person(ann.cluster, "bob"), ADMISSION / "templates" / "every-change.yaml"
    account = Person(ann.cluster, f"system:serviceaccount:{HOME}:installer")
    ann.cluster.kubectl.apply(an_extension("every-change-template", HOME))
    wider = {"spec": {"source": {"catalog": {"version": "2.x"}}}}
    ann.cluster.kubectl.apply_files([path])
    told = (
        f'user "bob" may not change what is installed as service account "installer" of namespace "{HOME}": this takes '
        'the verb "use" or "impersonate" on it'
    )
    wait_for(lambda: bob.patch("clusterextension", "every-change-template", wider) == told, "the template to count")
    assert bob.patch("clusterextension", "every-change-template", {"metadata": {"labels": {"a": "b"}}}) == ""
    for person in (ann, account):
        assert person.patch("clusterextension", "every-change-template", wider) == ""
    ann.cluster.kubectl.run("delete", "-f", str(path))
    ann.cluster.kubectl.delete("clusterextension", "every-change-template")
