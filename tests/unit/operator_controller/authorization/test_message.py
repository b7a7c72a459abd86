from __future__ import annotations

from operator_controller.authorization import MissingRule, Right, compacted, message_of


def test_compacted_puts_verbs_together_and_sorts_as_text() -> None:
    rights = [Right("shop", "", "pods", "", verb) for verb in ("watch", "get")]
    rights += [Right("", "apps", "*", "", verb) for verb in ("get", "*")]
    rights += [Right("shop", "", "pods", "a", "get"), Right(verb="get", url="/x")]
    assert [str(rule) for rule in compacted(rights)] == [
        'Namespace:"" APIGroups:[apps] Resources:[*] Verbs:[*]',
        'Namespace:"" Verbs:[get] NonResourceURLs:[/x]',
        'Namespace:"shop" APIGroups:[] Resources:[pods] ResourceNames:[a] Verbs:[get]',
        'Namespace:"shop" APIGroups:[] Resources:[pods] Verbs:[get,watch]',
    ]


def test_missing_rule_becomes_values_as_in_a_role() -> None:
    rule = MissingRule("shop", ("",), ("pods",), ("a",), ("get",), ())
    assert rule.to_json() == {
        "namespace": "shop",
        "apiGroups": [""],
        "resources": ["pods"],
        "resourceNames": ["a"],
        "verbs": ["get"],
    }


def test_message_is_empty_when_nothing_is_missing() -> None:
    assert message_of(()) == ""


def test_message_of_problems_lists_each_on_a_line() -> None:
    rules = compacted([Right("", "", "pods", "", "get")])
    assert message_of(rules, ["a", "b"]) == "pre-authorization failed: authorization evaluation error: a\nb"
