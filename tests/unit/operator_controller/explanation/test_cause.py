from __future__ import annotations

from dataclasses import replace

import pytest

from operator_controller.explanation import Absence, Cause, CauseKind, LeftOut, Surroundings
from operator_controller.resolver import CatalogContent, CatalogProblem, Request
from tests.explanations import C1, C10, a_place, a_request, explained
from tests.packages import a_bundle, a_catalog

K = CauseKind
LINE = a_place({"stable": ["2.0.0 (R 1.0.0)", "1.0.0"], "next": ["3.0.0-rc.1"]})


@pytest.mark.parametrize(
    ("request_", "place", "kind", "message"),
    [
        pytest.param(
            a_request(version="foo"),
            LINE,
            K.INVALID_RANGE,
            'desired version range "foo" is invalid: improper constraint: "foo"',
            id="invalid range",
        ),
        pytest.param(
            a_request("pea.vbad"),
            LINE,
            K.INSTALLED_UNREADABLE,
            'failed to get version and release of installed bundle: "bad" is not a semantic version: '
            'expected MAJOR.MINOR.PATCH[-PRERELEASE][+BUILD], found "b" at character 1',
            id="installed version",
        ),
        pytest.param(
            a_request(),
            a_catalog(None),
            K.PACKAGE_UNKNOWN,
            'package "p" is in none of the catalogs [cat]',
            id="package",
        ),
        pytest.param(a_request(), a_place({}, []), K.PACKAGE_EMPTY, 'package "p" has no bundles', id="empty package"),
        pytest.param(
            a_request(channels=["x", "a"]),
            LINE,
            K.CHANNEL_UNKNOWN,
            'package "p" has no channel of [x a]; its channels are [next stable]',
            id="channels",
        ),
        pytest.param(
            a_request(channels=["x"]),
            a_place({}, ["1.0.0"]),
            K.CHANNEL_UNKNOWN,
            'package "p" has no channel of [x]; it has no channels at all',
            id="no channels",
        ),
        pytest.param(
            a_request(channels=["empty"]),
            a_place({"empty": ["9.0.0"]}, ["1.0.0"]),
            K.CHANNEL_EMPTY,
            'no bundle of package "p" is in channels [empty]',
            id="empty channel",
        ),
        pytest.param(
            a_request(version=">=3.0.0-rc.2 <3.0.0-rc.1"),
            LINE,
            K.RANGE_EMPTY,
            'no version at all can be in version range ">=3.0.0-rc.2 <3.0.0-rc.1"',
            id="contradiction",
        ),
        pytest.param(
            a_request(version=">2.0"),
            LINE,
            K.ONLY_PRERELEASES,
            'only pre-releases are in version range ">2.0", which hides them: 3.0.0-rc.1',
            id="pre-releases",
        ),
        pytest.param(
            a_request(version="9"),
            LINE,
            K.VERSION_UNKNOWN,
            'no bundle has a version in "9"; nearest to it: 2.0.0',
            id="version",
        ),
        pytest.param(
            a_request(version="0.1.3", channels=["alpha"]),
            C1,
            K.OTHER_CHANNEL,
            'what is in version range "0.1.3" is in other channels: 0.1.3 in [beta]',
            id="version of another channel",
        ),
        pytest.param(
            a_request(version="1.0.0", channels=["s"]),
            a_place({"s": ["2.0.0"]}, ["2.0.0", "1.0.0"]),
            K.OTHER_CHANNEL,
            'what is in version range "1.0.0" is in other channels: 1.0.0 in none',
            id="version of no channel",
        ),
        pytest.param(
            a_request(version="1.0.0+3"),
            a_place({}, ["1.0.0+1", "1.0.0+2"]),
            K.RELEASE_UNKNOWN,
            'version "1.0.0+3" pins a release that no bundle has; there are 1.0.0+2, 1.0.0+1',
            id="release",
        ),
        pytest.param(
            a_request("0.1.1", version="0.1.3"),
            C1,
            K.NO_EDGE,
            'no upgrade edge leads from the installed "p.v0.1.1" to "p.v0.1.3"',
            id="edge",
        ),
        pytest.param(
            a_request("1.0.0", version=">=2"),
            a_place({"s": ["3.0.0", "2.0.0", "1.0.0", "1.1.0 (R 1.0.0)"]}),
            K.NO_EDGE,
            'no upgrade edge leads from the installed "p.v1.0.0" to any of the 2 bundles that fit, such as "p.v3.0.0"',
            id="edges",
        ),
        pytest.param(
            a_request("4.0.0"),
            LINE,
            K.INSTALLED_GONE,
            'the installed "p.v4.0.0" is in no catalog any more, and no edge leads on from it',
            id="installed bundle gone",
        ),
        pytest.param(
            a_request("0.1.3", channels=["alpha"]),
            C1,
            K.INSTALLED_NOT_IN_CHANNEL,
            'the installed "p.v0.1.3" is not in channels [alpha], and no edge in them leads on from it',
            id="installed bundle in another channel",
        ),
        pytest.param(
            a_request("3.0.0"),
            a_place({"stable": ["2.0.0 (R 3.0.0)"]}),
            K.ONLY_LOWER,
            'what fits is lower than the installed version 3.0.0, for example "p.v2.0.0": '
            "nothing goes back unless the version range excludes the installed version",
            id="rollback",
        ),
        pytest.param(
            a_request("1.0.0", hold_major=True, version=">1"),
            LINE,
            K.MAJOR_HELD,
            'the major version 1 is held, and "p.v2.0.0" would leave it',
            id="held major version",
        ),
        pytest.param(
            a_request(),
            a_place({}, [a_bundle("pea", version="v1")]),
            K.VERSION_UNREADABLE,
            'error getting resolved bundle version for bundle "pea": "v1" is not a semantic version: '
            'expected MAJOR.MINOR.PATCH[-PRERELEASE][+BUILD], found "v" at character 1',
            id="version unreadable",
        ),
    ],
)
def test_cause_is_found(request_: Request, place: CatalogContent, kind: CauseKind, message: str) -> None:
    cause = explained(request_, place).cause
    assert cause is not None
    assert (cause.kind, cause.message) == (kind, message)


def test_cause_is_a_cluster_that_is_too_old() -> None:
    request = replace(a_request(version="2.x"), kube_version="1.30.2")
    place = a_place({}, [a_bundle("2.0.0", kubernetes="1.31.0"), "1.0.0"])
    assert explained(request, place).cause == Cause(
        K.KUBERNETES_TOO_OLD,
        "what fits needs another Kubernetes: p.v2.0.0: Kubernetes >= 1.31.0 is required, the cluster has 1.30.2",
    )


def test_choice_has_no_cause() -> None:
    assert explained(a_request("3.0.0"), C10).cause is None


@pytest.mark.parametrize(
    ("left_out", "cause"),
    [
        pytest.param([], Cause(K.NO_CATALOG, "there is no catalog to look into"), id="none"),
        pytest.param(
            [LeftOut("b", 0, Absence.NOT_SELECTED), LeftOut("a", 0, Absence.NOT_SELECTED)],
            Cause(K.NO_CATALOG_SELECTED, "the selector selects none of the catalogs [a b]"),
            id="none selected",
        ),
        pytest.param(
            [
                LeftOut("c", 0, Absence.NOT_SELECTED),
                LeftOut("b", 0, Absence.DELETING),
                LeftOut("a", 0, Absence.UNAVAILABLE),
            ],
            Cause(K.NO_CATALOG_AVAILABLE, "every selected catalog is unavailable: [a b]"),
            id="none available",
        ),
    ],
)
def test_cause_tells_why_there_is_no_catalog(left_out: list[LeftOut], cause: Cause) -> None:
    assert explained(a_request(), surroundings=Surroundings(left_out=tuple(left_out))).cause == cause


def test_cause_names_the_catalogs_that_the_answer_waits_for() -> None:
    problem = CatalogProblem("sick", 1, 'catalog "sick" is not being served')
    assert explained(a_request(), problem, LINE).cause == Cause(
        K.CATALOG_UNUSABLE,
        'the answer may depend on catalogs [sick], which cannot be used now: catalog "sick" is not being served',
    )


def test_cause_names_tied_offers_only() -> None:
    """Rule: resolution.md 16.5, where the condition message lists catalogs that are not tied."""
    places = [
        a_place({}, ["1.0.0"], name="a", priority=5),
        a_place({}, ["2.0.0"], name="b", priority=5),
        a_place({}, ["3.0.0"], name="z"),
        a_place({}, ["4.0.0"], name="d", priority=5, deprecated=["4.0.0"]),
    ]
    found = explained(a_request(), *places)
    assert found.decision.message.endswith("[a b z]")
    assert found.cause == Cause(
        K.AMBIGUOUS,
        'nothing decides between what catalogs of equal priority offer: "p.v1.0.0" of a, "p.v2.0.0" of b',
    )


def test_cause_is_that_of_the_catalog_that_got_furthest() -> None:
    without_channel = a_place({"other": ["2.0.0"]}, name="a", priority=1)
    cause = explained(a_request("1.0.0", version=">2", channels=["stable", "next"]), without_channel, LINE).cause
    assert cause is not None
    assert cause.kind is K.ONLY_PRERELEASES
