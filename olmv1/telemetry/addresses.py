"""Where a server listens, as flags write it. Pure: settings read it long before there is a server."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BindAddress"]


@dataclass(frozen=True, slots=True)
class BindAddress:
    """Where to listen; `host` is `None` for all interfaces, `port` 0 for any free one."""

    host: str | None
    port: int

    @classmethod
    def parse(cls, text: str) -> BindAddress | None:
        """The address of `:8081`, `127.0.0.1:0` or `[::1]:8081`; `None` (off) for an empty text and for `0`.

        Raises:
            ValueError: there is no port, or it is no number from 0 to 65535.
        """
        if text in ("", "0"):
            return None
        host, colon, port = text.rpartition(":")
        if not colon or not port.isdecimal() or int(port) > 65535:
            raise ValueError(f'invalid bind address "{text}": expected [host]:port, "" or "0"')
        return cls(host.strip("[]") or None, int(port))
