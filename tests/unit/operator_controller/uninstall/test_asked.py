from __future__ import annotations

import pytest

from olmv1.errors import TerminalError
from olmv1.manifests import ObjectKey
from operator_controller.uninstall import ANNOTATION_CONFIRM_DELETE_CRDS, ANNOTATION_ON_DELETE, OnDelete, asked_of

CONFIRM, ON_DELETE = ANNOTATION_CONFIRM_DELETE_CRDS, ANNOTATION_ON_DELETE
DEFINITION = ObjectKey("apiextensions.k8s.io", "v1", "CustomResourceDefinition", "", "lamps.example.com")
LOOKALIKE = ObjectKey("example.com", "v1", "CustomResourceDefinition", "shop", "lamps")


def test_annotations_are_named_as_specified() -> None:
    prefix = "extras.olm.operatorframework.io"
    assert (f"{prefix}/confirm-delete-crds", f"{prefix}/on-delete") == (CONFIRM, ON_DELETE)


@pytest.mark.parametrize(
    ("annotations", "asked"),
    [
        pytest.param({}, None, id="nothing"),
        pytest.param({"example.com/x": "true"}, None, id="something else"),
        pytest.param({CONFIRM: "true"}, OnDelete.CASCADE, id="confirmed"),
        pytest.param({CONFIRM: "True"}, None, id="confirmed in other words"),
        pytest.param({CONFIRM: ""}, None, id="confirmation without value"),
        pytest.param({ON_DELETE: "Cascade"}, OnDelete.CASCADE, id="everything goes"),
        pytest.param({ON_DELETE: "KeepCRDs"}, OnDelete.KEEP_CRDS, id="definitions stay"),
        pytest.param({ON_DELETE: "Orphan"}, OnDelete.ORPHAN, id="everything stays"),
        pytest.param({ON_DELETE: "KeepCRDs", CONFIRM: "true"}, OnDelete.KEEP_CRDS, id="choice beside confirmation"),
    ],
)
def test_what_is_asked_for(annotations: dict[str, str], asked: OnDelete | None) -> None:
    assert asked_of(annotations) is asked


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        pytest.param("keepcrds", "keepcrds", id="other case"),
        pytest.param("", "", id="empty"),
        pytest.param("x" * 9000, "x" * 100, id="long"),
    ],
)
def test_choice_that_does_not_exist_is_refused_also_beside_a_confirmation(value: str, shown: str) -> None:
    with pytest.raises(TerminalError) as raised:
        asked_of({ON_DELETE: value, CONFIRM: "true"})
    text = f'annotation "{ON_DELETE}": expected one of Cascade, KeepCRDs, Orphan, found "{shown}"'
    assert (str(raised.value), raised.value.reason) == (text, "Blocked")


@pytest.mark.parametrize(
    ("choice", "kept"),
    [
        pytest.param(OnDelete.CASCADE, (False, False), id="everything goes"),
        pytest.param(OnDelete.KEEP_CRDS, (True, False), id="definitions stay"),
        pytest.param(OnDelete.ORPHAN, (True, True), id="everything stays"),
    ],
)
def test_what_stays(choice: OnDelete, kept: tuple[bool, bool]) -> None:
    assert (choice.keeps(DEFINITION), choice.keeps(LOOKALIKE)) == kept
