"""Certificate authorities of our own: making them, issuing serving certificates, and reading what was stored.

Keys are P-256, everything is PEM text. `operator_controller.rollout` calls it for the webhooks of extensions,
`olmv1.serving_certificate` for our own servers; when something is due is decided there. Nothing here touches a disk or
a connection, or looks at the clock.
"""

from __future__ import annotations

import hashlib
import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

__all__ = [
    "CertificateFacts",
    "KeyPair",
    "Span",
    "is_issued_by",
    "is_pair",
    "issue",
    "new_authority",
    "read_certificates",
]

_COMMON_NAME_CHARACTERS = 64
"""`ub-common-name` of X.509."""


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A certificate and its private key, both PEM; the key is never shown."""

    certificate: str
    key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Span:
    """From when until when a certificate is valid (UTC, whole seconds)."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class CertificateFacts:
    """What is read from one certificate; `digest` is the SHA-256 of its DER form in hex, `addresses` are of IP."""

    span: Span
    dns_names: frozenset[str]
    addresses: frozenset[str]
    is_authority: bool
    digest: str
    pem: str


def new_authority(name: str, span: Span) -> KeyPair:
    """A new authority; its common name is `name`, cut where needed, and a part of its serial number.

    The number tells two authorities of one name apart, for clients that look an issuer up by its name.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    serial = x509.random_serial_number()
    mark = f"-{serial % 0x100000000:08x}"
    subject = _name(f"{name[: _COMMON_NAME_CHARACTERS - len(mark)]}{mark}")
    usage = _usage(digital_signature=True, key_cert_sign=True, crl_sign=True)
    public = key.public_key()
    certificate = (
        x509.CertificateBuilder(subject, subject, public, serial, _utc(span.start), _utc(span.end))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(public), critical=False)
        .sign(key, hashes.SHA256())
    )
    return _pair(certificate, key)


def issue(authority: KeyPair, names: Sequence[str], span: Span) -> KeyPair:
    """A serving certificate for `names`, which are DNS names and IP addresses, with a new key.

    Raises:
        ValueError: the authority cannot be read, or `names` is empty or holds what is neither.
    """
    if not names:
        raise ValueError("a serving certificate needs a name: expected DNS names, found none")
    issuer_key = _key(authority.key)
    issuer = x509.load_pem_x509_certificate(authority.certificate.encode())
    key = ec.generate_private_key(ec.SECP256R1())
    public = key.public_key()
    subject = _name(names[0].partition(".")[0][:_COMMON_NAME_CHARACTERS])
    serial = x509.random_serial_number()
    certificate = (
        x509.CertificateBuilder(issuer.subject, subject, public, serial, _utc(span.start), _utc(span.end))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(digital_signature=True), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName([_general_name(name) for name in names]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), critical=False)
        .sign(issuer_key, hashes.SHA256())
    )
    return _pair(certificate, key)


def read_certificates(pem: str) -> tuple[CertificateFacts, ...]:
    """The certificates in `pem`, in their order.

    Raises:
        ValueError: there is none, or one cannot be read.
    """
    try:
        return tuple(_facts(certificate) for certificate in x509.load_pem_x509_certificates(pem.encode()))
    except (x509.InvalidVersion, x509.DuplicateExtension, x509.UnsupportedGeneralNameType) as error:
        raise ValueError(f"the certificate cannot be read: {error}") from error


def is_pair(pair: KeyPair) -> bool:
    """Whether both parts can be read and the key is that of the certificate."""
    try:
        certificate = x509.load_pem_x509_certificate(pair.certificate.encode())
        return certificate.public_key() == _key(pair.key).public_key()
    except (ValueError, TypeError, x509.InvalidVersion, UnsupportedAlgorithm):  # TypeError: the key is encrypted
        return False


def is_issued_by(certificate: str, authority: str) -> bool:
    """Whether the certificate bears the name and the signature of the authority; both are PEM."""
    try:
        issuer = x509.load_pem_x509_certificate(authority.encode())
        x509.load_pem_x509_certificate(certificate.encode()).verify_directly_issued_by(issuer)
    except (ValueError, TypeError, x509.InvalidVersion, InvalidSignature, UnsupportedAlgorithm):
        return False
    return True


def _facts(certificate: x509.Certificate) -> CertificateFacts:
    der = certificate.public_bytes(serialization.Encoding.DER)
    values = [extension.value for extension in certificate.extensions]
    _ = certificate.subject, certificate.issuer  # parsed when they are asked for: here is where that may fail
    alternatives = [value for value in values if isinstance(value, x509.SubjectAlternativeName)]
    names = frozenset(name for value in alternatives for name in value.get_values_for_type(x509.DNSName))
    addresses = frozenset(str(item) for value in alternatives for item in value.get_values_for_type(x509.IPAddress))
    is_authority = any(isinstance(value, x509.BasicConstraints) and value.ca for value in values)
    span = Span(certificate.not_valid_before_utc, certificate.not_valid_after_utc)
    pem = certificate.public_bytes(serialization.Encoding.PEM).decode()
    return CertificateFacts(span, names, addresses, is_authority, hashlib.sha256(der).hexdigest(), pem)


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _key(pem: str) -> ec.EllipticCurvePrivateKey:
    key = serialization.load_pem_private_key(pem.encode(), password=None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise ValueError("expected an elliptic curve key")
    return key


def _pair(certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> KeyPair:
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return KeyPair(certificate.public_bytes(serialization.Encoding.PEM).decode(), private.decode())


def _name(common_name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def _usage(*, digital_signature: bool = False, key_cert_sign: bool = False, crl_sign: bool = False) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=digital_signature,
        key_cert_sign=key_cert_sign,
        crl_sign=crl_sign,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _utc(moment: datetime) -> datetime:
    return moment.replace(microsecond=0)
