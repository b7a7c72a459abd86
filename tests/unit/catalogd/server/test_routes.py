from __future__ import annotations

import pytest

from catalogd.server.routes import Endpoint, NoRoute, Redirect, Route, route_of

BOTH = frozenset(Endpoint)


@pytest.mark.parametrize(
    ("path", "route"),
    [
        ("/catalogs/team/api/v1/all", Route(Endpoint.ALL, "team")),
        ("/catalogs/team.a/api/v1/metas", Route(Endpoint.METAS, "team.a")),
        ("/catalogs/a%2Fb/api/v1/all", Route(Endpoint.ALL, "a/b")),
        ("/catalogs/%2e%2e/api/v1/all", Route(Endpoint.ALL, "..")),
    ],
)
def test_route_of_finds_the_endpoint_and_decodes_the_name(path: str, route: Route) -> None:
    assert route_of(path, BOTH) == route


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/catalogs",
        "/catalogs/team/api/v1/all/",
        "/catalogs/team/api/v1/graphql",
        "/catalogs/team/api/v2/all",
        "/x",
    ],
)
def test_route_of_knows_no_other_path(path: str) -> None:
    assert isinstance(route_of(path, BOTH), NoRoute)


def test_route_of_knows_no_endpoint_that_is_switched_off() -> None:
    assert isinstance(route_of("/catalogs/team/api/v1/metas", frozenset({Endpoint.ALL})), NoRoute)


@pytest.mark.parametrize(
    ("path", "cleaned"),
    [
        ("//catalogs/team/api/v1/all", "/catalogs/team/api/v1/all"),
        ("/catalogs/./team/api//v1/all", "/catalogs/team/api/v1/all"),
        ("/catalogs/x/../team/api/v1/all", "/catalogs/team/api/v1/all"),
        ("/../..", "/"),
        ("/catalogs//", "/catalogs/"),
    ],
)
def test_route_of_redirects_to_the_cleaned_path(path: str, cleaned: str) -> None:
    assert route_of(path, BOTH) == Redirect(cleaned)
