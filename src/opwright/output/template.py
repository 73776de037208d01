"""Templates: text with `$references` that is parsed once and filled with values.

In: the `Source` of a template and, per file to be written, a mapping from variable to text or list of texts. Out: the
filled text, or diagnostics that say which reference of the template has no value.

    "namespace {\\n  $body\\n}\\n" with body = ["int a;", "int b;"]  ->  "namespace {\\n  int a;\\n  int b;\\n}\\n"

A reference is `$name` or `${name}`. In *block position*, with nothing but blanks before it on its line, its value
becomes lines with the indentation of the reference; anywhere else (*inline*) a list is joined with commas, and
`${,name}`, `${name,}` ask for a further comma in front or behind unless the list is empty. These are the substitution
rules of torchgen, but for white space at the ends of lines; its template folders can therefore be used as they are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from opwright.diagnostics import Diagnostics, did_you_mean
from opwright.inputs import Inputs
from opwright.source import Place, Source, UnreadableError
from opwright.values import Value, derived

# The `$` stands first, so that the search for it is fast.
_REFERENCE = re.compile(r"\$(?:([^\W\d]\w*)|\{(,?)([^\W\d]\w*)(,?)\})")


class Reference(Value):
    """One reference of a template.

    `indent` is the white space before it in block position and None when it is inline. `comma_before` and `comma_after`
    are the marks of `${,name,}`. `start` and `stop` are the offsets of the reference itself, without the indentation.
    """

    name: str
    indent: str | None
    comma_before: bool
    comma_after: bool
    start: int
    stop: int


class Template(Value):
    """A parsed template: its references in the order of the file, each with the literal text before it, and the `end`.

    `name` is that of the file.
    """

    source: Source
    references: tuple[tuple[str, Reference], ...]
    end: str
    name: str = derived()

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.source.path.rpartition("/")[2])

    @classmethod
    def parse(cls, source: Source) -> Template:
        """Find the references in the text of `source`. Never fails: a `$` that starts no reference is literal text."""
        text = source.text
        references: list[tuple[str, Reference]] = []
        offset = 0
        for match in _REFERENCE.finditer(text):
            start, stop = match.span()
            indent = _indentation(text, offset, start)
            bare, before, braced, after = match.groups()
            one = Reference(bare or braced, indent, bool(before), bool(after), start, stop)
            references.append((_newlines(text[offset : start - len(indent or "")]), one))
            offset = stop
        return cls(source, tuple(references), _newlines(text[offset:]))


def fill(
    template: Template, values: Mapping[str, str | Sequence[str]], artifact: str, faults: Diagnostics
) -> str | None:
    """Put `values` in place of the references of `template`.

    A `str` is a single text, any other sequence a list of texts; variables that the template does not use are ignored.
    `artifact` is the name of the file being made, for messages. A reference without a value is an error
    `template-variable` at its place in the template; the result is then None.

    The rules are the substitution rules of torchgen, but for white space: values are not searched for references again;
    in block position each element has a line of its own, an empty one has none, every line that is not empty gets the
    indentation, and newlines at the end of the whole go.
    """
    pieces: list[str] = []
    try:
        for literal, one in template.references:
            value = values[one.name]
            pieces.append(literal)
            if isinstance(value, str) and not one.indent:
                pieces.append(value if one.indent is None else value.rstrip("\n"))
            elif one.indent == "":
                pieces += _lines(value)
            else:
                pieces.append(_replacement(one, value))
    except KeyError:
        _report_missing(template, values, artifact, faults)
        return None
    pieces.append(template.end)
    return "".join(pieces)


def bound(template: Template, values: Mapping[str, str | Sequence[str]]) -> Template:
    """A template with `values` in place, for who fills the other references many times."""
    references: list[tuple[str, Reference]] = []
    before = ""
    for literal, one in template.references:
        before += literal
        if one.name in values:
            before += _replacement(one, values[one.name])
        else:
            references.append((before, one))
            before = ""
    return Template(template.source, tuple(references), before + template.end)


class TemplateFolder:
    """The templates of one folder, each read through `inputs` and parsed at most once."""

    __slots__ = ("_inputs", "_known", "folder")

    def __init__(self, folder: Path, inputs: Inputs | None = None) -> None:
        self.folder = folder
        self._inputs = inputs or Inputs()
        self._known: dict[str, Template | None] = {}

    def get(self, name: str, faults: Diagnostics) -> Template | None:
        """The template `name`, which may lie in a sub-folder (`sub/Name.h`).

        One that is missing or unreadable is an error `template-missing`, reported the first time, and None every time.
        """
        if name not in self._known:
            self._known[name] = self._read(name, faults)
        return self._known[name]

    def has(self, name: str) -> bool:
        """Whether there is a template `name`, usable or not."""
        return self._inputs.exists(self.folder / name)

    def _read(self, name: str, faults: Diagnostics) -> Template | None:
        try:
            return Template.parse(self._inputs.read(self.folder / name))
        except UnreadableError as error:
            faults.file_error(
                "template-missing",
                f"the template '{name}' cannot be used: {error.message}",
                error.path,
                self._hint(name),
            )
            return None

    def _hint(self, name: str) -> str | None:
        if not self.folder.is_dir():
            return f"'{self.folder.as_posix()}' is not a folder"
        parent = PurePosixPath(name).parent
        try:
            neighbors = sorted(os.listdir(self.folder / parent))  # noqa: PTH208 - only names are wanted
        except OSError:
            return None
        others = [(parent / neighbor).as_posix() for neighbor in neighbors]
        return did_you_mean(name, (other for other in others if other != name))


def _indentation(text: str, start: int, stop: int) -> str | None:
    # What stands before `stop` on its line; None when that is more than white space, or when a reference ends on it, at
    # `start`. `\r` is a line end like in torchgen, which reads templates with universal line ends.
    line = max(text.rfind("\n", start, stop), text.rfind("\r", start, stop)) + 1
    before = text[line:stop]
    return None if before.strip() or (start and not line) else before


def _newlines(literal: str) -> str:
    # Output has `\n` line ends whatever the template has. Only literals need it: offsets refer to the original text.
    return literal.replace("\r\n", "\n").replace("\r", "\n") if "\r" in literal else literal


def _replacement(reference: Reference, value: str | Sequence[str]) -> str:
    if reference.indent is not None:
        block = value.rstrip("\n") if isinstance(value, str) else "".join(_lines(value))
        return _indented(block, reference.indent) if reference.indent and block else block
    if isinstance(value, str):
        return value
    if not value:
        return ""
    return (", " if reference.comma_before else "") + ", ".join(value) + (", " if reference.comma_after else "")


def _indented(block: str, indent: str) -> str:
    # Between empty lines, which get no indentation, replacing is far faster than searching for what does.
    parts = [part.replace("\n", f"\n{indent}") for part in block.split("\n\n")]
    return "\n\n".join([indent + part if part and part[0] != "\n" else part for part in parts])


def _lines(value: Sequence[str]) -> list[str]:
    # Most of all bytes of a run pass through here: texts of many lines are treated as a whole, and joined only once.
    lines = [element if element[-1] == "\n" else element + "\n" for element in value if element]
    while lines:
        lines[-1] = lines[-1].rstrip("\n")
        if lines[-1]:
            break
        lines.pop()
    return lines


def _report_missing(
    template: Template, values: Mapping[str, str | Sequence[str]], artifact: str, faults: Diagnostics
) -> None:
    for _, one in template.references:
        if one.name not in values:
            faults.error(
                "template-variable",
                f"{artifact} gives no value for '{one.name}'",
                Place(template.source, one.start, one.stop),
                did_you_mean(one.name, values),
            )
