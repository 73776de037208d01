"""What is wrong with an input, as values.

In: what a stage noticed. Out: `Diagnostic`s with a code, a sentence, a place, a hint and related places, gathered by
`Diagnostics` so that one run shows every fault. How they look is the business of `opwright.report`.

    faults.error("unknown-type", "'Tensr' is not a type of PyTorch 2.13", place, help="did you mean 'Tensor'?")
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from opwright.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opwright.source import Place


class Severity(Enum):
    """How bad it is: an error stops a run, a warning does not."""

    ERROR = "error"
    WARNING = "warning"


class Related(Value):
    """A further place that explains a diagnostic, with what is to be seen there."""

    place: Place
    message: str


class Diagnostic(Value):
    """One fault.

    `code` is the stable kebab-case name that has a page in the reference. `path` names the file; `place` is where in
    it, or None when the fault concerns the whole file (it could not be read, say). `help` says what to do.
    """

    code: str
    severity: Severity
    message: str
    path: str
    place: Place | None = None
    help: str | None = None
    related: tuple[Related, ...] = ()

    @property
    def advice(self) -> str:
        """The message, and below it the help if there is any."""
        return self.message if self.help is None else f"{self.message}\n{self.help}"


class Diagnostics:
    """Gathers the diagnostics of a run."""

    __slots__ = ("items",)

    def __init__(self) -> None:
        self.items: list[Diagnostic] = []

    def error(
        self, code: str, message: str, place: Place, help: str | None = None, related: Iterable[Related] = ()
    ) -> None:
        """A fault at `place`, because of which nothing is written."""
        self._add(code, Severity.ERROR, message, place, help, related)

    def warning(
        self, code: str, message: str, place: Place, help: str | None = None, related: Iterable[Related] = ()
    ) -> None:
        """Something at `place` that is allowed but hardly meant."""
        self._add(code, Severity.WARNING, message, place, help, related)

    def file_error(self, code: str, message: str, path: str, help: str | None = None) -> None:
        """An error that concerns the file at `path` as a whole."""
        self.items.append(Diagnostic(code, Severity.ERROR, message, path, help=help))

    def _add(
        self,
        code: str,
        severity: Severity,
        message: str,
        place: Place,
        help: str | None,
        related: Iterable[Related],
    ) -> None:
        self.items.append(Diagnostic(code, severity, message, place.source.path, place, help, tuple(related)))

    @property
    def has_errors(self) -> bool:
        """Whether there is more than warnings."""
        return any(item.severity is Severity.ERROR for item in self.items)

    @property
    def has_unreadable_files(self) -> bool:
        """Whether a file could not be read at all, which is a fault of the call rather than of the input."""
        return any(item.code == "unreadable-file" for item in self.items)

    def in_order(self) -> list[Diagnostic]:
        """File by file in the order in which files first appear; inside a file from top to bottom; each fault once."""
        files = {path: rank for rank, path in enumerate(dict.fromkeys(item.path for item in self.items))}

        def key(item: Diagnostic) -> tuple[int, int, int]:
            place = item.place
            return (files[item.path], place.start, place.stop) if place else (files[item.path], -1, -1)

        unique: dict[tuple[str, str, str, int], Diagnostic] = {}
        for item in self.items:
            unique.setdefault((item.path, item.code, item.message, item.place.start if item.place else -1), item)
        return sorted(unique.values(), key=key)


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like `word`, or None when none is close enough to be a likely slip."""
    import difflib  # only a faulty input needs it

    by_lower = {candidate.lower(): candidate for candidate in candidates}
    matches = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    return by_lower[matches[0]] if matches else None


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """A hint that names the candidate nearest to `word`, or None."""
    near = nearest(word, candidates)
    return f"did you mean '{near}'?" if near else None
