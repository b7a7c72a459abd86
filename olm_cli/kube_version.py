"""`--kube-version VERSION`: the Kubernetes that something has to fit, read alike by every command that has it."""

from __future__ import annotations

from olm_cli.problems import BadInput

__all__ = ["given_kube_version"]


def given_kube_version(text: str | None) -> str | None:
    """The version as `1.30.2`; `v1.30.2` and `1.30` are taken too. `None` when none is given.

    Raises:
        BadInput: it is no version.
    """
    from operator_controller.resolver import kubernetes_version  # noqa: PLC0415 - `olm --help` needs no resolver

    if not text:
        return None
    found = kubernetes_version(text)
    if found is None:
        raise BadInput(f'--kube-version {text}: expected a version such as 1.30.2, found "{text}"')
    return ".".join(map(str, found))
