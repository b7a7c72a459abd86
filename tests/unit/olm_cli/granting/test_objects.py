from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from olm_cli.granting import Read, Wish, objects_at
from olm_cli.problems import CannotTell
from olmv1.manifests import key_of
from olmv1.served import Served
from operator_controller.bundle import parse_bundle
from operator_controller.contents import RegistryBundle, content_of
from tests.bundles import a_csv, bundle_files
from tests.charts import chart_files
from tests.helm import helm_path
from tests.rbac import a_rule


async def kinds(served: Served) -> list[str]:
    """The kinds of the objects of an operator that reports through an OperatorCondition."""
    csv = a_csv()
    rules = [a_rule("operatorconditions", "get", group="operators.coreos.com")]
    csv["spec"]["install"]["spec"]["permissions"] = [{"serviceAccountName": "op", "rules": rules}]
    read = Read(RegistryBundle(parse_bundle(bundle_files(csv))), "op", "1.0.0")
    version = await objects_at(read, Wish("op", "op-system", served=served))
    return sorted(key_of(manifest).kind for manifest in version.objects)


async def test_objects_hold_the_operator_condition_where_the_cluster_has_that_api() -> None:
    without = await kinds(Served())
    served = Served("1.36.3", frozenset({("operators.coreos.com", "v2", "OperatorCondition")}))
    assert "OperatorCondition" not in without
    assert await kinds(served) == sorted([*without, "OperatorCondition", "Role", "RoleBinding"])


async def test_objects_of_a_chart_with_hooks_need_the_word_of_the_extension(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(Path(helm_path()).parent), prepend=os.pathsep)
    hook = "apiVersion: v1\nkind: Pod\nmetadata: {name: probe, annotations: {helm.sh/hook: pre-install}}\n"
    read = Read(content_of(chart_files({"templates/hook.yaml": hook}), is_chart=True), "lantern", "1.0.0")
    wish = Wish("lantern", "shop", served=Served("1.36.3", frozenset({("", "v1", "ConfigMap"), ("", "v1", "Pod")})))
    with pytest.raises(CannotTell, match='chart "lantern" has hooks, which are not run'):
        await objects_at(read, wish)
    version = await objects_at(read, replace(wish, ignore_hooks=True))
    assert [key_of(manifest).kind for manifest in version.objects] == ["ConfigMap"]
