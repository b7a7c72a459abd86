"""Certificates per host, from `--pull-cas-dir` and `certs.d`."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest

from olmv1.errors import RetryableError
from olmv1.images.trust import TrustFiles, TrustStore
from tests.registry_tls import Authority


@pytest.fixture
def cas(tmp_path: Path) -> Path:
    folder = tmp_path / "pull-cas"
    folder.mkdir()
    return folder


def put(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


async def test_files_for_joins_own_system_and_general_files(cas: Path, tmp_path: Path, authority: Authority) -> None:
    ca = authority.ca_file.read_bytes()
    general = put(cas / "any-name.pem", ca)
    put(cas / "README", b"no certificate")
    put(cas / ".hidden.crt", ca)
    own = put(cas / "r.example:5000" / "ca.crt", ca)
    put(cas / "r.example:5000" / "notes.pem", ca)
    first, second = tmp_path / "one", tmp_path / "two"
    system = put(first / "r.example:5000" / "b.crt", ca)
    put(second / "r.example:5000" / "c.crt", ca)
    client = (put(first / "r.example:5000" / "me.cert", ca), put(first / "r.example:5000" / "me.key", b"k"))
    store = TrustStore(cas, (first, second))
    assert await store.files_for("r.example:5000") == TrustFiles((own, system, general), client)
    assert await store.files_for("r.example") == TrustFiles((general,))


@pytest.mark.parametrize("host", ["..", "../etc", "."])
async def test_files_for_never_leaves_its_folders(cas: Path, authority: Authority, host: str) -> None:
    put(cas.parent / "outside.crt", authority.ca_file.read_bytes())
    assert await TrustStore(cas / "inner", (cas,)).files_for(host) == TrustFiles()


async def test_context_for_follows_changes_of_the_files(cas: Path, authority: Authority) -> None:
    store = TrustStore(cas, ())
    before = await store.context_for("r.example")
    assert await store.context_for("other.example") is before
    put(cas / "ca.crt", authority.ca_file.read_bytes())
    after = await store.context_for("r.example")
    assert len(after.get_ca_certs()) == len(before.get_ca_certs()) + 1
    assert (after.verify_mode, after.check_hostname) == (ssl.CERT_REQUIRED, True)


async def test_context_for_an_insecure_host_verifies_nothing() -> None:
    context = await TrustStore(None, ()).context_for("r.example", is_insecure=True)
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_NONE, False)


async def test_context_for_names_a_client_certificate_without_key(cas: Path) -> None:
    certificate = put(cas / "r.example" / "me.cert", b"x")
    with pytest.raises(RetryableError) as caught:
        await TrustStore(cas, ()).context_for("r.example")
    expected = f"certificates for r.example: client certificate {certificate} has no key me.key"
    assert str(caught.value) == expected


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"nothing", "certificates for r.example: {} is not in PEM format"),
        (b"-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n", "certificates for r.example cannot be used: "),
    ],
)
async def test_context_for_names_a_file_that_is_no_certificate(cas: Path, content: bytes, why: str) -> None:
    path = put(cas / "r.example" / "ca.crt", content)
    with pytest.raises(RetryableError) as caught:
        await TrustStore(cas, ()).context_for("r.example")
    assert str(caught.value).startswith(why.format(path))


async def test_files_for_passes_over_a_link_to_nothing(cas: Path) -> None:
    (cas / "r.example").mkdir()
    (cas / "r.example" / "ca.crt").symlink_to(cas / "r.example" / "ca.crt")
    assert await TrustStore(cas, ()).files_for("r.example") == TrustFiles()
