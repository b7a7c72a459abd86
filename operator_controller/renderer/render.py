"""The stages of a rendering, in their order; the first that fails ends it.

Rule: bundle-rendering.md 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from olmv1.errors import RetryableError
from olmv1.manifests import Manifest
from operator_controller.bundle import Bundle, BundleError
from operator_controller.renderer.configuration import read_configuration
from operator_controller.renderer.environment import with_environment
from operator_controller.renderer.extras import EXTRAS
from operator_controller.renderer.generators import GENERATORS
from operator_controller.renderer.improvements import improved
from operator_controller.renderer.options import Rendering, RenderOptions
from operator_controller.renderer.support import require_supported
from operator_controller.renderer.targets import require_valid_targets, target_namespaces_of
from operator_controller.renderer.validators import require_valid

__all__ = ["Rendered", "prepared", "render", "render_with_findings"]


@dataclass(frozen=True, slots=True)
class Rendered:
    """The objects to apply, and what somebody should know about them; warnings stop nothing."""

    objects: tuple[Manifest, ...]
    warnings: tuple[str, ...] = ()


def render(bundle: Bundle, options: RenderOptions) -> tuple[Manifest, ...]:
    """The objects to apply for `bundle`; the same inputs give the same bytes. Raises as `render_with_findings`."""
    return render_with_findings(bundle, options).objects


def render_with_findings(bundle: Bundle, options: RenderOptions) -> Rendered:
    """The objects to apply for `bundle`, in the order of bundle-rendering.md 10, and the warnings about them.

    Two passes: the objects of the reference, then the improvements. `options.as_reference` stops after the first and
    warns of nothing.
    Raises: ConfigurationError (terminal, `InvalidConfiguration`) when `options.config` does not fit; BundleError
    (terminal, `Blocked`) when the bundle cannot be installed, with every finding of the validators. With
    `options.as_reference` a BundleError becomes a RetryableError, as the reference retries it.
    """
    try:
        rendering = prepared(bundle, options)
        objects = tuple(manifest for generator in GENERATORS for manifest in generator(rendering))
        if options.as_reference:
            return Rendered(objects)
        extras = (manifest for extra in EXTRAS for manifest in extra(rendering))
        result = improved((*objects, *extras), rendering)
    except BundleError as error:
        if options.as_reference:
            raise RetryableError(error.words) from error
        raise
    return Rendered(result.objects, (*bundle.warnings, *result.warnings))


def prepared(bundle: Bundle, options: RenderOptions) -> Rendering:
    """What the generators look at, once every stage before them has accepted the bundle. Raises as `render`."""
    require_supported(bundle, options)
    configuration = read_configuration(bundle, options)
    require_valid(bundle, as_reference=options.as_reference)
    targets = target_namespaces_of(bundle, configuration.watch_namespace)
    require_valid_targets(bundle, options.install_namespace, targets)
    config = configuration.deployment_config
    return Rendering(
        bundle,
        options.install_namespace,
        targets,
        config if options.as_reference else with_environment(config, bundle, options),
        options.certificates,
        has_api_roles=options.api_roles,
        has_operator_condition=options.operator_condition,
    )
