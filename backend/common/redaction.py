"""Masks secrets and rows in everything that is logged, recorded or handed on.

For secrets this is a second safeguard: they are not passed to the log at all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableMapping
from typing import Any

from backend.common.row_redaction import redact_rows

MASK = "***"
_SECRET_KEY = re.compile(r"pass(word|wd)?$|secret|authorization|cookie|credential|csrf|private", re.IGNORECASE)
_SECRET_TEXT = re.compile(
    r"(MASTER_PASSWORD\s*=\s*|IDENTIFIED (?:BY|VIA \w+ USING)\s+|Bearer\s+)('(?:[^'\\]|\\.|'')*'|[^\s,;]+)", re.I
)
_QUERY_TEXT = re.compile(r"([?&]text=)[^&\s'\"]+")
"""Part of a statement that a lookup searches for: it may quote a row."""


def redact_text(text: str) -> str:
    """Mask the values that follow known words for secrets in SQL and headers, and texts searched for."""
    masked = _SECRET_TEXT.sub(lambda match: match.group(1) + MASK, text)
    return _QUERY_TEXT.sub(lambda match: match.group(1) + MASK, masked)


def redact(value: Any, *, depth: int = 6) -> Any:
    """A copy of plain data with secret-looking keys and texts masked."""
    if depth == 0:
        return MASK
    if isinstance(value, Mapping):
        return {k: MASK if _SECRET_KEY.search(str(k)) else redact(v, depth=depth - 1) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [redact(item, depth=depth - 1) for item in value]
    return redact_text(value) if isinstance(value, str) else value


def redact_all(value: Any, *, depth: int = 6) -> Any:
    """As `redact`, and without rows that errors of servers quote: for what is kept, or leaves the console."""
    return redact(redact_rows(value), depth=depth)


def redact_event(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """The structlog processor; it comes after those that make text of an exception."""
    for key, value in event.items():
        event[key] = MASK if _SECRET_KEY.search(key) else redact_all(value)
    return event
