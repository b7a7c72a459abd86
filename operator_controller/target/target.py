"""Which bundle the extension should have: the resolver's choice, or what is installed when its catalogs are gone."""

from __future__ import annotations

from dataclasses import dataclass

from olmv1.errors import OlmError, RetryableError, TerminalError
from olmv1.fbc import Bundle
from operator_controller.outcome.extension import ExtensionOutcome
from operator_controller.resolver import Chosen, Request, Unresolved, satisfies_wanted
from operator_controller.revisions.desired import BundleIdentity
from operator_controller.revisions.view import RevisionView, active

__all__ = ["Target", "for_bundle", "target_of"]


@dataclass(frozen=True, slots=True)
class Target:
    """The wanted bundle, and whether its image differs from that of the same bundle already installed (decision 7).

    `blob` is what the catalog says about it, `None` when it is kept without a catalog.
    """

    bundle: BundleIdentity
    image_changed_to: str | None = None
    blob: Bundle | None = None


def target_of(
    request: Request,
    answer: Chosen | Unresolved,
    seen: ExtensionOutcome,
    *,
    has_catalogs: bool,
    takes_image: bool = False,
) -> Target:
    """The bundle to have; `takes_image`: with the image of its catalog, though the same bundle has another one.

    Raises:
        TerminalError, RetryableError: nothing fits; the message of the resolver. Rule: resolution.md 8.
    """
    installed = seen.installed
    if isinstance(answer, Chosen):
        return _chosen(request, answer, seen, takes_image=takes_image)
    is_left_alone = request.installed is not None and satisfies_wanted(request, request.installed)
    if installed is not None and not has_catalogs and is_left_alone:
        return Target(installed.bundle)
    raise TerminalError(answer.message) if answer.is_terminal else RetryableError(answer.message)


def for_bundle(bundle: BundleIdentity, error: OlmError) -> OlmError:
    """`error` with the bundle it is about; its class, reason and delay stay. Rule: clusterextension.md 5.2."""
    text = f'error for resolved bundle "{bundle.name}" with version "{bundle.version}": {error}'
    if isinstance(error, TerminalError):
        return TerminalError(text, reason=error.reason)
    return RetryableError(text, retry_after_s=error.retry_after_s if isinstance(error, RetryableError) else None)


def _chosen(request: Request, chosen: Chosen, seen: ExtensionOutcome, *, takes_image: bool) -> Target:
    release = chosen.version.release
    bundle = BundleIdentity(
        package=request.package,
        name=chosen.bundle.name,
        version=str(chosen.version.version),
        release=None if release is None else str(release),
        image=chosen.bundle.image,
        catalog=chosen.catalog,
    )
    kept = _same_bundle(bundle, seen)
    if kept is None or kept.bundle.image == bundle.image or takes_image or not kept.has_succeeded:
        return Target(bundle, blob=chosen.bundle)
    return Target(kept.bundle, image_changed_to=bundle.image, blob=chosen.bundle)


def _same_bundle(bundle: BundleIdentity, seen: ExtensionOutcome) -> RevisionView | None:
    """The newest revision when it is of this bundle, else the installed one when it is."""
    candidates = (*active(seen.revisions or ())[-1:], *((seen.installed,) if seen.installed else ()))
    return next((item for item in candidates if item.bundle.is_same_as == bundle.is_same_as), None)
