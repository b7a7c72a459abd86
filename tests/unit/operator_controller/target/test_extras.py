from __future__ import annotations

from operator_controller.target.extras import holds_major, strange_extras

PREFIX = "extras.olm.operatorframework.io/"


def test_holds_major_needs_the_word_true() -> None:
    assert [holds_major({f"{PREFIX}hold-major": value}) for value in ("true", "yes")] == [True, False]
    assert not holds_major({})


def test_strange_extras_names_unknown_names_and_values() -> None:
    annotations = {f"{PREFIX}hold-major": "yes", f"{PREFIX}fly": "true", "example.com/other": "x"}
    assert list(strange_extras(annotations)) == [
        f'annotation "{PREFIX}fly" is not known and has no effect: expected one of {PREFIX}hold-major',
        f'annotation "{PREFIX}hold-major" has no effect: expected one of true, false, found "yes"',
    ]


def test_strange_extras_accepts_what_is_known() -> None:
    assert list(strange_extras({f"{PREFIX}hold-major": "false"})) == []
