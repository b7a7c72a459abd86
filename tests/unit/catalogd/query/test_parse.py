from __future__ import annotations

import pytest

from catalogd.query import MetasQuery, QueryError, parse


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("", MetasQuery()),
        ("&&", MetasQuery()),
        ("schema=olm.bundle", MetasQuery(schema="olm.bundle")),
        ("schema=s&package=p&name=n", MetasQuery("s", "p", "n")),
        ("name=a&name=b", MetasQuery(name="a")),
        ("name=&name=b", MetasQuery()),
        ("name", MetasQuery()),
        ("name=a=b", MetasQuery(name="a=b")),
        ("n%61me=%C3%A9+%2B%26", MetasQuery(name="é +&")),
        ("name=%FF", MetasQuery(name="\udcff")),
    ],
)
def test_parse_reads_the_parameters(text: str, query: MetasQuery) -> None:
    assert parse(text) == query


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("version=1", 'unknown query parameter "version": expected schema, package or name'),
        ("Name=x", 'unknown query parameter "Name": expected schema, package or name'),
        ("foo", 'unknown query parameter "foo": expected schema, package or name'),
        ("=x", 'unknown query parameter "": expected schema, package or name'),
        ("%FF=x", 'unknown query parameter "\\udcff": expected schema, package or name'),
        (f"{'x' * 99}=1", f'unknown query parameter "{"x" * 40}": expected schema, package or name'),
        ("schema=%zz", 'malformed query string at "%zz"'),
        ("schema=%", 'malformed query string at "%"'),
        ("schema=a;b=c", 'malformed query string at ";b=c"'),
        ("%4=c", 'malformed query string at "%4"'),
    ],
)
def test_parse_refuses_what_is_unknown_or_malformed(text: str, message: str) -> None:
    with pytest.raises(QueryError) as raised:
        parse(text)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("query", "whole"), [(MetasQuery(), True), (MetasQuery(name="x"), False), (MetasQuery("x"), False)]
)
def test_metas_query_asks_for_all_when_empty(query: MetasQuery, whole: bool) -> None:
    assert query.is_whole is whole
