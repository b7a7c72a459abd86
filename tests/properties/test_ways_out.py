"""Laws of the way out of a blocked upgrade: it is legal, it unblocks, and the controller walks it as it is told."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from olmv1.fbc import Bundle
from operator_controller.explanation.hops import hops_of
from operator_controller.explanation.step import recorded
from operator_controller.resolver import Candidate, CatalogContent, Chosen, Request, resolve
from operator_controller.upgrade_plan import WayOut
from operator_controller.upgrade_plan.offered import maximum_of
from operator_controller.upgrade_plan.way_out import obstacle_of, successors_of, way_out
from operator_controller.upgradeability import Minor
from tests.packages import a_catalog, a_package, an_installed
from tests.upgrade_plans import supporting

_TARGET = Minor(4, 19)
_VERSIONS = ("1.0.0", "1.0.1", "1.1.0", "1.2.0", "2.0.0")
_edge = st.sampled_from(["", *(f"{kind}{version}" for kind in ("R ", "S ", "SR <") for version in _VERSIONS)])
_entries = st.lists(
    st.tuples(st.sampled_from(_VERSIONS), _edge), min_size=1, max_size=5, unique_by=lambda pair: pair[0]
)
_maxima = st.fixed_dictionaries({version: st.sampled_from([None, "4.18", "4.19", "bad"]) for version in _VERSIONS})
_requests = st.builds(
    Request,
    package=st.just("p"),
    range_text=st.sampled_from([None, "~1.0", "<1.1", "1.x", "9.9"]),
    channels=st.sampled_from([(), ("stable",), ("fast",)]),
    policy=st.sampled_from(["CatalogProvided", "SelfCertified"]),
    installed=st.builds(an_installed, st.sampled_from(_VERSIONS)),
    hold_major=st.booleans(),
)


def a_place(
    fast: list[tuple[str, str]], stable: list[tuple[str, str]], maxima: dict[str, str | None]
) -> CatalogContent:
    channels = {
        name: [f"{version} ({edge})" if edge else version for version, edge in entries]
        for name, entries in (("fast", fast), ("stable", stable))
    }
    names = sorted({version for version, _ in (*fast, *stable)})
    bundles: list[str | Bundle] = [supporting(name, maxima[name]) for name in names]
    return a_catalog(a_package(bundles, channels))


def admits(candidate: Candidate) -> bool:
    found = maximum_of(candidate.bundle)
    return not found.problems and (found.minor is None or found.minor >= _TARGET)


def changed(request: Request, found: WayOut) -> Request:
    """The request after the changes that the way asks for."""
    spec = {key: value for change in found.changes for key, value in change.spec.items()}
    fields: dict[str, object] = {}
    if "version" in spec:
        fields["range_text"] = spec["version"]
    if "channels" in spec:
        fields["channels"] = ()
    if "upgradeConstraintPolicy" in spec:
        fields["policy"] = spec["upgradeConstraintPolicy"]
    if any("major version" in change.text for change in found.changes):
        fields["hold_major"] = False
    return replace(request, **fields)  # type: ignore[arg-type]


@settings(derandomize=True, deadline=None, max_examples=102)
@given(_requests, _entries, _entries, _maxima)
def test_way_out_leads_where_it_says(
    request: Request, fast: list[tuple[str, str]], stable: list[tuple[str, str]], maxima: dict[str, str | None]
) -> None:
    places = (a_place(fast, stable, maxima),)
    found = way_out(request, places, admits)
    if found is None:
        assert obstacle_of(request, places, admits)
        return
    if found.changes:  # without any the controller goes there anyway, even back
        assert found.bundle in {each.bundle for each in successors_of(request, places, admits)}
    now = changed(request, found)
    if found.by_itself:
        assert hops_of(now, resolve(now, places), places).last == (found.ends_at or found.bundle)
    for step in found.steps:
        answer = resolve(replace(now, range_text=step.pin), places)
        assert isinstance(answer, Chosen)
        assert answer.bundle.name == step.bundle
        now = replace(now, installed=recorded(step))
