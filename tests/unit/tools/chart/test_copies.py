"""What the chart carries of `config/` is what is there."""

from __future__ import annotations

from tools.chart.copies import CHART, PROJECT, copies


def test_chart_carries_the_files_of_config_as_they_are() -> None:
    wanted = copies()
    assert set((CHART / "files").glob("*/*.yaml")) == set(wanted), "make manifests"
    assert [str(path) for path, content in wanted.items() if path.read_bytes() != content] == [], "make manifests"


def test_chart_leaves_out_only_what_it_makes_itself_or_administrators_choose() -> None:
    carried = {path.relative_to(CHART / "files") for path in copies()}
    folders = {path.parts[0] for path in carried}
    present = {
        path.relative_to(PROJECT / "config")
        for folder in folders
        for path in (PROJECT / "config" / folder).glob("*.yaml")
    }
    assert {str(path) for path in present - carried} == {"rbac/service-accounts.yaml"}
