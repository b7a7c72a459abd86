"""A person who is no administrator installs, upgrades and removes, with the admission policies in force."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from devcluster.cluster import Cluster
from devcluster.waiting import wait_for
from e2e.world import World
from tests.api.operators import Operator, bundle_of, running_world
from tests.api.people import Person, granting, role_for, writers_of_extensions


@pytest.fixture(scope="module")
def world(olm: Cluster) -> Iterator[World]:
    with running_world(olm) as made:
        yield made


@pytest.fixture
def operator(world: World) -> Iterator[Operator]:
    """An operator of two versions, whose account may do everything."""
    made = Operator(world)
    made.prepare().publish({version: bundle_of(made.name, version) for version in ("1.0.0", "1.1.0")})
    yield made
    made.delete()
    made.wait_nothing_left()
    made.forget()


def test_person_who_may_use_the_account_installs_upgrades_and_removes(operator: Operator) -> None:
    ann, name = Person(operator.world.cluster, "ann"), operator.name
    wanted = operator.manifest(version="1.0.0")
    with writers_of_extensions(ann.cluster):
        assert ann.create(wanted, keep=True).startswith('user "ann" may not install as service account "installer"')
        with granting(ann.cluster, *role_for("ann", operator.namespace, "installer", "use")):
            wait_for(lambda: ann.create(wanted, keep=True) == "", "the right to count")
        operator.wait_installed("1.0.0")
        newer = {"spec": {"source": {"catalog": {"version": "1.1.0"}}}}
        assert ann.patch("clusterextension", name, newer, keep=True) == ""
        operator.wait_installed("1.1.0")
        assert ann.delete("clusterextension", name) == ""
        operator.wait_nothing_left()
