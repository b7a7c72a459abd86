"""Whether the installed bundle still is what the user asks for, as far as one can tell without a catalog.

Rule: resolution.md 8 and 16.6: the version range decides, not whether two texts are equal.
"""

from __future__ import annotations

from olmv1.versions import Range, VersionRelease
from operator_controller.resolver.question import is_pin_fulfilled
from operator_controller.resolver.request import InstalledBundle, Request

__all__ = ["satisfies_wanted"]


def satisfies_wanted(request: Request, installed: InstalledBundle) -> bool:
    """Whether the installed version fulfils the request's range, so that it may be kept up when no catalog is left.

    Channels and policy play no part. An invalid range is fulfilled by nothing; a recorded version that cannot be read
    only by its own text.
    """
    text = request.range_text
    if not text or text == installed.version:
        return True
    try:
        wanted = Range.parse(text)
        version = VersionRelease.parse(installed.version, installed.release)
    except ValueError:
        return False
    return wanted.contains(version.version) and is_pin_fulfilled(wanted, version)
