"""Which version expressions the API server admits: all that the parser accepts, and little else."""

from __future__ import annotations

import pytest

from olmv1.kube.client import KubeClient
from olmv1.kube.errors import Invalid
from olmv1.kube.resources import CLUSTER_EXTENSIONS
from tests.crds import refusals

pytestmark = pytest.mark.api

# The table of clusterextension.md 1.3 as decision 6 corrects it, and the documented expressions of version-ranges.md.
ADMITTED = [
    *["1.2.3", "v1.2.3", "1.2", "1", "1.2.3-alpha.1", "1.2.3+build", "<2.0.0-0"],
    *["*", "x", "1.*", "1.x", "1.2.*", "1.2.x", ">=1.*"],
    *[">=1.2.3, <2.0.0 || >3.0.0", ">=1.2.3,<2", ">=1.2.3 <2", "^0 || ^3 || ^5", ">=1.0.0||<0.5"],
    *["~>1.2", "=>1.0", "=<1.0", "!=1.0", "1.2.3\n"],
    *["1.0.0 || *", "1.0.0 || 1.2.*", ">=1 || *", ">=1, 1.2.*", "1.*.*", "*.*.*"],
    *["1.2 - 1.4.5", "1.2.3 - 2.0.0", "1.0.0 - 2.0.0 !=1.5.0", ">0.2.0, 1.0.0 - 2.0.0", "1 - 2 || 4 - 5"],
    *["01.2.3", ">=1.02.3", "1.2.03"],
    *["1.11.x", ">=1.12.X", "<=2.x", "~1.11.0", "~1", "~1.x", "^0.0.3", "^1.2.x", "^2.3", "1.x.3", "x.1.2", "1.2.x-0"],
]
REFUSED = [
    *["", " ", "latest", "==1.0", ">1.0.0,", ",1.0", "! =1.0", "1.2.3.4", "1..2", "1.2.", ".1"],
    *["|", "1.*]", ">=1 || *]", ">=1 || 1.2.*]", "||", ">=1.0.0 ||", ">=1.0.0 || || <0.5.0"],
    *[
        ">=1.0.0<2.0.0",
        "!1.0.0",
        "&&",
        ";",
        ">>1.0.0",
        "~=1.2.3",
        "^~1.2.3",
        "> =1.0.0",
        "1.2.3 -2.0.0",
        "1x",
        "V1.2.3",
    ],
    *["1.2.3-", "1.2.3+", "1.2.3-a..b", "1.2.3-alpha_1", ">=1.0.0,,<2.0.0", "(1.0.0)", "\uff11.0.0"],
]


async def refusals_of(client: KubeClient, version: str) -> set[tuple[str, str]]:
    catalog = {"packageName": "ledger-operator", "version": version}
    extension = {
        "apiVersion": "olm.operatorframework.io/v1",
        "kind": "ClusterExtension",
        "metadata": {"name": "ledger"},
        "spec": {"namespace": "ledger-system", "source": {"sourceType": "Catalog", "catalog": catalog}},
    }
    try:
        await client.create(CLUSTER_EXTENSIONS, extension, dry_run=True)
    except Invalid as refused:
        return refusals(refused)
    return set()


async def test_expression_is_admitted(client: KubeClient) -> None:
    assert {version: found for version in ADMITTED if (found := await refusals_of(client, version))} == {}


async def test_expression_is_refused(client: KubeClient) -> None:
    message = {("spec.source.catalog.version", "invalid version expression")}
    assert {version: await refusals_of(client, version) for version in REFUSED} == dict.fromkeys(REFUSED, message)
