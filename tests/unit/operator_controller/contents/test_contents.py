"""Bundle images of either kind, from a registry to objects."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from devcluster.images import Image, bundle_image, chart_image, digest_of
from olmv1.errors import OlmError, TerminalError
from olmv1.images.bundle_images import BundleImages
from olmv1.images.puller import Puller
from olmv1.served import Served
from operator_controller.bundle import Property
from operator_controller.chart import ChartError, ValuesError
from operator_controller.contents import (
    ContentOptions,
    Contents,
    Helm,
    HelmChart,
    RegistryBundle,
    Rendered,
    content_of,
    render_content,
)
from tests.charts import chart_files, chart_yaml
from tests.helm import helm_path
from tests.oci_images import Image as Pushed
from tests.registry import Registry

SAMPLE = Path(__file__).parents[4] / "config" / "samples" / "bundles" / "lantern-operator" / "1.0.0"
SERVED = Served("1.36.3", frozenset({("", "v1", "ConfigMap")}))
SCHEMA = json.dumps({"properties": {"level": {"enum": ["low", "high"]}}})
NOTES = "Lantern {{ .Release.Name }} burns {{ .Values.level }} in {{ .Release.Namespace }}.\n"


def options(**changes: Any) -> ContentOptions:
    return ContentOptions(
        **{"extension": "lantern", "namespace": "shop", "version": "1.0.0", "served": SERVED, **changes}
    )


def as_pushed(image: Image) -> Pushed:
    return Pushed(image.manifest, image.media_type, {digest_of(blob): blob for blob in image.blobs})


async def rendered(files: Mapping[str, str | bytes] | None = None, **changes: Any) -> Rendered:
    """A chart with `files`; the values `config`, and other `ContentOptions`, are among `changes`."""
    chart = changes.pop("chart", {})
    content = content_of(chart_files(files, **chart), is_chart=True)
    return await render_content(content, options(**changes), Helm(helm_path()))


@pytest.fixture
async def contents(puller: Puller, tmp_path: Path) -> Contents:
    return Contents(BundleImages(tmp_path / "bundles", puller, 1_000_000), Helm(helm_path()))


async def test_render_makes_objects_of_a_chart() -> None:
    found = await rendered()
    assert found.objects == (
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "lantern-settings", "namespace": "shop"},
            "data": {"level": "low"},
        },
    )


async def test_render_records_what_a_revision_shall_know() -> None:
    asks = {"templates/x.yaml": '{{ if .Capabilities.APIVersions.Has "x/v1" }}x{{ end }}', "templates/NOTES.txt": NOTES}
    found = await rendered(asks, chart={"annotations": {"olm.maxOpenShiftVersion": "4.18"}})
    assert (found.properties, found.capabilities, found.notes) == (
        '[{"type":"olm.maxOpenShiftVersion","value":"4.18"}]',
        '{"apis":{"x/v1":false}}',
        "Lantern lantern burns low in shop.",
    )


async def test_render_gives_the_values_of_the_user_to_the_chart() -> None:
    found = await rendered(config={"level": "high: {{ 1 }}"})
    assert found.objects[0]["data"] == {"level": "high: {{ 1 }}"}


async def test_render_gives_dotted_names_a_release_that_charts_can_use() -> None:
    found = await rendered(extension="shop.lantern")
    assert found.objects[0]["metadata"]["name"] == "shop-lantern-479459b4-settings"


async def test_render_includes_crds() -> None:
    crd = "kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\nmetadata: {name: lamps.example.com}\n"
    found = await rendered({"crds/lamps.yaml": crd})
    assert [item["kind"] for item in found.objects] == ["CustomResourceDefinition", "ConfigMap"]


async def test_render_refuses_values_that_the_schema_refuses() -> None:
    with pytest.raises(ValuesError, match='field "level": the value is not one of') as caught:
        await rendered({"values.schema.json": SCHEMA, "templates/x.yaml": "{{ fail }}"}, config={"level": "off"})
    assert caught.value.reason == "InvalidConfiguration"


async def test_render_checks_the_values_of_charts_inside_as_they_see_them() -> None:
    inside: dict[str, str | bytes] = {
        "charts/db/Chart.yaml": chart_yaml(name="db"),
        "charts/db/values.yaml": "level: none\n",
        "charts/db/values.schema.json": SCHEMA,
    }
    alias = {"dependencies": [{"name": "db", "version": "1.0.0", "alias": "store", "condition": "store.enabled"}]}
    with pytest.raises(ValuesError, match='field "store.level": the value is not one of'):
        await rendered(inside, chart=alias, config={"store": {"enabled": True}})
    await rendered(inside, chart=alias, config={"store": {"level": "low"}})
    await rendered(inside, chart=alias, config={"store": {"enabled": False}})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        pytest.param({"version": "2.0.0"}, 'chart version "1.0.0" does not match bundle version "2.0.0"', id="version"),
        pytest.param({"chart": {"kubeVersion": ">=1.99"}}, 'chart "lantern" needs Kubernetes ">=1.99"', id="too old"),
    ],
)
async def test_render_refuses_a_chart_that_does_not_fit(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ChartError, match=f"^{message}"):
        await rendered(**changes)


async def test_render_makes_other_objects_of_random_templates_each_time() -> None:
    random = {"templates/settings.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: {{ randAlpha 20 | lower }}}\n"}
    first, second = await rendered(random), await rendered(random)
    assert first.objects != second.objects
    assert first.capabilities == second.capabilities
    assert first.basis == second.basis


async def test_load_recognises_both_kinds(registry: Registry, contents: Contents) -> None:
    files = {path.partition("/")[2]: data for path, data in chart_files(annotations={"olm.x": "1"}).items()}
    charts = registry.push("charts/lantern", "1.0.0", as_pushed(chart_image(files)))
    bundles = registry.push("bundles/lantern", "1.0.0", as_pushed(bundle_image(SAMPLE)))
    chart, bundle = await contents.load(charts), await contents.load(bundles)
    assert isinstance(chart, HelmChart)
    assert isinstance(bundle, RegistryBundle)
    assert (chart.chart.metadata.name, chart.properties, chart.dependencies) == (
        "lantern",
        (Property("olm.x", "1"),),
        (),
    )
    assert (bundle.bundle.package, bundle.properties, bundle.dependencies) == ("lantern-operator", (), ())
    assert [each.digest for each in (chart, bundle)] == [
        digest_of(image.manifest) for image in (chart_image(files), bundle_image(SAMPLE))
    ]


@pytest.mark.parametrize(
    "changes",
    [{"extension": "other"}, {"namespace": "other"}, {"config": {"level": "high"}}, {"ignore_hooks": True}],
    ids=", ".join,
)
async def test_render_tells_what_a_chart_was_rendered_from(changes: Mapping[str, Any]) -> None:
    first, other = await rendered(), await rendered(**changes)
    assert first.basis == '["lantern","shop",null,false,null]'
    assert other.basis != first.basis


async def test_load_bounds_what_a_chart_unpacks_to(registry: Registry, contents: Contents) -> None:
    large = {"Chart.yaml": chart_yaml(), "files/large": bytes(20 * 1024 * 1024)}
    ref = registry.push("charts/large", "1.0.0", as_pushed(chart_image(large)))
    with pytest.raises(TerminalError, match="the files have more than 20971520 bytes together"):
        await contents.load(ref)


async def test_render_makes_objects_of_a_bundle() -> None:
    files = {path.relative_to(SAMPLE).as_posix(): path.read_bytes() for path in SAMPLE.rglob("*.yaml")}
    found = await render_content(content_of(files, is_chart=False), options(), Helm("no-helm"))
    assert {item["kind"] for item in found.objects} >= {"CustomResourceDefinition", "Deployment", "ServiceAccount"}
    assert (found.capabilities, found.notes) == (None, None)


async def test_render_without_helm_is_tried_again() -> None:
    content = content_of(chart_files(), is_chart=True)
    with pytest.raises(OlmError, match='no command "no-helm" was found') as caught:
        await render_content(content, options(), Helm("no-helm"))
    assert not isinstance(caught.value, TerminalError)
