"""The steps of a Containerfile, as values. Pure.

Reads the subset that ours is written in: anything else is an error, not a guess.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

__all__ = ["Cache", "Config", "Copy", "Run", "Stage", "Step", "parse"]

_VARIABLE = re.compile(r"\$(?:\{(?P<braced>\w+)\}|(?P<bare>\w+))")
_INSTRUCTION = re.compile(r"^(?P<name>[A-Z]+)\s+(?P<rest>.*)$", re.DOTALL)
_MOUNT = re.compile(r"^--mount=(?P<options>\S+)\s+(?P<rest>.*)$", re.DOTALL)
_COPY_FROM = re.compile(r"^--from=(?P<stage>\S+)\s+(?P<rest>.*)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Cache:
    """A folder that outlives the build, at `target` while a command runs; `name` tells one from another."""

    name: str
    target: str


@dataclass(frozen=True, slots=True)
class Run:
    """A shell command with its variables and the folder that it runs in."""

    command: str
    caches: tuple[Cache, ...]
    environment: Mapping[str, str]
    folder: str


@dataclass(frozen=True, slots=True)
class Copy:
    """Files from the project, or from the stage `origin`; `target` ends with `/` when it is a folder to copy into."""

    sources: tuple[str, ...]
    target: str
    origin: str | None


Step = Run | Copy


@dataclass(frozen=True, slots=True)
class Config:
    """What a container is started with."""

    environment: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    user: str = ""
    command: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stage:
    """One `FROM`: the image that it begins with (`scratch`: nothing), its steps, and what it is started with."""

    name: str
    base: str
    steps: tuple[Step, ...] = ()
    config: Config = Config()


@dataclass(slots=True)
class _Reader:
    """What was read so far."""

    given: Mapping[str, str]
    shared: dict[str, str] = field(default_factory=dict)
    known: dict[str, str] = field(default_factory=dict)
    folder: str = "/"
    stages: list[Stage] = field(default_factory=list)

    def read(self, name: str, rest: str) -> None:
        """Take one instruction."""
        readers = {
            "ARG": self._argument,
            "CMD": lambda text: self._configure(command=tuple(json.loads(text))),
            "COPY": self._copy,
            "ENV": self._environment,
            "FROM": self._begin,
            "LABEL": lambda text: self._configure(labels={**self._last.config.labels, **self._pairs(text)}),
            "RUN": self._run,
            "USER": lambda text: self._configure(user=self._expanded(text)),
            "WORKDIR": self._enter,
        }
        if name not in readers:
            raise ValueError(f"instruction {name}: expected one of {', '.join(sorted(readers))}")
        if not self.stages and name not in ("ARG", "FROM"):
            raise ValueError(f"instruction {name} before the first FROM")
        readers[name](rest)

    @property
    def _last(self) -> Stage:
        return self.stages[-1]

    def _begin(self, rest: str) -> None:
        words = rest.split()
        if len(words) not in (1, 3) or (len(words) == 3 and words[1].upper() != "AS"):
            raise ValueError(f'FROM "{rest}": expected IMAGE or IMAGE AS NAME')
        self.known, self.folder = self.shared, "/"
        base = self._expanded(words[0])
        self.known = {}
        self.stages.append(Stage(words[2] if len(words) == 3 else "", base))

    def _argument(self, rest: str) -> None:
        name, _, default = rest.partition("=")
        value = self.given.get(name, default or self.shared.get(name, ""))
        (self.known if self.stages else self.shared)[name] = value

    def _environment(self, rest: str) -> None:
        pairs = self._pairs(rest)
        self.known |= pairs
        self._configure(environment={**self._last.config.environment, **pairs})

    def _enter(self, rest: str) -> None:
        self.folder = self._expanded(rest)

    def _copy(self, rest: str) -> None:
        found = _COPY_FROM.match(rest)
        words = [self._expanded(word) for word in shlex.split(found["rest"] if found else rest)]
        if len(words) < 2 or any(word.startswith("--") for word in words):
            raise ValueError(f'COPY "{rest}": expected SOURCE… TARGET, or --from=STAGE before them')
        target = words[-1] if words[-1].startswith("/") else f"{self.folder.rstrip('/')}/{words[-1].removeprefix('./')}"
        self._add(Copy(tuple(words[:-1]), target, found["stage"] if found else None))

    def _run(self, rest: str) -> None:
        caches: list[Cache] = []
        while found := _MOUNT.match(rest):
            options = dict(part.split("=", 1) for part in found["options"].split(","))
            if set(options) != {"type", "id", "target"} or options["type"] != "cache":
                raise ValueError(f"RUN --mount={found['options']}: expected type=cache,id=NAME,target=FOLDER")
            caches.append(Cache(options["id"], options["target"]))
            rest = found["rest"]
        self._add(Run(rest, tuple(caches), dict(self.known), self.folder))

    def _add(self, step: Step) -> None:
        self.stages[-1] = replace(self._last, steps=(*self._last.steps, step))

    def _configure(self, **changes: object) -> None:
        config = replace(self._last.config, **changes)  # type: ignore[arg-type]
        self.stages[-1] = replace(self._last, config=config)

    def _pairs(self, text: str) -> dict[str, str]:
        pairs = [word.partition("=") for word in shlex.split(text)]
        if any(not equals for _, equals, _ in pairs):
            raise ValueError(f'"{text}": expected NAME=VALUE…')
        return {name: self._expanded(value) for name, _, value in pairs}

    def _expanded(self, text: str) -> str:
        return _VARIABLE.sub(lambda match: self.known.get(match["braced"] or match["bare"], ""), text)


def parse(text: str, arguments: Mapping[str, str]) -> tuple[Stage, ...]:
    """The stages of a Containerfile, in its order; `arguments` win over the defaults of `ARG`.

    Raises:
        ValueError: an instruction or an option is none of those that we use; the message holds its text.
    """
    reader = _Reader(arguments)
    for line in _instructions(text.splitlines()):
        found = _INSTRUCTION.match(line)
        if found is None:
            raise ValueError(f'"{line}": expected an instruction')
        reader.read(found["name"], found["rest"].strip())
    return tuple(reader.stages)


def _instructions(lines: Sequence[str]) -> list[str]:
    """Whole instructions: without comments and empty lines, continued lines joined."""
    found, rest = [], ""
    for line in lines:
        if line.lstrip().startswith("#") or not (line.strip() or rest):
            continue
        rest += line
        if rest.endswith("\\"):
            rest = rest[:-1]
        else:
            found.append(rest.strip())
            rest = ""
    return [*found, *([rest.strip()] if rest.strip() else [])]
