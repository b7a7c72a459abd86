from __future__ import annotations

import pytest

from operator_controller.resolver import CatalogContent, CatalogProblem, Request, Unresolved, resolve
from tests.packages import a_bundle, a_catalog, a_package, an_installed

_DOWN = "is not being served"


def problem(name: str, priority: int = 0) -> CatalogProblem:
    return CatalogProblem(name, priority, _DOWN)


def catalog(
    name: str, *versions: str, priority: int = 0, deprecated: tuple[str, ...] = (), registry: str = "r"
) -> CatalogContent:
    channel = [f"{version} (SR <{version})" for version in versions]
    bundles = [a_bundle(version, image=f"{registry}/{version}") for version in versions]
    return a_catalog(a_package(bundles, {"stable": channel}, deprecated), name, priority)


def outcome(installed: str | None, *catalogs: CatalogContent | CatalogProblem, remembered: str | None = None) -> str:
    bundle = an_installed(installed, catalog=remembered) if installed else None
    answer = resolve(Request("p", installed=bundle), catalogs)
    if isinstance(answer, Unresolved):
        assert answer.is_terminal is False
        return f"waits for {' '.join(answer.problem_catalogs)}" if answer.problem_catalogs else "unresolved"
    return f"{answer.version} from {answer.catalog}"


@pytest.mark.parametrize(
    ("installed", "catalogs", "expected"),
    [
        pytest.param(None, (catalog("a", "1.0.0"), problem("b", -1)), "1.0.0 from a", id="lower priority"),
        pytest.param(None, (catalog("a", "1.0.0"), problem("b")), "waits for b", id="same priority"),
        pytest.param(None, (catalog("a", "1.0.0"), problem("b", 1)), "waits for b", id="higher priority"),
        pytest.param(
            None, (catalog("a", "1.0.0", deprecated=("1.0.0",)), problem("b", -1)), "waits for b", id="deprecated offer"
        ),
        pytest.param(None, (problem("b"), problem("a")), "waits for a b", id="no offer"),
        pytest.param(None, (catalog("a"), problem("b", -9)), "waits for b", id="nothing in the usable catalog"),
        pytest.param("1.0.0", (catalog("a", "1.0.0"), problem("b", 9)), "1.0.0 from a", id="staying"),
        pytest.param("1.0.0", (catalog("a", "1.0.0", "2.0.0"), problem("b", 9)), "waits for b", id="upgrade"),
        pytest.param("1.0.0", (catalog("a", "1.0.0", "2.0.0"), problem("b", -9)), "2.0.0 from a", id="final upgrade"),
        pytest.param(None, (catalog("a", "1.0.0"), catalog("c", "2.0.0"), problem("b")), "unresolved", id="tie anyway"),
        pytest.param(
            None, (catalog("a", "1.0.0"), catalog("c", "2.0.0"), problem("b", 1)), "waits for b", id="tie below"
        ),
    ],
)
def test_unusable_catalog_counts_when_the_result_could_depend_on_it(
    installed: str | None, catalogs: tuple[CatalogContent | CatalogProblem, ...], expected: str
) -> None:
    assert outcome(installed, *catalogs) == expected


def test_remembered_catalog_wins_a_tie() -> None:
    catalogs = catalog("a", "1.0.0", "2.0.0"), catalog("b", "1.0.0", "3.0.0")
    assert outcome("1.0.0", *catalogs) == "unresolved"
    assert outcome("1.0.0", *catalogs, remembered="b") == "3.0.0 from b"
    assert outcome("1.0.0", *catalogs, remembered="gone") == "unresolved"


def test_remembered_catalog_settles_with_an_unusable_one_of_the_same_priority() -> None:
    assert outcome("1.0.0", catalog("a", "2.0.0"), problem("b"), remembered="a") == "2.0.0 from a"
    assert outcome("1.0.0", catalog("a", "2.0.0"), problem("b"), remembered="b") == "waits for b"
    tied = catalog("a", "2.0.0"), catalog("c", "3.0.0"), problem("b")
    assert outcome("1.0.0", *tied, remembered="b") == "waits for b"


def test_tie_between_identical_offers_goes_to_the_first_name() -> None:
    assert outcome(None, catalog("b", "1.0.0"), catalog("a", "1.0.0")) == "1.0.0 from a"
    assert outcome(None, catalog("b", "1.0.0"), catalog("a", "1.0.0", registry="other")) == "unresolved"


def test_trace_tells_what_decided() -> None:
    catalogs: list[CatalogContent | CatalogProblem] = [
        catalog("dep", "9.0.0", priority=9, deprecated=("9.0.0",)),
        catalog("b", "1.0.0", priority=1),
        catalog("a", "1.0.0", priority=1),
        catalog("low", "1.0.0"),
        problem("sick", 1),
    ]
    assert resolve(Request("p"), catalogs).trace.decisions == (
        "deprecated bundles offered by [dep] give way",
        "priority 1 decides",
        "[a b] offer the same bundle",
        "the answer may depend on unusable catalogs [sick]",
    )
