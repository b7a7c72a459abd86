"""Docker configuration and pull secrets (clusterextension.md 12.5)."""

from __future__ import annotations

import base64
from typing import Any

import orjson
import pytest

from olmv1.images.credentials import ANONYMOUS, Credential, Credentials, credentials_of, parse_docker_config


def auth(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def a_secret(name: str, auths: Any, key: str = ".dockerconfigjson") -> dict[str, Any]:
    content = {"auths": auths} if key == ".dockerconfigjson" else auths
    return {"metadata": {"name": name}, "data": {key: auth(orjson.dumps(content).decode())}}


@pytest.mark.parametrize(
    ("entry", "credential"),
    [
        ({"auth": auth("me:pass:word")}, Credential("me", "pass:word")),
        ({"auth": auth("me:word"), "email": "me@example.com"}, Credential("me", "word")),
        ({"username": "me", "password": "word"}, Credential("me", "word")),
        ({"auth": auth("<token>:"), "identitytoken": "t"}, Credential(identity_token="t")),
        ({"Auth": auth("me:word"), "IdentityToken": "t"}, Credential("me", "word", "t")),
        ({"registrytoken": "t"}, Credential(registry_token="t")),
    ],
)
def test_parse_docker_config_reads_every_form_of_an_entry(entry: dict[str, str], credential: Credential) -> None:
    data = orjson.dumps({"auths": {"registry.example": entry}, "credsStore": "never run"})
    assert parse_docker_config(data, "f") == Credentials({"registry.example": credential})


@pytest.mark.parametrize(
    ("key", "domain", "repository"),
    [
        ("registry.example", "registry.example", "a/b"),
        ("registry.example:5000/a", "registry.example:5000", "a/b"),
        ("registry.example/a/b", "registry.example", "a/b"),
        ("https://registry.example/v2/", "registry.example", "a"),
        ("https://index.docker.io/v1/", "docker.io", "library/a"),
        ("registry.example/v1", "registry.example", "v1/a"),
    ],
)
def test_credential_for_understands_the_spellings_of_keys(key: str, domain: str, repository: str) -> None:
    data = orjson.dumps({"auths": {key: {"auth": auth("me:word")}}})
    assert parse_docker_config(data, "f").credential_for(domain, repository) == Credential("me", "word")


def test_credential_for_prefers_the_longest_prefix_on_whole_parts() -> None:
    keys = ("r.example", "r.example/a", "r.example/a/b")
    credentials = Credentials({key: Credential(key, "x") for key in keys})
    names = {path: credentials.credential_for("r.example", path) for path in ("a/b/c", "a/bc", "ab")}
    assert {path: found.username if found else None for path, found in names.items()} == {
        "a/b/c": "r.example/a/b",
        "a/bc": "r.example/a",
        "ab": "r.example",
    }
    assert credentials.credential_for("other.example", "a") is None


def test_credentials_of_lets_later_secrets_win_per_whole_entry() -> None:
    first = a_secret(
        "one", {"a.example": {"auth": auth("one:1"), "identitytoken": "t"}, "b.example": {"auth": auth("one:1")}}
    )
    second = a_secret("two", {"a.example": {"auth": auth("two:2")}}, ".dockercfg")
    expected = {"a.example": Credential("two", "2"), "b.example": Credential("one", "1")}
    assert credentials_of([first, second]) == Credentials(expected)
    assert credentials_of([]) == ANONYMOUS


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({}, 'pull secret "s" has neither .dockerconfigjson nor .dockercfg'),
        ({".dockerconfigjson": "%"}, 'pull secret "s": ".dockerconfigjson" is not base64'),
        ({".dockerconfigjson": auth("{")}, 'pull secret "s" is not JSON'),
        ({".dockercfg": auth("[]")}, 'pull secret "s" is not a JSON object'),
        ({".dockerconfigjson": auth('{"auths": []}')}, ""),
        ({".dockerconfigjson": auth('{"auths": 1}')}, 'pull secret "s": "auths" is not an object'),
        ({".dockercfg": auth('{"r": 1}')}, 'pull secret "s": entry "r" is not an object'),
        ({".dockercfg": auth('{"r": {"auth": "%"}}')}, 'pull secret "s": entry "r" has an "auth" that is not base64'),
        (
            {".dockercfg": auth(f'{{"r": {{"auth": "{auth("word")}"}}}}')},
            'pull secret "s": entry "r" has an "auth" without a colon',
        ),
        ({".dockercfg": auth('{"r": {"email": "x"}}')}, 'pull secret "s": entry "r" holds no credential'),
    ],
)
def test_credentials_of_leaves_out_what_it_cannot_read(data: dict[str, str], problem: str) -> None:
    found = credentials_of([{"metadata": {"name": "s"}, "data": data}])
    assert found == Credentials(problems=(problem,) if problem else ())


def test_a_bad_entry_does_not_take_the_others_with_it() -> None:
    found = credentials_of([a_secret("s", {"a.example": {"auth": "%"}, "b.example": {"auth": auth("me:word")}})])
    assert dict(found.entries) == {"b.example": Credential("me", "word")}


def test_credentials_never_show_a_secret() -> None:
    credential = Credential("user-name", "pass-word", "identity-token", "registry-token")
    shown = repr(Credentials({"r.example": credential}))
    assert shown == "Credentials(entries={'r.example': Credential()}, problems=())"
    assert credential.basic == f"Basic {auth('user-name:pass-word')}"
    assert Credential(identity_token="t").basic == ""
