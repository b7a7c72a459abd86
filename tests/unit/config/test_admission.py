"""The policies in `config/admission` fail closed, and say the same as the code that they protect."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from olmv1.api.names import ANNOTATION_SERVICE_ACCOUNT_NAME, ANNOTATION_SERVICE_ACCOUNT_NAMESPACE
from operator_controller.approval import ANNOTATION_APPROVE, ANNOTATION_UPGRADE_POLICY
from operator_controller.crd_safety import ANNOTATION_CRD_ACCEPT
from operator_controller.target.extras import ANNOTATION_REQUESTED_AT
from operator_controller.uninstall import ANNOTATION_CONFIRM_DELETE_CRDS, ANNOTATION_ON_DELETE

CONFIG = Path(__file__).resolve().parents[3] / "config"
ADMISSION = CONFIG / "admission"
EVERY = sorted(ADMISSION.rglob("*.yaml"))
DELETION = "clusterextension-deletion.yaml"


def documents(path: Path) -> Iterator[dict[str, Any]]:
    yield from yaml.safe_load_all(path.read_text(encoding="utf-8"))


def variables(file: str) -> dict[str, str]:
    """The expressions of a policy by name."""
    policy = next(documents(ADMISSION / file))
    return {each["name"]: each["expression"] for each in policy["spec"]["variables"]}


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.stem)
def test_policy_denies_also_when_it_cannot_be_evaluated(path: Path) -> None:
    policy, binding = documents(path)
    assert policy["spec"]["failurePolicy"] == "Fail"
    assert binding["spec"] == {"policyName": policy["metadata"]["name"], "validationActions": ["Deny"]}
    assert binding["metadata"] == policy["metadata"]
    (rule,) = policy["spec"]["matchConstraints"]["resourceRules"]
    assert (rule["apiGroups"], rule["apiVersions"]) == (["olm.operatorframework.io"], ["*"])
    assert rule["operations"] == (["DELETE"] if path.name == DELETION else ["CREATE", "UPDATE"])
    assert not [each for each in rule["resources"] if "/" in each]


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.stem)
def test_policy_tells_a_reason_and_a_message_of_one_line(path: Path) -> None:
    policy, _ = documents(path)
    for validation in policy["spec"]["validations"]:
        assert validation["reason"] == "Forbidden"
        assert validation["message"]
        assert "\n" not in validation["message"]


def test_only_the_policies_of_accounts_and_of_deletion_are_applied_by_default() -> None:
    assert [path.name for path in sorted(ADMISSION.glob("*.yaml"))] == [
        "clusterextension-account.yaml",
        DELETION,
        "clusterobjectset-account.yaml",
    ]


@pytest.mark.parametrize("file", ["clusterextension-account.yaml", "clusterobjectset-account.yaml"])
def test_account_of_the_controller_is_the_one_of_the_roles(file: str) -> None:
    accounts = [
        (each["metadata"]["namespace"], each["metadata"]["name"])
        for each in documents(CONFIG / "rbac" / "service-accounts.yaml")
        if each["kind"] == "ServiceAccount"
    ]
    found = variables(file)
    named = (found["accountNamespace"].rpartition(" : ")[2], found["account"].rpartition(" : ")[2])
    assert tuple(each.strip("'") for each in named) in accounts
    assert "operator-controller" in named[1]


def test_both_policies_grant_in_the_same_words() -> None:
    ours, theirs = variables("clusterextension-account.yaml"), variables("clusterobjectset-account.yaml")
    for name in ("grant", "right", "isItself", "user"):
        assert ours[name] == theirs[name]


def test_set_policy_looks_at_the_annotations_of_the_account() -> None:
    found = variables("clusterobjectset-account.yaml")
    assert found["namedAccount"].count(f"'{ANNOTATION_SERVICE_ACCOUNT_NAME}'") == 1
    assert found["namedNamespace"].count(f"'{ANNOTATION_SERVICE_ACCOUNT_NAMESPACE}'") == 1


@pytest.mark.parametrize(
    ("template", "annotations"),
    [
        ("crd-safety", [ANNOTATION_CRD_ACCEPT, ANNOTATION_CONFIRM_DELETE_CRDS, ANNOTATION_ON_DELETE]),
        ("approval", [ANNOTATION_APPROVE, ANNOTATION_REQUESTED_AT, ANNOTATION_UPGRADE_POLICY]),
    ],
)
def test_template_speaks_of_the_extras_that_exist(template: str, annotations: list[str]) -> None:
    text = (ADMISSION / "templates" / f"{template}.yaml").read_text(encoding="utf-8")
    listed = re.search(r"\[('[a-z-]+'(?:, '[a-z-]+')*)\]\.map\(name, '(.*?)' \+ name\)", text)
    assert listed is not None
    assert [listed[2] + each.strip("' ") for each in listed[1].split(",")] == annotations


def test_page_lists_the_templates() -> None:
    page = (CONFIG.parent / "docs" / "admission.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([a-z-]+\.yaml)` \|", page, re.MULTILINE)
    assert sorted(listed) == [path.name for path in sorted((ADMISSION / "templates").glob("*.yaml"))]
