"""What must hold before anything is resolved. Rule: clusterextension.md 4.2 and 11.7, applying.md 10 row 5."""

from __future__ import annotations

from collections.abc import Callable

from olmv1.api.cluster_extension import ClusterExtension
from olmv1.errors import TerminalError
from operator_controller.outcome.extension import PreconditionError

__all__ = ["NAME_LIMIT", "require_account", "require_short_name"]

NAME_LIMIT = 53
"""Characters of an extension's name: with the number of a revision behind it, it becomes a label."""


def require_short_name(ext: ClusterExtension) -> None:
    """The name of the extension must fit a label.

    Raises:
        TerminalError: it is too long.
    """
    if len(ext.name) > NAME_LIMIT:
        raise TerminalError(
            f'name "{ext.name}" has {len(ext.name)} characters: at most {NAME_LIMIT} fit the labels of its revisions'
        )


def require_account(ext: ClusterExtension, exists: Callable[[str, str], bool], *, allow_unscoped: bool) -> None:
    """The account that the extension names must exist; one must be named unless unscoped extensions are allowed.

    Raises:
        TerminalError: none is named. Rule: the message of architecture section 3.
        PreconditionError: it does not exist.
    """
    namespace, account = ext.spec.namespace, ext.spec.service_account.name
    if account is None:
        if not allow_unscoped:
            raise TerminalError(
                f'spec.serviceAccount.name is required: name a ServiceAccount in namespace "{namespace}" '
                "or start the controller with --unscoped-extensions=allow"
            )
        return
    if not exists(namespace, account):
        raise PreconditionError((f'service account "{account}" not found in namespace "{namespace}"',))
