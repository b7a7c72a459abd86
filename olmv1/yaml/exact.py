"""The exact loader: one YAML document → its value, with the grammar and the scalar rules of the reference.

Stands on libyaml through PyYAML's composer (never on its constructors, which know dates, base 60 and `=`). Slower than
`fast`, and right about everything; called where `guard` says so, and for everything when no fast parser is installed.
"""

from __future__ import annotations

from typing import Any

from yaml._yaml import CParser
from yaml.error import MarkedYAMLError, YAMLError
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from yaml.parser import ParserError
from yaml.reader import ReaderError

from olmv1.yaml.depth import MAX_DEPTH, TOO_DEEP, may_exhaust_stack
from olmv1.yaml.errors import YamlError
from olmv1.yaml.numbers import float_key
from olmv1.yaml.scalars import Scalar, plain, tagged

__all__ = ["load_exact"]


def load_exact(document: bytes, first_line: int = 1) -> Any:
    """The value of the one document in `document`; `None` when it is empty.

    `first_line` is the line of its first byte in the whole input. Keys are text, integers exact, aliases expanded.
    Raises: YamlError.
    """
    if may_exhaust_stack(document):
        raise YamlError.in_yaml(TOO_DEEP, first_line)
    try:
        node = _Composer(document).get_single_node()
    except YAMLError as error:
        raise _translated(error, document, first_line) from error
    if node is None:
        return None
    try:
        return _Values(first_line).of(node, 0)
    except RecursionError as error:  # Merges take more frames than levels.
        raise YamlError.in_yaml(TOO_DEEP, first_line) from error


_PLAIN = "plain"
_QUOTED = "quoted"


class _Composer(CParser):
    """Composes nodes whose tag says only what the constructor needs: plain, quoted, or the tag that was written."""

    def resolve(self, kind: type[Node], value: object, implicit: tuple[bool, bool]) -> str:  # noqa: ARG002
        """Called by the composer for every node without a tag."""
        return _PLAIN if kind is ScalarNode and implicit[0] else _QUOTED

    def descend_resolver(self, parent: Node | None, index: object) -> None:
        """Called by the composer; paths play no role here."""

    def ascend_resolver(self) -> None:
        """Called by the composer; paths play no role here."""


def _translated(error: YAMLError, document: bytes, first_line: int) -> YamlError:
    if isinstance(error, ReaderError):
        # The reference gives no line for bytes that are no text: the message stays, the line is kept beside it.
        line = first_line + document.count(b"\n", 0, error.position)
        return YamlError(f"error converting YAML to JSON: yaml: {error.reason}", line=line)
    if not isinstance(error, MarkedYAMLError) or error.problem_mark is None:
        return YamlError.in_yaml(str(error), first_line)
    # Marks count from 0. A parser sees a fault at the token after it, so the reference names the line before.
    line = error.problem_mark.line
    line = max(line - 1, 0) if isinstance(error, ParserError) else line
    return YamlError.in_yaml(error.problem or "not valid", first_line + line)


# Values met again through an alias may be expanded this far; beyond it their share of all values decides.
_FREE_ALIASED, _FREE_DECODED = 100, 1000
_FEW, _MANY = 400_000, 4_000_000
_FEW_SHARE, _MANY_SHARE = 0.99, 0.10
_FREE_TEXT = 16 * 1024 * 1024  # characters
_SHORT = 64  # An alias to a short text adds little more than it takes in the input.


class _Values:
    """Turns the nodes of one document into values and bounds what aliases add."""

    def __init__(self, first_line: int) -> None:
        self._first_line = first_line
        self._open: set[int] = set()
        self._seen: set[int] = set()
        self._in_alias = 0
        self._decoded = 0
        self._aliased = 0
        self._aliased_text = 0

    def of(self, node: Node, depth: int) -> Any:
        """The value of a node that lies `depth` collections deep."""
        if isinstance(node, ScalarNode):
            return self._scalar(node)
        if depth >= MAX_DEPTH:
            raise self._error(TOO_DEEP, node)
        identity = id(node)
        if identity in self._open:
            raise self._error("an anchored value contains itself", node)
        is_alias = identity in self._seen
        self._seen.add(identity)
        self._open.add(identity)
        self._in_alias += is_alias
        self._count(node)
        value = self._mapping(node, depth) if isinstance(node, MappingNode) else self._sequence(node, depth)
        self._in_alias -= is_alias
        self._open.discard(identity)
        return value

    def _sequence(self, node: Node, depth: int) -> list[Any]:
        found = []  # A comprehension would be one more frame on the stack for every level.
        for child in node.value:
            found.append(self.of(child, depth + 1))
        return found

    def _mapping(self, node: MappingNode, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in node.value:
            if _is_merge(key):
                self._merge(found, value, depth)
            else:
                found[self._key(key)] = self.of(value, depth + 1)
        return found

    def _merge(self, found: dict[str, Any], node: Node, depth: int) -> None:
        # Of several merged mappings the earlier ones win, so they are taken over last.
        parts = reversed(node.value) if isinstance(node, SequenceNode) else [node]
        for part in parts:
            if not isinstance(part, MappingNode):
                raise self._error("map merge requires map or sequence of maps as the value", node)
            found.update(self.of(part, depth + 1))

    def _key(self, node: Node) -> str:
        if not isinstance(node, ScalarNode):
            raise self._error("a key must be text, found a list or mapping", node)
        value = self._scalar(node)
        if isinstance(value, str):
            return value
        if value is None:
            raise self._error("a key must be text, found null", node)
        if isinstance(value, bool):
            return "true" if value else "false"
        return float_key(value) if isinstance(value, float) else str(value)

    def _scalar(self, node: ScalarNode) -> Scalar:
        if self._in_alias or len(node.value) > _SHORT:
            self._count_text(node)
        try:
            if node.tag is _PLAIN:
                return plain(node.value)
            return node.value if node.tag is _QUOTED else tagged(node.tag, node.value)
        except ValueError as error:
            raise self._error(str(error), node) from error

    def _count(self, node: Node) -> None:
        size = 2 * len(node.value) if isinstance(node, MappingNode) else len(node.value)
        self._decoded += size
        if self._in_alias:
            self._aliased += size
        if self._aliased <= _FREE_ALIASED or self._decoded <= _FREE_DECODED:
            return
        if self._aliased / self._decoded > _allowed_share(self._decoded):
            raise self._error(_EXCESSIVE)

    def _count_text(self, node: ScalarNode) -> None:
        identity = id(node)
        if self._in_alias or identity in self._seen:
            self._aliased_text += len(node.value)
            if self._aliased_text > _FREE_TEXT:
                raise self._error(_EXCESSIVE)
        self._seen.add(identity)

    def _error(self, problem: str, node: Node | None = None) -> YamlError:
        return YamlError.in_yaml(problem, self._first_line + node.start_mark.line if node else None)


_EXCESSIVE = "document contains excessive aliasing"


def _allowed_share(decoded: int) -> float:
    """How much of `decoded` values may come from aliases: nearly all of few, a tenth of many."""
    progress = min(max((decoded - _FEW) / (_MANY - _FEW), 0), 1)
    return _FEW_SHARE - (_FEW_SHARE - _MANY_SHARE) * progress


def _is_merge(key: Node) -> bool:
    return isinstance(key, ScalarNode) and (
        (key.tag is _PLAIN and key.value == "<<") or key.tag == "tag:yaml.org,2002:merge"
    )
