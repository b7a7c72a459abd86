"""What `olm explain` says about dependencies; the evaluation itself is tested with its room."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from olm_cli.asking import Asked
from olm_cli.asking.dependencies import Needs, needs_of
from olm_cli.asking.neighbours import Neighbours
from olm_cli.catalogs.catalog import Catalog, UnusableCatalog
from olm_cli.explaining.dependencies import dependency_blocks
from olm_cli.output import Line, Table
from olmv1 import fbc
from olmv1.constraints import Property
from olmv1.served import Served
from operator_controller.dependencies import InstalledExtension, Inventory
from operator_controller.resolver import CatalogContent, Request, index_package, resolve
from tests.olm_command import a_blob as a_document
from tests.olm_command import olm, write_catalog
from tests.requirements import GREEN, a_blob, an_api, an_extension, needs_api, needs_package

_KEY = "extras.olm.operatorframework.io/dependencies"


def a_package(name: str, version: str, *properties: Property) -> fbc.Package:
    bundle = a_blob(name, version, *properties)
    return fbc.Package(name, "stable", (fbc.Channel("stable", name, (fbc.Entry(bundle.name),)),), (bundle,))


@dataclass(frozen=True)
class Kept:
    """A catalog in memory."""

    name: str
    content: tuple[fbc.Package, ...]
    priority: int = 0

    async def packages(self, *, with_bundles: bool = False) -> tuple[fbc.Package, ...]:
        return self.content if with_bundles else ()

    async def package(self, name: str) -> fbc.Package | None:
        return next((each for each in self.content if each.name == name), None)


_DEP, _GREEN = a_package("dep", "1.1.0"), a_package("green", "0.9.0", an_api(GREEN))


async def the_needs(
    *requirements: Property,
    extensions: tuple[InstalledExtension, ...] | None = (),
    annotations: Mapping[str, str] | None = None,
    places: tuple[Catalog, ...] = (Kept("main", (_DEP, _GREEN)),),
) -> Needs | None:
    """`extensions` `None`: there is no cluster."""
    request = Request("red")
    content = CatalogContent("main", 0, index_package(a_package("red", "1.0.0", *requirements)))
    around = None
    if extensions is not None:
        ext = {"metadata": {"name": "red", "annotations": annotations or {}}}
        around = Neighbours(ext, Inventory(extensions), Served("1.36.3"))
    asked = Asked(request, (content,), places, neighbours=around)
    return await needs_of(asked, resolve(request, [content]))


async def test_needs_are_nothing_without_requirements_or_choice() -> None:
    assert await the_needs() is None
    asked = Asked(Request("red"), (), ())
    assert await needs_of(asked, resolve(Request("red"), [])) is None


async def test_needs_name_the_package_that_would_help() -> None:
    needs = await the_needs(needs_package("dep", ">=1.0.0"))
    assert needs is not None
    assert needs.is_held
    assert needs.to_json()["message"] == (
        'validating bundle "red.v1.0.0": unmet dependencies:\n'
        '- package "dep" in version range ">=1.0.0" '
        '(not installed; package "dep" 1.1.0 in catalog "main" channel "stable" would satisfy it)'
    )
    assert [each["metadata"]["name"] for each in needs.report["manifests"]] == ["dep"]


async def test_needs_look_for_an_api_in_every_package() -> None:
    needs = await the_needs(needs_api(GREEN))
    assert needs is not None
    assert needs.to_json()["message"].endswith('; package "green" 0.9.0 in catalog "main" provides it)')


async def test_needs_claim_nothing_about_catalogs_that_cannot_be_read() -> None:
    broken = UnusableCatalog("broken", 0, "no route")
    for requirement in (needs_package("purple", ">0.0.0"), needs_api(("x.example.com", "v1", "X"))):
        for place, is_said in ((broken, False), (Kept("main", ()), True)):
            needs = await the_needs(requirement, places=(place,))
            assert needs is not None
            assert needs.to_json()["message"].endswith("; no usable catalog offers it)") == is_said


async def test_needs_that_are_met_hold_nothing() -> None:
    needs = await the_needs(needs_api(GREEN), extensions=(an_extension("green", "0.9.0", an_api(GREEN)),))
    assert needs is not None
    assert (needs.is_held, needs.to_json()["held"]) == (False, False)
    assert needs.report["requirements"][0]["satisfiedBy"] == ['ClusterExtension "green"']


async def test_needs_name_who_depends_on_the_extension() -> None:
    red = an_extension("red", "1.0.0", an_api(GREEN))
    needs = await the_needs(an_api(GREEN), extensions=(red, an_extension("a", "1.0.0", needs_api(GREEN))))
    assert needs is not None
    assert needs.to_json()["dependents"] == [
        {"extension": "a", "bundle": "a.v1.0.0", "requires": "API Green.v1.greens.example.com", "also": []}
    ]
    tables = [each for each in dependency_blocks(needs) if isinstance(each, Table)]
    assert [each.rows for each in tables] == [[("a", "API Green.v1.greens.example.com", "")]]


async def test_needs_follow_the_switch_of_the_extension() -> None:
    needs = await the_needs(needs_api(GREEN), annotations={_KEY: "Warn"})
    assert needs is not None
    assert not needs.is_held
    assert len(needs.verdict.warnings) == 1
    assert await the_needs(needs_api(GREEN), annotations={_KEY: "Ignore"}) is None


async def test_needs_without_a_cluster_are_not_decided() -> None:
    needs = await the_needs(needs_api(GREEN), extensions=None)
    assert needs is not None
    assert (needs.is_held, needs.to_json()["held"], needs.to_json()["message"]) == (False, None, "")


async def test_section_shows_the_message_and_what_to_apply() -> None:
    needs = await the_needs(needs_package("dep", ">=1.0.0"))
    assert needs is not None
    texts = [(each.text, each.indent) for each in dependency_blocks(needs) if isinstance(each, Line)]
    assert texts[:3] == [
        ("", 0),
        ("Dependencies", 0),
        ('validating bundle "red.v1.0.0": unmet dependencies:', 2),
    ]
    assert ("kind: ClusterExtension", 2) in texts
    assert ("name: dep", 4) in texts


def test_explain_shows_requirements_without_a_cluster(tmp_path: Path) -> None:
    bundle: dict[str, Any] = a_document("olm.bundle", "red.v1.0.0", "red")
    bundle["properties"].append({"type": "olm.gvk.required", "value": {"group": "", "version": "v1", "kind": "Pod"}})
    channel = a_document("olm.channel", "stable", "red", entries=[{"name": "red.v1.0.0"}])
    catalog = write_catalog(tmp_path, a_document("olm.package", "red", defaultChannel="stable"), channel, bundle)
    said = olm("explain", "-p", "red", "--catalog", catalog)
    assert said.code == 0
    assert said.out.partition("\nDependencies\n")[2].splitlines() == [
        "    REQUIRES",
        "?   API Pod.v1",
        "  no extension of a cluster was asked about: what is installed is not known",
    ]
    found = olm("explain", "-p", "red", "--catalog", catalog, "-o", "json").json["dependencies"]
    assert (found["held"], [each["expression"] for each in found["requirements"]]) == (None, ["API Pod.v1"])
