from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.answering_server import Reply, answering_server, write_kubeconfig
from tests.data import data_dir
from tests.olm_command import LIGHTS, Said, a_blob, olm, write_catalog


def a_package(name: str, *entries: dict[str, Any], said: dict[str, Any] | None = None) -> list[dict[str, Any]]:
    """A package with one bundle, which says `said` about itself, and these deprecations."""
    bundle = a_blob("olm.bundle", f"{name}.v1.0.0", name)
    bundle["properties"].append({"type": "olm.csv.metadata", "value": said or {}})
    blobs = [
        a_blob("olm.package", name, defaultChannel="stable"),
        a_blob("olm.channel", "stable", name, entries=[{"name": f"{name}.v1.0.0"}]),
        bundle,
    ]
    return [*blobs, a_blob("olm.deprecations", "", name, entries=entries)] if entries else blobs


def a_deprecation(schema: str, name: str, message: str) -> dict[str, Any]:
    reference = {"schema": schema, **({"name": name} if name else {})}
    return {"reference": reference, "message": message}


@pytest.fixture
def catalog(tmp_path: Path) -> str:
    gone = (
        a_deprecation("olm.package", "", "use torch"),
        a_deprecation("olm.channel", "stable", "use fast"),
        a_deprecation("olm.bundle", "lamp.v1.0.0", "broken"),
    )
    lamp = a_package("lamp", *gone, said={"keywords": ["light"], "description": "# Lamp\n\nGives light. And more."})
    torch = a_package("torch", said={"keywords": ["light"], "annotations": {"description": "x" * 99}})
    return write_catalog(tmp_path / "cat", *lamp, *torch, *a_package("water", said={"description": "no lamp"}))


def test_search_lists_the_best_first_and_says_what_is_deprecated(catalog: str) -> None:
    assert olm("catalog", "search", "Light", "--catalog", catalog) == Said(
        0,
        "PACKAGE   CATALOG   NEWEST   FOUND IN        DESCRIPTION" + " " * 52 + "NOTES\n"
        f"torch     cat       1.0.0    keyword light   {'x' * 59}…\n"
        f"lamp      cat       1.0.0    keyword light   Lamp{' ' * 59}deprecated\n"
        "\n"
        "lamp: deprecated package: use torch\n"
        "lamp: deprecated channel stable: use fast\n"
        "lamp: deprecated bundle lamp.v1.0.0: broken\n",
    )


def test_search_as_json_says_where_it_was_found(catalog: str) -> None:
    found = olm("catalog", "search", "lamp", "--catalog", catalog, "-o", "json").json
    assert [(each["package"], each["score"], each["matches"]) for each in found] == [
        ("lamp", 100, ["name"]),
        ("water", 5, ["description"]),
    ]
    assert found[0]["newest"] == {"bundle": "lamp.v1.0.0", "version": "1.0.0"}


def test_search_wants_every_word(catalog: str) -> None:
    found = olm("catalog", "search", "lamp no", "--catalog", catalog, "-o", "json").json
    assert [each["package"] for each in found] == ["water"]


def test_search_that_finds_nothing_suggests_a_name(catalog: str) -> None:
    said = olm("catalog", "search", "torhc", "--catalog", catalog)
    assert said == Said(1, "", 'error: no package has to do with "torhc"; did you mean "torch"?\n')


def test_search_wants_words(catalog: str) -> None:
    said = olm("catalog", "search", " ", "--catalog", catalog)
    assert said == Said(2, "", "error: which words? name them: olm catalog search TEXT\n")


def test_search_finds_packages_without_bundles(tmp_path: Path) -> None:
    path = write_catalog(tmp_path / "cat", a_blob("olm.package", "lamp", description="Gives light"))
    assert olm("catalog", "search", "light", "--catalog", path, "-o", "json").json[0]["newest"] is None
    assert "Gives light" in olm("catalog", "search", "light", "--catalog", path).out


def test_search_reads_catalogs_of_the_cluster_whole(catalog: str, tmp_path: Path) -> None:
    with answering_server() as server:
        item = {
            "metadata": {"name": "lights"},
            "status": {
                "conditions": [{"type": "Serving", "status": "True"}],
                "urls": {"base": f"{server.url}/catalogs/lights"},
            },
        }
        down = {"metadata": {"name": "down"}, "status": {"conditions": [{"type": "Serving", "status": "False"}]}}
        listing = {"metadata": {"resourceVersion": "1"}, "items": [item, down]}
        server.replies["/apis/olm.operatorframework.io/v1/clustercatalogs"] = Reply(listing)
        lines = Path(catalog, "catalog.json").read_text().replace("\n ", " ").replace("\n}", "}")
        server.replies["/catalogs/lights/api/v1/all"] = Reply(lines.encode(), headers={"ETag": '"1"'})
        kubeconfig = write_kubeconfig(tmp_path / "kubeconfig", server.url)
        said = olm("catalog", "search", "torch", "--kubeconfig", kubeconfig, "-o", "json")
        none = olm("catalog", "search", "x y z", "--kubeconfig", kubeconfig)
    warning = 'warning: catalog "down" is not being served\n'
    assert (said.json[0]["catalog"], said.err) == ("lights", warning)
    error = 'error: no package has to do with "x y z" in the catalogs that could be read\n'
    assert none == Said(3, "", warning + error)


def test_search_finds_the_sample() -> None:
    assert olm("catalog", "search", "lantern", "--catalog", LIGHTS).code == 0


@pytest.mark.data
def test_search_finds_who_provides_a_kind() -> None:
    path = str(data_dir("catalogs", "certified-v4.19"))
    found = olm("catalog", "search", "postgrescluster", "--catalog", path, "-o", "json").json
    assert (found[0]["package"], found[0]["matches"]) == ("crunchy-postgres-operator", ["provides PostgresCluster"])
    names = [each["package"] for each in olm("catalog", "search", "postgres", "--catalog", path, "-o", "json").json]
    assert names[0] == "crunchy-postgres-operator"
