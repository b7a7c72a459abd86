from __future__ import annotations

from typing import Any

import pytest

from operator_controller.bundle import BundleError
from operator_controller.bundle.documents import documents_of, first_document

_PATH = "manifests/a.yaml"


def manifests_of(text: str) -> list[Any]:
    return [document.manifest for document in documents_of(_PATH, text.encode())]


@pytest.mark.parametrize(
    ("text", "manifests"),
    [
        pytest.param("", [], id="empty file"),
        pytest.param("# only a comment\n---\nnull\n---\n", [], id="empty documents"),
        pytest.param('{"kind": "A"}', [{"kind": "A"}], id="JSON, only a kind"),
        pytest.param("kind: A\n---\nkind: B\n", [{"kind": "A"}, {"kind": "B"}], id="two documents"),
        pytest.param("kind: List\nitems: []\n", [], id="empty list"),
        pytest.param("kind: List\nitems:\n", [], id="null list"),
        pytest.param("kind: List\nitems: [{kind: List, items: [{kind: A}]}]\n", [{"kind": "A"}], id="list in a list"),
        pytest.param(
            "apiVersion: v1\nkind: ConfigMapList\nitems: [{metadata: {name: a}}]\n",
            [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}],
            id="members inherit their type",
        ),
        pytest.param("kind: AList\nitems: [{kind: B}]\n", [{"kind": "B"}], id="own type wins"),
        pytest.param("kind: A\ny: {1: a, on: b}\n", [{"kind": "A", "true": {"1": "a", "true": "b"}}], id="keys"),
        pytest.param("kind: A\nn: [1.0, 1e3, 0o10]\n", [{"kind": "A", "false": [1, 1000, 8]}], id="numbers"),
        pytest.param("kind: A\nd: [2001-12-14, 1:30]\n", [{"kind": "A", "d": ["2001-12-14", "1:30"]}], id="texts"),
        pytest.param(
            "kind: A\nx: &x {b: 1}\nz: {b: 3, <<: *x}\n", [{"kind": "A", "x": {"b": 1}, "z": {"b": 1}}], id="merge key"
        ),
    ],
)
def test_documents_of_gives_the_objects_of_a_file(text: str, manifests: list[Any]) -> None:
    assert manifests_of(text) == manifests


def test_documents_of_counts_documents() -> None:
    found = documents_of(_PATH, b"kind: A\n---\n# nothing\n---\nkind: List\nitems: [{kind: B}, {kind: C}]\n")
    assert [(each.number, each.manifest["kind"]) for each in found] == [(1, "A"), (2, "B"), (2, "C")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("just text", "json: cannot unmarshal string into Go value of type unstructured.detector"),
        ("- a\n", "json: cannot unmarshal array into Go value of type unstructured.detector"),
        (
            "metadata: {name: a}\napiVersion: v1\n",
            """Object 'Kind' is missing in '{"apiVersion":"v1","metadata":{"name":"a"}}'""",
        ),
        ("kind: List\nitems: [{a: 1}]\n", """Object 'Kind' is missing in '{"a":1}'"""),
        ("kind: List\nitems: [1]\n", "json: cannot unmarshal number into Go value of type unstructured.detector"),
        ("kind: A\nitems: {}\n", "json: cannot unmarshal object into Go struct field .items of type []json.RawMessage"),
        ("kind: 1\n", "json: cannot unmarshal number into Go struct field .kind of type string"),
        ("kind: A\napiVersion: 1\n", "json: cannot unmarshal number into Go struct field .apiVersion of type string"),
        (
            "kind: A\nmetadata: {annotations: {a: true}}\n",
            "json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.annotations of type string",
        ),
    ],
)
def test_documents_of_names_what_cannot_be_decoded(text: str, message: str) -> None:
    with pytest.raises(BundleError) as caught:
        manifests_of(text)
    assert str(caught.value) == f'error parsing objects in "{_PATH}": unable to decode "{_PATH}": {message}'


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a: b\nc: d\ne:\n  f: g\n  h: @x\n", "line 5: found character that cannot start any token"),
        (b"\x00\x01\x02", "control characters are not allowed"),
    ],
)
def test_documents_of_names_file_and_line_of_bad_yaml(data: bytes, message: str) -> None:
    with pytest.raises(BundleError) as caught:
        list(documents_of(_PATH, data))
    assert str(caught.value) == (
        f'error parsing objects in "{_PATH}": error parsing {_PATH}: error converting YAML to JSON: yaml: {message}'
    )


def test_first_document_ignores_the_others() -> None:
    assert first_document(b"a: 1\n---\nb: 2\n") == {"a": 1}
