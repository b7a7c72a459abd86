from __future__ import annotations

from typing import Any

import pytest

from catalogd.polling import Wanted
from catalogd.reconcilers.view import expected_digest, is_offered, metadata_patch, resolved_ref, wanted_of
from olmv1.errors import TerminalError

FINALIZER = "olm.operatorframework.io/delete-server-cache"
LABEL = {"olm.operatorframework.io/metadata.name": "team"}
REF = "registry.example/team/catalog:v1"


def a_catalog(ref: str = REF, *, minutes: int | None = None, mode: str = "", **metadata: Any) -> dict[str, Any]:
    image = {"ref": ref, **({"pollIntervalMinutes": minutes} if minutes else {})}
    spec = {"source": {"type": "Image", "image": image}, **({"availabilityMode": mode} if mode else {})}
    return {"metadata": {"name": "team", "generation": 3, "resourceVersion": "7", **metadata}, "spec": spec}


@pytest.mark.parametrize(
    ("catalog", "wanted"),
    [
        (a_catalog(), Wanted(REF, 3)),
        (a_catalog(minutes=15), Wanted(REF, 3, 900.0)),
        (a_catalog(f"registry.example/c@sha256:{'0f' * 32}"), Wanted(f"registry.example/c@sha256:{'0f' * 32}", 3)),
        (a_catalog(annotations={"extras.olm.operatorframework.io/poll-now": "2"}), Wanted(REF, 3, None, "2")),
    ],
)
def test_wanted_of_reads_what_decides_about_fetching(catalog: dict[str, Any], wanted: Wanted) -> None:
    assert wanted_of(catalog) == wanted


def test_wanted_of_names_what_is_wrong_with_the_object() -> None:
    with pytest.raises(TerminalError, match=r'^ClusterCatalog "team" is invalid: spec.source: Field required'):
        wanted_of({"metadata": {"name": "team"}, "spec": {}})


@pytest.mark.parametrize(
    ("catalog", "offered"),
    [
        (a_catalog(), True),
        (a_catalog(mode="Available"), True),
        (a_catalog(mode="Unavailable"), False),
        (a_catalog(deletionTimestamp="2026-01-01T00:00:00Z"), False),
    ],
)
def test_is_offered_unless_set_unavailable_or_deleted(catalog: dict[str, Any], offered: bool) -> None:
    assert is_offered(catalog) is offered


def test_metadata_patch_sets_label_and_finalizer_and_keeps_others() -> None:
    catalog = a_catalog(finalizers=["other"], labels={"olm.operatorframework.io/metadata.name": "wrong", "a": "b"})
    wanted = {"labels": LABEL, "finalizers": ["other", FINALIZER], "resourceVersion": "7"}
    assert metadata_patch(catalog, is_held=True) == {"metadata": wanted}


def test_metadata_patch_drops_only_our_finalizer() -> None:
    catalog = a_catalog(finalizers=["a", FINALIZER, "b"], labels=LABEL)
    assert metadata_patch(catalog, is_held=False) == {"metadata": {"finalizers": ["a", "b"], "resourceVersion": "7"}}


@pytest.mark.parametrize(("finalizers", "held"), [([FINALIZER], True), ([], False)])
def test_metadata_patch_is_none_when_all_is_so(finalizers: list[str], held: bool) -> None:
    assert metadata_patch(a_catalog(finalizers=finalizers, labels=LABEL), is_held=held) is None


def test_metadata_patch_leaves_the_label_of_a_deleted_catalog_alone() -> None:
    assert metadata_patch(a_catalog(deletionTimestamp="2026-01-01T00:00:00Z"), is_held=False) is None


def test_resolved_ref_is_empty_without_status() -> None:
    assert resolved_ref(a_catalog()) == ""
    assert resolved_ref({"status": {"resolvedSource": {"image": {"ref": "x"}}}}) == "x"


@pytest.mark.parametrize(
    ("serving", "progressing", "is_expected"),
    [
        ("True", "Succeeded", True),
        ("True", "Retrying", True),
        ("True", "Blocked", True),
        ("False", "Succeeded", True),
        ("False", "Retrying", False),
        ("False", "Blocked", False),
        ("", "", False),
    ],
)
def test_content_is_expected_unless_the_leader_says_why_there_is_none(
    serving: str, progressing: str, is_expected: bool
) -> None:
    digest = f"sha256:{'0f' * 32}"
    conditions = [
        *([{"type": "Serving", "status": serving, "reason": "Any"}] if serving else []),
        *([{"type": "Progressing", "status": "Any", "reason": progressing}] if progressing else []),
    ]
    source = {"type": "Image", "image": {"ref": f"registry.example/team/catalog@{digest}"}}
    status = {"conditions": conditions, "resolvedSource": source}
    assert expected_digest({**a_catalog(), "status": status}) == (digest if is_expected else "")
    assert expected_digest({**a_catalog(mode="Unavailable"), "status": status}) == ""
    assert expected_digest({**a_catalog(), "status": {"conditions": conditions}}) == ""
