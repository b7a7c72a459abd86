"""OperatorConditions: how an operator says that it must not be replaced now. Rule: upgradeable.md 4.1; decision 19.

Pure. Called by the reconciler of extensions: `condition_for` makes the object that the operator reports through,
`hold_of` reads what it says.
"""

from operator_controller.operator_conditions.hold import hold_of
from operator_controller.operator_conditions.made import GROUP, KIND, condition_for

__all__ = ["GROUP", "KIND", "condition_for", "hold_of"]
