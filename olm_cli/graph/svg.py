"""Graphs as one SVG image that needs nothing else: bundles as dots in rows, edges as lines beside them.

Every text comes from a catalog: it is cleaned, cut and escaped before it stands in the image.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from olm_cli.graph.drawing import classes_of, drawing_of, notes_on
from olm_cli.graph.layout import Layout, Place, Route, layout_of
from olm_cli.graph.model import GraphEdge, GraphNode, PackageGraph
from olm_cli.output import cleaned
from operator_controller.resolver import EdgeKind

__all__ = ["svg_of"]

_ROW = 26
_COLUMN = 18
_MARGIN = 16
_HEAD = 40
_RADIUS = 5
_LETTER = 7.3
"""Width of a letter of the font in use, in pixels like all other sizes here."""
_GAP = 24
_LONGEST = 70
"""Letters of a text that are shown; all of them are in the title that appears under a pointer."""
_LEGEND_HEIGHT = 44

_STYLE = """
text{font:12px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#111827}
.title{font-weight:bold;font-size:14px}.version{font-weight:bold}.quiet{fill:#6b7280}.note{fill:#b45309}
.edge{fill:none;stroke:#475569;stroke-width:1.5}.skips{stroke-dasharray:6 3}.skipRange{stroke-dasharray:2 3}
.ignored{stroke:#b91c1c}.band{fill:#f8fafc}
.node{fill:#fff;stroke:#475569;stroke-width:1.5}.reachable{fill:#bbf7d0;stroke:#15803d}
.next{fill:#15803d;stroke:#15803d}.installed{fill:#1d4ed8;stroke:#1d4ed8}.deprecated{stroke:#c2410c;stroke-width:2.5}
.skipped,.missing{stroke-dasharray:2 2}
""".strip()


def svg_of(graphs: Sequence[PackageGraph]) -> Iterator[str]:
    """The parts of one image with `graphs` below each other."""
    panels = [_Panel.of(graph) for graph in graphs]
    width = max((panel.width for panel in panels), default=0)
    height = sum(panel.height for panel in panels) + _LEGEND_HEIGHT
    size = f'width="{width:.0f}" height="{height}" viewBox="0 0 {width:.0f} {height}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">\n'
    yield f"<style>{escape(_STYLE)}</style>\n"
    yield _ARROWS
    yield f'<rect width="{width:.0f}" height="{height}" fill="#fff"/>\n'
    top = 0
    for panel in panels:
        yield f'<g transform="translate(0 {top})">\n'
        yield from panel.draw(width)
        yield "</g>\n"
        top += panel.height
    yield from _legend(top)
    yield "</svg>\n"


_ARROWS = (
    "<defs>"
    + "".join(
        f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto">'
        f'<path d="M0 0L8 4L0 8z" fill="{colour}"/></marker>'
        for name, colour in (("seen", "#475569"), ("unseen", "#b91c1c"))
    )
    + "</defs>\n"
)


@dataclass(frozen=True, slots=True)
class _Row:
    node: GraphNode
    cells: tuple[str, str, str, str]
    """Version, channels, bundle, notes: as shown."""


@dataclass(frozen=True, slots=True)
class _Panel:
    """One graph, measured."""

    graph: PackageGraph
    rows: tuple[_Row, ...]
    layout: Layout
    columns: tuple[float, ...]
    """Where the columns of text begin; the last one is where the image ends."""

    @classmethod
    def of(cls, graph: PackageGraph) -> _Panel:
        """The panel of a graph."""
        drawing = drawing_of(graph)
        layout = layout_of(drawing)
        rows = tuple(_Row(node, _cells(node, graph)) for node in drawing.nodes)
        columns = [_MARGIN * 2.0 + layout.columns * _COLUMN]
        for number in range(4):
            longest = max((len(row.cells[number]) for row in rows), default=0)
            columns.append(columns[-1] + longest * _LETTER + _GAP * bool(longest))
        return cls(graph, rows, layout, tuple(columns))

    @property
    def width(self) -> float:
        """How wide it is."""
        title = len(_short(self.graph.title)) * _LETTER * 1.2
        return max(self.columns[-1], title, _LEGEND_WIDTH) + _MARGIN

    @property
    def height(self) -> int:
        """How high it is."""
        return _HEAD + len(self.rows) * _ROW + _MARGIN

    def draw(self, width: float) -> Iterator[str]:
        """Its elements, from its upper left corner."""
        yield _text(_MARGIN, 24, "title", self.graph.title)
        for number in range(0, len(self.rows), 2):
            yield f'<rect class="band" y="{_HEAD + number * _ROW}" width="{width:.0f}" height="{_ROW}"/>\n'
        for route in self.layout.routes:
            yield _line(route)
        for row in self.rows:
            yield from self._row(row)

    def _row(self, row: _Row) -> Iterator[str]:
        place = self.layout.places[row.node.name]
        x, y = _position(place)
        classes = " ".join(("node", *classes_of(row.node)))
        yield f'<circle class="{classes}" cx="{x}" cy="{y}" r="{_RADIUS}">{_tip(row.node.name)}</circle>\n'
        tone = " quiet" if row.node.is_skipped or row.node.is_missing else ""
        for text, left, kind in zip(row.cells, self.columns, ("version", "", "quiet", "note"), strict=False):
            if text:
                yield _text(left, y + 4, f"{kind}{tone}".strip(), text)


def _cells(node: GraphNode, graph: PackageGraph) -> tuple[str, str, str, str]:
    notes = ", ".join(notes_on(node, graph))
    return _short(node.version or "?"), _short(", ".join(node.channels)), _short(node.name), _short(notes)


def _short(text: str) -> str:
    clean = cleaned(text)
    return clean if len(clean) <= _LONGEST else f"{clean[: _LONGEST - 1]}…"


def _text(x: float, y: float, kind: str, text: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" class="{kind}">{escape(_short(text))}</text>\n'


def _tip(text: str) -> str:
    return f"<title>{escape(cleaned(text))}</title>"


def _position(place: Place) -> tuple[int, int]:
    return _MARGIN + place.column * _COLUMN + _COLUMN // 2, _HEAD + place.row * _ROW + _ROW // 2


def _line(route: Route) -> str:
    edge = route.edge
    ignored, arrow = (" ignored", "unseen") if edge.is_ignored else ("", "seen")
    kind = f"edge {edge.kind.value}{ignored}"
    return f'<path class="{kind}" d="{_path(route)}" marker-end="url(#{arrow})">{_tip(_words(edge))}</path>\n'


def _words(edge: GraphEdge) -> str:
    how = f'skipRange "{edge.text}"' if edge.text else edge.kind.value
    text = f"{edge.source} → {edge.target}: {how} in {', '.join(edge.channels)}"
    return f"{text}; OLM Classic ignores it" if edge.is_ignored else text


def _path(route: Route) -> str:
    """From dot to dot: straight where nothing is between, else by the column of the route."""
    (x1, y1), (x2, y2) = _position(route.source), _position(route.target)
    lane = _MARGIN + route.column * _COLUMN + _COLUMN // 2
    step = _ROW if y2 > y1 else -_ROW
    end = y2 - (_RADIUS + 1 if step > 0 else -_RADIUS - 1)
    if x1 == x2 == lane:
        return f"M{x1} {y1}L{x2} {end}"
    if abs(y1 - y2) <= _ROW:
        return f"M{x1} {y1}C{x1} {y1 + step // 2} {x2} {y1 + step // 2} {x2} {end}"
    into = f"C{x1} {y1 + step // 2} {lane} {y1 + step // 2} {lane} {y1 + step}"
    return f"M{x1} {y1}{into}L{lane} {y2 - step}C{lane} {y2 - step // 2} {x2} {y2 - step // 2} {x2} {end}"


_LEGEND = (
    ("installed", "installed"),
    ("next", "next upgrade"),
    ("reachable", "reachable"),
    ("deprecated", "deprecated"),
    ("skipped", "skipped"),
)
_LINES = (
    (EdgeKind.REPLACES.value, "replaces"),
    (EdgeKind.SKIPS.value, "skips"),
    (EdgeKind.SKIP_RANGE.value, "skipRange"),
    (f"{EdgeKind.REPLACES.value} ignored", "ignored by OLM Classic"),
)
_LEGEND_STEP = 130
_LEGEND_WIDTH = _MARGIN + _LEGEND_STEP * len(_LEGEND)


def _legend(top: int) -> Iterator[str]:
    for number, (kind, text) in enumerate(_LEGEND):
        x = _MARGIN + number * _LEGEND_STEP
        yield f'<circle class="node {kind}" cx="{x + _RADIUS}" cy="{top + 8}" r="{_RADIUS}"/>\n'
        yield _text(x + 18, top + 12, "quiet", text)
    for number, (kind, text) in enumerate(_LINES):
        x = _MARGIN + number * _LEGEND_STEP
        yield f'<path class="edge {kind}" d="M{x} {top + 30}h24"/>\n'
        yield _text(x + 32, top + 34, "quiet", text)
