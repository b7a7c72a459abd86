"""Where the usual files are, given an environment."""

from __future__ import annotations

from pathlib import Path

from olmv1.images.proxies import Proxies
from olmv1.images.settings import ImageSettings

ETC = Path("/etc/containers")


def test_from_environment_knows_the_usual_paths() -> None:
    settings = ImageSettings.from_environment({"HOME": "/home/me"}, pull_cas_dir=Path("/cas"))
    config = Path("/home/me/.config/containers")
    assert settings.pull_cas_dir == Path("/cas")
    assert settings.certs_dirs == (config / "certs.d", ETC / "certs.d", Path("/etc/docker/certs.d"))
    assert settings.registries_conf == (config / "registries.conf", ETC / "registries.conf")
    assert settings.registries_conf_dirs == (ETC / "registries.conf.d", config / "registries.conf.d")
    assert settings.policy == (config / "policy.json", ETC / "policy.json")
    assert settings.auth_files == (config / "auth.json", Path("/home/me/.docker/config.json"))


def test_from_environment_follows_the_variables() -> None:
    environ = {
        "HOME": "/home/me",
        "XDG_CONFIG_HOME": "/xdg",
        "XDG_RUNTIME_DIR": "/run/me",
        "DOCKER_CONFIG": "/docker",
        "CONTAINERS_REGISTRIES_CONF": "/conf",
        "HTTPS_PROXY": "http://p",
    }
    settings = ImageSettings.from_environment(environ)
    runtime, config = Path("/run/me/containers/auth.json"), Path("/xdg/containers")
    assert settings.registries_conf == (Path("/conf"),)
    assert settings.policy[0] == config / "policy.json"
    assert settings.auth_files == (runtime, config / "auth.json", Path("/docker/config.json"))
    assert settings.proxies == Proxies(https="http://p")


def test_from_environment_lets_one_login_file_replace_all() -> None:
    assert ImageSettings.from_environment({"REGISTRY_AUTH_FILE": "/auth"}).auth_files == (Path("/auth"),)
