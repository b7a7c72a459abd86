"""Who we are and where the API server is: kubeconfig, service account, TLS and proxy, as one `Access`.

`olmv1.kube.client` calls it once per process. kubernetes-asyncio reads the configuration and renews credentials; its
generated models never load, because importing them costs 1.7 s and 70 MB.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import ssl
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from yarl import URL

from olmv1.errors import TerminalError
from olmv1.kube.proxies import proxy_for
from olmv1.telemetry.logs import get_logger

__all__ = ["Access"]

# The library's own period for token files: tokens are renewed long before they expire, never per request.
_REFRESH_PERIOD_S = 60.0
_ACCOUNT_DIR = Path("/var/run/secrets/kubernetes.io/serviceaccount")

log = get_logger(__name__)


class Access:
    """Address, TLS context and credentials of one identity; credentials renew themselves when asked for."""

    def __init__(
        self,
        configuration: Any,
        reload: Callable[[Any], Awaitable[Any]] | None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._configuration = configuration
        self._reload = reload
        self._clock = clock
        self._refresh_at = clock() + _REFRESH_PERIOD_S
        self.url = URL(str(configuration.host).rstrip("/"), encoded=True)
        self.server_hostname: str | None = configuration.tls_server_name or None
        self.proxy: str | None = configuration.proxy or proxy_for(self.url, os.environ)
        self.ssl = _context_of(configuration)
        self._loaded = _certificate_of(configuration)

    @classmethod
    async def load(
        cls,
        kubeconfig: str | None,
        *,
        context: str | None = None,
        account_dir: Path = _ACCOUNT_DIR,
        clock: Callable[[], float] = time.monotonic,
    ) -> Access:
        """The access that `kubeconfig` describes; else the pod's own, else `KUBECONFIG` or `~/.kube/config`.

        `context` is one of a kubeconfig, so it passes the pod's own access over; without it the current one counts.
        `account_dir` is where a pod finds `token` and `ca.crt` of its service account.

        Raises:
            TerminalError: there is no usable configuration, or a credential helper failed.
        """
        library = _library()
        configuration = library.configuration()
        path = kubeconfig or os.environ.get("KUBECONFIG") or str(Path.home() / ".kube" / "config")
        try:
            token, authority = account_dir / "token", account_dir / "ca.crt"
            is_in_pod = bool(os.environ.get("KUBERNETES_SERVICE_HOST")) and _is_file(token)
            if not kubeconfig and context is None and is_in_pod:
                library.config.load_incluster_config(
                    configuration, token_filename=str(token), cert_filename=str(authority)
                )
                return cls(configuration, None, clock=clock)
            _require_file(path)
            loader = await library.config.load_kube_config(path, context, client_configuration=configuration)
            return cls(configuration, loader.load_and_set, clock=clock)
        except library.problems as problem:
            raise TerminalError(f"cannot load the Kubernetes configuration: {problem}") from problem
        except library.malformations as problem:
            raise TerminalError(f"cannot load the Kubernetes configuration: {path} is not a kubeconfig") from problem
        finally:
            library.forget_key_files()

    async def headers(self) -> Mapping[str, str]:
        """The `Authorization` header of this moment; empty with client certificates."""
        if self._reload is not None and self._clock() >= self._refresh_at:
            await self._refresh(self._reload)
        settings = await self._configuration.auth_settings()
        return {setting["key"]: setting["value"] for setting in settings.values() if setting["value"]}

    async def _refresh(self, reload: Callable[[Any], Awaitable[Any]]) -> None:
        # Moved first: requests that come while a credential helper runs go out with the old, still valid token.
        self._refresh_at = self._clock() + _REFRESH_PERIOD_S
        library = _library()
        try:
            await reload(self._configuration)
            certificate = _certificate_of(self._configuration)
            if certificate != self._loaded and certificate is not None:
                self.ssl.load_cert_chain(self._configuration.cert_file, self._configuration.key_file)
                self._loaded = certificate
        except library.problems as problem:
            # Degraded, not down: the API server decides whether the old credentials are still good.
            log.warning("credentials not renewed", problem=str(problem))
        finally:
            library.forget_key_files()


class _Library:
    """The two parts of kubernetes-asyncio that we use."""

    def __init__(self, configuration: Callable[[], Any], config: Any, kube_config: Any) -> None:
        self.configuration = configuration
        self.config = config
        self._kube_config = kube_config
        # What it raises on purpose, and what it stumbles over when a file has another shape than expected.
        self.problems: tuple[type[Exception], ...] = (config.ConfigException, OSError, ValueError)
        self.malformations: tuple[type[Exception], ...] = (
            kube_config.yaml.YAMLError,
            LookupError,
            TypeError,
            AttributeError,
            AssertionError,
        )

    def forget_key_files(self) -> None:
        """Remove the private keys that the library wrote to the temporary folder; the TLS context has them by now."""
        self._kube_config._cleanup_temp_files()


def _library() -> _Library:
    """Import configuration and credentials of kubernetes-asyncio without running its package initialisers.

    Those import every generated model. The hollow packages stand in only while the parts are imported: whoever imports
    the library later gets the real packages around the same classes.
    """
    hollow = [name for name in ("kubernetes_asyncio", "kubernetes_asyncio.client") if name not in sys.modules]
    try:
        for name in hollow:
            sys.modules[name] = _hollow_package(name)
        settings = importlib.import_module("kubernetes_asyncio.client.configuration")
        if hollow:
            client: Any = sys.modules["kubernetes_asyncio.client"]
            client.Configuration, client.ApiClient = settings.Configuration, object
        config = importlib.import_module("kubernetes_asyncio.config")
        kube_config = importlib.import_module("kubernetes_asyncio.config.kube_config")
    finally:
        for name in hollow:
            sys.modules.pop(name, None)
    return _Library(settings.Configuration, config, kube_config)


def _hollow_package(name: str) -> ModuleType:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.submodule_search_locations is None:
        raise TerminalError(f"package {name} is not installed")
    package = ModuleType(name)
    package.__path__ = list(spec.submodule_search_locations)
    return package


def _is_file(path: Path) -> bool:
    return path.is_file()


def _require_file(paths: str) -> None:
    if not any(Path(path).expanduser().is_file() for path in paths.split(os.pathsep) if path):
        raise TerminalError(f"cannot load the Kubernetes configuration: expected a kubeconfig, found no file {paths}")


def _context_of(configuration: Any) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=configuration.ssl_ca_cert or None)
    # Cluster CAs made by common installers lack key identifiers, which no other Kubernetes client asks for.
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    context.set_alpn_protocols(["http/1.1"])
    if not configuration.verify_ssl:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if configuration.cert_file:
        context.load_cert_chain(configuration.cert_file, configuration.key_file)
    return context


def _certificate_of(configuration: Any) -> bytes | None:
    """What identifies the client certificate in use: its PEM text; `None` without one."""
    return Path(configuration.cert_file).read_bytes() if configuration.cert_file else None
