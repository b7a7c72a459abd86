"""`olm status [NAME]`: what every ClusterExtension wants, what it has, and what its conditions say."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any

import typer

from olm_cli.command import Command
from olm_cli.options import ClusterOptions, OutputOptions
from olm_cli.output import Block, Cell, Fields, Line, Table, Tone, answer, say
from olm_cli.problems import ExitCode, NotThere
from olm_cli.similar import did_you_mean
from olmv1.api.vocabulary import ConditionType, Reason

__all__ = ["STATUS"]


class State(StrEnum):
    """The conditions of an extension in a word."""

    DONE = "Done"
    NOT_DONE = "NotDone"
    UNKNOWN = "Unknown"


_CODES = {State.DONE: ExitCode.YES, State.NOT_DONE: ExitCode.NO, State.UNKNOWN: ExitCode.CANNOT_TELL}
_SHOWN = (ConditionType.INSTALLED, ConditionType.PROGRESSING, ConditionType.AVAILABLE)
_GOOD = {
    (ConditionType.INSTALLED, "True", Reason.SUCCEEDED),
    (ConditionType.PROGRESSING, "True", Reason.SUCCEEDED),
    (ConditionType.AVAILABLE, "True", Reason.PROBES_SUCCEEDED),
}
_DEPRECATIONS = (
    ConditionType.PACKAGE_DEPRECATED,
    ConditionType.CHANNEL_DEPRECATED,
    ConditionType.BUNDLE_DEPRECATED,
)


def status(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The ClusterExtension to look at; without it all are listed.")
    ] = None,
    *,
    cluster: ClusterOptions,
    output: OutputOptions,
) -> ExitCode:
    """Show extensions: what is installed, what is wanted, and their conditions with messages.

    The exit code is 0 when every extension shown is as wanted, 1 when one is not, 3 when the controller has not said
    anything about one yet.
    """
    found, notes = asyncio.run(_read(cluster, name))
    documents = [_document(each) for each in found]
    if name is not None:
        document = {**documents[0], "notes": notes}
        answer(output.output, document, _details(document))
    else:
        answer(output.output, documents, _table(documents))
    # The worst one speaks for all: no is worse than unknown.
    states = {State(document["state"]) for document in documents}
    return next((_CODES[state] for state in (State.NOT_DONE, State.UNKNOWN) if state in states), ExitCode.YES)


STATUS = Command(
    name="status",
    run=status,
    summary="Show what is installed, what is wanted, and the conditions.",
    examples={
        "olm status": "every extension of the cluster in a table, and the messages of those that are not done",
        "olm status prometheus": "one extension with every condition",
        "olm status prometheus -o json": "the same for a script; exit code 0 means installed and as wanted",
    },
)


async def _read(cluster: ClusterOptions, name: str | None) -> tuple[tuple[Mapping[str, Any], ...], str | None]:
    """The extensions to show, and the notes of the only one."""
    from olm_cli.cluster import connected, listed  # noqa: PLC0415 - `olm --help` needs no Kubernetes client
    from olm_cli.notes import notes_of  # noqa: PLC0415
    from olm_cli.progress import working  # noqa: PLC0415
    from olmv1.kube.resources import CLUSTER_EXTENSIONS  # noqa: PLC0415

    async with connected(cluster) as client:
        with working("asking the cluster for its extensions"):
            found = await listed(client, CLUSTER_EXTENSIONS)
            if name is None:
                return found, None
            ext = _named(found, name)
            return ext, await notes_of(client, ext[0])


def _named(found: Sequence[Mapping[str, Any]], name: str) -> tuple[Mapping[str, Any], ...]:
    names = [each["metadata"]["name"] for each in found]
    if name not in names:
        raise NotThere(f'the cluster has no ClusterExtension "{name}"{did_you_mean(name, names)}')
    return (found[names.index(name)],)


def _document(ext: Mapping[str, Any]) -> Mapping[str, Any]:
    spec, now = ext.get("spec") or {}, ext.get("status") or {}
    wanted = (spec.get("source") or {}).get("catalog") or {}
    install = now.get("install") or {}
    conditions = now.get("conditions") or ()
    return {
        "name": ext["metadata"]["name"],
        "package": wanted.get("packageName", ""),
        "namespace": spec.get("namespace", ""),
        "serviceAccount": (spec.get("serviceAccount") or {}).get("name"),
        "wanted": {
            "version": wanted.get("version"),
            "channels": list(wanted.get("channels") or ()),
            "policy": wanted.get("upgradeConstraintPolicy") or "CatalogProvided",
        },
        "installed": install.get("bundle"),
        "catalog": install.get("catalog"),
        "isDeleting": bool(ext["metadata"].get("deletionTimestamp")),
        "state": _state(ext).value,
        "conditions": [
            {key: condition.get(key, "") for key in ("type", "status", "reason", "message")} for condition in conditions
        ],
        "activeRevisions": [revision["name"] for revision in now.get("activeRevisions") or ()],
    }


def _state(ext: Mapping[str, Any]) -> State:
    generation = ext["metadata"].get("generation")
    by_type = {item.get("type"): item for item in (ext.get("status") or {}).get("conditions") or ()}
    progressing = by_type.get(ConditionType.PROGRESSING)
    if ext["metadata"].get("deletionTimestamp"):
        return State.NOT_DONE
    # Conditions about an older spec say nothing about this one.
    if progressing is None or progressing.get("observedGeneration", generation) != generation:
        return State.UNKNOWN
    shown = [by_type[type_] for type_ in _SHOWN if type_ in by_type]
    is_done = by_type.get(ConditionType.INSTALLED, {}).get("status") == "True" and all(map(_is_good, shown))
    return State.DONE if is_done else State.NOT_DONE


def _is_good(condition: Mapping[str, Any]) -> bool:
    return (condition["type"], condition["status"], condition["reason"]) in _GOOD


def _table(documents: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    if not documents:
        say("the cluster has no ClusterExtensions")
        return
    titles = ["NAME", "VERSION", "WANTED", "CATALOG", *(type_.upper() for type_ in _SHOWN)]
    yield Table(titles, [_row(document) for document in documents])
    for document in documents:
        remarks = list(_remarks(document))
        if remarks:
            yield Line()
            yield Line(document["name"], Tone.STRONG)
            yield from remarks
            yield from _next_step(document)


def _row(document: Mapping[str, Any]) -> list[Cell | str]:
    by_type = {condition["type"]: condition for condition in document["conditions"]}
    return [
        Cell(document["name"], Tone.STRONG),
        _version(document["installed"]),
        _wanted(document),
        document["catalog"] or "",
        *(_condition(by_type.get(type_)) for type_ in _SHOWN),
    ]


def _version(bundle: Mapping[str, Any] | None) -> str:
    if not bundle:
        return "-"
    release = f"+{bundle['release']}" if bundle.get("release") else ""
    return f"{bundle['version']}{release}"


def _wanted(document: Mapping[str, Any]) -> str:
    wanted = document["wanted"]
    text = f"{document['package']} {wanted['version'] or ''}".rstrip()
    if wanted["channels"]:
        text += f" in {', '.join(wanted['channels'])}"
    return text + (f" ({wanted['policy']})" if wanted["policy"] != "CatalogProvided" else "")


def _condition(condition: Mapping[str, Any] | None) -> Cell:
    if condition is None:
        return Cell("-", Tone.FAINT)
    if _is_good(condition):
        return Cell(condition["status"], Tone.GOOD)
    return Cell(f"{condition['status']} ({condition['reason']})", _tone(condition))


def _tone(condition: Mapping[str, Any]) -> Tone:
    is_on_its_way = condition["reason"] in (Reason.ROLLING_OUT, Reason.ABSENT) or condition["status"] == "Unknown"
    return Tone.DOUBTFUL if is_on_its_way else Tone.BAD


def _remarks(document: Mapping[str, Any]) -> Iterator[Block]:
    """The messages of what is not as it should be."""
    if document["isDeleting"]:
        yield Line("is being deleted", Tone.DOUBTFUL, indent=2)
    if document["state"] == State.UNKNOWN:
        text = "the controller has not looked at it yet; is operator-controller running?"
        yield Line(text, Tone.DOUBTFUL, indent=2)
    for condition in document["conditions"]:
        if condition["type"] in _SHOWN and not _is_good(condition):
            yield from _message(condition, _tone(condition))
        elif condition["type"] in _DEPRECATIONS and condition["status"] == "True":
            yield from _message(condition, Tone.DOUBTFUL)


def _next_step(document: Mapping[str, Any]) -> Iterator[Block]:
    """Who can say more about what does not move on."""
    reasons = {each["reason"] for each in document["conditions"] if each["type"] == ConditionType.PROGRESSING}
    if reasons & {Reason.RETRYING, Reason.BLOCKED}:
        yield Line(f"more about it: olm explain {document['name']}", Tone.FAINT, indent=2)


def _message(condition: Mapping[str, Any], tone: Tone, indent: int = 2) -> Iterator[Block]:
    """A message of several lines lists things: each keeps its line."""
    first, *others = condition["message"].splitlines() or [""]
    yield Line(f"{condition['type']}: {first}", tone, indent=indent)
    for line in others:
        yield Line(line, tone, indent=indent + 2)


def _details(document: Mapping[str, Any]) -> Iterator[Block]:
    installed = document["installed"]
    yield Line(document["name"], Tone.STRONG)
    yield Fields(
        [
            ("package", document["package"]),
            ("wanted", document["wanted"]["version"] or "any version"),
            ("channels", ", ".join(document["wanted"]["channels"]) or "all"),
            ("policy", document["wanted"]["policy"]),
            ("installed", f"{installed['name']} ({_version(installed)})" if installed else "nothing"),
            ("catalog", document["catalog"] or "-"),
            ("namespace", document["namespace"]),
            ("service account", document["serviceAccount"] or "none"),
            ("revisions", ", ".join(document["activeRevisions"]) or "none"),
        ]
    )
    yield Line()
    if document["conditions"]:
        rows = [_condition_row(condition) for condition in document["conditions"]]
        yield Table(["CONDITION", "STATUS", "REASON", "MESSAGE"], rows)
    for condition in document["conditions"]:
        if "\n" in condition["message"].strip():
            yield Line()
            yield from _message(condition, _tone_in_list(condition), indent=0)
    yield from _remarks({**document, "conditions": []})
    if step := list(_next_step(document)):
        yield from (Line(), *step)
    from olm_cli.notes import notes_blocks  # noqa: PLC0415 - `olm --help` needs no Kubernetes client

    yield from notes_blocks(document["notes"])


def _condition_row(condition: Mapping[str, Any]) -> list[Cell | str]:
    lines = condition["message"].strip().splitlines() or [""]
    message = lines[0] if len(lines) == 1 else f"({len(lines)} lines, see below)"
    return [condition["type"], Cell(condition["status"], _tone_in_list(condition)), condition["reason"], message]


def _tone_in_list(condition: Mapping[str, Any]) -> Tone:
    if condition["type"] in _SHOWN:
        return Tone.GOOD if _is_good(condition) else _tone(condition)
    return Tone.DOUBTFUL if condition["status"] == "True" else Tone.PLAIN
