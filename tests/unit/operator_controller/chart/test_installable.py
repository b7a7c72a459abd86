"""Whether a chart is the one of the bundle, and fits the cluster."""

from __future__ import annotations

import re

import pytest

from operator_controller.chart import ChartError, require_fits, require_version
from tests.charts import a_chart


@pytest.mark.parametrize("version", ["1.2.3", "v1.2.3", "1.2.3+build.7"])
def test_require_version_accepts_the_version_of_the_bundle(version: str) -> None:
    require_version(a_chart(version=version), "1.2.3")


@pytest.mark.parametrize("version", ["1.2.4", "1.2.3-rc1", "1.2"])
def test_require_version_refuses_another_version(version: str) -> None:
    message = f'chart version "{version}" does not match bundle version "1.2.3"'
    with pytest.raises(ChartError, match=f"^{re.escape(message)}$"):
        require_version(a_chart(version=version), "1.2.3")


@pytest.mark.parametrize(
    ("wanted", "cluster"),
    [
        pytest.param(None, "1.36.3", id="anything"),
        pytest.param(">=1.30.0", "1.36.3", id="newer"),
        pytest.param(">=1.30.0-0", "1.30.5-gke.1", id="the pre-release of a provider"),
        pytest.param(">=1.99.0", "", id="cluster unknown"),
    ],
)
def test_require_fits_accepts(wanted: str | None, cluster: str) -> None:
    require_fits(a_chart(kubeVersion=wanted), cluster)


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        pytest.param(
            ">=1.99.0", 'chart "lantern" needs Kubernetes ">=1.99.0", this cluster has version "1.36.3"', id="too old"
        ),
        pytest.param("new", 'chart "lantern" has kubeVersion "new", which is no range: ', id="no range"),
    ],
)
def test_require_fits_names_both_versions(wanted: str, message: str) -> None:
    with pytest.raises(ChartError, match=f"^{re.escape(message)}"):
        require_fits(a_chart(kubeVersion=wanted), "1.36.3")
