from __future__ import annotations

from collections import Counter

import pytest

from olmv1.fbc import survey
from olmv1.fbc.validation import Code, Severity, SourceFile, examine_files
from tests.data import data_dir


@pytest.mark.data
def test_real_catalogs_pass() -> None:
    root = data_dir("catalogs")
    found = survey(root)
    report = examine_files(SourceFile(path.relative_to(root).as_posix(), path.read_bytes()) for path in found.files)
    assert [str(finding) for finding in report.findings if finding.severity is Severity.ERROR] == []
    assert (report.packages, report.channels, report.bundles) == (30, 89, 377)
    # What is said of them is true: `>=5.0.0` holds every later version, `>=1.22.0 <1.23.0` none.
    counts = Counter(finding.code for finding in report.findings)
    assert counts == {Code.SKIP_RANGE_OWN_VERSION: 1, Code.REQUIREMENT_ADVICE: 11}
