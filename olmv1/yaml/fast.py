"""The fast loader: one YAML document → its value, or "ask the exact loader".

Optional: without the library every document goes to `exact`. Only documents that `guard` passes may be believed.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import orjson

from olmv1.yaml.depth import may_exhaust_stack
from olmv1.yaml.guard import is_suspicious

try:
    import yaml_rs as _parser
except ImportError:  # The exact loader reads everything, only slower.
    _parser: ModuleType | None = None  # type: ignore[no-redef]

__all__ = ["HAS_FAST_PARSER", "Undecided", "load_fast"]

HAS_FAST_PARSER = _parser is not None


class Undecided(Exception):  # noqa: N818 - an answer, not an error
    """The fast parser cannot read the document, or must not be believed."""


def load_fast(document: bytes, *, has_unique_keys: bool = False) -> Any:
    """The value of the one document in `document`; `None` when it is empty.

    Of equal keys the last wins, unless `has_unique_keys` refuses them.
    Raises: Undecided.
    """
    if _parser is None or is_suspicious(document) or may_exhaust_stack(document):
        raise Undecided
    policies = _parser.DuplicateKeyPolicy
    policy = policies.Error if has_unique_keys else policies.LastWins
    try:
        value = _parser.loads(document.decode(), parse_datetime=False, duplicate_key_policy=policy)
        # Refuses keys that are no text (`443:`, `{a: b}:`) and what nests deeper than MAX_DEPTH.
        orjson.dumps(value)
    except (ValueError, TypeError) as error:  # Its errors, those of decoding, and keys that Python cannot hash.
        raise Undecided from error
    return value
