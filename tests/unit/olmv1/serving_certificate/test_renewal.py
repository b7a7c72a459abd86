from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

from olmv1.serving_certificate.lifetimes import Lifetimes
from olmv1.serving_certificate.material import Material, authorities_in, data_of, facts_of, material_in
from olmv1.serving_certificate.renewal import Wanted, is_servable, next_look, renewed
from olmv1.tls.authority import KeyPair, Span, issue, new_authority

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
NAMES = ("catalogd-service.olmv1-system.svc", "127.0.0.1")
WANTED = Wanted(NAMES, "catalogd-serving")

NEW_AUTHORITY = "there is no authority that can be used: a new one is made"
NEW_SERVING = "there is no serving certificate of the authority that can be used"
OTHER_TRUST = "the published authorities are not those in use"


@pytest.fixture(scope="module")
def first() -> Material:
    return renewed(Material(), WANTED, NOW).material


def after(material: Material, days: float, wanted: Wanted = WANTED) -> tuple[Material, tuple[str, ...]]:
    """The content after a look so many days later, and what it was written for."""
    done = renewed(material, wanted, NOW + days * DAY)
    return done.material, done.reasons


def is_trusted(server: Material, client: Material, days: float = 0, name: str = NAMES[0]) -> bool:
    """Whether a client with the published trust of one content accepts the server of another."""
    assert server.serving is not None
    store = Store(x509.load_pem_x509_certificates(client.trust.encode()))
    verifier = PolicyBuilder().store(store).time(NOW + days * DAY).build_server_verifier(x509.DNSName(name))
    try:
        verifier.verify(x509.load_pem_x509_certificate(server.serving.certificate.encode()), [])
    except VerificationError:
        return False
    return True


def test_everything_is_made_where_there_is_nothing(first: Material) -> None:
    assert renewed(Material(), WANTED, NOW).reasons == (NEW_AUTHORITY, NEW_SERVING)
    assert is_servable(first, NOW)
    assert is_trusted(first, first)
    assert first.serving is not None
    facts = facts_of(first.serving)
    assert (facts.dns_names, facts.addresses) == (frozenset(NAMES[:1]), frozenset(NAMES[1:]))
    assert facts.span == Span(NOW - timedelta(hours=1), NOW + 90 * DAY)


def test_nothing_is_due_until_a_third_is_left(first: Material) -> None:
    assert after(first, 0) == (first, ())
    assert after(first, 59.9) == (first, ())
    assert next_look(first, NOW, Lifetimes()) == NOW + 60 * DAY


def test_what_time_brings_about_is_no_repair(first: Material) -> None:
    waiting = after(first, 487)[0]
    moments = [(first, 0), (first, 60), (first, 487), (waiting, 657)]
    assert [renewed(material, WANTED, NOW + days * DAY).is_repair for material, days in moments] == [False] * 4
    ended = renewed(first, WANTED, NOW + 731 * DAY)
    assert ended.is_repair


def test_content_survives_being_stored(first: Material) -> None:
    aged, _ = after(first, 500)
    old, _ = after(aged, 660)
    for material in (Material(), first, aged, old):
        assert material_in(data_of(material)) == material


def test_serving_certificate_is_issued_anew_when_a_third_is_left(first: Material) -> None:
    fresh, reasons = after(first, 60)
    assert reasons == ("the serving certificate ends",)
    assert (fresh.signer, fresh.trust) == (first.signer, first.trust)
    assert is_trusted(fresh, first, 100)
    assert not is_trusted(first, first, 100)


def test_authority_changes_without_a_moment_in_which_it_is_not_trusted(first: Material) -> None:
    early, reasons = after(first, 487)
    assert reasons[0] == "the authority ends: its successor is trusted from now on"
    assert early.signer == first.signer
    assert is_trusted(early, first, 487)
    late, reasons = after(early, 657)
    assert reasons[0] == "the authority ends: its successor takes over"
    assert (late.signer, late.trust) == (early.successor, early.trust)
    assert is_trusted(late, early, 657)
    assert is_trusted(early, late, 500)
    assert facts_of_pems(late) == [facts_of(pair).digest for pair in (early.signer,) if pair]
    end, reasons = after(late, 731)
    assert (end.retired, reasons[-1]) == ((), "the serving certificate ends")
    assert end.trust != late.trust


def test_successor_that_was_made_late_is_trusted_for_a_while_before_it_signs(first: Material) -> None:
    late, reasons = after(first, 700)
    assert reasons[0] == "the authority ends: its successor is trusted from now on"
    assert late.signer == first.signer
    assert next_look(late, NOW + 700 * DAY, Lifetimes()) == NOW + 700 * DAY + Lifetimes().spread
    assert after(late, 724)[1] == ()
    signed, reasons = after(late, 724.5)
    assert (signed.signer, reasons[0]) == (late.successor, "the authority ends: its successor takes over")
    latest, _ = after(first, 729)
    assert next_look(latest, NOW + 729 * DAY, Lifetimes()) == NOW + 730 * DAY - Lifetimes().skew


def facts_of_pems(material: Material) -> list[str]:
    return [facts_of(KeyPair(pem, "")).digest for pem in material.retired]


def test_every_step_of_ten_years_is_trusted_by_the_client_of_the_step_before(first: Material) -> None:
    material, day, looks = first, 0.0, 0
    while day < 3650:
        moment = NOW + day * DAY
        day = (max(next_look(material, moment, Lifetimes()), moment + DAY) - NOW) / DAY
        newer, reasons = after(material, day)
        assert reasons, f"nothing was due on day {day}"
        assert is_trusted(newer, material, day)
        assert is_trusted(material, newer, day)
        material, looks = newer, looks + 1
    assert looks < 90


def test_names_that_were_served_before_stay(first: Material) -> None:
    moved, reasons = after(first, 1, Wanted(("other.ns.svc",), "catalogd-serving"))
    assert reasons == ("the serving certificate is not for other.ns.svc",)
    assert after(moved, 1) == (moved, ())
    assert is_trusted(moved, first, 1, "other.ns.svc")


def test_the_last_days_of_an_authority_without_successor_are_not_spent_on_issuing(first: Material) -> None:
    short = Wanted(NAMES, "t", Lifetimes(authority=timedelta(days=60)))
    made, _ = after(Material(), 0, short)
    later, reasons = after(made, 45, short)
    assert reasons == ("the authority ends: its successor is trusted from now on",)
    assert later.serving == made.serving


def cases(first: Material) -> Mapping[str, tuple[Material, tuple[str, ...]]]:
    stranger = renewed(Material(), WANTED, NOW).material
    assert first.signer is not None
    assert first.serving is not None
    assert stranger.serving is not None
    waiting = replace(first, successor=stranger.signer)
    future = new_authority("x", Span(NOW + DAY, NOW + 2 * DAY))
    forged = issue(first.signer, NAMES, Span(NOW - 9 * DAY, NOW - DAY))
    return {
        "authority lost": (replace(first, signer=None), (NEW_AUTHORITY, NEW_SERVING)),
        "authority not valid yet": (replace(first, signer=future), (NEW_AUTHORITY, NEW_SERVING)),
        "authority lost, with a successor": (
            replace(waiting, signer=None),
            ("the authority cannot be used: its successor takes over", NEW_SERVING),
        ),
        "certificate lost": (replace(first, serving=None), (NEW_SERVING,)),
        "certificate of somebody else": (replace(first, serving=stranger.serving), (NEW_SERVING,)),
        "certificate has ended": (replace(first, serving=forged), (NEW_SERVING,)),
        "trust taken away": (replace(first, trust=""), (OTHER_TRUST,)),
        "trust of somebody else": (replace(first, trust=stranger.trust), (OTHER_TRUST,)),
        "successor has ended": (
            replace(first, successor=new_authority("x", Span(NOW - 2 * DAY, NOW - DAY))),
            (OTHER_TRUST,),
        ),
    }


@pytest.mark.parametrize(
    "case",
    [
        "authority lost",
        "authority not valid yet",
        "authority lost, with a successor",
        "certificate lost",
        "certificate of somebody else",
        "certificate has ended",
        "trust taken away",
        "trust of somebody else",
        "successor has ended",
    ],
)
def test_what_is_broken_is_made_good_in_one_step(first: Material, case: str) -> None:
    broken, reasons = cases(first)[case]
    healed = renewed(broken, WANTED, NOW)
    assert (healed.reasons, healed.is_repair) == (reasons, True)
    assert is_servable(healed.material, NOW)
    assert is_trusted(healed.material, healed.material)
    assert renewed(healed.material, WANTED, NOW).reasons == ()


def b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    "value", ["", "%%%", b64("none"), b64("ö"), b64("-----BEGIN CERTIFICATE-----\nAAAA\n"), 7, None]
)
def test_what_cannot_be_read_counts_as_absent(first: Material, value: object) -> None:
    stored = data_of(first)
    for key in stored:
        found = material_in({**stored, key: value})
        assert renewed(found, WANTED, NOW).reasons
    assert material_in(dict.fromkeys(stored, value)).signer is None
    assert authorities_in({"ca.crt": value}) == ""


def test_an_authority_must_be_one_and_have_its_key(first: Material) -> None:
    assert first.serving is not None
    stored = data_of(first)
    leaf = {"signer.crt": stored["tls.crt"], "signer.key": stored["tls.key"]}
    mixed = {"signer.key": stored["tls.key"]}
    assert [material_in({**stored, **wrong}).signer for wrong in (leaf, mixed)] == [None, None]


def test_keys_are_not_shown(first: Material) -> None:
    assert "PRIVATE" not in repr(first)
