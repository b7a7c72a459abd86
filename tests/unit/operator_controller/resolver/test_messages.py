from __future__ import annotations

import pytest

from operator_controller.resolver import CatalogProblem, InstalledBundle, Request, messages
from tests.packages import an_installed


@pytest.mark.parametrize(
    ("request_", "catalogs", "text"),
    [
        (Request("p"), [], 'no bundles found for package "p"'),
        (
            Request("p", "3.0.0", ("beta",)),
            [],
            'no bundles found for package "p" matching version "3.0.0" in channels [beta]',
        ),
        (
            Request("p", "9", ("b", "a"), installed=an_installed("1.0.0")),
            [],
            'error upgrading from currently installed version "1.0.0": '
            'no bundles found for package "p" matching version "9" in channels [b a]',
        ),
        (
            Request("p"),
            ["b", "a"],
            'found bundles for package "p" in multiple catalogs with the same priority [a b]',
        ),
        (
            Request("p", ">=1", ("s",), installed=an_installed("1.0.0")),
            ["a", "b"],
            'error upgrading from currently installed version "1.0.0": found bundles for package "p" '
            'matching version ">=1" in channels [s] in multiple catalogs with the same priority [a b]',
        ),
    ],
)
def test_row_6_is_put_together(request_: Request, catalogs: list[str], text: str) -> None:
    assert (messages.ambiguous(request_, catalogs) if catalogs else messages.nothing_found(request_)) == text


def test_catalog_unusable_names_package_and_catalog() -> None:
    problem = CatalogProblem("a", 0, 'catalog "a" is not being served')
    assert messages.catalog_unusable("p", problem) == (
        'error walking catalogs: error getting package "p" from catalog "a": catalog "a" is not being served'
    )


@pytest.mark.parametrize(
    ("installed", "is_release", "ending"),
    [
        (InstalledBundle("p", "bad"), False, "get version and release of installed bundle: why"),
        (
            InstalledBundle("p", "bad", "1"),
            False,
            'parse installed bundle version and release: error parsing version "bad": why',
        ),
        (
            InstalledBundle("p", "1.0.0", "a_b"),
            True,
            'parse installed bundle version and release: error parsing release "a_b": why',
        ),
    ],
)
def test_installed_version_unreadable_names_the_text(installed: InstalledBundle, is_release: bool, ending: str) -> None:
    assert messages.installed_version_unreadable(installed, "why", is_release=is_release) == (
        f"error walking catalogs: error finding upgrade edges: failed to {ending}"
    )
