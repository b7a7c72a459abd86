"""Everything that is wrong with a catalog, found at once: as `opm validate` sees it, and what nobody can have meant.

Pure: bytes or lines in, a `Report` out. The `olm` command validates what people write (`examine_files`), catalogd what
it serves (`examine_lines`). One rule of the reference is one `Code`; every finding says where it is.
"""

from __future__ import annotations

from olmv1.fbc.validation.examination import FileLines, SourceFile, examine_files, examine_lines
from olmv1.fbc.validation.finding import Code, Finding, Phase, Place, Severity, Subject
from olmv1.fbc.validation.tree import tree
from olmv1.fbc.validation.validator import Report, UsedImage, Validator

__all__ = [
    "Code",
    "FileLines",
    "Finding",
    "Phase",
    "Place",
    "Report",
    "Severity",
    "SourceFile",
    "Subject",
    "UsedImage",
    "Validator",
    "examine_files",
    "examine_lines",
    "tree",
]
