from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest

from olmv1.api.cluster_extension import ClusterExtension
from olmv1.served import Served
from operator_controller.contents import Content, ContentOptions, RegistryBundle, Rendered
from operator_controller.reconcilers.ports import ExtensionPorts
from operator_controller.reconcilers.preparation import Job, Preparation
from operator_controller.renderer import Certificates
from operator_controller.revisions.desired import BundleIdentity
from operator_controller.target import Target, additions_of, rollout_of
from tests.builders import an_extension
from tests.bundles import a_bundle

EXTRAS = "extras.olm.operatorframework.io"


class Images:
    """A registry whose tags mean another image each time."""

    def __init__(self) -> None:
        self.pulls = 0

    async def load(self, ref: str) -> Content:
        self.pulls += 1
        return RegistryBundle(a_bundle(), digest=f"{ref}@sha256:{self.pulls}")

    async def render(self, content: Content, options: ContentOptions) -> Rendered:  # noqa: ARG002 - any will do
        return Rendered(({"kind": "ConfigMap", "metadata": {"name": options.extension}},), None, ())


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class World:
    def __init__(self) -> None:
        self.images, self.clock = Images(), Clock()
        platform = SimpleNamespace(certificates=lambda _: Certificates.NONE)
        ports = SimpleNamespace(contents=self.images, platform=platform, conditions=None)
        self.preparation = Preparation(cast("ExtensionPorts", ports), self.clock)

    async def digest(self, name: str = "lantern", **changes: Any) -> str:
        return (await self.preparation.of(a_job(name, **changes))).digest


def a_job(
    name: str = "lantern",
    *,
    version: str = "1.0.0",
    annotations: Mapping[str, str] | None = None,
    served: Served = Served("1.36.3"),  # noqa: B008 - a frozen value
    **spec: Any,
) -> Job:
    manifest = an_extension(**spec)
    changed = {"name": name, "uid": f"uid-{name}", "annotations": dict(annotations or {})}
    manifest = {**manifest, "metadata": {**manifest["metadata"], **changed}}
    ext, bundle = ClusterExtension.parse(manifest), BundleIdentity("lantern", f"lantern.v{version}", version, None, "i")
    additions = additions_of(ext.annotations, {})
    return Job(ext, manifest, Target(bundle), served, additions, rollout_of(ext, bundle, additions))


async def test_content_is_kept_while_nothing_that_it_depends_on_changes() -> None:
    world = World()
    harmless = {f"{EXTRAS}/approve": "0123456789abcdef0123456789abcdef"}
    assert [await world.digest(), await world.digest(annotations=harmless)] == ["i@sha256:1"] * 2


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"version": "1.1.0"}, id="another bundle"),
        pytest.param({"config": {"configType": "Inline", "inline": {"a": "b"}}}, id="another configuration"),
        pytest.param({"annotations": {f"{EXTRAS}/api-roles": "true"}}, id="more objects"),
        pytest.param({"annotations": {f"{EXTRAS}/requested-at": "now"}}, id="a person asks for another look"),
        pytest.param({"served": Served("1.37.0")}, id="another cluster"),
    ],
)
async def test_content_is_made_anew_when_something_changes(changes: dict[str, Any]) -> None:
    world = World()
    await world.digest()
    assert [await world.digest(**changes), await world.digest(**changes)] == ["i@sha256:2"] * 2


async def test_content_is_made_anew_after_ten_minutes_and_when_it_was_dropped() -> None:
    world = World()
    await world.digest()
    world.clock.now = 601
    assert await world.digest() == "i@sha256:2"
    world.preparation.forget("lantern")
    assert await world.digest() == "i@sha256:3"


async def test_content_of_eight_extensions_is_kept() -> None:
    world = World()
    names = [f"lantern-{number}" for number in range(9)]
    for name in names:
        await world.digest(name)
    assert await world.digest(names[1]) == "i@sha256:2"
    assert await world.digest(names[0]) == "i@sha256:10"
