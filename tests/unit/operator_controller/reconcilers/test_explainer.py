from __future__ import annotations

import pytest

from operator_controller.explanation import Absence, LeftOut
from operator_controller.reconcilers.explainer import Explainer
from operator_controller.resolver import CatalogContent, Request, resolve
from tests.packages import PACKAGE, a_catalog, a_package, an_installed

CATALOG = a_catalog(a_package(["1.0.0", "1.1.0"], {"stable": ["1.1.0 (R 1.0.0)", "1.0.0"]}))


async def told(
    explainer: Explainer, request: Request, *catalogs: CatalogContent, absent: tuple[LeftOut, ...] = ()
) -> str:
    return await explainer.headline("lantern", request, resolve(request, catalogs), catalogs, absent)


async def test_refusal_is_explained() -> None:
    text = await told(Explainer(), Request(PACKAGE, "9.x"), CATALOG)
    assert "9.x" in text


async def test_step_is_explained_and_staying_is_not() -> None:
    explainer = Explainer()
    step = await told(explainer, Request(PACKAGE, installed=an_installed("1.0.0")), CATALOG)
    stay = await told(explainer, Request(PACKAGE, installed=an_installed("1.1.0")), CATALOG)
    assert ("p.v1.1.0" in step, stay) == (True, "")


async def test_question_that_changed_is_explained_anew() -> None:
    explainer, request = Explainer(), Request("absent")
    absent = (LeftOut("other", 0, Absence.UNAVAILABLE),)
    texts = [
        await told(explainer, request),
        await told(explainer, request),
        await told(explainer, request, absent=absent),
    ]
    assert (texts[0] == texts[1], texts[1] == texts[2]) == (True, False)


async def test_bug_in_an_explanation_holds_nothing_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def explain(*_: object) -> None:
        raise ValueError("nobody thought of this")

    monkeypatch.setattr("operator_controller.reconcilers.explainer.explain", explain)
    assert await told(Explainer(), Request(PACKAGE, "9.x"), CATALOG) == ""
