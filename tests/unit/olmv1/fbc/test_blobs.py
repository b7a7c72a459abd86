from __future__ import annotations

import pytest

from olmv1.fbc import Blob, FbcError, blobs_of_file

LEDGER = b"""schema: olm.package
name: ledger
defaultChannel: stable
---
schema: olm.channel
package: ledger
name: stable
entries:
- {name: ledger.v1.0.0}
- {name: ledger.v1.1.0, replaces: ledger.v1.0.0, skipRange: ">=1.0.0 <1.1.0"}
"""


def lines(text: str | bytes) -> list[bytes]:
    data = text.encode() if isinstance(text, str) else text
    return [blob.json for blob in blobs_of_file(data, "a.yaml")]


def refusal(text: str | bytes) -> str:
    with pytest.raises(FbcError) as raised:
        lines(text)
    return str(raised.value)


def test_blobs_of_file_gives_the_normal_form() -> None:
    assert list(blobs_of_file(LEDGER, "ledger/index.yaml")) == [
        Blob("olm.package", "", "ledger", b'{"defaultChannel":"stable","name":"ledger","schema":"olm.package"}'),
        Blob(
            "olm.channel",
            "ledger",
            "stable",
            b'{"entries":[{"name":"ledger.v1.0.0"},{"name":"ledger.v1.1.0","replaces":"ledger.v1.0.0",'
            b'"skipRange":">=1.0.0 <1.1.0"}],"name":"stable","package":"ledger","schema":"olm.channel"}',
        ),
    ]


def test_blobs_of_file_remembers_where_a_blob_was_written() -> None:
    places = [(blob.path, blob.document, blob.line) for blob in blobs_of_file(LEDGER, "ledger/index.yaml")]
    assert places == [("ledger/index.yaml", 1, 1), ("ledger/index.yaml", 2, 5)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: yes\ny: 1", b'{"a":true,"true":1}'),
        ("a: 010\nb: 2024-01-02", b'{"a":8,"b":"2024-01-02"}'),
        ("a: &x {b: 1}\nc: *x", b'{"a":{"b":1},"c":{"b":1}}'),
        ("a: 12345678901234567890", b'{"a":12345678901234567890}'),
        ('{"a":123456789012345678901234567890}', b'{"a":123456789012345678901234567890}'),
        ("a: 1.0\nb: 1.10\nc: 1e21\nd: 0.0000001", b'{"a":1,"b":1.1,"c":1e+21,"d":1e-7}'),
        ('{"b":1.0,"a":1e3}', b'{"a":1000,"b":1}'),
        ('{"Name":"n","a":1,"a":2}', b'{"Name":"n","a":2}'),
        ('{"a":"<>&\u2028"}', b'{"a":"<>&\\u2028"}'),
        ("{}", b"{}"),
        (b'{"a":"\xff"}', b'{"a":"\xef\xbf\xbd"}'),
    ],
)
def test_blobs_of_file_keeps_what_was_written(text: str | bytes, line: bytes) -> None:
    assert lines(text) == [line]


@pytest.mark.parametrize("text", ["", "# c", "~", "---\n---", "null"])
def test_blobs_of_file_skips_empty_documents(text: str) -> None:
    assert lines(text) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("schema: a\n---\n[1]", "a.yaml, document 2: expected an object, found list"),
        ("secret text", "a.yaml, document 1: expected an object, found string"),
        ("5", "a.yaml, document 1: expected an object, found number"),
        ("name: n", 'a.yaml, document 1: expected value for key "name" to be a string, got boolean false'),
        ('{"Schema":"a","schema":"b"}', 'a.yaml, document 1: duplicate keys for key "schema": [Schema schema]'),
        ("a: .nan", "a.yaml, document 1: error converting YAML to JSON: yaml: line 1: unsupported value: .nan"),
        (
            "a: 1\n---\na: 2\n---\n\n---\nb: [",
            "a.yaml, document 3: error converting YAML to JSON: yaml: line 7: did not find expected node content",
        ),
        (
            '{"schema":"a"} garbage',
            "a.yaml, document 2: json: offset 16: invalid character 'g' looking for beginning of value",
        ),
        ('{"a":' * 300 + "1" + "}" * 300, "a.yaml, document 1: document nests deeper than 254 levels"),
    ],
)
def test_blobs_of_file_names_file_and_document(text: str, message: str) -> None:
    assert refusal(text) == message


def test_blobs_of_file_shows_odd_names_safely() -> None:
    with pytest.raises(FbcError, match=r"^\\udcff\\n\.yaml, document 1: expected an object, found list$"):
        list(blobs_of_file(b"[]", "\udcff\n.yaml"))


def test_blobs_of_file_delivers_what_comes_before_a_fault() -> None:
    blobs = blobs_of_file(b"schema: a\n---\n[]", "a.yaml")
    assert next(blobs).schema == "a"
