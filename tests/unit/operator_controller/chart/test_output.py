"""From what helm printed to objects: hooks, notes, namespaces."""

from __future__ import annotations

import re
from typing import Any

import pytest

from olmv1.served import Served
from operator_controller.chart import ChartError, Place, read_output
from operator_controller.chart.notes import LIMIT

PLACE = Place("shop", Served())
CONFIG_MAP = "---\n# Source: x\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
TEST = 'apiVersion: v1\nkind: Pod\nmetadata: {name: probe, annotations: {helm.sh/hook: "test"}}\n'
HOOK = (
    "apiVersion: batch/v1\nkind: Job\n"
    'metadata: {name: NAME, annotations: {helm.sh/hook: "pre-install, post-Upgrade"}}\n'
)
NOTES = 'apiVersion: extras.olm.operatorframework.io/internal\nkind: Notes\ntext: "TEXT"\n'


def read(*documents: str, place: Place = PLACE) -> tuple[Any, ...]:
    rendered = read_output("lantern", "---\n".join(documents).encode(), place)
    names = [(item["kind"], item["metadata"]["name"], item["metadata"].get("namespace")) for item in rendered.objects]
    return names, rendered.notes, rendered.warnings


def test_read_output_gives_objects_the_namespace_of_the_release() -> None:
    elsewhere = CONFIG_MAP.replace("name: a", "name: b, namespace: bank")
    assert read(CONFIG_MAP, elsewhere) == ([("ConfigMap", "a", "shop"), ("ConfigMap", "b", "bank")], None, ())


def test_read_output_gives_no_namespace_to_what_has_none() -> None:
    role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: a, namespace: shop}\n"
    lamp = "apiVersion: example.com/v1\nkind: Lamp\nmetadata: {name: a}\n"
    crd = (
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: bulbs.example.com}\n"
        "spec: {group: example.com, scope: Cluster, names: {kind: Bulb}}\n"
    )
    place = Place("shop", Served("1.36.3", frozenset(), frozenset({("example.com", "Lamp")})))
    found, _, _ = read(role, crd, lamp, lamp.replace("Lamp", "Bulb"), place=place)
    assert [namespace for _, _, namespace in found] == [None, None, None, None]


def test_read_output_takes_lists_apart() -> None:
    items = "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: a}}\n"
    assert read(items)[0] == [("Secret", "a", "shop")]


def test_read_output_leaves_tests_out() -> None:
    assert read(CONFIG_MAP, TEST) == ([("ConfigMap", "a", "shop")], None, ())


def test_read_output_refuses_hooks_by_name() -> None:
    message = (
        'chart "lantern" has hooks, which are not run: Job "a" (pre-install, post-upgrade); '
        'Job "b" (pre-install, post-upgrade); set the annotation extras.olm.operatorframework.io/chart-hooks to '
        '"Ignore" to install it without them'
    )
    with pytest.raises(ChartError, match=f"^{re.escape(message)}$"):
        read(CONFIG_MAP, HOOK.replace("NAME", "b"), HOOK.replace("NAME", "a"), TEST)


def test_read_output_ignores_hooks_on_demand_and_says_so() -> None:
    names, _, warnings = read(CONFIG_MAP, HOOK.replace("NAME", "a"), place=Place("shop", Served(), ignore_hooks=True))
    assert names == [("ConfigMap", "a", "shop")]
    assert warnings == ('hooks of chart "lantern" are left out: Job "a" (pre-install, post-upgrade)',)


def test_read_output_finds_the_notes() -> None:
    assert read(CONFIG_MAP, NOTES.replace("TEXT", "\\n Hello\\n")) == ([("ConfigMap", "a", "shop")], "Hello", ())


def test_read_output_cuts_long_notes() -> None:
    notes = read(CONFIG_MAP, NOTES.replace("TEXT", "x" * (LIMIT + 1)))[1]
    assert (len(notes), notes[-7:]) == (LIMIT, "\n[cut]\n")


@pytest.mark.parametrize(
    ("output", "message"),
    [
        pytest.param("", 'chart "lantern" renders no objects with this configuration', id="nothing"),
        pytest.param(TEST, 'chart "lantern" renders no objects with this configuration', id="only tests"),
        pytest.param(NOTES, 'chart "lantern" renders no objects with this configuration', id="only notes"),
        pytest.param("a: 1\n", 'error parsing objects in "chart lantern": ', id="no object"),
        pytest.param(
            "apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: a-}\n",
            'chart "lantern" renders objects without metadata.name: Job',
            id="no name",
        ),
    ],
)
def test_read_output_refuses(output: str, message: str) -> None:
    with pytest.raises(ChartError, match=f"^{re.escape(message)}"):
        read(output)


def test_object_without_a_kind_is_refused_without_its_content() -> None:
    with pytest.raises(ChartError) as raised:
        read_output("lantern", b"stringData: {password: hunter2}", Place("n", Served()))
    where = 'error parsing objects in "chart lantern": unable to decode "chart lantern"'
    assert str(raised.value) == f"{where}: Object 'Kind' is missing"
