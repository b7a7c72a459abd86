from __future__ import annotations

from typing import Any

import pytest

from olmv1.errors import RetryableError
from olmv1.manifests import name_of
from operator_controller.bundle import BundleError, Property, parse_bundle
from tests.bundles import a_crd, a_csv, bundle_files


def named(kind: str, name: str) -> dict[str, Any]:
    return {"kind": kind, "metadata": {"name": name}}


def test_parse_bundle_sorts_objects_into_drawers_in_file_order() -> None:
    files = bundle_files(b=a_crd("bees"), a=a_crd("ants"), Z=named("Secret", "z"), d=named("Anything", "d"))
    bundle = parse_bundle({**files, "tests/x": b"\0", "Dockerfile": b"\0"})
    assert [name_of(crd) for crd in bundle.crds] == ["ants.example.com", "bees.example.com"]
    assert bundle.others == (named("Secret", "z"), named("Anything", "d"))
    assert (bundle.package, bundle.csv_name) == ("op", "op.v1.0.0")


def test_parse_bundle_takes_the_last_csv() -> None:
    second = {**a_csv(), "metadata": {"name": "op.v2.0.0"}}
    assert parse_bundle(bundle_files(dsv=second)).csv_name == "op.v2.0.0"


def test_parse_bundle_looks_only_at_the_kind() -> None:
    crd = {**a_crd(), "apiVersion": "apiextensions.k8s.io/v1beta1", "spec": {"version": "v1"}}
    [loaded] = parse_bundle(bundle_files(crd=crd)).crds
    spec = {"group": "", "names": {"plural": "", "kind": ""}, "scope": "", "versions": None}
    assert (loaded["apiVersion"], loaded["spec"]) == ("apiextensions.k8s.io/v1beta1", spec)


def test_parse_bundle_reads_any_file_name() -> None:
    bundle = parse_bundle({**bundle_files(), "manifests/.hidden": b"kind: A", "manifests/README.md": b""})
    assert bundle.others == ({"kind": "A"},)


def test_parse_bundle_merges_properties_into_the_annotations() -> None:
    csv = a_csv()
    csv["metadata"]["annotations"] = {"a": "b", "olm.properties": '[{"type": "x", "value": 1}]'}
    bundle = parse_bundle({**bundle_files(csv), "metadata/properties.yaml": b"properties: [{type: z, value: 2}]"})
    merged = '[{"type":"x","value":1},{"type":"z","value":2}]'
    assert bundle.annotations == {"a": "b", "olm.properties": merged}
    assert bundle.properties == (Property("x", 1), Property("z", 2))


def test_parse_bundle_returns_declared_dependencies() -> None:
    data = b"dependencies: [{type: olm.package, value: {packageName: other, version: '>1.0.0'}}]"
    bundle = parse_bundle({**bundle_files(), "metadata/dependencies.yaml": data})
    assert bundle.dependencies == (Property("olm.package", {"packageName": "other", "version": ">1.0.0"}),)


def test_parse_bundle_warns_of_dependencies_it_cannot_read() -> None:
    bundle = parse_bundle({**bundle_files(), "metadata/dependencies.yaml": b"- a"})
    words = "json: cannot unmarshal array into Go value of type map[string]interface {}"
    assert bundle.warnings == (f"failed to unmarshal metadata/dependencies.yaml: {words}",)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        pytest.param(
            {"metadata/annotations.yaml": None},
            "open metadata/annotations.yaml: no such file or directory",
            id="no annotations file",
        ),
        pytest.param({"manifests/csv.yaml": None}, "stat manifests: no such file or directory", id="no manifests"),
        pytest.param(
            {"manifests/sub/a.yaml": b""},
            'subdirectories are not allowed within the "manifests" directory of the bundle image filesystem: '
            'found "manifests/sub"',
            id="folder below manifests",
        ),
        pytest.param({"manifests/csv.yaml": b"kind: A"}, 'no ClusterServiceVersion found in "manifests"', id="no CSV"),
        pytest.param(
            {"metadata/properties.yaml": b"- a"},
            "failed to unmarshal metadata/properties.yaml: json: cannot unmarshal array into Go value of type "
            "map[string]interface {}",
            id="properties",
        ),
    ],
)
def test_parse_bundle_refuses_a_bundle_with_the_words_of_the_specification(
    changes: dict[str, bytes | None], message: str
) -> None:
    files = {path: data for path, data in {**bundle_files(), **changes}.items() if data is not None}
    with pytest.raises(BundleError) as caught:
        parse_bundle(files)
    assert (str(caught.value), caught.value.reason) == (message, "Blocked")


def test_parse_bundle_meets_files_in_walk_order() -> None:
    files = {**bundle_files(), "manifests/b/x.yaml": b"", "manifests/a.yaml": b"text"}
    with pytest.raises(BundleError, match=r'unable to decode "manifests/a.yaml"'):
        parse_bundle(files)


@pytest.mark.parametrize(
    ("spec", "words", "place"),
    [
        ({"version": "one"}, 'Invalid character(s) found in major number "0one"', "spec.version"),
        ({"version": 1.0}, "json: cannot unmarshal number into Go value of type string", "spec.version"),
        ({"release": "a_b"}, 'Invalid character(s) found in prerelease "a_b"', "spec.release"),
        ({"install": {"spec": {"deployments": {}}}}, "cannot restore slice from map", "spec.install.spec.deployments"),
        ({"installModes": [{"type": 1}]}, "cannot convert int64 to string", "spec.installModes[0].type"),
    ],
)
def test_parse_bundle_adds_object_and_path_to_a_conversion_error(spec: Any, words: str, place: str) -> None:
    with pytest.raises(BundleError) as caught:
        parse_bundle(bundle_files(a_csv(**spec)))
    assert str(caught.value) == (
        f'error parsing objects in "manifests/csv.yaml": {words} '
        f'(document 1, ClusterServiceVersion "op.v1.0.0", {place})'
    )


def test_parse_bundle_as_reference_names_no_place_and_retries() -> None:
    with pytest.raises(RetryableError) as caught:
        parse_bundle(bundle_files(a_csv(release="a_b")), as_reference=True)
    words = 'error parsing objects in "manifests/csv.yaml": Invalid character(s) found in prerelease "a_b"'
    assert str(caught.value) == words


def test_parse_bundle_remembers_the_files() -> None:
    files = bundle_files(a=a_crd("ants"), b={"kind": "List", "items": [named("Secret", "x"), a_crd("bees")]})
    bundle = parse_bundle(files)
    assert bundle.csv_path == "manifests/csv.yaml"
    assert bundle.crd_paths == ("manifests/a.yaml", "manifests/b.yaml")
    assert bundle.other_paths == ("manifests/b.yaml",)


def test_parse_bundle_takes_namesakes_of_other_groups_for_what_they_are_not() -> None:
    strange = {**a_csv(), "apiVersion": "example.com/v1", "metadata": {"name": "strange"}}
    crd = {**a_crd(), "apiVersion": "example.com/v1"}
    bundle = parse_bundle(bundle_files(dsv=strange, crd=crd))
    assert (bundle.csv_name, bundle.crds, bundle.others) == ("op.v1.0.0", (), (crd, strange))
    reference = parse_bundle(bundle_files(dsv=strange, crd=crd), as_reference=True)
    assert (reference.csv_name, len(reference.crds), reference.others) == ("strange", 1, ())


def test_parse_bundle_takes_objects_without_api_version_by_their_kind() -> None:
    csv = {key: value for key, value in a_csv().items() if key != "apiVersion"}
    assert parse_bundle(bundle_files(csv)).csv_name == "op.v1.0.0"


def test_parse_bundle_warns_of_fields_that_it_loses() -> None:
    csv = a_csv()
    csv["spec"]["install"]["spec"]["deployments"][0]["labels"] = {"a": "b"}
    assert parse_bundle(bundle_files(csv)).warnings == (
        'manifests/csv.yaml: ClusterServiceVersion "op.v1.0.0": unknown fields were dropped: '
        "spec.install.spec.deployments[0].labels",
    )


def test_parse_bundle_warns_of_broken_dependencies_and_keeps_them() -> None:
    data = b"dependencies: [{type: olm.label, value: {}}]"
    bundle = parse_bundle({**bundle_files(), "metadata/dependencies.yaml": data})
    assert bundle.dependencies == (Property("olm.label", {}),)
    assert bundle.warnings == ("metadata/dependencies.yaml: dependencies[0]: Label information is missing",)
