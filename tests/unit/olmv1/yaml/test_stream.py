from __future__ import annotations

from typing import Any

import pytest

from olmv1.yaml import Document, YamlError, documents, load_all


@pytest.mark.parametrize(
    ("text", "values"),
    [
        pytest.param('{"a":1}{"b":2}', [{"a": 1}, {"b": 2}], id="JSON without separator"),
        pytest.param('{"a":1}\n{"b":2}\n', [{"a": 1}, {"b": 2}], id="JSON lines"),
        pytest.param('{\n  "a": 1\n}\n{\n  "b": 2\n}\n', [{"a": 1}, {"b": 2}], id="printed JSON"),
        pytest.param('{"a":1}\r\n{"b":2} {"c":3}\n', [{"a": 1}, {"b": 2}, {"c": 3}], id="JSON with other blanks"),
        pytest.param('{"a":1}\n---\nb: 2\n---\n{"c":3}', [{"a": 1}, {"b": 2}, {"c": 3}], id="JSON, then YAML"),
        pytest.param('{"a":1}{"b":2}\n---\nc: 3\n', [{"a": 1}, {"b": 2}, {"c": 3}], id="several JSON, then YAML"),
        pytest.param('a: 1\n---\n{"b": 2}\n', [{"a": 1}, {"b": 2}], id="YAML, then JSON"),
        pytest.param("\ufeffa: 1", [{"a": 1}], id="byte order mark before YAML"),
        pytest.param('\ufeff{"a":1}', [{"a": 1}], id="byte order mark before JSON"),
        pytest.param("a: 1\r\n---\r\nb: 2\r\n", [{"a": 1}, {"b": 2}], id="CRLF"),
        pytest.param("--- # first\na: 1\n---\t# c\nb: 2\n---", [{"a": 1}, {"b": 2}], id="separators with comments"),
        pytest.param("a: |\n  x\n  ---\n  y\n", [{"a": "x\n---\ny\n"}], id="dashes inside a block"),
        pytest.param('{"schema":"a",}', [{"schema": "a"}], id="JSON that only YAML takes"),
        pytest.param('{"a":1,"a":2}', [{"a": 2}], id="duplicate keys"),
        pytest.param("[1, {a: b}]", [[1, {"a": "b"}]], id="a list"),
        pytest.param('a: 1\n---\n{b: "\\u0041"}\n', [{"a": 1}, {"b": "A"}], id="flow style behind a separator"),
        pytest.param('{"a": 1e400}', [{"a": "1e400"}], id="a number that JSON cannot hold"),
    ],
)
def test_load_all_finds_the_documents(text: str, values: list[Any]) -> None:
    assert load_all(text.encode()) == values


@pytest.mark.parametrize("text", ["", " \n\t\n", "# c\n  # d\n", "~", "null\n", "---\n---\n# c\n---", "\ufeff"])
def test_load_all_passes_over_empty_documents(text: str) -> None:
    assert load_all(text.encode()) == []


@pytest.mark.parametrize(
    ("text", "message", "line", "document"),
    [
        ("--- {schema: a}", "invalid Yaml document separator: {schema: a}", 1, 1),
        ("a: 1\n---foo: b", "invalid Yaml document separator: foo: b", 2, 2),
        ("a: 1\n" + "-" * 90, f"invalid Yaml document separator: {'-' * 40}", 2, 2),
        (
            "%YAML 1.1\n---\na: 1",
            "error converting YAML to JSON: yaml: line 1: did not find expected <document start>",
            1,
            1,
        ),
        ('a: "x\n---\ny"', "error converting YAML to JSON: yaml: line 2: found unexpected end of stream", 2, 1),
        ('{"schema":"a"} garbage', "json: offset 16: invalid character 'g' looking for beginning of value", 1, 2),
        ('{"a":1} ---\nb: 2', "json: offset 9: invalid character '-' looking for beginning of value", 1, 2),
        ('{"a":1}\n{"b"}', "json: offset 13: expecting ':' delimiter", 2, 2),
        ('{"a":1}\n{"b":1e400}', "json: offset 9: number 1e400 is out of range", 2, 2),
        ('{"a":1}\n\n\n{"b":1}{"c":1}x', "json: offset 25: invalid character 'x' looking for beginning of value", 4, 4),
        (
            "a: 1\n---\n\n# c\n\nb: [",
            "error converting YAML to JSON: yaml: line 6: did not find expected node content",
            6,
            2,
        ),
        (
            "[" * 300 + "]" * 300,
            "error converting YAML to JSON: yaml: line 1: document nests deeper than 254 levels",
            1,
            1,
        ),
    ],
)
def test_load_all_names_line_and_document(text: str, message: str, line: int, document: int) -> None:
    with pytest.raises(YamlError) as raised:
        load_all(text.encode())
    assert (str(raised.value), raised.value.line, raised.value.document) == (message, line, document)


def test_load_all_names_the_file() -> None:
    with pytest.raises(YamlError) as raised:
        load_all(b"a: b: c", name="manifests/a.yaml")
    assert str(raised.value) == (
        "error parsing manifests/a.yaml: error converting YAML to JSON: yaml: line 1: "
        "mapping values are not allowed in this context"
    )


def test_load_all_refuses_deep_json() -> None:
    text = b'{"a":' * 300 + b"1" + b"}" * 300
    with pytest.raises(YamlError) as raised:
        load_all(text)
    assert str(raised.value) == "error converting YAML to JSON: yaml: line 1: document nests deeper than 254 levels"


def test_documents_number_and_place_what_is_not_empty() -> None:
    text = b"# licence\n---\n\na: 1\n---\n# nothing\n---\nb: 2\n"
    assert list(documents(text)) == [Document({"a": 1}, 1, 4), Document({"b": 2}, 2, 8)]


def test_documents_delivers_what_comes_before_a_fault() -> None:
    stream = documents(b'{"a":1}\n{"b":2}\nx')
    assert [next(stream).value, next(stream).value] == [{"a": 1}, {"b": 2}]
    with pytest.raises(YamlError, match=r"^json: offset 17: invalid character 'x' looking for beginning of value$"):
        next(stream)


@pytest.mark.parametrize("text", [b'{"a":1}' * 20_000, b'{"a":1}\n' * 20_000, b"---\na: 1\n" * 20_000])
def test_documents_takes_many_small_documents(text: bytes) -> None:
    assert sum(document.value["a"] for document in documents(text)) == 20_000
