"""Certificates for registries in tests: one authority, and server and client certificates that it signs."""

from __future__ import annotations

import datetime
import ipaddress
import ssl
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

__all__ = ["Authority"]

_NOW = datetime.datetime.now(datetime.UTC)
_DAY = datetime.timedelta(days=1)


@dataclass(frozen=True)
class Authority:
    """A certificate authority whose files live in `folder`; `ca_file` is what clients trust."""

    folder: Path
    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate

    @classmethod
    def create(cls, folder: Path) -> Authority:
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "registry test authority")])
        builder = _builder(name, name, key).add_extension(
            x509.BasicConstraints(ca=True, path_length=None), critical=True
        )
        certificate = builder.sign(key, hashes.SHA256())
        (folder / "ca.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
        return cls(folder, key, certificate)

    @property
    def ca_file(self) -> Path:
        return self.folder / "ca.pem"

    def issue(self, name: str) -> tuple[Path, Path]:
        """A certificate for `name`, 127.0.0.1 and localhost: paths of certificate and key."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        names = [x509.DNSName(name), x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        builder = _builder(subject, self.certificate.subject, key)
        signed = builder.add_extension(x509.SubjectAlternativeName(names), critical=False).sign(
            self.key, hashes.SHA256()
        )
        certificate_file, key_file = self.folder / f"{name}.cert", self.folder / f"{name}.key"
        certificate_file.write_bytes(signed.public_bytes(Encoding.PEM))
        key_file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        return certificate_file, key_file

    def server_context(self, *, asks_client: bool = False) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*self.issue("registry.test"))
        if asks_client:
            context.load_verify_locations(self.ca_file)
            context.verify_mode = ssl.CERT_REQUIRED
        return context


def _builder(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
    return x509.CertificateBuilder(
        issuer_name=issuer,
        subject_name=subject,
        public_key=key.public_key(),
        serial_number=x509.random_serial_number(),
        not_valid_before=_NOW - _DAY,
        not_valid_after=_NOW + _DAY,
    )
