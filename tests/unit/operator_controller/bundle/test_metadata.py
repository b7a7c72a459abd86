from __future__ import annotations

import pytest

from operator_controller.bundle import BundleError
from operator_controller.bundle.metadata import package_name

_KEY = "operators.operatorframework.io.bundle.package.v1"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        pytest.param(f"annotations: {{{_KEY}: op, other: [1]}}", "op", id="name"),
        pytest.param(f"Annotations: {{{_KEY.upper()}: op}}", "op", id="other letter case"),
        pytest.param(f"Annotations: {{}}\nannotations: {{{_KEY}: op}}", "op", id="exact spelling wins"),
        pytest.param(f"annotations: {{{_KEY}: 12}}", "12", id="number"),
        pytest.param(f"annotations: {{{_KEY}: yes}}", "true", id="boolean"),
        pytest.param(f"annotations: {{{_KEY}: null}}", "", id="null"),
        pytest.param("annotations:", "", id="no annotations"),
        pytest.param("", "", id="empty file"),
    ],
)
def test_package_name_reads_the_annotation(text: str, name: str) -> None:
    assert package_name(text.encode()) == name


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(None, "open metadata/annotations.yaml: no such file or directory", id="missing"),
        pytest.param(
            b"annotations: [",
            "error converting YAML to JSON: yaml: line 1: did not find expected node content "
            "(metadata/annotations.yaml)",
            id="not YAML",
        ),
        pytest.param(
            b"- a",
            "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type "
            "registry.AnnotationsFile (metadata/annotations.yaml)",
            id="list",
        ),
        pytest.param(
            f"annotations: {{{_KEY}: []}}".encode(),
            "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go struct field "
            f"AnnotationsFile.annotations.{_KEY} of type string (metadata/annotations.yaml)",
            id="list as name",
        ),
        pytest.param(
            b"a: " + b"[" * 200 + b"]" * 200,
            "error unmarshaling JSON: while decoding JSON: json: nested deeper than 150 levels "
            "(metadata/annotations.yaml)",
            id="deep",
        ),
    ],
)
def test_package_name_refuses_what_cannot_be_read(data: bytes | None, message: str) -> None:
    with pytest.raises(BundleError) as caught:
        package_name(data)
    assert str(caught.value) == message
