from __future__ import annotations

from typing import Any

import pytest

from operator_controller.upgradeability import CurrentVersion, Minor, current_version

PARTIAL = {"state": "Partial", "version": "4.19.0"}
COMPLETED = {"state": "Completed", "version": "4.18.9"}


def a_version(*history: dict[str, str], desired: str = "4.20.1") -> dict[str, Any]:
    return {"status": {"history": list(history), "desired": {"version": desired}}}


@pytest.mark.parametrize(
    ("status", "minor"),
    [
        (a_version(PARTIAL, COMPLETED, {"state": "Completed", "version": "4.17.1"}), Minor(4, 18)),
        (a_version({"state": "Partial", "version": "4.20.0"}, PARTIAL), Minor(4, 19)),
        (a_version(), Minor(4, 20)),
    ],
)
def test_completed_version_counts(status: dict[str, Any], minor: Minor) -> None:
    assert current_version(status) == CurrentVersion(minor)


def test_flag_goes_before_the_cluster_and_the_cluster_before_the_environment() -> None:
    asked = [
        current_version(a_version(COMPLETED), override="4.16.0", release="4.15.0"),
        current_version(a_version(COMPLETED), release="4.15.0"),
        current_version(None, release="4.15.0"),
    ]
    assert asked == [CurrentVersion(Minor(4, minor)) for minor in (16, 18, 15)]


@pytest.mark.parametrize("version", [None, {}, {"status": {}}, {"status": {"history": None, "desired": None}}])
def test_version_that_nobody_names_is_unknown(version: dict[str, Any] | None) -> None:
    text = 'the ClusterVersion "version" names no version of the cluster'
    assert current_version(version) == CurrentVersion(None, text)


def test_version_that_cannot_be_read_is_unknown() -> None:
    found = current_version(a_version({"state": "Completed", "version": "newest"}))
    assert found == CurrentVersion(None, 'expected an OpenShift version such as 4.18.3, found "newest"')
