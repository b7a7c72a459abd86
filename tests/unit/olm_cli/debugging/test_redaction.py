from __future__ import annotations

import time
from typing import Any

import pytest

from olm_cli.debugging.redaction import redacted, redacted_text

PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow+/=\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("https://u:p4ss@host/x", "https://[redacted]@host/x", id="credentials-in-a-url"),
        pytest.param("Authorization: Bearer abcdefghijk", "Authorization: Bearer [redacted]", id="header"),
        pytest.param('"Authorization": "Negotiate abc"', '"Authorization": "[redacted]"', id="odd-header"),
        pytest.param(f"a {PEM} b", "a [redacted] b", id="private-key"),
        pytest.param("--password=hunter2 --v=4", "--password=[redacted] --v=4", id="flag"),
        pytest.param('{"client_secret": "x y"}', '{"client_secret": [redacted]}', id="json"),
        pytest.param("db:\n  apiKey: 'x'\n  port: 1", "db:\n  apiKey: [redacted]\n  port: 1", id="yaml"),
        pytest.param('"auth":"dTpw"', '"auth":[redacted]', id="login-of-a-registry"),
        pytest.param("--secret-name=till", "--secret-name=till", id="name-of-a-secret"),
        pytest.param("the token has expired", "the token has expired", id="prose"),
        pytest.param('Secret "till": not found', 'Secret "till": not found', id="message"),
    ],
)
def test_a_text_loses_its_secrets_only(text: str, expected: str) -> None:
    assert redacted_text(text) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(
            {"kind": "Secret", "data": {"a": "c2VjcmV0"}, "stringData": {"b": ""}},
            {
                "kind": "Secret",
                "data": {"a": "[redacted: 8 characters]"},
                "stringData": {"b": "[redacted: 0 characters]"},
            },
            id="secret",
        ),
        pytest.param(
            {"phases": [{"objects": [{"object": {"kind": "Secret", "data": {"a": "x"}}}]}]},
            {"phases": [{"objects": [{"object": {"kind": "Secret", "data": {"a": "[redacted: 1 characters]"}}}]}]},
            id="secret-in-a-revision",
        ),
        pytest.param(
            {"kind": "ConfigMap", "data": {"a": "x", "db.password": "y", "conf": "user=a password=b"}},
            {
                "kind": "ConfigMap",
                "data": {"a": "x", "db.password": "[redacted]", "conf": "user=a password=[redacted]"},
            },
            id="config-map",
        ),
        pytest.param(
            {"env": [{"name": "DB_PASSWORD", "value": "x"}, {"name": "MODE", "value": "y"}]},
            {"env": [{"name": "DB_PASSWORD", "value": "[redacted]"}, {"name": "MODE", "value": "y"}]},
            id="environment",
        ),
        pytest.param(
            {"secretName": "till", "secretKeyRef": {"name": "till", "key": "password"}, "tokenExpirationSeconds": 3600},
            {"secretName": "till", "secretKeyRef": {"name": "till", "key": "password"}, "tokenExpirationSeconds": 3600},
            id="references",
        ),
        pytest.param(
            {"properties": {"password": {"type": "string"}}},
            {"properties": {"password": {"type": "string"}}},
            id="schema",
        ),
        pytest.param(
            {"annotations": {"kubectl.kubernetes.io/last-applied-configuration": '{"data":{"a":"x"}}'}},
            {"annotations": {"kubectl.kubernetes.io/last-applied-configuration": "[redacted]"}},
            id="last-applied",
        ),
        pytest.param({"data": [1, None, True, 1.5]}, {"data": [1, None, True, 1.5]}, id="other-values"),
    ],
)
def test_an_object_loses_its_secrets_only(value: Any, expected: Any) -> None:
    assert redacted(value) == expected


@pytest.mark.parametrize(
    "text",
    ["a." * 500_000, "password" * 100_000, 'token="' * 100_000, "-----BEGIN PRIVATE KEY-----" * 30_000],
    ids=["dots", "words", "quotes", "keys"],
)
def test_hostile_texts_take_no_longer_than_others(text: str) -> None:
    started = time.process_time()
    redacted_text(text)
    assert time.process_time() - started < 10
