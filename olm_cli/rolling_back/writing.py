"""Makes the change that was shown, and only that."""

from __future__ import annotations

from collections.abc import Mapping

from olm_cli.cluster import connected, explained
from olm_cli.options import ClusterOptions
from olm_cli.problems import CannotTell, Refused
from olmv1.kube.errors import Conflict, Forbidden, Invalid
from olmv1.kube.resources import CLUSTER_EXTENSIONS
from olmv1.manifests import Manifest, name_of, uid_of

__all__ = ["write_change"]

_FIELD_MANAGER = "olm-rollback"
# The controller writes the status while a person reads: that is no change of what was shown.
_TRIES = 5


async def write_change(
    shown: Manifest, change: Mapping[str, object], cluster: ClusterOptions, *, is_rehearsal: bool = False
) -> None:
    """Change the extension that was shown by a merge patch; a rehearsal asks whether that is admitted.

    Raises:
        Refused: the API server does not admit the change, or this user may not make it.
        CannotTell: somebody else changed the extension meanwhile, or the cluster does not answer.
    """
    name = name_of(shown)
    doing = f'change ClusterExtension "{name}"'
    async with connected(cluster) as client:
        for _ in range(_TRIES):
            with explained(doing):
                now = await client.get(CLUSTER_EXTENSIONS, name)
                if _identity(now) != _identity(shown):
                    break
                metadata = {"resourceVersion": now["metadata"]["resourceVersion"]}
                patch = {"metadata": metadata, **change}
                try:
                    await client.patch(
                        CLUSTER_EXTENSIONS, name, patch, field_manager=_FIELD_MANAGER, dry_run=is_rehearsal
                    )
                except Conflict:
                    continue
                except (Forbidden, Invalid) as error:
                    raise Refused(f"cannot {doing}: {error}") from error
            return
    raise CannotTell(f'ClusterExtension "{name}" was changed meanwhile: look again, nothing was written')


def _identity(ext: Manifest) -> tuple[str, object]:
    """Which object it is, and which spec it has."""
    return uid_of(ext), ext["metadata"].get("generation")
