"""Certificates for servers of the tests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

__all__ = ["certificate_and_key", "self_signed"]


def certificate_and_key(name: str) -> tuple[bytes, bytes]:
    """A certificate for `name` and 127.0.0.1, signed by itself, and its key; both PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    hosts = x509.SubjectAlternativeName([x509.DNSName(name), x509.IPAddress(ip_address("127.0.0.1"))])
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key())
    builder = builder.serial_number(x509.random_serial_number()).add_extension(hosts, critical=False)
    builder = builder.not_valid_before(now - timedelta(hours=1)).not_valid_after(now + timedelta(days=1))
    certificate = builder.sign(key, hashes.SHA256())
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return certificate.public_bytes(pem), private


def self_signed(folder: Path, name: str = "localhost") -> tuple[Path, Path]:
    """Files `tls.crt` and `tls.key` in `folder`."""
    paths = (folder / "tls.crt", folder / "tls.key")
    for path, content in zip(paths, certificate_and_key(name), strict=True):
        path.write_bytes(content)
    return paths
