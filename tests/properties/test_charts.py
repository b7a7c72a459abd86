"""Charts from strangers: whatever the files are, only errors of the domain come out."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from olmv1.errors import OlmError
from olmv1.served import Served
from operator_controller.chart import (
    Place,
    capabilities_of,
    parse_chart,
    probe,
    properties_of,
    read_output,
    release_name_of,
    require_fits,
    require_valid,
    require_version,
    still_hold,
)
from operator_controller.chart.archives import packed, unpacked
from tests.charts import a_chart, chart_files, chart_yaml

_QUICK = settings(derandomize=True, deadline=None, max_examples=60)
_SERVED = Served("1.36.3", frozenset({("apps", "v1", "Deployment")}))

_PIECES = st.sampled_from(
    (
        *("apiVersion: v2\n", "name: ", "version: 1\n", "dependencies:", "annotations:", "olm.x", "kind: List\n"),
        *("items:", "metadata:", "helm.sh/hook: test", "- ", "  ", "\n", "---\n", "{", "}", "[", "]", ": ", "&a", "*a"),
        *("é", "\0", "1e9"),
    )
)
_YAML = st.lists(_PIECES, max_size=20).map("".join).map(str.encode)
_NAMES = st.sampled_from(
    (
        *("Chart.yaml", "values.yaml", "values.schema.json", "templates/a.yaml", "charts/db/Chart.yaml"),
        *("charts/db.tgz", "charts/_x/a", "charts/x", "requirements.yaml", "crds/a.yaml"),
        "charts/db/charts/db/Chart.yaml",
    )
)
_CONTENT = st.one_of(
    _YAML, st.binary(max_size=40), st.just(chart_yaml(name="db")), st.just(packed({"Chart.yaml": chart_yaml()}))
)


@_QUICK
@given(st.dictionaries(_NAMES, _CONTENT, max_size=6), st.sampled_from(["lantern", "x"]))
def test_parse_chart_raises_errors_of_the_domain_only(files: dict[str, bytes], folder: str) -> None:
    given_files = {**chart_files(), **{f"{folder}/{name}": data for name, data in files.items()}}
    with suppress(OlmError):
        chart = parse_chart(given_files)
        capabilities_of(chart, _SERVED)
        probe(chart)
        require_fits(chart, "1.36.3")
        properties_of(chart)


@_QUICK
@given(_YAML)
def test_descriptions_raise_errors_of_the_domain_only(data: bytes) -> None:
    with suppress(OlmError):
        parse_chart({"lantern/Chart.yaml": chart_yaml() + data})


@_QUICK
@given(_YAML)
def test_read_output_raises_errors_of_the_domain_only(output: bytes) -> None:
    with suppress(OlmError):
        read_output("lantern", output, Place("shop", _SERVED))


@_QUICK
@given(st.one_of(_YAML, st.binary(max_size=60), st.just(b'{"$ref": "#/x"}'), st.just(b'{"pattern": "("}')))
def test_schemas_raise_errors_of_the_domain_only(schema: bytes) -> None:
    chart = a_chart({"values.schema.json": schema})
    with suppress(OlmError):
        require_valid(chart, b'{"part": 0, "place": "lantern/templates", "values": {"a": [1, "b"]}}')


@_QUICK
@given(st.text(max_size=20), st.text(max_size=20))
def test_require_version_raises_errors_of_the_domain_only(mine: str, theirs: str) -> None:
    with suppress(OlmError):
        require_version(a_chart(version=mine or "1"), theirs)


@_QUICK
@given(st.text(max_size=80))
def test_still_hold_never_raises(recorded: str) -> None:
    assert still_hold(recorded, _SERVED) in (True, False)


@_QUICK
@given(st.from_regex(r"[a-z0-9]([-.a-z0-9]{0,200}[a-z0-9])?", fullmatch=True))
def test_release_names_are_short_and_have_no_dots(extension: str) -> None:
    release = release_name_of(extension)
    assert len(release) <= 53
    assert "." not in release
    assert release == release_name_of(extension)


@_QUICK
@given(st.binary(max_size=200))
def test_unpacked_raises_errors_of_the_domain_only(data: bytes) -> None:
    with suppress(OlmError):
        unpacked(data, "x")
