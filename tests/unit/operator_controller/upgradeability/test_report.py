from __future__ import annotations

from olmv1.conditions import Condition
from operator_controller.upgradeability import (
    BundleFacts,
    CurrentVersion,
    Minor,
    Report,
    Verdict,
    report_of,
    verdict_of,
)

CURRENT = CurrentVersion(Minor(4, 18))


def a_verdict(value: str, bundle: str = "till.v1.3.0") -> Verdict:
    facts = BundleFacts(bundle, f'[{{"type":"olm.maxOpenShiftVersion","value":"{value}"}}]')
    found = verdict_of([facts], Minor(4, 18))
    assert found is not None
    return found


def test_no_extension_blocks_nothing() -> None:
    found = report_of({}, CURRENT)
    assert found == Report(True, "", "")
    assert found.olm_condition == Condition("InstalledOLMOperatorsUpgradeable", "True", "", "")
    assert found.operator_condition == Condition("Upgradeable", "True", "AsExpected", "All is well")


def test_blocking_extension_is_reported_as_the_platform_folds_it() -> None:
    found = report_of({"till": a_verdict("4.18"), "fine": a_verdict("4.19")}, CURRENT)
    text = (
        "InstalledOLMOperatorsUpgradeable: Found ClusterExtensions that require upgrades prior to upgrading "
        'cluster to version 4.19: bundle "till.v1.3.0" for ClusterExtension "till".'
    )
    reason = "InstalledOLMOperators_IncompatibleOperatorsInstalled"
    assert found.operator_condition == Condition("Upgradeable", "False", reason, text)


def test_several_blocking_extensions_are_sorted_and_errors_follow() -> None:
    verdicts = {"b": a_verdict("4.18", "z.v1"), "a": a_verdict("4.17", "a.v1"), "x": a_verdict("no", "x.v1")}
    assert report_of(verdicts, CURRENT).message == (
        "Found ClusterExtensions that require upgrades prior to upgrading cluster to version 4.19: "
        'bundle "a.v1" for ClusterExtension "a",bundle "z.v1" for ClusterExtension "b".\n'
        " Additionally the following errors were encountered while getting extension metadata: "
        "error(s) with cluster extension x: error in bundle x.v1: "
        "error converting to semver for version no: invalid version format"
    )


def test_errors_alone_block_too() -> None:
    found = report_of({"till": a_verdict("")}, CURRENT)
    prefix = "InstalledOLMOperatorsUpgradeable: error(s) with cluster extension till: error in bundle till.v1.3.0: "
    text = prefix + "error converting to semver for version : invalid version format"
    reason = "InstalledOLMOperators_FailureGettingExtensionMetadata"
    assert found.operator_condition == Condition("Upgradeable", "False", reason, text)


def test_every_line_is_folded_with_its_source() -> None:
    found = report_of({name: a_verdict("no") for name in ("a", "b")}, CURRENT).operator_condition.message
    assert [line.startswith("InstalledOLMOperatorsUpgradeable: error(s) with ") for line in found.split("\n")] == [
        True,
        True,
    ]


def test_unknown_version_says_so() -> None:
    found = report_of({"till": a_verdict("4.18")}, CurrentVersion(None, "no version")).operator_condition
    text = "InstalledOLMOperatorsUpgradeable: no version"
    reason = "InstalledOLMOperators_ClusterVersionUnavailable"
    assert found == Condition("Upgradeable", "Unknown", reason, text)


def test_long_lists_are_cut_with_the_number_of_the_rest() -> None:
    verdicts = {f"till-{number:04}": a_verdict("4.18") for number in range(2000)}
    message = report_of(verdicts, CURRENT).message
    assert len(message) < 32768
    assert message.endswith(" more.")
