from __future__ import annotations

from operator_controller.target.extras import (
    Additions,
    additions_of,
    holds_major,
    is_paused,
    request_in,
    strange_extras,
)

PREFIX = "extras.olm.operatorframework.io/"
NAMES = (
    "adopt",
    "api-roles",
    "approve",
    "chart-hooks",
    "confirm-delete-crds",
    "crd-accept",
    "dependencies",
    "hold-major",
    "on-delete",
    "paused",
    "requested-at",
    "upgrade-policy",
)
KNOWN = ", ".join(f"{PREFIX}{name}" for name in NAMES)


def test_holds_major_needs_the_word_true() -> None:
    assert [holds_major({f"{PREFIX}hold-major": value}) for value in ("true", "yes")] == [True, False]
    assert not holds_major({})


def test_is_paused_needs_the_word_true() -> None:
    assert [is_paused({f"{PREFIX}paused": value}) for value in ("true", "True")] == [True, False]
    assert not is_paused({})


def test_request_in_is_cut_to_what_a_status_holds() -> None:
    assert (request_in({}), request_in({f"{PREFIX}requested-at": "x" * 300})) == ("", "x" * 256)


def test_strange_extras_names_unknown_names_and_values() -> None:
    annotations = {
        f"{PREFIX}hold-major": "yes",
        f"{PREFIX}fly": "true",
        f"{PREFIX}upgrade-policy": "manual",
        "example.com/other": "x",
    }
    assert list(strange_extras(annotations)) == [
        f'annotation "{PREFIX}fly" is not known and has no effect: expected one of {KNOWN}',
        f'annotation "{PREFIX}hold-major" has no effect: expected one of true, false, found "yes"',
        f'annotation "{PREFIX}upgrade-policy" counts as Manual: expected one of Auto, ZStream, Manual, found "manual"',
    ]


def test_strange_extras_accepts_what_is_known() -> None:
    assert list(strange_extras({f"{PREFIX}hold-major": "false", f"{PREFIX}crd-accept": "anything"})) == []


def test_additions_are_those_that_are_asked_for() -> None:
    asked = {f"{PREFIX}api-roles": "true", f"{PREFIX}chart-hooks": "Ignore"}
    assert additions_of(asked, {"NO_PROXY": "x"}) == Additions(True, True, {"NO_PROXY": "x"})
    assert additions_of({f"{PREFIX}api-roles": "yes"}, {}) == Additions()


def test_additions_that_nobody_chose_are_not_told() -> None:
    assert (Additions().to_json(), Additions(has_api_roles=True).to_json()) == ({}, {"apiRoles": True})
