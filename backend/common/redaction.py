"""Masks secrets in everything that is logged. This is a second safeguard; secrets are not passed to the log at all."""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableMapping
from typing import Any

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


def redact_event(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """The structlog processor."""
    for key in [k for k in event if not k.startswith("_") and k != "exc_info"]:
        event[key] = MASK if _SECRET_KEY.search(key) else redact(event[key])
    return event
