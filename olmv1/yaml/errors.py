"""The one error of reading YAML and JSON."""

from __future__ import annotations

__all__ = ["YamlError"]


class YamlError(ValueError):
    """Text that is not YAML or JSON as this project reads it; `str(error)` is ready for a user.

    `line` counts from 1 in the whole input, `None` when unknown. `document` counts the documents of the stream from 1
    (empty ones are not counted). `detail` is the message without the name of the input.
    """

    def __init__(self, detail: str, *, line: int | None = None, document: int = 1, name: str = "") -> None:
        super().__init__(f"error parsing {name}: {detail}" if name else detail)
        self.detail = detail
        self.line = line
        self.document = document

    @classmethod
    def in_yaml(cls, problem: str, line: int | None = None) -> YamlError:
        """A syntax error of YAML, worded as the reference words it: `… yaml: line 5: did not find expected key`."""
        where = f"line {line}: " if line is not None else ""
        return cls(f"error converting YAML to JSON: yaml: {where}{problem}", line=line)

    def named(self, name: str, document: int) -> YamlError:
        """The same error, said of one document of the input called `name`."""
        return YamlError(self.detail, line=self.line, document=document, name=name)
