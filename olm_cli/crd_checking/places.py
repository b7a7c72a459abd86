"""CustomResourceDefinitions, and objects, in files, directories, bundles and images."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from olm_cli.objects import objects_of
from olm_cli.output import say
from olm_cli.problems import BadInput
from olm_cli.rendering import found_at
from olmv1.manifests import Manifest, name_of
from olmv1.yaml import YamlError, load_all
from operator_controller.crd_safety import is_definition

__all__ = ["STANDARD_INPUT", "Definitions", "definitions_at", "definitions_in", "objects_in"]

STANDARD_INPUT = "-"
_MANIFESTS = "manifests/"
_SUFFIXES = (".yaml", ".yml", ".json")
_MAX_FILES = 2000
_MAX_FILE_BYTES = 128 << 20


@dataclass(frozen=True, slots=True)
class Definitions:
    """Definitions by name, of the place that was asked for.

    `is_whole`: what is not there does not exist, so that a definition that is missing is one that goes.
    """

    place: str
    found: Mapping[str, Manifest]
    is_whole: bool = True


async def definitions_at(place: str, pull_cas_dir: Path | None = None) -> Definitions:
    """The definitions in a file (`-`: standard input), a directory of files, a bundle directory or a bundle image.

    Raises:
        BadInput: there is nothing that can be read, or a file or directory without any definition.
        RetryableError: the registry does not answer as it should now.
    """
    on_disk = await asyncio.to_thread(_files_at, place)
    if on_disk is not None:
        return _given(place, _values(on_disk))
    found = await found_at(place, pull_cas_dir)
    if found.is_chart:
        raise BadInput(f"{place} is a Helm chart: render it first, olm render {place} -n NS > objects.yaml")
    files = {name: data for name, data in found.files.items() if name.startswith(_MANIFESTS) and data}
    return Definitions(place, definitions_in(place, _values(files)))


def definitions_in(place: str, values: Iterable[object]) -> Mapping[str, Manifest]:
    """The definitions among `values`, by name; older ones than apiextensions.k8s.io/v1 are warned about.

    Raises: BadInput: two have the same name, or one has none.
    """
    found: dict[str, Manifest] = {}
    for item in objects_of(values):
        if item.get("kind") != "CustomResourceDefinition":
            continue
        metadata = item.get("metadata")
        name = name_of(item) if isinstance(metadata, Mapping) else ""
        if not is_definition(item):
            say(f'warning: {place}: "{name}" is passed over: {item.get("apiVersion")} is not apiextensions.k8s.io/v1')
            continue
        if not name:
            raise BadInput(f"{place}: a CustomResourceDefinition has no name")
        if name in found:
            raise BadInput(f'{place}: CustomResourceDefinition "{name}" is there twice')
        found[name] = item
    return found


def objects_in(place: str) -> tuple[Manifest, ...]:
    """The objects of any kind in a file (`-`: standard input), whatever lists they are in. Raises: BadInput."""
    return tuple(objects_of(_values({place: _bytes_of(place)})))


def _files_at(place: str) -> Mapping[str, bytes] | None:
    """The content of a file, or of the files of a directory; `None` when it is neither."""
    path = Path(place).expanduser()
    if place == STANDARD_INPUT or path.is_file():
        return {place: _bytes_of(place)}
    if path.is_dir() and not (path / _MANIFESTS).is_dir() and not (path / "Chart.yaml").is_file():
        return _files_of(path)
    return None


def _given(place: str, values: Iterable[object]) -> Definitions:
    found = definitions_in(place, values)
    if not found:
        raise BadInput(f"{place}: expected at least one CustomResourceDefinition, found none")
    return Definitions(place, found)


def _bytes_of(place: str) -> bytes:
    try:
        if place == STANDARD_INPUT:
            return sys.stdin.buffer.read()
        path = Path(place).expanduser()
        if path.stat().st_size > _MAX_FILE_BYTES:
            raise BadInput(f"{place}: larger than {_MAX_FILE_BYTES} bytes")
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"{place}: {error.strerror or error}") from error


def _files_of(folder: Path) -> Mapping[str, bytes]:
    names = sorted(each for each in folder.iterdir() if each.suffix in _SUFFIXES and each.is_file())
    if len(names) > _MAX_FILES:
        raise BadInput(f"{folder}: more than {_MAX_FILES} files")
    return {str(each): _bytes_of(str(each)) for each in names}


def _values(files: Mapping[str, bytes]) -> Iterator[object]:
    for name, data in files.items():
        try:
            yield from load_all(data, name=name)
        except YamlError as error:
            raise BadInput(str(error)) from error
