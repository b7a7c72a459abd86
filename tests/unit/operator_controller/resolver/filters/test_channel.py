from __future__ import annotations

from operator_controller.resolver import Request, resolve
from tests.packages import a_catalog, a_package


def test_channel_removes_bundles_of_other_channels() -> None:
    package = a_package(["1.0.0", "2.0.0", "3.0.0"], {"a": ["1.0.0"], "b": ["2.0.0"], "c": ["2.0.0"]})
    trace = resolve(Request("p", channels=("z", "a")), [a_catalog(package)]).trace
    assert [(step.filter.name, step.left) for step in trace.catalogs[0].filters] == [("channel", 1)]
    assert list(trace.reasons_for("p.v2.0.0")) == [("cat", "channel", "in channels [b c], not in [z a]")]
    assert list(trace.reasons_for("p.v3.0.0")) == [("cat", "channel", "in no channel, not in [z a]")]
    assert list(trace.reasons_for("p.v1.0.0")) == []
