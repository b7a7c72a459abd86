from __future__ import annotations

import pytest

from olm_cli.asking import Asked
from olm_cli.asking.dependencies import Needs
from olm_cli.asking.neighbours import Neighbours
from olm_cli.crd_checking import Check
from olm_cli.crd_checking.checking import Result
from olm_cli.rolling_back.holds import (
    Hold,
    content_hold,
    definition_holds,
    dependency_hold,
    operator_hold,
    rights_hold,
)
from olm_cli.rolling_back.subject import Subject
from olmv1.api.cluster_extension import ClusterExtension
from olmv1.api.vocabulary import Reason
from olmv1.errors import TerminalError
from operator_controller.authorization import MissingRule
from operator_controller.crd_safety import judge
from operator_controller.dependencies import DependencyVerdict
from operator_controller.resolver import Request
from tests.builders import a_view, an_extension
from tests.definitions import a_definition, a_schema, a_version
from tests.packages import an_installed

EXTRAS = "extras.olm.operatorframework.io"
KUBECTL = "kubectl annotate clusterextension lantern --overwrite"


def a_subject(word: str = "", **annotations: str) -> Subject:
    manifest = an_extension()
    manifest["metadata"]["annotations"] = {
        f"{EXTRAS}/{key.replace('_', '-')}": text for key, text in annotations.items()
    }
    asked = Asked(Request("lantern"), (), ())
    return Subject(ClusterExtension.parse(manifest), asked, Neighbours(manifest), (a_view(1, "1.1.0"),), word)


def a_check(*gone: str) -> Check:
    """Fields that a definition had, and has no more."""
    old, new = (
        a_definition(a_version(schema=a_schema(**{each: {"type": "string"} for each in s}))) for s in (gone, ())
    )
    return Check(Result.BLOCKED, judge(old, new))


def test_definitions_are_accepted_together_with_what_is_accepted_already() -> None:
    check = a_check("color", "size")
    [hold] = definition_holds(a_subject(crd_accept="other.example.com:scope"), [check])
    first, second = (f"{check.verdict.crd}:existingFieldRemoval:v1:^.spec.{field}" for field in ("color", "size"))
    assert hold == Hold(
        "definitions",
        str(check.verdict.failure),
        (
            "change the objects that are named so that they fit, or accept what happens to them:",
            f"{KUBECTL} '{EXTRAS}/crd-accept=other.example.com:scope {first} {second}'",
        ),
    )


def test_definitions_that_fit_hold_nothing() -> None:
    assert list(definition_holds(a_subject(), [a_check()])) == []


def test_unmet_requirements_can_be_waived() -> None:
    failure = TerminalError("bundle lantern.v1.0.0 requires a lamp")
    needs = Needs(DependencyVerdict(failure=failure), {}, is_known=True)
    remedy = f"{KUBECTL} {EXTRAS}/dependencies=Warn"
    assert dependency_hold(a_subject(), needs) == Hold("dependencies", str(failure), (remedy,))
    assert dependency_hold(a_subject(), None) is None


def test_missing_rights_are_written_by_another_command() -> None:
    rule = MissingRule("", ("apps",), ("deployments",), (), ("create",), ())
    hold = rights_hold(a_subject(), "1.0.0", [rule])
    assert hold is not None
    assert (hold.about, hold.message.splitlines()[-1].strip(), hold.remedies) == (
        "rights",
        str(rule),
        (
            "olm rbac lantern --extension lantern --namespace lantern-system --service-account installer "
            "--version 1.0.0 --policy SelfCertified --upgrades --apply",
        ),
    )
    assert rights_hold(a_subject(), "1.0.0", []) is None


def test_word_of_the_operator_counts_for_another_bundle_only() -> None:
    other, same = an_installed("1.0.0"), an_installed("lantern.v1.1.0")
    said = operator_hold(a_subject("the operator is not upgradeable: busy"), other)
    assert said is not None
    assert said.message == (
        'cannot upgrade from bundle "lantern.v1.1.0" to "p.v1.0.0": the operator is not upgradeable: busy'
    )
    assert operator_hold(a_subject("the operator is not upgradeable: busy"), same) is None
    assert operator_hold(a_subject(), other) is None


@pytest.mark.parametrize(
    ("error", "hold"),
    [
        pytest.param(
            TerminalError("no such field", reason=Reason.INVALID_CONFIGURATION),
            Hold("configuration", "no such field", ("change spec.config.inline so that it fits both versions",)),
            id="configuration",
        ),
        pytest.param(TerminalError("unsupported bundle"), Hold("bundle", "unsupported bundle"), id="bundle"),
    ],
)
def test_content_that_cannot_be_installed_holds(error: TerminalError, hold: Hold) -> None:
    assert content_hold(error) == hold
