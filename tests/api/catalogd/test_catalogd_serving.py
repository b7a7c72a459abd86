"""From a ClusterCatalog to served content and back, on a real API server with a real registry and process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from devcluster.components import Component
from devcluster.images import catalog_image
from devcluster.waiting import wait_for
from olmv1.fbc.blobs import blobs_of_file
from olmv1.fbc.walk import catalog_files
from tests.contents import LEDGER, lines_of
from tests.data import data_dir

if TYPE_CHECKING:
    from tests.api.catalogd.conftest import Answer, Catalogs

V1 = {"ledger/catalog.yaml": LEDGER}
V2 = {"ledger/catalog.yaml": LEDGER.replace(b"1.0.0", b"1.1.0")}
SUCCEEDED = "Successfully unpacked and stored content from resolved source"
SERVING = "Serving desired content from resolved source"
UNSET = "Catalog availability mode is set to Unavailable"
FINALIZER = "olm.operatorframework.io/delete-server-cache"


def test_catalog_is_served_and_says_so(catalogs: Catalogs) -> None:
    ref = catalogs.push("v1", V1)
    catalogs.apply(minutes=15)
    catalogs.wait_serving(ref)
    catalog, address = catalogs.get(), catalogs.component.flags["external-address"]
    assert catalogs.read().body == b"".join(lines_of(LEDGER))
    assert catalogs.condition("Progressing") == ("True", "Succeeded", SUCCEEDED)
    assert catalogs.condition("Serving") == ("True", "Available", SERVING)
    assert catalog["status"]["urls"] == {"base": f"https://{address}/catalogs/{catalogs.name}"}
    assert catalog["status"]["resolvedSource"] == {"type": "Image", "image": {"ref": ref}}
    assert {c["observedGeneration"] for c in catalog["status"]["conditions"]} == {1}
    assert catalog["metadata"]["finalizers"] == [FINALIZER]
    assert catalog["metadata"]["labels"] == {"olm.operatorframework.io/metadata.name": catalogs.name}


def test_metas_are_served(catalogs: Catalogs) -> None:
    catalogs.push("v1", V1)
    catalogs.apply()
    catalogs.wait_serving()
    assert [blob["name"] for blob in catalogs.blobs("api/v1/metas?package=ledger")] == ["stable", "ledger.v1.0.0"]


def test_catalog_takes_three_writes_to_serve_and_none_at_rest(catalogs: Catalogs) -> None:
    catalogs.push("v1", V1)
    catalogs.apply()
    catalogs.wait_serving()
    wanted = ["patch", "update /status", "update /status"]
    wait_for(lambda: catalogs.writes() == wanted, f"the writes {wanted}, not {catalogs.writes()}", timeout_s=5)


def test_an_unchanged_digest_is_neither_fetched_nor_written_again(catalogs: Catalogs) -> None:
    catalogs.push("v1", V1)
    catalogs.apply()
    catalogs.wait_serving()
    before, mark = catalogs.get()["status"], catalogs.cluster.audit.position()
    with catalogs.cluster.registry.away():
        catalogs.poll_now("while the registry is away")
        message = catalogs.wait("Progressing", "Retrying")
    assert message.startswith("source catalog content: error creating image source: ")
    catalogs.wait("Progressing", "Succeeded", timeout_s=60)
    catalogs.poll_now("again")
    assert catalogs.get()["status"]["lastUnpacked"] == before["lastUnpacked"]
    assert set(catalogs.writes(since=mark)) == {"update /status"}
    assert catalogs.read().status == 200


def test_a_new_image_under_the_same_tag_is_served_after_a_poll(catalogs: Catalogs) -> None:
    catalogs.push("v1", V1)
    catalogs.apply()
    catalogs.wait_serving()
    tag = catalogs.read().headers["ETag"]
    ref = catalogs.push("v1", V2)
    catalogs.poll_now("1")
    catalogs.wait_serving(ref)
    assert catalogs.read().body == b"".join(lines_of(V2["ledger/catalog.yaml"]))
    assert catalogs.read(If_None_Match=tag).status == 200
    found = ("Succeeded", f"serving {ref}: 1 package, 1 bundle")
    wait_for(lambda: found in catalogs.events(), f"the event {found}", timeout_s=10)


def test_another_reference_in_the_spec_is_followed(catalogs: Catalogs) -> None:
    catalogs.push("v1", V1)
    catalogs.apply("v1")
    catalogs.wait_serving()
    ref = catalogs.push("v2", V2)
    catalogs.apply(ref)
    catalogs.wait_serving(ref)
    assert {c["observedGeneration"] for c in catalogs.status()["conditions"]} == {2}


def test_catalog_that_is_set_unavailable_is_withdrawn_until_it_is_available_again(catalogs: Catalogs) -> None:
    catalogs.push("v1", V1)
    catalogs.apply()
    catalogs.wait_serving()
    catalogs.apply(availabilityMode="Unavailable")
    assert catalogs.wait("Serving", "UserSpecifiedUnavailable") == UNSET
    assert catalogs.condition("Progressing") == ("True", "Succeeded", UNSET)
    assert catalogs.read().status == 404
    assert set(catalogs.status()) == {"conditions"}
    wait_for(lambda: not catalogs.get()["metadata"].get("finalizers"), "the finalizer to go", timeout_s=5)
    catalogs.apply(availabilityMode="Available")
    catalogs.wait_serving()
    assert catalogs.read().status == 200


def test_deletion_removes_content_and_waits_for_nothing(catalogs: Catalogs) -> None:
    catalogs.push("v1", V1)
    catalogs.apply()
    catalogs.wait_serving()
    folder = Path(catalogs.component.flags["cache-dir"] or "") / "catalogs" / catalogs.name
    assert folder.is_dir()
    catalogs.kubectl.delete("clustercatalog", catalogs.name)
    assert catalogs.read().status == 404
    wait_for(lambda: not folder.exists(), f"{folder} to go", timeout_s=5)


def test_catalog_is_served_again_after_a_kill_while_registry_is_away(catalogs: Catalogs) -> None:
    catalogs.push("v1", V1)
    catalogs.apply()
    catalogs.wait_serving()
    before = catalogs.read()
    with catalogs.cluster.registry.away():
        catalogs.component.restart()
        after = wait_for(lambda: _good(catalogs), "content after the restart", timeout_s=2)
        assert after.body == before.body
        assert after.headers["ETag"] == before.headers["ETag"]
    assert catalogs.condition("Serving") == ("True", "Available", SERVING)


def test_content_that_is_lost_is_told_and_fetched_again(catalogs: Catalogs) -> None:
    catalogs.push("v1", V1)
    catalogs.apply()
    catalogs.wait_serving()
    catalogs.component.stop()
    pointer = Path(catalogs.component.flags["cache-dir"] or "") / "catalogs" / catalogs.name / "current"
    pointer.unlink()
    with catalogs.cluster.registry.away():
        catalogs.component.start().wait_ready()
        message = catalogs.wait("Serving", "Unavailable")
        assert message == "Content of the catalog has not been unpacked yet"
        answer = catalogs.read()
        assert (answer.status, answer.headers["Retry-After"]) == (503, "1")
    catalogs.wait("Serving", "Available", timeout_s=60)
    assert catalogs.read().status == 200


def test_another_replica_serves_what_the_leader_resolved(catalogs: Catalogs, replica: Callable[..., Component]) -> None:
    catalogs.component.stop()
    leader = replica({"leader-elect": "true"})
    ref = catalogs.push("v1", V1)
    catalogs.apply()
    catalogs.wait_serving(ref)
    follower = replica({"leader-elect": "true"})
    wait_for(lambda: catalogs.read(component=follower).status == 200, "the follower to serve", timeout_s=20)
    assert catalogs.read(component=follower).headers["ETag"] == catalogs.read(component=leader).headers["ETag"]
    leader.stop()
    ref = catalogs.push("v1", V2)
    catalogs.poll_now("of the new leader")
    catalogs.wait_serving(ref)
    assert catalogs.read(component=follower).body == b"".join(lines_of(V2["ledger/catalog.yaml"]))


@pytest.mark.data
def test_a_real_catalog_is_read_back_equal(catalogs: Catalogs) -> None:
    for root in sorted(path for path in data_dir("catalogs").iterdir() if path.is_dir()):
        ref = catalogs.push(root.name, catalog_image(root))
        catalogs.apply(ref)
        catalogs.wait_serving(ref)
        files = [(str(path.relative_to(root)), path.read_bytes()) for path in catalog_files(root)]
        wanted = b"".join(blob.json + b"\n" for path, data in files for blob in blobs_of_file(data, path))
        assert catalogs.read().body == wanted


def _good(catalogs: Catalogs) -> Answer | None:
    answer = catalogs.read()
    return answer if answer.status == 200 else None
