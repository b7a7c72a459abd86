"""The watches that the leader always has."""

from __future__ import annotations

import asyncio

from olmv1.api.names import LABEL_REVISION_NAME
from olmv1.kube.caches import Caches
from olmv1.kube.resources import (
    API_SERVICES,
    CLUSTER_CATALOGS,
    CLUSTER_EXTENSIONS,
    CLUSTER_OBJECT_SETS,
    CLUSTER_ROLE_BINDINGS,
    CLUSTER_ROLES,
    CUSTOM_RESOURCE_DEFINITIONS,
    NAMESPACES,
    ROLE_BINDINGS,
    ROLES,
    SECRETS,
    SERVICE_ACCOUNTS,
)
from olmv1.pull_secrets import PullSecrets
from olmv1.telemetry.logs import get_logger
from operator_controller.authorization import slim_rbac
from operator_controller.rollout.revisions import BY_OWNER, owner_keys
from operator_controller.triggers import BY_ACCOUNT, Watches, account_keys, set_account_keys

__all__ = ["opened", "synced"]

# Secrets that cannot be read must not stop extensions that need none.
_PULL_SECRETS_S = 5.0

log = get_logger(__name__)


def opened(caches: Caches, namespace: str) -> Watches:
    """All watches, with their indexes; `namespace` holds the Secrets of revisions."""
    sets = caches.open(CLUSTER_OBJECT_SETS)
    sets.add_index(BY_OWNER, owner_keys)
    sets.add_index(BY_ACCOUNT, set_account_keys)
    secrets = caches.open(SECRETS, namespace=namespace, label_selector=LABEL_REVISION_NAME, metadata_only=True)
    secrets.add_index(BY_OWNER, owner_keys)
    extensions = caches.open(CLUSTER_EXTENSIONS)
    extensions.add_index(BY_ACCOUNT, account_keys)
    roles = (ROLES, CLUSTER_ROLES, ROLE_BINDINGS, CLUSTER_ROLE_BINDINGS)
    return Watches(
        extensions=extensions,
        sets=sets,
        catalogs=caches.open(CLUSTER_CATALOGS),
        accounts=caches.open(SERVICE_ACCOUNTS, metadata_only=True),
        secrets=secrets,
        definitions=caches.open(CUSTOM_RESOURCE_DEFINITIONS, metadata_only=True),
        services=caches.open(API_SERVICES, metadata_only=True),
        namespaces=caches.open(NAMESPACES, metadata_only=True),
        roles=tuple(caches.open(resource, transform=slim_rbac) for resource in roles),
    )


async def synced(watches: Watches, pull_secrets: PullSecrets) -> None:
    """Return when every watch is complete."""
    single = (watches.extensions, watches.sets, watches.catalogs, watches.accounts, watches.secrets)
    for cache in (*single, watches.definitions, watches.services, watches.namespaces, *watches.roles):
        await cache.wait_synced()
    try:
        async with asyncio.timeout(_PULL_SECRETS_S):
            await pull_secrets.wait_synced()
    except TimeoutError:
        log.warning("pull secrets not read yet, going on without them")
