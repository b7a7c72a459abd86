from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from olm_cli.granting import commented, plain
from olmv1.yaml import load_all
from operator_controller.authorization import Document, Reason, Section
from tests.rbac import a_role, a_rule, a_url_rule


def a_reason(
    *versions: str, section: Section = Section.OBJECTS, roles: tuple[str, ...] = (), receivers: tuple[str, ...] = ()
) -> Reason:
    return Reason(section, frozenset(roles), frozenset(receivers), versions or ("1.0.0",))


def comment(*reasons: Reason, versions: tuple[str, ...] = ("1.0.0", "2.0.0")) -> str:
    """The line above a rule."""
    text = "".join(commented([Document(a_role("r", a_rule("pods", "get")), (reasons,))], versions))
    above = text.partition("rules:\n")[2].splitlines()[0]
    return above if above.startswith("#") else ""


BOTH = ("1.0.0", "2.0.0")


@pytest.mark.parametrize(
    ("reason", "line"),
    [
        pytest.param(a_reason(*BOTH), "", id="objects"),
        pytest.param(a_reason("2.0.0"), "# only for 2.0.0", id="one version"),
        pytest.param(
            a_reason(*BOTH, section=Section.GRANTS, roles=("Role b", "ClusterRole a")),
            "# granted by ClusterRole a, Role b",
            id="roles",
        ),
        pytest.param(
            a_reason("1.0.0", section=Section.GRANTS, roles=("Role b",), receivers=("op",)),
            "# granted to op; only for 1.0.0",
            id="receivers",
        ),
        pytest.param(
            a_reason(*BOTH, section=Section.GRANTS, receivers=tuple("edcba")),
            "# granted to a, b, c and 2 more",
            id="many",
        ),
        pytest.param(
            a_reason(*BOTH, section=Section.LEAVE), "# instead of holding the rules of these roles", id="leave"
        ),
    ],
)
def test_commented_says_why_a_rule_is_there(reason: Reason, line: str) -> None:
    assert comment(reason) == line


def read(rule: Mapping[str, Any]) -> Any:
    """A rule after it was written with comments and read again."""
    text = "".join(commented([Document(a_role("r", rule), ((a_reason(),),))], ["1.0.0"]))
    [document] = load_all(text.encode(), name="out")
    assert isinstance(document, Mapping)
    return document["rules"]


@pytest.mark.parametrize(
    "rule",
    [
        a_rule("pods", "get"),
        a_rule("*", "*", group="*"),
        a_rule("pods/log", "get", "yes", "1e3", "a:b", "null", '"', "*x"),
        a_rule("pods", "get", *(f"a-rather-long-name-{number}" for number in range(20))),
        a_url_rule("/metrics"),
    ],
)
def test_commented_rule_is_read_as_it_was(rule: dict[str, Any]) -> None:
    assert read(rule) == [rule]


def test_plain_is_a_document_for_each_manifest() -> None:
    assert list(plain([{"a": "b"}, {"c": 1}])) == ["---\na: b\n", "---\nc: 1\n"]
