"""`--catalog [NAME=]DIR|FILE|IMAGE`: what is meant by it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from olm_cli.problems import BadInput
from olmv1.errors import TerminalError

__all__ = ["ImageSource", "PathSource", "Source", "source_of", "sources_of"]

_NAMED = re.compile(r"(?P<name>[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)=(?P<place>.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class PathSource:
    """A directory or file on this machine."""

    name: str
    path: Path


@dataclass(frozen=True, slots=True)
class ImageSource:
    """A catalog image."""

    name: str
    ref: str


Source = PathSource | ImageSource


def sources_of(texts: Sequence[str]) -> tuple[Source, ...]:
    """The catalogs that the user named, in that order.

    Raises:
        BadInput: one is neither a path nor an image, or two have the same name.
    """
    found: dict[str, Source] = {}
    for text in texts:
        try:
            source = source_of(text)
        except BadInput as error:
            raise BadInput(f"--catalog {error}") from error
        if source.name in found:
            raise BadInput(f'two catalogs are called "{source.name}": name one of them with --catalog NAME={text}')
        found[source.name] = source
    return tuple(found.values())


def source_of(text: str) -> Source:
    """The catalog that one text means.

    Raises:
        BadInput: it is neither a path nor an image.
    """
    if text and Path(text).exists():
        return _path_source("", text)
    named = _NAMED.fullmatch(text)
    name, place = (named["name"], named["place"]) if named else ("", text)
    if place and Path(place).expanduser().exists():
        return _path_source(name, place)
    from olmv1.images.references import Reference  # noqa: PLC0415 - a catalog on disk needs no registry client

    try:
        reference = Reference.parse(place.removeprefix("docker://"))
    except TerminalError as error:
        raise BadInput(
            f"{text}: there is no such file or directory, and it is no full image reference such as "
            f"quay.io/operatorhubio/catalog:latest"
        ) from error
    return ImageSource(name or reference.repository.rpartition("/")[2], str(reference))


def _path_source(name: str, place: str) -> PathSource:
    path = Path(place).expanduser()
    return PathSource(name or (path.resolve().name if path.is_dir() else path.stem), path)
