"""Marks: what tells the inputs of a release from those of the releases before it.

In: a tag, or a text in a template. Out: a `Mark`, which every release but the first has at least one of.

Rules: releases.md section 6.
"""

from __future__ import annotations

from opwright.values import Value

TAGS = "native/tags.yaml"
#: A tag that PyTorch's own file always has.
PYTORCH_TAG = "data_dependent_output"

#: What only files of PyTorch's have: where it is missing, the file is another library's, and its lacks say nothing.
_ANCHORS = {
    TAGS: PYTORCH_TAG,
    "templates/RegisterFunctionalization.cpp": "ATen/ops/empty_strided_native.h",
    "templates/TensorBody.h": "TORCH_ASSERT_NO_OPERATORS",
}


class Mark(Value):
    """A text that stands in a file of the source from a release on, or with `is_gone` before it.

    Without `text` it is the file itself. `anchor` is what only PyTorch's own file has, if that matters.
    """

    file: str
    text: str = ""
    is_gone: bool = False
    anchor: str = ""

    def __str__(self) -> str:
        name = self.file.rpartition("/")[2]
        if not self.text:
            return f"there is a template {name}"
        verb = "no longer has" if self.is_gone else "defines" if self.file == TAGS else "has"
        return f"{name} {verb} {self.text.removeprefix('- tag: ').strip()}"


def tag(name: str) -> Mark:
    """A tag that is defined."""
    return Mark(TAGS, f"- tag: {name}\n", anchor=_ANCHORS[TAGS])


def template(name: str) -> Mark:
    """A template that is there."""
    return Mark(f"templates/{name}")


def template_text(name: str, text: str, *, is_strict: bool = False) -> Mark:
    """A text in a template; with `is_strict` also templates of other libraries tell by lacking it."""
    file = f"templates/{name}"
    return Mark(file, text, anchor="" if is_strict else _ANCHORS.get(file, ""))


def gone_text(name: str, text: str, *, is_strict: bool = False) -> Mark:
    """A text that a template no longer has; with `is_strict` also templates of other libraries tell by lacking it."""
    file = f"templates/{name}"
    return Mark(file, text, True, "" if is_strict else _ANCHORS[file])
