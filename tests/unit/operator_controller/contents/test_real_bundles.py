"""Every real bundle as a chart: helm renders it back to the same objects."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from devcluster.images import files_of
from olmv1.manifests import Manifest, key_of
from operator_controller.bundle import Bundle, parse_bundle
from operator_controller.chart import chart_of_bundle
from operator_controller.contents import ContentOptions, Helm, content_of, render_content
from operator_controller.renderer import Certificates, RenderOptions, render
from tests.data import data_dir
from tests.helm import helm_path

pytestmark = pytest.mark.data


def folders() -> list[Path]:
    return sorted(path.parent for path in data_dir("bundles").glob("*/*/expected.json"))


def objects_of(bundle: Bundle, folder: Path) -> tuple[Manifest, ...]:
    """As the first recorded case that has objects asks for them."""
    cases = json.loads((folder / "expected.json").read_bytes())["cases"].values()
    request = next(case["request"] for case in cases if "objects" in case)
    certificates = Certificates(request["certs"])
    options = RenderOptions(install_namespace="target-ns", config=request.get("config"), certificates=certificates)
    return render(bundle, options)


def in_order(objects: tuple[Manifest, ...]) -> list[Mapping[str, Any]]:
    """As plain JSON, without the order that Helm has its own idea of."""
    return sorted(json.loads(json.dumps(objects, default=dict)), key=lambda each: (key_of(each), json.dumps(each)))


async def test_chart_of_bundle_renders_back_to_the_same_objects_for_every_real_bundle() -> None:
    helm, wrong = Helm(helm_path()), []
    for folder in folders():
        bundle = parse_bundle(files_of(folder))
        objects = objects_of(bundle, folder)
        files = {f"{bundle.package}/{path}": data for path, data in chart_of_bundle(bundle, objects).items()}
        content = content_of(files, is_chart=True)
        options = ContentOptions(extension="ext", namespace="target-ns", version=bundle.version)
        rendered = await render_content(content, options, helm)
        same_properties = rendered.properties == bundle.annotations.get("olm.properties")
        if in_order(rendered.objects) != in_order(objects) or not same_properties:
            wrong.append(str(folder))
    assert (len(folders()), wrong) == (40, [])
