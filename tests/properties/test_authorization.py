"""Properties of the permission check: what is written is enough, the least, and missed to the letter."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from olmv1.manifests import Manifest
from operator_controller.authorization import (
    Account,
    Grants,
    Installer,
    KindMap,
    RbacSnapshot,
    Right,
    RightSet,
    compacted,
    installer_documents,
    missing_rights,
    needs_of,
    rights_in,
    wanted_rights,
)
from operator_controller.authorization.grouping import grouped
from tests.rbac import a_binding, a_role, a_rule, a_url_rule, an_account, an_object

ACCOUNT = Account("shop", "installer")


def _few(values: Sequence[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(values), min_size=1, max_size=3, unique=True)


_groups = st.sampled_from(["", "apps", "*"])
_resources = _few(["secrets", "pods", "pods/log", "*/log", "*"])
_verbs = _few(["get", "create", "patch", "*"])
_names = st.lists(st.sampled_from(["a", "b"]), max_size=2, unique=True)
_resource_rules = st.builds(
    lambda group, resources, verbs, names: a_rule(" ".join(resources), " ".join(verbs), *names, group=group),
    _groups,
    _resources,
    _verbs,
    _names,
)
_url_rules = st.builds(a_url_rule, st.sampled_from(["/a", "/a/b", "/a*", "/a**", "*"]), st.sampled_from(["get", "*"]))
_rules = st.lists(_resource_rules | _url_rules, max_size=4)
_resource_only = st.lists(_resource_rules, max_size=3)
_rights = st.builds(
    lambda rules, namespace: frozenset(rights_in(rules, namespace)), _rules, st.sampled_from(["", "shop"])
)
_objects = st.lists(
    st.builds(an_object, st.sampled_from(["Secret", "ConfigMap"]), st.sampled_from("ab"))
    | st.builds(lambda name, rules: a_role(name, *rules), st.sampled_from("xy"), _rules)
    | st.builds(lambda name, rules: a_role(name, *rules, namespace="shop"), st.sampled_from("xy"), _resource_only)
    | st.builds(a_binding, st.sampled_from("xyz"), st.just(an_account("op")), namespace=st.sampled_from(["", "shop"])),
    max_size=6,
)


def written(objects: Sequence[Manifest], grants: Grants) -> list[Manifest]:
    """What `olm rbac` writes for the objects."""
    wanted = wanted_rights([("1", needs_of(objects, KindMap(), RbacSnapshot()))], grants)
    return [document.manifest for document in installer_documents(Installer("x", ACCOUNT), wanted)]


def missing(objects: Sequence[Manifest], rbac: Sequence[Manifest]) -> frozenset[Right]:
    return missing_rights(objects, ACCOUNT, RbacSnapshot(rbac), KindMap()).rights


@given(_objects, st.sampled_from(Grants))
def test_written_rights_are_enough(objects: list[Manifest], grants: Grants) -> None:
    assert missing(objects, written(objects, grants)) == frozenset()


@given(_objects)
@settings(max_examples=60)
def test_check_names_exactly_the_rule_that_is_taken_away(objects: list[Manifest]) -> None:
    """Where the operator may not do everything itself: then its own rules let the account do the rest."""
    manifests = written(objects, Grants.HOLD)
    held = RightSet(right for each in manifests for right in rights_in(each.get("rules", ())))
    if held.covers(Right("", "rbac.authorization.k8s.io", "clusterroles", "x", "escalate")):
        return
    for index, manifest in enumerate(manifests):
        for rule in manifest.get("rules", ()):
            rest = {**manifest, "rules": [each for each in manifest["rules"] if each is not rule]}
            namespace = manifest["metadata"].get("namespace", "")
            changed = [*manifests[:index], rest, *manifests[index + 1 :]]
            assert missing(objects, changed) == frozenset(rights_in([rule], namespace))


@given(_objects)
def test_check_without_any_right_names_what_is_written(objects: list[Manifest]) -> None:
    """But for leave, which is written where rights cannot be held."""
    rights = [
        right
        for each in written(objects, Grants.HOLD)
        for right in rights_in(each.get("rules", ()), each["metadata"].get("namespace", ""))
    ]
    assert missing(objects, ()) == frozenset(rights)


@given(_rights, _rights)
def test_minimal_rights_cover_the_same(rights: frozenset[Right], questions: frozenset[Right]) -> None:
    every = RightSet(rights)
    least = RightSet(every.minimal())
    assert [least.covers(right) for right in (*rights, *questions)] == [
        every.covers(right) for right in (*rights, *questions)
    ]
    assert all(not RightSet(least.rights - {right}).covers(right) for right in least.rights)


@given(_rights)
def test_grouped_rules_give_exactly_the_rights(rights: frozenset[Right]) -> None:
    least = RightSet(rights).minimal()
    rules = grouped(least, lambda _: None)
    namespace = next((right.namespace for right in least), "")
    found = [right for rule in rules for right in rights_in([rule.to_rule()], namespace)]
    assert sorted(found) == sorted(least)


@given(st.permutations(list(rights_in([a_rule("pods secrets", "get list", "a"), a_url_rule("/a")]))))
def test_compacted_rules_do_not_depend_on_the_order(rights: list[Right]) -> None:
    assert compacted(rights) == compacted(sorted(rights))
