from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.data import data_dir
from tests.olm_command import LIGHTS, Said, a_blob, olm, write_catalog

NAME = "lantern-operator"


def test_graph_marks_where_upgrades_lead() -> None:
    assert olm("catalog", "graph", NAME, "--catalog", LIGHTS, "--from", "1.0.1", "--channel", "stable-v1") == Said(
        0,
        "lantern-operator in catalog lights-2\n"
        "installed:   lantern-operator.v1.0.1\n"
        "next:        lantern-operator.v1.2.0\n"
        "\n"
        "    VERSION   CHANNELS     UPGRADES FROM        BUNDLE                    NOTES\n"
        "◉   1.2.0     stable-v1*   1.0.1, skips 1.1.0   lantern-operator.v1.2.0   next\n"
        "○   1.1.0     stable-v1*   1.0.1!               lantern-operator.v1.1.0   reachable, skipped\n"
        "●   1.0.1     stable-v1*   1.0.0                lantern-operator.v1.0.1   installed\n"
        "    1.0.0     stable-v1*                        lantern-operator.v1.0.0   deprecated\n"
        "\n"
        "● installed   ◉ the next upgrade   ○ reachable, one upgrade after the other   * the default channel\n"
        "! OLM Classic ignores this edge: it follows one chain of replaces, and a skipRange of its head only\n"
        "bundle lantern-operator.v1.0.0 deprecated: lantern-operator.v1.0.0 restarts too often; use 1.0.1 or later.\n",
    )


def test_graph_without_a_start_marks_nothing_as_reachable() -> None:
    said = olm("catalog", "graph", NAME, "--catalog", LIGHTS)
    assert said.out.splitlines()[2].split() == ["VERSION", "CHANNELS", "UPGRADES", "FROM", "BUNDLE", "NOTES"]
    assert (said.code, "reachable" in said.out) == (0, False)


@pytest.mark.parametrize(
    ("form", "start"),
    [
        ("dot", "digraph upgrades {\n"),
        ("mermaid", "flowchart BT\n"),
        ("svg", "<svg xmlns="),
        ("yaml", "- package: lan"),
    ],
)
def test_graph_is_printed_in_every_form(form: str, start: str) -> None:
    said = olm("catalog", "graph", NAME, "--catalog", LIGHTS, "-o", form)
    assert (said.code, said.err, said.out.startswith(start)) == (0, "", True)


def test_graph_of_every_catalog_that_has_the_package(tmp_path: Path) -> None:
    channel = a_blob("olm.channel", "new", NAME, entries=[{"name": f"{NAME}.v3.0.0"}])
    other = write_catalog(
        tmp_path / "cat", a_blob("olm.package", NAME), channel, a_blob("olm.bundle", f"{NAME}.v3.0.0", NAME)
    )
    both = ("--catalog", LIGHTS, "--catalog", other, "-o", "json")
    assert [each["catalog"] for each in olm("catalog", "graph", NAME, *both).json] == ["lights-2", "cat"]
    found = olm("catalog", "graph", NAME, *both, "--channel", "new", "--from", "2.0.0").json
    assert [(each["catalog"], each["installed"], each["next"]) for each in found] == [("cat", f"{NAME}.v2.0.0", None)]


def test_graph_suggests_a_channel_when_the_name_is_unknown() -> None:
    said = olm("catalog", "graph", NAME, "--catalog", LIGHTS, "--channel", "stable")
    error = f'package "{NAME}" has no channel "stable"; did you mean "stable-v1" or "stable-v2"?'
    assert said == Said(1, "", f"error: {error}\n")


def test_graph_names_its_own_option_when_the_start_is_no_version() -> None:
    said = olm("catalog", "graph", NAME, "--catalog", LIGHTS, "--from", "7")
    assert (said.code, said.err.partition(":")[2].startswith(" --from 7: expected a version")) == (2, True)


@pytest.mark.data
def test_graph_of_a_large_channel_is_an_image() -> None:
    catalog = str(data_dir("catalogs", "certified-v4.19"))
    said = olm("catalog", "graph", "scaleops-operator", "--catalog", catalog, "--from", "1.25.0", "-o", "svg")
    [panel] = ElementTree.fromstring(said.out).findall("{http://www.w3.org/2000/svg}g")
    assert len(panel.findall("{http://www.w3.org/2000/svg}circle")) >= 82


@pytest.mark.data
def test_graph_agrees_with_resolve() -> None:
    catalog = ("--catalog", str(data_dir("catalogs", "certified-v4.19")))
    [graph] = olm("catalog", "graph", "crunchy-postgres-operator", *catalog, "--from", "5.6.0", "-o", "json").json
    found = olm("resolve", "crunchy-postgres-operator", *catalog, "--installed", "5.6.0", "-o", "json").json
    assert graph["next"] == found["bundle"]
