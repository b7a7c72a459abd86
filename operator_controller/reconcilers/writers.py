"""Who writes for a revision: the account that it names, or the controller where that is allowed.

Rule: architecture section 3. The API server does not check that an impersonated account exists, so this does.
"""

from __future__ import annotations

from dataclasses import dataclass

from olmv1.errors import RetryableError, TerminalError
from olmv1.kube.caches import Cache
from olmv1.kube.client import KubeClient
from olmv1.manifests import Manifest
from operator_controller.revisions.view import account_of, missing_account

__all__ = ["MissingAccountError", "Writers"]


class MissingAccountError(RetryableError):
    """The account of a revision does not exist (any more)."""


@dataclass(frozen=True, slots=True)
class Writers:
    """Clients by revision; `accounts` is the watch of ServiceAccounts."""

    client: KubeClient
    accounts: Cache
    allow_unscoped: bool

    def writer_for(self, object_set: Manifest) -> KubeClient:
        """The client that writes for `object_set`.

        Raises:
            TerminalError: it names no account and may not act as the controller.
            MissingAccountError: its account does not exist.
        """
        account = account_of(object_set)
        if account is not None:
            namespace, name = account
            if self.accounts.get(name, namespace) is None:
                raise MissingAccountError(f'service account "{name}" not found in namespace "{namespace}"')
            return self.client.as_service_account(namespace, name)
        if self.allow_unscoped and _is_owned_by_extension(object_set):
            return self.client
        raise TerminalError(missing_account(object_set))


def _is_owned_by_extension(object_set: Manifest) -> bool:
    return any(
        reference.get("kind") == "ClusterExtension" and reference.get("controller")
        for reference in object_set["metadata"].get("ownerReferences") or ()
    )
