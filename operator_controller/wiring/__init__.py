"""Puts the operator-controller together and runs it: clients, watches, ports, reconcilers, in that order.

`process` is the program, of which every replica runs the outer part; `leading` is what only the leader runs.
"""

from operator_controller.wiring.process import run

__all__ = ["run"]
