from __future__ import annotations

import pytest

from olm_cli.problems import BadInput, NotThere
from olm_cli.rolling_back.destination import destination_named, previous
from operator_controller.revisions.view import RevisionView
from tests.builders import a_view
from tests.packages import a_catalog, a_package, an_installed


def old(number: int, version: str = "1.0.0", *, has_succeeded: bool = True) -> RevisionView:
    return a_view(number, version, has_succeeded=has_succeeded, is_active=False)


@pytest.mark.parametrize(
    ("revisions", "name", "origin"),
    [
        pytest.param([old(1), a_view(2, "1.1.0")], "lantern.v1.0.0", "lantern-1", id="the one before"),
        pytest.param(
            [old(1), old(2, "1.1.0"), a_view(3, "1.1.0")],
            "lantern.v1.0.0",
            "lantern-1",
            id="not the same bundle with another configuration",
        ),
        pytest.param(
            [old(1), old(2, "1.1.0", has_succeeded=False), a_view(3, "1.2.0")],
            "lantern.v1.0.0",
            "lantern-1",
            id="not one that never succeeded",
        ),
        pytest.param(
            [old(1), a_view(2, "1.1.0"), a_view(3, "1.2.0", has_succeeded=False)],
            "lantern.v1.1.0",
            "lantern-2",
            id="what is installed while an upgrade is rolling out",
        ),
        pytest.param(
            [a_view(3), old(1), old(2, "1.1.0")],
            "lantern.v1.1.0",
            "lantern-2",
            id="forward again after a rollback, in whatever order they are listed",
        ),
    ],
)
def test_previous_is_the_last_other_bundle_that_succeeded(
    revisions: list[RevisionView], name: str, origin: str
) -> None:
    found = previous("lantern", revisions)
    assert (found.bundle.name, found.bundle.catalog) == (name, "lights")
    assert found.origin == f"revision {origin}, the last one that succeeded before"


@pytest.mark.parametrize(
    ("revisions", "message"),
    [
        pytest.param(
            [],
            'ClusterExtension "lantern" has no active revision: there is nothing to go back from',
            id="nothing is installed",
        ),
        pytest.param(
            [a_view(1)],
            'ClusterExtension "lantern" has no revision with another bundle that succeeded before "lantern.v1.0.0": '
            "name the version to go to with --to VERSION",
            id="first install",
        ),
    ],
)
def test_previous_says_what_is_missing(revisions: list[RevisionView], message: str) -> None:
    with pytest.raises(NotThere) as caught:
        previous("lantern", revisions)
    assert str(caught.value) == message


def test_named_destination_is_looked_up_in_the_catalogs() -> None:
    contents = (a_catalog(a_package(["1.0.0", "2.0.0"], {"stable": ["1.0.0", "2.0.0 (R 1.0.0)"]})),)
    assert destination_named("1.0.0", "p", contents).bundle.name == an_installed("1.0.0").name
    with pytest.raises(BadInput, match=r"^--to old: expected a version or the name of a bundle, and no catalog has a"):
        destination_named("old", "p", contents)
