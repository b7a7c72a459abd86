from __future__ import annotations

import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from olm_cli.rendering import batch
from olm_cli.rendering.batch import answers_to, batch_lines
from tests.bundles import a_csv, bundle_files, write_bundle


def answers(*lines: object, as_reference: bool = False) -> list[Any]:
    """The decoded answers to requests; bytes are lines as they are."""
    data = b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines)
    return [json.loads(text) for text in answers_to(batch_lines(io.BytesIO(data)), as_reference=as_reference)]


def kinds(answer: Any) -> list[str]:
    return [each["kind"] for each in answer["objects"]]


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return write_bundle(tmp_path / "bundle")


def test_batch_answers_every_line(folder: str) -> None:
    request = {"bundle": folder, "namespace": "ns", "certs": "none"}
    found = answers(request, b"\n", {**request, "config": {"watchNamespace": "team"}, "gates": "default"})
    assert [kinds(each) for each in found] == [["Deployment"]] * 2


def refused(error: str, *, terminal: bool = True) -> dict[str, Any]:
    return {"error": error, "terminal": terminal}


def test_batch_goes_on_after_bad_requests(folder: str, tmp_path: Path) -> None:
    good = {"bundle": folder, "namespace": "ns"}
    bad: Iterable[tuple[object, str]] = [
        ([1], "the request is not a JSON object"),
        (
            {**good, "cert": "none", "b": 1},
            "the request has unknown members [b cert], expected [bundle certs config gates namespace]",
        ),
        ({"namespace": "ns"}, 'the request has no text as "bundle"'),
        ({**good, "namespace": 1}, 'the request has no text as "namespace"'),
        ({**good, "bundle": "a\0b"}, 'the request has no text as "bundle"'),
        ({**good, "certs": "own"}, '"certs" is "own", expected one of [none cert-manager service-ca self-signed]'),
        ({**good, "gates": "on"}, '"gates" is "on", expected "default" or nothing'),
        (
            {**good, "bundle": str(tmp_path / "x")},
            f"{tmp_path}/x: expected a directory with manifests/ and metadata/, or an image; found nothing",
        ),
    ]  # fmt: skip
    found = answers(*(line for line, _ in bad), good)
    assert found[:-1] == [refused(error) for _, error in bad]
    assert "objects" in found[-1]


@pytest.mark.parametrize("line", [b"{", b"\xff", b"[" * 100_000])
def test_batch_goes_on_after_what_is_not_json(folder: str, line: bytes) -> None:
    bad, good = answers(line + b"\n", {"bundle": folder, "namespace": "ns"})
    assert bad["error"].startswith("the request is not JSON: ")
    assert (bad["terminal"], kinds(good)) == (True, ["Deployment"])


def test_batch_says_whether_an_error_is_terminal(tmp_path: Path, folder: str) -> None:
    empty = write_bundle(tmp_path / "empty", {})
    without = {"bundle": empty, "namespace": "ns"}
    error = "open metadata/annotations.yaml: no such file or directory"
    assert answers(without) == [refused(error)]
    assert answers(without, as_reference=True) == [refused(error, terminal=False)]
    [found] = answers({"bundle": folder, "namespace": "ns", "config": {"x": 1}}, as_reference=True)
    prefix = "invalid ClusterExtension configuration: invalid configuration:"
    assert found == refused(f'{prefix} unknown field "x"')


def test_batch_refuses_a_line_that_is_too_long(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    good = {"bundle": folder, "namespace": "ns"}
    monkeypatch.setattr(batch, "_MAX_LINE_BYTES", len(json.dumps(good)) + 1)
    found = answers({**good, "config": {"x" * 500: 1}}, good)
    assert found[0] == refused(f"the request has more than {len(json.dumps(good)) + 1} bytes")
    assert "objects" in found[1]


def test_batch_sees_a_bundle_that_changed(tmp_path: Path) -> None:
    folder = write_bundle(tmp_path / "bundle")
    lines = iter([json.dumps({"bundle": folder, "namespace": "ns"}).encode()] * 3)
    found = (json.loads(text) for text in answers_to(lines, as_reference=False))
    before, again = next(found), next(found)
    write_bundle(tmp_path / "bundle", bundle_files(a_csv(installModes=[])))
    assert before == again
    assert next(found)["error"].startswith("unsupported bundle: bundle must support at least one of")


def test_batch_forgets_bundles_that_were_not_asked_for_lately(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "_KEPT_BUNDLES", 1)
    folders = [write_bundle(tmp_path / name) for name in "ab"]
    found = answers(*({"bundle": folder, "namespace": "ns"} for folder in folders * 2))
    assert found == [found[0]] * 4


def test_batch_survives_a_bug(folder: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(batch, "parse_bundle", lambda *_, **__: 1 / 0)
    assert answers({"bundle": folder, "namespace": "ns"}) == [
        refused("internal error: ZeroDivisionError", terminal=False)
    ]
    assert "ZeroDivisionError: division by zero" in capsys.readouterr().err
