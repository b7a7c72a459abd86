"""The trace of the choice of a bundle: what `olm explain NAME --all` says."""

from __future__ import annotations

from olm_cli.asking.extension import asked_about_extension
from olm_cli.debugging.collection import Collection
from olm_cli.explaining import blocks_of
from olm_cli.options import CatalogOptions, ClusterOptions
from olm_cli.output.plain import plain_lines
from olm_cli.wanted import WantedOptions
from operator_controller.explanation import explain
from operator_controller.resolver import resolve

__all__ = ["add_resolution"]


async def add_resolution(name: str, catalogs: CatalogOptions, cluster: ClusterOptions, made: Collection) -> None:
    """Add the trace for programs and for people.

    Raises:
        CannotTell: the cluster or a catalog does not answer.
        TerminalError: the extension asks in a way that is none.
    """
    async with asked_about_extension(name, WantedOptions(), catalogs, cluster) as asked:
        found = resolve(asked.request, asked.contents)
        explanation = explain(asked.request, asked.contents, found, asked.surroundings)
        hints = await asked.hints()
    made.add_json("resolution", value=explanation.to_json())
    made.add_text("resolution", text="\n".join(plain_lines(blocks_of(name, explanation, hints, is_whole=True))))
