"""Contexts of the TLS library for servers and clients, kept up to date with the files that they were made from.

A server context stays the same object for life: new handshakes use the new certificate, open connections keep the old.
A client context is built anew, since trust can only be taken back that way; callers ask for `.context` per request.
"""

from __future__ import annotations

import asyncio
import os
import ssl
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter

from olmv1.errors import RetryableError
from olmv1.telemetry.logs import get_logger
from olmv1.tls.profiles import Profile, profile_of

__all__ = ["ClientContext", "ReloadingContext", "bare_server_context", "client_context", "offer", "server_context"]

RELOAD_PERIOD_S = 10.0
"""Seconds between two looks at the files, as the reference polls them."""

_VERSIONS = {
    "TLSv1.0": ssl.TLSVersion.TLSv1,
    "TLSv1.1": ssl.TLSVersion.TLSv1_1,
    "TLSv1.2": ssl.TLSVersion.TLSv1_2,
    "TLSv1.3": ssl.TLSVersion.TLSv1_3,
}
_log = get_logger(__name__)

Fingerprint = tuple[tuple[str, int, int, int], ...]


class ReloadingContext:
    """The context of a server; `watch` follows its certificate files."""

    def __init__(self, cert: Path, key: Path, profile: Profile, registry: CollectorRegistry | None = None) -> None:
        self._cert, self._key = cert, key
        self._reads = _counter("certwatcher_read_certificate_total", "Certificate reads", registry)
        self._failures = _counter("certwatcher_read_certificate_errors_total", "Failed certificate reads", registry)
        self._seen = _fingerprint((cert, key))
        self.context, self.notes = _server(profile)
        _load(self.context, cert, key)
        self._reads.inc()

    def refresh(self) -> bool:
        """Whether the files changed and the new certificate is now offered; a bad pair keeps the old one."""
        seen = _fingerprint((self._cert, self._key))
        if seen == self._seen:
            return False
        try:
            # A scratch context first: OpenSSL would keep the new certificate with the old key when the pair differs.
            _load(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), self._cert, self._key)
            _load(self.context, self._cert, self._key)
        except RetryableError as error:
            self._failures.inc()
            _log.error("certificate not reloaded", error=str(error))
            return False
        self._seen = seen
        self._reads.inc()
        _log.info("certificate reloaded", cert=str(self._cert))
        return True

    async def watch(self, *, period_s: float = RELOAD_PERIOD_S) -> None:
        """Look at the files every `period_s` seconds, for ever."""
        await _every(period_s, self.refresh)


class ClientContext:
    """Trust for outgoing connections: the system's roots, the CA files of one folder, and what `also_trust` names."""

    def __init__(self, ca_dir: Path | None, profile: Profile) -> None:
        self._ca_dir, self._profile = ca_dir, profile
        self._more = ""
        self._seen = self._files()
        self.context, self.notes = _client(ca_dir, profile)

    def refresh(self) -> bool:
        """Whether the files changed and `.context` is a new one; unreadable files keep the old trust."""
        seen = self._files()
        if seen == self._seen:
            return False
        try:
            self.context, _ = _client(self._ca_dir, self._profile, self._more)
        except RetryableError as error:
            _log.error("certificate authorities not reloaded", error=str(error))
            return False
        self._seen = seen
        _log.info("certificate authorities reloaded", folder=str(self._ca_dir or ""))
        return True

    def also_trust(self, pem: str) -> bool:
        """Whether `.context` is a new one that trusts the certificates in `pem` instead of those of the last call.

        Raises:
            RetryableError: `pem` holds what is no certificate, or the folder has none any more; the old trust stays.
        """
        if pem == self._more:
            return False
        self.context, _ = _client(self._ca_dir, self._profile, pem)
        self._more = pem
        return True

    async def watch(self, *, period_s: float = RELOAD_PERIOD_S) -> None:
        """Look at the files every `period_s` seconds, for ever."""
        await _every(period_s, self.refresh)

    def _files(self) -> Fingerprint:
        own = _pem_files(self._ca_dir) if self._ca_dir else ()
        folders = [Path(part) for part in os.environ.get("SSL_CERT_DIR", "").split(":") if part]
        single = [Path(part) for part in (os.environ.get("SSL_CERT_FILE", ""),) if part]
        return _fingerprint((*own, *single, *(path for folder in folders for path in _pem_files(folder))))


def server_context(
    cert: Path, key: Path, profile: Profile, registry: CollectorRegistry | None = None
) -> ReloadingContext:
    """The context of a server (HTTP/1.1 only) that follows its files once `watch` runs.

    `registry`: where reads and failures are counted. What this Python cannot set is named in a warning of the log.

    Raises:
        RetryableError: a file cannot be read, or key and certificate do not fit.
    """
    made = ReloadingContext(cert, key, profile, registry)
    _tell(made.notes, profile)
    return made


def bare_server_context(profile: Profile) -> ssl.SSLContext:
    """The context of a server (HTTP/1.1 only) that refuses every handshake until a certificate is offered."""
    context, notes = _server(profile)
    _tell(notes, profile)
    return context


def offer(context: ssl.SSLContext, certificate: str, key: str) -> None:
    """Offer a certificate (PEM, its authority may follow it) to new connections, instead of the one before.

    Raises:
        RetryableError: OpenSSL does not take it.
    """
    try:
        # OpenSSL reads files only; this one is in memory, and gone with the descriptor.
        with os.fdopen(os.memfd_create("certificate", os.MFD_CLOEXEC), "wb") as file:
            file.write(f"{certificate}\n{key}".encode())
            file.flush()
            context.load_cert_chain(f"/proc/self/fd/{file.fileno()}")
    except OSError as error:
        raise RetryableError(f"cannot use our own certificate: {error.strerror or error}") from error


def client_context(ca_dir: Path | None, profile: Profile) -> ClientContext:
    """The trust of a client: system roots and every PEM file directly in `ca_dir`.

    Raises:
        RetryableError: `no certificates found in "<dir>"`, or the folder cannot be read.
    """
    made = ClientContext(ca_dir, profile)
    _tell(made.notes, profile)
    return made


def _server(profile: Profile) -> tuple[ssl.SSLContext, tuple[str, ...]]:
    context, notes = _apply(profile, ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER))
    context.set_alpn_protocols(["http/1.1"])
    return context, notes


def _client(ca_dir: Path | None, profile: Profile, more: str = "") -> tuple[ssl.SSLContext, tuple[str, ...]]:
    context, notes = _apply(profile, ssl.create_default_context())
    # Python 3.13 adds a check that refuses private CAs without key usage; Go accepts them.
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    context.set_alpn_protocols(["http/1.1"])
    if more:
        _trust(context, more)
    if ca_dir is None:
        return context, notes
    found = 0
    for path in _pem_files(ca_dir):
        try:
            context.load_verify_locations(cafile=path)
            found += 1
        except OSError as error:  # a key or a note beside the CA files is no certificate
            _log.debug("file skipped", file=str(path), error=str(error))
    if not found:
        raise RetryableError(f'no certificates found in "{ca_dir}"')
    return context, notes


def _apply(profile: Profile, context: ssl.SSLContext) -> tuple[ssl.SSLContext, tuple[str, ...]]:
    notes: list[str] = []
    minimum = profile.minimum_version
    if profile.ciphers and not profile.tls12_ciphers and minimum != "TLSv1.3":
        notes.append(f"no cipher for TLS 1.2 is named: TLSv1.3 is the lowest version instead of {minimum}")
        minimum = "TLSv1.3"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the profile "old" asks for these versions by name
        context.minimum_version = _VERSIONS[minimum]
    notes.extend(_set_ciphers(profile, minimum, context))
    notes.extend(_set_curves(profile, context))
    return context, tuple(notes)


def _set_ciphers(profile: Profile, minimum: str, context: ssl.SSLContext) -> Iterator[str]:
    if profile.tls12_ciphers and minimum != "TLSv1.3":
        # TLS 1.0 and 1.1 sign with SHA-1, which OpenSSL 3 allows on its lowest security level only.
        level = ("@SECLEVEL=0",) if minimum in ("TLSv1.0", "TLSv1.1") else ()
        try:
            context.set_ciphers(":".join((*profile.tls12_ciphers, *level)))
        except ssl.SSLError as error:
            raise RetryableError(f"none of the ciphers {', '.join(profile.tls12_ciphers)} is available") from error
        offered = {cipher["name"] for cipher in context.get_ciphers()}
        if absent := [cipher for cipher in profile.tls12_ciphers if cipher not in offered]:
            yield f"ciphers that this OpenSSL does not have are not offered: {', '.join(absent)}"
    if profile.missing_tls13_ciphers:
        yield f"ciphers of TLS 1.3 cannot be switched off: {', '.join(profile.missing_tls13_ciphers)} stay offered"


def _set_curves(profile: Profile, context: ssl.SSLContext) -> Iterator[str]:
    set_groups: Callable[[str], None] | None = getattr(context, "set_groups", None)  # Python 3.15
    if not profile.curves:
        return
    if set_groups is not None:
        # "?" lets OpenSSL leave out what it does not have.
        set_groups(":".join(f"?{curve}" for curve in profile.curves))
    elif len(profile.curves) == 1:
        try:
            context.set_ecdh_curve(profile.curves[0])
        except ValueError:
            yield f"curve {profile.curves[0]} is not available here: OpenSSL's own choice of curves is offered"
    else:
        yield f"this Python cannot set several curves ({', '.join(profile.curves)}): OpenSSL's own choice is offered"


def _load(context: ssl.SSLContext, cert: Path, key: Path) -> None:
    try:
        context.load_cert_chain(cert, key)
    except OSError as error:
        why = error.strerror or str(error)
        raise RetryableError(f'cannot use certificate "{cert}" with key "{key}": {why}') from error


def _trust(context: ssl.SSLContext, pem: str) -> None:
    try:
        context.load_verify_locations(cadata=pem)
    except (OSError, TypeError) as error:  # TypeError: it is not ASCII
        raise RetryableError("certificate authorities cannot be used: expected certificates in PEM") from error


def _pem_files(folder: Path) -> tuple[Path, ...]:
    try:
        return tuple(sorted(path for path in folder.iterdir() if path.is_file()))
    except OSError as error:
        raise RetryableError(f'cannot read CA folder "{folder}": {error.strerror}') from error


def _fingerprint(paths: Iterable[Path]) -> Fingerprint:
    seen = []
    for path in paths:
        try:
            stat = path.stat()
        except OSError:
            continue
        seen.append((str(path), stat.st_mtime_ns, stat.st_size, stat.st_ino))
    return tuple(seen)


async def _every(period_s: float, look: Callable[[], bool]) -> None:
    while True:
        await asyncio.sleep(period_s)
        try:
            look()
        except RetryableError as error:
            _log.error("files cannot be read", error=str(error))


def _counter(name: str, text: str, registry: CollectorRegistry | None) -> Counter:
    return Counter(name, text, registry=registry)


def _tell(notes: Iterable[str], profile: Profile) -> None:
    """Name in the log what cannot be honoured; of the default profile, which nobody asked for, without a warning."""
    tell = _log.info if profile == profile_of("intermediate") else _log.warning
    for note in notes:
        tell("TLS setting not fully honoured", profile=profile.name, detail=note)
