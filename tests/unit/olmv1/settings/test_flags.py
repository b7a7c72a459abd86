from __future__ import annotations

import pytest

from olmv1.settings import Flag, UsageError, read_flags

FLAGS = (Flag("name"), Flag("on", is_bool=True), Flag("gates", is_repeatable=True), Flag("v"))


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        (["--name=a"], {"name": ["a"]}),
        (["--name", "a"], {"name": ["a"]}),
        (["-name=a=b"], {"name": ["a=b"]}),
        (["-v=4"], {"v": ["4"]}),
        (["-v", "4"], {"v": ["4"]}),
        (["--on", "--name=a"], {"on": ["true"], "name": ["a"]}),
        (["--on=false"], {"on": ["false"]}),
        (["--name=a", "--name=b"], {"name": ["b"]}),
        (["--gates=a", "--gates=b"], {"gates": ["a", "b"]}),
        (["--name="], {"name": [""]}),
    ],
)
def test_read_flags_understands_go_spelling(arguments: list[str], given: dict[str, list[str]]) -> None:
    assert read_flags(arguments, FLAGS) == given


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--nope=1"], "unknown flag: --nope"),
        (["--name"], "flag needs an argument: --name"),
        (["--on", "false"], 'unexpected argument "false": expected a flag'),
        (["--"], 'unexpected argument "--": expected a flag'),
    ],
)
def test_read_flags_refuses(arguments: list[str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_flags(arguments, FLAGS)
    assert str(caught.value) == message
