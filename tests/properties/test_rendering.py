from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from olmv1.errors import OlmError
from operator_controller.bundle import Deployment, Permission, parse_bundle
from operator_controller.bundle.quantities import canonical_quantity
from operator_controller.renderer import RenderOptions, render
from tests.bundles import a_bundle, a_deployment, bundle_files

_QUICK = settings(derandomize=True, deadline=None, max_examples=75)

_NAMES = st.text("ab<é", min_size=1, max_size=3)
_RULES = st.none() | st.lists(st.fixed_dictionaries({"verbs": st.lists(_NAMES, max_size=2)}), max_size=2).map(tuple)
_PERMISSIONS = st.lists(st.builds(Permission, _NAMES, _RULES), max_size=3).map(tuple)
_DEPLOYMENTS = st.lists(st.sampled_from("abc").map(a_deployment), max_size=3, unique_by=lambda each: each.name).map(
    tuple
)
_MODES = st.sets(st.sampled_from(["AllNamespaces", "OwnNamespace", "SingleNamespace", "MultiNamespace"])).map(frozenset)
_ENV = st.lists(st.fixed_dictionaries({"name": _NAMES}), max_size=3)
_CONFIGS = st.none() | st.fixed_dictionaries(
    {},
    optional={
        "watchNamespace": st.sampled_from(["ns", "other", "", "A", None, 1]),
        "deploymentConfig": st.fixed_dictionaries({}, optional={"env": _ENV, "volumes": _ENV, "unknown": st.none()}),
    },
)
_QUANTITIES = st.from_regex(
    r"[+-]?[0-9]{1,20}(\.[0-9]{0,12})?([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,3})?", fullmatch=True
)


def answer(bundle: Any, options: RenderOptions) -> str:
    """The rendered text, or the message of the error."""
    try:
        return json.dumps(render(bundle, options))
    except OlmError as error:
        return str(error)


@_QUICK
@given(_PERMISSIONS, _PERMISSIONS, _DEPLOYMENTS, _MODES, _CONFIGS)
def test_render_gives_the_same_bytes_for_the_same_inputs(
    first: tuple[Permission, ...],
    second: tuple[Permission, ...],
    deployments: tuple[Deployment, ...],
    modes: frozenset[str],
    config: Any,
) -> None:
    members = {"permissions": first, "cluster_permissions": second, "deployments": deployments, "install_modes": modes}
    bundle, options = a_bundle(**members), RenderOptions("ns", config)
    before = repr(bundle)
    assert answer(bundle, options) == answer(bundle, options)
    assert repr(bundle) == before


@_QUICK
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=3),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["watchNamespace", "deploymentConfig", "env", "name", "x"]), inner)
        ),
    )
)
def test_render_raises_only_errors_of_the_domain_for_any_configuration(config: Any) -> None:
    answer(parse_bundle(bundle_files()), RenderOptions("ns", config))


@_QUICK
@given(_QUANTITIES)
def test_canonical_quantity_is_stable(text: str) -> None:
    written = canonical_quantity(text)
    assert canonical_quantity(written) == written
