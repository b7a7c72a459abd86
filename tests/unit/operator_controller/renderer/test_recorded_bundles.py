"""Real bundles against what the reference rendered from them; webhooks are for a later room."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from olmv1.errors import OlmError, TerminalError
from operator_controller.bundle import Bundle, BundleError, parse_bundle
from operator_controller.renderer import Gates, RenderOptions, render
from tests.bundles import files_of
from tests.data import data_dir

pytestmark = pytest.mark.data

_ROOT = Path("bundles")
_OWN_ONLY_DEFAULT = 'required field "watchNamespace" is missing'


@dataclass(frozen=True, slots=True)
class Case:
    """One recorded rendering: the bundle, the request and the answer."""

    name: str
    bundle: Bundle
    request: dict[str, Any]
    answer: Any

    def options(self, *, as_reference: bool) -> RenderOptions:
        is_default = self.request.get("gates") == "default"
        gates = Gates(single_own_namespace=not is_default, deployment_config=not is_default)
        return RenderOptions("target-ns", self.request.get("config"), gates, as_reference=as_reference)


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    """Every case of every bundle that needs no certificates."""
    found = []
    for path in sorted(data_dir(str(_ROOT)).glob("*/*/expected.json")):
        recorded = json.loads(path.read_bytes())
        bundle = parse_bundle(files_of(path.parent))
        for name, case in recorded["cases"].items():
            objects = [recorded["objects"][key] for key in case.get("objects", ())]
            answer = (case["error"], case.get("terminal", False)) if "error" in case else objects
            if not bundle.webhooks or case["request"]["certs"] == "none":
                found.append(Case(f"{recorded['bundle']} {name}", bundle, case["request"], answer))
    return found


def rendered(case: Case, *, as_reference: bool) -> Any:
    """The objects as parsed JSON, or the error with whether it is terminal."""
    try:
        objects = render(case.bundle, case.options(as_reference=as_reference))
    except OlmError as error:
        return str(error), isinstance(error, TerminalError)
    return json.loads(json.dumps(objects))


def test_render_as_reference_gives_every_recorded_answer(cases: list[Case]) -> None:
    assert len(cases) == 111
    assert [case.name for case in cases if rendered(case, as_reference=True) != case.answer] == []


def test_render_gives_the_recorded_objects_and_only_adds_to_messages(cases: list[Case]) -> None:
    for case in cases:
        answer = rendered(case, as_reference=False)
        if isinstance(case.answer, list):
            assert answer == case.answer, case.name
        elif isinstance(answer, list):
            assert case.answer[0].endswith(_OWN_ONLY_DEFAULT), case.name
            assert case.bundle.install_modes & {"AllNamespaces", "SingleNamespace"} == set(), case.name
        else:
            lines = zip(answer[0].splitlines(), case.answer[0].splitlines(), strict=True)
            assert all(ours.startswith(recorded) for ours, recorded in lines), case.name
            assert answer[1], case.name


def test_render_names_all_findings_of_a_broken_bundle() -> None:
    [path] = data_dir(str(_ROOT)).glob("leaksignal-operator/*-broken")
    with pytest.raises(BundleError) as caught:
        render(parse_bundle(files_of(path)), RenderOptions("target-ns"))
    assert str(caught.value) == (path / "expected-error.txt").read_text().removesuffix("\n")
