"""Operators that only a lazy backend knows: the list `non_native` of a backend file.

In: the record of the file. Out: a `NonNative` for each entry.

    - func: cast(Tensor x) -> Tensor  ->  NonNative(schema, None, {"ShapeCache", "LowerDeclOnly", "CanBeReused"})

Rules: spec 03 section 10 (LZ) and spec 12 section 6.
"""

from __future__ import annotations

from opwright.model.catalog import read_func
from opwright.model.context import Context
from opwright.model.rules import backend as rules
from opwright.source import Place
from opwright.syntax.records import Record
from opwright.syntax.schema import Schema
from opwright.syntax.yamltree import Mapping, Scalar, Sequence
from opwright.values import Value

NON_NATIVE_FIELD_NAMES = ("func", "opkind", "properties")
#: The properties of a node; those of one group exclude each other.
PROPERTIES = {
    "ShapePrecompute": "shape",
    "ShapeCompute": "shape",
    "ShapeCache": "shape",
    "Lower": "lower",
    "LowerDeclOnly": "lower",
    "CanBeReused": "reuse",
    "CanBeReusedDeclOnly": "reuse",
    "CreateFn": "create",
    "CreateFnDeclOnly": "create",
    "TreatScalarsAsConstants": "scalars",
}
#: The properties of an operator under `non_native` before its own are set.
NON_NATIVE_PROPERTIES = ("ShapeCache", "LowerDeclOnly", "CanBeReused")


class NonNative(Value):
    """An operator that only the backend knows.

    `place` is where the file has its schema; `opkind` is the C++ of its symbol or None, and `properties` are those of
    its node.
    """

    place: Place
    schema: Schema
    opkind: str | None
    properties: frozenset[str]


def read_non_native(record: Record, context: Context) -> tuple[NonNative, ...]:
    """The operators under `non_native` of a backend file."""
    node = record.value("non_native")
    if node is None:
        return ()
    if not isinstance(node, Sequence):
        rules.field_type(record, "non_native", "backend-non-native-type", "a list of mappings", node, context)
        return ()
    found: list[NonNative] = []
    for item in node.items:
        if not isinstance(item, Mapping):
            rules.non_native_not_a_mapping(item, record.key_place("non_native"), context)
            continue
        entry = Record.of(item)
        rules.non_native_unknown_key(entry, NON_NATIVE_FIELD_NAMES, context)
        schema = read_func(entry, context)
        opkind, properties = _opkind(entry, context), _properties(entry, context)
        if schema is not None:
            found.append(NonNative(entry.place("func"), schema, opkind, properties))
    return tuple(found)


def _opkind(entry: Record, context: Context) -> str | None:
    node = entry.value("opkind")
    if node is None or (isinstance(node, Scalar) and node.kind == "str"):
        return node.value if node else None
    rules.field_type(entry, "opkind", "non-native-opkind-type", "the C++ name of a symbol", node, context)
    return None


def _properties(entry: Record, context: Context) -> frozenset[str]:
    """The properties that hold: of each group the one set last."""
    holds = {PROPERTIES[name]: name for name in NON_NATIVE_PROPERTIES}
    node = entry.value("properties")
    if node is not None and not isinstance(node, Sequence):
        rules.field_type(entry, "properties", "non-native-properties-type", "a list of properties", node, context)
    for item in node.items if isinstance(node, Sequence) else ():
        if not isinstance(item, Scalar):
            rules.field_type(entry, "properties", "non-native-properties-type", "a list of words", item, context)
        elif item.value in PROPERTIES:
            holds[PROPERTIES[item.value]] = item.value
        else:
            rules.non_native_unknown_property(item, PROPERTIES, context)
    return frozenset(holds.values())
