"""What of a revision the built-in certificate provider acts on: Services that serve, objects that call them.

The renderer marks both with annotations; the Secret with the certificate is in no bundle, so a plan gets it from here.
Rule: bundle-rendering.md 15 row 17, docs/decisions/006.
"""

from __future__ import annotations

from olmv1.api.names import ANNOTATION_INJECT_CA, ANNOTATION_SERVING_CERT
from olmv1.manifests import Manifest, ObjectKey, annotations_of, key_of

__all__ = ["secret_key", "serving_secret", "trusted_secret"]

_SERVING = ("", "Service")
_TRUSTING = frozenset(
    {
        ("admissionregistration.k8s.io", "ValidatingWebhookConfiguration"),
        ("admissionregistration.k8s.io", "MutatingWebhookConfiguration"),
        ("apiextensions.k8s.io", "CustomResourceDefinition"),
    }
)


def serving_secret(manifest: Manifest) -> tuple[str, str] | None:
    """Namespace and name of the Secret that a Service wants its certificate in; `None` for everything else."""
    key = key_of(manifest)
    name = annotations_of(manifest).get(ANNOTATION_SERVING_CERT, "")
    is_marked = (key.group, key.kind) == _SERVING and name and key.namespace
    return (key.namespace, name) if is_marked else None


def trusted_secret(manifest: Manifest) -> tuple[str, str] | None:
    """Namespace and name of the Secret whose authority an object must trust; `None` when it calls no such webhook."""
    key = key_of(manifest)
    namespace, _, name = annotations_of(manifest).get(ANNOTATION_INJECT_CA, "").partition("/")
    return (namespace, name) if (key.group, key.kind) in _TRUSTING and namespace and name else None


def secret_key(place: tuple[str, str]) -> ObjectKey:
    """The identity of the Secret at a namespace and name."""
    namespace, name = place
    return ObjectKey("", "v1", "Secret", namespace, name)
