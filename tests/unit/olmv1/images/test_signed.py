"""The signature policy in force: accept, reject, and what only skopeo can check."""

from __future__ import annotations

import asyncio
import base64
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from olmv1.errors import OlmError, RetryableError, TerminalError
from olmv1.images.credentials import Credential, Credentials
from olmv1.images.puller import Puller
from olmv1.images.settings import ImageSettings
from tests.oci_images import Image, a_catalog_image
from tests.registry import Login, Registry
from tests.unit.olmv1.images.conftest import MakePuller

IMAGE = a_catalog_image({"a.json": b"{}"})
REJECT = [{"type": "reject"}]
ACCEPT = [{"type": "insecureAcceptAnything"}]
SIGNED = [{"type": "sigstoreSigned", "keyPath": "/nowhere/key.pub"}]

# Copies a prepared folder to where skopeo would; notes its arguments and the login file beside the copy.
FAKE = """#!{python}
import json, os, pathlib, shutil, sys, time
here = pathlib.Path(__file__).parent
seen = dict(arguments=sys.argv[1:], pid=os.getpid(), conf=os.environ.get("CONTAINERS_REGISTRIES_CONF"))
for argument in sys.argv:
    if argument.startswith("--src-authfile="):
        path = pathlib.Path(argument.partition("=")[2])
        seen["login"], seen["mode"] = json.loads(path.read_text()), path.stat().st_mode & 0o777
(here / "seen.tmp").write_text(json.dumps(seen))
(here / "seen.tmp").rename(here / "seen.json")
if (here / "hang").exists():
    time.sleep(60)
if not (here / "image").exists():
    print("a warning", file=sys.stderr)
    sys.exit('time="2026-01-01" level=fatal msg="Source image rejected: \\\\"A signature was required\\\\""')
shutil.copytree(here / "image", sys.argv[-1].partition(":")[2])
"""


@pytest.fixture
def skopeo(tmp_path: Path) -> Path:
    folder = tmp_path / "skopeo-bin"
    folder.mkdir()
    command = folder / "skopeo"
    command.write_text(FAKE.format(python=sys.executable))
    command.chmod(0o755)
    return command


def demand(settings: ImageSettings, default: list[Any], scopes: Mapping[str, Any] | None = None) -> Path:
    document = {"default": default, "transports": {"docker": dict(scopes or {})}}
    settings.policy[0].write_bytes(orjson.dumps(document))
    return settings.policy[0]


def prepare_copy(folder: Path, image: Image = IMAGE) -> None:
    folder.mkdir()
    (folder / "manifest.json").write_bytes(image.manifest)
    for digest, blob in image.blobs.items():
        (folder / digest.partition(":")[2]).write_bytes(blob)


async def pull(puller: Puller, ref: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    await puller.pull_catalog(ref, on_file=found.__setitem__)
    return found


async def failure_of(puller: Puller, ref: str) -> OlmError:
    with pytest.raises(OlmError) as caught:
        await pull(puller, ref)
    return caught.value


async def test_a_rejected_image_is_refused_without_asking_the_registry(registry: Registry, puller: Puller) -> None:
    ref = registry.push("cat", "v1", IMAGE)
    policy = demand(puller.settings, ACCEPT, {f"{registry.host}/cat": REJECT})
    failure = await failure_of(puller, ref)
    assert (type(failure), registry.requests) == (RetryableError, [])
    assert str(failure) == f"error copying image: {ref} is rejected by the signature policy ({policy})"


async def test_an_accepting_scope_wins_over_a_rejecting_default(registry: Registry, puller: Puller) -> None:
    ref = registry.push("cat", "v1", IMAGE)
    demand(puller.settings, REJECT, {registry.host: ACCEPT})
    found: dict[str, bytes] = {}
    pulled = await puller.pull_catalog(ref, on_file=found.__setitem__)
    assert (found, pulled.warnings) == ({"a.json": b"{}"}, ())


@pytest.mark.parametrize("content", ["", "{", "{}", '{"default": [{"type": "acceptAll"}]}'])
async def test_a_policy_that_cannot_be_understood_accepts_nothing(
    registry: Registry, puller: Puller, content: str
) -> None:
    ref = registry.push("cat", "v1", IMAGE)
    puller.settings.policy[0].write_text(content)
    failure = await failure_of(puller, ref)
    assert isinstance(failure, RetryableError)
    assert str(failure).startswith(f"error loading policy context: {puller.settings.policy[0]}")
    assert registry.requests == []


async def test_a_policy_that_cannot_be_read_accepts_nothing(registry: Registry, puller: Puller) -> None:
    ref = registry.push("cat", "v1", IMAGE)
    puller.settings.policy[0].mkdir()
    failure = await failure_of(puller, ref)
    assert str(failure) == (f"error loading policy context: {puller.settings.policy[0]} cannot be read: Is a directory")


async def test_a_required_policy_that_is_absent_accepts_nothing(
    registry: Registry, settings: ImageSettings, make_puller: MakePuller
) -> None:
    ref = registry.push("cat", "v1", IMAGE)
    async with make_puller(replace(settings, is_policy_required=True)) as puller:
        failure = await failure_of(puller, ref)
    assert str(failure) == (
        f"error copying image: {ref} is rejected by the signature policy (a policy is required, but there is none)"
    )


async def test_a_demanded_signature_is_terminal_without_skopeo(
    registry: Registry, settings: ImageSettings, make_puller: MakePuller
) -> None:
    ref = registry.push("cat", "v1", IMAGE)
    policy = demand(settings, SIGNED)
    async with make_puller(replace(settings, skopeo="skopeo-is-not-here")) as puller:
        failure = await failure_of(puller, ref)
    assert isinstance(failure, TerminalError)
    assert str(failure) == (
        f"error copying image: the signature policy {policy} asks for a signature of {ref}, which only skopeo can "
        'check, and the command "skopeo-is-not-here" is not installed'
    )


async def test_a_verified_copy_is_read_and_removed(
    registry: Registry, settings: ImageSettings, make_puller: MakePuller, skopeo: Path
) -> None:
    registry.login = Login("basic")
    settings.registries_conf[0].write_text("")
    policy = demand(settings, SIGNED)
    prepare_copy(skopeo.parent / "image")
    credentials = Credentials({registry.host: Credential("me", "secret")})
    async with make_puller(replace(settings, skopeo=str(skopeo)), credentials) as puller:
        found = await pull(puller, f"{registry.host}/cat@{IMAGE.digest}")
    seen = orjson.loads((skopeo.parent / "seen.json").read_bytes())
    assert found == {"a.json": b"{}"}
    assert seen["arguments"][0] == f"--policy={policy}"
    assert seen["arguments"][2:4] == ["copy", "--preserve-digests"]
    assert seen["arguments"][-2] == f"docker://{registry.host}/cat@{IMAGE.digest}"
    assert seen["login"] == {"auths": {registry.host: {"auth": base64.b64encode(b"me:secret").decode()}}}
    assert (seen["mode"], seen["conf"]) == (0o600, str(settings.registries_conf[0]))
    assert "secret" not in " ".join(seen["arguments"])
    assert list(settings.temp_dir.glob("olmv1-image-*")) == []  # type: ignore[union-attr]


async def test_a_refusal_of_skopeo_is_passed_on(
    registry: Registry, settings: ImageSettings, make_puller: MakePuller, skopeo: Path
) -> None:
    demand(settings, SIGNED)
    async with make_puller(replace(settings, skopeo=str(skopeo))) as puller:
        failure = await failure_of(puller, f"{registry.host}/cat@{IMAGE.digest}")
    assert isinstance(failure, RetryableError)
    assert str(failure) == (
        f"error copying image: skopeo could not copy {registry.host}/cat@{IMAGE.digest}: "
        'Source image rejected: "A signature was required"'
    )


async def test_a_cancelled_pull_leaves_no_skopeo_behind(
    registry: Registry, settings: ImageSettings, make_puller: MakePuller, skopeo: Path
) -> None:
    demand(settings, SIGNED)
    (skopeo.parent / "hang").touch()
    async with make_puller(replace(settings, skopeo=str(skopeo))) as puller:
        pulling = asyncio.ensure_future(pull(puller, f"{registry.host}/cat@{IMAGE.digest}"))
        async with asyncio.timeout(10):
            while not (skopeo.parent / "seen.json").exists():
                await asyncio.wait([pulling], timeout=0.02)
        pulling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await pulling
    pid = orjson.loads((skopeo.parent / "seen.json").read_bytes())["pid"]
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_a_damaged_copy_is_noticed(
    registry: Registry, settings: ImageSettings, make_puller: MakePuller, skopeo: Path
) -> None:
    demand(settings, SIGNED)
    prepare_copy(skopeo.parent / "image")
    for blob in (skopeo.parent / "image").iterdir():
        if stat.S_ISREG(blob.stat().st_mode) and blob.name != "manifest.json":
            blob.write_bytes(b"x")
    async with make_puller(replace(settings, skopeo=str(skopeo))) as puller:
        failure = await failure_of(puller, f"{registry.host}/cat@{IMAGE.digest}")
    assert "has other content" in str(failure)


@pytest.mark.skipif(not (shutil.which("skopeo") and shutil.which("gpg")), reason="skopeo and gpg are not installed")
async def test_real_skopeo_verifies_a_signature(
    registry: Registry,
    settings: ImageSettings,
    make_puller: MakePuller,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    lookaside = tmp_path / "lookaside"
    registries = tmp_path / ".config" / "containers" / "registries.d"
    registries.mkdir(parents=True)
    (registries / "tests.yaml").write_text(f"default-docker:\n  lookaside: file://{lookaside}\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    ref = registry.push("cat", "v1", IMAGE)
    with a_gpg_key(tmp_path, monkeypatch) as (public, fingerprint):
        identity = {"type": "matchRepository"}
        demand(settings, [{"type": "signedBy", "keyType": "GPGKeys", "keyPath": public, "signedIdentity": identity}])
        async with make_puller(settings) as puller:
            unsigned = await failure_of(puller, ref)
            sign(lookaside, f"{registry.host}/cat", fingerprint)
            assert await pull(puller, ref) == {"a.json": b"{}"}
    assert str(unsigned) == (
        f"error copying image: skopeo could not copy {ref}: "
        "Source image rejected: A signature was required, but no signature exists"
    )


@contextmanager
def a_gpg_key(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, str]]:
    """A key of its own keyring: path of the public key, fingerprint."""
    # The sockets of the agent allow only short paths.
    home = tempfile.mkdtemp(prefix="gpg")
    monkeypatch.setenv("GNUPGHOME", home)
    try:
        run("gpg", "--batch", "--passphrase", "", "--quick-gen-key", "tests@example.com", "rsa2048", "sign", "never")
        public = folder / "key.gpg"
        public.write_bytes(run("gpg", "--export", "tests@example.com"))
        listed = run("gpg", "--with-colons", "--list-keys").decode()
        yield str(public), next(line.split(":")[9] for line in listed.splitlines() if line.startswith("fpr"))
    finally:
        run("gpgconf", "--kill", "all")
        shutil.rmtree(home, ignore_errors=True)


def sign(lookaside: Path, name: str, fingerprint: str) -> None:
    folder = lookaside / f"{name.partition('/')[2]}@{IMAGE.digest.replace(':', '=')}"
    folder.mkdir(parents=True)
    manifest = lookaside / "manifest.json"
    manifest.write_bytes(IMAGE.manifest)
    output = folder / "signature-1"
    run("skopeo", "standalone-sign", str(manifest), f"{name}:v1", fingerprint, "--output", str(output))


def run(*command: str) -> bytes:
    return subprocess.run(command, check=True, capture_output=True, timeout=60).stdout
