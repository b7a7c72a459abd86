"""The way to catalogd through the API server, with the rights of the user: it works wherever `kubectl` works."""

from __future__ import annotations

from olm_cli.catalogs.served import Answer, NoSuchRoute
from olm_cli.problems import CannotTell
from olmv1.kube.client import KubeClient
from olmv1.kube.errors import Forbidden, NotFound, ServerError

__all__ = ["ProxyRoute"]

_ROUTE_MISSING = "404 page not found"
_AROUND = "or go around the API server with --catalogd-url"


class ProxyRoute:
    """The service proxy of the API server; `service` is `<scheme>:<name>:<port>`."""

    def __init__(self, client: KubeClient, namespace: str, service: str) -> None:
        self._client = client
        self._path = f"/api/v1/namespaces/{namespace}/services/{service}/proxy"

    async def get(self, path: str) -> Answer:
        """The answer of the service behind the proxy. Raises: as `Route.get`."""
        try:
            answer = await self._client.fetch(self._path + path, headers={"Accept-Encoding": "gzip"})
        except NotFound as error:
            if _ROUTE_MISSING in str(error):
                raise NoSuchRoute(str(error)) from error
            if not error.reason:  # no Status of the API server: catalogd itself answered
                raise CannotTell("catalogd does not have its content yet") from error
            raise CannotTell(f"{error}; check that catalogd runs, {_AROUND}") from error
        except Forbidden as error:
            raise CannotTell(f"{error}; ask for get on services/proxy of catalogd, {_AROUND}") from error
        except ServerError as error:
            raise CannotTell(f"{error}; check that catalogd runs, {_AROUND}") from error
        return Answer(answer.body, answer.headers.get("ETag", ""))
