"""Which rendered objects the cluster has a kind for. Rule: bundle-rendering.md 12 and 15 row 16.

One check names every missing API, before anything is applied. Monitoring and console objects help a person and not the
operator: where their API is absent they are left out, and a revision with them is made when it appears.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from olmv1.errors import RetryableError
from olmv1.manifests import Manifest
from olmv1.served import Served

__all__ = ["KindsCheck", "MissingKindsError", "check_kinds", "groups_of", "optional_kinds_differ"]

_OPTIONAL_GROUPS = frozenset({"monitoring.coreos.com", "console.openshift.io"})

_Kind = tuple[str, str, str]
"""Group, version, kind."""


class MissingKindsError(RetryableError):
    """The cluster does not serve kinds that the objects need; `groups` are theirs, an API may come any time."""

    def __init__(self, kinds: Iterable[_Kind]) -> None:
        missing = sorted(set(kinds))
        by_version: dict[str, list[str]] = defaultdict(list)
        for group, version, kind in missing:
            by_version[f"{group}/{version}" if group else version].append(kind)
        listed = ", ".join(f"{version} ({', '.join(names)})" for version, names in by_version.items())
        super().__init__(f"required APIs are not available on the cluster: {listed}")
        self.groups = frozenset(group for group, _, _ in missing)


@dataclass(frozen=True, slots=True)
class KindsCheck:
    """`objects` can be applied.

    `left_out` names the kinds of the others as `group/version/Kind`; `recorded` is what a revision remembers of its
    optional kinds (empty when it has none), for `optional_kinds_differ`.
    """

    objects: tuple[Manifest, ...]
    left_out: tuple[str, ...]
    recorded: str

    @property
    def warnings(self) -> Iterator[str]:
        """A sentence for every kind that was left out."""
        for name in self.left_out:
            yield f"objects of {name} are left out: the cluster does not serve this API; they are applied when it does"


def check_kinds(objects: Sequence[Manifest], served: Served) -> KindsCheck:
    """The objects that can be applied; kinds of CRDs among the objects count as served.

    Raises: MissingKindsError with every missing kind that is not optional.
    """
    own = frozenset(kind for manifest in objects for kind in _defined_by(manifest))
    absent = {kind for kind in map(_kind_of, objects) if kind not in served.kinds and kind not in own}
    needed = {kind for kind in absent if kind[0] not in _OPTIONAL_GROUPS}
    if needed:
        raise MissingKindsError(needed)
    optional = sorted({kind for kind in map(_kind_of, objects) if kind[0] in _OPTIONAL_GROUPS and kind not in own})
    return KindsCheck(
        objects=tuple(manifest for manifest in objects if _kind_of(manifest) not in absent),
        left_out=tuple("/".join(kind) for kind in sorted(absent)),
        recorded=",".join(f"{'/'.join(kind)}={'absent' if kind in absent else 'applied'}" for kind in optional),
    )


def optional_kinds_differ(recorded: str, served: Served) -> bool:
    """Whether an optional kind of a revision has appeared or gone since it was made."""
    return any((kind in served.kinds) is not was_served for kind, was_served in _read(recorded))


def groups_of(recorded: str) -> frozenset[str]:
    """The groups of the optional kinds that a revision recorded."""
    return frozenset(kind[0] for kind, _ in _read(recorded))


def _read(recorded: str) -> Iterator[tuple[_Kind, bool]]:
    for entry in filter(None, recorded.split(",")):
        name, _, state = entry.partition("=")
        parts = name.split("/")
        if len(parts) == 3 and state in ("applied", "absent"):
            yield (parts[0], parts[1], parts[2]), state == "applied"


def _kind_of(manifest: Manifest) -> _Kind:
    group, _, version = str(manifest.get("apiVersion") or "").rpartition("/")
    return group, version, str(manifest.get("kind") or "")


def _defined_by(manifest: Manifest) -> Iterator[_Kind]:
    """The kinds that a CustomResourceDefinition brings; nothing for other objects."""
    if manifest.get("kind") != "CustomResourceDefinition":
        return
    spec: Mapping[str, object] = manifest.get("spec") or {}
    names, versions = spec.get("names"), spec.get("versions")
    kind = names.get("kind") if isinstance(names, Mapping) else None
    for version in versions if isinstance(versions, list) else ():
        if isinstance(version, Mapping) and version.get("served"):
            yield str(spec.get("group")), str(version.get("name")), str(kind)
