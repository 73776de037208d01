"""YAML by the library: any text, with libyaml's parser or the pure Python one, which give the same nodes.

In: a `Source`. Out: the root `Node` of its only document, or None with diagnostics. This module is the only importer of
the YAML library. `reading` imports it for what needs it: importing it takes as long as reading a thousand operators.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any

import yaml

from opwright.diagnostics import Diagnostics, Related
from opwright.source import Place, Source
from opwright.syntax.yamltree import KINDS, MAX_DEPTH, Mapping, Node, Scalar, Sequence, describe

_TOO_DEEP = f"the nesting is deeper than {MAX_DEPTH} levels"
#: More aliases than this are refused, so that a small file cannot stand for an endless amount of data.
MAX_ALIASES = 10_000

HAS_LIBYAML = bool(yaml.__with_libyaml__)

_TAG = "tag:yaml.org,2002:"
_COLLECTIONS = (_TAG + "seq", _TAG + "map")

_RESOLVERS: dict[str | None, list[tuple[str, re.Pattern[str]]]] = yaml.SafeLoader.yaml_implicit_resolvers


class _Refused(Exception):
    """Reading stops here; the diagnostic has been made."""


def read_any(source: Source, faults: Diagnostics, text: str, *, pure: bool = False) -> Node | None:
    """Read the single document in `text`, an excerpt of `source` with the same places.

    `pure` uses PyYAML's Python parser even where libyaml is there. Returns None when the text is no YAML (reported) or
    holds no document at all (not reported).
    """
    loader: Any = yaml.CLoader if HAS_LIBYAML and not pure else yaml.Loader
    try:
        parser = loader(text)
        try:
            return _Builder(source, faults, parser.get_event).document()
        finally:
            parser.dispose()
    except _Refused:
        return None
    except yaml.YAMLError as error:
        _report(source, faults, error)
        return None


def _report(source: Source, faults: Diagnostics, error: yaml.YAMLError) -> None:
    """Make the diagnostic of a parser error; both parsers' messages are brought to one form."""
    control = yaml.reader.Reader.NON_PRINTABLE.search(source.text)
    if control:
        code = f"U+{ord(control.group()):04X}"
        place = Place(source, control.start(), control.end())
        faults.error("yaml-syntax", f"the control character {code} is not allowed in YAML", place)
        return
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    offset = min(mark.index, len(source.text)) if mark else 0
    parts = (getattr(error, "context", None), getattr(error, "problem", None))
    detail = ", ".join(part for part in parts if part) or "the parser gives no reason"
    place = Place(source, offset, min(offset + 1, len(source.text)))
    if "nesting depth" in detail:  # libyaml has a limit of its own, and may read ahead up to it
        faults.error("yaml-limits", _TOO_DEEP, place)
        return
    faults.error("yaml-syntax", f"this is not valid YAML: {detail}", place)


class _Builder:
    """Turns the event stream into nodes with an explicit stack, so that nesting costs no Python recursion."""

    __slots__ = ("aliases", "anchors", "faults", "next_event", "source", "stack")

    def __init__(self, source: Source, faults: Diagnostics, next_event: Callable[[], Any]) -> None:
        self.source = source
        self.faults = faults
        self.next_event = next_event
        self.anchors: dict[str, Node] = {}
        #: The collections that are open: where each starts, the children of the one around it, and its anchor.
        self.stack: list[tuple[int, list[Node], str | None]] = []
        self.aliases = 0

    def document(self) -> Node | None:
        next_event = self.next_event
        next_event()  # the start of the stream
        if isinstance(next_event(), yaml.StreamEndEvent):
            return None
        root = self.tree()
        next_event()  # the end of the document
        following = next_event()
        if not isinstance(following, yaml.StreamEndEvent):
            offset = following.start_mark.index
            self.refuse("yaml-syntax", "a second document starts here; one file holds one document", offset, offset + 3)
        return root

    def tree(self) -> Node:
        """Read events up to the end of one node."""
        next_event, source = self.next_event, self.source
        scalar_event, end_sequence, end_mapping = yaml.ScalarEvent, yaml.SequenceEndEvent, yaml.MappingEndEvent
        stack = self.stack
        children: list[Node] = []
        while True:
            event = next_event()
            kind = type(event)
            if kind is scalar_event:
                start, stop = event.start_mark.index, event.end_mark.index
                node = Scalar(source, start, stop, event.value, event.implicit[0], event.tag)
                if event.tag is not None or event.anchor is not None:
                    self.check_properties(node, event)
                children.append(node)
            elif kind is end_sequence or kind is end_mapping:
                start, outer, anchor = stack.pop()
                stop = event.end_mark.index
                if stop == event.start_mark.index:  # no bracket: the collection ends where its last child ends
                    last = children[-1] if children else None
                    stop = last.stop if last and last.start >= start else start  # an alias points backwards
                if kind is end_mapping:
                    closed: Node = Mapping(source, start, stop, self.keyed(children))
                else:
                    closed = Sequence(source, start, stop, children)
                if anchor is not None:
                    self.anchors[anchor] = closed
                children = outer
                children.append(closed)
            elif kind is yaml.AliasEvent:
                children.append(self.alias(event))
            else:
                if event.tag is not None or event.anchor is not None or len(stack) >= MAX_DEPTH:
                    self.check_collection(event)
                stack.append((event.start_mark.index, children, event.anchor))
                children = []
            if not stack:
                return children[0]

    def check_collection(self, event: Any) -> None:
        """Heed the depth, the tag and the anchor of a collection that starts."""
        start, stop = event.start_mark.index, event.end_mark.index
        if len(self.stack) >= MAX_DEPTH:
            self.refuse("yaml-limits", _TOO_DEEP, start, stop)
        if event.tag is not None and event.tag not in _COLLECTIONS:
            self.refuse("yaml-syntax", f"the tag '{event.tag}' is not known here", start, stop)
        if event.anchor is not None:
            self.anchors.pop(event.anchor, None)

    def keyed(self, children: list[Node]) -> dict[str, tuple[Scalar, Node]]:
        """Keys and values in turn as fields, with repeated and impossible keys reported."""
        pairs = list(zip(children[::2], children[1::2], strict=True))
        fields = {key.value: (key, value) for key, value in pairs if type(key) is Scalar}
        return fields if len(fields) == len(pairs) and "<<" not in fields else self.judged(pairs)

    def judged(self, pairs: list[tuple[Node, Node]]) -> dict[str, tuple[Scalar, Node]]:
        """The fields that can be kept of a mapping whose keys are not in order."""
        fields: dict[str, tuple[Scalar, Node]] = {}
        for key, value in pairs:
            if not isinstance(key, Scalar):
                self.faults.error("yaml-syntax", f"a key must be a plain word, not {describe(key)}", key.place)
            elif key.value == "<<" and key.plain:
                help = "write the keys out in every entry"
                self.faults.error("yaml-merge-key", "merge keys are not supported", key.place, help)
            elif key.value in fields:
                related = [Related(fields[key.value][0].place, "first given here")]
                self.faults.error("duplicate-key", f"the key '{key.value}' is given twice", key.place, None, related)
            else:
                fields[key.value] = (key, value)
        return fields

    def alias(self, event: Any) -> Node:
        start, stop = event.start_mark.index, event.end_mark.index
        self.aliases += 1
        if self.aliases > MAX_ALIASES:
            self.refuse("yaml-limits", f"there are more than {MAX_ALIASES} aliases", start, stop)
        node = self.anchors.get(event.anchor)
        if node is None:
            if any(event.anchor == anchor for _, _, anchor in self.stack):
                self.refuse("yaml-syntax", f"the alias '*{event.anchor}' stands inside its own anchor", start, stop)
            self.refuse("yaml-syntax", f"the alias '*{event.anchor}' has no anchor", start, stop)
            raise AssertionError  # not reached: `refuse` raises
        return node

    def check_properties(self, node: Scalar, event: Any) -> None:
        """Heed the tag and the anchor of a scalar."""
        if event.anchor is not None:
            self.anchors[event.anchor] = node
        if node.tag == "!":  # the non-specific tag: a string
            node.tag = _TAG + "str"
        elif node.tag is not None and node.tag not in KINDS:
            self.refuse("yaml-syntax", f"the tag '{node.tag}' is not known here", node.start, node.stop)

    def refuse(self, code: str, message: str, start: int, stop: int) -> None:
        self.faults.error(code, message, Place(self.source, start, min(stop, len(self.source.text))))
        raise _Refused


def resolved(value: str) -> str:
    """The YAML 1.1 type of a plain scalar, which is not empty."""
    for tag, pattern in _RESOLVERS.get(value[0], ()):
        if pattern.match(value):
            return KINDS[tag]
    return "str"


def constructed(scalar: Scalar) -> object:
    """What a scalar stands for: True for `yes`, 16 for `0x10`, None for `~`; of other kinds, the text."""
    if scalar.kind not in ("bool", "int", "float", "null"):
        return scalar.value
    node = yaml.ScalarNode(_TAG + scalar.kind, scalar.value)
    try:
        return yaml.constructor.SafeConstructor().construct_object(node)
    except (KeyError, ValueError):  # `!!bool maybe`
        return scalar.value


def dumped(text: str) -> str:
    """A string as a scalar in block context."""
    return str(yaml.safe_dump(text, width=sys.maxsize, default_flow_style=False)).removesuffix("...\n").rstrip("\n")
