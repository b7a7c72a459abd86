from __future__ import annotations

import json
import ssl
import subprocess
import sys
from base64 import b64encode
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from olmv1.errors import TerminalError
from olmv1.kube.configuration import Access
from tests.certificates import certificate_and_key
from tests.fake_apiserver import write_kubeconfig

SERVER = "https://api.example.com:6443/prefix"


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def an_exec_user(folder: Path, *, command: str = "") -> dict[str, object]:
    """A credential helper that gives `token-1`, `token-2`, … with tokens that expired long ago."""
    script = folder / "helper.py"
    script.write_text(
        f"""
import json, pathlib
{command}
count = pathlib.Path({str(folder / "count")!r})
number = int(count.read_text()) + 1 if count.exists() else 1
count.write_text(str(number))
status = {{"token": f"token-{{number}}", "expirationTimestamp": "2020-01-01T00:00:00Z"}}
print(json.dumps({{"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": status}}))
"""
    )
    arguments = {"command": sys.executable, "args": [str(script)], "apiVersion": "client.authentication.k8s.io/v1"}
    return {"exec": arguments}


async def test_a_token_becomes_a_bearer_header(tmp_path: Path) -> None:
    write_kubeconfig(tmp_path / "config", SERVER)
    access = await Access.load(str(tmp_path / "config"))
    assert (str(access.url), await access.headers()) == (SERVER, {"authorization": "Bearer secret-token"})


async def test_a_token_file_is_read_again_every_minute(tmp_path: Path) -> None:
    clock, token = Clock(), tmp_path / "token"
    token.write_text("one")
    write_kubeconfig(tmp_path / "config", SERVER, {"tokenFile": str(token)})
    access = await Access.load(str(tmp_path / "config"), clock=clock)
    token.write_text("two")
    early = await access.headers()
    clock.now += 61
    assert (early, await access.headers()) == ({"authorization": "Bearer one"}, {"authorization": "Bearer two"})


async def test_a_credential_helper_is_asked_again_when_its_token_expires(tmp_path: Path) -> None:
    clock = Clock()
    write_kubeconfig(tmp_path / "config", SERVER, an_exec_user(tmp_path))
    access = await Access.load(str(tmp_path / "config"), clock=clock)
    early = await access.headers()
    clock.now += 61
    late = await access.headers()
    assert (early, late) == ({"authorization": "Bearer token-1"}, {"authorization": "Bearer token-2"})


async def test_a_failing_credential_helper_leaves_the_old_token(tmp_path: Path) -> None:
    clock = Clock()
    write_kubeconfig(tmp_path / "config", SERVER, an_exec_user(tmp_path))
    access = await Access.load(str(tmp_path / "config"), clock=clock)
    an_exec_user(tmp_path, command="raise SystemExit(3)")
    clock.now += 61
    with capture_logs() as lines:
        headers = await access.headers()
    assert headers == {"authorization": "Bearer token-1"}
    assert [line["problem"] for line in lines] == ["exec: process returned 3"]


async def test_a_client_certificate_is_loaded_and_no_key_stays_in_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, key = (b64encode(part).decode() for part in certificate_and_key("till"))
    write_kubeconfig(tmp_path / "config", SERVER, {"client-certificate-data": certificate, "client-key-data": key})
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    access = await Access.load(str(tmp_path / "config"))
    assert (await access.headers(), list(temporary.iterdir())) == ({}, [])
    assert access.ssl.verify_mode is ssl.CERT_REQUIRED


async def test_a_renewed_certificate_file_is_loaded_again(tmp_path: Path) -> None:
    clock = Clock()
    files = {"client-certificate": tmp_path / "tls.crt", "client-key": tmp_path / "tls.key"}
    for path, content in zip(files.values(), certificate_and_key("one"), strict=True):
        path.write_bytes(content)
    write_kubeconfig(tmp_path / "config", SERVER, {name: str(path) for name, path in files.items()})
    access = await Access.load(str(tmp_path / "config"), clock=clock)
    certificate, _ = certificate_and_key("two")
    files["client-certificate"].write_bytes(certificate)
    clock.now += 61
    with capture_logs() as lines:
        await access.headers()
    # The key is still the old one: that OpenSSL refuses the pair shows that it was loaded.
    assert "key values mismatch" in lines[0]["problem"].lower()


async def test_in_a_pod_the_service_account_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "token").write_text("pod-token")
    (tmp_path / "ca.crt").write_bytes(certificate_and_key("ca")[0])
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1")
    monkeypatch.setenv("KUBERNETES_SERVICE_PORT", "443")
    access = await Access.load(None, account_dir=tmp_path)
    assert (str(access.url), await access.headers()) == ("https://10.0.0.1", {"authorization": "Bearer pod-token"})


async def test_a_context_is_chosen_by_name_also_in_a_pod(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_kubeconfig(tmp_path / "config", SERVER)
    document = json.loads((tmp_path / "config").read_text())
    document["contexts"].append({"name": "other", "context": {"cluster": "other", "user": "fake"}})
    document["clusters"].append({"name": "other", "cluster": {"server": "https://other.example.com"}})
    (tmp_path / "config").write_text(json.dumps(document))
    (tmp_path / "token").write_text("pod-token")
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1")
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "config"))
    chosen = [await Access.load(None, context=name, account_dir=tmp_path) for name in ("other", "fake")]
    assert [str(access.url) for access in chosen] == ["https://other.example.com", SERVER]
    with pytest.raises(TerminalError, match="Expected object with name none"):
        await Access.load(None, context="none", account_dir=tmp_path)


async def test_outside_a_pod_the_variable_names_the_kubeconfig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_kubeconfig(tmp_path / "config", SERVER)
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
    monkeypatch.setenv("KUBECONFIG", f"{tmp_path / 'absent'}:{tmp_path / 'config'}")
    assert str((await Access.load(None, account_dir=tmp_path)).url) == SERVER


def test_generated_models_are_never_imported(tmp_path: Path) -> None:
    write_kubeconfig(tmp_path / "config", SERVER)
    program = f"""
import asyncio, sys
from olmv1.kube.configuration import Access
asyncio.run(Access.load({str(tmp_path / "config")!r}))
assert not any(name.startswith("kubernetes_asyncio.client.models") for name in sys.modules)
assert "kubernetes_asyncio" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


async def test_insecure_skip_tls_verify_is_honoured(tmp_path: Path) -> None:
    write_kubeconfig(tmp_path / "config", SERVER)
    config = json.loads((tmp_path / "config").read_text())
    config["clusters"][0]["cluster"] |= {"insecure-skip-tls-verify": True, "tls-server-name": "other"}
    (tmp_path / "config").write_text(json.dumps(config))
    access = await Access.load(str(tmp_path / "config"))
    assert (access.ssl.verify_mode, access.server_hostname) == (ssl.CERT_NONE, "other")
