"""Reading objects from an API server without starting a program: what tests ask again and again while they wait.

Used by `kubectl` for the clusters that are started here. It answers what it is sure of; for everything else it says
nothing, and the command itself is asked.
"""

from __future__ import annotations

import base64
import http.client
import json
import ssl
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

__all__ = ["Reader", "Unsure"]

_TIMEOUT_S = 20.0
_DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"


class Unsure(Exception):  # noqa: N818 - no error: the caller asks somebody else
    """The API server did not give an answer that can be read without more knowledge."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """One kind of object as the API server serves it."""

    group: str
    version: str
    plural: str
    kind: str
    is_namespaced: bool

    @property
    def api_version(self) -> str:
        return f"{self.group}/{self.version}" if self.group else self.version

    def path(self, namespace: str | None, name: str = "") -> str:
        """Where its objects are, or the one of this name."""
        root = f"/apis/{self.api_version}" if self.group else f"/api/{self.version}"
        scope = f"/namespaces/{quote(namespace)}" if self.is_namespaced and namespace else ""
        return f"{root}{scope}/{self.plural}" + (f"/{quote(name)}" if name else "")


class Reader:
    """Reads as the user of a kubeconfig that was written here: JSON, with a client certificate."""

    def __init__(self, kubeconfig: Path) -> None:
        document = json.loads(kubeconfig.read_text())
        cluster, user = document["clusters"][0]["cluster"], document["users"][0]["user"]
        self._address = urlsplit(cluster["server"])
        self._tls = ssl.create_default_context(cadata=_plain(cluster["certificate-authority-data"]).decode())
        with tempfile.NamedTemporaryFile() as file:
            file.write(_plain(user["client-certificate-data"]) + _plain(user["client-key-data"]))
            file.flush()
            self._tls.load_cert_chain(file.name)
        self._kinds: dict[str, _Kind] = {}

    def get(self, resource: str, name: str, namespace: str | None) -> dict[str, Any] | None:
        """One object, or `None` where there is none.

        Raises: Unsure when the API server does not tell, or serves no such kind.
        """
        found = self._read(self._kind(resource).path(namespace or "default", name))
        return None if found is None else _shown(found)

    def items(self, resources: str, namespace: str | None, selector: str) -> list[dict[str, Any]]:
        """The objects of one kind or of several (`pods,services`), of one namespace or of all for `None`.

        Raises: Unsure as `get` does.
        """
        found = []
        for resource in resources.split(","):
            kind = self._kind(resource)
            listed = self._read(kind.path(namespace) + (f"?labelSelector={quote(selector)}" if selector else ""))
            if listed is None:
                raise Unsure
            found += [_shown({"apiVersion": kind.api_version, "kind": kind.kind, **item}) for item in listed["items"]]
        return found

    def _kind(self, resource: str) -> _Kind:
        wanted = resource.lower()
        if wanted not in self._kinds:
            self._kinds = {}
            for root in ("/api", "/apis"):
                for kind, names in _kinds_of(self._ask(root, _DISCOVERY)):
                    for name in names:
                        self._kinds.setdefault(name, kind)
        if wanted not in self._kinds:
            raise Unsure
        return self._kinds[wanted]

    def _read(self, path: str) -> dict[str, Any] | None:
        document = self._ask(path, "application/json")
        return None if document.get("kind") == "Status" else document

    def _ask(self, path: str, accept: str) -> dict[str, Any]:
        """What the API server answers; its own "not found" is an answer, everything else but success is none."""
        address = self._address
        connection = http.client.HTTPSConnection(
            address.hostname or "", address.port, timeout=_TIMEOUT_S, context=self._tls
        )
        try:
            connection.request("GET", path, headers={"Accept": accept, "User-Agent": "devcluster"})
            answer = connection.getresponse()
            document = json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError):
            raise Unsure from None
        finally:
            connection.close()
        if answer.status == 404 and (document.get("details") or {}).get("name"):
            return {"kind": "Status"}
        if answer.status != 200:
            raise Unsure
        found: dict[str, Any] = document
        return found


def _kinds_of(discovered: Mapping[str, Any]) -> Iterator[tuple[_Kind, list[str]]]:
    """Every kind of a discovery document with the names that it may be called by."""
    for group in discovered.get("items") or ():
        group_name = (group.get("metadata") or {}).get("name", "")
        for version in group.get("versions") or ():
            for item in version.get("resources") or ():
                plural, singular = item["resource"], item.get("singularResource", "")
                kind = _Kind(
                    group_name,
                    version["version"],
                    plural,
                    (item.get("responseKind") or {}).get("kind", ""),
                    item.get("scope") == "Namespaced",
                )
                names = [plural, singular, *(item.get("shortNames") or ())]
                full = [f"{name}.{group_name}" for name in (plural, singular) if group_name]
                yield kind, [*names, *full]


def _shown(obj: dict[str, Any]) -> dict[str, Any]:
    """Without what `kubectl` does not show either."""
    obj["metadata"].pop("managedFields", None)
    return obj


def _plain(encoded: str) -> bytes:
    return base64.b64decode(encoded)
