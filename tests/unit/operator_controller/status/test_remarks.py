from __future__ import annotations

from typing import Any

import pytest

from operator_controller.outcome.extension import ExtensionOutcome
from operator_controller.status.events import Transition
from operator_controller.status.remarks import remarks
from tests.builders import an_extension


def an_annotated(**annotations: str) -> dict[str, Any]:
    ext = an_extension()
    return {**ext, "metadata": {**ext["metadata"], "annotations": annotations}}


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        pytest.param(ExtensionOutcome(), [], id="nothing"),
        pytest.param(
            ExtensionOutcome(image_changed_to="new"),
            [
                Transition(
                    "Warning",
                    "ImageChanged",
                    "the catalog now names image new for the installed bundle; nothing is reinstalled",
                )
            ],
            id="image",
        ),
        pytest.param(
            ExtensionOutcome(unreadable=("away",)), [Transition("Warning", "CatalogUnreadable", "away")], id="catalog"
        ),
    ],
)
def test_remarks_tell_what_conditions_do_not(seen: ExtensionOutcome, expected: list[Transition]) -> None:
    assert list(remarks(an_extension(), seen)) == expected
