from __future__ import annotations

import pytest

from catalogd.server.names import problem_of_name

SUBDOMAIN = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    r"'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)
TOO_LONG = "must be no more than 253 characters"


@pytest.mark.parametrize("name", ["a", "team-catalog", "a.b-c.d1", "0", "a" * 253])
def test_problem_of_name_accepts_a_subdomain(name: str) -> None:
    assert problem_of_name(name) is None


@pytest.mark.parametrize("name", ["", "A", "a_b", "-a", "a-", "a..b", ".", "..", "a/b", "a\n", "ü"])
def test_problem_of_name_explains_what_a_subdomain_is(name: str) -> None:
    assert problem_of_name(name) == SUBDOMAIN


def test_problem_of_name_limits_the_length() -> None:
    assert problem_of_name("a" * 254) == TOO_LONG
    assert problem_of_name("A" * 254) == f"{TOO_LONG}; {SUBDOMAIN}"
