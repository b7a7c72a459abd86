from __future__ import annotations

import pytest

from olmv1.kube.errors import ApiError, BadRequest, Forbidden, Invalid, NotFound, ServerError
from operator_controller.rollout.rehearsal import is_inconclusive


@pytest.mark.parametrize(
    ("error", "says_nothing"),
    [
        pytest.param(NotFound('namespaces "shop" not found'), True, id="namespace of the same phase"),
        pytest.param(BadRequest('admission webhook "a.b" does not support dry run'), True, id="webhook"),
        pytest.param(BadRequest("the object is malformed"), False, id="malformed"),
        pytest.param(Forbidden("exceeded quota"), False, id="quota"),
        pytest.param(Invalid("field is immutable"), False, id="immutable"),
        pytest.param(ServerError("failed calling webhook"), False, id="webhook away"),
    ],
)
def test_is_inconclusive_for_what_no_dry_run_can_tell(error: ApiError, says_nothing: bool) -> None:
    assert is_inconclusive(error) is says_nothing
