"""What a ClusterObjectSet consists of: the set and the Secrets that it refers to, put together. Rule: revisions.md 3.3.

A plan names every object and its digest without holding its content; it never changes as long as the set lives.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from olmv1.errors import RetryableError, TerminalError
from olmv1.manifests import Manifest, ObjectKey, key_of, name_of
from operator_controller.revisions.certified import secret_key, serving_secret, trusted_secret
from operator_controller.revisions.ownership import CollisionProtection
from operator_controller.revisions.packing import phase_digest, unpack_object
from operator_controller.revisions.validation import validation_error

__all__ = ["Place", "Plan", "PlannedObject", "PlannedPhase", "Secrets", "body_of", "places_of", "plan_of"]

Place = tuple[str, str]
"""Namespace and name of a Secret."""

Secrets = Mapping[Place, Manifest | RetryableError]
"""The Secrets of a set as they were read, or why one could not be."""

_INVALID_RETRY_S = 10.0


@dataclass(frozen=True, slots=True)
class PlannedObject:
    """One object of a revision without its content: where that is, and what it must hash to."""

    key: ObjectKey
    digest: str
    protection: CollisionProtection
    place: tuple[int, int] | None
    """Index of its phase, and of itself in the phase; `None` for a Secret with a certificate, whose content is made."""
    serves: Place | None = None
    """Of a Service: the Secret that its certificate goes into."""
    trusts: Place | None = None
    """Of an object that calls webhooks: the Secret with the certificate that they answer with."""


@dataclass(frozen=True, slots=True)
class PlannedPhase:
    """One phase of a revision; `digest` is what `observedPhases` records."""

    name: str
    digest: str
    objects: tuple[PlannedObject, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """All phases of a revision in order."""

    phases: tuple[PlannedPhase, ...]

    @property
    def objects(self) -> Iterator[PlannedObject]:
        """The objects of all phases in order."""
        return (planned for phase in self.phases for planned in phase.objects)

    @property
    def removal(self) -> tuple[PlannedPhase, ...]:
        """The phases in the order in which they are taken down: the last first, but webhooks before everything.

        A webhook whose endpoint is gone or broken must not hold up the deletion of what it guards.
        Rule: applying.md 10 row 13.
        """
        last_first = self.phases[::-1]
        return (*filter(_is_admission, last_first), *(phase for phase in last_first if not _is_admission(phase)))


def places_of(object_set: Manifest, system_namespace: str) -> tuple[Place, ...]:
    """The Secrets that a set refers to, sorted; a reference without namespace means the system namespace."""
    entries = (entry for phase in object_set["spec"].get("phases") or () for entry in phase.get("objects") or ())
    return tuple(sorted({_place(entry["ref"], system_namespace) for entry in entries if "ref" in entry}))


def plan_of(object_set: Manifest, secrets: Secrets, system_namespace: str) -> Plan:
    """The plan of a set. Takes time in proportion to its content: call it in a thread.

    Raises:
        TerminalError: a Secret is mutable, or content differs from what was observed first (`Blocked`).
        RetryableError: a Secret or key is missing or broken, or the objects cannot be applied as they are.
    """
    _require_immutable(secrets)
    spec = object_set["spec"]
    given = [
        (str(phase["name"]), [_body(phase, entry, secrets, system_namespace) for entry in phase.get("objects") or ()])
        for phase in spec.get("phases") or ()
    ]
    if (error := validation_error(name_of(object_set), int(spec["revision"]), given)) is not None:
        raise RetryableError(error, retry_after_s=_INVALID_RETRY_S)
    phases: list[PlannedPhase] = []
    for index, (name, bodies) in enumerate(given):
        planned = [
            PlannedObject(
                key_of(body),
                _digest(body),
                _protection(spec, spec["phases"][index], position),
                (index, position),
                serving_secret(body),
                trusted_secret(body),
            )
            for position, body in enumerate(bodies)
        ]
        phases.append(PlannedPhase(name, phase_digest(name, bodies), (*planned, *_made(planned, phases))))
    plan = Plan(tuple(phases))
    _require_no_stored_certificate(plan)
    _require_observed(object_set, plan)
    return plan


def body_of(object_set: Manifest, planned: PlannedObject, secrets: Secrets, system_namespace: str) -> Mapping[str, Any]:
    """The content of one object of a set, as it was stored.

    Raises:
        TerminalError: it is not what the plan was made from.
        RetryableError: its Secret or key is missing or broken.
    """
    if planned.place is None:
        raise TerminalError(f"content of {planned.key} is not stored in the revision")
    index, position = planned.place
    phase = object_set["spec"]["phases"][index]
    body = _body(phase, phase["objects"][position], secrets, system_namespace)
    if _digest(body) != planned.digest:
        raise TerminalError(f'content of {planned.key} in phase "{phase["name"]}" has changed since it was first read')
    return body


def _body(
    phase: Mapping[str, Any], entry: Mapping[str, Any], secrets: Secrets, system_namespace: str
) -> Mapping[str, Any]:
    if "object" in entry:
        inline: Mapping[str, Any] = entry["object"]
        return inline
    ref = entry["ref"]
    place, key = _place(ref, system_namespace), ref["key"]
    where = "/".join(place)
    try:
        secret = secrets[place]
        if isinstance(secret, RetryableError):
            raise secret
        data = secret.get("data") or {}
        if key not in data:
            raise RetryableError(f'key "{key}" not found in Secret {where}')
        return unpack_object(_decoded(data[key], key, where), key, where)
    except RetryableError as error:
        raise RetryableError(f'resolving ref in phase "{phase["name"]}": {error}') from error


def _is_admission(phase: PlannedPhase) -> bool:
    return all(planned.key.group == "admissionregistration.k8s.io" for planned in phase.objects)


def _made(planned: Sequence[PlannedObject], before: Sequence[PlannedPhase]) -> Iterator[PlannedObject]:
    """The Secrets for the certificates of these Services, which come and go with them; no part of any digest.

    A Secret that nobody controls is taken over: the provider of an earlier revision may have left it.
    """
    known = {item.serves for phase in before for item in phase.objects}
    for place in sorted({item.serves for item in planned if item.serves is not None} - known):
        yield PlannedObject(secret_key(place), "", CollisionProtection.IF_NO_CONTROLLER, None)


def _require_no_stored_certificate(plan: Plan) -> None:
    made = {planned.key for planned in plan.objects if planned.place is None}
    for planned in plan.objects:
        if planned.key in made and planned.place is not None:
            raise RetryableError(
                f"{planned.key} is an object of the revision, and the Secret for the certificate of a Service: "
                "expected one of the two",
                retry_after_s=_INVALID_RETRY_S,
            )


def _decoded(text: str, key: str, where: str) -> bytes:
    try:
        return base64.b64decode(text)
    except binascii.Error as error:
        raise RetryableError(f'key "{key}" in Secret {where} is no base64: {error}') from error


def _place(ref: Mapping[str, Any], system_namespace: str) -> Place:
    return (ref.get("namespace") or system_namespace, ref["name"])


def _protection(spec: Mapping[str, Any], phase: Mapping[str, Any], position: int) -> CollisionProtection:
    """Of the object, else of its phase, else of the set. Rule: revisions.md 1.1."""
    sources = (phase["objects"][position], phase, spec)
    return CollisionProtection(
        next((s["collisionProtection"] for s in sources if s.get("collisionProtection")), "Prevent")
    )


def _require_immutable(secrets: Secrets) -> None:
    mutable = [place for place, secret in sorted(secrets.items(), key=lambda item: item[0]) if _is_mutable(secret)]
    if mutable:
        names = ", ".join("/".join(place) for place in mutable)
        raise TerminalError(
            f"the following secrets are not immutable (referenced secrets must have immutable set to true): {names}"
        )


def _is_mutable(secret: Manifest | RetryableError) -> bool:
    return not isinstance(secret, RetryableError) and secret.get("immutable") is not True


def _require_observed(object_set: Manifest, plan: Plan) -> None:
    """Compare with what the first pass observed. Rule: revisions.md 3.3, last rows."""
    observed = (object_set.get("status") or {}).get("observedPhases") or ()
    if not observed:
        return
    if len(observed) != len(plan.phases):
        raise TerminalError(
            f"number of phases has changed (expected {len(observed)} phases, got {len(plan.phases)} phases)"
        )
    changed = list(_changed_phases({item["name"]: item["digest"] for item in observed}, plan))
    if changed:
        raise TerminalError(
            f"resolved content of {len(changed)} phase(s) has changed: {'; '.join(changed)}; "
            "a referenced object source may have been deleted and recreated with different content"
        )


def _changed_phases(expected: Mapping[str, str], plan: Plan) -> Iterator[str]:
    for phase in plan.phases:
        if expected.get(phase.name) != phase.digest:
            yield f'phase "{phase.name}" (expected digest {expected.get(phase.name)}, got {phase.digest})'


def _digest(body: Mapping[str, Any]) -> str:
    return hashlib.blake2b(orjson.dumps(body, option=orjson.OPT_SORT_KEYS), digest_size=16).hexdigest()
