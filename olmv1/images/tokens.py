"""The `Authorization` header for a registry: basic, or a bearer token from the token server it names.

Shell. Tokens live in memory only, by what they were given for, and are renewed before they end.
Rule: distribution token authentication and OAuth2 specifications.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import orjson
from yarl import URL

from olmv1.images.challenges import Challenge
from olmv1.images.credentials import Credential
from olmv1.images.failures import RegistryError, status_failure
from olmv1.images.transport import Call, Transport, read_bounded

__all__ = ["Asker", "Tokens"]

_CLIENT_ID = "olmv1"
_ANSWER_BYTES = 256 * 1024
_DEFAULT_LIFE_S = 60.0
_EARLY_S = 10.0


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks a registry for what: `where` names the registry in errors, `scope` is for challenges that name none.

    `refused` is the header value that the registry has just refused; a token that is kept but refused is renewed.
    """

    where: str
    scope: str
    credential: Credential | None
    is_insecure: bool = False
    refused: str = ""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a token is asked for, and by whom."""

    realm: str
    service: str
    scope: str
    credential: Credential | None
    is_insecure: bool


class Tokens:
    """Tokens of one puller."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._kept: dict[_Wanted, tuple[str, float]] = {}

    async def authorization(self, challenges: Sequence[Challenge], asker: Asker) -> str:
        """The header value that answers `challenges`.

        Raises:
            RegistryError: no challenge can be answered, or the token server refuses.
        """
        credential = asker.credential
        for challenge in challenges:
            realm = challenge.parameters.get("realm", "")
            if challenge.scheme == "bearer" and realm:
                if credential and credential.registry_token:
                    return f"Bearer {credential.registry_token}"
                service = challenge.parameters.get("service", "")
                scope = challenge.parameters.get("scope", asker.scope)
                wanted = _Wanted(realm, service, scope, credential, asker.is_insecure)
                return f"Bearer {await self._token(asker, wanted)}"
            if challenge.scheme == "basic" and credential and credential.basic:
                return credential.basic
        reason = "the credentials do not fit" if credential else "no credentials are configured for it"
        raise RegistryError(f"{asker.where}: 401 Unauthorized: {reason}", status=401)

    async def _token(self, asker: Asker, wanted: _Wanted) -> str:
        kept = self._kept.get(wanted)
        now = time.monotonic()
        if kept is not None and kept[1] > now and asker.refused != f"Bearer {kept[0]}":
            return kept[0]
        token, life_s = await self._fetch(asker.where, wanted)
        self._kept = {key: value for key, value in self._kept.items() if value[1] > now}
        self._kept[wanted] = (token, now + life_s - _EARLY_S)
        return token

    async def _fetch(self, where: str, wanted: _Wanted) -> tuple[str, float]:
        call = _call(where, wanted)
        response = await self._transport.send(call)
        body = await read_bounded(response, _ANSWER_BYTES, call.where)
        if response.status != 200:
            raise status_failure(call.where, response.status, body or b"")
        try:
            answer = orjson.loads(body or b"")
            token = answer.get("token") or answer.get("access_token")
            life_s = float(answer.get("expires_in") or _DEFAULT_LIFE_S)
        except (orjson.JSONDecodeError, AttributeError, TypeError, ValueError) as error:
            raise RegistryError(f"{call.where}: the answer holds no token") from error
        if not isinstance(token, str) or not token.isascii() or not token.isprintable():
            raise RegistryError(f"{call.where}: the answer holds no token")
        return token, life_s


def _call(where: str, wanted: _Wanted) -> Call:
    """The request for a token: a refresh token goes in a form, everything else is basic authentication or nothing."""
    try:
        url = URL(wanted.realm)
        host = url.host or ""
    except ValueError:
        host = ""
    if not host or url.scheme not in {"https", "http"}:
        raise RegistryError(f"{where}: its token server is not an address")
    if url.scheme == "http" and not wanted.is_insecure:
        raise RegistryError(f"{where}: its token server http://{host} is not protected by TLS, which is refused")
    port = "" if url.is_default_port() else f":{url.explicit_port}"
    place = f"{where}: token server {host}"
    asked = {key: value for key, value in (("service", wanted.service), ("scope", wanted.scope)) if value}
    credential = wanted.credential
    if credential and credential.identity_token:
        form = {"grant_type": "refresh_token", "refresh_token": credential.identity_token, "client_id": _CLIENT_ID}
        return Call("POST", url, place, place, f"{host}{port}", form={**form, **asked}, is_insecure=wanted.is_insecure)
    headers = {"Authorization": credential.basic} if credential and credential.basic else {}
    # Several scopes stand in one value, separated by blanks, and are sent as parameters of their own.
    scopes = [("scope", scope) for scope in asked.pop("scope", "").split()]
    url = url.with_query([*url.query.items(), *asked.items(), *scopes])
    return Call("GET", url, place, place, f"{host}{port}", headers=headers, is_insecure=wanted.is_insecure)
