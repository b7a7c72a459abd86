from __future__ import annotations

import pytest

from olm_cli.kube_version import given_kube_version
from olm_cli.problems import BadInput


@pytest.mark.parametrize(
    ("text", "version"),
    [(None, None), ("", None), ("1.30", "1.30.0"), ("v1.30.2", "1.30.2"), ("1.30.2-gke.1", "1.30.2")],
)
def test_kube_version_is_read_as_people_write_it(text: str | None, version: str | None) -> None:
    assert given_kube_version(text) == version


def test_kube_version_that_is_none_is_bad_input() -> None:
    with pytest.raises(BadInput, match='^--kube-version new: expected a version such as 1.30.2, found "new"$'):
        given_kube_version("new")
