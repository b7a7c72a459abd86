"""The options of `olm render`: what a ClusterExtension, and the flags of its controller, say about a bundle."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from olm_cli.options import Provider

__all__ = ["RenderingOptions"]


@dataclass(frozen=True, slots=True)
class RenderingOptions:
    """What is rendered, where it goes, and for which cluster."""

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
    cert_provider: Annotated[
        Provider,
        typer.Option(
            "--cert-provider",
            help="Who makes the certificates of webhooks; auto as on a cluster that offers nobody for it.",
        ),
    ] = Provider.NONE
    as_reference: Annotated[
        bool, typer.Option("--as-reference", help="As the Go reference renders, without what is better here.")
    ] = False
    as_chart: Annotated[
        Path | None,
        typer.Option("--as-chart", metavar="DIR", help="Write a Helm chart that renders to the same objects."),
    ] = None
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
