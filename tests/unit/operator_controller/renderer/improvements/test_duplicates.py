from __future__ import annotations

from typing import Any

import pytest

from operator_controller.bundle import Bundle, BundleError
from operator_controller.renderer.improvements.duplicates import duplicates
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle


def an_object(kind: str, **members: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": "a"}, **members}


def bundle_with(*others: Any) -> Bundle:
    return a_bundle(others=others, other_paths=tuple(f"manifests/{index}.yaml" for index in range(len(others))))


def test_duplicates_that_are_equal_collapse_into_the_first() -> None:
    given = (an_object("Role", rules=[1]), {"kind": "Secret"}, an_object("Role", rules=[1]))
    result = duplicates(given, Rendering(bundle_with(given[0], given[2]), "ns", ("",)))
    assert result.objects == given[:2]
    assert result.warnings == ('Role "a" is rendered once; it comes from manifests/0.yaml and manifests/1.yaml',)


def test_duplicates_of_another_namespace_or_group_are_none() -> None:
    elsewhere = {**an_object("Role"), "metadata": {"name": "a", "namespace": "b"}}
    given = (an_object("Role"), elsewhere, {**an_object("Role"), "apiVersion": "x/v1"})
    assert duplicates(given, Rendering(bundle_with(*given), "ns", ("",))).objects == given


def test_duplicates_prefer_the_generated_object_with_the_additions_of_the_author() -> None:
    generated = an_object("ServiceAccount")
    authored = an_object(
        "ServiceAccount", imagePullSecrets=[{"name": "s"}], metadata={"name": "a", "labels": {"l": "1"}}
    )
    result = duplicates((generated, authored), Rendering(bundle_with(authored), "ns", ("",)))
    assert result.objects == ({**authored, "metadata": {"name": "a", "labels": {"l": "1"}}},)
    assert result.warnings == (
        'ServiceAccount "a" is rendered once; it comes from the ClusterServiceVersion and manifests/0.yaml',
    )


def test_duplicates_that_contradict_each_other_are_refused_with_both_sources() -> None:
    given = (an_object("ConfigMap", data={"k": "1"}), an_object("ConfigMap", data={"k": "2"}))
    with pytest.raises(BundleError) as caught:
        duplicates(given, Rendering(bundle_with(*given), "ns", ("",)))
    assert str(caught.value) == 'ConfigMap "a" is in manifests/0.yaml and in manifests/1.yaml with different data.k'


def test_duplicates_need_no_files_to_be_found() -> None:
    given = (an_object("ConfigMap"), an_object("ConfigMap"))
    result = duplicates(given, Rendering(a_bundle(others=given), "ns", ("",)))
    assert result.warnings == ('ConfigMap "a" is rendered once; it comes from manifests and manifests',)
