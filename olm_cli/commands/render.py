"""`olm render BUNDLE`: the objects that the controller makes of a bundle."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from olm_cli.command import Command
from olm_cli.options import ConfigurationOptions, Format, OutputOptions, Provider
from olm_cli.output import answer, answer_text, fail, say
from olm_cli.problems import BadInput, ExitCode
from olm_cli.rendering_options import RenderingOptions
from olmv1.api.vocabulary import Reason
from olmv1.errors import OlmError, RetryableError, TerminalError

if TYPE_CHECKING:
    from olm_cli.rendering.making import Made

__all__ = ["RENDER"]


def render(options: RenderingOptions, *, configuration: ConfigurationOptions, output: OutputOptions) -> ExitCode:
    """Render a bundle or Helm chart: the objects that the controller would apply, in their order.

    Text and YAML are documents that kubectl takes, JSON is one list; a summary and warnings go to standard error. The
    exit code is 1 when the bundle cannot be installed, and every finding is named.

    With --batch each line of standard input is a request such as {"bundle": "DIR", "namespace": "NS", "certs": "none"},
    with "config" (an object) and "gates" ("default": the feature gates of the reference) where needed. Each gets a
    line: {"objects": […]} or {"error": "…", "terminal": true|false}.
    """
    if options.batch:
        return _batch(options, configuration, output)
    if options.bundle is None:
        raise BadInput("which bundle? name it: olm render DIR|IMAGE")
    return _one(options.bundle, options, configuration, output.output)


RENDER = Command(
    name="render",
    run=render,
    summary="Show the objects that are made of a bundle.",
    examples={
        "olm render ./my-operator/1.0.0 --namespace my-operator": "a directory with manifests/ and metadata/",
        "olm render quay.io/example/bundle:v1 -n my-operator -o json": "an image, as one JSON list",
        "olm render ./bundle -n ops --watch-namespace team-a": "for an operator that watches one namespace",
        "olm render ./bundle -n ops --cert-provider cert-manager": "for an operator with webhooks",
        "olm render ./bundle -n ops --as-chart ./chart": "the same objects as a Helm chart, for `helm push` and others",
        "olm render --batch --as-reference < requests.jsonl": "many, in one process, one line of JSON each",
    },
)


def _batch(options: RenderingOptions, configuration: ConfigurationOptions, output: OutputOptions) -> ExitCode:
    from olm_cli.rendering.batch import answers_to, batch_lines  # noqa: PLC0415 - `olm --help` needs no renderer

    for flag, value in (
        ("BUNDLE", options.bundle),
        ("--namespace", options.namespace),
        ("--watch-namespace", configuration.watch_namespace),
        ("--config", configuration.config),
        ("--as-chart", options.as_chart),
    ):
        if value is not None:
            raise BadInput(f"--batch takes no {flag}: every request names its own")
    if output.output is Format.YAML:
        raise BadInput("--batch answers in JSON only")
    answers = answers_to(batch_lines(sys.stdin.buffer), as_reference=options.as_reference)
    answer_text(f"{line}\n" for line in answers)
    return ExitCode.YES


def _one(place: str, options: RenderingOptions, configuration: ConfigurationOptions, form: Format) -> ExitCode:
    from olm_cli.rendering import found_at  # noqa: PLC0415 - `olm --help` needs no renderer
    from olm_cli.rendering.making import made_of  # noqa: PLC0415

    found = asyncio.run(found_at(place, options.pull_cas_dir))
    try:
        made = made_of(found, options, configuration)
    except BadInput:
        raise
    except OlmError as error:
        # A reference retries what can never succeed; helm may be there another time.
        if found.is_chart and isinstance(error, RetryableError):
            raise
        return _refusal(error, options)
    if options.as_chart is None:
        _print(made, form)
    if form is Format.TEXT:
        say(made.summary)
    for warning in made.warnings:
        say(f"warning: {warning}")
    return ExitCode.YES


def _print(made: Made, form: Format) -> None:
    if form is Format.JSON:
        answer(form, made.objects, ())
    else:
        answer_text(_documents(made))


def _documents(made: Made) -> Iterator[str]:
    from olmv1.yaml import dump_yaml  # noqa: PLC0415 - two parsers come with it

    for manifest in made.objects:
        yield f"---\n{dump_yaml(manifest)}"


def _refusal(error: OlmError, options: RenderingOptions) -> ExitCode:
    """Say why there are no objects: the fault of a bundle is a no, that of its configuration is bad input."""
    for line in str(error).splitlines():
        fail(line.strip())
    if "webhookDefinitions" in str(error) and options.cert_provider is Provider.NONE:
        names = ", ".join(each for each in Provider if each not in (Provider.NONE, Provider.AUTO))
        say(f"hint: its webhooks need certificates: choose who makes them with --cert-provider ({names})")
        say("hint: operator-controller chooses by itself, unless its own --cert-provider says otherwise")
    if 'required field "watchNamespace" is missing' in str(error):
        say("hint: it watches one namespace: name it with --watch-namespace NS")
    is_configuration = isinstance(error, TerminalError) and error.reason == Reason.INVALID_CONFIGURATION
    return ExitCode.BAD_INPUT if is_configuration else ExitCode.NO
