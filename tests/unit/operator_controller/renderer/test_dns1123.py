from __future__ import annotations

import pytest

from operator_controller.renderer.dns1123 import subdomain_findings

_FORM = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    r"'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)
_LENGTH = "must be no more than 253 characters"


@pytest.mark.parametrize(
    ("name", "findings"),
    [
        ("a", []),
        ("a-b.c", []),
        ("A", [_FORM]),
        ("a\n", [_FORM]),
        ("a" * 254, [_LENGTH]),
        ("-" * 254, [_FORM, _LENGTH]),
    ],
)
def test_subdomain_findings_are_those_of_the_api_server(name: str, findings: list[str]) -> None:
    assert subdomain_findings(name) == findings
