"""One pass over a ClusterExtension: from its spec to a revision. Rule: clusterextension.md 4, house style 3."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from olmv1.api.cluster_extension import ClusterExtension
from olmv1.conditions import condition_of
from olmv1.errors import OlmError
from olmv1.kube.controller import Result
from olmv1.kube.latest import Latest
from olmv1.manifests import Manifest, annotations_of, is_deleting, name_of, uid_of
from operator_controller.outcome.extension import ExtensionOutcome
from operator_controller.reconcilers.explainer import Explainer
from operator_controller.reconcilers.extension_writes import ExtensionWrites
from operator_controller.reconcilers.ports import ExtensionPorts
from operator_controller.reconcilers.removal import FINALIZERS, Removal
from operator_controller.reconcilers.revision_maker import RevisionMaker
from operator_controller.resolver import (
    CatalogContent,
    CatalogProblem,
    Chosen,
    Request,
    Unresolved,
    Upgrades,
    resolve,
    upgrades_of,
)
from operator_controller.revisions.view import view_of
from operator_controller.status.events import Transition
from operator_controller.status.extension import extension_status
from operator_controller.status.remarks import remarks
from operator_controller.target import (
    Target,
    bundle_facts,
    deprecations_of,
    is_paused,
    request_in,
    request_of,
    require_account,
    require_short_name,
    selector_of,
    target_of,
)
from operator_controller.upgradeability import Verdict, unknown_verdict, verdict_of

__all__ = ["ExtensionReconciler"]

_UNREADABLE_RETRY_S = 30.0


class ExtensionReconciler:
    """Moves extensions; `reconcile` is the function of the work queue."""

    def __init__(self, ports: ExtensionPorts) -> None:
        self._ports = ports
        self._maker = RevisionMaker(ports)
        self._latest = Latest()
        self._writes = ExtensionWrites(ports.client, ports.events, self._latest)
        self._removal = Removal(ports, self._writes)
        self._explainer = Explainer()
        self._said: dict[str, tuple[str, frozenset[Transition]]] = {}  # by name: UID, and the remarks that hold

    async def reconcile(self, name: str) -> Result:
        """One pass over the extension `name`; writes its status at most once."""
        ext = self._ports.extensions.get(name)
        if ext is None:
            self._said.pop(name, None)
            self._latest.forget(name)
            self._ports.waits.forget(name)
            self._explainer.forget(name)
            self._removal.forget(name)
            self._maker.forget(name)
            return Result()
        ext = self._latest.of(ext)
        if is_deleting(ext):
            return await self._removal.step(ext)
        if not await self._ensure_finalizers(ext):
            return Result()
        seen = await self._advance(ext)
        status = extension_status(ext, seen, self._ports.now())
        is_changed = await self._writes.status(ext, status)
        if not seen.is_paused:
            self._say(ext, seen)
        return Result(
            requeue_after_s=_UNREADABLE_RETRY_S if seen.unreadable else None,
            error=seen.failure,
            outcome=_outcome(status),
            is_notable=is_changed,
        )

    async def _advance(self, manifest: Manifest) -> ExtensionOutcome:
        """Move an extension one step towards its spec and say what was learned; never raises `OlmError`."""
        ports, name = self._ports, name_of(manifest)
        seen = ExtensionOutcome(revisions=tuple(view_of(item) for item in ports.revisions.of(name)))
        seen = replace(seen, upgradeable=await self._verdict(seen))
        if is_paused(annotations_of(manifest)):
            self._maker.forget(name)
            return replace(seen, is_paused=True)
        try:
            ext = ClusterExtension.parse(manifest)
            require_short_name(ext)
            require_account(ext, self._account_exists, allow_unscoped=ports.allow_unscoped)
            await ports.revisions.ensure_complete(manifest)
            seen, target = await self._choose(ext, seen)
            if target is None:
                self._maker.forget(name)
                return seen
            seen = await self._maker.advance(ext, manifest, target, seen)
            handled = request_in(ext.annotations) if seen.failure is None else None
            return replace(seen, handled_request=handled or None, upgradeable=await self._verdict(seen))
        except OlmError as failure:
            return replace(seen, failure=failure)

    async def _verdict(self, seen: ExtensionOutcome) -> Verdict | None:
        """What the extension says about the next version of the cluster, where that is asked; raises nothing."""
        bundles = bundle_facts(seen.revisions or ())
        try:
            current = await self._ports.platform.openshift()
        except OlmError as error:
            return unknown_verdict(bundles, str(error))
        return None if current is None or current.minor is None else verdict_of(bundles, current.minor)

    async def _choose(self, ext: ClusterExtension, seen: ExtensionOutcome) -> tuple[ExtensionOutcome, Target | None]:
        """The outcome with what the catalogs say, and the wanted bundle; `None` when the outcome says why not."""
        ports = self._ports
        served = await ports.platform.served()
        selector, request = selector_of(ext), request_of(ext, seen.installed, served.kube_version)
        reading = await ports.catalogs.read(selector, request.package)
        # Mostly quick, but the first look at a package may have to read megabytes of CSVs.
        answer, upgrades = await asyncio.to_thread(_resolved, request, reading.catalogs)
        deprecations = deprecations_of(request, answer, reading.catalogs)
        others = ports.catalogs.left_out(selector)
        text = await self._explainer.headline(ext.name, request, answer, reading.catalogs, others)
        seen = replace(
            seen,
            deprecations=deprecations,
            notes=answer.notes,
            unreadable=reading.unreadable,
            explanation=text,
            upgrades=upgrades,
        )
        has_catalogs, takes_image = bool(ports.catalogs.selected(selector)), _is_requested(ext)
        try:
            target = target_of(request, answer, seen, has_catalogs=has_catalogs, takes_image=takes_image)
        except OlmError as failure:
            return replace(seen, failure=failure), None
        return replace(seen, image_changed_to=target.image_changed_to), target

    def _account_exists(self, namespace: str, name: str) -> bool:
        return self._ports.accounts.get(name, namespace) is not None

    async def _ensure_finalizers(self, ext: Manifest) -> bool:
        """Before anything else is written, so that nothing can be left behind; whether the extension is still there."""
        finalizers = ext["metadata"].get("finalizers") or []
        missing = [item for item in FINALIZERS if item not in finalizers]
        return not missing or await self._writes.finalizers(ext, [*finalizers, *missing])

    def _say(self, ext: Manifest, seen: ExtensionOutcome) -> None:
        """Every remark once, as long as it holds."""
        uid, now = uid_of(ext), tuple(remarks(ext, seen))
        known_uid, known = self._said.get(name_of(ext), (uid, frozenset[Transition]()))
        for remark in now:
            if known_uid != uid or remark not in known:
                self._writes.emit(ext, remark, "Resolve")
        self._said[name_of(ext)] = (uid, frozenset(now))


def _outcome(status: Mapping[str, Any]) -> str:
    """The reason of Progressing, for the log."""
    return str((condition_of({"status": status}, "Progressing") or {}).get("reason") or "")


def _resolved(
    request: Request, catalogs: Sequence[CatalogContent | CatalogProblem]
) -> tuple[Chosen | Unresolved, Upgrades | None]:
    answer = resolve(request, catalogs)
    return answer, upgrades_of(answer)


def _is_requested(ext: ClusterExtension) -> bool:
    """Whether the person asks for another look, and has not had it."""
    request = request_in(ext.annotations)
    return bool(request) and request != ext.status.last_handled_requested_at
