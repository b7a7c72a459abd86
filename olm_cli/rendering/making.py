"""The objects of one bundle or chart, as `olm render` shows them. Imported by the command only when it renders."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from olm_cli.kube_version import given_kube_version
from olm_cli.options import ConfigurationOptions
from olm_cli.problems import BadInput
from olm_cli.rendering.inputs import configuration_of, namespace_of
from olm_cli.rendering.places import Found
from olm_cli.rendering.requests import RenderRequest, render_bundle
from olm_cli.rendering_options import RenderingOptions
from olmv1.manifests import Manifest
from olmv1.served import Served
from operator_controller.bundle import parse_bundle
from operator_controller.certificates.provider import choose_provider

__all__ = ["Made", "made_of"]


@dataclass(frozen=True, slots=True)
class Made:
    """What came out: the objects, and how the summary calls what they are made of."""

    title: str
    objects: Sequence[Manifest]
    warnings: Sequence[str]

    @property
    def summary(self) -> str:
        """`lamp.v1 of package lamp: 3 objects: 1 ServiceAccount, 2 Deployment`, kinds as they first occur."""
        count = len(self.objects)
        kinds = Counter(str(manifest.get("kind")) for manifest in self.objects)
        listed = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
        return f"{self.title}: {count} object{'s' * (count != 1)}" + (f": {listed}" if listed else "")


def made_of(found: Found, options: RenderingOptions, configuration: ConfigurationOptions) -> Made:
    """The objects of what was found.

    Raises:
        BadInput: an option is wrong, or none for content of this kind.
        OlmError: it cannot be installed.
    """
    return (_of_chart if found.is_chart else _of_bundle)(found, options, configuration)


def _of_bundle(found: Found, options: RenderingOptions, configuration: ConfigurationOptions) -> Made:
    for flag, value in (("--name", options.name), ("--kube-version", options.kube_version)):
        if value is not None:
            raise BadInput(f"{flag} is for Helm charts, and this is a registry+v1 bundle")
    bundle = parse_bundle(found.files, as_reference=options.as_reference)
    request = RenderRequest(
        namespace=namespace_of(options.namespace, bundle.annotations),
        config=configuration_of(configuration.config, configuration.watch_namespace),
        certificates=choose_provider(options.cert_provider.value, Served()),
        as_reference=options.as_reference,
        api_roles=configuration.api_roles,
    )
    rendered = render_bundle(bundle, request)
    title = f"{bundle.csv_name} of package {bundle.package}"
    if options.as_chart is not None:
        from olm_cli.rendering.charts import write_chart  # noqa: PLC0415 - only this option needs it

        write_chart(options.as_chart, bundle, rendered.objects)
        title = f"{title} as a chart in {options.as_chart}"
    return Made(title, rendered.objects, rendered.warnings)


def _of_chart(found: Found, options: RenderingOptions, configuration: ConfigurationOptions) -> Made:
    from olm_cli.rendering.helm import ChartRequest, chart_in, render_chart  # noqa: PLC0415 - only charts need it

    for flag, is_given in (
        ("--watch-namespace", configuration.watch_namespace is not None),
        ("--as-chart", options.as_chart is not None),
        ("--as-reference", options.as_reference),
        ("--api-roles", configuration.api_roles),
    ):
        if is_given:
            raise BadInput(f"{flag} is for registry+v1 bundles, and this is a Helm chart")
    content = chart_in(found)
    config = configuration_of(configuration.config, None)
    if config is not None and not isinstance(config, Mapping):
        raise BadInput(f"--config {configuration.config}: expected an object, the values of the chart")
    request = ChartRequest(
        namespace=namespace_of(options.namespace, {}),
        extension=options.name or "",
        config=config,
        kube_version=given_kube_version(options.kube_version) or "",
    )
    rendered = asyncio.run(render_chart(content, request))
    metadata = content.chart.metadata
    return Made(f"chart {metadata.name} {metadata.version}", rendered.objects, rendered.warnings)
