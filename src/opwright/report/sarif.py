"""Diagnostics as a SARIF 2.1.0 log, for code scanning services.

In: diagnostics. Out: a log with one run: the codes that occur are its rules, each diagnostic is a result.

    error[unknown-type] in ops.yaml  ->  {"ruleId": "unknown-type", "ruleIndex": 0, "level": "error", ...}
"""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

from opwright import __version__
from opwright.report import pages

if TYPE_CHECKING:
    from opwright.diagnostics import Diagnostic
    from opwright.source import Place

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
#: The number changes when the fingerprint of an unchanged fault does.
FINGERPRINT = "opwrightFault/v1"


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """The log as JSON, and a line end; it names the installed version of Opwright."""
    rules = {code: rank for rank, code in enumerate(dict.fromkeys(item.code for item in diagnostics))}
    driver: dict[str, object] = {"name": "Opwright", "version": __version__, "rules": [_rule(code) for code in rules]}
    run: dict[str, object] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(item, rules[item.code]) for item in diagnostics],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(code: str) -> dict[str, object]:
    page = pages.page(code)
    summary = {"text": code.replace("-", " ") if page is None else pages.summary(page)}
    help = summary if page is None else {"text": page, "markdown": page}
    return {"id": code, "shortDescription": summary, "fullDescription": summary, "help": help}


def _result(item: Diagnostic, rule: int) -> dict[str, object]:
    result: dict[str, object] = {
        "ruleId": item.code,
        "ruleIndex": rule,
        "level": item.severity.value,
        "message": {"text": item.advice},
        "locations": [_location(item.path, item.place)],
        "partialFingerprints": {FINGERPRINT: _fingerprint(item)},
    }
    if item.related:
        result["relatedLocations"] = [
            {**_location(related.place.source.path, related.place), "message": {"text": related.message}}
            for related in item.related
        ]
    return result


def _location(path: str, place: Place | None) -> dict[str, object]:
    physical: dict[str, object] = {"artifactLocation": {"uri": _uri(path)}}
    if place is not None:
        (line, column), (end_line, end_column) = place.begin, place.end
        physical["region"] = {
            "startLine": line,
            "startColumn": column,
            "endLine": end_line,
            "endColumn": end_column,
        }
    return {"physicalLocation": physical}


def _uri(path: str) -> str:
    """The URI of a path: relative if the path is, else of the scheme `file`."""
    path = posixpath.normpath(path)
    if re.match(r"[A-Za-z]:/", path):
        return f"file:///{path[:2]}{quote(path[2:], errors='surrogateescape')}"
    quoted = quote(path, errors="surrogateescape")
    return f"file://{quoted}" if path.startswith("/") else quoted


def _fingerprint(item: Diagnostic) -> str:
    """A hash of what stays the same when lines are added or removed above the fault."""
    line = item.place.source.line(item.place.begin[0]).strip() if item.place else ""
    parts = (_uri(item.path), item.code, item.message, line)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
