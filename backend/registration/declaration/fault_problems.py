"""Faults of a document as one problem answer, each with its place in the request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from backend.registration.declaration.difference import Fault

MAX_FAULTS = 50
"""Limit of reported faults: a response must not grow with the request."""


def problem_parts(found: Sequence[Fault]) -> dict[str, Any]:
    """`detail` and `errors` of the problem."""
    number = "1 fault" if len(found) == 1 else f"{len(found)} faults"
    return {
        "detail": f"The document cannot be applied ({number}). Nothing was changed. {found[0]}",
        "errors": [{"field": _field_of(one.path), "message": one.message} for one in found[:MAX_FAULTS]],
    }


def _field_of(path: str) -> str:
    separator = "." if path and not path.startswith("[") else ""
    return f"document{separator}{path}"
