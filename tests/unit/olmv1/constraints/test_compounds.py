from __future__ import annotations

from typing import Any

import pytest

from olmv1.constraints import AllOf, AnyOf, ApiRequired, NoneOf, PackageRequired, RuleRequired, requirements_of
from olmv1.versions import SkipRange
from tests.requirements import BLUE, a_gvk, group, gvk, needs, package


def the_error(value: object) -> str:
    (found,) = requirements_of([needs(value)])
    assert found.predicate is None
    return found.error.removeprefix("invalid dependency: olm.constraint[0]")


def nested(levels: int) -> dict[str, Any]:
    value = gvk(BLUE)
    for _ in range(levels - 1):
        value = group("all", value)
    return value


def test_constraint_is_read_to_any_depth() -> None:
    value = group("any", group("not", gvk(BLUE, "no blue")), group("all", package("blue", ">1.0.0")), message="why")
    assert requirements_of([needs(value)])[0].predicate == AnyOf(
        (NoneOf((ApiRequired(*BLUE, "no blue"),)), AllOf((PackageRequired("blue", SkipRange.parse(">1.0.0")),))), "why"
    )


def test_constraint_accepts_the_documented_spelling_of_a_package() -> None:
    value = {"package": {"name": "blue", "versionRange": ">1.0.0"}}
    predicate = requirements_of([needs(value)])[0].predicate
    assert predicate == PackageRequired("blue", SkipRange.parse(">1.0.0"))
    assert isinstance(predicate, PackageRequired)
    assert predicate.is_spelled_name


def test_constraint_reads_keys_in_any_letter_case() -> None:
    assert requirements_of([needs({"GVK": a_gvk(BLUE)})])[0].predicate == ApiRequired(*BLUE)
    assert requirements_of([needs({"Cel": {"Rule": "true"}})])[0].predicate == RuleRequired("true")


_ONE_OF = "expected exactly one of gvk, package, cel, all, any, not"


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ({}, f": {_ONE_OF}, found none"),
        (None, ": expected an object, found nothing"),
        ({"failureMessage": "no"}, f": {_ONE_OF}, found none"),
        ({"cel": {"rule": "true"}, "gvk": a_gvk(BLUE)}, f": {_ONE_OF}, found cel and gvk"),
        ({"gvk": a_gvk(BLUE), "GVK": a_gvk(BLUE)}, ': key "gvk" is there twice'),
        (
            {"unknown": 1},
            ': unknown key "unknown": expected one of gvk, package, cel, all, any, not, failureMessage',
        ),
        ({"cel": {"rule": ""}}, ".cel.rule: expected text, found nothing"),
        ({"cel": {"expression": "true"}}, '.cel: unknown key "expression": expected one of rule'),
        ({"package": {"name": "a", "packageName": "a"}}, ".package: expected packageName or name, found both"),
        ({"failureMessage": 3, "cel": {"rule": "true"}}, ".failureMessage: expected text, found a number"),
        (group("all"), ".all.constraints: expected at least one constraint, found none"),
        ({"any": {}}, ".any.constraints: expected at least one constraint, found none"),
        ({"not": {"constraints": {}}}, ".not.constraints: expected a list, found an object"),
        (group("all", gvk(BLUE), group("any", {"x": 1})), '.all.constraints[1].any.constraints[0]: unknown key "x": '),
        ([], ": expected an object, found a list"),
    ],
)
def test_constraint_says_where_it_is_invalid(value: object, error: str) -> None:
    assert the_error(value).startswith(error)


def test_constraint_has_at_most_32_levels() -> None:
    assert requirements_of([needs(nested(32))])[0].error == ""
    assert the_error(nested(33)).endswith(": more than 32 levels")
    assert the_error(nested(20_000)) == ": more than 32 levels"


def test_constraint_has_at_most_131072_bytes() -> None:
    def of_size(size: int) -> dict[str, Any]:
        return {"cel": {"rule": "x" * (size - len('{"cel":{"rule":""}}'))}}

    assert requirements_of([needs(of_size(131_072))])[0].error == ""
    assert the_error(of_size(131_073)) == ": olm.constraint value is greater than max constraint size 131072 bytes"
