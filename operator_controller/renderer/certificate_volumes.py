"""How the serving certificate of its webhooks gets into the pods of a Deployment.

Called by the Deployments generator. Nothing given is changed. Rule: bundle-rendering.md 10.7, step 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from olmv1.manifests import Manifest

__all__ = ["CERTIFICATE_MOUNTS", "removed_volumes", "with_certificate_volumes"]


@dataclass(frozen=True, slots=True)
class _Volume:
    """One of the two places where operators look for their certificate."""

    name: str
    mount_path: str
    certificate_file: str
    key_file: str

    @property
    def mount(self) -> Mapping[str, Any]:
        return {"name": self.name, "mountPath": self.mount_path}

    def of_secret(self, secret: str) -> Mapping[str, Any]:
        items = [{"key": "tls.crt", "path": self.certificate_file}, {"key": "tls.key", "path": self.key_file}]
        return {"name": self.name, "secret": {"secretName": secret, "items": items}}


_VOLUMES = (
    _Volume("webhook-cert", "/tmp/k8s-webhook-server/serving-certs", "tls.crt", "tls.key"),  # noqa: S108 - in a pod
    _Volume("apiservice-cert", "/apiserver.local.config/certificates", "apiserver.crt", "apiserver.key"),
)

CERTIFICATE_MOUNTS: tuple[Mapping[str, Any], ...] = tuple(volume.mount for volume in _VOLUMES)


def with_certificate_volumes(pod: Manifest, secret: str) -> Manifest:
    """`pod` with the certificate of `secret` at both places, instead of what was mounted there.

    Init containers keep their mounts, also of volumes that are gone.
    """
    removed = removed_volumes(pod)
    volumes = [volume for volume in pod.get("volumes", ()) if volume["name"] not in removed]
    containers = [_mounting(container, removed) for container in pod["containers"] or ()]
    return {
        **pod,
        "volumes": [*volumes, *(volume.of_secret(secret) for volume in _VOLUMES)],
        "containers": containers or pod["containers"],
    }


def removed_volumes(pod: Manifest) -> frozenset[str]:
    """The names of the volumes that the certificate takes the place of."""
    paths = {volume.mount_path for volume in _VOLUMES}
    mounts = (mount for container in pod["containers"] or () for mount in container.get("volumeMounts", ()))
    mounted = {mount["name"] for mount in mounts if mount["mountPath"] in paths}
    return frozenset(mounted | {volume.name for volume in _VOLUMES})


def _mounting(container: Manifest, removed: Set[str]) -> Manifest:
    kept: Sequence[Any] = [mount for mount in container.get("volumeMounts", ()) if mount["name"] not in removed]
    return {**container, "volumeMounts": [*kept, *CERTIFICATE_MOUNTS]}
