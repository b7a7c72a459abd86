"""Configuration files on disk: which count, and that changes are seen."""

from __future__ import annotations

import base64
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from olmv1.errors import RetryableError
from olmv1.images.configuration import Configuration
from olmv1.images.credentials import Credential
from olmv1.images.references import Reference
from olmv1.images.settings import ImageSettings

REFERENCE = Reference.parse("r.example/a:v1")


def table(location: str) -> str:
    return f'[[registry]]\nprefix = "r.example"\nlocation = "{location}"\n'


async def place(configuration: Configuration) -> str:
    return (await configuration.registries()).endpoints_for(REFERENCE)[0].domain


async def test_registries_takes_the_first_main_file_and_every_drop_in(settings: ImageSettings, tmp_path: Path) -> None:
    first, second, drop_ins = tmp_path / "user.conf", tmp_path / "system.conf", tmp_path / "d"
    configuration = Configuration(
        replace(settings, registries_conf=(first, second), registries_conf_dirs=(drop_ins, tmp_path / "absent"))
    )
    found = [await place(configuration)]
    second.write_text(table("system.example"))
    found.append(await place(configuration))
    first.write_text(table("user.example"))
    found.append(await place(configuration))
    drop_ins.mkdir()
    (drop_ins / "b.conf").write_text(table("b.example"))
    (drop_ins / "a.conf").write_text(table("a.example"))
    (drop_ins / "z.txt").write_text("not read")
    found.append(await place(configuration))
    assert found == ["r.example", "system.example", "user.example", "b.example"]
    assert configuration.registries_file() == first


async def test_registries_are_parsed_again_only_when_a_file_changed(settings: ImageSettings) -> None:
    configuration = Configuration(settings)
    path = settings.registries_conf[0]
    path.write_text(table("one.example"))
    first = await configuration.registries()
    assert await configuration.registries() is first
    path.write_text(table("two.example"))
    assert await place(configuration) == "two.example"


async def test_a_broken_registries_file_is_named_and_healed_by_the_next_change(settings: ImageSettings) -> None:
    configuration = Configuration(settings)
    path = settings.registries_conf[0]
    path.write_text("[[registry]]\n")
    with pytest.raises(RetryableError) as caught:
        await configuration.registries()
    assert str(caught.value) == (
        f"loading registries configuration: {path}: a [[registry]] table has neither prefix nor location"
    )
    path.write_text(table("good.example"))
    assert await place(configuration) == "good.example"


async def test_policy_is_none_only_when_no_file_exists(settings: ImageSettings, tmp_path: Path) -> None:
    user, system = tmp_path / "user.json", tmp_path / "system.json"
    configuration = Configuration(replace(settings, policy=(user, system)))
    assert await configuration.policy() is None
    system.write_text('{"default": [{"type": "reject"}]}')
    policy = await configuration.policy()
    assert policy is not None
    assert (policy.origin, policy.default) == (str(system), ("reject",))


async def test_policy_that_may_not_be_looked_at_is_no_absent_policy(settings: ImageSettings) -> None:
    path = settings.policy[0]
    path.symlink_to(path)
    with pytest.raises(RetryableError) as caught:
        await Configuration(settings).policy()
    assert str(caught.value) == (
        f"error loading policy context: {path} cannot be read: Too many levels of symbolic links"
    )


async def test_logins_of_earlier_files_win(settings: ImageSettings, tmp_path: Path) -> None:
    for name, key in (("one", "a.example"), ("two", "a.example"), ("three", "b.example")):
        auth = base64.b64encode(f"{name}:x".encode()).decode()
        (tmp_path / name).write_bytes(orjson.dumps({"auths": {key: {"auth": auth}}}))
    paths = tuple(tmp_path / name for name in ("absent", "one", "two", "three"))
    logins = await Configuration(replace(settings, auth_files=paths)).logins()
    assert dict(logins.entries) == {"a.example": Credential("one", "x"), "b.example": Credential("three", "x")}


async def test_stamp_follows_every_kind_of_file(settings: ImageSettings) -> None:
    configuration = Configuration(settings)
    stamps = [await configuration.stamp()]
    host = settings.certs_dirs[0] / "r.example"
    host.mkdir(parents=True)
    for path in (settings.registries_conf[0], settings.policy[0], settings.auth_files[0], host / "ca.crt"):
        path.write_text("x")
        stamps.append(await configuration.stamp())
    assert len(set(stamps)) == 5
