"""The policy of ClusterObjectSets takes for an account exactly what the controller takes for one."""

from __future__ import annotations

import re
from pathlib import Path

import yaml
from hypothesis import given
from hypothesis import strategies as st

from olmv1.api.names import ANNOTATION_SERVICE_ACCOUNT_NAME, ANNOTATION_SERVICE_ACCOUNT_NAMESPACE
from operator_controller.revisions.view import account_of

_POLICY = Path(__file__).resolve().parents[2] / "config" / "admission" / "clusterobjectset-account.yaml"
_NAMES = st.one_of(
    st.text(max_size=12),
    st.from_regex(r"[a-z0-9.-]{1,12}\n?", fullmatch=True),
    st.integers(250, 256).map("a".__mul__),
)


def patterns() -> list[str]:
    """What the two annotations must match, without the anchors."""
    (policy, _) = yaml.safe_load_all(_POLICY.read_text(encoding="utf-8"))
    (named,) = (each["expression"] for each in policy["spec"]["variables"] if each["name"] == "isNamed")
    return [each.removeprefix("^").removesuffix("$") for each in re.findall(r"matches\('(.*?)'\)", named)]


PATTERN, OTHER = patterns()


@given(namespace=_NAMES, name=_NAMES)
def test_set_names_an_account_for_the_policy_when_it_does_for_the_controller(namespace: str, name: str) -> None:
    assert OTHER == PATTERN
    annotations = {ANNOTATION_SERVICE_ACCOUNT_NAMESPACE: namespace, ANNOTATION_SERVICE_ACCOUNT_NAME: name}
    is_named = all(re.fullmatch(PATTERN, each, re.ASCII) for each in (namespace, name))
    assert (account_of({"metadata": {"annotations": annotations}}) is not None) == is_named
