from __future__ import annotations

import orjson
import pytest

from olmv1.api.cluster_extension import ClusterExtension
from olmv1.errors import OlmError, RetryableError, TerminalError
from olmv1.fbc import package_of
from operator_controller.outcome.extension import ExtensionOutcome
from operator_controller.resolver import CatalogContent, CatalogProblem, Request, index_package, resolve
from operator_controller.revisions.view import RevisionView
from operator_controller.target import Target, deprecations_of, for_bundle, request_of, selector_of, target_of
from tests.builders import a_bundle, a_view, an_extension

CATALOG = [
    {"schema": "olm.package", "name": "lantern", "defaultChannel": "stable"},
    {"schema": "olm.channel", "package": "lantern", "name": "stable", "entries": [{"name": "lantern.v1.0.0"}]},
    {
        "schema": "olm.bundle",
        "package": "lantern",
        "name": "lantern.v1.0.0",
        "image": "registry.example.com/lantern:new",
        "properties": [{"type": "olm.package", "value": {"packageName": "lantern", "version": "1.0.0"}}],
    },
    {
        "schema": "olm.deprecations",
        "package": "lantern",
        "entries": [{"reference": {"schema": "olm.package"}, "message": "old"}],
    },
]


def a_catalog(name: str = "lights", priority: int = 0) -> CatalogContent:
    package = package_of("lantern", [orjson.dumps(blob) for blob in CATALOG])
    assert package is not None
    return CatalogContent(name, priority, index_package(package))


def a_request(**catalog: object) -> Request:
    return request_of(ClusterExtension.parse(an_extension(catalog=catalog)), None)


def target(request: Request, *catalogs: CatalogContent | CatalogProblem, has_installed: bool = False) -> Target:
    seen = ExtensionOutcome(revisions=(a_view(),) if has_installed else ())
    return target_of(request, resolve(request, catalogs), seen, has_catalogs=bool(catalogs))


NEW = "registry.example.com/lantern:new"
"""The image that the catalog names."""


def test_target_of_is_the_chosen_bundle() -> None:
    chosen = target(a_request(), a_catalog())
    assert chosen == Target(a_bundle(image="registry.example.com/lantern:new"), blob=chosen.blob)
    assert chosen.blob is not None
    assert chosen.blob.name == "lantern.v1.0.0"


def test_target_of_keeps_what_is_installed_when_only_its_image_changed() -> None:
    installed = a_view()
    request = request_of(ClusterExtension.parse(an_extension()), installed)
    found = target(request, a_catalog(), has_installed=True)
    assert found == Target(installed.bundle, "registry.example.com/lantern:new", found.blob)


@pytest.mark.parametrize(
    ("revisions", "takes_image", "image", "changed_to"),
    [
        pytest.param([a_view(image="a")], False, "a", NEW, id="installed"),
        pytest.param([a_view(image="a")], True, NEW, None, id="installed, and asked for"),
        pytest.param([a_view(image=NEW)], False, NEW, None, id="the same image"),
        pytest.param([a_view(image="a", has_succeeded=False)], False, NEW, None, id="never came up"),
        pytest.param(
            [a_view(image="a"), a_view(2, image="b", has_succeeded=False)], False, NEW, None, id="another is on its way"
        ),
        pytest.param(
            [a_view(image="a"), a_view(2, image=NEW, has_succeeded=False)], False, NEW, None, id="it is on its way"
        ),
        pytest.param(
            [a_view(image="a"), a_view(2, "1.1.0", has_succeeded=False)],
            False,
            "a",
            NEW,
            id="back to what is installed",
        ),
    ],
)
def test_target_of_takes_a_replaced_image_only_when_asked(
    revisions: list[RevisionView], takes_image: bool, image: str, changed_to: str | None
) -> None:
    request, seen = a_request(), ExtensionOutcome(revisions=tuple(revisions))
    answer = resolve(request, [a_catalog()])
    found = target_of(request, answer, seen, has_catalogs=True, takes_image=takes_image)
    assert (found.bundle.image, found.image_changed_to) == (image, changed_to)


def test_target_of_falls_back_to_what_is_installed_when_all_catalogs_are_gone() -> None:
    request = request_of(ClusterExtension.parse(an_extension(catalog={"version": ">=1.0"})), a_view())
    assert target(request, has_installed=True) == Target(a_view().bundle)


@pytest.mark.parametrize(
    ("range_text", "kind", "message"),
    [
        pytest.param("9.x", RetryableError, 'no bundles found for package "lantern" matching version "9.x"', id="none"),
        pytest.param("=", TerminalError, 'desired version range "=" is invalid: ', id="invalid range"),
    ],
)
def test_target_of_raises_what_the_resolver_says(range_text: str, kind: type[OlmError], message: str) -> None:
    with pytest.raises(kind) as raised:
        target(a_request(version=range_text), a_catalog())
    assert str(raised.value).startswith(message)


def test_for_bundle_keeps_class_reason_and_delay() -> None:
    terminal = for_bundle(a_bundle(), TerminalError("bad", reason="InvalidConfiguration"))
    later = for_bundle(a_bundle(), RetryableError("slow", retry_after_s=3))
    assert isinstance(terminal, TerminalError)
    assert isinstance(later, RetryableError)
    assert (terminal.reason, later.retry_after_s) == ("InvalidConfiguration", 3)
    assert str(later) == 'error for resolved bundle "lantern.v1.0.0" with version "1.0.0": slow'


def test_selector_of_refuses_values_that_do_not_fit() -> None:
    selector = {"matchExpressions": [{"key": "tier", "operator": "In", "values": []}]}
    ext = ClusterExtension.parse(an_extension(catalog={"selector": selector}))
    with pytest.raises(TerminalError, match="desired catalog selector is invalid: "):
        selector_of(ext)


@pytest.mark.parametrize(
    ("catalogs", "messages"),
    [
        pytest.param([a_catalog()], ("old",), id="chosen"),
        pytest.param([a_catalog("a"), a_catalog("b", 1)], ("old",), id="by priority"),
        pytest.param([CatalogProblem("a", 0, "away")], None, id="unreadable"),
    ],
)
def test_deprecations_of_come_from_a_catalog_that_answered(
    catalogs: list[CatalogContent | CatalogProblem], messages: tuple[str, ...] | None
) -> None:
    request = a_request(version="9.x")
    found = deprecations_of(request, resolve(request, catalogs), catalogs)
    assert (found.package if found is not None else None) == messages
