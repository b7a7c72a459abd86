"""An explanation for people: sections of short tables, the answer first. Called by `olm explain`."""

from __future__ import annotations

from olm_cli.explaining.report import blocks_of

__all__ = ["blocks_of"]
