"""YAML and JSON input as the reference reads it, and JSON output as it writes it.

Used by catalogs and bundles; the only place that knows YAML. Speed comes from a fast parser for documents that cannot
be misread, exactness from a loader of our own for all others. Pure: bytes in, values out.
"""

from __future__ import annotations

from olmv1.yaml.depth import MAX_DEPTH
from olmv1.yaml.dump import dump_json
from olmv1.yaml.dump_yaml import dump_yaml
from olmv1.yaml.errors import YamlError
from olmv1.yaml.json_text import load_json
from olmv1.yaml.remarks import Remark, RemarkKind, remarks_of
from olmv1.yaml.stream import Document, documents, load_all

__all__ = [
    "MAX_DEPTH",
    "Document",
    "Remark",
    "RemarkKind",
    "YamlError",
    "documents",
    "dump_json",
    "dump_yaml",
    "load_all",
    "load_json",
    "remarks_of",
]
