"""`olm render BUNDLE`: the objects that the controller makes of a bundle."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from olm_cli.command import Command
from olm_cli.kube_version import given_kube_version
from olm_cli.options import Format, OutputOptions
from olm_cli.output import answer, answer_text, fail, say
from olm_cli.problems import BadInput, ExitCode
from olmv1.api.vocabulary import Reason
from olmv1.errors import OlmError, RetryableError, TerminalError

if TYPE_CHECKING:
    from olm_cli.rendering import Found
    from olmv1.manifests import Manifest

__all__ = ["RENDER"]


class Provider(StrEnum):
    """Who makes the certificates of webhooks."""

    NONE = "none"
    CERT_MANAGER = "cert-manager"
    SERVICE_CA = "service-ca"
    SELF_SIGNED = "self-signed"


@dataclass(frozen=True, slots=True)
class RenderingOptions:
    """What a ClusterExtension, and the flags of its controller, say about a bundle."""

    bundle: Annotated[
        str | None,
        typer.Argument(
            metavar="BUNDLE", help="A directory with manifests/ and metadata/ or of a Helm chart, or an image."
        ),
    ] = None
    namespace: Annotated[
        str | None,
        typer.Option(
            "-n",
            "--namespace",
            metavar="NS",
            help="Where it is installed; else the namespace that the bundle suggests.",
        ),
    ] = None
    watch_namespace: Annotated[
        str | None,
        typer.Option("--watch-namespace", metavar="NS", help="The namespace that it watches, where it must be told."),
    ] = None
    config: Annotated[
        Path | None,
        typer.Option("--config", metavar="FILE", help="Configuration in YAML or JSON, as in spec.config.inline."),
    ] = None
    cert_provider: Annotated[
        Provider, typer.Option("--cert-provider", help="Who makes the certificates of webhooks.")
    ] = Provider.NONE
    as_reference: Annotated[
        bool, typer.Option("--as-reference", help="As the Go reference renders, without what is better here.")
    ] = False
    as_chart: Annotated[
        Path | None,
        typer.Option("--as-chart", metavar="DIR", help="Write a Helm chart that renders to the same objects."),
    ] = None
    api_roles: Annotated[
        bool, typer.Option("--api-roles", help="With roles for users of the provided APIs, as the annotation asks for.")
    ] = False
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="For charts: the extension, which names the release.")
    ] = None
    kube_version: Annotated[
        str | None,
        typer.Option("--kube-version", metavar="VERSION", help="For charts: the version of Kubernetes."),
    ] = None
    batch: Annotated[
        bool, typer.Option("--batch", help="Answer requests on standard input, one line of JSON each.")
    ] = False
    pull_cas_dir: Annotated[
        Path | None,
        typer.Option("--pull-cas-dir", metavar="DIR", help="CA certificates to trust when the image is pulled."),
    ] = None


def render(options: RenderingOptions, *, output: OutputOptions) -> ExitCode:
    """Render a bundle or Helm chart: the objects that the controller would apply, in their order.

    Text and YAML are documents that kubectl takes, JSON is one list; a summary and warnings go to standard error. The
    exit code is 1 when the bundle cannot be installed, and every finding is named.

    With --batch each line of standard input is a request such as {"bundle": "DIR", "namespace": "NS", "certs": "none"},
    with "config" (an object) and "gates" ("default": the feature gates of the reference) where needed. Each gets a
    line: {"objects": […]} or {"error": "…", "terminal": true|false}.
    """
    if options.batch:
        return _batch(options, output)
    if options.bundle is None:
        raise BadInput("which bundle? name it: olm render DIR|IMAGE")
    return _one(options.bundle, options, output.output)


RENDER = Command(
    name="render",
    run=render,
    summary="Show the objects that are made of a bundle.",
    examples={
        "olm render ./my-operator/1.0.0 --namespace my-operator": "a directory with manifests/ and metadata/",
        "olm render quay.io/example/bundle:v1 -n my-operator -o json": "an image, as one JSON list",
        "olm render ./bundle -n ops --watch-namespace team-a": "for an operator that watches one namespace",
        "olm render ./bundle -n ops --cert-provider cert-manager": "for an operator with webhooks",
        "olm render ./bundle -n ops --as-chart ./chart": "the same objects as a Helm chart, for `helm push` and others",
        "olm render --batch --as-reference < requests.jsonl": "many, in one process, one line of JSON each",
    },
)


def _batch(options: RenderingOptions, output: OutputOptions) -> ExitCode:
    from olm_cli.rendering.batch import answers_to, batch_lines  # noqa: PLC0415 - `olm --help` needs no renderer

    for flag, value in (
        ("BUNDLE", options.bundle),
        ("--namespace", options.namespace),
        ("--watch-namespace", options.watch_namespace),
        ("--config", options.config),
        ("--as-chart", options.as_chart),
    ):
        if value is not None:
            raise BadInput(f"--batch takes no {flag}: every request names its own")
    if output.output is Format.YAML:
        raise BadInput("--batch answers in JSON only")
    answers = answers_to(batch_lines(sys.stdin.buffer), as_reference=options.as_reference)
    answer_text(f"{line}\n" for line in answers)
    return ExitCode.YES


@dataclass(frozen=True, slots=True)
class _Made:
    """What came out: the objects, and how the summary calls what they are made of."""

    title: str
    objects: Sequence[Manifest]
    warnings: Sequence[str]


def _one(place: str, options: RenderingOptions, form: Format) -> ExitCode:
    from olm_cli.rendering import found_at  # noqa: PLC0415 - `olm --help` needs no renderer

    found = asyncio.run(found_at(place, options.pull_cas_dir))
    try:
        made = _of_chart(found, options) if found.is_chart else _of_bundle(found, options)
    except BadInput:
        raise
    except OlmError as error:
        # A reference retries what can never succeed; helm may be there another time.
        if found.is_chart and isinstance(error, RetryableError):
            raise
        return _refusal(error, options)
    if options.as_chart is None:
        _print(made, form)
    if form is Format.TEXT:
        say(f"{made.title}: {_counted(made)}")
    for warning in made.warnings:
        say(f"warning: {warning}")
    return ExitCode.YES


def _of_bundle(found: Found, options: RenderingOptions) -> _Made:
    from olm_cli.rendering import RenderRequest, render_bundle  # noqa: PLC0415 - `olm --help` needs no renderer
    from olm_cli.rendering.inputs import configuration_of, namespace_of  # noqa: PLC0415
    from operator_controller.bundle import parse_bundle  # noqa: PLC0415
    from operator_controller.renderer import Certificates  # noqa: PLC0415

    for flag, value in (("--name", options.name), ("--kube-version", options.kube_version)):
        if value is not None:
            raise BadInput(f"{flag} is for Helm charts, and this is a registry+v1 bundle")
    bundle = parse_bundle(found.files, as_reference=options.as_reference)
    request = RenderRequest(
        namespace=namespace_of(options.namespace, bundle.annotations),
        config=configuration_of(options.config, options.watch_namespace),
        certificates=Certificates(options.cert_provider.value),
        as_reference=options.as_reference,
        api_roles=options.api_roles,
    )
    rendered = render_bundle(bundle, request)
    title = f"{bundle.csv_name} of package {bundle.package}"
    if options.as_chart is not None:
        from olm_cli.rendering.charts import write_chart  # noqa: PLC0415 - only this option needs it

        write_chart(options.as_chart, bundle, rendered.objects)
        title = f"{title} as a chart in {options.as_chart}"
    return _Made(title, rendered.objects, rendered.warnings)


def _of_chart(found: Found, options: RenderingOptions) -> _Made:
    from olm_cli.rendering.helm import ChartRequest, chart_in, render_chart  # noqa: PLC0415 - only charts need it
    from olm_cli.rendering.inputs import configuration_of, namespace_of  # noqa: PLC0415

    for flag, is_given in (
        ("--watch-namespace", options.watch_namespace is not None),
        ("--as-chart", options.as_chart is not None),
        ("--as-reference", options.as_reference),
        ("--api-roles", options.api_roles),
    ):
        if is_given:
            raise BadInput(f"{flag} is for registry+v1 bundles, and this is a Helm chart")
    content = chart_in(found)
    config = configuration_of(options.config, None)
    if config is not None and not isinstance(config, Mapping):
        raise BadInput(f"--config {options.config}: expected an object, the values of the chart")
    request = ChartRequest(
        namespace=namespace_of(options.namespace, {}),
        extension=options.name or "",
        config=config,
        kube_version=given_kube_version(options.kube_version) or "",
    )
    rendered = asyncio.run(render_chart(content, request))
    metadata = content.chart.metadata
    return _Made(f"chart {metadata.name} {metadata.version}", rendered.objects, rendered.warnings)


def _print(made: _Made, form: Format) -> None:
    if form is Format.JSON:
        answer(form, made.objects, ())
    else:
        answer_text(_documents(made))


def _documents(made: _Made) -> Iterator[str]:
    from olmv1.yaml import dump_yaml  # noqa: PLC0415 - two parsers come with it

    for manifest in made.objects:
        yield f"---\n{dump_yaml(manifest)}"


def _counted(made: _Made) -> str:
    """`3 objects: 1 ServiceAccount, 2 Deployment`, in the order in which the kinds first occur."""
    count = len(made.objects)
    kinds = Counter(str(manifest.get("kind")) for manifest in made.objects)
    listed = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
    return f"{count} object{'s' * (count != 1)}" + (f": {listed}" if listed else "")


def _refusal(error: OlmError, options: RenderingOptions) -> ExitCode:
    """Say why there are no objects: the fault of a bundle is a no, that of its configuration is bad input."""
    for line in str(error).splitlines():
        fail(line.strip())
    if "webhookDefinitions" in str(error) and options.cert_provider is Provider.NONE:
        names = ", ".join(each for each in Provider if each is not Provider.NONE)
        say(f"hint: its webhooks need certificates: choose who makes them with --cert-provider ({names})")
        say("hint: operator-controller chooses by itself, unless its own --cert-provider says otherwise")
    if 'required field "watchNamespace" is missing' in str(error):
        say("hint: it watches one namespace: name it with --watch-namespace NS")
    is_configuration = isinstance(error, TerminalError) and error.reason == Reason.INVALID_CONFIGURATION
    return ExitCode.BAD_INPUT if is_configuration else ExitCode.NO
