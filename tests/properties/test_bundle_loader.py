from __future__ import annotations

import json
import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from olmv1.errors import OlmError
from operator_controller.bundle import BundleError, parse_bundle
from operator_controller.renderer import Certificates, RenderOptions, render, render_with_findings
from tests.bundles import a_crd, a_csv, a_webhook, bundle_files

_QUICK = settings(derandomize=True, deadline=None, max_examples=60)

_SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
_JSON = st.recursive(_SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner))
_YAML_PIECES = st.sampled_from(
    [
        "kind: ",
        "a",
        "List",
        "items",
        ":",
        "\n",
        "  ",
        "- ",
        "---\n",
        "{",
        "}",
        "[",
        "]",
        "&x",
        "*x",
        "<<: ",
        "1e999",
        "'",
    ]
)
_YAML = st.lists(_YAML_PIECES, max_size=30).map("".join).map(str.encode)
_PATHS = st.sampled_from(["metadata/annotations.yaml", "metadata/properties.yaml", "metadata/dependencies.yaml"])
_MANIFESTS = st.sampled_from(["manifests/csv.yaml", "manifests/crd.yaml", "manifests/a", "manifests/sub/a", "x/y"])


def places_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value inside `value`."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, item in members for found in places_in(item, (*path, key)))]


def with_value(value: Any, path: tuple[Any, ...], replacement: Any) -> Any:
    """A copy of `value` with something else at `path`."""
    if not path:
        return replacement
    copy = value.copy()
    copy[path[0]] = with_value(value[path[0]], path[1:], replacement)
    return copy


def parsed(files: dict[str, bytes]) -> Any:
    """What the loader and the renderer give, an error as its text; anything but an OlmError escapes."""
    try:
        return render(parse_bundle(files), RenderOptions("ns", certificates=Certificates.CERT_MANAGER, api_roles=True))
    except OlmError as error:
        return str(error)


@_QUICK
@given(st.dictionaries(_PATHS | _MANIFESTS, st.binary(max_size=60) | _YAML | _JSON.map(json.dumps).map(str.encode)))
def test_parse_bundle_raises_only_errors_of_the_domain_for_any_files(files: dict[str, bytes]) -> None:
    parsed({**bundle_files(), **files})


@settings(_QUICK, max_examples=120)
@given(st.data())
def test_parse_bundle_raises_only_errors_of_the_domain_for_broken_objects(data: st.DataObject) -> None:
    webhooks = [a_webhook(rules=[{"apiGroups": ["a"]}]), a_webhook("c", "Conversion", conversionCRDs=["x"])]
    manifests: dict[str, Any] = {
        "csv": a_csv(version="1.0.0", webhookdefinitions=webhooks),
        "crd": a_crd(versions=[{"name": "v1", "schema": {}}]),
        "service": {
            "kind": "Service",
            "metadata": {"name": "op-service"},
            "spec": {"selector": {}, "ports": [{"name": "a", "port": 443, "targetPort": 1}]},
        },
        "binding": {
            "kind": "RoleBinding",
            "metadata": {"name": "b"},
            "subjects": [{"kind": "ServiceAccount", "name": "a"}],
        },
    }
    name = data.draw(st.sampled_from(sorted(manifests)))
    path = data.draw(st.sampled_from(places_in(manifests[name])))
    manifests[name] = with_value(manifests[name], path, data.draw(_JSON))
    parsed(bundle_files(**manifests))


@_QUICK
@given(st.text(max_size=40) | _JSON.map(json.dumps))
def test_parse_bundle_raises_only_errors_of_the_domain_for_any_properties(text: str) -> None:
    csv = a_csv()
    csv["metadata"]["annotations"] = {"olm.properties": text}
    parsed({**bundle_files(csv), "metadata/properties.yaml": b"properties: [{type: a, value: 1}]"})


_CASES = 5000
_WHOLE = {
    **bundle_files(
        a_csv(version="1.0.0", webhookdefinitions=[a_webhook()]),
        crd=a_crd(versions=[{"name": "v1", "schema": {"openAPIV3Schema": {"type": "object"}}}]),
        service={"kind": "Service", "metadata": {"name": "op-service"}, "spec": {"ports": [{"port": 443}]}},
        binding={"kind": "ClusterRoleBinding", "metadata": {"name": "b"}, "subjects": [{"kind": "ServiceAccount"}]},
    ),
    "metadata/properties.yaml": b"properties:\n- {type: a, value: 1}\n",
    "metadata/dependencies.yaml": b"dependencies:\n- {type: olm.gvk, value: {group: g, version: v1, kind: K}}\n",
}
_SNIPPETS = [
    b"",
    b"\0",
    b"\xff",
    b"[",
    b"}",
    b'"',
    b":",
    b"null",
    b"0",
    b"-",
    b"---\n",
    b"\n",
    b"&a",
    b"*a",
    b"<<",
    b"!!set",
]


def test_parse_bundle_raises_only_errors_of_the_domain_for_5000_broken_files() -> None:
    # A seeded generator: ten times the speed of a shrinking one, and the number of the case finds it again.
    for number in range(_CASES):
        chosen = random.Random(number)
        path = chosen.choice(sorted(_WHOLE))
        data, as_reference = _WHOLE[path], chosen.random() < 0.3
        at = chosen.randrange(len(data) + 1)
        broken = data[:at] + chosen.choice(_SNIPPETS) + data[at + chosen.choice((0, 0, 1, 5, 40)) :]
        try:
            assert rendered_twice({**_WHOLE, path: broken}, as_reference=as_reference), (number, path, broken)
        except OlmError:
            continue


def rendered_twice(files: dict[str, bytes], *, as_reference: bool) -> bool:
    """Whether two renderings of one bundle are the same bytes."""
    bundle = parse_bundle(files, as_reference=as_reference)
    options = RenderOptions("ns", as_reference=as_reference, certificates=Certificates.SELF_SIGNED, api_roles=True)
    first, second = (json.dumps(render_with_findings(bundle, options).objects) for _ in range(2))
    return first == second


@_QUICK
@given(st.permutations(sorted(bundle_files(b=a_crd("bees"), a=a_crd("ants")).items())))
def test_parse_bundle_does_not_depend_on_the_order_of_the_files(items: list[tuple[str, bytes]]) -> None:
    assert parse_bundle(dict(items)) == parse_bundle(dict(sorted(items)))


def test_parse_bundle_refuses_every_cut_of_a_csv_or_reads_it() -> None:
    whole = json.dumps(a_csv(), indent=1).encode()
    for end in range(len(whole)):
        files = {**bundle_files(), "manifests/csv.yaml": whole[:end]}
        try:
            parse_bundle(files)
        except BundleError:
            continue
        raise AssertionError(f"the first {end} bytes were taken for a CSV")
