"""Bundle directories as if they were installed: what their authors want to know before they publish."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from olm_cli.catalogs import Catalog, read_package
from olm_cli.findings import contents_of
from olm_cli.problems import BadInput
from olm_cli.rendering import files_of_directory
from olmv1.errors import TerminalError
from olmv1.manifests import key_of
from operator_controller.bundle import Bundle, parse_bundle
from operator_controller.resolver import InstalledBundle, Request
from operator_controller.upgrade_plan import Objects, Subject
from operator_controller.upgradeability import BundleFacts

__all__ = ["subjects_of_bundles"]

_PROPERTIES = "olm.properties"


async def subjects_of_bundles(folders: Sequence[Path], places: Sequence[Catalog]) -> tuple[Subject, ...]:
    """One subject for each directory, named as its ClusterServiceVersion; ways out come from `places`.

    Raises:
        BadInput: a directory is no bundle.
    """
    found = []
    for folder in folders:
        try:
            bundle = parse_bundle(files_of_directory(folder.expanduser()))
        except TerminalError as error:
            raise BadInput(f"--bundle-dir {folder}: {error}") from error
        found.append(await _subject(bundle, places))
    return tuple(found)


async def _subject(bundle: Bundle, places: Sequence[Catalog]) -> Subject:
    name = bundle.csv_name
    facts = BundleFacts(name, bundle.annotations.get(_PROPERTIES), package=bundle.package, version=bundle.version)
    return Subject(
        name=name,
        package=bundle.package,
        installed=name,
        bundles=(facts,),
        request=Request(bundle.package, installed=InstalledBundle(name, bundle.version)),
        catalogs=contents_of(await read_package(places, bundle.package)) if places else (),
        objects=Objects(tuple(key_of(each) for each in (*bundle.crds, *bundle.others))),
    )
