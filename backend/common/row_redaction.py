"""Redacts rows that a server's error quotes: a key, a value, a failed statement. Operators see them, viewers do not.

The messages are MariaDB's (share/errmsg-utf8.txt: ER_DUP_ENTRY, ER_TRUNCATED_WRONG_VALUE[_FOR_FIELD];
sql/log_event.cc: "Query: '...'" of a statement that the applier could not execute). Where the end of a value is
ambiguous, the text after it is redacted, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

MASK = "***"


def _pattern(inside: str) -> re.Pattern[str]:
    """A value ends at the last possible end before the next error begins, or at the end of the text."""
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
    """A copy of plain data in which no text quotes a row."""
    if isinstance(value, Mapping):
        return {key: redact_rows(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [redact_rows(item) for item in value]
    return _TEXT.sub(_left_out, value) if isinstance(value, str) else value


def redact_rows_in_document(document: bytes, content_type: str) -> bytes:
    """The same for a UTF-8 document: JSON and events string by string, other text line by line."""
    if not any(sign in document for sign in _SIGNS):
        return document
    is_text = content_type.startswith("text/") and not content_type.startswith("text/event-stream")
    return (_LINE if is_text else _JSON).sub(_left_out, document.decode()).encode()
