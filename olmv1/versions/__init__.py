"""Versions, releases and the two range languages of OLM.

Owns every rule of `version-ranges.md` and the order of `fbc.md` section 11. Values in, values out: compiled ranges and
parsed versions are kept by their text. Used by the resolver, the catalog tooling and the CRD; imports nothing of ours.
"""

from __future__ import annotations

from olmv1.versions.admission import VERSION_LENGTH_LIMIT, VERSION_PATTERN
from olmv1.versions.advice import advice_on, opened
from olmv1.versions.quoting import quoted
from olmv1.versions.range import Range
from olmv1.versions.range_error import RangeError
from olmv1.versions.release import Release, VersionRelease
from olmv1.versions.skip_range import SkipRange
from olmv1.versions.version import Version

__all__ = [
    "VERSION_LENGTH_LIMIT",
    "VERSION_PATTERN",
    "Range",
    "RangeError",
    "Release",
    "SkipRange",
    "Version",
    "VersionRelease",
    "advice_on",
    "opened",
    "quoted",
]
