from __future__ import annotations

from operator_controller.explanation import HopsEnd
from tests.explanations import C1, C5, C9, a_place, a_request, explained


def test_hops_go_on_to_the_end() -> None:
    hops = explained(a_request("3.3.9"), C9).decision.hops
    assert ([step.pin for step in hops.steps], hops.end, hops.last) == (
        ["3.3.9-operator.1", "3.4.0", "3.5.1"],
        HopsEnd.SETTLED,
        "p.v3.5.1",
    )


def test_hops_of_a_first_install_begin_with_it() -> None:
    hops = explained(a_request(version="<3", channels=["stable"]), C5).decision.hops
    assert [(step.pin, step.edge) for step in hops.steps] == [("2.0.0", None)]


def test_hops_settle_between_bundles_that_replace_each_other() -> None:
    place = a_place({"s": ["2.0.0 (R 1.0.0)", "1.0.0 (R 2.0.0)"]}, deprecated=["1.0.0", "2.0.0"])
    hops = explained(a_request("3.0.0", version="<3", policy="SelfCertified"), place).decision.hops
    assert (len(hops.steps), hops.end) == (1, HopsEnd.SETTLED)


def test_hops_tell_the_refusal_at_their_end() -> None:
    place = a_place({"s": ["2.0.0 (R 1.0.0)", "1.0.0"]})
    refused = explained(a_request("1.0.0", version="9"), place).decision
    assert (refused.hops.steps, refused.hops.end, refused.hops.message) == ((), HopsEnd.REFUSED, refused.message)


def test_hops_are_none_when_the_extension_stays() -> None:
    decision = explained(a_request("0.1.3"), C1).decision
    assert (decision.chosen, decision.is_installed, decision.hops.steps, decision.hops.last) == (None, True, (), "")
