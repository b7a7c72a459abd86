from __future__ import annotations

import asyncio
import datetime as dt
import ssl
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from prometheus_client import CollectorRegistry
from structlog.testing import capture_logs

from olmv1.errors import RetryableError
from olmv1.telemetry.logs import get_logger
from olmv1.tls import bare_server_context, client_context, offer, profile_of, server_context

INTERMEDIATE = profile_of("intermediate")


def write_pair(folder: Path, common_name: str) -> tuple[Path, Path]:
    """A self-signed certificate and its key in `folder`, replacing what is there."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, common_name)])
    now = dt.datetime.now(dt.UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - dt.timedelta(hours=1)).not_valid_after(now + dt.timedelta(hours=1))
    san = x509.SubjectAlternativeName([x509.DNSName("localhost")])
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    certificate = builder.add_extension(san, critical=False).sign(key, hashes.SHA256())
    cert_file, key_file = folder / "tls.crt", folder / "tls.key"
    cert_file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    encoding = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    key_file.write_bytes(key.private_bytes(*encoding))
    return cert_file, key_file


async def subject_seen(context: ssl.SSLContext) -> str:
    """The common name that a client gets from a server with `context`."""

    async def answer(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await _reader.read(1)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    async with server:
        client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        client.check_hostname = False
        client.verify_mode = ssl.CERT_NONE
        _, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2], ssl=client)
        der = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        writer.close()
    subject = x509.load_der_x509_certificate(der).subject
    return str(subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)[0].value)


async def test_server_context_offers_a_new_certificate_after_its_files_changed(tmp_path: Path) -> None:
    registry = CollectorRegistry()
    serving = server_context(*write_pair(tmp_path, "before"), INTERMEDIATE, registry)
    assert await subject_seen(serving.context) == "before"
    write_pair(tmp_path, "after")
    assert serving.refresh() is True
    assert await subject_seen(serving.context) == "after"
    assert registry.get_sample_value("certwatcher_read_certificate_total") == 2.0


async def test_server_context_keeps_the_certificate_while_the_pair_does_not_fit(tmp_path: Path) -> None:
    registry = CollectorRegistry()
    serving = server_context(*write_pair(tmp_path, "before"), INTERMEDIATE, registry)
    old_key = (tmp_path / "tls.key").read_bytes()
    write_pair(tmp_path, "after")
    (tmp_path / "tls.key").write_bytes(old_key)
    assert serving.refresh() is False
    assert await subject_seen(serving.context) == "before"
    assert registry.get_sample_value("certwatcher_read_certificate_errors_total") == 1.0


async def test_server_context_watch_follows_the_files(tmp_path: Path) -> None:
    serving = server_context(*write_pair(tmp_path, "before"), INTERMEDIATE)
    write_pair(tmp_path, "after")
    watch = asyncio.create_task(serving.watch(period_s=0.01))
    async with asyncio.timeout(10):
        while await subject_seen(serving.context) != "after":  # noqa: ASYNC110 - the files are looked at by time
            await asyncio.sleep(0.01)
    watch.cancel()
    with pytest.raises(asyncio.CancelledError):
        await watch


def test_server_context_refresh_does_nothing_while_the_files_are_the_same(tmp_path: Path) -> None:
    assert server_context(*write_pair(tmp_path, "same"), INTERMEDIATE).refresh() is False


def test_server_context_names_the_files_that_cannot_be_read(tmp_path: Path) -> None:
    cert, key = tmp_path / "a", tmp_path / "b"
    with pytest.raises(RetryableError) as caught:
        server_context(cert, key, INTERMEDIATE)
    assert str(caught.value) == f'cannot use certificate "{cert}" with key "{key}": No such file or directory'


@pytest.mark.parametrize(
    ("name", "version"),
    [("modern", ssl.TLSVersion.TLSv1_3), ("intermediate", ssl.TLSVersion.TLSv1_2), ("old", 0x0301)],
)
def test_server_context_applies_the_profile(tmp_path: Path, name: str, version: int) -> None:
    serving = server_context(*write_pair(tmp_path, "x"), profile_of(name))
    assert serving.context.minimum_version == version


def test_server_context_offers_only_the_ciphers_of_a_custom_profile(tmp_path: Path) -> None:
    profile = profile_of("custom", ciphers="TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", curves="secp384r1")
    serving = server_context(*write_pair(tmp_path, "x"), profile)
    below_13 = [c["name"] for c in serving.context.get_ciphers() if c["protocol"] != "TLSv1.3"]
    assert below_13 == ["ECDHE-ECDSA-AES256-GCM-SHA384"]
    stay = "TLS_AES_128_GCM_SHA256, TLS_AES_256_GCM_SHA384, TLS_CHACHA20_POLY1305_SHA256"
    assert serving.notes == (f"ciphers of TLS 1.3 cannot be switched off: {stay} stay offered",)


def test_server_context_names_what_it_cannot_set(tmp_path: Path) -> None:
    profile = profile_of("custom", ciphers="TLS_AES_128_GCM_SHA256", curves="X25519MLKEM768,X25519")
    notes = server_context(*write_pair(tmp_path, "x"), profile).notes
    assert notes[0] == "no cipher for TLS 1.2 is named: TLSv1.3 is the lowest version instead of TLSv1.2"
    assert notes[1].startswith("ciphers of TLS 1.3 cannot be switched off: TLS_AES_256_GCM_SHA384")
    if not hasattr(ssl.SSLContext, "set_groups"):
        assert notes[2].startswith("this Python cannot set several curves (X25519MLKEM768, X25519)")


def test_client_context_trusts_the_certificates_of_the_folder(tmp_path: Path) -> None:
    write_pair(tmp_path, "authority")
    (tmp_path / "README").write_text("not a certificate")
    trust = client_context(tmp_path, INTERMEDIATE)
    wanted = ssl.PEM_cert_to_DER_cert((tmp_path / "tls.crt").read_text())
    assert wanted in trust.context.get_ca_certs(binary_form=True)


def test_client_context_is_a_new_one_after_the_folder_changed(tmp_path: Path) -> None:
    write_pair(tmp_path, "before")
    trust = client_context(tmp_path, INTERMEDIATE)
    before = trust.context
    assert trust.refresh() is False
    write_pair(tmp_path, "after")
    assert trust.refresh() is True
    assert trust.context is not before


def test_client_context_keeps_its_trust_while_the_folder_has_no_certificate(tmp_path: Path) -> None:
    cert, _ = write_pair(tmp_path, "before")
    trust = client_context(tmp_path, INTERMEDIATE)
    before = trust.context
    cert.unlink()
    assert trust.refresh() is False
    assert trust.context is before


def test_client_context_refuses_a_folder_without_certificates(tmp_path: Path) -> None:
    with pytest.raises(RetryableError) as caught:
        client_context(tmp_path, INTERMEDIATE)
    assert str(caught.value) == f'no certificates found in "{tmp_path}"'


def test_client_context_needs_no_folder() -> None:
    assert client_context(None, INTERMEDIATE).context.verify_mode is ssl.CERT_REQUIRED


async def test_bare_server_context_refuses_until_a_certificate_is_offered(tmp_path: Path) -> None:
    context = bare_server_context(INTERMEDIATE)
    with pytest.raises(OSError):  # noqa: PT011 - an alert, or the connection that ended with it
        await subject_seen(context)
    for name in ("first", "second"):
        cert, key = write_pair(tmp_path, name)
        offer(context, cert.read_text(), key.read_text())
        assert await subject_seen(context) == name


def test_offer_refuses_what_does_not_fit(tmp_path: Path) -> None:
    cert, _ = write_pair(tmp_path, "one")
    before = cert.read_text()
    _, key = write_pair(tmp_path, "two")
    with pytest.raises(RetryableError) as caught:
        offer(bare_server_context(INTERMEDIATE), before, key.read_text())
    assert str(caught.value).startswith("cannot use our own certificate: ")
    assert "PRIVATE" not in str(caught.value)


def test_client_context_trusts_what_it_is_told_beside_its_folder(tmp_path: Path) -> None:
    cert, _ = write_pair(tmp_path, "in the folder")
    (tmp_path / "more").mkdir()
    told, _ = write_pair(tmp_path / "more", "told")
    pems = [cert.read_text(), told.read_text()]
    trust = client_context(tmp_path, INTERMEDIATE)
    assert trust.also_trust(pems[1])
    assert [trusted(trust.context, pem) for pem in pems] == [True, True]
    cert.touch()
    trust.refresh()
    assert [trusted(trust.context, pem) for pem in pems] == [True, True]
    trust.also_trust("")
    assert [trusted(trust.context, pem) for pem in pems] == [True, False]


def trusted(context: ssl.SSLContext, pem: str) -> bool:
    return ssl.PEM_cert_to_DER_cert(pem) in context.get_ca_certs(binary_form=True)


def test_client_context_keeps_its_context_while_the_same_is_told(tmp_path: Path) -> None:
    cert, _ = write_pair(tmp_path, "told")
    trust = client_context(None, INTERMEDIATE)
    trust.also_trust(cert.read_text())
    before = trust.context
    assert not trust.also_trust(cert.read_text())
    assert trust.context is before


@pytest.mark.parametrize("pem", ["none", "ö"])
def test_client_context_refuses_to_trust_what_is_no_certificate(pem: str) -> None:
    trust = client_context(None, INTERMEDIATE)
    before = trust.context
    with pytest.raises(RetryableError) as caught:
        trust.also_trust(pem)
    assert str(caught.value) == "certificate authorities cannot be used: expected certificates in PEM"
    assert trust.context is before


@pytest.mark.parametrize(("name", "level"), [("intermediate", "info"), ("old", "warning")])
def test_what_cannot_be_honoured_is_told_and_is_a_warning_for_whoever_asked(
    tmp_path: Path, name: str, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Not the logger that another test of this process may have bound to its own stream.
    monkeypatch.setattr("olmv1.tls.contexts._log", get_logger("test"))
    with capture_logs() as lines:
        notes = server_context(*write_pair(tmp_path, "x"), profile_of(name)).notes
    told = [(each["log_level"], each["profile"], each["detail"]) for each in lines if "honoured" in each["event"]]
    assert told == [(level, name, note) for note in notes]
    curves = "X25519MLKEM768, X25519, prime256v1, secp384r1"
    note = f"this Python cannot set several curves ({curves}): OpenSSL's own choice is offered"
    assert (note in notes) is not hasattr(ssl.SSLContext, "set_groups")
