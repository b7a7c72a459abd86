"""Images for catalogs and bundles: references, registries, policies, and the files inside.

Callers use `Puller` (both components, `olm`), `BundleImages` (operator-controller) and `unpack_to` (`olm`), with
`ImageSettings` and `Credentials`. This room knows no catalog and no bundle: it hands out files.
"""

from __future__ import annotations

from olmv1.images.bundle_images import BundleImages
from olmv1.images.credentials import Credentials, credentials_of
from olmv1.images.digests import Digest
from olmv1.images.puller import PulledImage, Puller
from olmv1.images.references import Reference
from olmv1.images.settings import ImageSettings
from olmv1.images.unpack_to import unpack_to
from olmv1.images.unpacked import UnpackedImage

__all__ = [
    "BundleImages",
    "Credentials",
    "Digest",
    "ImageSettings",
    "PulledImage",
    "Puller",
    "Reference",
    "UnpackedImage",
    "credentials_of",
    "unpack_to",
]
