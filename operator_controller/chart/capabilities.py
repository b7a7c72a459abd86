"""What a chart asks about its cluster, and whether the answers are still the same.

A revision is made when its inputs change, and the cluster is one of them. Any new CRD changes what the cluster serves;
so only the questions that the templates ask are inputs, not the cluster as a whole. The answers are recorded on the
revision as JSON: `{"apis": {"monitoring.coreos.com/v1": false}, "kubeVersion": "1.36.3"}`.
Rule: helm-charts.md, "random output".
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

import orjson

from olmv1.served import Served
from operator_controller.chart.model import Chart

__all__ = ["capabilities_of", "still_hold"]

_ASKED = re.compile(rb"APIVersions\b(?:\.Has\s+[\"`]([^\"`]+)[\"`])?")
_VERSION = b"KubeVersion"


def capabilities_of(chart: Chart, served: Served) -> str | None:
    """What the templates ask about the cluster with its answers, as JSON; `None` when they ask nothing.

    A question that is put together while rendering cannot be read: then everything that is served counts.
    """
    files = chart.all_files()
    texts = [data for path, data in files.items() if not path.endswith(("Chart.yaml", "README.md"))]
    asked = {match.group(1) for data in texts for match in _ASKED.finditer(data)}
    apis = {name.decode(errors="replace"): False for name in asked if name}
    answers = _answers(
        {"apis": apis, "all": None in asked, "kubeVersion": any(_VERSION in data for data in texts)}, served
    )
    return orjson.dumps(answers, option=orjson.OPT_SORT_KEYS).decode() if answers else None


def still_hold(recorded: str | None, served: Served) -> bool:
    """Whether the answers that a revision was rendered with are those that the cluster gives now.

    Also when nothing was recorded, when that cannot be read, and while nothing is known of the cluster.
    """
    if not recorded or not served.kinds:
        return True
    try:
        answers = orjson.loads(recorded)
    except orjson.JSONDecodeError:
        return True
    return not isinstance(answers, dict) or _answers(answers, served) == answers


def _answers(asked: Mapping[str, Any], served: Served) -> dict[str, Any]:
    """Today's answers to the questions in `asked`, whatever it says the answers are."""
    answers: dict[str, Any] = {}
    known = frozenset(served.api_versions)
    if asked.get("apis"):
        answers["apis"] = {name: name in known for name in sorted(asked["apis"])}
    if asked.get("all"):
        answers["all"] = hashlib.sha256("\n".join(served.api_versions).encode()).hexdigest()[:16]
    if asked.get("kubeVersion"):
        answers["kubeVersion"] = served.kube_version
    return answers
