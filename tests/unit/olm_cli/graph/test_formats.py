"""Every format on the same graphs: what stands in them, and that no text of a catalog gets out of its place."""

from __future__ import annotations

import re
import time
from xml.etree import ElementTree

import pytest

from olm_cli.graph import PackageGraph, dot_of, graph_document, mermaid_of, svg_of
from olmv1.fbc import Bundle, Channel, Entry, Package
from tests.graphs import a_graph, lines_of
from tests.packages import a_bundle, a_deprecation, a_package

HOSTILE = '"]</svg><script>\\"\x1b[31m\n%%{init}%%\N{RIGHT-TO-LEFT OVERRIDE}#quot;--> \udc80 & `'
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def graph() -> PackageGraph:
    """C2 of the specification, with a deprecation and another channel."""
    stable = ["0.9.2 (R 0.9.0; S 0.9.1)", "0.9.1 (R 0.9.0)", "0.9.0"]
    gone = [a_deprecation("olm.bundle", "p.v0.9.0", "too old")]
    package = a_package(
        ["0.9.0", "0.9.1", "0.9.2", "1.0.0"], {"stable": stable, "next": ["1.0.0 (SR <1.0.0)"]}, deprecations=gone
    )
    return a_graph(package, installed="0.9.0")


def a_hostile_graph() -> PackageGraph:
    entries = (Entry(HOSTILE, "p.v1.0.0", skip_range="<2.0.0 || >9.0.0"), Entry("p.v1.0.0", HOSTILE, (HOSTILE,)))
    gone = [a_deprecation(schema, name, HOSTILE) for schema, name in (("olm.package", ""), ("olm.bundle", HOSTILE))]
    bundles: tuple[Bundle, ...] = (a_bundle("1.0.0"), Bundle(HOSTILE, HOSTILE, HOSTILE))
    return a_graph(Package(HOSTILE, HOSTILE, (Channel(HOSTILE, HOSTILE, entries),), bundles, tuple(gone)))


def test_text_is_a_table_with_remarks(graph: PackageGraph) -> None:
    assert lines_of(graph) == [
        "p in catalog cat",
        "installed:   p.v0.9.0",
        "next:        p.v1.0.0",
        "",
        "    VERSION   CHANNELS   UPGRADES FROM          BUNDLE     NOTES",
        '◉   1.0.0     next       "<1.0.0" (3 bundles)   p.v1.0.0   next',
        "○   0.9.2     stable     0.9.0, skips 0.9.1     p.v0.9.2   reachable",
        "○   0.9.1     stable     0.9.0!                 p.v0.9.1   reachable, skipped",
        "●   0.9.0     stable                            p.v0.9.0   installed, deprecated",
        "",
        "● installed   ◉ the next upgrade   ○ reachable, one upgrade after the other",
        "! OLM Classic ignores this edge: it follows one chain of replaces, and a skipRange of its head only",
        "bundle p.v0.9.0 deprecated: too old",
    ]


def test_text_says_what_is_wrong() -> None:
    many = [f"0.{minor}.0" for minor in range(6)]
    gone = [a_deprecation("olm.package"), a_deprecation("olm.channel", "a")]
    entries = [f"1.0.0 (R 0.9.0; S {' '.join(many)})", "2.0.0 (SR <v3)"]
    lines = lines_of(a_graph(a_package(["1.0.0", "2.0.0"], {"a": entries}, deprecations=gone), installed="2.0.0"))
    assert [line.split("   ")[-1].strip() for line in lines[1:3]] == ["p.v2.0.0", "nothing better to go to"]
    assert "0.9.0!, skips 0.5.0! 0.4.0! 0.3.0! 0.2.0! and 2 more" in lines[6]
    assert lines[9:13] == [
        "! OLM Classic ignores this edge: it follows one chain of replaces, and a skipRange of its head only",
        "edges start at 7 more names that the catalog does not have",
        "package deprecated: gone soon",
        "channel a deprecated: gone soon",
    ]
    assert lines[13].startswith(
        "OLM Classic refuses channel a: a unique replacement chain within a channel is required"
    )
    assert lines[14].startswith("bundle p.v2.0.0 in a: skipRange ignored: ")


def test_document_has_every_edge(graph: PackageGraph) -> None:
    document = graph_document(graph)
    assert (document["installed"], document["next"], len(document["edges"])) == ("p.v0.9.0", "p.v1.0.0", 6)
    assert document["channels"][1] == {
        "name": "stable",
        "isDefault": False,
        "deprecated": [],
        "classicChain": ["p.v0.9.2", "p.v0.9.0"],
        "classicProblem": None,
    }
    assert document["edges"][0] == {
        "from": "p.v0.9.2",
        "to": "p.v1.0.0",
        "kind": "skipRange",
        "skipRange": "<1.0.0",
        "channels": ["next"],
        "classicIgnoresIn": [],
    }


def test_dot_marks_bundles_and_edges(graph: PackageGraph) -> None:
    lines = [line.strip() for line in dot_of([graph])]
    installed = 'c0n3 [label="0.9.0\\nstable\\ninstalled, deprecated", tooltip="p.v0.9.0", fillcolor=lightskyblue, '
    assert f"{installed}penwidth=2, color=darkorange];" in lines
    ignored = 'label="stable", color=firebrick, tooltip="ignored by OLM Classic"'
    assert f"c0n3 -> c0n2 [style=solid, {ignored}];" in lines
    assert 'c0n2 -> c0n1 [style=dashed, label="stable", weight=0];' in lines
    assert 'c0n1 -> c0n0 [style=dotted, label="<1.0.0; next", constraint=false];' in lines


def test_dot_ends_no_quotes_within_a_name() -> None:
    text = "".join(dot_of([a_hostile_graph()]))
    outside = re.sub(r'"(?:[^"\\]|\\.)*"', "", text)
    assert "script" not in outside
    assert '"' not in outside
    assert text.isprintable() is False
    assert text.replace("\n", "").isprintable()


def test_mermaid_marks_bundles_and_edges(graph: PackageGraph) -> None:
    lines = [line.strip() for line in mermaid_of([graph, graph])]
    assert lines[:4] == [
        "flowchart BT",
        'subgraph c0["p in catalog cat"]',
        'c0n0["1.0.0<br/>next<br/>next"]',
        "class c0n0 next",
    ]
    assert 'c0n1 -. "#60;1.0.0" .-> c0n0' in lines
    assert 'c1n2 -. "skips" .-> c1n1' in lines
    assert lines[-1] == "linkStyle 4,9 stroke:#b91c1c"
    assert lines.count("end") == 2


def test_mermaid_holds_only_harmless_letters_inside_of_quotes() -> None:
    text = "".join(mermaid_of([a_hostile_graph()]))
    labels = re.findall(r'"([^"]*)"', text)
    assert len(labels) == text.count('"') / 2
    assert all(re.fullmatch(r"(?:[A-Za-z0-9 ._+:/()=,*~-]|#\d+;|<br/>)*", label) for label in labels)
    assert "script" not in re.sub(r'"[^"]*"', "", text)


def test_svg_has_a_dot_for_each_bundle_and_a_line_for_each_edge(graph: PackageGraph) -> None:
    root = ElementTree.fromstring("".join(svg_of([graph, graph])))
    panels = root.findall(f"{SVG}g")
    assert [len(panel.findall(f"{SVG}circle")) for panel in panels] == [4, 4]
    dots = [(dot.get("class"), dot.findtext(f"{SVG}title")) for dot in panels[0].findall(f"{SVG}circle")]
    assert dots == [
        ("node next", "p.v1.0.0"),
        ("node reachable", "p.v0.9.2"),
        ("node reachable skipped", "p.v0.9.1"),
        ("node installed deprecated", "p.v0.9.0"),
    ]
    lines = [(line.get("class"), line.findtext(f"{SVG}title")) for line in panels[0].findall(f"{SVG}path")]
    assert ("edge skips", "p.v0.9.1 → p.v0.9.2: skips in stable") in lines
    assert (
        "edge replaces ignored",
        "p.v0.9.0 → p.v0.9.1: replaces in stable; OLM Classic ignores it",
    ) in lines
    assert ("edge skipRange", 'p.v0.9.2 → p.v1.0.0: skipRange "<1.0.0" in next') in lines


def test_svg_is_well_formed_whatever_the_names_are() -> None:
    text = "".join(svg_of([a_hostile_graph()]))
    root = ElementTree.fromstring(text.encode())
    assert {element.tag.removeprefix(SVG) for element in root.iter()} == {
        *("svg", "style", "defs", "marker", "path", "rect", "g", "text", "circle", "title"),
    }
    assert text.replace("\n", "").isprintable()


def test_svg_of_nothing_is_an_image() -> None:
    assert ElementTree.fromstring("".join(svg_of([]))).get("height") == "44"
    assert ElementTree.fromstring("".join(svg_of([a_graph(a_package([]))]))).get("height") == "100"


def test_formats_are_quick_for_large_channels() -> None:
    versions = [f"1.{number}.0" for number in range(300)]
    entries = [
        f"1.{number}.0 (R 1.{number - 1}.0; S {' '.join(versions[: number - 1]) or '0.1.0'}; SR <1.{number}.0)"
        for number in range(1, 300)
    ]
    began = time.process_time()
    graph = a_graph(a_package(versions, {"a": [*entries, "1.0.0"]}), installed="1.0.0")
    for make in (svg_of, dot_of, mermaid_of):
        assert len("".join(make([graph]))) > 100_000
    assert time.process_time() - began < 20
