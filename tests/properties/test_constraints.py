"""Whatever stands in a requirement, it is read or refused with its place; no order of anything changes an answer."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from olmv1.constraints import (
    AllOf,
    AnyOf,
    Facts,
    Index,
    NoneOf,
    Predicate,
    Property,
    Provider,
    classic_of,
    evaluate,
    lines_of,
    requirements_of,
    text_of,
)
from olmv1.served import Served
from operator_controller.dependencies import (
    Candidate,
    ClusterFacts,
    InstalledExtension,
    Inventory,
    Mode,
    check,
    read_properties,
    recorded_properties,
)
from operator_controller.dependencies.recording import MAX_SIZE_BYTES

_APIS = st.sampled_from(["A", "B", "C"]).map(lambda kind: {"group": "example.com", "version": "v1", "kind": kind})
_PACKAGES = st.builds(
    lambda name, text: {"packageName": name, "versionRange": text},
    st.sampled_from(["a", "b", "c"]),
    st.sampled_from([">=1.0.0", "<1.0.0", "1.0.0"]),
)
_MESSAGES = st.sampled_from(["", "because"])
_LEAVES = st.one_of(
    st.builds(lambda value, text: {"gvk": value, "failureMessage": text}, _APIS, _MESSAGES),
    st.builds(lambda value, text: {"package": value, "failureMessage": text}, _PACKAGES, _MESSAGES),
)
_CONSTRAINTS: st.SearchStrategy[Any] = st.recursive(
    _LEAVES,
    lambda inner: st.builds(
        lambda kind, parts, text: {kind: {"constraints": parts}, "failureMessage": text},
        st.sampled_from(["all", "any", "not"]),
        st.lists(inner, min_size=1, max_size=3),
        _MESSAGES,
    ),
    max_leaves=8,
)
_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["all", "any", "not", "cel", "gvk", "package", "constraints", "rule", "name", "kind", "x"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=10,
)
_PROPERTIES = st.lists(st.builds(Property, st.sampled_from(["olm.gvk"]), _APIS), max_size=3).map(tuple)
_PROVIDERS = st.lists(
    st.builds(
        lambda name, version, properties: Provider(name, f"{name}.v{version}", name, version, properties),
        st.sampled_from(["a", "b", "c", "d"]),
        st.sampled_from(["0.9.0", "1.0.0", "2.0.0"]),
        _PROPERTIES,
    ),
    max_size=4,
    unique_by=lambda each: each.extension,
)


def truth(predicate: Predicate, facts: Facts) -> bool:
    """The documented meaning, written once more."""
    match predicate:
        case AllOf():
            return all(truth(part, facts) for part in predicate.parts)
        case AnyOf():
            return any(truth(part, facts) for part in predicate.parts)
        case NoneOf():
            return not any(truth(part, facts) for part in predicate.parts)
    (requirement,) = evaluate(requirements_of([as_property(predicate)]), facts).judgements
    return requirement.is_met


def as_property(leaf: Any) -> Property:
    if hasattr(leaf, "package"):
        return Property("olm.package.required", {"packageName": leaf.package, "versionRange": leaf.range.text})
    return Property("olm.gvk.required", {"group": leaf.group, "version": leaf.version, "kind": leaf.kind})


@settings(derandomize=True, max_examples=100, deadline=None)
@given(_CONSTRAINTS, _PROVIDERS)
def test_compounds_mean_what_is_documented(constraint: Any, providers: list[Provider]) -> None:
    facts = Facts(Index(providers), Served("1.36.3", frozenset({("example.com", "v1", "C")})))
    (judgement,) = evaluate(requirements_of([Property("olm.constraint", constraint)]), facts).judgements
    assert judgement.finding is not None
    assert judgement.is_met == truth(judgement.finding.predicate, facts)
    assert bool(list(lines_of(judgement.finding))) != judgement.is_met
    classic_of(judgement, facts)


@settings(derandomize=True, max_examples=50, deadline=None)
@given(_CONSTRAINTS, _PROVIDERS)
def test_order_of_extensions_changes_nothing(constraint: Any, providers: list[Provider]) -> None:
    requirements = requirements_of([Property("olm.constraint", constraint)])
    assert evaluate(requirements, Facts(Index(providers))) == evaluate(requirements, Facts(Index(reversed(providers))))


@settings(derandomize=True, max_examples=150, deadline=None)
@given(st.sampled_from(["olm.constraint", "olm.package.required", "olm.gvk.required", "olm.kubeversion"]), _ANYTHING)
def test_requirements_are_read_or_refused_whatever_they_hold(type_: str, value: Any) -> None:
    (found,) = requirements_of([Property(type_, value)])
    assert (found.predicate is None) == bool(found.error)
    if found.predicate is None:
        assert found.error.startswith(f"invalid dependency: {type_}[0]")
    else:
        assert "\n" not in text_of(found.predicate)


@settings(derandomize=True, max_examples=50, deadline=None)
@given(st.lists(st.builds(Property, st.text(max_size=5), _ANYTHING), max_size=5))
def test_recorded_properties_come_back(properties: list[Property]) -> None:
    text = recorded_properties(properties, properties)
    assert len(text.encode()) <= MAX_SIZE_BYTES
    found = read_properties(text)
    assert found is not None
    assert recorded_properties(found, ()) == text


@settings(derandomize=True, max_examples=50, deadline=None)
@given(_CONSTRAINTS, _PROVIDERS, _PROPERTIES, st.sampled_from(["a", "e"]))
def test_check_holds_exactly_with_a_reason(
    constraint: Any, providers: list[Provider], properties: tuple[Property, ...], name: str
) -> None:
    extensions = [
        InstalledExtension(each.extension, each.package, each.bundle, each.version, each.properties)
        for each in providers
    ]
    candidate = Candidate(name, name, f"{name}.new", "1.0.0", (*properties, Property("olm.constraint", constraint)))
    verdicts = [check(candidate, Mode.CHECK, ClusterFacts(Inventory(each))) for each in (extensions, extensions[::-1])]
    assert str(verdicts[0].failure) == str(verdicts[1].failure)
    assert (verdicts[0].failure is None) == (verdicts[0].evaluation.is_met and not verdicts[0].breaks)
    assert check(candidate, Mode.WARN, ClusterFacts(Inventory(extensions))).failure is None
