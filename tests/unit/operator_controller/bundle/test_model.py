from __future__ import annotations

from tests.bundles import a_bundle


def test_suggested_namespace_is_an_annotation_of_the_csv() -> None:
    assert a_bundle().suggested_namespace == ""
    annotations = {"operatorframework.io/suggested-namespace": "there"}
    assert a_bundle(annotations=annotations).suggested_namespace == "there"
