"""Tags: those that tags.yaml defines and those of an operator.

In: the document of tags.yaml, or the `tags` field of an entry. Out: sets of tag names.

    tags: [core, pointwise]  ->  frozenset({"core", "pointwise"})

Rules: spec 03 section 4 (TG) and spec 01 sections 10 and 12.
"""

from __future__ import annotations

from opwright.diagnostics import did_you_mean
from opwright.model.context import Context
from opwright.model.rules.names import is_cpp_name
from opwright.releases.history import when_tag_there
from opwright.source import Place, Source
from opwright.syntax.records import Record
from opwright.syntax.schema import Kind, Schema
from opwright.syntax.yamltree import Mapping, Node, Scalar, Sequence, describe, shown_place


def read_tags_file(root: Node | None, source: Source, context: Context) -> frozenset[str]:
    """The names that tags.yaml defines."""
    if not isinstance(root, Sequence):
        tags_not_a_list(root, source, context)
        return frozenset()
    names: list[str] = []
    for item in root.items:
        if not isinstance(item, Mapping):
            tag_not_a_mapping(item, context)
            continue
        record = Record.of(item)
        tag = record.value("tag")
        if not isinstance(tag, Scalar) or tag.kind != "str":
            tag_name(record, context)
            continue
        tag_form(tag, context)
        tag_description(record, context)
        names.append(tag.value)
    return frozenset(names)


def tags_not_a_list(root: Node | None, source: Source, context: Context) -> None:
    """TG-4: a tags file that is no list."""
    place = root.place if root else Place(source, 0, 0)
    found = describe(root) if root else "nothing"
    context.error("tags-not-a-list", f"a tags file is a list of mappings with 'tag' and 'desc', not {found}", place)


def tag_not_a_mapping(item: Node, context: Context) -> None:
    """TG-4: an item of the tags file that is no mapping."""
    context.error("tag-not-a-mapping", f"a tag is a mapping with 'tag' and 'desc', not {describe(item)}", item.place)


def tag_name(record: Record, context: Context) -> None:
    """TG-4: a tag without a name."""
    if record.value("tag") is None:
        context.error("tag-name", "this tag has no 'tag' field with its name", record.start)
    else:
        context.error("tag-name", "the name of a tag must be a string", record.place("tag"))


def tag_form(tag: Scalar, context: Context) -> None:
    """A tag that no C++ enumeration can have as a member; torchgen writes it into one all the same."""
    if not is_cpp_name(tag.value):
        message = f"'{tag.value}' cannot be the name of a tag: tags are members of a C++ enumeration"
        context.error("tag-form", message, tag.place, "use letters, digits and '_', and no keyword of C++")


def tag_description(record: Record, context: Context) -> None:
    """TG-4: a tag without a description."""
    node = record.value("desc")
    if node is None or (isinstance(node, Scalar) and node.value == "" and node.kind == "str"):
        message = "this tag has no 'desc' that says what it means"
        context.error("tag-description", message, record.place("tag" if node is None else "desc"))


def read_tags(record: Record, context: Context) -> frozenset[str]:
    """The tags that an entry declares; unknown ones are reported and left out."""
    node = record.value("tags")
    if node is None:
        return frozenset()
    items: list[Node]
    if isinstance(node, Scalar) and node.kind == "str":
        items = [node]
    elif isinstance(node, Sequence):
        items = node.items
    else:
        tags_type(record, node, context)
        return frozenset()
    names: list[str] = []
    for item in items:
        if not isinstance(item, Scalar) or item.kind != "str":
            tags_type(record, item, context)
        elif item.value in context.defined_tags:
            names.append(item.value)
        else:
            unknown_tag(item, context)
    return frozenset(names)


def tags_type(record: Record, node: Node, context: Context) -> None:
    """TG-1: tags that are no strings."""
    place = shown_place(node, record.key_place("tags"))
    context.error("tags-type", f"'tags' must be a tag or a list of tags, not {describe(node)}", place)


def unknown_tag(item: Scalar, context: Context) -> None:
    """TG-2, TG-3: a tag that the tags file does not define, which may define none at all."""
    when = when_tag_there(item.value, context.release.name)
    hint = when or did_you_mean(item.value, sorted(context.defined_tags))
    if "," in item.value:
        names = ", ".join(word.strip() for word in item.value.split(","))
        hint = f"several tags are written as a list: [{names}]"
    message = f"tags.yaml does not define the tag '{item.value}'"
    if not context.defined_tags:
        message = f"'{item.value}' cannot be used, because tags.yaml defines no tags"
    context.error("unknown-tag", message, item.place, hint)


def with_implied(tags: frozenset[str], namespace: str, schema: Schema, context: Context) -> frozenset[str]:
    """Add the tags that follow from the operator itself, those of them that the tags file defines."""
    key = tags, namespace, schema.kind
    found = context.implied_tags.get(key)
    if found is None:
        holds = (namespace == "aten", bool(schema.out), schema.kind is Kind.INPLACE)
        implied = context.release.implied_tags & context.defined_tags
        wanted = [tag for tag, holding in zip(("pt2_compliant_tag", "out", "inplace"), holds, strict=True) if holding]
        found = context.implied_tags[key] = tags.union(implied.intersection(wanted))
    return found
