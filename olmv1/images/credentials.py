"""Who we are to a registry: docker configuration JSON and pull secrets, merged into one value.

Pure: file bytes and Secret manifests in, `Credentials` out. No text made here shows a secret, not even a `repr`.
Rule: clusterextension.md 12.5; the keys of `auths` match a repository by its longest prefix.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import orjson

from olmv1.manifests import Manifest, name_of

__all__ = ["ANONYMOUS", "Credential", "Credentials", "credentials_of", "parse_docker_config"]

_HUB_KEYS = {"index.docker.io": "docker.io", "registry-1.docker.io": "docker.io"}


@dataclass(frozen=True, slots=True)
class Credential:
    """What one entry of `auths` holds; empty parts are absent. `identity_token` is an OAuth2 refresh token."""

    username: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    identity_token: str = field(default="", repr=False)
    registry_token: str = field(default="", repr=False)

    @property
    def basic(self) -> str:
        """The value of an `Authorization` header for basic authentication; empty without user name."""
        if not self.username:
            return ""
        pair = f"{self.username}:{self.password}".encode()
        return f"Basic {base64.b64encode(pair).decode()}"


@dataclass(frozen=True, slots=True)
class Credentials:
    """Credentials by registry or repository prefix.

    `problems`: one sentence per entry or secret that could not be read, without its content.
    """

    entries: Mapping[str, Credential] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def merged(self, *later: Credentials) -> Credentials:
        """These credentials with those of `later` over them: whole entries, the last one wins per key."""
        entries = dict(self.entries)
        problems = list(self.problems)
        for other in later:
            entries.update(other.entries)
            problems.extend(other.problems)
        return Credentials(entries, tuple(problems))

    def credential_for(self, domain: str, repository: str) -> Credential | None:
        """The entry with the longest key that is `<domain>/<repository>` or a path prefix of it."""
        key = f"{domain}/{repository}"
        while key:
            if found := self.entries.get(key):
                return found
            key = key.rpartition("/")[0]
        return None


ANONYMOUS = Credentials()


def parse_docker_config(data: bytes, origin: str) -> Credentials:
    """The `auths` of a docker configuration file; helpers (`credsStore`, `credHelpers`) are not run.

    `origin` names the file or secret in `problems`.
    """
    auths, problem = _object(data, origin)
    if problem:
        return Credentials(problems=(problem,))
    inner = auths.get("auths") or {}
    if not isinstance(inner, dict):
        return Credentials(problems=(f'{origin}: "auths" is not an object',))
    return _entries(inner, origin)


def credentials_of(secrets: Sequence[Manifest]) -> Credentials:
    """The credentials of pull secrets, in order: the entry of a later secret wins per registry key.

    Keys read: `.dockerconfigjson` (its `auths`), else `.dockercfg`. A Secret with neither is left out and named in
    `problems`.
    """
    return ANONYMOUS.merged(*(_of_secret(secret) for secret in secrets))


def _of_secret(secret: Manifest) -> Credentials:
    origin = f'pull secret "{name_of(secret)}"'
    data = secret.get("data") or {}
    for key in (".dockerconfigjson", ".dockercfg"):
        if key not in data:
            continue
        try:
            decoded = base64.b64decode(data[key], validate=True)
        except (binascii.Error, ValueError, TypeError):
            return Credentials(problems=(f'{origin}: "{key}" is not base64',))
        if key == ".dockerconfigjson":
            return parse_docker_config(decoded, origin)
        entries, problem = _object(decoded, origin)
        return Credentials(problems=(problem,)) if problem else _entries(entries, origin)
    return Credentials(problems=(f"{origin} has neither .dockerconfigjson nor .dockercfg",))


def _object(data: bytes, origin: str) -> tuple[Mapping[str, object], str]:
    try:
        document = orjson.loads(data)
    except orjson.JSONDecodeError:
        return {}, f"{origin} is not JSON"
    if not isinstance(document, dict):
        return {}, f"{origin} is not a JSON object"
    return document, ""


def _entries(auths: Mapping[str, object], origin: str) -> Credentials:
    entries: dict[str, Credential] = {}
    problems: list[str] = []
    for key, item in auths.items():
        try:
            entries[_registry_key(key)] = _credential(item)
        except ValueError as error:
            problems.append(f'{origin}: entry "{key}" {error}')
    return Credentials(entries, tuple(problems))


def _registry_key(key: str) -> str:
    """`https://index.docker.io/v1/` → `docker.io`; `quay.io/team/` → `quay.io/team`: old spellings of the same key."""
    bare = key.partition("://")[2] or key
    parts = [part for part in bare.split("/") if part]
    domain = _HUB_KEYS.get(parts[0], parts[0]) if parts else ""
    path = parts[1:]
    # Only addresses (with a scheme) end in an API version; a repository may be called v1.
    if path and path[-1] in {"v1", "v2"} and "://" in key:
        path = path[:-1]
    return "/".join([domain, *path])


def _credential(item: object) -> Credential:
    """The credential of one entry; ValueError says what is wrong with it, without quoting it."""
    if not isinstance(item, dict):
        raise ValueError("is not an object")
    texts = dict(_texts(item))
    username, password = texts.get("username", ""), texts.get("password", "")
    if auth := texts.get("auth"):
        username, password = _pair(auth)
    # Docker writes the placeholder <token> as user name where only the identity token counts.
    if texts.get("identitytoken") and username == "<token>":
        username = ""
    found = Credential(username, password, texts.get("identitytoken", ""), texts.get("registrytoken", ""))
    if found == Credential():
        raise ValueError("holds no credential")
    return found


def _texts(item: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for key, value in item.items():
        if isinstance(value, str):
            yield key.lower(), value


def _pair(auth: str) -> tuple[str, str]:
    try:
        decoded = base64.b64decode(auth, validate=True).decode()
    except (binascii.Error, ValueError) as error:
        raise ValueError('has an "auth" that is not base64') from error
    username, colon, password = decoded.partition(":")
    if not colon:
        raise ValueError('has an "auth" without a colon')
    return username, password.rstrip("\0")
