from __future__ import annotations

import pytest

from olmv1.conditions import Condition
from operator_controller.upgradeability import BundleFacts, Minor, Verdict, VerdictKind, verdict_of


def a_bundle(maximum: str | None, name: str = "till.v1.0.0") -> BundleFacts:
    listed = "[]" if maximum is None else f'[{{"type":"olm.maxOpenShiftVersion","value":"{maximum}"}}]'
    return BundleFacts(name, listed)


def judged(*bundles: BundleFacts, current: str = "4.18.0") -> Verdict:
    found = verdict_of(bundles, Minor.of_version(current))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("maximum", "current", "blocks"),
    [
        ("4.18", "4.17.0", False),
        ("4.18", "4.18.0", True),
        ("4.18", "4.19.0", True),
        ("5.0", "4.22.0", False),
        ("5.0", "4.23.0", True),
        ("5.0", "5.0.0", True),
        ("5.1", "4.23.0", False),
        ("4.23", "4.22.0", False),
        (None, "4.18.0", False),
    ],
)
def test_bundle_blocks_what_is_above_its_maximum(maximum: str | None, current: str, blocks: bool) -> None:
    assert judged(a_bundle(maximum), current=current).blocks is blocks


def test_blocking_bundle_is_named_with_the_way_out() -> None:
    text = (
        'bundle "till.v1.0.0" supports OpenShift up to 4.18; '
        "it must be updated or removed before the cluster can go to 4.19"
    )
    expected = Condition("ClusterUpgradeable", "False", "IncompatibleWithNextMinor", text)
    assert judged(a_bundle("4.18")).condition == expected


@pytest.mark.parametrize(
    ("maximum", "text"),
    [(None, "no maximum declared"), ("4.19", 'bundle "till.v1.0.0" supports OpenShift up to 4.19')],
)
def test_compatible_bundle_says_its_maximum(maximum: str | None, text: str) -> None:
    assert judged(a_bundle(maximum)).condition == Condition("ClusterUpgradeable", "True", "Compatible", text)


def test_invalid_declaration_blocks() -> None:
    found = judged(a_bundle("four"))
    text = "error converting to semver for version four: invalid version format"
    assert (found.blocks, found.condition) == (
        True,
        Condition("ClusterUpgradeable", "False", "InvalidMaxOpenShiftVersion", text),
    )


def test_lost_properties_are_unknown() -> None:
    found = judged(BundleFacts("till.v1.0.0", None, is_readable=False))
    text = 'the properties of bundle "till.v1.0.0" cannot be read'
    assert (found.blocks, found.condition) == (
        False,
        Condition("ClusterUpgradeable", "Unknown", "MetadataUnavailable", text),
    )


@pytest.mark.parametrize("maxima", [("4.18", "4.20"), ("4.20", "4.18"), ("4.18", None), ("4.18", "4.17")])
def test_lower_maximum_of_installed_and_rolling_bundle_decides(maxima: tuple[str | None, ...]) -> None:
    lowest = min((each for each in maxima if each is not None), key=lambda text: int(text[2:]))
    found = judged(*(a_bundle(maximum, f"till.{number}") for number, maximum in enumerate(maxima)))
    assert (found.kind, str(found.maximum)) == (VerdictKind.INCOMPATIBLE, lowest)


def test_nothing_installed_has_no_verdict() -> None:
    assert verdict_of([], Minor(4, 18)) is None
