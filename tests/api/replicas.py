"""Several replicas of a component on one cluster: who leads, and who wrote what."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from devcluster.cluster import SYSTEM_NAMESPACE, Cluster
from devcluster.components import Component, ComponentOptions
from devcluster.waiting import wait_for

__all__ = ["TAKEOVER_S", "Replicas"]

TAKEOVER_S = 20.0
"""Within this time another replica must lead when the leader is gone without a word."""
_LEASES = {"catalogd": "catalogd-operator-lock", "operator_controller": "9c4404e7.operatorframework.io"}


class Replicas:
    """Replicas of one component, each with a token of its own, so that the audit log tells them apart."""

    def __init__(
        self,
        cluster: Cluster,
        factory: Callable[[Cluster, ComponentOptions], Component],
        count: int = 2,
        flags: Mapping[str, str | None] | None = None,
    ) -> None:
        self.cluster = cluster
        self.lease = _LEASES[factory.__name__]
        self.all = [self._make(factory, number, flags or {}) for number in range(1, count + 1)]
        self._tokens = {_token_id(Path(str(made.flags["kubeconfig"]))): made for made in self.all}

    def _make(
        self,
        factory: Callable[[Cluster, ComponentOptions], Component],
        number: int,
        flags: Mapping[str, str | None],
    ) -> Component:
        name = f"{factory.__name__}-{number}".replace("_", "-")
        made = factory(self.cluster, ComponentOptions(instance=name, flags={"leader-elect": "true", **flags}))
        shared = Path(str(made.flags["kubeconfig"]))
        own = self.cluster.workspace.write(f"accounts/{name}.kubeconfig", shared.read_bytes())
        made.flags["kubeconfig"] = str(own)
        return made

    def start(self) -> None:
        """Start what does not run, and wait until all are ready and one leads."""
        idle = [made for made in self.all if not made.is_running]
        for made in idle:
            made.start()
        for made in idle:
            made.wait_ready()
        self.leader()

    def holder(self) -> Component | None:
        """The replica that holds the lease now."""
        lease = self.cluster.kubectl.get("lease", self.lease, SYSTEM_NAMESPACE) or {"spec": {}}
        identity = lease["spec"].get("holderIdentity")
        return next((made for made in self.all if identity and identity in made.log_text()), None)

    def leader(self) -> Component:
        """The replica that leads, as soon as one does."""
        return wait_for(self.holder, f"a holder of {self.lease}")

    def standby(self) -> Component:
        """A replica that does not lead."""
        leader = self.leader()
        return next(made for made in self.all if made is not leader)

    def took_over_at(self, heir: Component) -> float:
        """Wait until `heir` leads; since when it does, by its own clock, in seconds since 1970."""
        wait_for(lambda: self.holder() is heir, f"{heir.name} to lead", timeout_s=TAKEOVER_S + 5)
        lease = self.cluster.kubectl.get("lease", self.lease, SYSTEM_NAMESPACE) or {}
        return datetime.fromisoformat(lease["spec"]["acquireTime"]).timestamp()

    def takeover_s(self, heir: Component, since: float) -> float:
        """Wait until `heir` leads; seconds since the monotonic time `since`."""
        wait_for(lambda: self.holder() is heir, f"{heir.name} to lead", timeout_s=TAKEOVER_S + 5)
        return time.monotonic() - since

    def writes(self, since: int) -> dict[str, list[str]]:
        """What each replica wrote, but for the lease: verb, path and answer, by its name."""
        with self.cluster.audit.path.open("rb") as file:
            file.seek(since)
            events = [json.loads(line) for line in file if line.endswith(b"\n")]
        found: dict[str, list[str]] = {}
        for event in filter(_is_work, events):
            made = self._tokens.get(_credential(event))
            if made is not None:
                text = f"{event['verb']} {event['requestURI']} {event['responseStatus']['code']}"
                found.setdefault(made.name, []).append(text)
        return found


def _token_id(kubeconfig: Path) -> str:
    token = json.loads(kubeconfig.read_text())["users"][0]["user"]["token"]
    payload = token.split(".")[1]
    return str(json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))["jti"])


def _credential(event: dict[str, Any]) -> str:
    found = event["user"].get("extra", {}).get("authentication.kubernetes.io/credential-id", [""])
    return str(found[0]).removeprefix("JTI=")


def _is_work(event: dict[str, Any]) -> bool:
    is_write = event["verb"] in ("create", "update", "patch", "delete")
    return is_write and "/leases" not in event["requestURI"]
