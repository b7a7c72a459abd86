from __future__ import annotations

from operator_controller.bundle import BundleError


def test_bundle_error_joins_findings_and_keeps_their_words() -> None:
    error = BundleError.joined([("a", "x"), ("b", "")])
    assert (str(error), error.words, error.place, error.reason) == ("a (x)\nb", "a\nb", "", "Blocked")
