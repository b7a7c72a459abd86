"""Rules in CEL out of catalogs, decided in a process of their own.

A rule is a stranger's program. The library bounds its loops and depth, not the memory and time of values that it builds
out of themselves, and it keeps the interpreter's lock: a bad rule would stop every worker. So a child process decides,
with limits of the kernel. What may be asked is `olmv1.constraints.Rules`; this room holds no rule of OLM.
"""

from __future__ import annotations

from olmv1.rules.isolated import IsolatedRules

__all__ = ["IsolatedRules"]
