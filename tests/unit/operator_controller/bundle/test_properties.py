from __future__ import annotations

import pytest

from operator_controller.bundle import BundleError, Property
from operator_controller.bundle.properties import MergedProperties, merge_properties

_PREFIX = "failed to unmarshal csv.metadata.annotations['olm.properties']"


def test_merge_properties_keeps_the_annotation_byte_for_byte_without_file() -> None:
    text = '[ {"type": "a", "value": "<1>"} ]'
    assert merge_properties(text, None) == MergedProperties(text, (Property("a", "<1>"),), ())


@pytest.mark.parametrize("annotation", ["null", "[]", " [ ] "])
def test_merge_properties_reads_an_empty_annotation(annotation: str) -> None:
    data = b"properties: [{type: a, value: 1}]"
    assert merge_properties(annotation, data).annotation == '[{"type":"a","value":1}]'


@pytest.mark.parametrize("data", [None, b"", b"# nothing\n", b"properties: []\n"])
def test_merge_properties_invents_no_annotation(data: bytes | None) -> None:
    assert merge_properties(None, data) == MergedProperties(None, (), ())


def test_merge_properties_appends_the_file_and_writes_compactly() -> None:
    annotation = '[ {"value": {"z": 1.0, "a": "<&>"}, "x": 1, "type": "a"}, {}, null ]'
    data = b'properties:\n- {type: b, value: {z: 1, a: "<"}}\n- {type: a}\n'
    assert merge_properties(annotation, data).annotation == (
        '[{"type":"a","value":{"z":1.0,"a":"\\u003c\\u0026\\u003e"}},{"type":"","value":null},{"type":"","value":null},'
        '{"type":"b","value":{"a":"\\u003c","z":1}},{"type":"a","value":null}]'
    )


def test_merge_properties_decodes_all_of_them_in_order() -> None:
    merged = merge_properties('[{"type": "a", "value": 1}]', b"properties: [{type: a, value: [2]}]\n")
    assert merged.properties == (Property("a", 1), Property("a", [2]))


def test_merge_properties_unwraps_with_a_warning() -> None:
    data = b"properties:\n- property: {type: a, value: 1}\n- {type: b, value: 2}\n"
    merged = merge_properties(None, data)
    assert merged == MergedProperties(
        '[{"type":"a","value":1},{"type":"b","value":2}]',
        (Property("a", 1), Property("b", 2)),
        ('metadata/properties.yaml: 1 of 2 entries are wrapped in "property" and were unwrapped',),
    )


def test_merge_properties_keeps_wrapped_ones_as_the_reference_reads_them() -> None:
    data = b"properties:\n- property: {type: a, value: 1}\n"
    merged = merge_properties(None, data, keep_wrapped=True)
    assert merged == MergedProperties('[{"type":"","value":null}]', (Property("", None),), ())


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        ('{"a": 1}', "json: cannot unmarshal object into Go value of type []property.Property"),
        ('["a"]', "json: cannot unmarshal string into Go value of type property.Property"),
        ('[{"type": 1}]', "json: cannot unmarshal number into Go struct field Property.type of type string"),
        ('[{"value": NaN}]', "json: invalid number NaN"),
        ("[", "json: offset 2: expecting value"),
        ("[" * 200 + "]" * 200, "nested deeper than 150 levels"),
        ("[" * 100_000, "json: document nests deeper than 254 levels"),
    ],
)
def test_merge_properties_refuses_a_wrong_annotation(annotation: str, message: str) -> None:
    with pytest.raises(BundleError) as caught:
        merge_properties(annotation, None)
    assert str(caught.value) == f"{_PREFIX}: {message}"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"- a\n", "json: cannot unmarshal array into Go value of type map[string]interface {}"),
        (b"properties: {}\n", "json: cannot unmarshal object into Go struct field .properties of type []Property"),
        (b"properties: [a]\n", "json: cannot unmarshal string into Go value of type property.Property"),
    ],
)
def test_merge_properties_refuses_a_wrong_file(data: bytes, message: str) -> None:
    with pytest.raises(BundleError) as caught:
        merge_properties(None, data)
    assert str(caught.value) == f"failed to unmarshal metadata/properties.yaml: {message}"
