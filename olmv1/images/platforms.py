"""The platform that an image is chosen for.

Pure but for `Platform.of_process`, which asks the interpreter once when the settings are made.
"""

from __future__ import annotations

import platform as _machine
from dataclasses import dataclass

__all__ = ["Platform"]

_ARCHITECTURES = {
    "x86_64": ("amd64", ""),
    "amd64": ("amd64", ""),
    "aarch64": ("arm64", "v8"),
    "arm64": ("arm64", "v8"),
    "armv7l": ("arm", "v7"),
    "armv6l": ("arm", "v6"),
    "i686": ("386", ""),
}


@dataclass(frozen=True, slots=True)
class Platform:
    """Operating system, architecture and variant in the words of the image specification; empty variant = any."""

    os: str
    architecture: str
    variant: str = ""

    @classmethod
    def of_process(cls) -> Platform:
        """The platform of this process; always `linux`, because catalogs and bundles are built for nothing else."""
        machine = _machine.machine().lower()
        architecture, variant = _ARCHITECTURES.get(machine, (machine, ""))
        return cls("linux", architecture, variant)

    def fits(self, wanted: Platform) -> bool:
        """Whether an image of this platform runs on `wanted`; a missing variant on either side fits every variant."""
        return (
            self.os == wanted.os
            and self.architecture == wanted.architecture
            and (not self.variant or not wanted.variant or self.variant == wanted.variant)
        )

    def __str__(self) -> str:
        """`linux/arm64/v8`."""
        return "/".join(part for part in (self.os, self.architecture, self.variant) if part)
