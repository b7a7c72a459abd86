"""Asking registries whether images are there: `olm catalog validate --check-images`."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from olm_cli.progress import working
from olmv1.errors import OlmError, TerminalError
from olmv1.fbc.validation import Code, Finding, Severity, UsedImage
from olmv1.images import ImageSettings, Puller
from olmv1.telemetry.logs import configure_logs

__all__ = ["check_images"]

_AT_ONCE = 16
"""Requests under way: registries answer a few hundred images in seconds, and none takes it for an attack."""


async def check_images(images: Sequence[UsedImage], pull_cas_dir: Path | None) -> tuple[Finding, ...]:
    """A finding for every image that its registry does not have (error) or does not tell of (warning), in order."""
    configure_logs("ERROR", json=False)
    puller = Puller(ImageSettings.from_environment(os.environ, pull_cas_dir=pull_cas_dir))
    waiting = iter(images)
    found: dict[str, Finding] = {}
    asked = 0

    async def ask() -> None:
        nonlocal asked
        for image in waiting:
            finding = await _finding(image, puller)
            if finding is not None:
                found[image.image] = finding
            asked += 1

    try:
        with working(lambda: f"asking registries for images: {asked} of {len(images)}"):
            async with asyncio.TaskGroup() as group:
                for _ in range(min(_AT_ONCE, len(images))):
                    group.create_task(ask())
    finally:
        await puller.close()
    return tuple(_in_order(images, found))


def _in_order(images: Sequence[UsedImage], found: dict[str, Finding]) -> Iterator[Finding]:
    yield from (found[image.image] for image in images if image.image in found)


async def _finding(image: UsedImage, puller: Puller) -> Finding | None:
    try:
        await puller.confirm(_full(image.image))
    except TerminalError as error:
        return _said(image, Code.IMAGE_UNCHECKED, f"cannot be asked for: {error}")
    except OlmError as error:
        text = str(error)
        if _NOT_THERE.search(text):
            return _said(image, Code.IMAGE_MISSING, f"is not there: {text}")
        return _said(image, Code.IMAGE_UNCHECKED, f"could not be looked for: {text}")
    return None


_NOT_THERE = re.compile(r"\b404\b|manifest unknown|not found", re.IGNORECASE)


def _said(image: UsedImage, code: Code, text: str) -> Finding:
    severity = Severity.ERROR if code is Code.IMAGE_MISSING else Severity.WARNING
    return Finding(severity, code, f"image {image.image} {text}", image.place, image.subject)


def _full(text: str) -> str:
    """A reference as the registry client takes it: the digest counts, and without one `latest` is meant."""
    name, at, digest = text.partition("@")
    head, slash, last = name.rpartition("/")
    repository = f"{head}{slash}{last.partition(':')[0]}"
    if at:
        return f"{repository}@{digest}"
    return text if ":" in last else f"{text}:latest"
