"""How diagnostics look: as text for people, or in one of the forms that other programs read.

In: `Diagnostic`s in the order in which they are to be shown. Out: the whole output as one text, which ends with a line
end unless it is empty. Nothing here prints, and nothing sorts.

    render(faults.in_order(), "concise")  ->  "ops.yaml:3:9: error[unknown-type]: 'Tensr' is not a type\\n"
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opwright.diagnostics import Diagnostic


def render(diagnostics: Sequence[Diagnostic], format: str, *, color: bool = False) -> str:
    """Show `diagnostics` in one of `FORMATS`.

    `color` matters to `text` only. Raises `KeyError` when there is no such format.
    """
    return _RENDERERS[format](diagnostics, color)


# A run shows one format, so a format's module is imported only when it is the one.


def _text(diagnostics: Sequence[Diagnostic], color: bool) -> str:
    from opwright.report import text

    return text.render(diagnostics, color=color)


def _concise(diagnostics: Sequence[Diagnostic], color: bool) -> str:
    from opwright.report import concise

    return concise.render(diagnostics)


def _json(diagnostics: Sequence[Diagnostic], color: bool) -> str:
    from opwright.report import jsonformat

    return jsonformat.render(diagnostics)


def _sarif(diagnostics: Sequence[Diagnostic], color: bool) -> str:
    from opwright.report import sarif

    return sarif.render(diagnostics)


def _github(diagnostics: Sequence[Diagnostic], color: bool) -> str:
    from opwright.report import github

    return github.render(diagnostics)


_RENDERERS: dict[str, Callable[[Sequence[Diagnostic], bool], str]] = {
    "text": _text,
    "concise": _concise,
    "json": _json,
    "sarif": _sarif,
    "github": _github,
}

#: The names that `render` accepts; the first is the one for people.
FORMATS: tuple[str, ...] = tuple(_RENDERERS)
