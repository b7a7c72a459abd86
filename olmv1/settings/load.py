"""From a command line to a settings model, and the part of every `main` that talks to a person about it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from olmv1.settings.common import CommonSettings
from olmv1.settings.flags import Flag, UsageError, read_flags
from olmv1.settings.gates import FeatureGates
from olmv1.settings.values import BindAddress, format_duration, parse_bool

__all__ = ["flags_of", "help_of", "parse_settings", "settings_or_exit", "version_text"]

AnySettings = TypeVar("AnySettings", bound=CommonSettings)

_KLOG_BOOLS = ("add-dir-header", "alsologtostderr", "logtostderr", "one-output", "skip-headers", "skip-log-headers")
_KLOG_TEXTS = ("log-backtrace-at", "log-dir", "log-file", "log-file-max-size", "stderrthreshold", "vmodule")
_KLOG_FLAGS = tuple(
    Flag(spelling, is_bool=name in _KLOG_BOOLS)
    for name in (*_KLOG_BOOLS, *_KLOG_TEXTS)
    for spelling in dict.fromkeys((name, name.replace("-", "_")))
)


def flags_of(model: type[CommonSettings]) -> tuple[Flag, ...]:
    """The flags that a settings model understands, sorted by name."""
    fields = sorted(model.model_fields.items())
    return tuple(_flag(name.replace("_", "-"), field) for name, field in fields)


def parse_settings(model: type[AnySettings], arguments: Sequence[str]) -> AnySettings:
    """The settings of a command line; what it leaves out comes from the environment, then from the defaults.

    Flags of Go's log library that mean nothing here are accepted and ignored, as manifests written for the reference
    may carry them.

    Raises:
        UsageError: a flag is unknown, or a value or a combination of values cannot be used.
    """
    flags = flags_of(model)
    given = read_flags(arguments, (*flags, *_KLOG_FLAGS))
    values: dict[str, object] = {}
    for flag in flags:
        if texts := given.get(flag.name):
            values[flag.name.replace("-", "_")] = _value(flag, texts)
    try:
        return model(**values)  # type: ignore[arg-type]  # texts, which the model validates
    except ValidationError as error:
        raise UsageError("; ".join(_sentence(dict(problem)) for problem in error.errors())) from error


def settings_or_exit(
    model: type[AnySettings], program: str, *, version: Callable[[], str] | None = None
) -> AnySettings:
    """The settings of this process; ends it for `version`, `--help` (0) and for usage errors (1, as the reference).

    `version` gives what the subcommand of this name prints; by default `version_text`.
    """
    arguments = sys.argv[1:]
    if arguments[:1] == ["version"]:
        sys.stdout.write(f"{(version or version_text)()}\n")
        raise SystemExit(0)
    if {"-h", "-help", "--help", "help"} & set(arguments[:1] + [a for a in arguments if a.startswith("-")]):
        sys.stdout.write(help_of(model, program))
        raise SystemExit(0)
    try:
        return parse_settings(model, arguments)
    except UsageError as error:
        sys.stderr.write(f"Error: {error}\nRun '{program} --help' for usage.\n")
        raise SystemExit(1) from error


def help_of(model: type[CommonSettings], program: str) -> str:
    """The text of `--help`: every flag with its default, and the environment variable in its place."""
    prefix = model.model_config.get("env_prefix", "")
    lines = [f"Usage:\n  {program} [flags]\n  {program} version\n\nFlags:"]
    for flag in flags_of(model):
        default = f" (default {flag.default})" if flag.default else ""
        lines.append(f"  --{flag.name:28} {flag.help}{default}")
    if prefix:
        lines.append(f"\nEach flag can be given as environment variable, e.g. {prefix}LEADER_ELECT=true.")
    return "\n".join(lines) + "\n"


def version_text() -> str:
    """`version: "<v>", commit: "<c>", date: "<d>", state: "<s>"`; unknown parts read `unknown`.

    Rule: clusterextension.md 12. The image build writes the parts into `OLMV1_BUILD` as `<commit> <date> <state>`.
    """
    from importlib import metadata  # noqa: PLC0415 - only this subcommand pays for it

    try:
        version = metadata.version("olmv1")
    except metadata.PackageNotFoundError:
        version = "unknown"
    commit, date, state = (*os.environ.get("OLMV1_BUILD", "").split(), "unknown", "unknown", "unknown")[:3]
    parts = {"version": version, "commit": commit, "date": date, "state": state}
    return ", ".join(f"{name}: {json.dumps(value)}" for name, value in parts.items())


def _flag(name: str, field: FieldInfo) -> Flag:
    is_repeatable = name == "feature-gates"
    return Flag(
        name,
        field.description or "",
        _shown(field.get_default(call_default_factory=True)),
        is_bool=field.annotation is bool,
        is_repeatable=is_repeatable,
    )


def _shown(default: object) -> str:
    """A default as one would write it on the command line; empty when there is none worth showing."""
    match default:
        case BindAddress(host=host, port=port):
            return f"{host or ''}:{port}"
        case float():
            return format_duration(default)
        case None | "" | False | FeatureGates():
            return ""
        case _:
            return str(default)


def _value(flag: Flag, texts: list[str]) -> object:
    if flag.is_repeatable:
        return texts
    if not flag.is_bool:
        return texts[-1]
    try:
        return parse_bool(texts[-1])
    except ValueError as error:
        raise UsageError(f'invalid argument "{texts[-1]}" for "--{flag.name}" flag: {error}') from error


def _sentence(problem: dict[str, object]) -> str:
    context = problem.get("ctx")
    cause = context.get("error") if isinstance(context, dict) else None
    why = str(cause) if cause is not None else str(problem.get("msg"))
    location = problem.get("loc")
    if not isinstance(location, tuple) or not location:
        return why
    flag = str(location[0]).replace("_", "-")
    return why if flag in why or flag == "feature-gates" else f'invalid argument for "--{flag}" flag: {why}'
