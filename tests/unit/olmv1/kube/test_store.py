from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from olmv1.kube.store import Change, Store
from olmv1.manifests import Manifest
from olmv1.selectors import Selector


def an_object(name: str, *, version: str = "1", namespace: str = "shop", labels: dict[str, str] | None = None) -> Any:
    uid = f"{namespace}-{name}"
    return {
        "metadata": {
            "name": name,
            "namespace": namespace,
            "uid": uid,
            "resourceVersion": version,
            "labels": labels or {},
        }
    }


def by_app(manifest: Manifest) -> Iterable[str]:
    return [manifest["metadata"]["labels"].get("app", "none")]


def a_store(*objects: Manifest) -> Store:
    store = Store()
    store.add_index("app", by_app)
    for manifest in objects:
        store.put(manifest)
    return store


def test_put_says_what_changed() -> None:
    old, new = an_object("a"), an_object("a", version="2")
    store = a_store()
    assert [store.put(old), store.put(new)] == [Change("ADDED", old), Change("MODIFIED", new, old)]


def test_put_keeps_the_object_that_is_here_when_the_version_is_the_same() -> None:
    first = an_object("a")
    store = a_store(first)
    assert (store.put(an_object("a")), store.get(("shop", "a")) is first) == (None, True)


def test_put_sees_a_new_object_of_the_same_name_and_version() -> None:
    first, second = an_object("a"), an_object("a")
    second["metadata"]["uid"] = "other"
    assert a_store(first).put(second) == Change("MODIFIED", second, first)


def test_remove_tells_the_last_known_object() -> None:
    known, last = an_object("a"), an_object("a", version="9")
    assert a_store(known).remove(("shop", "a"), last) == Change("DELETED", last, known)
    assert a_store(known).remove(("shop", "a")) == Change("DELETED", known, known)
    assert a_store().remove(("shop", "a")) is None


def test_items_are_sorted_and_selected() -> None:
    till, desk = an_object("till", labels={"app": "x"}), an_object("desk", namespace="a", labels={"app": "y"})
    store = a_store(till, desk)
    assert store.items() == (desk, till)
    assert store.items(Selector.parse({"matchLabels": {"app": "x"}})) == (till,)
    assert (store.names(), len(store)) == ((("a", "desk"), ("shop", "till")), 2)


def test_by_index_follows_changes() -> None:
    store = a_store(an_object("a", labels={"app": "x"}), an_object("b", labels={"app": "x"}))
    moved = an_object("a", version="2", labels={"app": "y"})
    store.put(moved)
    store.remove(("shop", "b"))
    assert (store.by_index("app", "x"), store.by_index("app", "y")) == ((), (moved,))


def test_add_index_finds_objects_that_came_before() -> None:
    store = Store()
    store.put(an_object("a"))
    store.add_index("app", by_app)
    assert store.by_index("app", "none") == (an_object("a"),)


def test_put_compares_the_content_of_objects_without_a_version() -> None:
    old, new = ({"metadata": {"name": "a", "namespace": "shop", "labels": {"app": app}}} for app in ("x", "y"))
    store = a_store()
    assert [store.put(item) for item in (old, dict(old), new)] == [
        Change("ADDED", old),
        None,
        Change("MODIFIED", new, old),
    ]
