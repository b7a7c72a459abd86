from __future__ import annotations

import pytest

from operator_controller.revisions.paths import ABSENT, Lost, at

OBJECT = {
    "metadata": {"annotations": {"example.com/x-y": "1", 'a"b': "2"}},
    "spec": {"ports": [{"port": 80}, {"port": 81}], "rows": [[1, 2]]},
    "status": {"phase": "Bound", "none": None, "on": True, "n": 1},
}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        pytest.param("status.phase", "Bound", id="plain"),
        pytest.param('metadata.annotations."example.com/x-y"', "1", id="quoted"),
        pytest.param('metadata.annotations."a\\"b"', "2", id="quote in quotes"),
        pytest.param("spec.ports.1.port", 81, id="item of a list"),
        pytest.param('spec.rows."0".1', 2, id="item of an item"),
        pytest.param("status.none", None, id="null"),
        pytest.param("status.missing", ABSENT, id="missing"),
        pytest.param("spec.ports.2", ABSENT, id="beyond the end"),
        pytest.param(f"spec.ports.{'9' * 190}", ABSENT, id="far beyond the end"),
    ],
)
def test_at_finds_what_stands_there(path: str, value: object) -> None:
    assert at(OBJECT, path) == value


@pytest.mark.parametrize(
    ("path", "why"),
    [
        pytest.param("status.phase.x", ".status.phase is a string, expected an object", id="text"),
        pytest.param("status.none.x", ".status.none is null, expected an object", id="null"),
        pytest.param("status.on.x", ".status.on is a boolean, expected an object", id="boolean"),
        pytest.param("status.n.x", ".status.n is a number, expected an object", id="number"),
        pytest.param("spec.ports.x", ".spec.ports is a list, expected an object", id="list"),
    ],
)
def test_at_says_where_the_way_ends(path: str, why: str) -> None:
    with pytest.raises(Lost) as lost:
        at(OBJECT, path)
    assert str(lost.value) == why
