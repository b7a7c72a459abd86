"""`--installed`: a version finds its name, a name its version."""

from __future__ import annotations

import pytest

from olm_cli.installed import installed_bundle
from olm_cli.problems import BadInput
from olmv1.fbc import Bundle
from operator_controller.resolver import InstalledBundle, PackageIndex, index_package
from tests.packages import a_bundle, a_package

EDGES = {"stable": ["1.2.0 (R 1.1.0; S oddly-named.v1.0.5)", "1.1.0"]}


def an_index() -> PackageIndex:
    bundles: list[str | Bundle] = [
        "1.1.0",
        "1.2.0",
        a_bundle("p.v1.2.0-el9", version="1.2.0", release="9"),
        a_bundle("p.rebuilt", version="1.3.0", release="2"),
        a_bundle("p.v2.0.0", version="2.0.0"),
        a_bundle("other.v2.0.0", version="2.0.0"),
        a_bundle("twin-a", version="3.0.0"),
        a_bundle("twin-b", version="3.0.0"),
        a_bundle("p.vbroken", version="broken"),
    ]
    return index_package(a_package(bundles, EDGES))


def image(name: str) -> str:
    return f"registry.example/p:{name}"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("1.1.0", InstalledBundle("p.v1.1.0", "1.1.0", None, image("1.1.0")), id="version"),
        pytest.param("1.2.0/9", InstalledBundle("p.v1.2.0-el9", "1.2.0", "9", image("p.v1.2.0-el9")), id="release"),
        pytest.param("1.2.0+9", InstalledBundle("p.v1.2.0-el9", "1.2.0", "9", image("p.v1.2.0-el9")), id="build"),
        pytest.param("1.2.0", InstalledBundle("p.v1.2.0", "1.2.0", None, image("1.2.0")), id="no release"),
        pytest.param("1.3.0", InstalledBundle("p.rebuilt", "1.3.0", "2", image("p.rebuilt")), id="only rebuilt"),
        pytest.param("2.0.0", InstalledBundle("p.v2.0.0", "2.0.0", None, image("p.v2.0.0")), id="usual name wins"),
        pytest.param("p.rebuilt", InstalledBundle("p.rebuilt", "1.3.0", "2", image("p.rebuilt")), id="name"),
        pytest.param("p.vbroken", InstalledBundle("p.vbroken", "broken", None, image("p.vbroken")), id="unreadable"),
        pytest.param("1.0.5", InstalledBundle("oddly-named.v1.0.5", "1.0.5"), id="gone, named by an edge"),
        pytest.param("0.9.0", InstalledBundle("p.v0.9.0", "0.9.0"), id="gone without a trace"),
        pytest.param("0.9.0/3", InstalledBundle("p.v0.9.0", "0.9.0", "3"), id="gone, with release"),
        pytest.param("x.v0.1.0-rc.1", InstalledBundle("x.v0.1.0-rc.1", "0.1.0-rc.1"), id="gone, by name"),
    ],
)
def test_installed_bundle_is_completed_from_the_catalogs(text: str, found: InstalledBundle) -> None:
    assert installed_bundle(text, "p", [an_index()]) == found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "3.0.0",
            "--installed 3.0.0: several bundles have this version: name one of twin-a (3.0.0), twin-b (3.0.0)",
        ),
        (
            "nonsense",
            "--installed nonsense: expected a version or the name of a bundle, and no catalog has a bundle "
            '"nonsense"; did you mean a version such as 1.2.3?',
        ),
        (
            "p.v1.1.O",
            '--installed p.v1.1.O: expected a version or the name of a bundle, and no catalog has a bundle "p.v1.1.O"; '
            'did you mean "p.v1.1.0" or "p.v1.2.0" or "p.v2.0.0"?',
        ),
        ("1.0.0/..", '--installed 1.0.0/..: ".." is not a release: expected dot-separated letters, digits and hyphens'),
    ],
)
def test_installed_bundle_says_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        installed_bundle(text, "p", [an_index()])
    assert str(caught.value) == message


def test_installed_bundle_needs_no_catalog() -> None:
    assert installed_bundle("1.0.0", "p", []) == InstalledBundle("p.v1.0.0", "1.0.0")
