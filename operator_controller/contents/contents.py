"""Bundle images of either kind: pulled, recognised, read and rendered.

The reconciler's and `olm render`'s way to objects; the rules are in `bundle`, `renderer` and `chart`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

import orjson

from olmv1.images.bundle_images import BundleImages
from olmv1.images.image_manifests import HELM_CONFIG
from olmv1.telemetry.logs import get_logger
from operator_controller import chart as charts
from operator_controller.bundle import parse_bundle
from operator_controller.chart import notes
from operator_controller.contents.content import Content, ContentOptions, HelmChart, RegistryBundle, Rendered
from operator_controller.contents.helm import Helm, TemplateRequest
from operator_controller.renderer import RenderOptions, render_with_findings

__all__ = ["Contents", "content_of", "render_content"]

log = get_logger(__name__)


class Contents:
    """What is inside bundle images, through the cache on disk; charts are rendered by `helm`."""

    def __init__(self, images: BundleImages, helm: Helm) -> None:
        self._images = images
        self._helm = helm

    async def load(self, ref: str) -> Content:
        """The content of image `ref`, a chart where its configuration says so, else a registry+v1 bundle.

        Raises:
            TerminalError, RetryableError: the image cannot be had, or its content cannot be read.
        """
        image = await self._images.unpack(ref)
        for warning in image.warnings:
            log.warning("image pulled with a warning", ref=ref, warning=warning)
        files = await asyncio.to_thread(image.files)
        content = await asyncio.to_thread(content_of, files, is_chart=image.config_type == HELM_CONFIG)
        return replace(content, digest=str(image.digest))

    async def render(self, content: Content, options: ContentOptions) -> Rendered:
        """The objects to apply, as `render_content`."""
        return await render_content(content, options, self._helm)


def content_of(files: Mapping[str, bytes], *, is_chart: bool) -> Content:
    """The content of an image with `files`, path relative to its root → content.

    Raises:
        TerminalError: it cannot be read (BundleError, ChartError).
    """
    if not is_chart:
        return RegistryBundle(parse_bundle(files))
    chart = charts.parse_chart(files)
    return HelmChart(chart, charts.properties_of(chart))


async def render_content(content: Content, options: ContentOptions, helm: Helm) -> Rendered:
    """The objects to apply for `content`.

    Raises:
        TerminalError: it cannot be installed so: the content, its configuration or the cluster must change.
        RetryableError: helm is missing or took too long.
    """
    match content:
        case RegistryBundle():
            return await asyncio.to_thread(_rendered_bundle, content, options)
        case HelmChart():
            return await _rendered_chart(content, options, helm)
        case never:
            assert_never(never)


def _rendered_bundle(content: RegistryBundle, options: ContentOptions) -> Rendered:
    chosen = RenderOptions(
        install_namespace=options.namespace,
        config=options.config,
        certificates=options.certificates,
        api_roles=options.api_roles,
        proxy=options.proxy,
        operator_condition=options.operator_condition,
    )
    result = render_with_findings(content.bundle, chosen)
    return Rendered(result.objects, content.properties_text, result.warnings)


async def _rendered_chart(content: HelmChart, options: ContentOptions, helm: Helm) -> Rendered:
    chart = content.chart
    if options.version:
        charts.require_version(chart, options.version)
    charts.require_fits(chart, options.served.kube_version)
    if charts.has_schema(chart):
        printed = await helm.template(_request(content, options, charts.probe(chart)))
        await asyncio.to_thread(charts.require_valid, chart, printed)
    files = chart.all_files()
    if chart.has_notes:
        files[notes.TEMPLATE_PATH] = notes.template()
    output = await helm.template(_request(content, options, files))
    place = charts.Place(options.namespace, options.served, options.ignore_hooks)
    rendered = await asyncio.to_thread(charts.read_output, chart.metadata.name, output, place)
    capabilities = await asyncio.to_thread(charts.capabilities_of, chart, options.served)
    return Rendered(
        rendered.objects,
        content.properties_text,
        (*content.merged.warnings, *rendered.warnings),
        capabilities,
        rendered.notes,
        _basis(options, capabilities),
    )


def _basis(options: ContentOptions, capabilities: str | None) -> str:
    """What a chart is rendered from: its output may be random. Rule: helm-charts.md, "random output"."""
    release = charts.release_name_of(options.extension)
    inputs = [release, options.namespace, options.config, options.ignore_hooks, capabilities]
    return orjson.dumps(inputs, option=orjson.OPT_SORT_KEYS).decode()


def _request(content: HelmChart, options: ContentOptions, files: Mapping[str, bytes]) -> TemplateRequest:
    return TemplateRequest(
        chart=content.chart.metadata.name,
        files=files,
        values=options.config or {},
        release=charts.release_name_of(options.extension),
        namespace=options.namespace,
        served=options.served,
    )
