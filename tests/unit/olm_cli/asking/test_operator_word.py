from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from olm_cli.asking.operator_word import operator_word
from olm_cli.cluster import connected
from olm_cli.options import ClusterOptions
from olm_cli.problems import CannotTell
from olmv1.served import Served
from operator_controller.revisions.desired import ANNOTATION_OPERATOR_CONDITION
from operator_controller.revisions.view import RevisionView
from tests.answering_server import AnsweringServer, Reply, a_status, write_kubeconfig
from tests.builders import a_view

GROUP, KIND = "operators.coreos.com", "OperatorCondition"
V2 = Served(kinds=frozenset({(GROUP, "v1", KIND), (GROUP, "v2", KIND)}))
PATH = f"/apis/{GROUP}/v2/namespaces/shop/operatorconditions/lantern"
HOLDING = {"spec": {"conditions": [{"type": "Upgradeable", "status": "False", "message": "a backup runs"}]}}
BASE = replace(a_view(), annotations={ANNOTATION_OPERATOR_CONDITION: "lantern"})


async def word(server: AnsweringServer, folder: Path, served: Served = V2, base: RevisionView | None = BASE) -> str:
    options = ClusterOptions(kubeconfig=write_kubeconfig(folder / "kubeconfig", server.url))
    async with connected(options) as client:
        return await operator_word(client, served, "shop", base)


async def test_operator_says_why_it_must_not_be_replaced(server: AnsweringServer, tmp_path: Path) -> None:
    server.replies[PATH] = Reply(HOLDING)
    assert await word(server, tmp_path) == "the operator is not upgradeable: a backup runs"


async def test_operator_that_has_no_condition_says_nothing(server: AnsweringServer, tmp_path: Path) -> None:
    server.replies[PATH] = a_status(404, "NotFound", "x")
    assert await word(server, tmp_path) == ""
    server.replies.clear()
    assert [await word(server, tmp_path, base=base) for base in (None, a_view())] == ["", ""]
    assert await word(server, tmp_path, served=Served()) == ""


async def test_condition_that_cannot_be_read_is_an_error(server: AnsweringServer, tmp_path: Path) -> None:
    server.replies[PATH] = a_status(403, "Forbidden", "you may not")
    with pytest.raises(CannotTell, match="^cannot read OperatorCondition shop/lantern: you may not"):
        await word(server, tmp_path)
