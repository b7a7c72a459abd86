"""Images whose policy asks for signatures: skopeo checks and copies them, then they are read from its copy.

Shell. The only use of a foreign command in this room. It runs in a process group of its own, which is killed when the
pull is cancelled; credentials go through a file with mode 0600, never through arguments.
Rule: clustercatalog.md 5 "Signature policy".
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import os
import re
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import orjson

from olmv1.errors import RetryableError, TerminalError
from olmv1.images.credentials import Credential, Credentials
from olmv1.images.failures import cleaned
from olmv1.images.references import Reference
from olmv1.images.registries_conf import Endpoint
from olmv1.images.sources import DirectorySource
from olmv1.images.trust import TrustFiles

__all__ = ["SignedCopy", "signed_source"]

_OUTPUT_BYTES = 64 * 1024
_SAID_LIMIT = 1000
_MESSAGE = re.compile(r'msg="((?:[^"\\]|\\.)*)"')


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedCopy:
    """Everything skopeo is told; `endpoints` only to find their credentials and whether TLS is verified."""

    skopeo: str
    policy: Path
    registries_conf: Path | None
    endpoints: tuple[Endpoint, ...]
    credentials: Credentials
    trust: TrustFiles
    temp_dir: Path | None


@asynccontextmanager
async def signed_source(reference: Reference, copy: SignedCopy) -> AsyncIterator[DirectorySource]:
    """The image `reference` (with a digest), verified by skopeo against the policy; its copy lives in the context.

    Raises:
        TerminalError: there is no skopeo.
        RetryableError: skopeo refused, or could not copy.
    """
    command = shutil.which(copy.skopeo)
    if command is None:
        raise TerminalError(
            f"the signature policy {copy.policy} asks for a signature of {reference}, "
            f'which only skopeo can check, and the command "{copy.skopeo}" is not installed'
        )
    folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="olmv1-image-", dir=copy.temp_dir))
    try:
        arguments = await asyncio.to_thread(_prepared, folder, reference, copy)
        await _run(command, arguments, _environment(copy), str(reference))
        yield DirectorySource(folder / "image")
    finally:
        await asyncio.shield(asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True))


def _prepared(folder: Path, reference: Reference, copy: SignedCopy) -> list[str]:
    """Write the login and certificate files into `folder`; the arguments that name them."""
    arguments = [f"--policy={copy.policy}", f"--tmpdir={folder}", "copy", "--preserve-digests"]
    login = _login(copy)
    if login:
        path = folder / "auth.json"
        path.touch(mode=0o600)
        path.write_bytes(orjson.dumps({"auths": login}))
        arguments.append(f"--src-authfile={path}")
    else:
        arguments.append("--src-no-creds")
    if copy.trust.all:
        arguments.append(f"--src-cert-dir={_certificates(folder / 'certs', copy.trust)}")
    if all(endpoint.is_insecure for endpoint in copy.endpoints):
        arguments.append("--src-tls-verify=false")
    return [*arguments, f"docker://{reference}", f"dir:{folder / 'image'}"]


def _login(copy: SignedCopy) -> Mapping[str, Mapping[str, str]]:
    found = {
        endpoint.domain: copy.credentials.credential_for(endpoint.domain, endpoint.repository)
        for endpoint in copy.endpoints
    }
    return {
        domain: _entry(credential)
        for domain, credential in found.items()
        if credential and (credential.username or credential.identity_token)
    }


def _entry(credential: Credential) -> Mapping[str, str]:
    auth = base64.b64encode(f"{credential.username}:{credential.password}".encode()).decode()
    return {"auth": auth, **({"identitytoken": credential.identity_token} if credential.identity_token else {})}


def _certificates(folder: Path, trust: TrustFiles) -> Path:
    folder.mkdir(mode=0o700)
    for number, path in enumerate(trust.cas):
        shutil.copyfile(path, folder / f"ca-{number}.crt")
    if trust.client:
        certificate, key = trust.client
        shutil.copyfile(certificate, folder / "client.cert")
        shutil.copyfile(key, folder / "client.key")
    return folder


def _environment(copy: SignedCopy) -> Mapping[str, str]:
    conf = {"CONTAINERS_REGISTRIES_CONF": str(copy.registries_conf)} if copy.registries_conf else {}
    return {**os.environ, **conf}


async def _run(command: str, arguments: list[str], environment: Mapping[str, str], image: str) -> None:
    process = await asyncio.create_subprocess_exec(
        command,
        *arguments,
        env=environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
        limit=_OUTPUT_BYTES,
    )
    try:
        said = await _last_line(process)
        status = await process.wait()
    except BaseException:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        raise
    if status != 0:
        raise RetryableError(f"skopeo could not copy {image}: {said or f'exit status {status}'}")


async def _last_line(process: asyncio.subprocess.Process) -> str:
    """What the process complained last, without the time that skopeo puts before it."""
    last = b""
    assert process.stderr is not None
    while chunk := await process.stderr.read(_OUTPUT_BYTES):
        last = (last + chunk)[-_OUTPUT_BYTES:]
    lines = last.decode("utf-8", "replace").strip().splitlines()
    if not lines:
        return ""
    message = _MESSAGE.search(lines[-1])
    return cleaned(re.sub(r"\\(.)", r"\1", message[1]) if message else lines[-1], _SAID_LIMIT)
