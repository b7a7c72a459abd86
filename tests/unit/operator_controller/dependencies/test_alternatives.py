"""Table 11.4, and the words of advice in section 10."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from olmv1 import fbc
from olmv1.constraints import Leaf, Property, RuleRequired, requirements_of
from operator_controller.dependencies import (
    Alternative,
    Candidate,
    ClusterFacts,
    InstalledExtension,
    Inventory,
    Mode,
    Shelf,
    Shelves,
    alternatives_to,
    check,
    manifests_for,
)
from operator_controller.resolver import InstalledBundle, PackageIndex, Request, index_package
from tests.requirements import GREEN, a_blob, a_candidate, an_api, an_extension, needs_api, needs_package, needs_rule

_RED = a_candidate("red", "1.0.0")


def a_package(
    name: str,
    channels: Mapping[str, Sequence[fbc.Bundle]],
    default: str = "stable",
    deprecated: Sequence[str] = (),
    replaces: Mapping[str, str] | None = None,
) -> PackageIndex:
    bundles = {each.name: each for members in channels.values() for each in members}
    return index_package(
        fbc.Package(
            name,
            default,
            tuple(
                fbc.Channel(
                    channel, name, tuple(fbc.Entry(each.name, (replaces or {}).get(each.name, "")) for each in members)
                )
                for channel, members in channels.items()
            ),
            tuple(bundles.values()),
            tuple(fbc.Deprecation("olm.bundle", each, "old") for each in deprecated),
        )
    )


def dep(*properties: Property, **changes: Any) -> PackageIndex:
    """Package `dep` of the table: stable (1.0.0, 1.1.0), alpha (2.0.0)."""
    old, new, alpha = (a_blob("dep", version, *properties) for version in ("1.0.0", "1.1.0", "2.0.0"))
    return a_package("dep", {"alpha": [alpha], "stable": [old, new]}, replaces={new.name: old.name}, **changes)


def a_cluster(
    packages: Mapping[str, PackageIndex], *extensions: InstalledExtension, priorities: Mapping[str, int] | None = None
) -> ClusterFacts:
    """`packages`: catalog to its only package."""
    shelves = [Shelf(name, (priorities or {}).get(name, 0), {each.name: each}) for name, each in packages.items()]
    return ClusterFacts(Inventory(extensions), shelves=Shelves(shelves, is_whole=True))


def the_leaf(versions: str) -> Leaf:
    (found,) = requirements_of([needs_package("dep", versions)])
    assert found.predicate is not None
    return found.predicate  # type: ignore[return-value]


def shown(found: Sequence[Alternative]) -> list[str]:
    return [f"{each.catalog} {each.channel} {each.version} {each.extension}".rstrip() for each in found]


_HIGH = {"high": 10}


def test_alternatives_come_from_the_same_catalog_first() -> None:
    """Q1."""
    cluster = a_cluster({"extra": dep(), "high": dep(), "main": dep()}, priorities=_HIGH)
    found = shown(alternatives_to(the_leaf(">=1.0.0"), _RED, cluster))
    assert found == ["main stable 1.1.0", "main alpha 2.0.0", "high stable 1.1.0"]


def test_alternatives_come_by_priority_then() -> None:
    """Q2."""
    cluster = a_cluster({"extra": dep(), "high": dep()}, priorities=_HIGH)
    assert shown(alternatives_to(the_leaf(">=1.0.0"), _RED, cluster))[0] == "high stable 1.1.0"


def test_alternatives_come_from_other_channels_than_the_default() -> None:
    """Q3."""
    cluster = a_cluster({"extra": dep(), "main": dep()})
    found = shown(alternatives_to(the_leaf(">=2.0.0"), _RED, cluster))
    assert found == ["main alpha 2.0.0", "extra alpha 2.0.0"]


def an_installed(version: str, spec: str | None = None, channels: tuple[str, ...] = ("stable",)) -> InstalledExtension:
    own = InstalledBundle(f"dep.v{version}", version)
    return an_extension("dep", version, request=Request("dep", spec, channels, installed=own))


def test_alternatives_begin_with_the_update_of_an_installed_extension() -> None:
    """Q4."""
    stable = [a_blob("dep", version) for version in ("0.9.0", "1.1.0")]
    package = a_package("dep", {"stable": stable}, replaces={"dep.v1.1.0": "dep.v0.9.0"})
    cluster = a_cluster({"main": dep(), "extra": package}, an_installed("0.9.0"))
    (found,) = alternatives_to(the_leaf(">=1.0.0"), _RED, cluster)
    assert found == Alternative("extra", "dep", "stable", "1.1.0", "dep.v1.1.0", extension="dep")


def test_alternatives_name_the_change_of_the_spec_that_an_update_needs() -> None:
    cluster = a_cluster({"main": dep()}, an_installed("1.0.0", "<1.1.0"))
    (found,) = alternatives_to(the_leaf(">=1.1.0"), _RED, cluster)
    assert (found.version, found.needs_version) == ("1.1.0", "1.1.0")
    assert alternatives_to(the_leaf(">=2.0.0"), _RED, cluster) == ()


def test_alternatives_pass_over_deprecated_bundles() -> None:
    """Q5."""
    package = dep(deprecated=["dep.v1.1.0"])
    assert shown(alternatives_to(the_leaf(">=1.0.0"), _RED, a_cluster({"main": package})))[0] == "main stable 1.0.0"
    (only,) = alternatives_to(the_leaf("1.1.0"), _RED, a_cluster({"main": package}))
    assert (only.version, only.is_deprecated) == ("1.1.0", True)


def test_alternatives_with_needs_of_their_own_come_last() -> None:
    """Q6."""
    needy = dep(needs_package("sub", ">=1.0.0"))
    cluster = a_cluster({"main": needy, "extra": dep()})
    found = alternatives_to(the_leaf(">=1.0.0 <2.0.0"), _RED, cluster)
    assert shown(found) == ["extra stable 1.1.0", "main stable 1.1.0"]
    assert [len(each.needs) for each in found] == [0, 1]
    assert found[1].needs[0].alternatives == ()


def test_alternatives_follow_needs_and_cut_cycles() -> None:
    """`dep` needs `sub`, `sub` needs `dep` and `red`."""
    sub = a_package("sub", {"stable": [a_blob("sub", "1.0.0", needs_package("dep", ">9.0.0"))]})
    shelf = Shelf("main", 0, {"dep": dep(needs_package("sub", ">=1.0.0")), "sub": sub})
    cluster = ClusterFacts(shelves=Shelves([shelf], is_whole=True))
    (found, *_) = alternatives_to(the_leaf("1.1.0"), _RED, cluster)
    (need,) = found.needs
    assert shown(need.alternatives) == ["main stable 1.0.0"]
    assert need.alternatives[0].needs[0].alternatives == ()


def test_alternatives_to_an_api_and_to_a_rule() -> None:
    color = dep(Property("color", "red"), an_api(GREEN))
    cluster = a_cluster({"main": color})
    api, rule = requirements_of(
        [needs_api(GREEN), needs_rule("properties.exists(p, p.type == 'color' && p.value == 'red')")]
    )
    assert api.predicate is not None
    assert isinstance(rule.predicate, RuleRequired)
    for leaf in (api.predicate, rule.predicate):
        found = alternatives_to(leaf, _RED, cluster)  # type: ignore[arg-type]
        assert shown(found) == ["main stable 1.1.0", "main alpha 2.0.0"]


def the_line(candidate: Candidate, cluster: ClusterFacts) -> str:
    return str(check(candidate, Mode.CHECK, cluster).failure).splitlines()[1]


def test_check_says_what_would_satisfy_a_package() -> None:
    red, cluster = a_candidate("red", "1.0.0", needs_package("dep", "1.1.0")), a_cluster({"main": dep()})
    wanted = '- package "dep" in version range "1.1.0" '
    assert the_line(red, cluster) == wanted + (
        '(not installed; package "dep" 1.1.0 in catalog "main" channel "stable" would satisfy it)'
    )
    assert the_line(red, a_cluster({})) == wanted + "(not installed; no usable catalog offers it)"
    partly = ClusterFacts(shelves=Shelves(searched=frozenset({"dep"})))
    assert the_line(red, partly) == wanted + "(not installed; no usable catalog offers it)"
    assert the_line(red, ClusterFacts()) == wanted + "(not installed)"


def test_check_says_how_an_installed_package_could_be_updated() -> None:
    red, installed = a_candidate("red", "1.0.0", needs_package("dep", ">=1.1.0")), an_installed("1.0.0")
    start = '- package "dep" in version range ">=1.1.0" (ClusterExtension "dep" has 1.0.0, '
    assert the_line(red, a_cluster({"main": dep()}, installed)) == start + "could be updated to 1.1.0)"
    pinned = a_cluster({"main": dep()}, an_installed("1.0.0", "1.0.0"))
    assert the_line(red, pinned) == start + 'could be updated to 1.1.0 with spec.source.catalog.version "1.1.0")'
    assert the_line(red, a_cluster({}, installed)) == start + "no catalog offers a matching version)"


def test_check_says_what_provides_an_api() -> None:
    red = a_candidate("red", "1.0.0", needs_api(GREEN))
    start = "- API Green.v1.greens.example.com (not provided on this cluster"
    green = a_package("green", {"stable": [a_blob("green", "0.9.0", an_api(GREEN))]})
    assert the_line(red, a_cluster({"community": green})) == (
        start + '; package "green" 0.9.0 in catalog "community" provides it)'
    )
    assert the_line(red, a_cluster({})) == start + "; no usable catalog offers it)"
    moved = a_cluster({"main": dep(an_api(GREEN))}, an_installed("1.0.0"))
    assert the_line(red, moved) == start + '; ClusterExtension "dep" could be updated to 1.1.0, which provides it)'


def test_check_names_what_the_best_alternative_lacks() -> None:
    red = a_candidate("red", "1.0.0", needs_package("dep", "1.1.0"))
    cluster = a_cluster({"main": dep(needs_package("sub", ">=1.0.0"))})
    assert the_line(red, cluster).endswith(
        'would satisfy it, but itself lacks package "sub" in version range ">=1.0.0")'
    )


def test_manifests_are_ready_to_apply() -> None:
    sub = a_package("sub", {"stable": [a_blob("sub", "1.0.0")]})
    shelf = Shelf("main", 0, {"dep": dep(needs_package("sub", ">=1.0.0")), "sub": sub})
    cluster = ClusterFacts(shelves=Shelves([shelf], is_whole=True))
    found = manifests_for(alternatives_to(the_leaf("1.1.0"), _RED, cluster)[:1])
    assert [each["metadata"]["name"] for each in found] == ["sub", "dep"]
    assert found[1]["spec"] == {
        "namespace": "dep",
        "serviceAccount": {"name": "dep-installer"},
        "source": {
            "sourceType": "Catalog",
            "catalog": {
                "packageName": "dep",
                "version": "1.1.0",
                "channels": ["stable"],
                "selector": {"matchLabels": {"olm.operatorframework.io/metadata.name": "main"}},
            },
        },
    }


def test_manifest_of_an_installed_extension_is_the_change_of_its_spec() -> None:
    move = Alternative("main", "dep", "stable", "1.1.0", "dep.v1.1.0", extension="mine", needs_version="1.1.0")
    (found,) = manifests_for([move])
    assert found["metadata"] == {"name": "mine"}
    assert found["spec"] == {"source": {"sourceType": "Catalog", "catalog": {"packageName": "dep", "version": "1.1.0"}}}
