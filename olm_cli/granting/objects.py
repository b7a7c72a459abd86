"""The objects of a bundle or chart, as the controller would apply them for an extension."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from olm_cli.granting.packages import Source
from olm_cli.problems import CannotTell
from olm_cli.rendering import found_at
from olmv1.api.vocabulary import Reason
from olmv1.errors import OlmError, TerminalError
from olmv1.manifests import Manifest, key_of
from olmv1.served import Served
from operator_controller.contents import Content, ContentOptions, Helm, RegistryBundle, content_of, render_content
from operator_controller.operator_conditions import condition_for
from operator_controller.renderer import Certificates

__all__ = ["Read", "Version", "Wish", "objects_at", "read_source", "roles_for_users"]

_KUBE_VERSION = "1.36.3"
"""What charts are made for where no cluster is asked: the newest version that we are tested with."""

_NOTHING_SERVED = Served()


@dataclass(frozen=True, slots=True)
class Wish:
    """What the extension says about its bundles."""

    extension: str
    namespace: str
    config: Mapping[str, Any] | None = None
    certificates: Certificates = Certificates.NONE
    api_roles: bool = False
    ignore_hooks: bool = False
    served: Served = _NOTHING_SERVED


@dataclass(frozen=True, slots=True)
class Read:
    """A bundle or chart that was read: the package and the version that it says it is."""

    content: Content
    package: str
    version: str


@dataclass(frozen=True, slots=True)
class Version:
    """One version of the content with its objects; `package` and `version` are what it says it is."""

    package: str
    version: str
    objects: tuple[Manifest, ...]
    warnings: tuple[str, ...] = ()


async def read_source(source: Source) -> Read:
    """What is at a place.

    Raises:
        BadInput: there is nothing of the kind.
        CannotTell: it cannot be read.
    """
    found = await found_at(source.place, source.pull_cas_dir)
    try:
        content = content_of(found.files, is_chart=found.is_chart)
    except OlmError as error:
        raise CannotTell(f"{source.place}: {error}") from error
    if isinstance(content, RegistryBundle):
        package, version = content.bundle.package, content.bundle.version or content.bundle.csv_name
    else:
        package, version = content.chart.metadata.name, content.chart.metadata.version
    return Read(content, package, source.version or version)


async def objects_at(read: Read, wish: Wish) -> Version:
    """The objects of what was read, for the extension.

    Raises:
        TerminalError: the configuration does not fit (exit code 2).
        CannotTell: it cannot be installed, or helm is missing.
    """
    condition = None
    if isinstance(read.content, RegistryBundle):
        condition = condition_for(read.content.bundle, wish.namespace, wish.served)
    options = ContentOptions(
        extension=wish.extension,
        namespace=wish.namespace,
        config=wish.config,
        served=wish.served if wish.served.kube_version else replace(wish.served, kube_version=_KUBE_VERSION),
        certificates=wish.certificates,
        api_roles=wish.api_roles,
        ignore_hooks=wish.ignore_hooks,
        operator_condition=condition is not None,
    )
    try:
        rendered = await render_content(read.content, options, Helm())
    except OlmError as error:
        if isinstance(error, TerminalError) and error.reason == Reason.INVALID_CONFIGURATION:
            raise
        raise CannotTell(f"{read.package} {read.version}: {error}") from error
    objects = rendered.objects if condition is None else (*rendered.objects, condition)
    return Version(read.package, read.version, objects, rendered.warnings)


async def roles_for_users(read: Read, wish: Wish) -> tuple[Manifest, ...]:
    """The roles for users of the provided APIs, which are made with `api_roles` only. Raises: as `objects_at`."""
    without, with_roles = [await objects_at(read, replace(wish, api_roles=asked)) for asked in (False, True)]
    known = {key_of(manifest) for manifest in without.objects}
    return tuple(manifest for manifest in with_roles.objects if key_of(manifest) not in known)
