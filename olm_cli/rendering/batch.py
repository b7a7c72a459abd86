"""Many renderings in one process: a request per line comes in, an answer per line goes out.

The form of both is told in `docs/commands.md`.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from olm_cli.problems import BadInput
from olm_cli.rendering.places import files_of_directory
from olm_cli.rendering.requests import RenderRequest, render_bundle
from olmv1.errors import OlmError, TerminalError
from operator_controller.bundle import Bundle, parse_bundle
from operator_controller.renderer import Certificates

__all__ = ["answers_to", "batch_lines"]

_MAX_LINE_BYTES = 16 << 20
_KEPT_BUNDLES = 8
_MEMBERS = frozenset({"bundle", "namespace", "certs", "config", "gates"})


def batch_lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """The lines of `stream` that are not blank, as they come; `None` for one that is too long to be a request."""
    while line := stream.readline(_MAX_LINE_BYTES + 1):
        if len(line) > _MAX_LINE_BYTES:
            while line and not line.endswith(b"\n"):
                line = stream.readline(_MAX_LINE_BYTES)
            yield None
        elif line.strip():
            yield line


def answers_to(lines: Iterator[bytes | None], *, as_reference: bool) -> Iterator[str]:
    """The answer to each line, as one line of JSON without its end; a request that fails ends nothing.

    `{"objects": […]}`, or `{"error": "<message>", "terminal": <whether the same request can never succeed>}`.
    """
    bundles = _Bundles(as_reference=as_reference)
    for line in lines:
        yield json.dumps(_answer(line, bundles), separators=(",", ":"))


def _answer(line: bytes | None, bundles: _Bundles) -> Mapping[str, Any]:
    try:
        return {"objects": _objects(line, bundles)}
    except OlmError as error:
        return {"error": str(error), "terminal": isinstance(error, TerminalError)}
    except Exception as error:
        # A bug of ours that one bundle finds must not cost the answers to all others.
        traceback.print_exc(file=sys.stderr)
        return {"error": f"internal error: {type(error).__name__}", "terminal": False}


def _objects(line: bytes | None, bundles: _Bundles) -> Any:
    wanted = _read(line)
    request = RenderRequest(
        namespace=_text(wanted, "namespace"),
        config=wanted.get("config"),
        certificates=_certificates(wanted),
        has_default_gates=_has_default_gates(wanted),
        as_reference=bundles.as_reference,
    )
    return render_bundle(bundles.load(Path(_text(wanted, "bundle"))), request).objects


def _read(line: bytes | None) -> Mapping[str, Any]:
    if line is None:
        raise BadInput(f"the request has more than {_MAX_LINE_BYTES} bytes")
    try:
        wanted = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"the request is not JSON: {error}") from error
    if not isinstance(wanted, dict):
        raise BadInput("the request is not a JSON object")
    if unknown := sorted(wanted.keys() - _MEMBERS):
        raise BadInput(
            f"the request has unknown members [{' '.join(unknown)}], expected [{' '.join(sorted(_MEMBERS))}]"
        )
    return wanted


def _text(wanted: Mapping[str, Any], member: str) -> str:
    value = wanted.get(member)
    if not isinstance(value, str) or not value or "\0" in value:
        raise BadInput(f'the request has no text as "{member}"')
    return value


def _certificates(wanted: Mapping[str, Any]) -> Certificates:
    name = wanted.get("certs") or Certificates.NONE
    try:
        return Certificates(name)
    except ValueError as error:
        raise BadInput(f'"certs" is {json.dumps(name)}, expected one of [{" ".join(Certificates)}]') from error


def _has_default_gates(wanted: Mapping[str, Any]) -> bool:
    gates = wanted.get("gates")
    if gates not in (None, "default"):
        raise BadInput(f'"gates" is {json.dumps(gates)}, expected "default" or nothing')
    return gates is not None


@dataclass(frozen=True, slots=True)
class _Loaded:
    files: Mapping[str, bytes]
    bundle: Bundle


class _Bundles:
    """The bundles of the last directories asked for; one whose files have changed is parsed again.

    The files are read every time: that costs little, and nothing else tells reliably that they are the same.
    """

    def __init__(self, *, as_reference: bool) -> None:
        self.as_reference = as_reference
        self._kept: OrderedDict[Path, _Loaded] = OrderedDict()

    def load(self, folder: Path) -> Bundle:
        """The bundle in a directory. Raises: OlmError."""
        files = files_of_directory(folder)
        kept = self._kept.pop(folder, None)
        if kept is None or kept.files != files:
            kept = _Loaded(files, parse_bundle(files, as_reference=self.as_reference))
        self._kept[folder] = kept
        if len(self._kept) > _KEPT_BUNDLES:
            self._kept.popitem(last=False)
        return kept.bundle
