"""What is wrong with content is visible, and keeps it from nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from devcluster.cluster import Cluster
from devcluster.waiting import wait_for
from tests.api.fetching import metrics_of
from tests.contents import LEDGER, lines_of

if TYPE_CHECKING:
    from tests.api.catalogd.conftest import Catalogs

GOOD = LEDGER.replace(b"sha256:00", b"sha256:" + b"0f" * 32).replace(
    b"---\nschema: custom",
    b"properties: [{type: olm.package, value: {packageName: ledger, version: 1.0.0}}]\n---\nschema: custom",
)


def findings(catalogs: Catalogs) -> list[str]:
    return [note for reason, note in catalogs.events() if reason == "ContentFindings"]


def series(catalogs: Catalogs, olm: Cluster) -> list[str]:
    text = metrics_of(olm, catalogs.component)
    mark = f'olm_catalog_findings{{name="{catalogs.name}"'
    return [line.removeprefix(mark) for line in text.splitlines() if line.startswith(mark)]


def test_findings_are_told_once_and_counted_while_the_content_is_served(catalogs: Catalogs, olm: Cluster) -> None:
    ref = catalogs.push("v1", {"ledger/catalog.yaml": LEDGER})
    catalogs.apply()
    catalogs.wait_serving(ref)
    assert catalogs.read().body == b"".join(lines_of(LEDGER))
    wait_for(lambda: findings(catalogs), "an Event about the findings", timeout_s=10)
    catalogs.poll_now("again")
    wait_for(lambda: series(catalogs, olm), "the series of the findings", timeout_s=10)
    assert series(catalogs, olm) == [',severity="error"} 2.0', ',severity="warning"} 0.0']
    subject = 'ledger/catalog.yaml, document 3 (olm.bundle "ledger.v1.0.0" of package "ledger")'
    about = 'package "ledger" bundle "ledger.v1.0.0"'
    assert findings(catalogs) == [
        f"{ref} is served in spite of 2 errors: "
        f'{subject}: {about} must have exactly 1 "olm.package" property, found 0; '
        f'{subject}: {about} image: invalid image pull spec "registry.example/ledger@sha256:00": '
        "invalid reference format (see olm catalog validate)"
    ]


def test_good_content_has_no_findings(catalogs: Catalogs, olm: Cluster) -> None:
    catalogs.push("v1", {"ledger/catalog.yaml": GOOD})
    catalogs.apply()
    catalogs.wait_serving()
    wait_for(lambda: series(catalogs, olm), "the series of the findings", timeout_s=10)
    assert series(catalogs, olm) == [',severity="error"} 0.0', ',severity="warning"} 0.0']
    assert findings(catalogs) == []
