"""Certificates of a cluster: accepted by the strictest verification that Python has."""

from __future__ import annotations

import datetime
import ipaddress

from cryptography import x509
from cryptography.x509.oid import NameOID
from cryptography.x509.verification import PolicyBuilder, Store

from devcluster.certificates import CertificateAuthority


def test_issue_gives_a_certificate_that_servers_on_its_hosts_can_use() -> None:
    authority = CertificateAuthority("test")
    leaf = x509.load_pem_x509_certificate(authority.issue("x", hosts=["127.0.0.1", "localhost"]).certificate)
    store = Store([x509.load_pem_x509_certificate(authority.pair.certificate)])
    for host in (x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))):
        builder = PolicyBuilder().store(store).time(datetime.datetime.now(datetime.UTC))
        assert builder.build_server_verifier(host).verify(leaf, [])[0] == leaf


def test_issue_names_user_and_groups() -> None:
    pair = CertificateAuthority("test").issue("admin", organizations=["system:masters"])
    subject = x509.load_pem_x509_certificate(pair.certificate).subject
    names = [(attribute.oid, attribute.value) for attribute in subject]
    assert names == [(NameOID.ORGANIZATION_NAME, "system:masters"), (NameOID.COMMON_NAME, "admin")]
