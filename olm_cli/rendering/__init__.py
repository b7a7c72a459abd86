"""Bundles as objects, for people and for programs: what `olm render` answers with.

Reads a directory or an image, hands it to the controller's renderer, and answers one request or a stream of them. What
a bundle means is decided in `operator_controller.bundle` and `operator_controller.renderer`.
"""

from __future__ import annotations

from olm_cli.rendering.places import Found, files_of_directory, found_at
from olm_cli.rendering.requests import RenderRequest, render_bundle

__all__ = ["Found", "RenderRequest", "files_of_directory", "found_at", "render_bundle"]
