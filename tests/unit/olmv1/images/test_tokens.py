"""Authentication against a real registry: basic, bearer, refresh tokens, and what is remembered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from olmv1.errors import RetryableError
from olmv1.images.credentials import ANONYMOUS, Credential, Credentials
from olmv1.images.settings import ImageSettings
from tests.oci_images import a_layer, an_image
from tests.registry import Fault, Login, Registry
from tests.unit.olmv1.images.conftest import MakePuller

IMAGE = an_image([a_layer({"a": b"1"})])


def login(registry: Registry, credential: Credential, path: str = "") -> Credentials:
    return Credentials({f"{registry.host}{path}": credential})


Refused = Callable[[Registry, Credentials], Awaitable[str]]


@pytest.fixture
def refused(settings: ImageSettings, make_puller: MakePuller) -> Refused:
    """The message of the failure to resolve an image."""

    async def message(registry: Registry, credentials: Credentials) -> str:
        with pytest.raises(RetryableError) as caught:
            await resolve(make_puller, settings, registry, credentials)
        return str(caught.value)

    return message


async def resolve(
    make_puller: MakePuller, settings: ImageSettings, registry: Registry, credentials: Credentials
) -> str:
    registry.push("team/bundle", "v1", IMAGE)
    async with make_puller(settings, credentials) as puller:
        return await puller.resolve(f"{registry.host}/team/bundle:v1")


async def test_basic_is_used_when_asked_for(
    basic_registry: Registry, settings: ImageSettings, make_puller: MakePuller
) -> None:
    credentials = login(basic_registry, Credential("me", "secret"), "/team")
    assert await resolve(make_puller, settings, basic_registry, credentials) == IMAGE.digest
    sent = ["Authorization" in request.headers for request in basic_registry.requests]
    assert sent == [False, True]


async def test_bearer_fetches_one_token_for_all_requests(
    bearer_registry: Registry, settings: ImageSettings, make_puller: MakePuller
) -> None:
    registry = bearer_registry
    ref = registry.push("team/bundle", "v1", IMAGE)
    async with make_puller(settings, login(registry, Credential("me", "secret"))) as puller:
        await puller.resolve(f"{registry.host}/team/bundle:v1")
        await puller.pull_files(ref, on_file=lambda _name, _data: None)
    assert registry.asked()[:3] == [
        "HEAD /v2/team/bundle/manifests/v1",
        "GET /token",
        "HEAD /v2/team/bundle/manifests/v1",
    ]
    assert registry.tokens == ["token-0"]


async def test_bearer_exchanges_a_refresh_token(
    bearer_registry: Registry, settings: ImageSettings, make_puller: MakePuller
) -> None:
    credentials = login(bearer_registry, Credential(identity_token="refresh-me"))
    assert await resolve(make_puller, settings, bearer_registry, credentials) == IMAGE.digest
    asked = next(request for request in bearer_registry.requests if request.path == "/token")
    assert (asked.method, dict(asked.form)) == (
        "POST",
        {
            "grant_type": "refresh_token",
            "refresh_token": "refresh-me",
            "client_id": "olmv1",
            "service": "tests",
            "scope": "repository:team/bundle:pull",
        },
    )


async def test_bearer_takes_a_registry_token_as_it_is(
    bearer_registry: Registry, settings: ImageSettings, make_puller: MakePuller
) -> None:
    bearer_registry.tokens.append("given")
    credentials = login(bearer_registry, Credential(registry_token="given"))
    assert await resolve(make_puller, settings, bearer_registry, credentials) == IMAGE.digest
    assert "GET /token" not in bearer_registry.asked()


async def test_bearer_renews_a_token_that_the_registry_refuses(
    bearer_registry: Registry, settings: ImageSettings, make_puller: MakePuller
) -> None:
    registry = bearer_registry
    registry.push("team/bundle", "v1", IMAGE)
    async with make_puller(settings, login(registry, Credential("me", "secret"))) as puller:
        await puller.resolve(f"{registry.host}/team/bundle:v1")
        registry.tokens[:] = ["revoked"]
        assert await puller.resolve(f"{registry.host}/team/bundle:v1") == IMAGE.digest
    assert registry.tokens == ["revoked", "token-1"]


async def test_bearer_fetches_a_new_token_when_the_old_one_ends(
    bearer_registry: Registry, settings: ImageSettings, make_puller: MakePuller
) -> None:
    registry = bearer_registry
    registry.login = Login("bearer", token_life_s=5)
    registry.push("team/one", "v1", IMAGE)
    registry.push("team/two", "v1", IMAGE)
    async with make_puller(settings, login(registry, Credential("me", "secret"))) as puller:
        for name in ("one", "two"):
            await puller.resolve(f"{registry.host}/team/{name}:v1")
    assert registry.tokens == ["token-0", "token-1"]


@pytest.mark.parametrize(
    ("kind", "credential", "problem"),
    [
        ("basic", None, "401 Unauthorized: no credentials are configured for it"),
        ("basic", Credential(identity_token="x"), "401 Unauthorized: the credentials do not fit"),
        ("bearer", None, "token server 127.0.0.1: 401 Unauthorized: wrong login"),
        ("bearer", Credential("me", "wrong"), "token server 127.0.0.1: 401 Unauthorized: wrong login"),
    ],
)
async def test_a_refusal_names_the_registry_and_whether_there_were_credentials(
    basic_registry: Registry, refused: Refused, kind: str, credential: Credential | None, problem: str
) -> None:
    basic_registry.login = Login(kind)
    message = await refused(basic_registry, login(basic_registry, credential) if credential else ANONYMOUS)
    assert message == (f"error creating image source: pinging container registry {basic_registry.host}: {problem}")


async def test_a_refusal_of_basic_credentials_is_the_registrys_answer(
    basic_registry: Registry, settings: ImageSettings, make_puller: MakePuller
) -> None:
    with pytest.raises(RetryableError) as caught:
        await resolve(make_puller, settings, basic_registry, login(basic_registry, Credential("me", "wrong")))
    assert str(caught.value) == (
        f"error creating image source: reading manifest v1 in {basic_registry.host}/team/bundle: "
        "401 Unauthorized: authentication required"
    )
    assert "wrong" not in str(caught.value)


@pytest.mark.parametrize(
    ("challenge", "problem"),
    [
        (
            'Bearer realm="http://auth.example/token"',
            "its token server http://auth.example is not protected by TLS, which is refused",
        ),
        ('Bearer realm="ftp://auth.example"', "its token server is not an address"),
        ("Negotiate", "401 Unauthorized: no credentials are configured for it"),
    ],
)
async def test_an_unusable_challenge_is_refused(
    registry: Registry, settings: ImageSettings, make_puller: MakePuller, challenge: str, problem: str
) -> None:
    registry.fail(Fault("HEAD", status=401, headers={"WWW-Authenticate": challenge}))
    with pytest.raises(RetryableError) as caught:
        await resolve(make_puller, settings, registry, ANONYMOUS)
    assert str(caught.value).endswith(f"{registry.host}: {problem}")


@pytest.mark.parametrize("answer", [b"{}", b"[]", b"x", b'{"token": 1}', b'{"token": "\\n"}'])
async def test_an_answer_without_token_is_refused(
    bearer_registry: Registry, settings: ImageSettings, make_puller: MakePuller, answer: bytes
) -> None:
    registry = bearer_registry
    registry.fail(
        Fault(
            "HEAD",
            status=401,
            headers={"WWW-Authenticate": f'Bearer realm="https://{registry.host}/v2/team/bundle/manifests/v1"'},
        )
    )
    registry.fail(Fault("GET", content=answer))
    registry.login = None
    with pytest.raises(RetryableError) as caught:
        await resolve(make_puller, settings, registry, ANONYMOUS)
    assert str(caught.value).endswith("token server 127.0.0.1: the answer holds no token")


async def test_credentials_stay_with_their_registry_when_a_blob_is_redirected(
    basic_registry: Registry, registry: Registry, settings: ImageSettings, make_puller: MakePuller
) -> None:
    ref = basic_registry.push("team/bundle", "v1", IMAGE)
    registry.push("team/bundle", "v1", IMAGE)
    layer = next(iter(list(IMAGE.blobs)[1:]))
    target = f"https://{registry.host}/v2/team/bundle/blobs/{layer}"
    basic_registry.fail(Fault("blobs", redirect=target))
    async with make_puller(settings, login(basic_registry, Credential("me", "secret"))) as puller:
        pulled = await puller.pull_files(ref, on_file=lambda _name, _data: None)
    assert pulled.file_count == 1
    assert ["Authorization" in request.headers for request in registry.requests] == [False]
