"""What a ClusterCatalog says when its image cannot be served, and what heals it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from devcluster.components import Component
from devcluster.images import CATALOG_LABEL, image_of
from devcluster.waiting import wait_for
from tests.contents import LEDGER

if TYPE_CHECKING:
    from tests.api.catalogd.conftest import Catalogs

GOOD = {"ledger/catalog.yaml": LEDGER}
NOT_YET = ("False", "Unavailable", "Content of the catalog has not been unpacked yet")


def test_a_registry_that_does_not_answer_is_retried(catalogs: Catalogs) -> None:
    catalogs.push("v1", GOOD)
    with catalogs.cluster.registry.away():
        catalogs.apply()
        message = catalogs.wait("Progressing", "Retrying")
        assert message.startswith("source catalog content: error creating image source: ")
        assert catalogs.cluster.registry.host in message
        assert catalogs.condition("Serving") == NOT_YET
    catalogs.wait_serving()


def test_a_catalog_that_fails_again_and_again_is_not_written_again(catalogs: Catalogs) -> None:
    catalogs.apply("missing")
    catalogs.wait("Progressing", "Retrying")
    wait_for(lambda: any("(try 4," in note for _, note in catalogs.events()), "the fourth try", timeout_s=40)
    assert catalogs.writes() == ["patch", "update /status", "update /status"]


def test_a_tag_that_does_not_exist_is_retried(catalogs: Catalogs) -> None:
    catalogs.apply("missing")
    message = catalogs.wait("Progressing", "Retrying")
    assert message.startswith("source catalog content: error creating image source: ")
    assert "404" in message
    wait_for(lambda: any("the next one in" in note for _, note in catalogs.events()), "an event", timeout_s=10)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"ledger/catalog.yaml": LEDGER, "bad.yaml": b"{}\n---\n- not an object\n"},
            "error storing fbc: error walking FBC root: bad.yaml, document 2: expected an object, found list",
        ),
        (
            {"notes.yaml": b"schema: custom.note\n"},
            "error storing fbc: the catalog holds no package: 1 blob, none of schema olm.package",
        ),
    ],
)
def test_content_that_cannot_be_served_is_blocked_and_heals_with_a_new_image(
    catalogs: Catalogs, files: dict[str, bytes], message: str
) -> None:
    catalogs.push("v1", files)
    catalogs.apply()
    assert catalogs.wait("Progressing", "Blocked") == message
    assert catalogs.condition("Progressing")[0] == "False"
    assert catalogs.condition("Serving") == NOT_YET
    ref = catalogs.push("v1", GOOD)
    catalogs.poll_now("1")
    catalogs.wait_serving(ref)


def test_an_image_without_the_label_is_blocked(catalogs: Catalogs) -> None:
    ref = catalogs.push("v1", image_of({"configs/catalog.yaml": LEDGER}))
    catalogs.apply(ref)
    assert catalogs.wait("Progressing", "Blocked") == (
        f'source catalog content: error applying image: catalog image is missing the required label "{CATALOG_LABEL}"'
    )


def test_a_reference_that_cannot_be_pulled_is_blocked(catalogs: Catalogs) -> None:
    catalogs.apply(f"{catalogs.cluster.registry.host}/cat@md5:{'0f' * 16}")
    message = catalogs.wait("Progressing", "Blocked")
    assert message.startswith(
        f'source catalog content: error parsing image reference "{catalogs.cluster.registry.host}/'
    )


def test_old_content_is_served_while_a_new_image_is_bad(catalogs: Catalogs) -> None:
    good = catalogs.push("v1", GOOD)
    catalogs.apply()
    catalogs.wait_serving(good)
    catalogs.push("v1", {"bad.yaml": b"- 1\n"})
    catalogs.poll_now("1")
    catalogs.wait("Progressing", "Blocked")
    assert catalogs.condition("Serving")[:2] == ("True", "Available")
    assert catalogs.resolved() == good
    assert catalogs.read().status == 200


def test_a_failing_catalog_disturbs_no_other(catalogs: Catalogs, olm: object, component: Component) -> None:
    other = type(catalogs)(catalogs.cluster, component)
    catalogs.apply("missing")
    catalogs.wait("Progressing", "Retrying")
    other.push("v1", GOOD)
    other.apply()
    other.wait_serving()
    other.kubectl.delete("clustercatalog", other.name)


def test_a_hand_made_status_is_repaired(catalogs: Catalogs) -> None:
    ref = catalogs.push("v1", GOOD)
    catalogs.apply()
    catalogs.wait_serving(ref)
    patch = json.dumps({"status": {"resolvedSource": None, "urls": None}})
    catalogs.kubectl.run(
        "patch", "clustercatalog", catalogs.name, "--subresource=status", "--type=merge", f"--patch={patch}"
    )
    wait_for(lambda: catalogs.resolved() == ref, "the status to be repaired", timeout_s=5)


def test_the_name_label_is_repaired(catalogs: Catalogs) -> None:
    catalogs.push("v1", GOOD)
    catalogs.apply()
    catalogs.wait_serving()
    label = "olm.operatorframework.io/metadata.name"
    catalogs.kubectl.run("label", "clustercatalog", catalogs.name, f"{label}=wrong", "--overwrite")
    wait_for(lambda: catalogs.get()["metadata"]["labels"][label] == catalogs.name, "the label", timeout_s=5)


def test_a_volume_that_cannot_be_written_is_told(catalogs: Catalogs) -> None:
    catalogs.push("v1", GOOD)
    blocker = Path(catalogs.component.flags["cache-dir"] or "") / "catalogs" / catalogs.name
    blocker.write_text("in the way")
    try:
        catalogs.apply()
        message = catalogs.wait("Progressing", "Retrying")
        wanted = f'cannot store content of catalog "{catalogs.name}" in "{blocker}": Not a directory'
        assert message == f"error storing fbc: {wanted}"
    finally:
        blocker.unlink()
    catalogs.wait_serving()


def test_an_unusable_cache_folder_ends_the_process_with_the_reason(
    catalogs: Catalogs, replica: Callable[..., Component], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Exception, match="cannot prepare the cache in"):
        replica({"cache-dir": str(tmp_path / "file")})
