"""The options that several commands share, as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["CatalogOptions", "ClusterOptions", "ConfigurationOptions", "Format", "OutputOptions", "Provider"]


class Format(StrEnum):
    """How an answer is printed."""

    TEXT = "text"
    JSON = "json"
    YAML = "yaml"


class Provider(StrEnum):
    """Who makes the certificates of webhooks."""

    AUTO = "auto"
    NONE = "none"
    CERT_MANAGER = "cert-manager"
    SERVICE_CA = "service-ca"
    SELF_SIGNED = "self-signed"


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """How to answer."""

    output: Annotated[Format, typer.Option("-o", "--output", help="How to print the answer.")] = Format.TEXT


@dataclass(frozen=True, slots=True)
class CatalogOptions:
    """Where catalogs come from: those that are named, else the cluster's."""

    catalog: Annotated[
        list[str],
        typer.Option(
            "--catalog",
            rich_help_panel="Catalogs",
            metavar="[NAME=]DIR|FILE|IMAGE",
            help="A catalog to look into instead of the cluster's; may be given several times.",
        ),
    ] = field(default_factory=list)
    pull_cas_dir: Annotated[
        Path | None,
        typer.Option(
            "--pull-cas-dir",
            rich_help_panel="Catalogs",
            metavar="DIR",
            help="CA certificates to trust when a catalog image is pulled.",
        ),
    ] = None
    catalogd_url: Annotated[
        str | None,
        typer.Option(
            "--catalogd-url",
            rich_help_panel="Catalogs",
            metavar="URL",
            help="Read the cluster's catalogs from this catalogd, not through the API server.",
        ),
    ] = None
    catalogd_cas_dir: Annotated[
        Path | None,
        typer.Option(
            "--catalogd-cas-dir",
            rich_help_panel="Catalogs",
            metavar="DIR",
            help="CA certificates to trust when catalogd is read.",
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class ClusterOptions:
    """Which cluster is asked."""

    kubeconfig: Annotated[
        str | None,
        typer.Option(
            "--kubeconfig",
            rich_help_panel="Cluster",
            metavar="FILE",
            help="The cluster to ask; else $KUBECONFIG, else ~/.kube/config.",
        ),
    ] = None
    context: Annotated[
        str | None,
        typer.Option(
            "--context",
            rich_help_panel="Cluster",
            metavar="NAME",
            help="Context of the kubeconfig; else its current one.",
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class ConfigurationOptions:
    """What an extension says about its bundle beside where it is installed."""

    watch_namespace: Annotated[
        str | None,
        typer.Option("--watch-namespace", metavar="NS", help="The namespace that it watches, where it must be told."),
    ] = None
    config: Annotated[
        Path | None,
        typer.Option("--config", metavar="FILE", help="Configuration in YAML or JSON, as in spec.config.inline."),
    ] = None
    api_roles: Annotated[
        bool,
        typer.Option("--api-roles", help="With roles for users of the provided APIs, as the annotation asks for."),
    ] = False
