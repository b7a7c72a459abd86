from __future__ import annotations

import pytest

from operator_controller.authorization import Right, RightSet, rights_in
from tests.rbac import a_rule, a_url_rule


def held(*rules: dict[str, object], namespace: str = "") -> RightSet:
    return RightSet(rights_in(rules, namespace))


def test_rights_in_is_the_product_of_the_lists_of_a_rule() -> None:
    rules = [a_rule("pods secrets", "get list", "a", "b"), a_url_rule("/metrics")]
    assert list(rights_in(rules, "shop")) == [
        Right("shop", "", resource, name, verb)
        for resource in ("pods", "secrets")
        for name in ("a", "b")
        for verb in ("get", "list")
    ] + [Right("shop", verb="get", url="/metrics")]


def test_rights_in_takes_broken_lists_as_empty() -> None:
    assert list(rights_in([{"apiGroups": None, "resources": "pods", "verbs": ["get"]}, {}])) == []


RIGHT = Right("shop", "apps", "deployments", "till", "patch")


@pytest.mark.parametrize(
    ("rule", "covers"),
    [
        pytest.param(a_rule("deployments", "patch", "till", group="apps"), True, id="the same"),
        pytest.param(a_rule("deployments", "patch", group="apps"), True, id="every name"),
        pytest.param(a_rule("deployments", "patch", "other", group="apps"), False, id="another name"),
        pytest.param(a_rule("deployments", "*", group="apps"), True, id="every verb"),
        pytest.param(a_rule("deployments", "get", group="apps"), False, id="another verb"),
        pytest.param(a_rule("*", "patch", group="apps"), True, id="every resource"),
        pytest.param(a_rule("*/scale", "patch", group="apps"), False, id="a subresource"),
        pytest.param(a_rule("deployments", "patch", group="*"), True, id="every group"),
        pytest.param(a_rule("deployments", "patch", group="batch"), False, id="another group"),
        pytest.param(a_url_rule("*", "*"), False, id="URLs"),
    ],
)
def test_right_set_covers_a_right_on_an_object(rule: dict[str, object], covers: bool) -> None:
    assert (held(rule).covers(RIGHT), held(rule, namespace="shop").covers(RIGHT)) == (covers, covers)
    assert not held(rule, namespace="elsewhere").covers(RIGHT)


@pytest.mark.parametrize(
    ("resource", "covers"), [("pods/log", True), ("*/log", True), ("*", True), ("pods", False), ("*/exec", False)]
)
def test_right_set_covers_a_subresource(resource: str, covers: bool) -> None:
    assert held(a_rule(resource, "get")).covers(Right("shop", "", "pods/log", "", "get")) is covers


def test_right_set_needs_a_rule_without_names_for_a_right_on_every_name() -> None:
    assert not held(a_rule("secrets", "create", "a")).covers(Right("", "", "secrets", "", "create"))


@pytest.mark.parametrize(
    ("url", "verbs", "covers"),
    [
        ("/metrics", "get", True),
        ("/met*", "*", True),
        ("*", "get", True),
        ("/metrics", "post", False),
        ("/healthz", "get", False),
        ("/metrics/", "get", False),
    ],
)
def test_right_set_covers_a_url(url: str, verbs: str, covers: bool) -> None:
    assert held(a_url_rule(url, verbs)).covers(Right(verb="get", url="/metrics")) is covers


def test_minimal_drops_what_another_right_covers() -> None:
    cluster = [a_rule("secrets", "get"), a_rule("secrets", "get list", "a"), a_url_rule("/a*"), a_url_rule("/a**")]
    rights = [*rights_in(cluster), *rights_in([a_rule("secrets", "get")], "shop"), Right(verb="get", url="/ab")]
    assert RightSet(rights).minimal() == {
        Right("", "", "secrets", "", "get"),
        Right("", "", "secrets", "a", "list"),
        Right(verb="get", url="/a*"),
    }
