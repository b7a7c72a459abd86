from __future__ import annotations

import base64
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from olmv1.errors import RetryableError
from olmv1.tls.authority import KeyPair, Span, is_issued_by, new_authority, read_certificates
from operator_controller.certificates import Lifetimes, Need, ServingFacts, SignerStep, Steps
from operator_controller.rollout.authority_secret import Stored, bundle_of, data_of, facts_of, stepped, stored_in

NOW = datetime(2026, 6, 1, tzinfo=UTC)
LIVES = Lifetimes()
PLACE = ("ns", "svc-cert")
NEED = Need(PLACE, ("svc.ns", "svc.ns.svc"))
FIRST = Steps(SignerStep.REPLACE, issues=(NEED,))
NONE = "bm9uZQ=="


def after(stored: Stored, steps: Steps, now: datetime = NOW) -> Stored:
    return stepped(stored, steps, "lantern", now, LIVES)


@pytest.fixture(scope="module")
def fresh() -> Stored:
    return after(Stored(), FIRST)


def issuer_of(stored: Stored) -> bool:
    assert stored.signer is not None
    return is_issued_by(stored.serving[PLACE].certificate, stored.signer.certificate)


def test_stepped_makes_an_authority_and_what_is_needed(fresh: Stored) -> None:
    facts = facts_of(fresh)
    assert facts.signer_end == NOW + timedelta(days=730)
    assert facts.serving[PLACE] == ServingFacts(NOW + timedelta(days=365), frozenset(NEED.names), is_by_signer=True)
    assert (facts.successor_end, facts.retired_ends) == (None, ())
    (leaf,) = read_certificates(fresh.serving[PLACE].certificate)
    assert leaf.span.start == NOW - timedelta(hours=1)


def test_stored_in_reads_what_data_of_wrote(fresh: Stored) -> None:
    full = after(fresh, Steps(adds_successor=True))
    retired = replace(full, retired=(new_authority("x", Span(NOW, NOW + timedelta(days=1))).certificate,) * 2)
    for stored in (Stored(), fresh, full, retired):
        assert stored_in(data_of(stored)) == stored
    assert sorted(data_of(retired)) == [
        "ca.crt",
        "ca.key",
        "next-ca.crt",
        "next-ca.key",
        "ns.svc-cert.crt",
        "ns.svc-cert.key",
        "retired-ca.crt",
    ]


def test_successor_takes_over_without_a_change_of_trust(fresh: Stored) -> None:
    waiting = after(fresh, Steps(adds_successor=True), NOW + timedelta(days=500))
    assert (waiting.signer, waiting.serving) == (fresh.signer, fresh.serving)
    changed = after(waiting, Steps(SignerStep.TAKE_OVER, issues=(NEED,)), NOW + timedelta(days=500))
    assert fresh.signer is not None
    assert (changed.signer, changed.successor) == (waiting.successor, None)
    assert changed.retired == (fresh.signer.certificate,)
    assert bundle_of(changed) == bundle_of(waiting) != bundle_of(fresh)
    assert issuer_of(changed)
    assert changed.serving[PLACE] != fresh.serving[PLACE]


def test_retired_authority_leaves_when_it_has_ended(fresh: Stored) -> None:
    assert fresh.signer is not None
    retired = replace(fresh, retired=(fresh.signer.certificate, "-"))
    assert after(retired, Steps(ended=(1,))).retired == (fresh.signer.certificate,)


def test_authority_that_is_replaced_is_trusted_while_it_lasts(fresh: Stored) -> None:
    assert fresh.signer is not None
    assert after(fresh, FIRST).retired == (fresh.signer.certificate,)
    assert after(fresh, FIRST, NOW + timedelta(days=730)).retired == ()


def test_serving_certificate_never_outlives_its_authority_and_keeps_its_names(fresh: Stored) -> None:
    later = NOW + timedelta(days=600)
    renewed = after(fresh, Steps(issues=(Need(PLACE, ("more.ns",)),)), later)
    (leaf,) = read_certificates(renewed.serving[PLACE].certificate)
    assert (leaf.span.end, leaf.dns_names) == (NOW + timedelta(days=730), frozenset({*NEED.names, "more.ns"}))


def test_serving_certificate_is_dropped(fresh: Stored) -> None:
    assert after(fresh, Steps(drops=(PLACE,))).serving == {}


@pytest.mark.parametrize("key", ["ca.key", "ca.crt"])
def test_broken_authority_counts_as_absent(fresh: Stored, key: str) -> None:
    stored = stored_in(data_of(fresh) | {key: NONE})
    assert facts_of(stored).signer_end is None
    assert [item.is_authority for item in read_certificates(bundle_of(stored) or bundle_of(fresh))] == [True]


@pytest.mark.parametrize("key", ["ns.svc-cert.key", "ns.svc-cert.crt"])
def test_broken_serving_certificate_counts_as_absent(fresh: Stored, key: str) -> None:
    assert not facts_of(stored_in(data_of(fresh) | {key: NONE})).serving.get(PLACE)


def test_serving_certificate_is_no_authority(fresh: Stored) -> None:
    stored = replace(fresh, signer=fresh.serving[PLACE])
    assert facts_of(stored).signer_end is None
    assert bundle_of(stored) == ""


def test_stored_in_survives_anything() -> None:
    odd = {
        "ca.crt": "%",
        "next-ca.crt": NONE,
        "retired-ca.crt": NONE,
        "a.b.crt": NONE,
        "x": base64.b64encode(b"\xff").decode(),
    }
    assert stored_in(odd) == Stored()


def test_stepped_says_why_nothing_can_be_issued(fresh: Stored) -> None:
    with pytest.raises(RetryableError, match="issuing a serving certificate: expected an authority, found none"):
        after(Stored(), Steps(issues=(NEED,)))
    with pytest.raises(RetryableError, match="issuing a serving certificate for ö: DNSName values should be"):
        after(Stored(fresh.signer), Steps(issues=(Need(PLACE, ("ö",)),)))


def test_stored_never_shows_a_key(fresh: Stored) -> None:
    assert isinstance(fresh.signer, KeyPair)
    assert "PRIVATE" not in repr(fresh)
