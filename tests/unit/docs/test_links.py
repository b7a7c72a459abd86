"""Every link of the pages leads somewhere: files are there, and headings that are named exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.documents import ROOT

FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^()\s]+)\)")
LEFT_OUT = {".venv", ".tools", "build", "node_modules", ".git"}
PAGES = sorted(path for path in ROOT.rglob("*.md") if not LEFT_OUT.intersection(path.relative_to(ROOT).parts[:-1]))


def prose(page: Path) -> str:
    """The text of a page without blocks of code."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> Iterator[str]:
    """The anchors of the headings of a page, as Markdown renderers make them."""
    for heading in re.findall(r"^#+ +(.+)$", prose(page), re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        yield re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", plain).strip())


def broken(page: Path) -> Iterator[str]:
    """The links of a page that lead nowhere; other hosts are not asked."""
    for link in LINK.findall(re.sub(r"`[^`\n]*`", "", prose(page))):
        if "://" in link or link.startswith("mailto:"):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name) if name else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            yield link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    assert list(broken(page)) == []


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "there.md").write_text("# A `Title`, of 2\n")
    page = tmp_path / "page.md"
    page.write_text(
        "[a](there.md) [b](there.md#a-title-of-2) [c](gone.md) [d](there.md#b) [e](#x)\n```\n[f](gone)\n```\n"
    )
    assert list(broken(page)) == ["gone.md", "there.md#b", "#x"]


def test_index_names_every_page() -> None:
    folder = ROOT / "docs"
    listed = {link.partition("#")[0] for link in LINK.findall((folder / "README.md").read_text(encoding="utf-8"))}
    assert {page.name for page in folder.glob("*.md")} - {"README.md"} <= listed
