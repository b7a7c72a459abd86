"""The sample operator in a registry: its bundles, and the editions of its catalog.

The manifests name `registry.example.com`; `mirror_conf` maps that name to the registry of a cluster, as a user would do
in `registries.conf`.
"""

from __future__ import annotations

from pathlib import Path

from devcluster.images import bundle_image, catalog_image, chart_image
from devcluster.registry import Registry

__all__ = ["CATALOG_TAG", "SAMPLES_DIR", "files_below", "mirror_conf", "push_bundles", "push_catalog"]

SAMPLES_DIR = Path(__file__).resolve().parent.parent / "config" / "samples"
CATALOG_TAG = "lights/catalog:latest"
"""Where `clustercatalog.yaml` expects the catalog."""


def files_below(folder: Path) -> dict[str, bytes]:
    """Every file below `folder`, by its path relative to it."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def push_bundles(registry: Registry) -> tuple[str, ...]:
    """Push every bundle of the sample operator, whose versions are returned, and every version of the sample chart."""
    for folder in sorted((SAMPLES_DIR / "charts" / "beacon").iterdir()):
        registry.push(f"lights/beacon:{folder.name}", chart_image(folder))
    folders = sorted((SAMPLES_DIR / "bundles" / "lantern-operator").iterdir())
    for folder in folders:
        registry.push(f"lights/lantern-operator-bundle:v{folder.name}", bundle_image(files_below(folder)))
    return tuple(folder.name for folder in folders)


def push_catalog(registry: Registry, edition: int, tag: str = CATALOG_TAG) -> str:
    """Push edition 1 or 2 of the sample catalog under `tag`; its reference by digest."""
    return registry.push(tag, catalog_image(files_below(SAMPLES_DIR / "catalogs" / f"lights-{edition}")))


def mirror_conf(registry: Registry) -> str:
    """A `registries.conf` that finds `registry.example.com` in the registry of the cluster."""
    return "\n".join(
        (
            "[[registry]]",
            'location = "registry.example.com"',
            "[[registry.mirror]]",
            f'location = "{registry.host}"',
            "",
        )
    )
