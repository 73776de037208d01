"""How a comparison with torchgen looks: as text for people, or as JSON for scripts.

In: a `Verification`. Out: the whole output as one text. Nothing here prints.

    text(verification, limit=5)  ->  "family      same  differ  only torchgen  only Opwright\\noperators      8 ..."
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from opwright.compare.differences import Side
from opwright.compare.programs import Run
from opwright.compare.trees import ComparedFile, Status, counts
from opwright.compare.verification import Verification
from opwright.report.characters import visible
from opwright.report.tables import table

#: Of a long token or line, this many characters are shown as text.
LONGEST = 200

_COLUMNS = {
    Status.SAME: "same",
    Status.DIFFERENT: "differ",
    Status.ONLY_TORCHGEN: "only torchgen",
    Status.ONLY_OPWRIGHT: "only Opwright",
}
_PHRASES = {
    Status.SAME: "the same",
    Status.DIFFERENT: "different",
    Status.ONLY_TORCHGEN: "from torchgen only",
    Status.ONLY_OPWRIGHT: "from Opwright only",
}


def text(verification: Verification, limit: int) -> str:
    """The table of families, what differs in up to `limit` files, the times, and the sum in one line."""
    sections = (
        _families(verification.files),
        _differences(verification.files, limit),
        _times(verification),
        _sum(verification.totals),
    )
    return "\n\n".join(filter(None, sections)) + "\n"


def as_json(verification: Verification, diagnostics: Sequence[object]) -> str:
    """One object with all that is known; `diagnostics` are Opwright's, as `opwright gen --format json` gives them."""
    theirs, torchgen = verification.torchgen_run, verification.torchgen
    unequal = [file for file in verification.files if file.status is not Status.SAME]
    document = {
        "outcome": verification.outcome.value,
        "source": verification.source.as_posix(),
        "release": verification.release,
        "options": list(verification.options),
        "torchgen": {
            "folder": torchgen.folder.as_posix(),
            "version": torchgen.version,
            "python": torchgen.python,
            **_run(theirs),
        },
        "opwright": _run(verification.opwright_run),
        "ratio": {"wall": verification.wall_ratio, "cpu": verification.cpu_ratio},
        "files": _named(verification.totals),
        "families": [{"family": name, **_named(count)} for name, count in counts(verification.files).items()],
        "differences": [_entry(file) for file in unequal],
        "torchgen_output": theirs.output if theirs and theirs.status else None,
        "diagnostics": list(diagnostics),
    }
    return json.dumps(document, indent=2) + "\n"


def _families(files: Sequence[ComparedFile]) -> str:
    rows = [(name, *(str(count[status]) for status in Status)) for name, count in counts(files).items()]
    return table(("family", *_COLUMNS.values()), rows)


def _differences(files: Sequence[ComparedFile], limit: int) -> str:
    """What is not the same in the first files, and how many more there are; contents come before absences."""
    unequal = [file for file in files if file.status is not Status.SAME]
    unequal.sort(key=lambda file: file.status is not Status.DIFFERENT)
    shown = [_difference(file) for file in unequal[:limit]]
    rest = len(unequal) - len(shown)
    if rest:
        shown.append(f"{rest} more; --limit shows more of them, --format json all")
    return "\n".join(shown)


def _difference(file: ComparedFile) -> str:
    path = visible(file.path)
    if file.difference is None:
        maker = "torchgen" if file.status is Status.ONLY_TORCHGEN else "Opwright"
        return f"{path}: only {maker} makes it"
    theirs, ours = file.difference.expected, file.difference.actual
    return f"{path}: {visible(file.difference.place)} differs\n  torchgen {_side(theirs)}\n  Opwright {_side(ours)}"


def _side(side: Side) -> str:
    """One side in a line: what differs from its start on, and of what stands around it the nearest."""
    text = None if side.text is None else visible(side.text)[:LONGEST]
    before, after = visible(side.before)[-LONGEST:], visible(side.after)[:LONGEST]
    return str(Side(side.line, text, before, after))


def _times(verification: Verification) -> str:
    rows = [
        ("torchgen", *_seconds(verification.torchgen_run)),
        ("Opwright", *_seconds(verification.opwright_run)),
        ("ratio", *(_figure(ratio, ".1f") for ratio in (verification.wall_ratio, verification.cpu_ratio))),
    ]
    return table(("seconds", "wall", "CPU"), rows)


def _seconds(run: Run | None) -> tuple[str, str]:
    return ("-", "-") if run is None else (_figure(run.wall, ".2f"), _figure(run.cpu, ".2f"))


def _figure(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def _sum(totals: Counter[Status]) -> str:
    files = f"{totals.total()} files" if totals.total() != 1 else "1 file"
    parts = [f"{totals[status]} {_PHRASES[status]}" for status in Status if totals[status]]
    return f"{files}: {', '.join(parts)}" if totals else "no files were made"


def _run(run: Run | None) -> dict[str, float | int | None]:
    if run is None:
        return {"status": None, "wall_seconds": None, "cpu_seconds": None}
    return {"status": run.status, "wall_seconds": round(run.wall, 3), "cpu_seconds": run.cpu and round(run.cpu, 3)}


def _named(count: Counter[Status]) -> dict[str, int]:
    return {status.value: count[status] for status in Status}


def _entry(file: ComparedFile) -> dict[str, object]:
    found = file.difference
    return {
        "path": file.path,
        "family": file.family.name,
        "status": file.status.value,
        "place": found and found.place,
        "torchgen": found and _place(found.expected),
        "opwright": found and _place(found.actual),
    }


def _place(side: Side) -> dict[str, str | int | None]:
    return {"line": side.line, "before": side.before, "text": side.text, "after": side.after}
