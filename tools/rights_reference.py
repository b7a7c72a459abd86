"""`python -m tools.rights_reference`: writes the tables of rights in `docs/security.md` from `config/rbac`.

The reason of a right is the comment above its rule. A test fails while the page is not what this writes, or a rule has
no comment.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

__all__ = ["PAGE", "Right", "rights", "with_tables"]

_ROOT: Final = Path(__file__).parents[1]
PAGE: Final = _ROOT / "docs" / "security.md"
"""Where the tables are."""

_BEGIN: Final = "<!-- rights: written by python -m tools.rights_reference -->\n"
_END: Final = "<!-- end of rights -->\n"
_FILES: Final = {
    "roles-catalogd.yaml": "catalogd",
    "roles-operator-controller.yaml": "operator-controller",
    "roles-people.yaml": "People, where you bind it",
}
_RULE: Final = re.compile(r"((?:^# .*\n)*)^- (?:apiGroups|nonResourceURLs):", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Right:
    """One rule of a role: what it allows, and why."""

    role: str
    what: str
    verbs: str
    reason: str


def rights(folder: Path = _ROOT / "config" / "rbac") -> Mapping[str, tuple[Right, ...]]:
    """Every rule of the roles in `folder`, by who gets it."""
    texts = {title: (folder / name).read_text(encoding="utf-8") for name, title in _FILES.items()}
    return {title: tuple(_rights_of(text)) for title, text in texts.items()}


def with_tables(page: str) -> str:
    """The text of a page, with the tables between its two marks.

    Raises: ValueError when the marks are not there.
    """
    before, begin, rest = page.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not (begin and end):
        raise ValueError(f"{PAGE.name}: expected the marks {_BEGIN.strip()} and {_END.strip()}")
    return (
        before
        + begin
        + "\n".join(line for title, each in rights().items() for line in _table(title, each))
        + end
        + after
    )


def _rights_of(text: str) -> Iterator[Right]:
    for part in re.split(r"^---\n", text, flags=re.MULTILINE):
        role = yaml.safe_load(part)
        if role["kind"] not in ("Role", "ClusterRole"):
            continue
        reasons = [_sentence(comment) or "as above" for comment in _RULE.findall(part)]
        for rule, reason in zip(role["rules"], reasons, strict=True):
            yield _right(role["metadata"], rule, reason)


def _right(metadata: Mapping[str, Any], rule: Mapping[str, Any], reason: str) -> Right:
    named = f" named {', '.join(f'`{name}`' for name in names)}" if (names := rule.get("resourceNames")) else ""
    resources = [f"`{_full(group, each)}`" for group in rule.get("apiGroups", ()) for each in rule["resources"]]
    urls = [f"`{url}`" for url in rule.get("nonResourceURLs", ())]
    return Right(
        role=f"`{metadata['name']}`" + (f" in `{metadata['namespace']}`" if "namespace" in metadata else ""),
        what=", ".join([*resources, *urls]) + named,
        verbs=", ".join(rule["verbs"]),
        reason=reason,
    )


def _full(group: str, resource: str) -> str:
    """`deployments.apps`, as kubectl writes it."""
    if group == "*":
        return "*.*"
    plural, slash, part = resource.partition("/")
    return f"{plural}.{group}{slash}{part}" if group else resource


def _sentence(comment: str) -> str:
    return " ".join(line.removeprefix("# ").strip() for line in comment.splitlines())


def _table(title: str, each: tuple[Right, ...]) -> Iterator[str]:
    yield f"\n**{title}**\n\n| role | what | verbs | why |\n| --- | --- | --- | --- |"
    for right in each:
        yield f"| {right.role} | {right.what} | {right.verbs} | {right.reason.replace('|', chr(92) + '|')} |"
    yield ""


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    sys.stdout.write(f"{PAGE.relative_to(_ROOT)} is written\n")
