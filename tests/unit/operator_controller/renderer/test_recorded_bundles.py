"""Real bundles against what the reference rendered from them, and what we do otherwise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from olmv1.errors import OlmError, TerminalError
from operator_controller.bundle import BundleError, parse_bundle
from operator_controller.renderer import Certificates, RenderOptions, render
from tests.bundles import files_of
from tests.data import data_dir
from tests.recorded import NAMESPACE, Case, recorded_cases

pytestmark = pytest.mark.data

_BROKEN = ("leaksignal-operator/1.6.1-broken", "infoscale-licensing-operator/8.0.96-broken")
_OWN_ONLY_DEFAULT = 'required field "watchNamespace" is missing'


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return list(recorded_cases())


def rendered(case: Case, *, as_reference: bool) -> Any:
    """The objects as parsed JSON, or the error with whether it is terminal."""
    try:
        bundle, options = case.parsed(as_reference=as_reference), case.options(as_reference=as_reference)
        return json.loads(json.dumps(render(bundle, options)))
    except OlmError as error:
        return str(error), isinstance(error, TerminalError)


def test_render_as_reference_gives_every_recorded_answer(cases: list[Case]) -> None:
    assert len(cases) == 179
    assert [str(case) for case in cases if rendered(case, as_reference=True) != case.answer] == []


def test_render_only_adds_to_messages_and_is_terminal(cases: list[Case]) -> None:
    for case in cases:
        answer = rendered(case, as_reference=False)
        if isinstance(case.answer, list):
            assert isinstance(answer, list), case
        elif isinstance(answer, list):
            assert case.answer[0].endswith(_OWN_ONLY_DEFAULT), case
            modes = case.parsed(as_reference=False).install_modes
            assert modes & {"AllNamespaces", "SingleNamespace"} == set(), case
        else:
            lines = zip(answer[0].splitlines(), case.answer[0].splitlines(), strict=True)
            assert all(ours.startswith(recorded) for ours, recorded in lines), case
            assert answer[1], case


@pytest.mark.parametrize("bundle", _BROKEN)
def test_render_names_all_findings_of_a_broken_bundle(bundle: str) -> None:
    folder = Path(data_dir("bundles", bundle))
    expected = (folder / "expected-error.txt").read_text().removesuffix("\n")
    for as_reference in (True, False):
        loaded = parse_bundle(files_of(folder), as_reference=as_reference)
        options = RenderOptions(NAMESPACE, as_reference=as_reference, certificates=Certificates.CERT_MANAGER)
        with pytest.raises(OlmError) as caught:
            render(loaded, options)
        words = caught.value.words if isinstance(caught.value, BundleError) else str(caught.value)
        assert words == expected
