"""No archive tells what a Secret, a password or a credential was, wherever in an object it stands."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from olm_cli.debugging.redaction import redacted

MARK = "hunter2hunter2"
NAMES = st.sampled_from(["password", "db-password", "clientSecret", "accessToken", "api_key", "Authorization", "auth"])
KEYS = st.text("abcdefgh./-", min_size=1, max_size=12)
SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=20)


def secrets() -> st.SearchStrategy[Any]:
    """Values of which each holds the mark where a secret stands."""
    return st.one_of(
        st.builds(lambda key: {"kind": "Secret", "data": {key: MARK}}, KEYS),
        st.builds(lambda key: {"kind": "Secret", "stringData": {key: f"a {MARK}\nb"}}, KEYS),
        st.builds(lambda name: {name: MARK}, NAMES),
        st.builds(lambda name: {"name": f"X_{name}_Y", "value": MARK}, NAMES),
        st.builds(lambda name, before: f"{before}\n{name}: {MARK}\n", NAMES, st.text(max_size=20)),
        st.builds(lambda name: f"--{name}={MARK}", NAMES),
        st.builds(lambda name: json.dumps({name: MARK}), NAMES),
        st.builds(lambda user: f"https://{user}:{MARK}@host/path", st.text("abc", max_size=5)),
        st.just(f"-----BEGIN PRIVATE KEY-----\n{MARK}\n-----END PRIVATE KEY-----"),
    )


def around(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Lists and mappings of a secret beside other things."""
    return st.builds(lambda it, others: [*others, it], inner, st.lists(SCALARS, max_size=3)) | st.builds(
        lambda it, key, others: {**others, key: it}, inner, KEYS, st.dictionaries(KEYS, SCALARS, max_size=3)
    )


@given(st.recursive(secrets(), around, max_leaves=4))
def test_a_secret_is_taken_out_at_any_depth(value: Any) -> None:
    assert MARK in json.dumps(value)
    assert MARK not in json.dumps(redacted(value))


@given(st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3)))
def test_what_is_redacted_once_stays_as_it_is(value: Any) -> None:
    once = redacted(value)
    assert redacted(once) == once
