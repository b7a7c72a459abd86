from __future__ import annotations

import pytest

from operator_controller.explanation import HEADLINE_LIMIT, headline
from operator_controller.resolver import CatalogContent, Request
from tests.explanations import C1, C5, C10, a_place, a_request, explained

LONG = a_place({"s": [f"1.{number}.0" + (f" (R 1.{number - 1}.0)" if number else "") for number in range(20)]})
DEAD_END = a_place({"s": ["2.0.0 (R 1.1.0)", "1.2.0 (R 1.0.0)", "1.1.0 (R 1.0.0)", "1.0.0"]})


@pytest.mark.parametrize(
    ("request_", "place", "text"),
    [
        pytest.param(
            a_request(), C1, '"p.v0.1.3" of catalog cat is chosen as the best bundle that fits.', id="first install"
        ),
        pytest.param(
            a_request("1.0.0"),
            C5,
            '"p.v2.0.0" of catalog cat is chosen: a successor by skipRange ">=1.0.0 <2.0.0" in stable. '
            "From there it goes on by itself to 3.0.0.",
            id="upgrade",
        ),
        pytest.param(
            a_request("0.1.1", policy="SelfCertified"),
            C1,
            '"p.v0.1.3" of catalog cat is chosen without an upgrade edge, as SelfCertified allows.',
            id="self-certified",
        ),
        pytest.param(
            a_request("3.0.0"),
            C10,
            'The extension stays on the installed "p.v3.0.0": it fits, and no better bundle is a successor of it.',
            id="stays",
        ),
        pytest.param(
            a_request("0.1.2", version="<0.1.3"),
            C1,
            'The extension stays on the installed "p.v0.1.2": successors of it are outside the version range: 0.1.3.',
            id="held back by the range",
        ),
        pytest.param(
            a_request("1.0.0"),
            a_place({"s": ["2.0.0 (R 1.0.0)", "1.0.0"]}, deprecated=["2.0.0"]),
            'The extension stays on the installed "p.v1.0.0": its successors are deprecated: 2.0.0.',
            id="deprecated successors",
        ),
        pytest.param(
            a_request("1.0.0", version="1.19.0"),
            LONG,
            'No upgrade edge leads from the installed "p.v1.0.0" to "p.v1.19.0". Version "1.19.0" can be reached in '
            '19 steps: 1.1.0, 1.2.0, 1.3.0, 1.4.0, … (14 more), 1.19.0; with version ">=1.0.0 <=1.19.0" in the request '
            "the controller takes them by itself.",
            id="long route",
        ),
        pytest.param(
            a_request("1.0.0", version="2.0.0"),
            DEAD_END,
            'No upgrade edge leads from the installed "p.v1.0.0" to "p.v2.0.0". Version "2.0.0" can be reached in '
            "2 steps: 1.1.0, 2.0.0; ask for one after the other.",
            id="step by step",
        ),
        pytest.param(
            a_request("0.1.3", channels=["alpha"]),
            C1,
            'The installed "p.v0.1.3" is not in channels [alpha], and no edge in them leads on from it. '
            'What helps: allow channel "beta" as well, then the extension stays on "p.v0.1.3".',
            id="stays after a change",
        ),
        pytest.param(
            a_request("0.1.3", version="0.1.1"),
            C1,
            'No upgrade edge leads from the installed "p.v0.1.3" to "p.v0.1.1". What helps: '
            'set upgradeConstraintPolicy to SelfCertified, then the extension gets "p.v0.1.1" '
            "(no edge of a catalog vouches for this step).",
            id="with a caution",
        ),
        pytest.param(
            a_request("1.0.0", version="3.0.0", channels=["a"]),
            a_place({"a": ["1.0.0"], "b": ["3.0.0 (R 2.0.0)", "2.0.0 (R 1.0.0)"]}),
            'What is in version range "3.0.0" is in other channels: 3.0.0 in [b]. What helps: '
            'allow channel "b" as well, then the extension gets "p.v3.0.0" in 2 steps.',
            id="several steps after a change",
        ),
    ],
)
def test_headline_says_what_and_why_and_what_helps(request_: Request, place: CatalogContent, text: str) -> None:
    assert headline(explained(request_, place)) == text


def test_headline_fits_an_event() -> None:
    place = a_place({f"{'long' * 50}-{number}": ["1.0.0"] for number in range(20)})
    text = headline(explained(a_request(channels=["x"]), place))
    assert (len(text), text[-1]) == (HEADLINE_LIMIT, "…")
