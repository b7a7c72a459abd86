"""Properties from the annotations of Chart.yaml."""

from __future__ import annotations

import pytest

from operator_controller.bundle import BundleError, Property
from operator_controller.chart import properties_of
from tests.charts import a_chart


def test_properties_of_a_chart_without_annotations() -> None:
    found = properties_of(a_chart())
    assert (found.annotation, found.properties) == (None, ())


def test_properties_of_the_annotation_that_a_csv_has_too() -> None:
    text = '[{"type": "olm.maxOpenShiftVersion", "value": "4.18"}]'
    found = properties_of(a_chart(annotations={"olm.properties": text, "category": "light"}))
    assert found.properties == (Property("olm.maxOpenShiftVersion", "4.18"),)
    assert found.annotation == text


def test_properties_of_single_annotations_come_after() -> None:
    own = '[{"type":"a","value":1},{"type":"olm.b","value":2}]'
    found = properties_of(a_chart(annotations={"olm.properties": own, "olm.c": "3", "olm.b": "overruled"}))
    assert found.properties == (Property("a", 1), Property("olm.b", 2), Property("olm.c", "3"))
    assert found.annotation == '[{"type":"a","value":1},{"type":"olm.b","value":2},{"type":"olm.c","value":"3"}]'


def test_properties_of_an_unreadable_annotation_are_an_error() -> None:
    with pytest.raises(BundleError, match="olm.properties"):
        properties_of(a_chart(annotations={"olm.properties": "no"}))
