from __future__ import annotations

from olmv1.fbc.validation import (
    Code,
    FileLines,
    Finding,
    Place,
    Report,
    Severity,
    SourceFile,
    Subject,
    examine_files,
    examine_lines,
    tree,
)
from olmv1.yaml import dump_json

LAMP = """schema: olm.package
name: lamp
defaultChannel: stable
---
schema: olm.channel
package: lamp
name: stable
entries: [{name: lamp.v1.0.0}]
---
schema: olm.bundle
package: lamp
name: lamp.v1.0.0
image: registry.example/lamp:v1
properties: [{type: olm.package, value: {packageName: lamp, version: 1.0.0}}]
relatedImages: [{name: a, image: registry.example/a:v1}, {name: b, image: registry.example/lamp:v1}]
"""
CANDLE = LAMP.replace("lamp", "candle")


def examined(**files: str) -> Report:
    return examine_files([SourceFile(f"{name}.yaml", text.encode()) for name, text in files.items()])


def told(report: Report) -> list[str]:
    return [str(finding) for finding in report.findings]


def test_examination_of_good_files_finds_nothing() -> None:
    assert examined(lamp=LAMP, candle=CANDLE) == Report((), 0, 0, 2, 2, 2)


def test_examination_of_nothing_finds_nothing() -> None:
    assert examined(empty="", comments="# nothing\n---\n") == Report((), 0, 0, 0, 0, 0)


def test_finding_has_severity_code_place_and_subject() -> None:
    report = examined(lamp=LAMP.replace("entries: [{name: lamp.v1.0.0}]", "entries: []"), candle=CANDLE)
    empty = Finding(
        Severity.ERROR,
        Code.EMPTY_CHANNEL,
        "channel must contain at least one bundle",
        Place("lamp.yaml", 2, 5),
        Subject("olm.channel", "lamp", "stable"),
    )
    assert empty in report.findings
    assert str(empty) == (
        'lamp.yaml, document 2, line 5 (olm.channel "stable" of package "lamp"): '
        "channel must contain at least one bundle"
    )


def test_unreadable_rest_of_a_file_hides_nothing_of_other_packages_and_invents_nothing() -> None:
    broken = LAMP.replace("schema: olm.bundle", "schema: [olm.bundle")
    report = examined(lamp=broken, candle=CANDLE.replace("version: 1.0.0", "version: '1'"))
    assert told(report) == [
        "lamp.yaml, document 3, line 10: "
        "error converting YAML to JSON: yaml: line 10: did not find expected ',' or ']'",
        'candle.yaml, document 3, line 10 (olm.bundle "candle.v1.0.0" of package "candle"): error parsing bundle '
        '"candle.v1.0.0" version "1": No Major.Minor.Patch elements found',
    ]


def test_unreadable_file_in_a_folder_makes_nothing_missing_in_its_packages() -> None:
    package, channel, bundle = (text.encode() for text in LAMP.split("---\n"))
    files = [
        SourceFile("lamp/a.yaml", package),
        SourceFile("lamp/b.yaml", b"- " + channel),
        SourceFile("lamp/c.yaml", None, "permission denied"),
        SourceFile("lamp/d.yaml", bundle),
    ]
    findings = examine_files(files).findings
    assert [(f.code, str(f.place)) for f in findings] == [
        (Code.UNREADABLE, "lamp/b.yaml, document 1, line 1"),
        (Code.UNREADABLE, "lamp/c.yaml"),
    ]


def test_files_that_are_passed_over_are_named() -> None:
    report = examine_files([], ["README.md"])
    assert told(report) == ["README.md: this file is passed over here, the reference reads it: name it in .indexignore"]
    assert (report.errors, report.warnings) == (0, 1)


def test_odd_texts_are_findings_with_their_lines() -> None:
    report = examined(lamp=LAMP + "priority: 010\nname: lamp.v1.0.0\n")
    assert [(f.code, f.place.line, f.message) for f in report.findings] == [
        (Code.UNKNOWN_FIELD, 10, 'unknown field "priority" is ignored'),
        (Code.UNQUOTED_NUMBER, 16, '010 without quotes at priority is read as 8: write "010" if it is text'),
        (Code.DUPLICATE_KEY, 17, 'key "name" is there twice: only the last one counts'),
    ]


def test_number_for_the_last_openshift_version_is_told_once() -> None:
    text = "schema: olm.bundle\nname: a\npackage: b\nproperties: [{type: %s, value: 4.20}]\n"
    for type_, line in (("olm.maxOpenShiftVersion", 1), ("count", 4)):
        findings = [f for f in examined(a=text % type_).findings if f.code is Code.UNQUOTED_NUMBER]
        assert [f.place.line for f in findings] == [line]


def test_number_in_a_list_that_is_lost_is_told_of() -> None:
    text = "schema: custom\nproperties: [{type: a, value: b}, {type: c, value: 010}]\nproperties: []\n"
    assert [f.code for f in examined(a=text).findings] == [Code.UNQUOTED_NUMBER, Code.DUPLICATE_KEY]


def test_strict_examination_takes_breaches_of_schema_rules_for_errors() -> None:
    content = f"{LAMP}---\nschema: other\npackage: ''\nflag: y\n".encode()
    findings = examine_files([SourceFile("a.yaml", content)], is_strict=True).findings
    assert [(f.code, f.severity) for f in findings] == [
        (Code.EMPTY_PACKAGE, Severity.ERROR),
        (Code.UNQUOTED_BOOLEAN, Severity.WARNING),
    ]


def test_document_that_nests_too_deep_is_a_finding() -> None:
    deep = "schema: a\nb: " + "[" * 300 + "]" * 300
    assert [f.code for f in examined(a=deep).findings] == [Code.UNREADABLE]


def test_images_are_listed_once_with_their_first_place() -> None:
    report = examine_files([SourceFile("lamp.yaml", LAMP.encode())], keeps_images=True)
    bundle = Subject("olm.bundle", "lamp", "lamp.v1.0.0")
    assert [(used.image, used.place.document, used.subject) for used in report.images] == [
        ("registry.example/lamp:v1", 3, bundle),
        ("registry.example/a:v1", 3, bundle),
    ]


def test_lines_are_placed_in_their_files() -> None:
    lines = [b'{"schema":"a"}', b'{"schema":""}', b'{"name":"x"}', b"nonsense"]
    report = examine_lines(lines, [FileLines("a.yaml", 1), FileLines("b.yaml", 2)])
    assert [str(f.place) for f in report.findings] == ["b.yaml, document 1", "b.yaml, document 2", ""]


def test_findings_beyond_the_limit_are_counted() -> None:
    report = examine_lines([b'{"schema":"a","package":""}'] * 5 + [b"[]"] * 3, keeps=2)
    assert (len(report.findings), report.errors, report.warnings) == (4, 3, 5)


def test_tree_names_the_place_of_what_belongs_to_no_package() -> None:
    assert tree(examined(a="[1]").findings) == (
        "invalid index:\n└── a.yaml, document 1, line 1: expected an object, found list"
    )


def test_tree_of_no_errors_is_empty() -> None:
    assert tree(examined(a="schema: x\npackage: ''").findings) == ""


def test_tree_sorts_packages_and_shows_what_the_reference_says_before_it_makes_one() -> None:
    broken = LAMP.replace("defaultChannel: stable", "icon: 5")
    assert tree(examined(b=broken, a=CANDLE.replace("defaultChannel: stable", "")).findings) == (
        "invalid index:\n"
        '├── invalid package "candle":\n'
        "│   └── default channel must be set\n"
        '└── invalid package "lamp":\n'
        "    └── parse package: expected object, found number at icon"
    )


def test_rules_of_requirements_are_compiled_when_files_are_examined() -> None:
    constraint = {"type": "olm.constraint", "value": {"cel": {"rule": "nonsense("}}}
    line = dump_json({"schema": "olm.bundle", "package": "a", "name": "b", "properties": [constraint]})
    found = [f.message for f in examine_files([SourceFile("a.json", line)]).findings if f.code is Code.BAD_REQUIREMENT]
    assert [message.split(":")[0:2] for message in found] == [["olm.constraint[0]", ' invalid rule "nonsense("']]
    assert Code.BAD_REQUIREMENT not in [f.code for f in examine_lines([line]).findings]
