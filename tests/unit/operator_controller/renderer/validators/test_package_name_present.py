from __future__ import annotations

import pytest

from operator_controller.renderer.validators.package_name_present import package_name_present
from tests.bundles import a_bundle


@pytest.mark.parametrize(("package", "findings"), [("op", []), ("", ["package name is empty"])])
def test_package_name_present_finds_an_empty_name(package: str, findings: list[str]) -> None:
    assert [each.words for each in package_name_present(a_bundle(package=package))] == findings
