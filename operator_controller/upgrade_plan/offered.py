"""What a bundle of a catalog declares, before it is installed. Rule: upgradeable.md 2, row "catalog (FBC)"."""

from __future__ import annotations

import json

from olmv1.fbc import Bundle
from operator_controller.upgradeability import Maximum, read_maximum
from operator_controller.upgradeability.maximum import PROPERTY

__all__ = ["declared", "maximum_of"]


def declared(bundle: Bundle) -> str:
    """The declaration in the form in which an installed bundle records it: the annotation `olm.properties`."""
    values = (value.decode() for value in bundle.property_values(PROPERTY))
    # The raw text of each value is kept: 4.10 must not become 4.1.
    listed = (f'{{"type":{json.dumps(PROPERTY)},"value":{value}}}' for value in values)
    return f"[{','.join(listed)}]"


def maximum_of(bundle: Bundle) -> Maximum:
    """The highest version of OpenShift that a bundle of a catalog supports."""
    return read_maximum(declared(bundle))
