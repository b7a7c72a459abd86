"""One pass over a ClusterExtension: from its spec to a revision. Rule: clusterextension.md 4, house style 3."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from olmv1.api.cluster_extension import ClusterExtension
from olmv1.api.names import FINALIZER_CONTENT_MANAGER, FINALIZER_UNPACK_CACHE
from olmv1.conditions import condition_of, status_patch
from olmv1.errors import OlmError
from olmv1.kube.controller import Result
from olmv1.kube.errors import NotFound
from olmv1.kube.resources import CLUSTER_EXTENSIONS
from olmv1.manifests import Manifest, is_deleting, name_of, uid_of
from olmv1.telemetry.logs import get_logger
from operator_controller.outcome.extension import ExtensionOutcome
from operator_controller.reconcilers.explainer import Explainer
from operator_controller.reconcilers.ports import ExtensionPorts
from operator_controller.reconcilers.revision_maker import RevisionMaker
from operator_controller.resolver import resolve
from operator_controller.revisions.view import view_of
from operator_controller.status.events import Transition, transitions
from operator_controller.status.extension import deletion_status, extension_status, teardown_problems
from operator_controller.status.remarks import remarks
from operator_controller.target import (
    Target,
    bundle_facts,
    deprecations_of,
    request_of,
    require_account,
    require_short_name,
    selector_of,
    target_of,
)
from operator_controller.upgradeability import Verdict, unknown_verdict, verdict_of

__all__ = ["ExtensionReconciler"]

log = get_logger(__name__)

_FINALIZERS = (FINALIZER_UNPACK_CACHE, FINALIZER_CONTENT_MANAGER)
_TEARDOWN_RETRY_S = 2.0
_UNREADABLE_RETRY_S = 30.0


class ExtensionReconciler:
    """Moves extensions; `reconcile` is the function of the work queue."""

    def __init__(self, ports: ExtensionPorts) -> None:
        self._ports = ports
        self._maker = RevisionMaker(ports)
        self._explainer = Explainer()
        self._said: dict[str, tuple[str, frozenset[Transition]]] = {}  # by name: UID, and the remarks that hold

    async def reconcile(self, name: str) -> Result:
        """One pass over the extension `name`; writes its status at most once."""
        ext = self._ports.extensions.get(name)
        if ext is None:
            self._said.pop(name, None)
            self._ports.waits.forget(name)
            self._explainer.forget(name)
            self._ports.checks.release(name)
            return Result()
        if is_deleting(ext):
            return await self._delete(ext)
        if not await self._ensure_finalizers(ext):
            return Result()
        seen = await self._advance(ext)
        status = extension_status(ext, seen, self._ports.now())
        is_changed = await self._write_status(ext, status)
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
        try:
            ext = ClusterExtension.parse(manifest)
            require_short_name(ext)
            require_account(ext, self._account_exists, allow_unscoped=ports.allow_unscoped)
            await ports.revisions.ensure_complete(manifest)
            seen, target = await self._choose(ext, seen)
            if target is None:
                ports.checks.release(name)
                return seen
            seen = await self._maker.advance(ext, manifest, target, seen)
            return replace(seen, upgradeable=await self._verdict(seen))
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
        answer = await asyncio.to_thread(resolve, request, reading.catalogs)
        deprecations = deprecations_of(request, answer, reading.catalogs)
        others = ports.catalogs.left_out(selector)
        text = await self._explainer.headline(ext.name, request, answer, reading.catalogs, others)
        seen = replace(
            seen, deprecations=deprecations, notes=answer.notes, unreadable=reading.unreadable, explanation=text
        )
        try:
            target = target_of(request, answer, seen, has_catalogs=bool(ports.catalogs.selected(selector)))
        except OlmError as failure:
            return replace(seen, failure=failure), None
        return replace(seen, image_changed_to=target.image_changed_to), target

    def _account_exists(self, namespace: str, name: str) -> bool:
        return self._ports.accounts.get(name, namespace) is not None

    async def _delete(self, ext: Manifest) -> Result:
        """Take everything down in order, then let the extension go. Rule: revisions.md 9 row 10."""
        self._ports.checks.release(name_of(ext))
        finalizers = ext["metadata"].get("finalizers") or []
        if not set(_FINALIZERS) & set(finalizers):
            return Result()
        if "orphan" not in finalizers:
            try:
                await self._warn_dependents(ext)
                problems = teardown_problems(self._ports.revisions.of(name_of(ext)), self._ports.now())
                remaining = await self._ports.revisions.delete_all(name_of(ext))
            except OlmError as failure:
                return replace(await self._wait_for_teardown(ext, (str(failure),)), error=failure)
            if remaining:
                return await self._wait_for_teardown(ext, problems)
        is_there = await self._patch_finalizers(ext, [item for item in finalizers if item not in _FINALIZERS])
        return Result(outcome="Removed", is_notable=is_there)

    async def _warn_dependents(self, ext: Manifest) -> None:
        """Tell both sides, once, who loses what it needs: a deletion cannot be refused. Rule: dependencies.md 8."""
        name = name_of(ext)
        known_uid, known = self._said.get(name, ("", frozenset[Transition]()))
        try:
            losses = await self._ports.checks.losses(name, await self._ports.platform.served())
        except Exception as problem:  # what cannot be told, whyever, must not hold up the deletion
            bug = None if isinstance(problem, OlmError) else problem
            log.warning("dependents not warned", problem=str(problem), exc_info=bug)
            return
        told = frozenset(Transition("Warning", "DependentsBroken", f"deletion breaks {loss.text}") for loss in losses)
        if known_uid == f"deleting {uid_of(ext)}":
            told -= known
        for event in sorted(told, key=lambda each: each.message):
            self._emit(ext, event, "Delete")
        for loss in losses if told else ():
            dependent = self._ports.extensions.get(loss.extension)
            if dependent is not None:
                text = f'ClusterExtension "{name}" is being deleted: bundle "{loss.bundle}" requires {loss.requirement}'
                self._emit(dependent, Transition("Warning", "DependencyRemoved", text), "Delete")
        self._said[name] = (f"deleting {uid_of(ext)}", known | told)

    async def _wait_for_teardown(self, ext: Manifest, problems: Sequence[str]) -> Result:
        """Look again soon, and say in the status what it hangs on."""
        status = deletion_status(ext, problems, self._ports.now()) if problems else dict(ext.get("status") or {})
        is_changed = await self._write_status(ext, status)
        return Result(requeue_after_s=_TEARDOWN_RETRY_S, outcome="Deleting", is_notable=is_changed)

    async def _ensure_finalizers(self, ext: Manifest) -> bool:
        """Before anything else is written, so that nothing can be left behind; whether the extension is still there."""
        finalizers = ext["metadata"].get("finalizers") or []
        missing = [item for item in _FINALIZERS if item not in finalizers]
        return not missing or await self._patch_finalizers(ext, [*finalizers, *missing])

    async def _patch_finalizers(self, ext: Manifest, finalizers: list[str]) -> bool:
        """Whether the extension is still there."""
        version = ext["metadata"]["resourceVersion"]
        patch = {"metadata": {"finalizers": finalizers, "resourceVersion": version}}
        try:
            await self._ports.client.patch(CLUSTER_EXTENSIONS, name_of(ext), patch)
        except NotFound:
            return False
        return True

    async def _write_status(self, ext: Manifest, status: Mapping[str, Any]) -> bool:
        """Whether the status differed and was written; its transitions are told as Events."""
        before = ext.get("status") or {}
        patch = status_patch(before, status)
        if patch is None:
            return False
        try:
            await self._ports.client.patch(CLUSTER_EXTENSIONS, name_of(ext), patch, subresource="status")
        except NotFound:
            return False
        for event in transitions(before, status):
            self._emit(ext, event, "Reconcile")
        return True

    def _say(self, ext: Manifest, seen: ExtensionOutcome) -> None:
        """Every remark once, as long as it holds."""
        uid, now = uid_of(ext), tuple(remarks(ext, seen))
        known_uid, known = self._said.get(name_of(ext), (uid, frozenset[Transition]()))
        for remark in now:
            if known_uid != uid or remark not in known:
                self._emit(ext, remark, "Resolve")
        self._said[name_of(ext)] = (uid, frozenset(now))

    def _emit(self, ext: Manifest, event: Transition, action: str) -> None:
        self._ports.events.emit(ext, type_=event.type, reason=event.reason, message=event.message, action=action)


def _outcome(status: Mapping[str, Any]) -> str:
    """The reason of Progressing, for the log."""
    return str((condition_of({"status": status}, "Progressing") or {}).get("reason") or "")
