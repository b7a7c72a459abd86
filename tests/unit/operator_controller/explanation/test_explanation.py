from __future__ import annotations

import json

from operator_controller.explanation import Surroundings
from tests.explanations import C1, a_place, a_request, explained


def test_explanation_is_plain_json() -> None:
    found = explained(a_request("0.1.1", version="0.1.3"), C1, surroundings=Surroundings(selector="{}")).to_json()
    assert json.loads(json.dumps(found)) == found
    assert list(found) == [
        "request",
        "decision",
        "cause",
        "route",
        "alternatives",
        "successors",
        "catalogs",
        "candidates",
        "classic",
        "notes",
    ]
    assert found["request"] == {
        "package": "p",
        "version": "0.1.3",
        "intervals": ["[0.1.3]"],
        "channels": [],
        "selector": "{}",
        "policy": "CatalogProvided",
        "holdMajor": False,
        "kubeVersion": None,
        "installed": {
            "name": "p.v0.1.1",
            "version": "0.1.1",
            "release": None,
            "image": "registry.example/p:0.1.1",
            "catalog": None,
        },
    }


def test_explanation_of_a_route_as_json() -> None:
    route = explained(a_request("0.1.1", version="0.1.3"), C1).to_json()["route"]
    step = {"release": None, "catalog": "cat", "isDeprecated": False, "isMajor": False}
    assert route == {
        "wanted": "p.v0.1.3",
        "wantedVersion": "0.1.3",
        "wantedCatalog": "cat",
        "steps": [
            {
                **step,
                "bundle": f"p.v{version}",
                "version": version,
                "pin": version,
                "image": f"registry.example/p:{version}",
                "edge": {"kind": "replaces", "channel": channel, "skipRange": ""},
            }
            for version, channel in (("0.1.2", "alpha"), ("0.1.3", "beta"))
        ],
        "refusal": "",
        "byItself": ">=0.1.1 <=0.1.3",
    }


def test_decision_tells_what_settled_it() -> None:
    places = (a_place({"s": ["1.0.0"]}, name="a", priority=1), a_place({"s": ["1.1.0"]}, name="b"))
    decision = explained(a_request(), *places).decision
    assert decision.chosen is not None
    assert (decision.chosen.bundle, decision.settled_by, decision.message) == ("p.v1.0.0", ("priority 1 decides",), "")


def test_decision_of_a_refusal_has_the_condition_message() -> None:
    decision = explained(a_request(version="foo"), C1).decision
    message = 'desired version range "foo" is invalid: improper constraint: "foo"'
    assert (decision.chosen, decision.message, decision.is_terminal) == (None, message, True)
