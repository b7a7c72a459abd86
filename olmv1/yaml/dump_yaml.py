"""Value → YAML text for people; what any reader of YAML 1.1 or 1.2 reads back as the same value."""

from __future__ import annotations

from typing import Any

import yaml

from olmv1.yaml.scalars import NotJsonError, plain

__all__ = ["dump_yaml"]


def dump_yaml(value: object) -> str:
    """One YAML document in block style, keys in the order given, texts quoted where a reader could take them otherwise.

    Texts of several lines are written as blocks; nothing is folded, and nothing is written as an alias.
    Raises: TypeError for what is not a value of JSON.
    """
    try:
        return yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_UNFOLDED)
    except yaml.representer.RepresenterError as error:
        raise TypeError(f"expected a value of JSON, found {type(error.args[-1]).__name__}") from error


_UNFOLDED = 1 << 30
_ODD_BREAKS = frozenset("\x85\u2028\u2029")
"""Ends of lines in YAML 1.1, characters like others in 1.2: written as escapes, they are the same in both."""


class _Dumper(yaml.SafeDumper):
    """PyYAML's own dumper, with the scalar rules of `olmv1.yaml` for texts."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - the signature is PyYAML's
        """Whether equal objects are written out each time: always."""
        return True


def _text(dumper: _Dumper, value: str) -> yaml.ScalarNode:
    style = None
    if _ODD_BREAKS & set(value) or ("\n" not in value and _is_ambiguous(value)):
        style = '"'
    elif "\n" in value:
        style = "|"
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


def _is_ambiguous(value: str) -> bool:
    """Whether `value` without quotes would be read as something else than a text."""
    try:
        return plain(value) is not value
    except NotJsonError:
        return True


def _listed(dumper: _Dumper, value: tuple[Any, ...]) -> yaml.SequenceNode:
    return dumper.represent_list(value)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(tuple, _listed)
