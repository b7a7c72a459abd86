"""A tar archive read forwards, entry by entry, with every length bounded.

Pure but for blocking in the given `read`. It is stricter than `tarfile` where that matters for archives from outside:
a damaged header in the middle is an error (`tarfile` in stream mode silently ends there, which would serve half a
catalog), extended headers have a size limit (`tarfile` holds them in memory whatever they claim), and sparse files are
refused instead of being expanded. Formats: ustar, PAX, GNU long names, the old one.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from olmv1.images.limits import LayerError

__all__ = ["EntryKind", "TarEntry", "TarStream"]

_BLOCK = 512
_PIECE_BYTES = 1024 * 1024
_ZERO_BLOCK = bytes(_BLOCK)
_CHECKSUM = slice(148, 156)


class EntryKind(Enum):
    """What an entry makes; the values are for messages."""

    FILE = "regular file"
    HARD_LINK = "hard link"
    SYMBOLIC_LINK = "symbolic link"
    DIRECTORY = "directory"
    CHARACTER_DEVICE = "character device"
    BLOCK_DEVICE = "block device"
    FIFO = "named pipe"
    OTHER = "special file of unknown type"


_KINDS = {
    b"0": EntryKind.FILE,
    b"\0": EntryKind.FILE,
    b"7": EntryKind.FILE,
    b"1": EntryKind.HARD_LINK,
    b"2": EntryKind.SYMBOLIC_LINK,
    b"3": EntryKind.CHARACTER_DEVICE,
    b"4": EntryKind.BLOCK_DEVICE,
    b"5": EntryKind.DIRECTORY,
    b"6": EntryKind.FIFO,
}
_WITH_CONTENT = frozenset({EntryKind.FILE, EntryKind.OTHER})


@dataclass(frozen=True, slots=True)
class TarEntry:
    """One entry; `name` and `link` as written (undecodable bytes as surrogates), `size_bytes` of its content."""

    name: str
    kind: EntryKind
    size_bytes: int = 0
    link: str = ""


class TarStream:
    """The entries of the archive that `read(size)` delivers (exactly `size` bytes, fewer only at the end)."""

    def __init__(self, read: Callable[[int], bytes], extension_limit_bytes: int) -> None:
        self._read = read
        self._extension_limit = extension_limit_bytes
        self._left = 0
        self._padding = 0

    def next(self) -> TarEntry | None:
        """The next entry, passing over what was not read of the last one; `None` at the end.

        Raises:
            LayerError: the archive is damaged, cut, or uses something that is refused.
        """
        extended: dict[str, str] = {}
        while True:
            self._skip()
            header = self._read(_BLOCK)
            if not header or header == _ZERO_BLOCK:
                return None
            if len(header) < _BLOCK:
                raise LayerError("the archive ends in the middle of a header")
            _require_checksum(header)
            kind = header[156:157]
            size = _number(header[124:136], "size")
            if kind in b"xgXLK":
                extended |= self._extension(kind, size)
            elif kind == b"S" or any(key.startswith("GNU.sparse") for key in extended):
                raise LayerError("sparse files are refused", entry=extended.get("path") or _name(header))
            else:
                return self._entry(header, size, extended)

    def content(self) -> bytes:
        """The content of the last entry; memory grows with what really arrives, never with what is announced."""
        collected = io.BytesIO()
        while self._left:
            collected.write(self._piece())
        return collected.getvalue()

    def _entry(self, header: bytes, size: int, extended: Mapping[str, str]) -> TarEntry:
        name = extended.get("path") or _name(header)
        kind = _KINDS.get(header[156:157], EntryKind.OTHER)
        if kind is EntryKind.FILE and name.endswith("/"):
            kind = EntryKind.DIRECTORY
            if size:
                raise LayerError("a directory has content", entry=name)
        if "size" in extended:
            size = _decimal(extended["size"], "size")
        if kind not in _WITH_CONTENT:
            size = 0
        self._expect(size)
        return TarEntry(name, kind, size, extended.get("linkpath") or _text(header[157:257]))

    def _extension(self, kind: bytes, size: int) -> dict[str, str]:
        """What an extended header says about the next entry."""
        if size > self._extension_limit:
            raise LayerError(f"an extended header has {size} bytes, the limit is {self._extension_limit}")
        self._expect(size)
        data = self.content()
        if kind == b"L":
            return {"path": _text(data)}
        if kind == b"K":
            return {"linkpath": _text(data)}
        records = _records(data)
        if kind == b"g":
            # Readers disagree on what a global name means, so that one could be shown to a scanner, another to us.
            if strange := sorted(records.keys() & {"path", "linkpath", "size"}):
                raise LayerError(f'a global extended header sets "{strange[0]}"')
            return {}
        return records

    def _expect(self, size: int) -> None:
        self._left = size
        self._padding = -size % _BLOCK

    def _skip(self) -> None:
        while self._left:
            self._piece()
        if self._padding:
            self._read(self._padding)
            self._padding = 0

    def _piece(self) -> bytes:
        data = self._read(min(self._left, _PIECE_BYTES))
        if not data:
            raise LayerError("the archive ends in the middle of an entry")
        self._left -= len(data)
        return data


def _require_checksum(header: bytes) -> None:
    stored = _number(header[_CHECKSUM], "checksum")
    others = header[:148] + b" " * 8 + header[156:]
    # Some old writers added the bytes as signed numbers.
    if stored not in (sum(others), sum(byte - 256 if byte > 127 else byte for byte in others)):
        raise LayerError("the archive has a damaged header")


def _number(field: bytes, what: str) -> int:
    """A number of the header: octal digits, or (first bit set) big-endian binary."""
    if field[0] & 0x80:
        value = int.from_bytes(bytes([field[0] & 0x7F]) + field[1:], "big")
        if field[0] & 0x40:
            raise LayerError(f"the archive has a header with a negative {what}")
        return value
    digits = field.split(b"\0", 1)[0].strip()
    try:
        return int(digits, 8) if digits else 0
    except ValueError as error:
        raise LayerError(f"the archive has a header with a damaged {what}") from error


def _decimal(text: str, what: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise LayerError(f"an extended header has a damaged {what}")
    return int(text)


def _name(header: bytes) -> str:
    name = _text(header[:100])
    prefix = _text(header[345:500]) if header[257:263] == b"ustar\0" else ""
    return f"{prefix}/{name}" if prefix else name


def _text(field: bytes) -> str:
    return field.split(b"\0", 1)[0].decode("utf-8", "surrogateescape")


def _records(data: bytes) -> dict[str, str]:
    """The records of a PAX header: `<length> <key>=<value>\\n`, the length counting itself."""
    records: dict[str, str] = {}
    position = 0
    while position < len(data):
        blank = data.find(b" ", position, position + 8)
        digits = data[position:blank] if blank > position else b""
        end = position + int(digits) if digits.isdigit() else 0
        # The end must lie behind the blank: a record that does not lead forwards would be read for ever.
        if not position < blank < end <= len(data) or data[end - 1 : end] != b"\n":
            raise LayerError("an extended header is damaged")
        key, sign, value = data[blank + 1 : end - 1].partition(b"=")
        # A name with a zero byte would end early for some readers only.
        if not key or not sign or b"\0" in (value if key in (b"path", b"linkpath") else b""):
            raise LayerError("an extended header is damaged")
        records[key.decode("utf-8", "surrogateescape")] = value.decode("utf-8", "surrogateescape")
        position = end
    return records
