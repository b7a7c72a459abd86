from __future__ import annotations

import pytest

from olmv1.api.cluster_extension import ClusterExtension
from olmv1.errors import TerminalError
from operator_controller.outcome.extension import PreconditionError
from operator_controller.target import require_account, require_short_name
from tests.builders import an_extension


def parsed(**spec: object) -> ClusterExtension:
    return ClusterExtension.parse(an_extension(**spec))


def test_require_account_accepts_an_account_that_exists() -> None:
    require_account(parsed(), lambda *place: place == ("lantern-system", "installer"), allow_unscoped=False)


def test_require_account_names_a_missing_account() -> None:
    with pytest.raises(PreconditionError) as raised:
        require_account(parsed(), lambda *_: False, allow_unscoped=False)
    assert str(raised.value) == (
        "operation cannot proceed due to the following validation error(s): "
        'service account "installer" not found in namespace "lantern-system"'
    )


def test_require_account_blocks_an_extension_without_one() -> None:
    with pytest.raises(TerminalError) as raised:
        require_account(parsed(serviceAccount=None), lambda *_: True, allow_unscoped=False)
    assert (raised.value.reason, str(raised.value)) == (
        "Blocked",
        'spec.serviceAccount.name is required: name a ServiceAccount in namespace "lantern-system" '
        "or start the controller with --unscoped-extensions=allow",
    )


def test_require_account_lets_an_extension_without_one_pass_when_allowed() -> None:
    require_account(parsed(serviceAccount=None), lambda *_: False, allow_unscoped=True)


def test_require_short_name_names_the_limit() -> None:
    ext = an_extension()
    long = ClusterExtension.parse({**ext, "metadata": {**ext["metadata"], "name": "a" * 64}})
    require_short_name(parsed())
    with pytest.raises(TerminalError, match="has 64 characters: at most 53 fit the labels"):
        require_short_name(long)
