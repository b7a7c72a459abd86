"""What a puller is told at start: paths, limits, times. Frozen; read once in `main`.

Every path field must be given or come from `from_environment`: a default of "no policy file" would accept silently.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from olmv1.images.limits import BUNDLE_LIMITS, CATALOG_LIMITS, CHART_LIMITS, Limits
from olmv1.images.platforms import Platform
from olmv1.images.proxies import NO_PROXIES, Proxies

__all__ = ["ImageSettings", "Timing"]

_CONTAINERS = Path("/etc/containers")


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Deadlines and retries of one registry call, in seconds."""

    connect_s: float = 10.0
    """TCP, proxy and TLS together."""
    read_s: float = 30.0
    """Silence in the middle of an answer."""
    pull_s: float = 1800.0
    """One whole image: a registry that trickles must end some time."""
    retry_attempts: int = 4
    retry_budget_s: float = 8.0
    """All tries of one call; a longer `Retry-After` is handed to the caller instead of waited for."""
    retry_wait_s: float = 0.25
    """First wait; doubles, with full jitter."""
    resumes: int = 20
    """How often a cut download is continued; each time it must have got further."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageSettings:
    """Settings of a `Puller`."""

    pull_cas_dir: Path | None
    """CA certificates in PEM for every registry, and per-host folders `<host[:port]>/*.crt, *.cert, *.key`."""
    certs_dirs: tuple[Path, ...]
    """Folders of per-host folders (`certs.d`); the first that knows a host counts."""
    registries_conf: tuple[Path, ...]
    """Candidates for `registries.conf`; the first that exists counts."""
    registries_conf_dirs: tuple[Path, ...]
    """Drop-in folders; all count, `*.conf` in order of name, later wins per prefix."""
    policy: tuple[Path, ...]
    """Candidates for `policy.json`; the first that exists counts."""
    auth_files: tuple[Path, ...]
    """Docker configuration files; the first that knows a registry counts, pull secrets win over all of them."""
    is_policy_required: bool = False
    """Refuse every image while there is no policy file, instead of accepting with a warning."""
    proxies: Proxies = NO_PROXIES
    skopeo: str = "skopeo"
    """Command that checks signatures when the policy asks for them; searched on the path."""
    temp_dir: Path | None = None
    """Where skopeo's copies live for a moment; `None`: the system's folder."""
    platform: Platform = field(default_factory=Platform.of_process)
    timing: Timing = Timing()
    catalog_limits: Limits = CATALOG_LIMITS
    bundle_limits: Limits = BUNDLE_LIMITS
    chart_limits: Limits = CHART_LIMITS
    parallel_unpacks: int = 8
    """Images that are unpacked at the same time: one thread and a few megabytes each."""

    @classmethod
    def from_environment(cls, environ: Mapping[str, str], *, pull_cas_dir: Path | None = None) -> ImageSettings:
        """The usual paths of container tools, as `environ` places them."""
        home = Path(environ.get("HOME") or "/nonexistent")
        config = Path(environ.get("XDG_CONFIG_HOME") or home / ".config") / "containers"
        chosen = environ.get("CONTAINERS_REGISTRIES_CONF")
        return cls(
            pull_cas_dir=pull_cas_dir,
            certs_dirs=(config / "certs.d", _CONTAINERS / "certs.d", Path("/etc/docker/certs.d")),
            registries_conf=(
                (Path(chosen),) if chosen else (config / "registries.conf", _CONTAINERS / "registries.conf")
            ),
            registries_conf_dirs=(_CONTAINERS / "registries.conf.d", config / "registries.conf.d"),
            policy=(config / "policy.json", _CONTAINERS / "policy.json"),
            auth_files=_auth_files(environ, home, config),
            proxies=Proxies.from_environment(environ),
        )


def _auth_files(environ: Mapping[str, str], home: Path, config: Path) -> tuple[Path, ...]:
    """Where container tools keep logins, first choice first; an explicit file is the only one."""
    if chosen := environ.get("REGISTRY_AUTH_FILE"):
        return (Path(chosen),)
    runtime = environ.get("XDG_RUNTIME_DIR")
    docker = Path(environ.get("DOCKER_CONFIG") or home / ".docker")
    first = (Path(runtime) / "containers" / "auth.json",) if runtime else ()
    return (*first, config / "auth.json", docker / "config.json")
