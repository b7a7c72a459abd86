"""The authorities of extensions and what they issued, kept in Secrets of the system namespace as the controller.

What is due is said by `operator_controller.certificates`; this room reads, makes keys and writes. A pass at rest asks
nothing: a watch tells when the Secret was changed or deleted. One write makes every change, so a crash loses none, and
the resource version keeps two writers apart.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from weakref import WeakValueDictionary

from olmv1.api.names import LABEL_OWNER_KIND
from olmv1.errors import RetryableError
from olmv1.kube.client import KubeClient
from olmv1.kube.errors import ApiError, Conflict, NotFound
from olmv1.kube.resources import SECRETS
from olmv1.manifests import Manifest, labels_of, name_of, uid_of
from olmv1.telemetry.logs import get_logger
from operator_controller.certificates import (
    Facts,
    Issued,
    Keeper,
    Lifetimes,
    Need,
    ServingPair,
    due,
    is_certified,
    is_spread,
    is_usable,
    keeper_of,
    needs_of,
    next_look,
)
from operator_controller.outcome.object_set import PhaseReport
from operator_controller.revisions.certified import secret_key
from operator_controller.revisions.plan import Plan
from operator_controller.rollout.authority_secret import Stored, bundle_of, data_of, facts_of, stepped, stored_in
from operator_controller.rollout.observe import Observer

__all__ = ["Authorities"]

_SECRET_TYPE = "olm.operatorframework.io/certificates"  # noqa: S105 - the type of a Secret
_TRIES = 3
_RETRY_S = 60.0
_USUAL = Lifetimes()

log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Held:
    """One Secret as it was last read or written; without `secret` there is none."""

    secret: Manifest | None
    stored: Stored
    facts: Facts
    bundle: str

    @property
    def version(self) -> str:
        return str(self.secret["metadata"]["resourceVersion"]) if self.secret is not None else ""


class Authorities:
    """Keeps the certificates of revisions; `now` gives the time (UTC)."""

    def __init__(
        self,
        client: KubeClient,
        observer: Observer,
        system_namespace: str,
        now: Callable[[], datetime],
        lifetimes: Lifetimes = _USUAL,
    ) -> None:
        self._client = client
        self._observer = observer
        self._namespace = system_namespace
        self._now = now
        self._lifetimes = lifetimes
        self._held: dict[str, _Held] = {}
        self._users: dict[str, str] = {}  # UID of a revision → name of its Secret
        self._spread: dict[str, str] = {}  # name of a Secret → the trust that everybody has
        self._writing: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def issued(self, object_set: Manifest, plan: Plan) -> Issued | None:
        """The certificates of a revision, made or renewed where that is due; `None` when it needs none.

        Raises:
            RetryableError: they cannot be read, or are of no use and cannot be made.
        """
        if not is_certified(plan):
            return None
        keeper, needs = keeper_of(object_set), needs_of(plan)
        uid, key = uid_of(object_set), secret_key((self._namespace, keeper.secret))
        self._users[uid] = keeper.secret
        await self._observer.watch(uid, SECRETS)
        self._observer.follow((uid, name_of(object_set)), SECRETS, key)
        lock = self._writing.setdefault(keeper.secret, asyncio.Lock())
        async with lock:
            held, retry_at = await self._kept(uid, keeper, needs)
        return self._issued(object_set, held, needs, retry_at)

    def confirm(self, object_set: Manifest, issued: Issued, plan: Plan, phases: Iterable[PhaseReport]) -> bool:
        """Whether a new authority can take over now: the pass gave its trust to everything that calls webhooks.

        Only for a revision without active siblings, whose objects are all there are.
        """
        if not is_spread(plan, phases):
            return False
        secret = keeper_of(object_set).secret
        is_news = self._spread.get(secret) != issued.bundle
        self._spread[secret] = issued.bundle
        return issued.awaits_spread and is_news  # a take-over that could not be written has a time of its own

    def forget(self, owner_uid: str) -> None:
        """Drop what is remembered of a revision that is gone; its siblings read again."""
        secret = self._users.pop(owner_uid, None)
        if secret is not None and secret not in self._users.values():
            self._held.pop(secret, None)
            self._spread.pop(secret, None)

    async def _kept(self, uid: str, keeper: Keeper, needs: tuple[Need, ...]) -> tuple[_Held, datetime | None]:
        """The Secret with everything done that is due, and when to try again what could not be done."""
        for _ in range(_TRIES):
            try:
                held = await self._current(uid, keeper)
            except ApiError as error:
                raise self._failed("reading", keeper, error) from error
            try:
                return await self._renewed(uid, keeper, held, needs), None
            except ApiError as error:
                if isinstance(error, Conflict) or (isinstance(error, NotFound) and held.secret is not None):
                    self._held.pop(keeper.secret, None)  # somebody else was faster: decide anew
                    continue
                if not is_usable(held.facts, needs, self._now()):
                    raise self._failed("writing", keeper, error) from error
                log.warning("certificates not renewed yet", secret=keeper.secret, problem=str(error))
                return held, self._now() + timedelta(seconds=_RETRY_S)
        raise RetryableError(f"writing Secret {self._namespace}/{keeper.secret}: it was changed at the same time")

    async def _current(self, uid: str, keeper: Keeper) -> _Held:
        """What is stored now; asks only when the watch tells of something that is not known yet."""
        known, key = self._held.get(keeper.secret), secret_key((self._namespace, keeper.secret))
        seen = self._observer.live(SECRETS, key)
        if known is not None and seen is not None and known.version == seen["metadata"].get("resourceVersion"):
            return known
        try:
            secret = await self._client.get(SECRETS, keeper.secret, self._namespace)
        except NotFound:
            return self._hold(uid, keeper, None)
        if secret.get("type") != _SECRET_TYPE:
            # A type cannot be changed: we did not make it, and must not write into it.
            raise RetryableError(
                f"Secret {self._namespace}/{keeper.secret} is needed for the certificates of webhooks: "
                f'expected type "{_SECRET_TYPE}", found "{secret.get("type")}"'
            )
        return self._hold(uid, keeper, secret)

    async def _renewed(self, uid: str, keeper: Keeper, held: _Held, needs: tuple[Need, ...]) -> _Held:
        now, lifetimes = self._now(), self._lifetimes
        steps = due(held.facts, needs, now, lifetimes, is_spread=self._spread.get(keeper.secret) == held.bundle)
        if steps.is_nothing and held.secret is not None and keeper.is_in_order(held.secret):
            return held
        wanted = stepped(held.stored, steps, keeper.title, now, lifetimes)
        if held.secret is None:
            written = await self._client.create(SECRETS, self._new(keeper, wanted))
        else:
            patch = _patch(keeper, held.secret, data_of(wanted))
            written = await self._client.patch(SECRETS, keeper.secret, patch, namespace=self._namespace)
        issued = ["/".join(need.place) for need in steps.issues]
        log.info("certificates written", secret=keeper.secret, authority=steps.signer.value, issued=issued)
        return self._hold(uid, keeper, written)

    def _hold(self, uid: str, keeper: Keeper, secret: Manifest | None) -> _Held:
        stored = stored_in(secret.get("data") or {}) if secret is not None else Stored()
        held = _Held(secret, stored, facts_of(stored), bundle_of(stored))
        if secret is None:
            self._held.pop(keeper.secret, None)
        else:
            self._held[keeper.secret] = held
            self._observer.record(SECRETS, secret, uid, "")
        return held

    def _issued(self, object_set: Manifest, held: _Held, needs: tuple[Need, ...], retry_at: datetime | None) -> Issued:
        now, stored = self._now(), held.stored
        pairs = {place: ServingPair(pair.certificate, pair.key) for place, pair in stored.serving.items()}
        successor_end = held.facts.successor_end
        return Issued(
            bundle=held.bundle,
            pairs=pairs,
            look_at=retry_at or next_look(held.facts, needs, now, self._lifetimes),
            awaits_spread=successor_end is not None and successor_end > now,
            owner_kind=labels_of(object_set).get(LABEL_OWNER_KIND, ""),
        )

    def _new(self, keeper: Keeper, stored: Stored) -> dict[str, Any]:
        metadata: dict[str, Any] = {"name": keeper.secret, "namespace": self._namespace, "labels": dict(keeper.labels)}
        metadata["ownerReferences"] = keeper.owners({})
        return {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": metadata,
            "type": _SECRET_TYPE,
            "data": data_of(stored),
        }

    def _failed(self, doing: str, keeper: Keeper, error: ApiError) -> RetryableError:
        text = f"{doing} Secret {self._namespace}/{keeper.secret} with the certificates of webhooks: {error}"
        return RetryableError(text, retry_after_s=error.retry_after_s)


def _patch(keeper: Keeper, secret: Manifest, data: dict[str, str]) -> dict[str, Any]:
    """A merge patch under an optimistic lock that leaves exactly `data`."""
    gone: dict[str, str | None] = dict.fromkeys(secret.get("data") or {})
    metadata = {
        "resourceVersion": secret["metadata"]["resourceVersion"],
        "labels": dict(keeper.labels),
        "ownerReferences": keeper.owners(secret),
    }
    return {"metadata": metadata, "data": gone | data}
