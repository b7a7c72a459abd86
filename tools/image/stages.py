"""Carries out the stages of a Containerfile in folders. A stage whose inputs are the same is not done again."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from tools.image.confined import Confinement
from tools.image.containerfile import Copy, Run, Stage
from tools.image.debian import Base, BuildError, succeeded

__all__ = ["Workshop", "build"]

_SCRATCH = "scratch"
# A root of another build: somebody may have begun to run it before the sources changed.
_IN_USE_S = 3600.0
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_NETWORK_FILES = ("/etc/hosts", "/etc/resolv.conf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """What a build works with.

    `folder` keeps the roots of stages, `bases` finds what a `FROM` begins with, `caches` a folder for each name of a
    cache mount. `network` are variables for commands that download; none of them reaches the image.
    """

    project: Path
    folder: Path
    bases: Callable[[str], Base]
    caches: Callable[[str], Path]
    network: Mapping[str, str]
    network_binds: Mapping[str, Path]
    report: Callable[[str], None]


def build(stages: Sequence[Stage], workshop: Workshop) -> Path:
    """The root of the last stage.

    Raises:
        BuildError: a step fails.
    """
    workshop.folder.mkdir(parents=True, exist_ok=True)
    roots: dict[str, Path] = {}
    for number, stage in enumerate(stages):
        name = stage.name or "image"
        base = None if stage.base == _SCRATCH else workshop.bases(stage.base)
        root = workshop.folder / f"{name}-{_key(stage, base, roots, workshop.project)}"
        if not root.exists():
            workshop.report(f"stage {number + 1} of {len(stages)}: {name}")
            _make(root, _Making(stage, base, roots, workshop))
        roots[stage.name] = root
    for rest in set(workshop.folder.iterdir()) - set(roots.values()):
        if rest.stat().st_mtime < time.time() - _IN_USE_S:
            shutil.rmtree(rest, ignore_errors=True)
    return root


class _Rules(TypedDict):
    ignore: Callable[[str, list[str]], set[str]] | None
    copy_function: Callable[[str, str], object]


@dataclass(frozen=True, slots=True)
class _Making:
    stage: Stage
    base: Base | None
    roots: Mapping[str, Path]
    workshop: Workshop


def _make(root: Path, making: _Making) -> None:
    """Under a temporary name first: a root that is there is whole."""
    partial = root.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    if making.base is None:
        partial.mkdir()
    else:
        succeeded(["cp", "--archive", str(making.base.root), str(partial)])
    try:
        for step in making.stage.steps:
            if isinstance(step, Copy):
                origin = making.workshop.project if step.origin is None else making.roots[step.origin]
                _copy(step, origin, partial)
            else:
                _run(step, partial, making)
        os.utime(partial)
        partial.rename(root)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _run(step: Run, root: Path, making: _Making) -> None:
    if making.base is None:
        raise BuildError(f'RUN "{step.command}" needs a base image, and there is none')
    workshop, base = making.workshop, making.base
    (root / step.folder.lstrip("/")).mkdir(parents=True, exist_ok=True)
    files = {name: Path(name) for name in _NETWORK_FILES if Path(name).exists()}
    caches = {cache.target: workshop.caches(cache.name) for cache in step.caches}
    confinement = Confinement(
        root=root,
        environment={"PATH": _PATH, "HOME": "/root", **base.environment, **workshop.network, **step.environment},
        binds={**files, **workshop.network_binds, **base.binds, **caches},
    )
    succeeded(confinement.arguments("/bin/sh", "-c", f"cd {step.folder} && {step.command}"))


def _copy(step: Copy, origin: Path, root: Path) -> None:
    target = root / step.target.lstrip("/")
    for source in (origin / name.lstrip("/") for name in step.sources):
        if source.is_dir():
            shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True, **_rules_of(step))
        else:
            place = target / source.name if step.target.endswith("/") or target.is_dir() else target
            place.parent.mkdir(parents=True, exist_ok=True)
            _rules_of(step)["copy_function"](str(source), str(place))


def _rules_of(step: Copy) -> _Rules:
    """Stages are copied as they are; the project without what .containerignore leaves out, for everybody to read."""
    if step.origin is not None:
        return {"ignore": None, "copy_function": shutil.copy2}
    return {"ignore": shutil.ignore_patterns("__pycache__"), "copy_function": _copy_readable}


def _copy_readable(source: str, target: str) -> None:
    shutil.copyfile(source, target)
    Path(target).chmod(_mode(Path(source)))


def _mode(path: Path) -> int:
    # whatever the umask of a checkout was
    return 0o755 if path.stat().st_mode & 0o100 else 0o644


def _key(stage: Stage, base: Base | None, roots: Mapping[str, Path], project: Path) -> str:
    """Sixteen hex digits that change with anything that a stage is made of."""
    content = hashlib.sha256((base.key if base else _SCRATCH).encode())
    for step in stage.steps:
        content.update(f"\0{step}".encode())
        if isinstance(step, Copy) and step.origin is not None:
            content.update(roots[step.origin].name.encode())
        elif isinstance(step, Copy):
            for part in _digests(project, step.sources):
                content.update(part)
    return content.hexdigest()[:16]


def _digests(project: Path, sources: Sequence[str]) -> Iterator[bytes]:
    for source in sources:
        path = project / source
        if not path.exists():
            raise BuildError(f"COPY {source}: there is no such file in the project")
        found = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in found:
            if file.is_file() and "__pycache__" not in file.parts:
                yield f"{file.relative_to(project)}:{_mode(file):o}:".encode()
                yield hashlib.sha256(file.read_bytes()).digest()
