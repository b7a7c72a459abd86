"""Laws of the upgrades that are offered, for every package and request."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings

from olmv1.fbc import Package
from olmv1.versions import VersionRelease
from operator_controller.resolver import Chosen, Request, Upgrade, resolve, upgrades_of
from tests.packages import a_catalog
from tests.properties.test_resolver import packages, requests

_quick = settings(derandomize=True, deadline=None, max_examples=150)


def _offered(request: Request, package: Package) -> tuple[Upgrade, ...]:
    found = upgrades_of(resolve(request, [a_catalog(package)]))
    assert found is not None
    return found.offered


@_quick
@given(requests, packages)
def test_what_the_user_holds_back_is_offered_all_the_same(request: Request, package: Package) -> None:
    assert _offered(request, package) == _offered(replace(request, range_text=None, hold_major=False), package)


@_quick
@given(requests, packages)
def test_whoever_asks_for_an_offered_version_gets_it(request: Request, package: Package) -> None:
    for upgrade in _offered(request, package):
        installed = request.installed
        assert installed is not None
        assert upgrade.version > VersionRelease.parse(installed.version, installed.release)
        answer = resolve(replace(request, range_text=str(upgrade.version), hold_major=False), [a_catalog(package)])
        assert isinstance(answer, Chosen)
        # A version without a release follows the releases of it, so that another one may come.
        assert (answer.version.version, answer.is_installed) == (upgrade.version.version, False)
