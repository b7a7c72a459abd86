"""The child process: one question on standard input, one ruling on standard output, both MessagePack.

Question: `Question` below. Ruling: the fields of `olmv1.constraints.Ruling`.
Started by `isolated` as `python -m olmv1.rules.child MEMORY_BYTES CPU_SECONDS`.
"""

from __future__ import annotations

import resource
import sys

import msgspec

from olmv1.constraints import LIBRARY, Property

__all__ = ["Question", "main"]


class Question(msgspec.Struct):
    """What the child is asked."""

    rule: str
    bundles: tuple[tuple[Property, ...], ...] = ()


def main() -> None:
    """Read the question, decide it within the limits of the arguments, write the ruling."""
    memory_bytes, cpu_s = (int(argument) for argument in sys.argv[1:3])
    LIBRARY.decide("true", ())  # the library is loaded before the limits hold
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
    question = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Question)
    sys.stdout.buffer.write(msgspec.msgpack.encode(LIBRARY.decide(question.rule, question.bundles)))


if __name__ == "__main__":
    main()
