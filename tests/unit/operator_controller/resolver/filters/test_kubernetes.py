from __future__ import annotations

from operator_controller.resolver import CatalogContent, Chosen, NoteKind, Request, Unresolved, resolve
from tests.packages import a_bundle, a_catalog, a_package, an_installed

_LEAST = {"1.0.0": "1.25.0", "2.0.0": "1.31", "3.0.0": "2.0"}
_BUNDLES = [a_bundle(text, kubernetes=least) for text, least in _LEAST.items()]


def catalogs() -> list[CatalogContent]:
    return [a_catalog(a_package(_BUNDLES, {"a": ["2.0.0 (R 1.0.0)", "3.0.0 (R 1.0.0)", "1.0.0"]}, ["3.0.0"]))]


def notes(answer: Chosen | Unresolved) -> list[tuple[NoteKind, str]]:
    return [(note.kind, note.message) for note in answer.notes]


def test_kubernetes_removes_what_needs_a_newer_one_and_says_so() -> None:
    answer = resolve(Request("p", kube_version="1.30.2"), catalogs())
    assert isinstance(answer, Chosen)
    assert answer.bundle.name == "p.v1.0.0"
    assert list(answer.trace.reasons_for("p.v2.0.0")) == [
        ("cat", "Kubernetes version", "Kubernetes >= 1.31 is required, the cluster has 1.30.2")
    ]
    text = 'bundle "p.v2.0.0" is left out: Kubernetes >= 1.31 is required, the cluster has 1.30.2'
    assert notes(answer) == [(NoteKind.KUBERNETES_TOO_OLD, text)]


def test_kubernetes_is_the_cause_when_nothing_is_left() -> None:
    answer = resolve(Request("p", "1.x", kube_version="1.24.0"), catalogs())
    assert isinstance(answer, Unresolved)
    assert answer.message == 'no bundles found for package "p" matching version "1.x"'
    text = 'bundle "p.v1.0.0" is left out: Kubernetes >= 1.25.0 is required, the cluster has 1.24.0'
    assert notes(answer) == [(NoteKind.KUBERNETES_TOO_OLD, text)]


def test_kubernetes_lets_the_installed_bundle_stay() -> None:
    answer = resolve(Request("p", installed=an_installed("1.0.0"), kube_version="1.24.0"), catalogs())
    assert isinstance(answer, Chosen)
    assert answer.is_installed
    assert [kind for kind, _ in notes(answer)] == [NoteKind.KUBERNETES_TOO_OLD]


def test_kubernetes_does_not_apply_without_a_known_cluster() -> None:
    answer = resolve(Request("p"), catalogs())
    assert isinstance(answer, Chosen)
    assert answer.bundle.name == "p.v2.0.0"
    assert [step.filter.name for step in answer.trace.catalogs[0].filters] == []
