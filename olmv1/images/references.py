"""Image references as people write them, and what a full one names.

Pure. Only canonical references are accepted: a domain, a repository, and either a tag or a digest.
Rule: clustercatalog.md 1.3 (table "what the image library then accepts") and 5 "Parse".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from olmv1.errors import TerminalError
from olmv1.images.digests import Digest

__all__ = ["Reference"]

_LABEL = r"(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])"
_DOMAIN = rf"(?:{_LABEL}(?:\.{_LABEL})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?"
_COMPONENT = r"[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*"
_REFERENCE = re.compile(
    rf"(?P<domain>{_DOMAIN})/(?P<repository>{_COMPONENT}(?:/{_COMPONENT})*)"
    r"(?::(?P<tag>\w[\w.-]{0,127}))?"
    r"(?:@(?P<digest>[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?",
    re.ASCII,
)
_NAME_LIMIT = 255
_HUB = "docker.io"
_HUB_ALIAS = "index.docker.io"
_INVALID = "invalid reference format"
_NOT_CANONICAL = "repository name must be canonical"


@dataclass(frozen=True, slots=True)
class Reference:
    """One image: `domain` may carry a port; exactly one of `tag` and `digest` is set after `parse`."""

    domain: str
    repository: str
    tag: str | None = None
    digest: Digest | None = None

    @classmethod
    def parse(cls, text: str) -> Reference:
        """The image that `text` names.

        Raises:
            TerminalError: `text` is not a canonical reference with either a tag or a digest.
        """
        try:
            reference = _parsed(text)
        except ValueError as error:
            raise TerminalError(f'error parsing image reference "{text}": {error}') from error
        if reference.tag is not None and reference.digest is not None:
            raise TerminalError(
                "error creating reference: Docker references with both a tag and digest are currently not supported"
            )
        if reference.tag is None and reference.digest is None:
            raise TerminalError(f"error creating reference: Docker reference {text} has neither a tag nor a digest")
        return reference

    @property
    def name(self) -> str:
        """`<domain>/<repository>`, without tag and digest."""
        return f"{self.domain}/{self.repository}"

    @property
    def selector(self) -> str:
        """What a registry is asked for: the digest, or the tag."""
        return self.digest or self.tag or ""

    def pinned(self, digest: Digest) -> Reference:
        """The canonical reference `<domain>/<repository>@<digest>` of the same repository."""
        return Reference(self.domain, self.repository, digest=digest)

    def __str__(self) -> str:
        tag = f":{self.tag}" if self.tag else ""
        digest = f"@{self.digest}" if self.digest else ""
        return f"{self.name}{tag}{digest}"


def _parsed(text: str) -> Reference:
    """The parts of `text`; ValueError says in the reference's words why it is not canonical."""
    domain, slash, remainder = text.partition("/")
    if not slash or not _is_domain(domain) or domain == _HUB_ALIAS:
        _require_wellformed(f"{_HUB}/{text}")
        raise ValueError(_NOT_CANONICAL)
    _require_wellformed(text)
    if domain == _HUB and "/" not in remainder:
        raise ValueError(_NOT_CANONICAL)
    found = _REFERENCE.fullmatch(text)
    if found is None:
        raise ValueError(_INVALID)
    if len(found["domain"]) + 1 + len(found["repository"]) > _NAME_LIMIT:
        raise ValueError(f"repository name must not be longer than {_NAME_LIMIT} characters")
    digest = Digest.parse(found["digest"]) if found["digest"] else None
    return Reference(found["domain"], found["repository"], found["tag"], digest)


def _is_domain(text: str) -> bool:
    """Whether the first part of a name is a registry: it has a dot or a port, is `localhost`, or has capitals."""
    return "." in text or ":" in text or text == "localhost" or text != text.lower()


def _require_wellformed(text: str) -> None:
    """Refuse capitals in the repository, then everything that is not a reference at all."""
    name = text.partition("/")[2].partition(":")[0]
    if name != name.lower():
        raise ValueError(f"{_INVALID}: repository name must be lowercase")
    if not _REFERENCE.fullmatch(text):
        raise ValueError(_INVALID)
