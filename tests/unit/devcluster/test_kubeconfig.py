"""Kubeconfigs: what is written can be read back."""

from __future__ import annotations

import pytest

from devcluster.errors import DevClusterError
from devcluster.kubeconfig import Endpoint, endpoint_of, kubeconfig_of, token_user


def test_endpoint_of_reads_what_kubeconfig_of_wrote() -> None:
    endpoint = Endpoint.of("https://127.0.0.1:6443", b"PEM")
    assert endpoint_of(kubeconfig_of(endpoint, token_user("t")).decode()) == endpoint


def test_endpoint_of_refuses_a_kubeconfig_without_cluster() -> None:
    with pytest.raises(DevClusterError, match=r"^the kubeconfig has no cluster in its current context$"):
        endpoint_of('{"clusters": null}')
