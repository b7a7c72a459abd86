from __future__ import annotations

from operator_controller.explanation.classic import Chain, chains_of
from operator_controller.resolver import CatalogContent
from tests.explanations import C2, a_place


def chain_of(place: CatalogContent, channel: str = "stable") -> Chain:
    assert place.package is not None
    return chains_of(place.package)[channel]


def test_chain_leads_along_replaces_without_what_is_skipped() -> None:
    assert chain_of(C2) == Chain("stable", ("p.v0.9.2", "p.v0.9.0"), skipped=("p.v0.9.1",), off=("p.v0.9.1",))


def test_chain_takes_out_skipped_links() -> None:
    place = a_place({"stable": ["3.0.0 (R 2.0.0; S 2.0.0)", "2.0.0 (R 1.0.0)", "1.0.0"]})
    assert chain_of(place) == Chain("stable", ("p.v3.0.0", "p.v1.0.0"), skipped=("p.v2.0.0",))


def test_chain_ends_where_a_bundle_is_missing() -> None:
    place = a_place({"stable": ["3.0.0 (R 2.0.0)", "2.0.0 (R 1.0.0)", "1.0.0"]}, ["3.0.0", "1.0.0"])
    assert chain_of(place).error.endswith(
        '2 replacement chains were found in channel "stable" of package "p": p.v1.0.0, p.v3.0.0'
    )


def test_chain_of_a_channel_without_bundles_is_empty() -> None:
    chain = chain_of(a_place({"stable": ["1.0.0"]}, []))
    assert (chain, chain.head) == (Chain("stable"), "")


def test_chains_are_by_name_of_the_channel() -> None:
    place = a_place({"b": ["1.0.0"], "a": ["1.0.0"]})
    assert place.package is not None
    assert list(chains_of(place.package)) == ["a", "b"]
