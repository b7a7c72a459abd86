from __future__ import annotations

from typing import Any

from operator_controller.bundle import Api, Bundle, Permission
from operator_controller.bundle.conversion import convert
from operator_controller.bundle.csv_view import view_of_csv
from tests.bundles import a_csv


def view_with(**spec: Any) -> Bundle:
    return view_of_csv(convert("ClusterServiceVersion", a_csv(**spec)))


def test_view_of_csv_reads_names_modes_and_deployments() -> None:
    view = view_with(version="v1.0", minKubeVersion="1.28.0")
    assert (view.csv_name, view.version, view.min_kube_version) == ("op.v1.0.0", "v1.0", "1.28.0")
    assert view.install_modes == {"AllNamespaces", "OwnNamespace", "SingleNamespace"}
    assert [deployment.name for deployment in view.deployments] == ["op"]


def test_view_of_csv_counts_a_mode_given_twice_as_supported() -> None:
    modes = [{"type": "OwnNamespace", "supported": flag} for flag in (True, False)]
    assert view_with(installModes=modes).install_modes == {"OwnNamespace"}


def test_view_of_csv_tells_absent_rules_from_empty_ones() -> None:
    permissions = [{"serviceAccountName": "a"}, {"rules": []}]
    install = {"spec": {"permissions": permissions, "clusterPermissions": [{"rules": [{"verbs": ["get"]}]}]}}
    view = view_with(install=install)
    assert view.permissions == (Permission("a", None), Permission("", ()))
    assert view.cluster_permissions == (Permission("", ({"verbs": ["get"]},)),)
    assert view.deployments == ()


def test_view_of_csv_lists_owned_and_required_apis() -> None:
    crd = {"name": "things.example.com", "version": "v1", "kind": "Thing"}
    service = {"group": "api.example.com", "version": "v2", "kind": "Served"}
    native = {"group": "apps", "version": "v1", "kind": "Deployment"}
    view = view_with(
        customresourcedefinitions={"owned": [crd], "required": [{**crd, "name": "others.example.org"}]},
        apiservicedefinitions={"owned": [service], "required": [service]},
        nativeAPIs=[native],
    )
    served, native_api = Api("api.example.com", "v2", "Served"), Api("apps", "v1", "Deployment")
    assert view.owned_crds == ("things.example.com",)
    assert view.owned_apis == (Api("example.com", "v1", "Thing"), served)
    assert view.owned_api_services == (served,)
    assert view.required_apis == (Api("example.org", "v1", "Thing"), served, native_api)


def test_view_of_csv_keeps_webhooks_in_their_typed_form() -> None:
    webhook = {"generateName": "a.example.com", "type": "ValidatingAdmissionWebhook", "unknown": 1}
    typed = {"admissionReviewVersions": None, "generateName": "a.example.com", "sideEffects": None}
    assert view_with(webhookdefinitions=[webhook]).webhooks == ({**typed, "type": "ValidatingAdmissionWebhook"},)
