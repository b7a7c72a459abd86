"""What is asked about single objects to tell how they are: probes that need all of one, rules in CEL, collisions.

Answers are kept as long as the object stays the same, so that a pass at rest asks nothing.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from olmv1.constraints import ObjectRules
from olmv1.kube.client import KubeClient
from olmv1.kube.errors import NotFound
from olmv1.manifests import Manifest
from operator_controller.revisions.collisions import collision_detail
from operator_controller.revisions.probes import Probe, ProbeResult, Truth, evaluate
from operator_controller.rollout.disputes import Spot

__all__ = ["Judging"]

_JUDGED_AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class _Judged:
    version: str
    probes: tuple[Probe, ...]
    result: ProbeResult


class Judging:
    """Reads as the controller; `rules` decides rules in CEL and may block."""

    def __init__(self, reader: KubeClient, rules: ObjectRules) -> None:
        self._reader = reader
        self._rules = rules
        self._judged: dict[tuple[str, Spot], _Judged] = {}
        self._details: dict[tuple[str, Spot], tuple[str, str]] = {}
        # Rules of strangers may take seconds each: the threads that everything else needs must not wait for them.
        self._threads = ThreadPoolExecutor(_JUDGED_AT_ONCE, thread_name_prefix="probes")

    async def judge(self, owner_uid: str, spot: Spot, live: Manifest, probes: tuple[Probe, ...]) -> ProbeResult:
        """The answer of the probes that apply to `live`, which may lack everything but metadata and status.

        Raises:
            ApiError: all of the object is needed, and cannot be read.
        """
        fitting = tuple(probe for probe in probes if probe.applies_to(live))
        reads_spec, has_rules = any(probe.reads_spec for probe in fitting), any(probe.has_rules for probe in fitting)
        if not reads_spec and not has_rules:
            return evaluate(live, fitting, self._rules)
        known = self._judged.get((owner_uid, spot))
        if known is not None and (known.version, known.probes) == (_version(live), fitting):
            return known.result
        if reads_spec:
            live = await self._whole(spot)
        if not has_rules:
            result = evaluate(live, fitting, self._rules)
        else:
            loop = asyncio.get_running_loop()
            result = await loop.run_in_executor(self._threads, evaluate, live, fitting, self._rules)
        if result.truth is not Truth.UNKNOWN:  # a busy machine may have kept a rule from being decided
            self._judged[owner_uid, spot] = _Judged(_version(live), fitting, result)
        return result

    async def collision(self, owner_uid: str, spot: Spot, live: Manifest, wanted: Manifest) -> str:
        """What the report about an object of somebody else says behind its probes.

        Raises:
            ApiError: the object cannot be read.
        """
        known = self._details.get((owner_uid, spot))
        if known is not None and known[0] == _version(live):
            return known[1]
        try:
            found = await self._whole(spot)
        except NotFound:
            found = live
        # A large definition takes hundreds of milliseconds.
        detail = await asyncio.to_thread(collision_detail, found, wanted)
        self._details[owner_uid, spot] = (_version(live), detail)
        return detail

    def forget(self, owner_uid: str) -> None:
        """The revision is gone."""
        self._judged = {place: found for place, found in self._judged.items() if place[0] != owner_uid}
        self._details = {place: found for place, found in self._details.items() if place[0] != owner_uid}

    async def _whole(self, spot: Spot) -> Manifest:
        resource, namespace, name = spot
        return await self._reader.get(resource, name, namespace or None)


def _version(live: Manifest) -> str:
    return str((live.get("metadata") or {}).get("resourceVersion") or "")
