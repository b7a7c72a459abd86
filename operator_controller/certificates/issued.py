"""The certificates of a revision for one pass, and how they get into its objects.

The stored content of a revision never changes: certificates are filled in when an object is sent. What was filled in is
part of what an object is remembered by, so a new certificate makes it be sent again, and drift repair restores it.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from olmv1.api.names import LABEL_OWNER_KIND
from olmv1.manifests import Manifest
from operator_controller.revisions.plan import Place, PlannedObject

__all__ = ["Issued", "ServingPair"]


@dataclass(frozen=True, slots=True)
class ServingPair:
    """A serving certificate and its key, PEM."""

    certificate: str
    key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Issued:
    """What is filled in during one pass.

    `bundle` holds every authority to trust, PEM; it also tells which trust a pass has spread. `owner_kind` becomes a
    label of the Secrets, as other objects of the revision have it. `look_at` is when something will be due.
    """

    bundle: str
    pairs: Mapping[Place, ServingPair]
    look_at: datetime
    awaits_spread: bool = False
    """Whether a new authority waits for everybody to trust it."""
    owner_kind: str = ""

    def stamp(self, planned: PlannedObject) -> str:
        """What is filled into an object, as a short text; empty when nothing is."""
        if planned.place is None:
            return _digest(self._pair(planned).certificate)
        return _digest(self.bundle) if planned.trusts is not None else ""

    def secret(self, planned: PlannedObject) -> dict[str, Any]:
        """The content of a Secret with a certificate, as a revision would store it."""
        pair = self._pair(planned)
        metadata: dict[str, Any] = {"name": planned.key.name, "namespace": planned.key.namespace}
        if self.owner_kind:
            metadata["labels"] = {LABEL_OWNER_KIND: self.owner_kind}
        return {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": metadata,
            "type": "kubernetes.io/tls",
            "data": {"tls.crt": _base64(pair.certificate), "tls.key": _base64(pair.key)},
        }

    def filled(self, planned: PlannedObject, stored: Manifest) -> Manifest:
        """`stored` with the trust in every place where it names a Service to call; unchanged when it calls none."""
        if planned.trusts is None:
            return stored
        spec = stored.get("spec")
        if planned.key.kind == "CustomResourceDefinition":
            return {**stored, "spec": self._converted(spec)} if isinstance(spec, Mapping) else stored
        webhooks = stored.get("webhooks")
        if not isinstance(webhooks, list):
            return stored
        return {**stored, "webhooks": [self._trusting(webhook) for webhook in webhooks]}

    def _converted(self, spec: Mapping[str, Any]) -> Mapping[str, Any]:
        conversion = spec.get("conversion")
        webhook = conversion.get("webhook") if isinstance(conversion, Mapping) else None
        if not isinstance(conversion, Mapping) or not isinstance(webhook, Mapping):
            return spec
        return {**spec, "conversion": {**conversion, "webhook": self._trusting(webhook)}}

    def _trusting(self, webhook: Any) -> Any:
        client = webhook.get("clientConfig") if isinstance(webhook, Mapping) else None
        if not isinstance(client, Mapping) or "service" not in client:
            return webhook  # a URL is not ours to vouch for
        return {**webhook, "clientConfig": {**client, "caBundle": _base64(self.bundle)}}

    def _pair(self, planned: PlannedObject) -> ServingPair:
        return self.pairs[planned.key.namespace, planned.key.name]


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
