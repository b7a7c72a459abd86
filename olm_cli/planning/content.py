"""The objects of a bundle image, with everything that the controller would know of the image."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, replace
from pathlib import Path

from olm_cli.progress import working
from olmv1.images import ImageSettings, Puller
from olmv1.images.image_manifests import HELM_CONFIG
from olmv1.manifests import Manifest
from operator_controller.contents import (
    Content,
    ContentOptions,
    Helm,
    RegistryBundle,
    content_of,
    render_content,
)
from operator_controller.operator_conditions import condition_for

__all__ = ["Made", "pulled_content", "rendered_as_controller"]


@dataclass(frozen=True, slots=True)
class Made:
    """What is rendered: as `contents.Rendered`, with the OperatorCondition that the controller adds."""

    objects: tuple[Manifest, ...]
    warnings: tuple[str, ...]
    basis: str


async def pulled_content(ref: str, pull_cas_dir: Path | None) -> Content:
    """What is in the image `ref`, with its digest.

    Raises:
        TerminalError, RetryableError: it cannot be pulled or read.
    """
    files: dict[str, bytes] = {}
    puller = Puller(ImageSettings.from_environment(os.environ, pull_cas_dir=pull_cas_dir))
    try:
        with working(f"pulling {ref}"):
            digest = await puller.resolve(ref)
            image = await puller.pull_files(ref, on_file=files.__setitem__, resolved=digest)
    finally:
        await puller.close()
    content = await asyncio.to_thread(content_of, files, is_chart=image.config_type == HELM_CONFIG)
    return replace(content, digest=str(digest))


async def rendered_as_controller(content: Content, options: ContentOptions) -> Made:
    """The objects that the controller would apply.

    Raises:
        TerminalError: they cannot be installed so.
        RetryableError: helm is missing or took too long.
    """
    condition = None
    if isinstance(content, RegistryBundle):
        condition = condition_for(content.bundle, options.namespace, options.served)
    rendered = await render_content(content, replace(options, operator_condition=condition is not None), Helm())
    objects = rendered.objects if condition is None else (*rendered.objects, condition)
    return Made(objects, rendered.warnings, rendered.basis)
