from __future__ import annotations

import pytest

from olmv1.fbc import Catalog, FbcError, blobs_of_file, catalog_of

DOCUMENTS = b"""
{"schema":"olm.channel","package":"b","name":"stable","entries":[{"name":"b.v1"}]}
{"schema":"olm.package","name":"a","defaultChannel":"stable"}
{"schema":"custom","name":"x"}
{"schema":"olm.bundle","package":"b","name":"b.v1","image":5}
"""


def a_catalog() -> Catalog:
    return catalog_of(blobs_of_file(DOCUMENTS, "index.json"), ["README.md"])


def test_catalog_names_its_packages_sorted() -> None:
    assert (a_catalog().packages, a_catalog().passed_over) == (("a", "b"), ("README.md",))


def test_catalog_keeps_every_blob_in_order() -> None:
    assert [blob.name for blob in a_catalog().blobs] == ["stable", "a", "x", "b.v1"]


def test_catalog_gives_a_package() -> None:
    package = a_catalog().package("a")
    assert package is not None
    assert (package.name, package.default_channel) == ("a", "stable")


def test_catalog_has_no_package_that_no_blob_belongs_to() -> None:
    assert a_catalog().package("x") is None


def test_catalog_says_where_a_faulty_blob_was_written() -> None:
    with pytest.raises(FbcError) as raised:
        a_catalog().package("b")
    assert str(raised.value) == (
        'index.json, document 4: olm.bundle "b.v1": parse bundle: expected string, found number at image'
    )
