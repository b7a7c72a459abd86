"""What a cluster serves: its version and its kinds, as a value.

Made by `olmv1.kube.discovery`, or by hand where there is no cluster. Rooms without I/O decide with it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Served", "version_of"]

_GIT_VERSION = re.compile(r"v?([0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z.-]+)?)")


@dataclass(frozen=True, slots=True)
class Served:
    """`kube_version` without a leading `v` (`1.36.3`), empty when unknown; `kinds` are (group, version, kind).

    `cluster_scoped` are the (group, kind) of `kinds` whose objects have no namespace.
    """

    kube_version: str = ""
    kinds: frozenset[tuple[str, str, str]] = frozenset()
    cluster_scoped: frozenset[tuple[str, str]] = frozenset()

    def has(self, group: str, kind: str, version: str | None = None) -> bool:
        """Whether the kind is served, in that version or, without one, in any."""
        if version is not None:
            return (group, version, kind) in self.kinds
        return any(found[0] == group and found[2] == kind for found in self.kinds)

    def has_group(self, group: str) -> bool:
        """Whether any kind of the group is served."""
        return any(found[0] == group for found in self.kinds)

    @property
    def api_versions(self) -> tuple[str, ...]:
        """`apps/v1` and `apps/v1/Deployment` for everything that is served, sorted: Helm's capabilities."""
        pairs = {(f"{group}/{version}" if group else version, kind) for group, version, kind in self.kinds}
        return tuple(sorted({version for version, _ in pairs} | {f"{version}/{kind}" for version, kind in pairs}))


def version_of(git_version: str) -> str:
    """`v1.36.3+build` → `1.36.3`; empty when the text is no version."""
    found = _GIT_VERSION.match(git_version)
    return found.group(1) if found else ""
