"""Whom we believe to be a registry: TLS contexts with the certificates that are configured for each host.

Shell. Contexts are kept and rebuilt when a certificate file changes. Building one takes milliseconds, so it happens
in a thread. Rule: clusterextension.md 12.6, containers-certs.d(5).
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from olmv1.errors import RetryableError
from olmv1.images.configuration import Stamp, stamp_of

__all__ = ["TrustFiles", "TrustStore"]

_PEM = b"-----BEGIN"
_CERTIFICATE = b"-----BEGIN CERTIFICATE-----"
_HOST = re.compile(r"[a-zA-Z0-9\[][a-zA-Z0-9.:_\[\]-]*")
_NOT_CAS = frozenset({".cert", ".key"})


@dataclass(frozen=True, slots=True)
class TrustFiles:
    """The certificate files for one host: CAs, and the client's own certificate with its key (or none)."""

    cas: tuple[Path, ...] = ()
    client: tuple[Path, Path] | None = None

    @property
    def all(self) -> tuple[Path, ...]:
        """Every file, for noticing changes."""
        return (*self.cas, *(self.client or ()))


class TrustStore:
    """TLS contexts per host: the system's CAs, `pull_cas_dir` and the host's folder in `certs_dirs`."""

    def __init__(self, pull_cas_dir: Path | None, certs_dirs: tuple[Path, ...]) -> None:
        self._pull_cas_dir = pull_cas_dir
        self._certs_dirs = certs_dirs
        self._contexts: dict[tuple[TrustFiles, bool], tuple[Stamp, ssl.SSLContext]] = {}

    async def context_for(self, host: str, *, is_insecure: bool = False) -> ssl.SSLContext:
        """The context for connections to `host` (`name[:port]`); `is_insecure` verifies nothing.

        Raises:
            RetryableError: a configured certificate file cannot be used.
        """
        return await asyncio.to_thread(self._context, host, is_insecure=is_insecure)

    async def files_for(self, host: str) -> TrustFiles:
        """The configured files for `host`, for tools that read them themselves.

        Raises:
            RetryableError: a folder cannot be listed, or a client certificate has no key.
        """
        return await asyncio.to_thread(self._found_files, host)

    def _found_files(self, host: str) -> TrustFiles:
        with _explained(host):
            return self._files(host)

    def _files(self, host: str) -> TrustFiles:
        general = _folder_files(self._pull_cas_dir, is_general=True)
        # A redirect names its host freely; one like ".." must not become a path.
        name = host if _HOST.fullmatch(host) else "-"
        own = _folder_files(self._pull_cas_dir / name if self._pull_cas_dir else None)
        system = next((_folder_files(folder / name) for folder in self._certs_dirs if (folder / name).is_dir()), None)
        found = [files for files in (own, system, general) if files is not None]
        client = next((files.client for files in found if files.client), None)
        return TrustFiles(tuple(path for files in found for path in files.cas), client)

    def _context(self, host: str, *, is_insecure: bool) -> ssl.SSLContext:
        with _explained(host):
            files = self._files(host)
            stamp = stamp_of(files.all)
            kept = self._contexts.get((files, is_insecure))
            if kept is None or kept[0] != stamp:
                kept = (stamp, _context_of(files, is_insecure=is_insecure))
                self._contexts[files, is_insecure] = kept
            return kept[1]


def _folder_files(folder: Path | None, *, is_general: bool = False) -> TrustFiles | None:
    """The certificate files directly in `folder`; in the general folder CAs may have any name."""
    if folder is None or not folder.is_dir():
        return None
    names = sorted(path for path in folder.iterdir() if not path.name.startswith(".") and path.is_file())
    cas = tuple(path for path in names if path.suffix == ".crt" or (is_general and _is_ca_file(path)))
    return TrustFiles(cas, next(_client_pairs(names), None))


def _is_ca_file(path: Path) -> bool:
    return path.suffix not in _NOT_CAS and _CERTIFICATE in path.read_bytes()


def _client_pairs(names: list[Path]) -> Iterator[tuple[Path, Path]]:
    for path in names:
        if path.suffix == ".cert":
            key = path.with_suffix(".key")
            if key not in names:
                raise ValueError(f"client certificate {path} has no key {key.name}")
            yield path, key


def _context_of(files: TrustFiles, *, is_insecure: bool) -> ssl.SSLContext:
    context = ssl.create_default_context()
    # Python 3.13 adds a check that refuses private CAs without key usage; other container tools accept them.
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    if is_insecure:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    for path in files.cas:
        if _PEM not in path.read_bytes():
            raise ValueError(f"{path} is not in PEM format")
        context.load_verify_locations(cafile=path)
    if files.client:
        context.load_cert_chain(*files.client)
    return context


@contextmanager
def _explained(host: str) -> Iterator[None]:
    """Foreign errors about certificate files as errors of the domain that name host and file."""
    try:
        yield
    except ssl.SSLError as error:
        raise RetryableError(f"certificates for {host} cannot be used: {error.reason or error}") from error
    except OSError as error:
        raise RetryableError(f"certificates for {host}: {error.filename} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise RetryableError(f"certificates for {host}: {error}") from error
