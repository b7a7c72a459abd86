"""Which content coding an answer gets, from `Accept-Encoding`. Pure. Rule: catalogd-http.md 7."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Encoding", "choose_encoding"]


class Encoding(StrEnum):
    """The codings on offer, by their names in HTTP."""

    IDENTITY = "identity"
    GZIP = "gzip"
    ZSTD = "zstd"

    @property
    def tag_suffix(self) -> str:
        """What the entity tag of this coding ends with."""
        return "" if self is Encoding.IDENTITY else f"-{self.value}"


_ALIASES = {"x-gzip": "gzip"}


def choose_encoding(accept: str | None) -> Encoding:
    """The coding with the highest quality value; zstd wins a tie, `*` and an explicit better `identity` mean none."""
    if not accept:
        return Encoding.IDENTITY
    quality: dict[str, float] = {}
    for part in accept.split(","):
        name, _, parameters = part.partition(";")
        coding = name.strip().lower()
        quality[_ALIASES.get(coding, coding)] = _quality(parameters)
    best = max((Encoding.ZSTD, Encoding.GZIP), key=lambda encoding: quality.get(encoding, 0.0))
    wanted = quality.get(best, 0.0)
    return best if wanted > 0 and wanted >= quality.get(Encoding.IDENTITY, 0.0) else Encoding.IDENTITY


def _quality(parameters: str) -> float:
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "q":
            try:
                return min(max(float(value), 0.0), 1.0)
            except ValueError:
                return 0.0
    return 1.0
