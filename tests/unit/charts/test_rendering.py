"""What `helm template` makes of the chart: the rights and policies of `config/`, and pods that need no others."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
import yaml

from catalogd.settings import Settings as CatalogdSettings
from olmv1.settings import parse_settings
from operator_controller.settings import Settings as ControllerSettings
from tests.helm import helm_path
from tests.our_chart import EVERYTHING
from tools.chart.copies import PROJECT
from tools.chart.rendering import ChartRefused, rendered

SYSTEM = "olmv1-system"
RBAC = ("ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding")
PROVIDERS = ("own", "cert-manager", "service-ca", "files")


def render(values: Mapping[str, Any] | None = None, namespace: str = SYSTEM) -> dict[str, dict[str, Any]]:
    """The objects by `Kind/[namespace/]name`."""
    return _render(json.dumps(values or {}), namespace)


@cache
def _render(values: str, namespace: str) -> dict[str, dict[str, Any]]:
    given = {name: json.dumps(value) for name, value in json.loads(values).items()}
    text = rendered(helm_path(), given, namespace=namespace)
    found = [each for each in yaml.load_all(text, Loader=yaml.CSafeLoader) if each]
    made = {_key(each): each for each in found}
    assert len(made) == len(found)
    return made


def _key(manifest: Mapping[str, Any]) -> str:
    metadata = manifest["metadata"]
    return "/".join(filter(None, (manifest["kind"], metadata.get("namespace"), metadata["name"])))


def of_config(*folders: str) -> dict[str, dict[str, Any]]:
    paths = [path for folder in folders for path in sorted((PROJECT / "config" / folder).glob("*.yaml"))]
    return {_key(each): each for path in paths for each in yaml.safe_load_all(path.read_text())}


def pod_of(objects: Mapping[str, Any], component: str, namespace: str = SYSTEM) -> dict[str, Any]:
    pod: dict[str, Any] = objects[f"Deployment/{namespace}/{component}-controller-manager"]["spec"]["template"]["spec"]
    return pod


def arguments(objects: Mapping[str, Any], component: str) -> list[str]:
    found: list[str] = pod_of(objects, component)["containers"][0]["args"]
    return found


def kinds(objects: Mapping[str, Any], *wanted: str) -> dict[str, Any]:
    return {key: each for key, each in objects.items() if each["kind"] in wanted}


def test_rights_are_those_of_config_and_no_others() -> None:
    assert kinds(render(), *RBAC) == kinds(of_config("rbac"), *RBAC)


def test_accounts_and_policies_are_those_of_config() -> None:
    objects, policies = render(), of_config("admission")
    assert {key: objects.get(key) for key in policies} == policies
    accounts = kinds(of_config("rbac"), "ServiceAccount")
    assert kinds(objects, "ServiceAccount") == accounts


def test_crds_are_those_of_config_and_stay_when_the_release_goes() -> None:
    optional = {"crds": {"operatorConditions": True}}
    made = kinds(render(optional), "CustomResourceDefinition")
    config = of_config("crd", "crd-optional")
    assert {key: each["spec"] for key, each in made.items()} == {key: each["spec"] for key, each in config.items()}
    assert {each["metadata"]["annotations"]["helm.sh/resource-policy"] for each in made.values()} == {"keep"}
    assert kinds(render(), "CustomResourceDefinition").keys() == of_config("crd").keys()
    assert kinds(render({"crds": {"install": False}}), "CustomResourceDefinition") == {}


def test_defaults_bind_no_administrator_and_write_secrets_of_their_own_namespace_only() -> None:
    objects = render()
    bindings = kinds(objects, "ClusterRoleBinding", "RoleBinding").values()
    bound = {binding["roleRef"]["name"] for binding in bindings}
    assert bound & {"admin", "cluster-admin", "edit"} == set()
    assert [b["metadata"]["name"] for b in bindings if b["subjects"][0]["namespace"] != SYSTEM] == []
    writers = []
    for key, role in kinds(objects, "ClusterRole", "Role").items():
        rules = [rule for rule in role["rules"] if {"secrets", "*"} & set(rule.get("resources", ()))]
        verbs = {verb for rule in rules for verb in rule["verbs"]}
        assert "*" not in verbs
        writers += [key] if verbs - {"get", "list", "watch"} else []
    assert [key for key in writers if not key.startswith(f"Role/{SYSTEM}/")] == []


@pytest.mark.parametrize("namespace", ["olmv1-system-2", "operators", "123"])
def test_everything_follows_the_namespace_of_the_release(namespace: str) -> None:
    objects = render(EVERYTHING, namespace)
    assert objects[f"Namespace/{namespace}"]["metadata"]["annotations"] == {"helm.sh/resource-policy": "keep"}
    own = {each["metadata"]["namespace"] for each in objects.values() if "namespace" in each["metadata"]}
    assert own == {namespace, "default", "logins"}
    left = [key for key, each in objects.items() if re.search(rf"{SYSTEM}(?!-2)", json.dumps(each))]
    assert left == []
    policy = objects["ValidatingAdmissionPolicy/clusterextension-account.olm.operatorframework.io"]
    variables = {each["name"]: each["expression"] for each in policy["spec"]["variables"]}
    assert variables["accountNamespace"].endswith(f": '{namespace}'")


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("values", [pytest.param({}, id="defaults"), pytest.param(EVERYTHING, id="everything")])
def test_components_understand_their_flags(provider: str, values: Mapping[str, Any]) -> None:
    objects = render({**values, "certificates": {"provider": provider}})
    catalogd = parse_settings(CatalogdSettings, arguments(objects, "catalogd"))
    controller = parse_settings(ControllerSettings, arguments(objects, "operator-controller"))
    assert catalogd.base_url("lights") == f"https://catalogd-service.{SYSTEM}.svc/catalogs/lights"
    assert (catalogd.notices(), controller.notices()) == ((), ())
    assert (catalogd.has_certificate, controller.has_certificate) == (True, True)
    assert (catalogd.namespace, controller.namespace) == (SYSTEM, SYSTEM)
    for component, settings in (("catalogd", catalogd), ("operator-controller", controller)):
        ports = {each["name"]: each["containerPort"] for each in pod_of(objects, component)["containers"][0]["ports"]}
        assert settings.metrics_bind_address is not None
        assert settings.health_probe_bind_address is not None
        assert ports["metrics"] == settings.metrics_bind_address.port
        assert ports["health"] == settings.health_probe_bind_address.port


def test_values_become_flags() -> None:
    objects = render(EVERYTHING)
    catalogd = parse_settings(CatalogdSettings, arguments(objects, "catalogd"))
    controller = parse_settings(ControllerSettings, arguments(objects, "operator-controller"))
    assert (catalogd.gc_interval, catalogd.max_downloads, catalogd.v, catalogd.leader_elect) == (3600, 1000000, 1, True)
    assert not catalogd.feature_gates.is_on("APIV1MetasHandler")
    assert (controller.workers, controller.leader_elect, controller.cert_provider) == (4, False, "none")
    assert controller.allow_unscoped
    assert str(controller.global_pull_secret) == str(catalogd.global_pull_secret) == "logins/pull"
    assert (catalogd.tls_profile, catalogd.tls_custom_version, catalogd.tls_custom_curves) == (
        "custom",
        "TLSv1.3",
        "X25519",
    )
    assert catalogd.require_image_policy
    assert not parse_settings(ControllerSettings, arguments(render(), "operator-controller")).allow_unscoped


def test_mounts_have_volumes_and_flags_have_mounts() -> None:
    for provider in PROVIDERS:
        objects = render({**EVERYTHING, "certificates": {"provider": provider}})
        for component in ("catalogd", "operator-controller"):
            pod = pod_of(objects, component)
            (container,) = pod["containers"]
            mounts = {each["mountPath"]: each["name"] for each in container["volumeMounts"]}
            assert sorted(mounts.values()) == sorted(each["name"] for each in pod["volumes"])
            paths = re.findall(r"=(/var/[a-z-]+)", " ".join(container["args"]))
            assert set(paths) <= set(mounts)
            assert {"/tmp", f"/var/cache/{component}", "/etc/containers"} <= set(mounts)


def test_pods_run_without_privileges() -> None:
    for component in ("catalogd", "operator-controller"):
        pod = pod_of(render(), component)
        assert pod["securityContext"] == {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}}
        assert pod["containers"][0]["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "readOnlyRootFilesystem": True,
        }
        assert [volume for volume in pod["volumes"] if "hostPath" in volume] == []


def test_disruption_budgets_begin_with_two_replicas() -> None:
    assert kinds(render(), "PodDisruptionBudget") == {}
    made = kinds(render({"catalogd": {"replicas": 2}}), "PodDisruptionBudget")
    assert list(made) == [f"PodDisruptionBudget/{SYSTEM}/catalogd-controller-manager"]
    assert len(kinds(render(EVERYTHING), "PodDisruptionBudget")) == 2


def test_selectors_find_the_pods() -> None:
    objects = render(EVERYTHING)
    labels = {
        component: objects[f"Deployment/{SYSTEM}/{component}-controller-manager"]["spec"]["template"]["metadata"][
            "labels"
        ]
        for component in ("catalogd", "operator-controller")
    }
    for key, each in kinds(objects, "Service", "NetworkPolicy", "PodDisruptionBudget", "Deployment").items():
        spec = each["spec"]
        selector = spec.get("podSelector") or spec["selector"]
        wanted = selector.get("matchLabels", selector)
        component = each["metadata"]["labels"]["app.kubernetes.io/name"]
        assert wanted.items() <= labels[component].items(), key
        others = [name for name in labels if name != component and wanted.items() <= labels[name].items()]
        assert others == [], key


def test_claim_is_given_up_before_the_next_pod_takes_it() -> None:
    objects = render({"catalogd": {"cache": {"existingClaim": "catalogs"}}})
    deployment = objects[f"Deployment/{SYSTEM}/catalogd-controller-manager"]["spec"]
    assert deployment["strategy"] == {"type": "Recreate"}
    cache = next(each for each in deployment["template"]["spec"]["volumes"] if each["name"] == "cache")
    assert cache == {"name": "cache", "persistentVolumeClaim": {"claimName": "catalogs"}}


def test_proxy_spares_the_cluster() -> None:
    env = {each["name"]: each["value"] for each in pod_of(render(EVERYTHING), "catalogd")["containers"][0]["env"]}
    assert env == {
        "HTTP_PROXY": "http://proxy.example.com:3128",
        "HTTPS_PROXY": "http://proxy.example.com:3129",
        "NO_PROXY": "10.0.0.0/8,$(KUBERNETES_SERVICE_HOST),localhost,127.0.0.1,.svc,.cluster.local",
    }
    assert "env" not in pod_of(render(), "catalogd")["containers"][0]


def test_global_pull_secret_elsewhere_can_be_read_by_name() -> None:
    role = render(EVERYTHING)["Role/logins/catalogd-global-pull-secret-role"]
    assert role["rules"] == [
        {"apiGroups": [""], "resources": ["secrets"], "resourceNames": ["pull"], "verbs": ["get", "list", "watch"]}
    ]
    here = {"globalPullSecret": {"namespace": SYSTEM, "name": "pull"}}
    assert kinds(render(here), "Role").keys() == kinds(render(), "Role").keys()


def test_catalogs_come_after_the_rest_and_are_not_deleted() -> None:
    catalog = render(EVERYTHING)["ClusterCatalog/lights"]
    assert catalog["spec"] == {
        "priority": -5,
        "source": {"type": "Image", "image": {"ref": "registry.example.com/lights:v1", "pollIntervalMinutes": 10}},
    }
    assert catalog["metadata"]["annotations"] == {
        "helm.sh/hook": "post-install,post-upgrade",
        "helm.sh/hook-delete-policy": "hook-failed",
    }


def test_service_ca_makes_both_certificates_and_hands_its_authority_over() -> None:
    objects = render({"certificates": {"provider": "service-ca"}})
    annotation = "service.beta.openshift.io/serving-cert-secret-name"
    for component in ("catalogd", "operator-controller"):
        service = objects[f"Service/{SYSTEM}/{component}-service"]
        assert service["metadata"]["annotations"] == {annotation: f"{component}-serving"}
        volumes = {each["name"]: each for each in pod_of(objects, component)["volumes"]}
        assert volumes["certificate"]["secret"] == {"secretName": f"{component}-serving"}
    assert volumes["catalogd-ca"]["configMap"] == {"name": "catalogd-ca"}
    assert f"ConfigMap/{SYSTEM}/catalogd-ca" in objects


def test_cert_manager_signs_for_the_names_of_the_services() -> None:
    own = render({"certificates": {"provider": "cert-manager"}})
    certificate = own[f"Certificate/{SYSTEM}/catalogd-serving"]["spec"]
    service = f"catalogd-service.{SYSTEM}.svc"
    assert certificate["dnsNames"] == ["localhost", service, f"{service}.cluster.local"]
    assert certificate["issuerRef"] == {"kind": "Issuer", "name": "olmv1-ca"}
    issuer = {"kind": "ClusterIssuer", "name": "company"}
    given = render({"certificates": {"provider": "cert-manager", "certManager": {"issuerRef": issuer}}})
    assert {each["spec"]["issuerRef"]["name"] for each in kinds(given, "Certificate").values()} == {"company"}
    assert kinds(given, "Issuer") == {}


def test_files_name_the_secrets_of_the_administrator() -> None:
    files = {"catalogdSecret": "one", "operatorControllerSecret": "two", "authoritySecret": "three"}
    objects = render({"certificates": {"provider": "files", "files": files}})
    volumes = [volume for c in ("catalogd", "operator-controller") for volume in pod_of(objects, c)["volumes"]]
    assert [volume["secret"]["secretName"] for volume in volumes if "secret" in volume] == ["one", "two", "three"]


def test_own_certificates_need_no_secret_before_the_start() -> None:
    objects = render()
    volumes = [volume for c in ("catalogd", "operator-controller") for volume in pod_of(objects, c)["volumes"]]
    assert [volume for volume in volumes if "secret" in volume] == []
    assert "--own-certificates=catalogd-serving" in arguments(objects, "catalogd")
    assert "--catalogd-ca-secret=catalogd-serving" in arguments(objects, "operator-controller")


def test_monitoring_carries_rules_and_dashboard() -> None:
    objects = render(EVERYTHING)
    rule = objects[f"PrometheusRule/{SYSTEM}/olmv1"]["spec"]
    assert any(each["alert"] == "OlmExtensionNeedsAChange" for group in rule["groups"] for each in group["rules"])
    assert json.loads(objects[f"ConfigMap/{SYSTEM}/olmv1-dashboard"]["data"]["olmv1.json"])["uid"] == "olmv1"
    subjects = objects["ClusterRoleBinding/catalogd-metrics-reader"]["subjects"]
    assert subjects == [{"kind": "ServiceAccount", "name": "prometheus", "namespace": "monitoring"}]
    monitoring = {"PrometheusRule", "ServiceMonitor", "ConfigMap"}
    assert kinds(render(), *monitoring) == {}


def test_helm_tells_where_a_value_is_wrong() -> None:
    with pytest.raises(ChartRefused) as refused:
        render({"catalogd": {"replicas": "two"}})
    assert str(refused.value).splitlines()[-1] == "- at '/catalogd/replicas': got string, want integer"
