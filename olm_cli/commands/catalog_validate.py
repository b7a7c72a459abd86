"""`olm catalog validate DIR|FILE|IMAGE`: everything that is wrong with a catalog, at once."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from olm_cli.command import Command
from olm_cli.options import Format, OutputOptions
from olm_cli.output import Block, Line, Tone, answer, answer_text
from olm_cli.problems import BadInput, ExitCode

if TYPE_CHECKING:
    from olmv1.fbc.validation import Finding, Report, SourceFile

__all__ = ["CATALOG_VALIDATE"]


@dataclass(frozen=True, slots=True)
class ValidationOptions:
    """What is validated, and how."""

    place: Annotated[str, typer.Argument(metavar="DIR|FILE|IMAGE", help="The catalog to validate.")]
    strict: Annotated[
        bool, typer.Option("--strict", help="Take breaches of schema rules for errors, not for warnings.")
    ] = False
    check_images: Annotated[
        bool, typer.Option("--check-images", help="Ask the registries whether every image is there.")
    ] = False
    tree: Annotated[bool, typer.Option("--tree", help="Print the errors as the tree that opm prints.")] = False
    pull_cas_dir: Annotated[
        Path | None,
        typer.Option("--pull-cas-dir", metavar="DIR", help="CA certificates to trust when registries are asked."),
    ] = None


def validate(options: ValidationOptions, *, output: OutputOptions) -> ExitCode:
    """Validate a catalog: all that opm validate refuses, and all that is taken and can hardly be meant.

    Every finding has its file, document and line, and a code that stays the same. Errors keep other tools from
    using the catalog; warnings do not. A fault in one package hides none in another.

    Ends with 0 when there is no error, with 1 when there are some, with 2 when there is nothing to validate, and with
    3 when there is no error but --check-images could not look for every image.
    """
    report, images = asyncio.run(_examined(options))
    findings = (*report.findings, *images)
    errors = [finding for finding in findings if finding.severity == "error"]
    if options.tree and output.output is Format.TEXT:
        answer_text(_tree_lines(findings))
    else:
        answer(output.output, _document(options.place, report, findings), _blocks(report, findings))
    if errors:
        return ExitCode.NO
    return ExitCode.CANNOT_TELL if any(finding.code == "image-unchecked" for finding in images) else ExitCode.YES


CATALOG_VALIDATE = Command(
    group="catalog",
    name="validate",
    run=validate,
    summary="Find everything that is wrong with a catalog.",
    examples={
        "olm catalog validate ./my-catalog": "a directory of file-based catalog files",
        "olm catalog validate quay.io/operatorhubio/catalog:latest -o json": "an image, for a script",
        "olm catalog validate ./my-catalog --strict --check-images": "before it is published",
        "olm catalog validate ./my-catalog --tree": "as opm validate shows it",
    },
)


async def _examined(options: ValidationOptions) -> tuple[Report, Sequence[Finding]]:
    from olm_cli.catalogs.content import content_of  # noqa: PLC0415 - `olm --help` needs no catalogs
    from olm_cli.progress import working  # noqa: PLC0415

    async with content_of(options.place, options.pull_cas_dir) as root:
        with working(f"validating {options.place}"):
            report = await asyncio.to_thread(_report, root, options)
    if not options.check_images:
        return report, ()
    from olm_cli.image_check import check_images  # noqa: PLC0415 - a registry client comes with it

    return report, await check_images(report.images, options.pull_cas_dir)


def _report(root: Path, options: ValidationOptions) -> Report:
    from olmv1.fbc import Survey, survey  # noqa: PLC0415
    from olmv1.fbc.errors import shown  # noqa: PLC0415
    from olmv1.fbc.validation import examine_files  # noqa: PLC0415

    found = survey(root, goes_on=True) if root.is_dir() else Survey((root.absolute(),), ())
    if not found.refused and all(_is_empty(path) for path in found.files):
        # A pipeline that validates the wrong directory must not be told that all is well.
        raise BadInput(f"{options.place}: there is nothing to validate: no *.yaml, *.yml or *.json with content")
    top = root.resolve() if root.is_dir() else root.absolute().parent  # `/dev/fd/63` of a shell resolves to no path
    return examine_files(
        _files(top, found.files, [str(error) for error in found.refused]),
        map(shown, found.passed_over),
        is_strict=options.strict,
        keeps_images=options.check_images,
    )


def _is_empty(path: Path) -> bool:
    try:
        found = path.stat()
    except OSError:
        return False  # the report says why it cannot be read
    return stat.S_ISREG(found.st_mode) and found.st_size == 0  # a pipe is as long as it turns out to be


def _files(top: Path, paths: Sequence[Path], refused: Sequence[str]) -> Iterator[SourceFile]:
    from olmv1.fbc.errors import shown  # noqa: PLC0415
    from olmv1.fbc.validation import SourceFile  # noqa: PLC0415

    for message in refused:
        name, _, problem = message.partition(": ")
        yield SourceFile(name, None, problem)
    for path in paths:
        name = shown(path.relative_to(top).as_posix())
        try:
            yield SourceFile(name, path.read_bytes())
        except OSError as error:
            yield SourceFile(name, None, (error.strerror or str(error)).lower())


def _document(place: str, report: Report, findings: Sequence[Finding]) -> dict[str, Any]:
    """As `opm validate -o json` (`passed`, `error.message`), and all findings."""
    from olmv1.fbc.validation import tree  # noqa: PLC0415

    errors = sum(finding.severity == "error" for finding in findings)
    return {
        "catalog": place,
        "passed": not errors,
        **({"error": {"message": tree(findings)}} if errors else {}),
        "packages": report.packages,
        "channels": report.channels,
        "bundles": report.bundles,
        "errors": errors,
        "warnings": len(findings) - errors,
        "findings": [
            {
                "severity": finding.severity.value,
                "code": finding.code.value,
                "message": finding.message,
                "path": finding.place.path,
                "document": finding.place.document,
                "line": finding.place.line,
                "schema": finding.subject.schema,
                "package": finding.subject.package,
                "name": finding.subject.name,
            }
            for finding in findings
        ],
    }


def _blocks(report: Report, findings: Sequence[Finding]) -> Iterator[Block]:
    tones = {"error": Tone.BAD, "warning": Tone.DOUBTFUL}
    for finding in findings:
        yield Line(f"{finding.severity}: {finding} [{finding.code}]", tones[finding.severity])
    if findings:
        yield Line()
    errors = sum(finding.severity == "error" for finding in findings)
    warnings = len(findings) - errors
    found = f"{_counted(errors, 'error')}, {_counted(warnings, 'warning')}" if findings else "nothing to complain about"
    read = ", ".join(
        [
            _counted(report.packages, "package"),
            _counted(report.channels, "channel"),
            _counted(report.bundles, "bundle"),
        ]
    )
    yield Line(f"{found} in {read}", Tone.BAD if errors else Tone.DOUBTFUL if warnings else Tone.GOOD)


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _tree_lines(findings: Sequence[Finding]) -> Iterator[str]:
    from olmv1.fbc.validation import tree  # noqa: PLC0415

    for line in tree(findings).splitlines():
        yield "".join(character if character.isprintable() else " " for character in line) + "\n"
