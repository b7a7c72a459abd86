from __future__ import annotations

import pytest

from olmv1.tls.profiles import CIPHERS, CURVES, Profile, profile_of


def test_profile_of_ignores_letter_case() -> None:
    assert profile_of("Modern") == profile_of("modern")


@pytest.mark.parametrize(("name", "version"), [("modern", "TLSv1.3"), ("intermediate", "TLSv1.2"), ("old", "TLSv1.0")])
def test_profile_of_sets_the_lowest_version(name: str, version: str) -> None:
    assert profile_of(name).minimum_version == version


def test_profile_of_reads_the_parts_of_custom() -> None:
    profile = profile_of(
        "custom",
        version="TLSv1.1",
        ciphers="TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, TLS_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305",
        curves="secp256r1,X25519",
    )
    ciphers = ("ECDHE-RSA-AES128-GCM-SHA256", "TLS_AES_128_GCM_SHA256", "ECDHE-RSA-CHACHA20-POLY1305")
    assert profile == Profile("custom", "TLSv1.1", ciphers, ("prime256v1", "X25519"))
    assert profile.missing_tls13_ciphers == ("TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256")
    assert profile.tls12_ciphers == ("ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-CHACHA20-POLY1305")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"ciphers": "RC4"}, f'unknown cipher "RC4": expected one of {", ".join(CIPHERS)}'),
        ({"curves": "P-256"}, f'unknown curve "P-256": expected one of {", ".join(CURVES)}'),
        ({"version": "SSLv3"}, 'unknown TLS version "SSLv3": expected one of TLSv1.0, TLSv1.1, TLSv1.2, TLSv1.3'),
    ],
)
def test_profile_of_names_the_known_ones_when_it_refuses(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match="unknown") as caught:
        profile_of("custom", **arguments)
    assert str(caught.value) == message


def test_profile_of_custom_without_ciphers_leaves_the_choice_to_openssl() -> None:
    profile = profile_of("custom")
    assert (profile.ciphers, profile.curves, profile.missing_tls13_ciphers) == ((), (), ())
