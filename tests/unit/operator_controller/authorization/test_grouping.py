from __future__ import annotations

from operator_controller.authorization import Right, rights_in
from operator_controller.authorization.grouping import grouped
from tests.rbac import a_rule, a_url_rule


def rules(*given: dict[str, object]) -> list[dict[str, object]]:
    return [rule.to_rule() for rule in grouped(rights_in(given), lambda _: None)]


def test_grouped_puts_verbs_then_names_then_resources_together() -> None:
    given = [a_rule("pods", verb, name) for verb in ("get", "patch") for name in ("b", "a")]
    given += [a_rule("services", "get patch", "a", "b"), a_rule("secrets", "get", "a")]
    assert rules(*given) == [a_rule("pods services", "get patch", "a", "b"), a_rule("secrets", "get", "a")]


def test_grouped_keeps_rules_with_and_without_names_apart() -> None:
    assert rules(a_rule("pods", "get", "a"), a_rule("pods", "get"), a_rule("nodes", "get")) == [
        a_rule("nodes pods", "get"),
        a_rule("pods", "get", "a"),
    ]


def test_grouped_sorts_by_group_and_puts_urls_last() -> None:
    given = [a_url_rule("/z"), a_url_rule("/a"), a_rule("jobs", "get", group="batch"), a_rule("pods", "*")]
    urls = {"nonResourceURLs": ["/a", "/z"], "verbs": ["get"]}
    assert rules(*given) == [a_rule("pods", "*"), a_rule("jobs", "get", group="batch"), urls]


def test_grouped_never_mixes_what_is_to_be_apart() -> None:
    rights = [Right("", "", name, "", "get") for name in ("nodes", "pods")]
    assert [rule.rights for rule in grouped(rights, lambda right: right.resource)] == [(rights[0],), (rights[1],)]
