"""The answer of `olm plan`, for programs and for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from olm_cli.crd_checking import blocks_of as definition_blocks
from olm_cli.crd_checking import document_of as definitions_document
from olm_cli.output import Block, Cell, Fields, Line, Table, Tone
from olm_cli.planning.outlook import Outlook, State
from olm_cli.remedies import annotating, granting
from olmv1.manifests import is_deleting
from operator_controller.authorization import MissingRule
from operator_controller.revisions.desired import BundleIdentity
from operator_controller.rollout_plan import Change, FieldChange, ImageChanges, ObjectChange, RolloutPlan, RuleChange
from operator_controller.target import ANNOTATION_PAUSED, is_paused

__all__ = ["blocks_of", "document_of"]

_FIELDS_SHOWN = 3
_LACKING = "pre-authorization failed: "  # how the controller begins when rights are missing
_TONES = {Change.ADDED: Tone.GOOD, Change.CHANGED: Tone.DOUBTFUL, Change.REMOVED: Tone.BAD}
_STATES = {
    State.NOTHING: Tone.GOOD,
    State.UNDER_WAY: Tone.GOOD,
    State.GOES: Tone.GOOD,
    State.APPROVED: Tone.GOOD,
    State.WAITS: Tone.DOUBTFUL,
    State.BLOCKED: Tone.BAD,
}


def document_of(outlook: Outlook) -> dict[str, Any]:
    """Everything, as plain values; `waiting` is the plan that the condition of the extension names."""
    plan = outlook.plan
    return {
        "extension": outlook.subject.ext.name,
        "state": outlook.state.value,
        "policy": outlook.policy.value,
        "from": _bundle(outlook.installed),
        "to": _bundle(outlook.wanted),
        "waiting": outlook.subject.waiting,
        "obstacles": list(outlook.obstacles),
        "imageChangedTo": outlook.image_changed_to,
        "plan": None if plan is None else {**_plan(plan), "definitions": definitions_document(outlook.checks)},
    }


def blocks_of(outlook: Outlook, *, is_whole: bool) -> Iterator[Block]:
    """The change in a few lines, one table for each sort of thing, and what happens next; `is_whole`: every field."""
    yield Fields(list(_head(outlook)))
    if outlook.plan is not None:
        for title, blocks in _parts(outlook, outlook.plan, is_whole=is_whole):
            yield Line()
            yield Line(title, Tone.STRONG)
            yield from blocks
    yield Line()
    yield from _end(outlook)


def _head(outlook: Outlook) -> Iterator[tuple[str, str]]:
    yield "extension", outlook.subject.ext.name
    if outlook.state is State.NOTHING and outlook.wanted is not None:
        yield "installed", f"{outlook.wanted.name} ({_version(outlook.wanted)})"
        yield "image", outlook.wanted.image
    elif outlook.wanted is not None:
        start = "nothing" if outlook.installed is None else _version(outlook.installed)
        yield "change", f"{start} → {_version(outlook.wanted)}"
        yield "bundle", outlook.wanted.name
        yield "image", outlook.wanted.image
    if outlook.plan is not None:
        yield "digest", outlook.plan.image_digest
        yield "plan", outlook.plan.hash
    yield "policy", outlook.policy.value


def _parts(outlook: Outlook, plan: RolloutPlan, *, is_whole: bool) -> Iterator[tuple[str, Sequence[Block]]]:
    yield _object_title(plan), [_objects(plan.objects, is_whole=is_whole)] if plan.objects else []
    if plan.rights:
        yield "Rights that the objects give", [_rights(plan.rights)]
    if plan.images.added or plan.images.removed:
        yield "Images", [_images(plan.images)]
    if plan.webhooks:
        rows = [(Cell(each.change.value, _TONES[each.change]), each.name, each.text) for each in plan.webhooks]
        yield "Webhooks", [Table(("CHANGE", "WEBHOOK", "SEES"), rows)]
    if any(each.verdict.findings for each in outlook.checks):
        yield (
            "Definitions that change",
            list(definition_blocks(outlook.checks, accepting="accept with the annotation crd-accept:")),
        )
    if plan.warnings:
        yield "Warnings", [Line(text, Tone.DOUBTFUL, indent=2) for text in plan.warnings]


def _object_title(plan: RolloutPlan) -> str:
    counts = [(sum(each.change is change for each in plan.objects), change.value) for change in Change]
    listed = ", ".join(f"{count} {what}" for count, what in [*counts, (plan.unchanged, "unchanged")] if count)
    return f"Objects: {listed or 'none'}"


def _objects(changes: Sequence[ObjectChange], *, is_whole: bool) -> Table:
    rows: list[tuple[Cell | str, ...]] = []
    for each in changes:
        shown = each.fields if is_whole else each.fields[:_FIELDS_SHOWN]
        lines = [_field(field) for field in shown]
        left = len(each.fields) - len(shown)
        if left or each.is_cut:
            lines.append(f"and {left}{' or more' if each.is_cut else ''} more fields; see --all")
        name = f"{each.key.namespace}/{each.key.name}".removeprefix("/")
        rows.append((Cell(each.change.value, _TONES[each.change]), each.key.kind, name, lines[0] if lines else ""))
        rows += [("", "", "", line) for line in lines[1:]]
    return Table(("CHANGE", "KIND", "NAME", "FIELDS"), rows)


def _field(field: FieldChange) -> str:
    if field.old is None or field.new is None:
        return f"{field.path}: secret"
    return f"{field.path}: {field.old or '(none)'} → {field.new or '(none)'}"


def _rights(changes: Sequence[RuleChange]) -> Table:
    rows = [
        (
            Cell(each.change.value, _TONES[each.change]),
            Cell(", ".join(each.risks), Tone.BAD),
            ", ".join(each.rule.verbs),
            _resources(each.rule),
            each.rule.namespace or "every namespace",
            ", ".join(each.receivers) or "nobody yet",
            ", ".join(each.roles),
        )
        for each in changes
    ]
    return Table(("CHANGE", "RISK", "VERBS", "RESOURCES", "WHERE", "FOR", "FROM"), rows)


def _resources(rule: MissingRule) -> str:
    """`deployments.apps (till)`, or the URLs."""
    names = f" ({', '.join(rule.resource_names)})" if rule.resource_names else ""
    listed = [f"{name}.{group}" if group else name for group in rule.api_groups for name in rule.resources]
    return ", ".join([*listed, *rule.non_resource_urls]) + names


def _images(images: ImageChanges) -> Table:
    listed = [(Change.ADDED, each) for each in images.added] + [(Change.REMOVED, each) for each in images.removed]
    return Table(("CHANGE", "IMAGE"), [(Cell(change.value, _TONES[change]), image) for change, image in listed])


def _end(outlook: Outlook) -> Iterator[Block]:
    """What happens next, and what a person can do about it."""
    name, plan = outlook.subject.ext.name, outlook.plan
    yield Line(f"{name}: {outlook.state.value}", _STATES[outlook.state])
    yield from _obstacles(outlook)
    if outlook.image_changed_to is not None:
        text = f"the catalog names another image for this bundle now, {outlook.image_changed_to}: it is not taken"
        yield Line(f"{text} unless you ask for it with the annotation requested-at", Tone.DOUBTFUL, indent=2)
    if plan is None:
        return
    waiting = outlook.subject.waiting
    if outlook.subject.is_changed:
        yield Line("This is not what the spec asks for now: it is what the options ask for.", Tone.DOUBTFUL, indent=2)
    elif waiting and waiting != plan.hash:
        text = f"the condition of the extension names plan {waiting}: the controller sees something else than this"
        yield Line(f"{text}; look again, and approve only what you have seen", Tone.DOUBTFUL, indent=2)
    elif outlook.state is State.WAITS and is_paused(outlook.subject.annotations):
        going_on = annotating(name, ANNOTATION_PAUSED, None)
        yield Line(f"approve it when the extension is no longer paused: {going_on}", indent=2)
    elif outlook.state is State.WAITS:
        yield Line(f"approve it with: olm approve {name} --plan {plan.hash}", indent=2)


def _obstacles(outlook: Outlook) -> Iterator[Line]:
    if is_deleting(outlook.subject.manifest):
        yield Line("the extension is being deleted: nothing is rolled out any more", Tone.BAD, indent=2)
    for text in outlook.obstacles:
        for line in text.splitlines():
            yield Line(line, Tone.BAD, indent=2)
        if text.startswith(_LACKING):
            yield Line(f"to write the rights: {_granting(outlook)}", indent=2)


def _granting(outlook: Outlook) -> str:
    spec, request = outlook.subject.ext.spec, outlook.subject.request
    return granting(
        request.package,
        outlook.subject.ext.name,
        namespace=spec.namespace,
        account=spec.service_account.name or "",
        version=request.range_text,
        channels=request.channels,
        is_self_certified=request.is_self_certified,
    )


def _version(bundle: BundleIdentity) -> str:
    return bundle.version if bundle.release is None else f"{bundle.version}+{bundle.release}"


def _bundle(bundle: BundleIdentity | None) -> Mapping[str, Any] | None:
    if bundle is None:
        return None
    return {"name": bundle.name, "version": bundle.version, "release": bundle.release, "image": bundle.image}


def _plan(plan: RolloutPlan) -> dict[str, Any]:
    return {
        "hash": plan.hash,
        "digest": plan.image_digest,
        "objects": [_object(each) for each in plan.objects],
        "unchanged": plan.unchanged,
        "rights": [
            {
                "change": each.change.value,
                "rule": each.rule.to_json(),
                "risks": [risk.value for risk in each.risks],
                "for": list(each.receivers),
                "from": list(each.roles),
            }
            for each in plan.rights
        ],
        "images": {"added": list(plan.images.added), "removed": list(plan.images.removed)},
        "webhooks": [{"change": each.change.value, "name": each.name, "sees": each.text} for each in plan.webhooks],
        "warnings": list(plan.warnings),
    }


def _object(change: ObjectChange) -> dict[str, Any]:
    key = change.key
    found = {"change": change.change.value, "apiVersion": key.api_version, "kind": key.kind}
    place = {"namespace": key.namespace, "name": key.name}
    fields = [{"path": each.path, "old": each.old, "new": each.new} for each in change.fields]
    return {**found, **place, "fields": fields, "isCut": change.is_cut}
