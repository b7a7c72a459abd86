"""Every recorded rendering of the reference, asked for as a program would: a line of JSON for each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from olm_cli.rendering.batch import answers_to
from tests.data import data_dir
from tests.olm_command import olm

pytestmark = pytest.mark.data


def recorded() -> Iterator[tuple[str, dict[str, Any], Any]]:
    """Name, request and answer of every case; an absent `terminal` means that it is not."""
    for path in sorted(data_dir("bundles").glob("*/*/expected.json")):
        found = json.loads(path.read_bytes())
        for name, case in found["cases"].items():
            request = {"bundle": str(path.parent), "namespace": found["namespace"], **case["request"]}
            answer = {"error": case.get("error"), "terminal": case.get("terminal", False)}
            if "error" not in case:
                answer = {"objects": [found["objects"][key] for key in case["objects"]]}
            yield f"{found['bundle']} {name}", request, answer


def answers(requests: list[dict[str, Any]], *, as_reference: bool) -> list[str]:
    lines = (json.dumps(request).encode() for request in requests)
    return list(answers_to(lines, as_reference=as_reference))


def test_batch_as_reference_gives_every_recorded_answer() -> None:
    cases = list(recorded())
    given = answers([request for _, request, _ in cases], as_reference=True)
    wrong = [name for (name, _, answer), line in zip(cases, given, strict=True) if json.loads(line) != answer]
    assert (len(cases), len({request["bundle"] for _, request, _ in cases}), wrong) == (179, 40, [])


def test_batch_gives_the_recorded_findings_of_broken_bundles() -> None:
    folders = sorted(data_dir("bundles").glob("*/*-broken"))
    requests = [{"bundle": str(path), "namespace": "target-ns", "certs": "cert-manager"} for path in folders]
    given = [json.loads(line) for line in answers(requests, as_reference=True)]
    expected = [(path / "expected-error.txt").read_text().removesuffix("\n") for path in folders]
    assert given == [{"error": text, "terminal": False} for text in expected]
    ours = [json.loads(line) for line in answers(requests, as_reference=False)]
    assert [each["terminal"] for each in ours] == [True, True]


def test_batch_gives_the_same_bytes_twice() -> None:
    requests = [request for _, request, _ in recorded() if request["certs"] == "cert-manager"]
    assert answers(requests, as_reference=False) == answers(requests, as_reference=False)


def test_render_prints_what_batch_answers() -> None:
    folder = str(data_dir("bundles", "dynatrace-operator", "0.7.0"))
    request = {"bundle": folder, "namespace": "ns", "certs": "service-ca"}
    [line] = answers([request], as_reference=True)
    flags = ("-n", "ns", "--cert-provider", "service-ca", "--as-reference", "-o", "json")
    assert olm("render", folder, *flags).json == json.loads(line)["objects"]
