"""The child process: one question on standard input, one ruling on standard output, both MessagePack.

Question: `Question` below. Ruling: the fields of `olmv1.constraints.Ruling`.
Started by `isolated` as `python -m olmv1.rules.child MEMORY_BYTES CPU_SECONDS`.
"""

from __future__ import annotations

import resource
import sys
from typing import Any

import msgspec

from olmv1.constraints import LIBRARY, OBJECT_LIBRARY, Property, Ruling

__all__ = ["Question", "main"]


class Question(msgspec.Struct):
    """What the child is asked: about bundles, or about an object of a cluster."""

    rule: str
    bundles: tuple[tuple[Property, ...], ...] = ()
    subject: dict[str, Any] | None = None


def main() -> None:
    """Read the question, decide it within the limits of the arguments, write the ruling."""
    memory_bytes, cpu_s = (int(argument) for argument in sys.argv[1:3])
    _ruling(Question("true"))  # the library is loaded before the limits hold
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
    question = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Question)
    sys.stdout.buffer.write(msgspec.msgpack.encode(_ruling(question)))


def _ruling(question: Question) -> Ruling:
    if question.subject is not None:
        return OBJECT_LIBRARY.judge(question.rule, question.subject)
    return LIBRARY.decide(question.rule, question.bundles)


if __name__ == "__main__":
    main()
