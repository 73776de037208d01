"""Manifests: what is kept, what is believed of what is found, and what may be removed because of it."""

from __future__ import annotations

import json
import os
from collections.abc import Collection
from pathlib import Path

import pytest

from opwright.options import STEPS, GenOptions
from opwright.output.delivery import Delivery, Intake, Run, deliver
from opwright.output.manifest import FORMAT, Manifest, leftovers, manifest_text, obsolete, prune, read_manifest
from opwright.output.tree import OutputFile, WriteError, checksum
from tests.program import outputs
from tests.releases import SAMPLES

links = pytest.mark.skipif(os.name == "nt", reason="Windows makes links only for who may")


def run(
    folder: Path,
    *names: str,
    steps: Collection[str] = STEPS,
    moved: dict[str, Path] | None = None,
    pruning: bool = False,
    dry_run: bool = False,
) -> Delivery:
    """Write files of these names: headers, and sources where they end in `.cpp`."""
    files = [OutputFile(name, f"// {name}\n", step="sources" if name.endswith(".cpp") else "headers") for name in names]
    moved = moved or {}
    manifests = [read_manifest(folder, step) for step in STEPS]
    with Intake(checking=False, dry_run=dry_run) as intake:
        for file in files:
            intake.take(file, str(moved.get(file.path, folder / file.path)))
        run = Run(folder, steps, intake.files, moved, manifests)
        return deliver(run, intake, {}, pruning=pruning, dry_run=dry_run)


def files(folder: Path) -> list[str]:
    """All files below a folder, manifests aside."""
    return list(outputs(folder))


def kept(folder: Path, step: str) -> list[str]:
    """What the manifest of a step names."""
    return list(read_manifest(folder, step).files)


def gone(folder: Path, step: str) -> list[str]:
    """What the manifest of a step names as gone."""
    return list(read_manifest(folder, step).gone)


def removed(delivery: Delivery) -> list[str]:
    return [leftover.name for leftover in delivery.removed]


def test_text(tmp_path: Path) -> None:
    manifest = Manifest(tmp_path, "headers", {"ops/b.h": checksum(b"b"), "ops/a.h": checksum(b"a")})
    text = manifest_text(manifest, {"generator": "opwright 9", "options": {"devices": ["mps"]}})
    assert text.splitlines() == [
        f'{{"format": {FORMAT},',
        '"generator": "opwright 9",',
        '"options": {"devices": ["mps"]},',
        '"step": "headers",',
        '"files": {"ops/a.h": "1-e8b7be43",',
        '"ops/b.h": "1-71beeff9"}}',
    ]
    manifest.path.write_text(text, encoding="utf-8")
    assert read_manifest(tmp_path, "headers").files == manifest.files
    assert read_manifest(tmp_path, "sources").files == {}


def test_nobody_forgets_a_file_until_it_is_removed(tmp_path: Path) -> None:
    run(tmp_path, "a.h", "ops/b.h", "x.cpp")
    run(tmp_path, "a.h", "x.cpp")
    assert [leftover.name for leftover in run(tmp_path, "a.h", "x.cpp").kept] == ["ops/b.h"]
    assert kept(tmp_path, "headers") == ["a.h", "ops/b.h"]
    assert removed(run(tmp_path, "a.h", "x.cpp", pruning=True)) == ["ops/b.h"]
    assert files(tmp_path) == ["a.h", "x.cpp"]
    assert not (tmp_path / "ops").exists()
    assert kept(tmp_path, "headers") == ["a.h"]
    (tmp_path / "a.h").unlink()
    assert run(tmp_path).kept != []
    assert kept(tmp_path, "headers") == []
    assert kept(tmp_path, "sources") == ["x.cpp"]


def test_a_file_that_comes_back_is_known(tmp_path: Path) -> None:
    run(tmp_path, "a.h", "b.h", "c.h")
    (tmp_path / "c.h").unlink()
    run(tmp_path, "a.h", pruning=True)
    assert (kept(tmp_path, "headers"), gone(tmp_path, "headers")) == (["a.h"], ["b.h", "c.h"])
    for name in ("b.h", "c.h"):
        (tmp_path / name).write_text(f"// {name}\n", encoding="utf-8")
    counted = run(tmp_path, "a.h")
    assert [one.name for one in counted.kept] == ["b.h", "c.h"]
    assert counted.gone == gone(tmp_path, "headers") == []
    (tmp_path / "c.h").write_text("// mine\n", encoding="utf-8")
    pruned = run(tmp_path, "a.h", pruning=True)
    assert (removed(pruned), [one.name for one in pruned.kept]) == (["b.h"], ["c.h"])
    assert gone(tmp_path, "headers") == ["b.h"], "what was edited is its editor's"
    run(tmp_path, "a.h", "b.h")
    assert gone(tmp_path, "headers") == []


def test_a_run_of_one_step_speaks_of_no_other(tmp_path: Path) -> None:
    run(tmp_path, "a.h", "b.h", "x.cpp", "y.cpp")
    assert removed(run(tmp_path, "a.h", steps=["headers"], pruning=True)) == ["b.h"]
    assert files(tmp_path) == ["a.h", "x.cpp", "y.cpp"]
    assert kept(tmp_path, "sources") == ["x.cpp", "y.cpp"]
    assert removed(run(tmp_path, "x.cpp", steps=["sources"], pruning=True)) == ["y.cpp"]
    assert removed(run(tmp_path, "a.h", pruning=True)) == ["x.cpp"]
    assert files(tmp_path) == ["a.h"]


def test_what_another_step_makes_is_no_leftover(tmp_path: Path) -> None:
    """As when a file becomes one of another step in a later version."""
    held = {"a.h": checksum(b"// a.h\n")}
    manifests = [Manifest(tmp_path, "headers", held), Manifest(tmp_path, "sources", held)]
    (tmp_path / "a.h").write_bytes(b"// a.h\n")
    assert leftovers(manifests, ["sources"], []) == []
    assert [one.manifest.step for one in leftovers(manifests, ["sources", "headers"], [])] == ["headers", "sources"]
    assert leftovers(manifests, ["sources", "headers"], ["a.h"]) == []


def test_an_edited_file_is_its_editors(tmp_path: Path) -> None:
    run(tmp_path, "a.h", "ops/b.h", "ops/c.h")
    (tmp_path / "ops" / "b.h").write_text("// mine\n", encoding="utf-8")
    (tmp_path / "ops" / "own.h").write_text("// mine\n", encoding="utf-8")
    delivery = run(tmp_path, "a.h", pruning=True)
    assert removed(delivery) == ["ops/c.h"]
    assert [one.name for one in delivery.kept] == ["ops/b.h"]
    assert obsolete(delivery.kept[0]).endswith("\nthis file is not made any more; it was edited, so --prune keeps it\n")
    assert files(tmp_path) == ["a.h", "ops/b.h", "ops/own.h"]
    assert run(tmp_path, "a.h").kept == []


def test_a_file_that_another_run_removes_first(tmp_path: Path) -> None:
    run(tmp_path, "a.h", "b.h")
    (found,) = leftovers([read_manifest(tmp_path, step) for step in STEPS], STEPS, {"a.h"})
    found.path.unlink()
    assert found.is_untouched()
    prune([found])
    assert files(tmp_path) == ["a.h"]


def test_a_dry_run_removes_nothing(tmp_path: Path) -> None:
    run(tmp_path, "a.h", "b.h")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert removed(run(tmp_path, "a.h", pruning=True, dry_run=True)) == ["b.h"]
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_file_that_goes_elsewhere(tmp_path: Path) -> None:
    """It is in no manifest, and its old place is left over, unless that is the new place by another name."""
    out = tmp_path / "out"
    run(out, "a.h", "core/tag.h")
    same = {"core/tag.h": tmp_path / "out" / ".." / "out" / "core" / "tag.h"}
    assert removed(run(out, "a.h", "core/tag.h", moved=same, pruning=True)) == []
    assert (out / "core" / "tag.h").is_file()
    run(out, "a.h", "core/tag.h")
    moved = {"core/tag.h": tmp_path / "other" / "tag.h"}
    assert removed(run(out, "a.h", "core/tag.h", moved=moved, pruning=True)) == ["core/tag.h"]
    assert kept(out, "headers") == ["a.h"]
    assert files(tmp_path / "other") == ["tag.h"]


def claim(folder: Path, name: str, data: bytes) -> None:
    """Write a manifest that says so."""
    text = manifest_text(Manifest(folder, "headers", {name: checksum(data)}), {})
    (folder / ".opwright-headers.json").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    "name",
    [
        "../victim.h", "x/../../victim.h", "./../victim.h", "/victim.h", "{absolute}", "C:/victim.h", "C:victim.h",
        "..\\victim.h", "\\victim.h", "a//b.h", "a/./b.h", "", ".", "..", "a/", "/", "a/.. /victim.h", "a/.../b.h",
        ".opwright-sources.json", ".git/config", "a\0b", "a\nb", "~/victim.h", "a:b.h",
    ],
)  # fmt: skip
def test_names_that_could_lead_elsewhere_are_not_believed(name: str, tmp_path: Path) -> None:
    folder, victim = tmp_path / "out", tmp_path / "victim.h"
    folder.mkdir()
    victim.write_bytes(b"precious")
    claim(folder, name.replace("{absolute}", victim.as_posix()), b"precious")
    assert read_manifest(folder, "headers").problem == "it is not a manifest of this version of Opwright"
    assert removed(run(folder, pruning=True)) == []
    assert victim.read_bytes() == b"precious"


@links
def test_links_are_not_followed(tmp_path: Path) -> None:
    folder, outside = tmp_path / "out", tmp_path / "outside"
    for made in (folder, outside, folder / "real"):
        made.mkdir()
    for path in (outside / "victim.h", folder / "real" / "victim.h"):
        path.write_bytes(b"precious")
    (folder / "linked").symlink_to(outside)
    (folder / "inside").symlink_to("real")
    (folder / "file.h").symlink_to(outside / "victim.h")
    for name in ("linked/victim.h", "inside/victim.h", "file.h"):
        claim(folder, name, b"precious")
        delivery = run(folder, pruning=True)
        assert ([one.name for one in delivery.kept], delivery.removed) == ([name], [])
    assert files(outside) == ["victim.h"]
    claim(folder, "real/victim.h", b"precious")
    assert removed(run(folder, pruning=True)) == ["real/victim.h"]


@links
def test_the_install_folder_itself_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "out").symlink_to("real")
    run(tmp_path / "out", "ops/a.h")
    assert removed(run(tmp_path / "out", pruning=True)) == ["ops/a.h"]
    assert files(tmp_path / "real") == []
    assert not (tmp_path / "real" / "ops").exists()


GOOD = json.dumps({"format": FORMAT, "files": {"a.h": "0"}})


@pytest.mark.parametrize(
    "text",
    [
        "", "{", GOOD[:-3], "[]", "null", '"a.h"', "[" * 100_000, '{"format": 1e999}', "\ufeff" + GOOD + "x",
        json.dumps({"files": {"a.h": "0"}}),
        json.dumps({"format": FORMAT + 1, "files": {"a.h": "0"}}),
        json.dumps({"format": FORMAT}),
        json.dumps({"format": FORMAT, "files": ["a.h"]}),
        json.dumps({"format": FORMAT, "files": {"a.h": 1}}),
        json.dumps({"format": FORMAT, "files": {"a.h": "0", "../b.h": "0"}}),
    ],
    ids=lambda text: text[:40],
)  # fmt: skip
def test_a_damaged_manifest_is_passed_over(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.h").write_bytes(b"")
    place = tmp_path / ".opwright-headers.json"
    place.write_text(text, encoding="utf-8")
    found = read_manifest(tmp_path, "headers")
    assert (found.files, found.problem) == ({}, "it is not a manifest of this version of Opwright")
    assert removed(run(tmp_path, "b.h", pruning=True)) == []
    assert kept(tmp_path, "headers") == ["b.h"]
    assert files(tmp_path) == ["a.h", "b.h"]


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / ".opwright-headers.json").write_bytes(b"\xff\xfe\0")
    assert read_manifest(tmp_path, "headers").problem == "it is not a manifest of this version of Opwright"


def test_a_folder_in_place_of_a_manifest(tmp_path: Path) -> None:
    (tmp_path / ".opwright-headers.json").mkdir()
    with pytest.raises(WriteError, match="this is a directory, not a file"):
        run(tmp_path, "a.h")
    assert files(tmp_path) == ["a.h"]


def test_a_name_that_only_differs_in_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system takes both for one file, that is the one which is still made."""
    run(tmp_path, "Add.h")
    (tmp_path / "add.h").write_bytes(b"// Add.h\n")
    manifests = [read_manifest(tmp_path, "headers")]
    if not (tmp_path / "Add.h").samefile(tmp_path / "add.h"):
        assert [one.name for one in leftovers(manifests, STEPS, ["add.h"])] == ["Add.h"]
    monkeypatch.setattr(Path, "samefile", lambda *_: True)
    assert leftovers(manifests, STEPS, ["add.h"]) == []


def test_options_are_kept_as_plain_data() -> None:
    cuda = SAMPLES.keys["CUDA"]
    options = GenOptions(
        True, devices=frozenset({"xpu", "mps"}), steps=frozenset({"headers"}), backends=frozenset({cuda})
    )
    assert GenOptions().described() == {}
    assert options.described() == {"per_operator_headers": True, "devices": ["mps", "xpu"], "backends": ["CUDA"]}
    assert GenOptions(registrations=False).described() == {"registrations": False}
