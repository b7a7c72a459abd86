"""Bundles and charts in images. Imported only when one is named: a registry client comes with it."""

from __future__ import annotations

import os
from pathlib import Path

from olm_cli.rendering.places import Found
from olmv1.images import ImageSettings, Puller
from olmv1.images.image_manifests import HELM_CONFIG
from olmv1.telemetry.logs import configure_logs

__all__ = ["pulled"]


async def pulled(ref: str, pull_cas_dir: Path | None) -> tuple[Found, tuple[str, ...]]:
    """What is in the image `ref`, pulled as the container tools of this machine would; and warnings.

    Raises:
        TerminalError, RetryableError: as `Puller.pull_files`.
    """
    configure_logs("ERROR", json=False)
    files: dict[str, bytes] = {}
    puller = Puller(ImageSettings.from_environment(os.environ, pull_cas_dir=pull_cas_dir))
    try:
        image = await puller.pull_files(ref, on_file=files.__setitem__)
    finally:
        await puller.close()
    return Found(files, is_chart=image.config_type == HELM_CONFIG), image.warnings
