"""Certificates that the controller makes itself, on a real API server: made, trusted, repaired, renewed, removed."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from cryptography import x509
from cryptography.x509.verification import PolicyBuilder, Store

from devcluster.cluster import Cluster
from devcluster.components import Component
from devcluster.waiting import wait_for
from olmv1.tls.authority import KeyPair, Span, issue, new_authority
from operator_controller.rollout.authority_secret import Stored, data_of
from tests.api.operator_controller.conftest import Sets

EXTRAS = "extras.olm.operatorframework.io"
SYSTEM = "olmv1-system"
SECRET, SERVICE = "hook-service-cert", "hook-service"


class Hooked:
    """Hand-made revisions of an operator with a webhook and a converted CRD, under names of their own."""

    def __init__(self, sets: Sets, cluster: Cluster) -> None:
        self.sets = sets
        self.cluster = cluster
        self.kubectl = sets.kubectl
        self.namespace = sets.namespace
        self.group = f"{sets.namespace}.example.com"
        self.rule: dict[str, Any] = {}
        account = {"kind": "ServiceAccount", "name": "installer", "namespace": self.namespace}
        role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"}
        binding = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "roleRef": role}
        self.kubectl.apply({**binding, "metadata": {"name": self.namespace}, "subjects": [account]})

    @property
    def crd_name(self) -> str:
        return f"hooks.{self.group}"

    def service(self) -> dict[str, Any]:
        metadata = {"name": SERVICE, "namespace": self.namespace, "annotations": {f"{EXTRAS}/serving-cert": SECRET}}
        spec = {"selector": {"app": "hook"}, "ports": [{"name": "443", "port": 443, "targetPort": 9443}]}
        return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": spec}

    def deployment(self, **spec: Any) -> dict[str, Any]:
        labels = {"app": "hook"}
        volume = {"name": "webhook-cert", "secret": {"secretName": SECRET}}
        pod = {"containers": [{"name": "manager", "image": "registry.example.com/hook:v1"}], "volumes": [volume]}
        template = {"metadata": {"labels": labels}, "spec": pod}
        wanted = {"replicas": 1, "selector": {"matchLabels": labels}, "template": template, **spec}
        metadata = {"name": "hook", "namespace": self.namespace}
        return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": wanted}

    def webhook(self) -> dict[str, Any]:
        """Guards, unless told otherwise by `rule`, only what nobody makes: the pods of this cluster answer nothing."""
        rule = {"apiGroups": [self.group], "operations": ["CREATE"], "resources": ["hooks"], **self.rule}
        where = {"matchLabels": {"kubernetes.io/metadata.name": self.namespace}}
        call = {
            "name": f"v.{self.group}",
            "clientConfig": self._client("/validate"),
            "rules": [{"apiVersions": ["*"], **rule}],
            "namespaceSelector": where,
            "timeoutSeconds": 1,
        }
        metadata = {"name": self.namespace, "namespace": self.namespace, "annotations": self._annotations()}
        return {
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": "ValidatingWebhookConfiguration",
            "metadata": metadata,
            "webhooks": [{**call, "sideEffects": "None", "admissionReviewVersions": ["v1"], "failurePolicy": "Fail"}],
        }

    def crd(self) -> dict[str, Any]:
        schema = {"openAPIV3Schema": {"type": "object"}}
        versions = [{"name": f"v{n}", "served": True, "storage": n == 1, "schema": schema} for n in (1, 2)]
        names = {"plural": "hooks", "singular": "hook", "kind": "Hook", "listKind": "HookList"}
        webhook = {"clientConfig": self._client("/convert"), "conversionReviewVersions": ["v1"]}
        conversion = {"strategy": "Webhook", "webhook": webhook}
        spec = {"group": self.group, "scope": "Namespaced", "names": names, "versions": versions}
        return {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": self.crd_name, "annotations": self._annotations()},
            "spec": {**spec, "conversion": conversion},
        }

    def roll_out(self, number: int = 1, **deployment: Any) -> str:
        """Apply a revision with all of it, in the phases that a bundle would have."""
        phases = [[self.crd()], [self.service()], [self.deployment(**deployment)], [self.webhook()]]
        probe = {
            "selector": {"type": "GroupKind", "groupKind": {"group": "apps", "kind": "Deployment"}},
            "assertions": [{"type": "ConditionEqual", "conditionEqual": {"type": "Available", "status": "True"}}],
        }
        return self.sets.apply(number, *phases, progressionProbes=[probe])

    def installed(self, number: int = 1) -> Hooked:
        name = self.roll_out(number)
        self.sets.wait(name, "Progressing", timeout_s=40, reason="Succeeded")
        return self

    def stop_pods(self) -> None:
        """End the pods of the operator, and let no new ones run."""
        quota = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q", "namespace": self.namespace}}
        self.kubectl.apply({**quota, "spec": {"hard": {"pods": "0"}}})
        eventually(lambda: "hard" in self._quota().get("status", {}), "the quota to hold")
        self.kubectl.run("delete", "pods", "--all", "-n", self.namespace)
        self.sets.wait(f"{self.sets.owner}-1", "Available", status="False")

    def let_pods_run(self) -> None:
        """Undo `stop_pods`; the restart spares the wait for the next try of the controller of the pods."""
        self.kubectl.delete("resourcequota", "q", self.namespace)
        self.kubectl.run("rollout", "restart", "deployment/hook", "-n", self.namespace)

    def _quota(self) -> dict[str, Any]:
        return self.kubectl.get("resourcequota", "q", self.namespace) or {}

    def secret(self) -> dict[str, Any] | None:
        return self.kubectl.get("secret", SECRET, self.namespace)

    def pair(self) -> tuple[str, str]:
        """Certificate and key in the Secret, empty where there is none."""
        data = (self.secret() or {}).get("data") or {}
        return decoded(data.get("tls.crt")), decoded(data.get("tls.key"))

    def webhook_trust(self) -> str:
        found = self.kubectl.get("validatingwebhookconfiguration", self.namespace)
        return decoded(found["webhooks"][0]["clientConfig"].get("caBundle")) if found else ""

    def crd_trust(self) -> str:
        found = self.kubectl.get("crd", self.crd_name) or {}
        return decoded(found["spec"]["conversion"]["webhook"]["clientConfig"].get("caBundle")) if found else ""

    def authority(self) -> dict[str, Any] | None:
        """The Secret in the system namespace."""
        selector = f"olm.operatorframework.io/owner-name={self.sets.owner}"
        found = self.kubectl.items("secrets", SYSTEM, selector=selector)
        return found[0] if found else None

    def keep(self, stored: Stored) -> None:
        """Write another content into the Secret of the authority."""
        secret = self.authority()
        assert secret is not None
        fields = {key: value for key, value in secret["metadata"].items() if key in ("name", "namespace", "labels")}
        self.kubectl.run("replace", "-f", "-", stdin=_json({**secret, "metadata": fields, "data": data_of(stored)}))

    def is_healthy(self) -> bool:
        """Whether both callers verify the certificate that is served."""
        certificate, _ = self.pair()
        return (
            bool(certificate)
            and verifies(certificate, self.webhook_trust(), self.host)
            and self.crd_trust() == (self.webhook_trust())
        )

    @property
    def host(self) -> str:
        """The name that the API server asks for."""
        return f"{SERVICE}.{self.namespace}.svc"

    def forget(self) -> None:
        self.kubectl.delete("clusterrolebinding", self.namespace, wait=False)

    def _client(self, path: str) -> dict[str, Any]:
        return {"service": {"namespace": self.namespace, "name": SERVICE, "path": path, "port": 443}}

    def _annotations(self) -> dict[str, str]:
        return {f"{EXTRAS}/inject-ca": f"{self.namespace}/{SECRET}"}


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


def decoded(text: str | None) -> str:
    return base64.b64decode(text).decode() if text else ""


def verifies(certificate: str, bundle: str, host: str, at: datetime | None = None) -> bool:
    """Whether a client that trusts `bundle` accepts the certificate for `host`."""
    if not bundle:
        return False
    roots = Store(x509.load_pem_x509_certificates(bundle.encode()))
    verifier = PolicyBuilder().store(roots).time(at or datetime.now(UTC)).build_server_verifier(x509.DNSName(host))
    try:
        verifier.verify(x509.load_pem_x509_certificate(certificate.encode()), [])
    except x509.verification.VerificationError:
        return False
    return True


def count(bundle: str) -> int:
    return bundle.count("BEGIN CERTIFICATE")


@pytest.fixture
def hooked(sets: Sets, olm: Cluster) -> Iterator[Hooked]:
    made = Hooked(sets, olm)
    yield made
    sets.clean()  # while the account still has its rights
    made.forget()


def eventually(check: Callable[[], Any], what: str) -> Any:
    return wait_for(check, what, timeout_s=20)


def test_webhook_gets_a_certificate_that_its_callers_trust(hooked: Hooked) -> None:
    hooked.installed()
    certificate, key = hooked.pair()
    names = x509.load_pem_x509_certificate(certificate.encode()).extensions.get_extension_for_class(
        x509.SubjectAlternativeName
    )
    host = f"{SERVICE}.{hooked.namespace}"
    assert set(names.value.get_values_for_type(x509.DNSName)) == {host, f"{host}.svc", f"{host}.svc.cluster.local"}
    assert "PRIVATE KEY" in key
    assert hooked.is_healthy()
    assert not verifies(certificate, hooked.webhook_trust(), "other.svc")


def test_secret_with_the_certificate_is_written_by_the_account_and_owned_by_the_revision(hooked: Hooked) -> None:
    hooked.installed()
    secret = hooked.secret() or {}
    assert (secret["type"], sorted(secret["data"])) == ("kubernetes.io/tls", ["tls.crt", "tls.key"])
    assert [owner["name"] for owner in secret["metadata"]["ownerReferences"]] == [f"{hooked.sets.owner}-1"]
    place = f"/namespaces/{hooked.namespace}/secrets/{SECRET}"
    writes = [item for item in hooked.cluster.audit.requests() if place in item.uri and item.is_write]
    assert {item.as_user for item in writes} == {f"system:serviceaccount:{hooked.namespace}:installer"}


def test_keys_of_the_authority_are_in_the_system_namespace_only(hooked: Hooked) -> None:
    hooked.installed()
    authority = hooked.authority() or {}
    serving = f"{hooked.namespace}.{SECRET}"
    assert sorted(authority["data"]) == sorted(["ca.crt", "ca.key", f"{serving}.crt", f"{serving}.key"])
    assert authority["type"] == "olm.operatorframework.io/certificates"
    assert decoded(authority["data"]["ca.crt"]) == hooked.webhook_trust()


def test_deleted_secret_comes_back_with_the_same_certificate(hooked: Hooked) -> None:
    before = hooked.installed().pair()
    hooked.kubectl.delete("secret", SECRET, hooked.namespace)
    eventually(lambda: hooked.pair() == before, "the Secret to be back")


def test_edited_secret_is_repaired(hooked: Hooked) -> None:
    before = hooked.installed().pair()
    patch = '{"data": {"tls.crt": "bm9uZQ==", "mine": "dG9v"}}'
    hooked.kubectl.run("patch", "secret", SECRET, "-n", hooked.namespace, "--type=merge", "-p", patch)
    eventually(lambda: hooked.pair() == before, "the certificate to be back")
    assert (hooked.secret() or {})["data"]["mine"] == "dG9v"


def test_edited_trust_is_repaired(hooked: Hooked) -> None:
    hooked.installed()
    other = base64.b64encode(new_authority("other", _span(30)).certificate.encode()).decode()
    place = "/webhooks/0/clientConfig/caBundle"
    patch = f'[{{"op": "replace", "path": "{place}", "value": "{other}"}}]'
    hooked.kubectl.run("patch", "validatingwebhookconfiguration", hooked.namespace, "--type=json", "-p", patch)
    patch = f'{{"spec": {{"conversion": {{"webhook": {{"clientConfig": {{"caBundle": "{other}"}}}}}}}}}}'
    hooked.kubectl.run("patch", "crd", hooked.crd_name, "--type=merge", "-p", patch)
    eventually(hooked.is_healthy, "both trusts to be back")


def test_deleted_authority_is_made_anew_and_trusted_alone(hooked: Hooked) -> None:
    before = hooked.installed().webhook_trust()
    name = (hooked.authority() or {})["metadata"]["name"]
    hooked.kubectl.delete("secret", name, SYSTEM)
    eventually(lambda: hooked.webhook_trust() != before and hooked.is_healthy(), "a new authority")
    assert count(hooked.webhook_trust()) == 1


def test_ageing_certificate_is_renewed_by_the_same_authority(hooked: Hooked) -> None:
    trust, old = hooked.installed().webhook_trust(), hooked.pair()
    authority = _stored(hooked)
    assert authority.signer is not None
    ageing = issue(authority.signer, [hooked.host], _span(100))
    hooked.keep(Stored(authority.signer, serving={(hooked.namespace, SECRET): ageing}))
    eventually(lambda: hooked.pair() not in (old, ("", "")) and hooked.is_healthy(), "a renewed certificate")
    days = (_end(hooked.pair()[0]) - datetime.now(UTC)).days
    assert (hooked.webhook_trust(), days in (364, 365)) == (trust, True)


def test_ageing_authority_is_replaced_without_a_moment_of_mistrust(hooked: Hooked) -> None:
    hooked.installed()
    ageing = new_authority("ageing", _span(200))
    old = issue(ageing, [hooked.host], _span(200))
    hooked.keep(Stored(ageing, serving={(hooked.namespace, SECRET): old}))
    eventually(lambda: count(hooked.webhook_trust()) == 2 and hooked.is_healthy(), "the successor to be trusted too")
    eventually(lambda: not verifies(hooked.pair()[0], ageing.certificate, hooked.host), "the successor to take over")
    eventually(hooked.is_healthy, "everybody to trust the successor")
    assert verifies(old.certificate, hooked.webhook_trust(), hooked.host)
    assert sorted(key for key in (hooked.authority() or {})["data"] if "ca" in key and SECRET not in key) == [
        "ca.crt",
        "ca.key",
        "retired-ca.crt",
    ]


def test_expired_authority_is_replaced_at_once(hooked: Hooked) -> None:
    hooked.installed()
    now = datetime.now(UTC)
    ended = new_authority("ended", Span(now - timedelta(days=9), now - timedelta(days=1)))
    hooked.keep(Stored(ended, retired=(ended.certificate,)))
    eventually(lambda: count(hooked.webhook_trust()) == 1 and hooked.is_healthy(), "a new authority")


def test_broken_authority_heals(hooked: Hooked) -> None:
    hooked.installed()
    name = (hooked.authority() or {})["metadata"]["name"]
    patch = '{"data": {"ca.key": "bm9uZQ==", "retired-ca.crt": "bm9uZQ=="}}'
    hooked.kubectl.run("patch", "secret", name, "-n", SYSTEM, "--type=merge", "-p", patch)
    eventually(lambda: count(hooked.webhook_trust()) == 2 and hooked.is_healthy(), "a new authority beside the old")


def test_upgrade_keeps_authority_and_certificate(hooked: Hooked) -> None:
    hooked.installed()
    before, uid = (hooked.pair(), hooked.webhook_trust()), (hooked.secret() or {})["metadata"]["uid"]
    hooked.installed(2)
    hooked.sets.wait(f"{hooked.sets.owner}-1", "Progressing", reason="Archived")
    assert (hooked.pair(), hooked.webhook_trust()) == before
    metadata = (hooked.secret() or {})["metadata"]
    owners = [owner["name"] for owner in metadata["ownerReferences"]]
    assert (metadata["uid"], owners) == (uid, [f"{hooked.sets.owner}-2"])
    assert hooked.is_healthy()


def test_removal_leaves_no_certificate(hooked: Hooked) -> None:
    hooked.installed()
    hooked.sets.clean()
    assert hooked.secret() is None
    eventually(lambda: hooked.authority() is None, "the authority to be collected")


def test_webhook_is_not_made_before_its_endpoint_is_ready(hooked: Hooked) -> None:
    name = hooked.roll_out(replicas=0)
    text = (
        f"Object ValidatingWebhookConfiguration.admissionregistration.k8s.io/v1 /{hooked.namespace}: "
        f"waits for an endpoint of Service {hooked.namespace}/{SERVICE}"
    )
    hooked.sets.wait(name, "Available", reason="ProbeFailure", message=text)
    assert hooked.kubectl.get("validatingwebhookconfiguration", hooked.namespace) is None
    hooked.kubectl.run("delete", "clusterobjectset", name, "--timeout=150s")


def test_deleted_webhook_stays_away_until_its_endpoint_is_back(hooked: Hooked) -> None:
    hooked.installed().stop_pods()
    hooked.kubectl.delete("validatingwebhookconfiguration", hooked.namespace)
    waits = f"waits for an endpoint of Service {hooked.namespace}/{SERVICE}"
    name = f"{hooked.sets.owner}-1"
    eventually(lambda: waits in hooked.sets.wait(name, "Available")["message"], "the webhook to wait")
    assert hooked.webhook_trust() == ""
    hooked.let_pods_run()
    eventually(hooked.is_healthy, "the webhook to be back")


def test_webhook_that_blocks_its_own_upgrade_can_be_broken(hooked: Hooked) -> None:
    hooked.rule = {"apiGroups": ["apps"], "operations": ["UPDATE"], "resources": ["deployments"]}
    hooked.installed()
    second = hooked.roll_out(2, revisionHistoryLimit=1)
    advice = (
        f"the revision cannot be written because of its own webhook v.{hooked.group}: if its endpoint does not come "
        f'up, delete ValidatingWebhookConfiguration "{hooked.namespace}"; it is made again when the endpoint is ready'
    )
    message = hooked.sets.wait(second, "Progressing", reason="Retrying", timeout_s=30)["message"]
    assert (message.split("\n")[1:], "failed calling webhook" in message) == ([advice], True)
    hooked.kubectl.delete("validatingwebhookconfiguration", hooked.namespace)
    hooked.sets.wait(second, "Progressing", reason="Succeeded", timeout_s=30)
    assert hooked.is_healthy()


def test_certificates_survive_a_restart_and_crashes_between_writes(hooked: Hooked, controller: Component) -> None:
    before = hooked.installed().pair()
    controller.kill()
    eventually(lambda: not controller.is_running, "the controller to be gone")
    hooked.kubectl.delete("secret", SECRET, hooked.namespace)
    hooked.kubectl.delete("validatingwebhookconfiguration", hooked.namespace)
    controller.start().wait_ready()
    eventually(lambda: hooked.pair() == before and hooked.is_healthy(), "everything to be as it was")


def _stored(hooked: Hooked) -> Stored:
    data = (hooked.authority() or {})["data"]
    return Stored(KeyPair(decoded(data["ca.crt"]), decoded(data["ca.key"])))


def _span(days: int) -> Span:
    now = datetime.now(UTC)
    return Span(now - timedelta(hours=1), now + timedelta(days=days))


def _end(certificate: str) -> datetime:
    return x509.load_pem_x509_certificate(certificate.encode()).not_valid_after_utc
