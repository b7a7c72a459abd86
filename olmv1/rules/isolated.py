"""`Rules` and `ObjectRules` whose work is done by a child process with limits of memory and time."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from olmv1.constraints import OBJECT_LIBRARY, Property, Ruling
from olmv1.constraints.object_rules import shown_object
from olmv1.constraints.rules import plain_text, shown_to_rules
from olmv1.rules.child import Question

__all__ = ["IsolatedRules"]

_MEMORY_BYTES: Final = 2**30
_CPU_S: Final = 2
_TIMEOUT_S: Final = 10.0
"""For everything, the start of the child on a busy machine included."""

_KEPT: Final = 1024
_RULING = msgspec.msgpack.Decoder(Ruling)


class IsolatedRules:
    """Decides rules in child processes; blocks its thread for about 0.1 s, so never call it on an event loop.

    Rulings are kept by rule and properties: the same question starts no second child. Safe to share between threads.
    """

    def __init__(self, memory_bytes: int = _MEMORY_BYTES, cpu_s: int = _CPU_S, timeout_s: float = _TIMEOUT_S) -> None:
        self._limits = (str(memory_bytes), str(cpu_s))
        self._excess = f"the rule needs more than {cpu_s} s or {memory_bytes // 2**20} MiB, or broke its evaluation"
        self._timeout_s = timeout_s
        self._kept: OrderedDict[bytes, Ruling] = OrderedDict()
        self._lock = threading.Lock()

    def decide(self, rule: str, bundles: Sequence[tuple[Property, ...]]) -> Ruling:
        """Whether the rule holds, for each bundle by itself; never raises.

        When the child does not answer within its limits the rule holds for no bundle, and every error says so.
        """
        return self._ruling(_encoded(rule, bundles), len(bundles))

    def judge(self, rule: str, obj: Mapping[str, Any]) -> Ruling:
        """Whether the rule holds for an object of a cluster; never raises."""
        shown = shown_object(obj)
        if shown is None:
            return OBJECT_LIBRARY.judge(rule, obj)  # which says so, without the rule
        return self._ruling(msgspec.msgpack.encode(Question(plain_text(rule), (), dict(shown))), 1)

    def _ruling(self, question: bytes, entries: int) -> Ruling:
        key = hashlib.blake2b(question).digest()
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        excess = Ruling(holds=(False,) * entries, errors=(self._excess,) * entries)
        try:
            ruling = self._asked(question) or excess
        except (OSError, subprocess.TimeoutExpired):
            return excess  # a busy machine may have done it: the next question is asked again
        with self._lock:
            if not ruling.unavailable:
                self._kept[key] = ruling
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return ruling

    def _asked(self, question: bytes) -> Ruling | None:
        """What the child answers; `None` when it ended without an answer."""
        # -P: a folder that somebody stands in brings no modules
        command = [sys.executable, "-P", "-m", "olmv1.rules.child", *self._limits]
        done = subprocess.run(  # noqa: S603 - our own module, no text of anybody else
            command, input=question, capture_output=True, timeout=self._timeout_s, check=False
        )
        return _RULING.decode(done.stdout) if done.returncode == 0 else None


def _encoded(rule: str, bundles: Sequence[tuple[Property, ...]]) -> bytes:
    return msgspec.msgpack.encode(Question(plain_text(rule), tuple(map(shown_to_rules, bundles))))
