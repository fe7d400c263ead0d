"""Rows that a server's error quotes: a key, a value, a whole statement that failed. Operators see them, viewers do not.

The messages are MariaDB's (share/errmsg-utf8.txt: ER_DUP_ENTRY, ER_TRUNCATED_WRONG_VALUE[_FOR_FIELD];
sql/log_event.cc: "Query: '...'" of a statement that the applier could not execute). What follows an end that cannot be
told from the value is left out with it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

MASK = "***"


def _pattern(inside: str) -> re.Pattern[str]:
    """A value ends at the last place that may be its end before another error begins, or where the text does."""
    value = rf"(?:(?!Duplicate entry '){inside})*"
    return re.compile(
        rf"(Duplicate entry ')(?:{value}(?P<key>' for key)|{value})"
        rf"|([Ii]ncorrect [\w ]{{1,40}} value: ')(?:{value}(?P<column>' for column)|{value})"
        rf"|(Query: '){inside}*",
        re.DOTALL,
    )


_TEXT = _pattern(r".")
_LINE = _pattern(r"[^\n]")
_JSON = _pattern(r'(?:[^"\\]|\\.)')
_SIGNS = (b"Duplicate entry '", b"ncorrect ", b"Query: '")


def _left_out(match: re.Match[str]) -> str:
    before = next(group for group in match.groups() if group)
    return f"{before}{MASK}{match['key'] or match['column'] or ''}"


def redact_rows(value: Any) -> Any:
    """A copy of plain data whose texts quote no row."""
    if isinstance(value, Mapping):
        return {key: redact_rows(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [redact_rows(item) for item in value]
    return _TEXT.sub(_left_out, value) if isinstance(value, str) else value


def redact_rows_in_document(document: bytes, content_type: str) -> bytes:
    """The same for what goes out in UTF-8: JSON, events and lines of it string by string, other text line by line."""
    if not any(sign in document for sign in _SIGNS):
        return document
    is_text = content_type.startswith("text/") and not content_type.startswith("text/event-stream")
    return (_LINE if is_text else _JSON).sub(_left_out, document.decode()).encode()
