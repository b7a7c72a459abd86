from __future__ import annotations

from typing import Any

import pytest

from operator_controller.cluster_operator.mode import ClusterOperatorMode, choose_mode

AUTO, DIRECT, OLM_STATUS, OFF = ClusterOperatorMode


@pytest.mark.parametrize(
    ("olm", "has_operators", "mode"),
    [
        ({"spec": {"managementState": "Managed"}}, True, OLM_STATUS),
        ({"spec": {}}, False, OLM_STATUS),
        ({"spec": {"managementState": "Unmanaged"}}, True, DIRECT),
        (None, True, DIRECT),
        (None, False, OFF),
    ],
)
def test_auto_finds_who_writes_the_operator(
    olm: dict[str, Any] | None, has_operators: bool, mode: ClusterOperatorMode
) -> None:
    assert choose_mode(AUTO, olm, has_cluster_operators=has_operators) is mode


def test_wish_goes_before_what_is_found() -> None:
    assert [choose_mode(wish, None, has_cluster_operators=True) for wish in (DIRECT, OFF)] == [DIRECT, OFF]
