"""`policy.json`: scopes and requirements (containers-policy.json(5))."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from olmv1.images.policy import Verdict, parse_policy
from olmv1.images.references import Reference

DIGEST = f"sha256:{'0' * 64}"
ACCEPT = [{"type": "insecureAcceptAnything"}]
REJECT = [{"type": "reject"}]
SIGNED = [{"type": "sigstoreSigned", "keyPath": "/k"}]


def verdict(document: Any, ref: str = f"a.r.example:5000/team/catalog@{DIGEST}") -> Verdict:
    return parse_policy(orjson.dumps(document), "f").verdict(Reference.parse(ref))


@pytest.mark.parametrize(
    ("requirements", "expected"),
    [
        (ACCEPT, Verdict.ACCEPTED),
        (REJECT, Verdict.REJECTED),
        (SIGNED, Verdict.NEEDS_SIGNATURE),
        ([{"type": "signedBy", "keyType": "GPGKeys"}], Verdict.NEEDS_SIGNATURE),
        ([*ACCEPT, *SIGNED], Verdict.NEEDS_SIGNATURE),
        ([*SIGNED, *REJECT], Verdict.REJECTED),
    ],
)
def test_verdict_follows_the_default(requirements: list[Any], expected: Verdict) -> None:
    assert verdict({"default": requirements}) == expected


SCOPES = (
    f"a.r.example:5000/team/catalog@{DIGEST}",
    "a.r.example:5000/team/catalog",
    "a.r.example:5000/team",
    "a.r.example:5000",
    "*.r.example:5000",
    "*.example:5000",
    "",
)


@pytest.mark.parametrize("number", range(len(SCOPES)))
def test_verdict_takes_the_most_specific_scope(number: int) -> None:
    docker: dict[str, Any] = dict.fromkeys(SCOPES[number:], REJECT)
    docker[SCOPES[number]] = ACCEPT
    assert verdict({"default": REJECT, "transports": {"docker": docker, "atomic": {}}}) == Verdict.ACCEPTED


@pytest.mark.parametrize("scope", ["a.r.example", "r.example:5000", "a.r.example:5000/tea", "*.a.r.example:5000"])
def test_verdict_ignores_scopes_that_do_not_cover_whole_parts(scope: str) -> None:
    assert verdict({"default": REJECT, "transports": {"docker": {scope: ACCEPT}}}) == Verdict.REJECTED


@pytest.mark.parametrize(
    ("document", "why"),
    [
        ([], "f: the policy must be an object"),
        ({}, 'f has no "default"'),
        ({"default": []}, 'f: "default" must be a list of requirements'),
        ({"default": ACCEPT, "transport": {}}, 'f has the unknown key "transport"'),
        ({"default": ACCEPT, "transports": []}, 'f: "transports" must be an object'),
        ({"default": ["x"]}, 'f: "default" must be an object'),
        (
            {"default": ACCEPT, "transports": {"docker": {"a": [{"type": "acceptAll"}]}}},
            'f: scope "a" has the unknown requirement type "acceptAll"',
        ),
    ],
)
def test_parse_policy_refuses_what_it_does_not_understand(document: Any, why: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        parse_policy(orjson.dumps(document), "f")
    assert str(caught.value) == why


def test_parse_policy_refuses_what_is_not_json() -> None:
    with pytest.raises(ValueError, match="^f is not JSON: "):
        parse_policy(b"", "f")
