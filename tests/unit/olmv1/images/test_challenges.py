"""`WWW-Authenticate` headers as registries send them."""

from __future__ import annotations

import pytest

from olmv1.images.challenges import Challenge, parse_challenges

REALM = {"realm": "https://auth.example/token", "service": "registry.example", "scope": "repository:a/b:pull,push"}


@pytest.mark.parametrize(
    ("headers", "challenges"),
    [
        (
            ['Bearer realm="https://auth.example/token",service="registry.example",scope="repository:a/b:pull,push"'],
            [("bearer", REALM)],
        ),
        (['Basic realm="a \\"b\\""'], [("basic", {"realm": 'a "b"'})]),
        (["Basic"], [("basic", {})]),
        (["Negotiate, Basic realm=x"], [("negotiate", {}), ("basic", {"realm": "x"})]),
        (['Bearer realm="a"', "Basic Realm=b"], [("bearer", {"realm": "a"}), ("basic", {"realm": "b"})]),
        (['BEARER REALM = "a" , Service="b"'], [("bearer", {"realm": "a", "service": "b"})]),
        (["", "=", '"'], []),
    ],
)
def test_parse_challenges_reads_every_challenge(
    headers: list[str], challenges: list[tuple[str, dict[str, str]]]
) -> None:
    assert parse_challenges(headers) == tuple(Challenge(scheme, parameters) for scheme, parameters in challenges)
