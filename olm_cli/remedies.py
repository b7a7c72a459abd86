"""Command lines that a person is told to run. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Iterable

__all__ = ["annotating", "granting"]


def annotating(extension: str, name: str, value: str | None) -> str:
    """Gives a ClusterExtension an annotation, whatever it has; `None` takes the annotation away."""
    words = ["kubectl", "annotate", "clusterextension", extension]
    return shlex.join([*words, f"{name}-"] if value is None else [*words, "--overwrite", f"{name}={value}"])


def granting(  # noqa: PLR0913 - one for each field of the spec
    package: str,
    extension: str,
    *,
    namespace: str,
    account: str,
    version: str | None,
    channels: Iterable[str],
    is_self_certified: bool,
) -> str:
    """Gives the account of a ClusterExtension the rights for what it asks for.

    Also those for what is installed, because the account has to remove what the new version does not have.
    """
    words = ["olm", "rbac", package, "--extension", extension, "--namespace", namespace, "--service-account", account]
    words += ["--version", version] if version else []
    words += [word for channel in channels for word in ("--channel", channel)]
    words += ["--policy", "SelfCertified"] if is_self_certified else []
    return shlex.join([*words, "--upgrades", "--apply"])
