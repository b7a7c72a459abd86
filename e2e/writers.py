"""Who wrote what, from the audit log: the controller writes its own objects as itself, all others as an account."""

from __future__ import annotations

import time

from devcluster.audit import AuditLog, Request
from devcluster.waiting import wait_for
from e2e.world import UnmetError

__all__ = ["objects_written", "require_rest"]

_CONTROLLER = "operator-controller-controller-manager"
_CATALOGD = "catalogd-controller-manager"
_OWN = ("/apis/olm.operatorframework.io/", "/apis/events.k8s.io/", "/api/v1/namespaces/olmv1-system/secrets")
_LEASES = "/apis/coordination.k8s.io/"


def objects_written(audit: AuditLog, since: int = 0) -> list[Request]:
    """The writes of the operator-controller to objects of extensions."""
    asked = audit.requests(user=_CONTROLLER, since=since)
    return [request for request in asked if request.is_write and not request.uri.startswith(_OWN)]


def require_rest(audit: AuditLog, seconds: float) -> None:
    """Return when for `seconds` from now neither component wrote anything but Leases.

    Raises: UnmetError naming the first write.
    """
    since, end = audit.position(), time.monotonic() + seconds

    def is_over() -> bool:
        asked = [r for r in audit.requests(since=since) if r.user.endswith((_CONTROLLER, _CATALOGD))]
        writes = [r for r in asked if r.is_write and not r.uri.startswith(_LEASES)]
        if writes:
            shown = "\n".join(f"{r.verb} {r.uri} by {r.as_user or r.user}" for r in writes)
            raise UnmetError(f"no write at rest, for {seconds:g} s", shown)
        return time.monotonic() > end

    wait_for(is_over, f"{seconds:g} s to pass", timeout_s=seconds + 10)
