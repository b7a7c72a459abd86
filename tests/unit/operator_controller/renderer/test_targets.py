from __future__ import annotations

import re

import pytest

from operator_controller.bundle import BundleError
from operator_controller.renderer.targets import require_valid_targets, target_namespaces_of
from tests.bundles import a_bundle

_ALL, _OWN, _SINGLE, _MULTI = "AllNamespaces", "OwnNamespace", "SingleNamespace", "MultiNamespace"


@pytest.mark.parametrize(
    ("mode", "watch_namespace", "targets"),
    [(_ALL, None, ("",)), (_OWN, None, ()), (_ALL, "a", ("a",))],
)
def test_target_namespaces_of_prefers_the_configuration(
    mode: str, watch_namespace: str | None, targets: tuple[str, ...]
) -> None:
    assert target_namespaces_of(a_bundle(install_modes=frozenset({mode})), watch_namespace) == targets


@pytest.mark.parametrize(
    ("modes", "targets"),
    [([_ALL], ("",)), ([_OWN], ("ns",)), ([_SINGLE], ("a",)), ([_MULTI], ("a", "b")), ([_MULTI, _OWN], ("ns", "b"))],
)
def test_require_valid_targets_accepts_what_a_mode_covers(modes: list[str], targets: tuple[str, ...]) -> None:
    require_valid_targets(a_bundle(install_modes=frozenset(modes)), "ns", targets)


@pytest.mark.parametrize(
    ("modes", "targets", "text"),
    [
        ([_MULTI], (), "[]: at least one target namespace must be specified"),
        ([_OWN], (), "[]: exactly one target namespace must be specified"),
        (
            [_SINGLE, _OWN],
            ("",),
            f"[]: supported install modes [{_OWN} {_SINGLE}] do not support targeting all namespaces",
        ),
        ([_ALL], ("ns",), f"[ns]: supported install modes [{_ALL}] do not support targeting own namespace"),
        ([_ALL], ("a",), f"[a]: supported install modes [{_ALL}] do not support target namespaces [a]"),
        ([_OWN], ("a", "b"), f"[a b]: supported install modes [{_OWN}] do not support target namespaces [a b]"),
        ([_MULTI], ("a", ""), f"[a ]: supported install modes [{_MULTI}] do not support target namespaces [a ]"),
        ([_MULTI], ("a", "ns"), f"[a ns]: supported install modes [{_MULTI}] do not support target namespaces [a ns]"),
    ],
)
def test_require_valid_targets_names_targets_and_modes(modes: list[str], targets: tuple[str, ...], text: str) -> None:
    message = f"invalid option(s): invalid target namespaces {text}"
    with pytest.raises(BundleError, match=f"^{re.escape(message)}$"):
        require_valid_targets(a_bundle(install_modes=frozenset(modes)), "ns", targets)
