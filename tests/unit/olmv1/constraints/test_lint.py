from __future__ import annotations

import pytest

from olmv1.constraints import Property, lint
from tests.requirements import BLUE, group, gvk, needs, needs_api, needs_package, needs_rule, package

_PACKAGE = 'olm.package.required[0]: package "blue" in version range'


@pytest.mark.parametrize(
    ("property_", "sentences"),
    [
        (needs_api(BLUE), []),
        (needs_package("blue", ">=1.0.0 !1.2.1"), []),
        (
            needs_package("blue", "<5.0.0"),
            [f'{_PACKAGE} "<5.0.0": newer versions are excluded, so its users cannot update'],
        ),
        (needs_package("blue", ">2.0.0 <1.0.0"), [f'{_PACKAGE} ">2.0.0 <1.0.0": no version is in that range']),
        (
            Property("olm.gvk.required", {}),
            ["invalid dependency: olm.gvk.required[0].version: expected text, found nothing"],
        ),
        (
            needs(group("all", group("any", {"package": {"name": "blue", "versionRange": ">1.0.0"}}))),
            ['olm.constraint[0]: OLM Classic refuses "name" in the constraint on package "blue": use "packageName"'],
        ),
        (needs(group("all", package("blue", ">1.0.0"), group("not", gvk(BLUE)))), []),
        (
            needs(group("not", gvk(BLUE))),
            [
                'olm.constraint[0]: a "not" that stands alone is met by any unrelated bundle in OLM Classic: '
                'put it inside an "all"'
            ],
        ),
        (needs_rule("1"), ['olm.constraint[0]: invalid rule "1": cel expressions must have type Bool']),
        (needs_rule("true"), []),
    ],
)
def test_lint_says_what_an_author_should_know(property_: Property, sentences: list[str]) -> None:
    assert list(lint([property_])) == sentences
