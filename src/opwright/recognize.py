"""Which release a source belongs to, told from its inputs alone.

In: a source folder. Out: the release that most marks speak for, and how each mark voted.

    native/tags.yaml defines reduction, there is no template NativeAotStubs.h, ...  ->  2.13

Rules: releases.md section 6.
"""

from __future__ import annotations

from pathlib import Path

from opwright.inputs import Inputs
from opwright.releases import NAMES, named_release
from opwright.releases.marks import PYTORCH_TAG, TAGS, Mark
from opwright.values import Value


class Vote(Value):
    """What a mark of a release says: whether the source is of that release or a later one; None if it cannot tell."""

    release: str
    mark: Mark
    answer: bool | None

    def speaks_for(self, name: str) -> bool:
        """Whether this is what the mark would say of the inputs of a release."""
        return self.answer is (NAMES.index(name) >= NAMES.index(self.release))

    def __str__(self) -> str:
        answer = "cannot tell" if self.answer is None else "yes" if self.answer else "no"
        return f"{self.release}: {self.mark}: {answer}"


def recognize(folder: Path, inputs: Inputs | None = None) -> tuple[str | None, tuple[Vote, ...]]:
    """The release of a source folder, None when nothing speaks for any, and the votes.

    Among releases that equally many marks speak for it is the newest with a mark that is there, else the oldest: a
    library may lag behind PyTorch with one file, but none has what is not there yet. `inputs` gets what was looked at.
    """
    inputs = inputs or Inputs()
    texts: dict[str, str | None] = {}
    votes = []
    for name in NAMES:
        for mark in named_release(name).marks:
            if mark.file not in texts:
                texts[mark.file] = _text(folder / mark.file, inputs)
            votes.append(Vote(name, mark, _answer(mark, texts[mark.file])))
    if not any(vote.answer for vote in votes) and not inputs.is_file(folder / "templates" / "TensorBody.h"):
        return None, tuple(votes)
    marked = [name for name in NAMES if name == NAMES[0] or named_release(name).marks]
    seen = {vote.release for vote in votes if vote.answer}

    def weight(name: str) -> tuple[int, int]:
        return sum(vote.speaks_for(name) for vote in votes), NAMES.index(name) if name in seen else -1

    return max(marked, key=weight), tuple(votes)


def is_pytorch(folder: Path, inputs: Inputs) -> bool:
    """Whether a source folder has PyTorch's operators, to judge by its tags; else it is another library's."""
    return PYTORCH_TAG in (_text(folder / TAGS, inputs) or "")


def _answer(mark: Mark, text: str | None) -> bool | None:
    if not mark.text:
        return text is not None
    if text is None:
        return None
    is_there = mark.text in text
    if mark.anchor not in text and (mark.is_gone or not is_there):
        return None
    return is_there is not mark.is_gone


def _text(path: Path, inputs: Inputs) -> str | None:
    """The text of a file; None where it is not there."""
    data = inputs.peek(path)
    return None if data is None else data.decode(errors="replace").replace("\r\n", "\n")
