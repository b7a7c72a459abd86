from __future__ import annotations

from operator_controller.resolver import CatalogProblem, Chosen, InstalledBundle, Request, Unresolved, resolve
from tests.packages import a_bundle, a_catalog, a_deprecation, a_package, an_installed


def test_resolve_gives_bundle_version_and_catalog() -> None:
    package = a_package(["1.0.0", "1.1.0+2"])
    answer = resolve(Request("p"), [a_catalog(package)])
    assert isinstance(answer, Chosen)
    assert answer.bundle == package.bundles[1]
    assert (str(answer.version.version), str(answer.version.release)) == ("1.1.0", "2")
    assert (answer.catalog, answer.is_installed) == ("cat", False)


def test_resolve_gives_the_deprecations_of_the_chosen_catalog() -> None:
    chosen = a_package(["1.0.0"], deprecations=[a_deprecation("olm.package", message="from a")])
    other = a_package(["1.0.0"], deprecations=[a_deprecation("olm.package", message="from b")])
    answer = resolve(Request("p"), [a_catalog(chosen, "a", 1), a_catalog(other, "b")])
    assert isinstance(answer, Chosen)
    assert answer.deprecations.about([], None).package == ("from a",)


def test_resolve_stays_whatever_the_image() -> None:
    catalogs = [a_catalog(a_package([a_bundle("1.0.0", image="moved/p")]))]
    answer = resolve(Request("p", installed=an_installed("1.0.0")), catalogs)
    assert isinstance(answer, Chosen)
    assert answer.is_installed


def test_resolve_blocks_an_invalid_range() -> None:
    answer = resolve(Request("p", "foobar"), [CatalogProblem("a", 0, "no route")])
    assert isinstance(answer, Unresolved)
    assert answer.message == 'desired version range "foobar" is invalid: improper constraint: "foobar"'
    assert (answer.is_terminal, answer.problem_catalogs, answer.trace.to_json()) == (
        True,
        (),
        {"intervals": [], "catalogs": [], "decisions": [], "advice": []},
    )


def test_resolve_leaves_requirements_to_the_dependency_check() -> None:
    catalogs = [a_catalog(a_package([a_bundle("1.0.0", requires=["olm.constraint"])]))]
    answer = resolve(Request("p"), catalogs)
    assert isinstance(answer, Chosen)
    assert answer.bundle.name == "p.v1.0.0"


def test_resolve_blocks_channels_that_no_catalog_has() -> None:
    catalogs = [a_catalog(a_package(["1.0.0"], {"a": ["1.0.0"]}))]
    found = [resolve(Request("p", channels=names), catalogs) for names in (("x", "y"), ("x",))]
    assert [each.is_terminal for each in found if isinstance(each, Unresolved)] == [True, True]
    unknown_and_empty = resolve(Request("p", "9.x", channels=("x", "a")), catalogs)
    assert isinstance(unknown_and_empty, Unresolved)
    assert not unknown_and_empty.is_terminal


def test_resolve_retries_when_no_catalog_has_the_package() -> None:
    answer = resolve(Request("p", channels=("a",)), [a_catalog(None)])
    assert isinstance(answer, Unresolved)
    assert (answer.message, answer.is_terminal) == ('no bundles found for package "p" in channels [a]', False)


def test_resolve_reports_an_unreadable_installed_release() -> None:
    request = Request("p", installed=InstalledBundle("p.v1.0.0", "1.0.0", "a_b"))
    answer = resolve(request, [a_catalog(a_package(["1.0.0"]))])
    assert isinstance(answer, Unresolved)
    assert answer.message == (
        "error walking catalogs: error finding upgrade edges: failed to parse installed bundle version and release: "
        'error parsing release "a_b": "a_b" is not a release: expected dot-separated letters, digits and hyphens'
    )
    assert not answer.is_terminal


def test_resolve_needs_no_installed_version_where_there_is_no_package() -> None:
    answer = resolve(Request("p", installed=an_installed("p.vbad")), [a_catalog(None)])
    assert isinstance(answer, Unresolved)
    assert answer.message == (
        'error upgrading from currently installed version "bad": no bundles found for package "p"'
    )


def test_trace_shows_every_catalog() -> None:
    package = a_package(["1.0.0", "0.1.0"], {"a": ["1.0.0 (SR <v1)"]})
    catalogs = (CatalogProblem("sick", -1, "no route"), a_catalog(None, "empty", 1), a_catalog(package))
    assert resolve(Request("p", ">=1"), catalogs).trace.to_json() == {
        "intervals": ["[1.0.0, ∞)"],
        "catalogs": [
            _shown("empty", 1, "package not found"),
            _shown(
                "cat",
                0,
                "used",
                bundles=2,
                filters=[
                    {
                        "name": "version",
                        "left": 1,
                        "removed": [{"bundle": "p.v0.1.0", "reason": 'version 0.1.0: range ">=1" does not contain it'}],
                    }
                ],
                offer="p.v1.0.0",
                invalidSkipRanges=[_BAD],
            ),
            _shown("sick", -1, "unusable", message="no route"),
        ],
        "decisions": [],
        "advice": [],
    }


_BAD = {
    "channel": "a",
    "entry": "p.v1.0.0",
    "skipRange": "<v1",
    "message": 'Could not parse Range "<v1": Could not parse comparator "<v" in "<v1"',
}


def _shown(name: str, priority: int, state: str, **changes: object) -> dict[str, object]:
    empty: dict[str, object] = {"message": "", "bundles": 0, "filters": [], "offer": None, "invalidSkipRanges": []}
    return {"name": name, "priority": priority, "state": state, **empty, **changes}
