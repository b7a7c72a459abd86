"""The two that follow a Secret with certificates, in this process: who serves with it, and who trusts it."""

from __future__ import annotations

import asyncio
import ssl
from datetime import UTC, datetime
from typing import Any

from prometheus_client import CollectorRegistry

from devcluster.cluster import SYSTEM_NAMESPACE, Cluster
from olmv1.kube.client import KubeClient
from olmv1.kube.resources import SECRETS
from olmv1.serving_certificate.authorities import follow_authorities
from olmv1.serving_certificate.material import Material
from olmv1.serving_certificate.own import OwnCertificate
from olmv1.serving_certificate.renewal import Wanted, renewed
from olmv1.settings import SecretName
from olmv1.tls import client_context, profile_of

PATIENCE_S = 60.0


async def test_end_of_the_certificates_is_measured(olm: Cluster) -> None:
    registry, place = CollectorRegistry(), SecretName(SYSTEM_NAMESPACE, "measured")
    began = datetime.now(UTC)
    own = OwnCertificate(place, Wanted(("localhost",), "measured"), profile_of("intermediate"), registry)
    assert own.what_is_missing() == "no certificate in Secret olmv1-system/measured yet"
    async with await KubeClient.connect(str(olm.kubeconfig), user_agent="test/1") as client:
        following = asyncio.create_task(own.follow(client))
        async with asyncio.timeout(PATIENCE_S):
            while own.what_is_missing() is not None:  # noqa: ASYNC110 - it answers from memory
                await asyncio.sleep(0.02)
        following.cancel()
        await asyncio.wait([following])
        await client.delete(SECRETS, place.name, place.namespace)
    name = "olm_serving_certificate_expiration_timestamp_seconds"
    ends = [registry.get_sample_value(name, {"certificate": kind}) for kind in ("serving", "authority")]
    days = [round((end - began.timestamp()) / 86400) for end in ends if end is not None]
    assert days == [90, 730]


async def test_trust_follows_the_secret_and_nothing_unreadable(olm: Cluster) -> None:
    place, trust = SecretName(SYSTEM_NAMESPACE, "followed"), client_context(None, profile_of("intermediate"))
    roots = len(trust.context.get_ca_certs())
    pems = [renewed(Material(), Wanted(("localhost",), "x"), datetime.now(UTC)).material.trust for _ in range(2)]

    async def wait_trusted(*wanted: str) -> None:
        ders = {ssl.PEM_cert_to_DER_cert(pem) for pem in wanted}
        async with asyncio.timeout(PATIENCE_S):
            while True:
                found = trust.context.get_ca_certs(binary_form=True)
                if len(found) == roots + len(ders) and ders <= set(found):
                    return
                await asyncio.sleep(0.02)

    async with await KubeClient.connect(str(olm.kubeconfig), user_agent="test/1") as client:
        following = asyncio.create_task(follow_authorities(client, place, trust))
        secret: dict[str, Any] = {"apiVersion": "v1", "kind": "Secret"}
        secret["metadata"] = {"name": place.name, "namespace": place.namespace}
        await client.create(SECRETS, {**secret, "stringData": {"ca.crt": pems[0]}})
        await wait_trusted(pems[0])
        for unreadable in ("none", ""):
            await client.patch(SECRETS, place.name, {"stringData": {"ca.crt": unreadable}}, namespace=place.namespace)
        await wait_trusted(pems[0])
        await client.patch(SECRETS, place.name, {"stringData": {"ca.crt": pems[1]}}, namespace=place.namespace)
        await wait_trusted(pems[1])
        await client.delete(SECRETS, place.name, place.namespace)
        await wait_trusted()
        following.cancel()
        await asyncio.wait([following])


async def test_namespace_that_does_not_exist_is_named(olm: Cluster) -> None:
    place, profile = SecretName("nowhere", "serving"), profile_of("intermediate")
    own = OwnCertificate(place, Wanted(("localhost",), "serving"), profile, CollectorRegistry())
    wanted = 'Secret nowhere/serving with our own certificates cannot be written: namespaces "nowhere" not found'
    async with await KubeClient.connect(str(olm.kubeconfig), user_agent="test/1") as client:
        following = asyncio.create_task(own.follow(client))
        async with asyncio.timeout(PATIENCE_S):
            while own.what_is_missing() != wanted:  # noqa: ASYNC110 - it answers from memory
                await asyncio.sleep(0.02)
        following.cancel()
        await asyncio.wait([following])
