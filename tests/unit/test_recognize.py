"""Telling the release of a source from its tags and templates."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from opwright.locate import SAMPLE, SAMPLE_RELEASE
from opwright.recognize import Vote, recognize
from opwright.releases import NAMES, named_release
from opwright.releases.marks import TAGS, Mark, gone_text, tag, template, template_text


def source_of(folder: Path, name: str) -> Path:
    """A source folder with what the marks of a release and those before it look at, and nothing else."""
    texts: dict[str, str] = {}
    number = NAMES.index(name)
    for release in map(named_release, NAMES):
        for mark in release.marks:
            is_newer = NAMES.index(release.name) > number
            if mark.text or not is_newer:
                texts[mark.file] = (
                    texts.get(mark.file, "") + f"{mark.anchor}\n" + mark.text * (mark.is_gone is is_newer)
                )
    for file, text in texts.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text, encoding="utf-8", newline="\n")
    return folder


MARKED = [name for name in NAMES if name != "2.1.0a0"]


@pytest.mark.parametrize("name", MARKED)
def test_every_release(name: str, tmp_path: Path) -> None:
    found, votes = recognize(source_of(tmp_path, name))
    assert found == name
    assert all(vote.speaks_for(name) for vote in votes)


@pytest.mark.parametrize(("gone", "new"), [("- tag: pt2_compliant_tag\n", ""), ("", "- tag: out\n")])
def test_most_marks_decide(gone: str, new: str, tmp_path: Path) -> None:
    """A fork of 2.8 that has lost the tag of 2.2, or has taken over that of 2.13."""
    source = source_of(tmp_path, "2.8")
    text = (source / TAGS).read_text(encoding="utf-8").replace(gone, "") + new
    (source / TAGS).write_text(text, encoding="utf-8", newline="\n")
    found, votes = recognize(source)
    assert found == "2.8"
    assert sum(not vote.speaks_for("2.8") for vote in votes) == 1


def test_of_equals_the_newest_that_was_seen_is_taken(tmp_path: Path) -> None:
    """A library with PyTorch's templates of 2.13, whose tags are still those of 2.12."""
    source = source_of(tmp_path, "2.13")
    text = (source / TAGS).read_text(encoding="utf-8")
    (source / TAGS).write_text(text.replace("- tag: out\n", ""), encoding="utf-8", newline="\n")
    found, votes = recognize(source)
    for_release = {name: sum(vote.speaks_for(name) for vote in votes) for name in ("2.12", "2.13")}
    assert for_release["2.12"] == for_release["2.13"]
    assert found == "2.13"


def test_the_sample_and_its_copies(tmp_path: Path) -> None:
    assert recognize(SAMPLE)[0] == SAMPLE_RELEASE
    shutil.copytree(SAMPLE, tmp_path / "copy")
    (tmp_path / "copy" / TAGS).write_text("", encoding="utf-8")
    found, votes = recognize(tmp_path / "copy")
    assert found == "2.13"
    assert [str(vote) for vote in votes if vote.answer is not None] == [
        "2.7: RegisterDispatchKey.cpp has dispatch_helpers: yes",
        "2.9: there is a template ViewMetaClasses.h: yes",
        "2.12: enum_tag.h has headeronly: yes",
        "2.13: TensorBody.h no longer has NamedTensor.h: yes",
        "2.15: there is a template NativeAotStubs.h: no",
    ]


def test_a_folder_that_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "native").mkdir()
    (tmp_path / TAGS).write_text("- tag: mine\n", encoding="utf-8")
    found, votes = recognize(tmp_path)
    assert found is None
    assert not any(vote.answer for vote in votes)


@pytest.mark.parametrize(
    ("mark", "text"),
    [
        (tag("core"), "tags.yaml defines core"),
        (template("New.h"), "there is a template New.h"),
        (template_text("TensorBody.h", "some_text"), "TensorBody.h has some_text"),
        (gone_text("TensorBody.h", "some_text"), "TensorBody.h no longer has some_text"),
    ],
)
def test_what_a_mark_says(mark: Mark, text: str) -> None:
    assert str(mark) == text
    assert str(Vote("2.3", mark, None)) == f"2.3: {text}: cannot tell"
