from __future__ import annotations

import pytest

from olmv1.yaml.guard import is_suspicious


@pytest.mark.parametrize(
    "document",
    [
        *("a: yes\n", "a: No # c\n", "- ON\n", "[y]\n", "{n: 1}\n", "off:\n", "a:\n  Y\n", '{"a":no}\n', "a: .inf\n"),
        *("a: 0777\n", "a: 0o7\n", "a: 0x1F\n", "a: 0b1\n", "a: 08\n", "a: 1_000\n", "a: _0\n", "a: +1\n", "a: -0\n"),
        *("a: 1.0\n", "a: 1.\n", "a: 1e3\n", "a: .5e1\n", "a: 12:30\n", "a: 1234567890123456789\n"),
        *(
            "a: &x 1\n",
            "a: *x\n",
            "a: !!str 1\n",
            "a: ! x\n",
            "<<: x\n",
            "{<<}\n",
            "? a\n",
            ": a\n",
            "a: 91.999999999999999\n",
        ),
        *("%YAML 1.1\n", "a: 1\n...\n", "a:\n\t- b\n", "-\tb\n", "a: 1\rb: 2\n", 'a: "\\ud83d"\n'),
        *("a: |\nb: 1\n", "a: |-\n\n", "a: |", "a: |\n  x", "a: >\n\n  x\n  y", " " * 60 + "a: 1\n"),
        *(
            "{a:}\n",
            "[?]\n",
            "[|x]\n",
            "[a, >x]\n",
            "a: \x85\n",
            "a: \u2028\n",
            "\ufeffa: 1\n",
            "a: \x7f\n",
            "a: \x01\n",
        ),
    ],
)
def test_is_suspicious_where_the_parsers_differ(document: str) -> None:
    assert is_suspicious(document.encode())


@pytest.mark.parametrize(
    "document",
    [
        *(
            "a: 1\n",
            "a: -12\n",
            "a: 0\n",
            "a: 1.5\n",
            "a: true\n",
            "a: null\n",
            "a: ~\n",
            "a:\n",
            "a: 'yes'\n",
            'a: "no"\n',
        ),
        *("a: 1.2.3\n", "a: 2020-01-01\n", "a: yes it is\n", "a: on-call\n", "name: y.v1.0.0\n", "a: x # on\n"),
        *("a: [b, c]\n", "a: {}\n", "a: []\n", "a: |\n  text\n", "a: >-\n  text\n  more\n\n", "- b\n- c\n", "a: x*y\n"),
        *("a: b\r\nc: d\r\n", "a: >=1.0.0 <2.0.0\n", "a: '*'\n", "a: é 😀\n", "a: |\n  - *item* one\n", "a: b: c\n"),
    ],
)
def test_is_suspicious_lets_ordinary_documents_pass(document: str) -> None:
    assert not is_suspicious(document.encode())
