"""The stages of a rendering, in their order; the first that fails ends it.

Rule: bundle-rendering.md 1.
"""

from __future__ import annotations

from olmv1.errors import RetryableError
from olmv1.manifests import Manifest
from operator_controller.bundle import Bundle, BundleError
from operator_controller.renderer.configuration import read_configuration
from operator_controller.renderer.generators import GENERATORS
from operator_controller.renderer.options import Rendering, RenderOptions
from operator_controller.renderer.support import require_supported
from operator_controller.renderer.targets import require_valid_targets, target_namespaces_of
from operator_controller.renderer.validators import require_valid

__all__ = ["render"]


def render(bundle: Bundle, options: RenderOptions) -> tuple[Manifest, ...]:
    """The objects to apply for `bundle`, in the order of bundle-rendering.md 10; the same inputs give the same bytes.

    Raises: ConfigurationError (terminal, `InvalidConfiguration`) when `options.config` does not fit; BundleError
    (terminal, `Blocked`) when the bundle cannot be installed, with every finding of the validators. With
    `options.as_reference` a BundleError becomes a RetryableError, as the reference retries it.
    """
    try:
        rendering = _prepared(bundle, options)
    except BundleError as error:
        if options.as_reference:
            raise RetryableError(error.words) from error
        raise
    return tuple(manifest for generator in GENERATORS for manifest in generator(rendering))


def _prepared(bundle: Bundle, options: RenderOptions) -> Rendering:
    require_supported(bundle, options)
    configuration = read_configuration(bundle, options)
    require_valid(bundle)
    targets = target_namespaces_of(bundle, configuration.watch_namespace)
    require_valid_targets(bundle, options.install_namespace, targets)
    return Rendering(bundle, options.install_namespace, targets, configuration.deployment_config)
