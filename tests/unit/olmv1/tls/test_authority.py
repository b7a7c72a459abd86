from __future__ import annotations

import base64
import re
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

from olmv1.tls.authority import KeyPair, Span, is_issued_by, is_pair, issue, new_authority, read_certificates

NOW = datetime(2026, 6, 1, 12, 0, 0, 999, tzinfo=UTC)
SPAN = Span(NOW - timedelta(hours=1), NOW + timedelta(days=10))
NAMES = ("svc.ns", "svc.ns.svc")


@pytest.fixture(scope="module")
def authority() -> KeyPair:
    return new_authority("lantern", SPAN)


def verify(pair: KeyPair, authority: KeyPair, host: str, at: datetime = NOW) -> None:
    store = Store(x509.load_pem_x509_certificates(authority.certificate.encode()))
    verifier = PolicyBuilder().store(store).time(at).build_server_verifier(x509.DNSName(host))
    verifier.verify(x509.load_pem_x509_certificate(pair.certificate.encode()), [])


def test_issue_makes_what_a_client_with_the_authority_accepts(authority: KeyPair) -> None:
    pair = issue(authority, NAMES, SPAN)
    for host in NAMES:
        verify(pair, authority, host)
    with pytest.raises(VerificationError):
        verify(pair, authority, "other.ns")
    with pytest.raises(VerificationError):
        verify(pair, authority, "svc.ns", NOW + timedelta(days=11))
    with pytest.raises(VerificationError):
        verify(pair, new_authority("lantern", SPAN), "svc.ns")


def test_issue_tells_addresses_from_names(authority: KeyPair) -> None:
    (leaf,) = read_certificates(issue(authority, ("svc.ns", "127.0.0.1", "::1"), SPAN).certificate)
    assert (leaf.dns_names, leaf.addresses) == (frozenset({"svc.ns"}), frozenset({"127.0.0.1", "::1"}))


def test_issue_takes_a_new_key_each_time(authority: KeyPair) -> None:
    assert issue(authority, NAMES, SPAN).key != issue(authority, NAMES, SPAN).key


@pytest.mark.parametrize(
    ("names", "message"),
    [
        pytest.param((), "a serving certificate needs a name: expected DNS names, found none", id="no name"),
        pytest.param(("ö.ns",), "DNSName values should be passed as an A-label string", id="no DNS name"),
    ],
)
def test_issue_refuses_names_that_cannot_be(authority: KeyPair, names: tuple[str, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        issue(authority, names, SPAN)


def test_issue_refuses_a_key_of_another_kind(authority: KeyPair) -> None:
    key = rsa.generate_private_key(65537, 2048).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    with pytest.raises(ValueError, match="expected an elliptic curve key"):
        issue(KeyPair(authority.certificate, key.decode()), NAMES, SPAN)


def test_read_certificates_tells_what_is_in_them(authority: KeyPair) -> None:
    pair = issue(authority, NAMES, SPAN)
    leaf, root = read_certificates(pair.certificate + authority.certificate)
    seconds = Span(SPAN.start.replace(microsecond=0), SPAN.end.replace(microsecond=0))
    assert (leaf.span, leaf.dns_names, leaf.is_authority) == (seconds, frozenset(NAMES), False)
    assert (root.span, root.dns_names, root.is_authority) == (seconds, frozenset(), True)
    assert (leaf.pem, root.pem) == (pair.certificate, authority.certificate)
    assert re.fullmatch("[0-9a-f]{64}", root.digest)


@pytest.mark.parametrize("pem", ["", "none", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
def test_read_certificates_refuses_what_is_none(pem: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read_certificates(pem)


def test_new_authority_never_has_the_name_of_another_and_fits_the_limit() -> None:
    first, second = (new_authority("n" * 90, SPAN).certificate.encode() for _ in range(2))
    names = {x509.load_pem_x509_certificate(pem).subject.rfc4514_string() for pem in (first, second)}
    assert [re.fullmatch("CN=n{55}-[0-9a-f]{8}", name) is not None for name in sorted(names)] == [True, True]


def test_is_pair_wants_the_key_of_the_certificate(authority: KeyPair) -> None:
    other = new_authority("lantern", SPAN)
    assert is_pair(authority)
    broken = [KeyPair(authority.certificate, other.key), KeyPair("", authority.key), KeyPair(authority.certificate, "")]
    assert [is_pair(pair) for pair in broken] == [False, False, False]


def test_is_pair_does_not_take_an_encrypted_key(authority: KeyPair) -> None:
    key = load_pem_private_key(authority.key.encode(), None)
    locked = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"x"))
    assert not is_pair(KeyPair(authority.certificate, locked.decode()))


def test_is_issued_by_wants_the_signature(authority: KeyPair) -> None:
    leaf = issue(authority, NAMES, SPAN).certificate
    assert is_issued_by(leaf, authority.certificate)
    assert not is_issued_by(leaf, new_authority("lantern", SPAN).certificate)
    assert not is_issued_by("none", authority.certificate)


def test_key_is_not_shown(authority: KeyPair) -> None:
    assert "PRIVATE" not in repr(authority)


def test_certificate_of_an_unknown_version_is_none(authority: KeyPair) -> None:
    der = x509.load_pem_x509_certificate(authority.certificate.encode()).public_bytes(Encoding.DER)
    at = der.index(b"\xa0\x03\x02\x01\x02")
    strange = der[:at] + b"\xa0\x03\x02\x01\x2a" + der[at + 5 :]
    pem = f"-----BEGIN CERTIFICATE-----\n{base64.encodebytes(strange).decode()}-----END CERTIFICATE-----\n"
    with pytest.raises(ValueError, match="the certificate cannot be read: 42 is not a valid X509 version"):
        read_certificates(pem)
    assert not is_pair(KeyPair(pem, authority.key))
    assert not is_issued_by(pem, authority.certificate)
