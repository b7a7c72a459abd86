from __future__ import annotations

from pathlib import Path

import pytest

from olm_cli.account_options import AccountOptions
from olm_cli.granting import around
from olm_cli.granting.question import Asked, sources_asked
from olm_cli.options import CatalogOptions, ClusterOptions, ConfigurationOptions
from olm_cli.wanted import WantedOptions
from tests.answering_server import Reply, a_status, answering_server, write_kubeconfig
from tests.builders import an_extension
from tests.olm_command import a_blob, write_catalog

API, RBAC = "/apis/olm.operatorframework.io/v1", "/apis/rbac.authorization.k8s.io/v1"
EXTENSION = f"{API}/clusterextensions/lantern"


def has_installed(bundle: str) -> Reply:
    return Reply({**an_extension(), "status": {"install": {"bundle": {"name": bundle, "version": "1.0.0"}}}})


@pytest.mark.parametrize(
    ("extension", "upgrades", "warned"),
    [
        pytest.param(has_installed("lantern.v1.0.0"), False, True, id="another bundle is installed"),
        pytest.param(has_installed("lantern.v1.0.0"), True, False, id="the installed one is among them"),
        pytest.param(has_installed("lantern.v1.1.0"), False, False, id="the same is installed"),
        pytest.param(a_status(404, "NotFound", "no"), False, False, id="nothing is installed"),
        pytest.param(a_status(403, "Forbidden", "no"), False, False, id="nobody may know"),
    ],
)
async def test_whoever_applies_rights_is_told_which_are_taken_away(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], extension: Reply, *, upgrades: bool, warned: bool
) -> None:
    entries = [{"name": "lantern.v1.0.0"}, {"name": "lantern.v1.1.0", "replaces": "lantern.v1.0.0"}]
    bundles = [a_blob("olm.bundle", entry["name"], "lantern") for entry in entries]
    package = a_blob("olm.package", "lantern", defaultChannel="stable")
    channel = a_blob("olm.channel", "stable", "lantern", entries=entries)
    catalogs = CatalogOptions(catalog=[write_catalog(tmp_path / "lights", package, channel, *bundles)])
    nothing = Reply({"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "items": []})
    with answering_server() as server:
        server.replies |= {"/api": nothing, "/apis": nothing, "/version": Reply({"gitVersion": "v1.36.3"})}
        for kind in ("roles", "clusterroles", "rolebindings", "clusterrolebindings"):
            server.replies[f"{RBAC}/{kind}"] = Reply({"metadata": {"resourceVersion": "1"}, "items": []})
        server.replies[EXTENSION] = extension
        cluster = ClusterOptions(kubeconfig=write_kubeconfig(tmp_path / "kubeconfig", server.url))
        account = AccountOptions(subject="lantern", apply=True, upgrades=upgrades)
        asked = Asked(account, WantedOptions(), catalogs, cluster, ConfigurationOptions())
        async with around(cluster, is_asked=True, is_needed=False) as known:
            found = await sources_asked(asked, known)
    assert [each.bundle for each in found][-1] == "lantern.v1.1.0"
    warning = (
        'warning: bundle "lantern.v1.0.0" is installed, and its account loses the rights that only this one needs, '
        "also to remove its objects; --upgrades keeps them\n"
    )
    assert capsys.readouterr().err == (warning if warned else "")
