"""What the three models share: strictness, metadata, conditions, label selectors, and `parse` with a readable error.

Only the modules of this package build on it. It does not repeat the CEL rules of the CRDs: the API server holds them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, Strict, ValidationError, model_validator
from pydantic.alias_generators import to_camel
from pydantic_core import ErrorDetails

from olmv1.errors import TerminalError
from olmv1.manifests import Manifest, name_of
from olmv1.selectors import Selector

__all__ = ["ApiModel", "ApiObject", "LabelSelector", "Metadata", "StatusCondition", "Timestamp", "TupleOf"]

_LONGEST_FINDING = 80
_CONDITION_TYPE = (
    r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
    r"(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"
)

_T = TypeVar("_T")
# JSON knows neither tuples nor times: these two are converted, every other value must come with its type.
TupleOf = Annotated[tuple[_T, ...], Strict(strict=False)]
Timestamp = Annotated[datetime, Strict(strict=False)]


class ApiModel(BaseModel):
    """A frozen view of one object of a schema, read by its camelCase names.

    Unknown fields are dropped, as the API server prunes them; null means absent, as in Kubernetes.
    """

    model_config = ConfigDict(
        frozen=True, strict=True, extra="ignore", alias_generator=to_camel, validate_by_name=True, defer_build=True
    )

    @model_validator(mode="before")
    @classmethod
    def _null_is_absent(cls, data: object) -> object:
        return {k: v for k, v in data.items() if v is not None} if isinstance(data, Mapping) else data


class Metadata(ApiModel):
    """The part of `metadata` that controllers read; empty and 0 where the API server has not set it yet."""

    name: str = ""
    uid: str = ""
    resource_version: str = ""
    generation: int = 0
    labels: Mapping[str, str] = Field(default_factory=dict)
    annotations: Mapping[str, str] = Field(default_factory=dict)
    finalizers: TupleOf[str] = ()
    creation_timestamp: Timestamp | None = None
    deletion_timestamp: Timestamp | None = None


class StatusCondition(ApiModel):
    """One entry of `status.conditions`. Rule: `metav1.Condition`, clusterextension.md 1.4."""

    type: Annotated[str, Field(max_length=316, pattern=_CONDITION_TYPE)]
    status: Literal["True", "False", "Unknown"]
    reason: Annotated[str, Field(min_length=1, max_length=1024, pattern="^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$")]
    message: Annotated[str, Field(max_length=32768)]
    observed_generation: Annotated[int, Field(ge=0)] | None = None
    last_transition_time: Timestamp


class LabelRequirement(ApiModel):
    """One entry of `matchExpressions`."""

    key: str
    operator: Literal["In", "NotIn", "Exists", "DoesNotExist"]
    values: TupleOf[str] = ()


class LabelSelector(ApiModel):
    """A label selector as written; `compile` makes it usable."""

    match_labels: Mapping[str, str] = Field(default_factory=dict)
    match_expressions: TupleOf[LabelRequirement] = ()

    def compile(self) -> Selector:
        """The selector as a value that matches labels.

        Raises:
            ValueError: the values of an expression do not fit its operator.
        """
        return Selector.parse(self.model_dump(by_alias=True))


class ApiObject(ApiModel):
    """A whole object: metadata, and in the subclasses its kind, spec and status."""

    metadata: Metadata

    @classmethod
    def parse(cls, manifest: Manifest) -> Self:
        """The typed view of `manifest`.

        Raises:
            TerminalError: a field is missing, has another type, or is out of bounds; all of them are listed, one line.
        """
        try:
            return cls.model_validate(manifest)
        except ValidationError as invalid:
            findings = "; ".join(_finding(error) for error in invalid.errors(include_url=False, include_context=False))
            raise TerminalError(f'{cls.__name__} "{name_of(manifest)}" is invalid: {findings}') from invalid

    @property
    def name(self) -> str:
        """`metadata.name`."""
        return self.metadata.name

    @property
    def uid(self) -> str:
        """`metadata.uid`."""
        return self.metadata.uid

    @property
    def resource_version(self) -> str:
        """`metadata.resourceVersion`."""
        return self.metadata.resource_version

    @property
    def generation(self) -> int:
        """`metadata.generation`: counts changes of the spec."""
        return self.metadata.generation

    @property
    def labels(self) -> Mapping[str, str]:
        """`metadata.labels`."""
        return self.metadata.labels

    @property
    def annotations(self) -> Mapping[str, str]:
        """`metadata.annotations`."""
        return self.metadata.annotations

    @property
    def finalizers(self) -> tuple[str, ...]:
        """`metadata.finalizers`."""
        return self.metadata.finalizers

    @property
    def creation_timestamp(self) -> datetime | None:
        """When the API server stored the object (UTC); `None` for a manifest that was never stored."""
        return self.metadata.creation_timestamp

    @property
    def deletion_timestamp(self) -> datetime | None:
        """When deletion was asked for (UTC); `None` while the object is wanted."""
        return self.metadata.deletion_timestamp


def _finding(error: ErrorDetails) -> str:
    """`spec.phases[0].name: String should have at most 63 characters, found "…"`; big values are named by type."""
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{_one_line(part)}" for part in error["loc"])[1:]
    if error["type"] == "missing":
        return f"{path}: {error['msg']}"
    expected = error["msg"].replace("tuple", "list").replace("Tuple", "List")
    return f"{path}: {expected}, found {_shown(error['input'])}"


def _one_line(key: str) -> str:
    """A key as it stands in JSON: users choose the keys of labels and the like."""
    return json.dumps(key, ensure_ascii=False)[1:-1]


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST_FINDING else f"{text[:_LONGEST_FINDING]}…"
