"""The registry logins of a component, followed while it runs.

Owns which Secrets count: the global pull secret, then the `imagePullSecrets` of the component's own service account,
later ones winning. Called by the wiring of both components. Rule: clusterextension.md 12.5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from olmv1.api.names import SECRET_TYPE_OBJECT_DATA
from olmv1.images.credentials import Credentials, credentials_of
from olmv1.kube.caches import Cache, Caches
from olmv1.kube.resources import SECRETS, SERVICE_ACCOUNTS
from olmv1.manifests import Manifest

__all__ = ["PullSecrets", "login_of"]

_KEYS = (".dockerconfigjson", ".dockercfg")


class PullSecrets:
    """Logins as of now; `on_change` is called when they may have changed.

    `namespace` and `account` name the component's own service account; `global_secret` is namespace and name of the
    global pull secret, or `None`.
    """

    def __init__(
        self,
        caches: Caches,
        account: tuple[str, str],
        global_secret: tuple[str, str] | None,
        on_change: Callable[[], None],
    ) -> None:
        namespace, name = account
        self._account = account
        self._global_secret = global_secret
        self._accounts = caches.open(SERVICE_ACCOUNTS, namespace=namespace, field_selector=f"metadata.name={name}")
        self._secrets: list[Cache] = [
            # Of any type: kubelet reads the keys of an Opaque one, too. Our own are many, large, and never logins.
            caches.open(
                SECRETS, namespace=namespace, field_selector=f"type!={SECRET_TYPE_OBJECT_DATA}", transform=login_of
            )
        ]
        if global_secret is not None and global_secret[0] != namespace:
            selector = f"metadata.name={global_secret[1]}"
            self._secrets.append(
                caches.open(SECRETS, namespace=global_secret[0], field_selector=selector, transform=login_of)
            )
        self._credentials = credentials_of(())
        self._on_change = on_change
        for cache in (self._accounts, *self._secrets):
            cache.add_handler(lambda _change: self._refresh())

    async def wait_synced(self) -> None:
        """Return when everything has been read once."""
        for cache in (self._accounts, *self._secrets):
            await cache.wait_synced()

    def credentials(self) -> Credentials:
        """The logins of this moment."""
        return self._credentials

    def _refresh(self) -> None:
        fresh = credentials_of(tuple(self._found()))
        if fresh != self._credentials:
            self._credentials = fresh
            self._on_change()

    def _found(self) -> Iterator[Manifest]:
        namespace, name = self._account
        account = self._accounts.get(name, namespace) or {}
        names = [str(item.get("name") or "") for item in account.get("imagePullSecrets") or ()]
        places = [(namespace, item) for item in names]
        if self._global_secret is not None:
            places.insert(0, self._global_secret)
        for place in places:
            for cache in self._secrets:
                if (secret := cache.get(place[1], place[0])) is not None:
                    yield secret
                    break


def login_of(secret: Manifest) -> Manifest:
    """The Secret with nothing of its content but a login: no other secret of the namespace is held in memory."""
    data = secret.get("data")
    logins = {key: data[key] for key in _KEYS if key in data} if isinstance(data, Mapping) else {}
    kept = {key: secret[key] for key in ("apiVersion", "kind", "metadata") if key in secret}
    return {**kept, "data": logins} if logins else kept
