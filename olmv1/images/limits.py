"""How much an image may ask of us, and the account of what one image has used.

Pure. The numbers bound what a hostile image costs; they are far above every real image.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BUNDLE_LIMITS", "CATALOG_LIMITS", "CHART_LIMITS", "Budget", "LayerError", "Limits"]

_KIB = 1024
_MIB = 1024 * _KIB
_GIB = 1024 * _MIB


class LayerError(ValueError):
    """A layer is hostile or damaged: `entry` is the name in the archive (empty: the layer as a whole)."""

    def __init__(self, why: str, *, entry: str = "") -> None:
        super().__init__(why)
        self.entry = entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Upper bounds for one image; sizes in bytes.

    The defaults fit catalogs ten times the largest known one (130 MB of YAML in an image of 1.5 GB).
    """

    manifest_bytes: int = 4 * _MIB
    """One manifest or index; the limit that registries themselves set."""
    config_bytes: int = 8 * _MIB
    """The image configuration, which carries labels and build history."""
    layers: int = 512
    packed_bytes: int = 8 * _GIB
    """All layers as downloaded."""
    unpacked_bytes: int = 16 * _GIB
    """All layers unpacked, also the parts that are not kept: they pass through the processor only."""
    entries: int = 2_000_000
    """Archive entries of all layers, kept or not."""
    ratio: int = 300
    """Unpacked to packed bytes of one layer; real catalogs reach 25. Counts after `ratio_grace_bytes`."""
    ratio_grace_bytes: int = 64 * _MIB
    extension_bytes: int = 64 * _KIB
    """One extended header (PAX, long name): it is held in memory."""
    kept_files: int = 200_000
    kept_bytes: int = 2 * _GIB
    """Content of all kept files."""
    file_bytes: int = 256 * _MIB
    """One kept file: it is held in memory."""
    depth: int = 64
    """Components in the path of a kept entry."""
    path_bytes: int = 4096


CATALOG_LIMITS = Limits()
BUNDLE_LIMITS = Limits(
    layers=128,
    packed_bytes=_GIB,
    unpacked_bytes=2 * _GIB,
    entries=200_000,
    kept_files=20_000,
    kept_bytes=128 * _MIB,
    file_bytes=32 * _MIB,
)
"""For bundles, which are kept in memory as a whole: 1,000 objects of 10 MB are expected, 12 times that is allowed."""

CHART_LIMITS = Limits(
    layers=1,
    packed_bytes=20 * _MIB,
    unpacked_bytes=20 * _MIB,
    entries=20_000,
    kept_files=20_000,
    kept_bytes=20 * _MIB,
    file_bytes=20 * _MIB,
)
"""For Helm charts, which are rendered from memory: real ones have some hundred kilobytes."""


class Budget:
    """What one image has used of its `Limits`; every method raises `LayerError` when a limit is passed."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.kept_files = 0
        self.kept_bytes = 0
        self._entries = 0
        self._unpacked = 0

    def count_entry(self) -> None:
        """Count one archive entry."""
        self._entries += 1
        if self._entries > self.limits.entries:
            raise LayerError(f"the image has more than {self.limits.entries} entries")

    def count_unpacked(self, size: int, *, layer_unpacked: int, layer_packed: int) -> None:
        """Count `size` unpacked bytes, the totals of their layer being given with them."""
        self._unpacked += size
        if self._unpacked > self.limits.unpacked_bytes:
            raise LayerError(f"the image unpacks to more than {self.limits.unpacked_bytes} bytes")
        if layer_unpacked > self.limits.ratio_grace_bytes and layer_unpacked > self.limits.ratio * layer_packed:
            raise LayerError(f"the layer unpacks to more than {self.limits.ratio} times its size")

    def count_kept(self, size: int) -> None:
        """Count one kept file of `size` bytes, before its content is read."""
        self.kept_files += 1
        self.kept_bytes += size
        if size > self.limits.file_bytes:
            raise LayerError(f"the file has {size} bytes, the limit is {self.limits.file_bytes}")
        if self.kept_files > self.limits.kept_files:
            raise LayerError(f"more than {self.limits.kept_files} files")
        if self.kept_bytes > self.limits.kept_bytes:
            raise LayerError(f"the files have more than {self.limits.kept_bytes} bytes together")
