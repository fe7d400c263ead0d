"""Redacts rows that a server's error quotes: a key, a value, a failed statement. Operators see them, viewers do not.

What an error quotes follows from its code: the codes whose messages hold names, settings and numbers alone are listed,
and every other message is cut at its first quoted value, in whatever language the server speaks. Where a text has no
code, the beginnings of MariaDB's English messages tell (share/errmsg-utf8.txt: ER_DUP_ENTRY,
ER_TRUNCATED_WRONG_VALUE[_FOR_FIELD]; sql/log_event.cc: "Query: '...'" of a statement that the applier could not
execute). Where the end of a value is ambiguous, the text after it is redacted, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

MASK = "***"
SHOWN: Final = frozenset(
    {
        *(1040, 1129, 1130, 1044, 1045, 1142, 1143, 1227, 1370, 1410, 1698, 1862, 3118, 3955, 4151),  # who may log in
        *(1046, 1049, 1050, 1051, 1054, 1091, 1146, 1305, 1932, 4092),  # a name that is unknown, or exists already
        *(
            1032,
            1048,
            1264,
            1265,
            1364,
            1406,
            1451,
            1452,
            1677,
            3819,
            4025,
        ),  # a column or constraint, no value
        *(1021, 1030, 1041, 1114, 1205, 1206, 1213, 1836, 1969, 3024, 1317, 1180, 3100, 3101),  # no room, no time
        *(1047, 1053, 1158, 1159, 1160, 1161, 1927, 2002, 2003, 2005, 2006, 2013, 2026, 2055, 2059),  # the connection
        *(1193, 1198, 1199, 1200, 1201, 1220, 1229, 1231, 1232, 1238, 1290, 1617, 1094),  # settings, channels
        *(
            1236,
            1593,
            1594,
            1595,
            1623,
            1776,
            1777,
            1782,
            1785,
            1786,
            1787,
            1872,
            1941,
            1943,
            1945,
            1947,
        ),  # logs, GTIDs
        *(1947, 1948, 1949, 1950, 1951, 1955, 3139, 13114, 13117, 13121, 13124),
    }
)
"""Codes whose messages are shown whole: names of objects, accounts and settings, numbers, reasons of the server."""
_UNQUOTED: Final = frozenset({1105, 1526, 1642, 1643, 1644})
"""A value without quotes in it: a partition's, and what an application's own SIGNAL says. Nothing of it is shown."""

_KNOWN = r"Duplicate entry '|[Ii]ncorrect [\w ]{1,40} value: '"
_BEGINS_KNOWN = re.compile(rf"[^'\"]*(?:{_KNOWN})")
"""The end of the first value is known: its own pattern has masked it, and keeps the name of the key or column."""
_CODED = r"(?:[Ee]rror|Warning|Note) (?P<code>\d{4,5}): |\((?P<argument>\d{4,5}), \\?[\"']"
_APPLIED = r"event on table [^;'\"]+; "
_QUERY = r"Error '"
_NEXT = re.compile(f"{_CODED}|{_APPLIED}|{_QUERY}")
_APPLIER_CODE = re.compile(r", Error_code: (\d+)")
_QUOTE = re.compile(r"(?<![a-z])\\?[\"'„“”«]")  # not the one in "can't"
_SIGN = re.compile(rb"Duplicate entry '|ncorrect |Query: '|near '|string: '|range in '|for value |\d{4}[:,] |Error[_ ]")


def _known(inside: str) -> re.Pattern[str]:
    """A value ends at the last possible end before the next error begins, or at the end of the text."""
    value = rf"(?:(?!Duplicate entry '){inside})*"
    return re.compile(
        rf"(Duplicate entry ')(?:{value}(?P<key>' for key)|{value})"
        rf"|([Ii]ncorrect [\w ]{{1,40}} value: ')(?:{value}(?P<column>' for column)|{value})"
        rf"|((?:Query: |near |character string: |out of range in )'|partition for value ){inside}*",
        re.DOTALL,
    )


def _error(inside: str) -> re.Pattern[str]:
    """An error of a server, and what follows it."""
    return re.compile(f"(?P<head>{_CODED}|{_APPLIED}|{_QUERY})(?P<text>{inside}*)", re.DOTALL)


_TEXT, _LINE, _JSON = ((_known(one), _error(one)) for one in (r".", r"[^\n]", r'(?:[^"\\]|\\.)'))


def _left_out(match: re.Match[str]) -> str:
    before = next(group for group in match.groups() if group)
    return f"{before}{MASK}{match['key'] or match['column'] or ''}"


def _judged(match: re.Match[str]) -> str:
    """An error, and those that follow it in the text, one after the other."""
    kept, error, has_quote = "", match, True
    while True:
        head, text = error["head"], error["text"]
        applied = list(_APPLIER_CODE.finditer(text)) if head.startswith("event on ") else []
        codes = {int(one[1]) for one in applied} or {int(error["code"] or error["argument"] or 0)}
        is_listed = codes <= SHOWN or _BEGINS_KNOWN.match(text) is not None
        quote = _QUOTE.search(text) if has_quote and not is_listed else None
        has_quote = has_quote and (is_listed or quote is not None)  # what follows is the end of this text
        if not is_listed and (quote is not None or codes & _UNQUOTED):
            begin = text[: quote.end()] if quote and not codes & _UNQUOTED else ""
            end = text[applied[-1].start() :] if applied and applied[-1].start() > len(begin) else ""
            return kept + head + begin + MASK + end
        following = _NEXT.search(text, 1)  # not what the text begins with: its code was judged just now
        again = None if following is None else _TEXT[1].match(text, following.start())
        if again is None:
            return kept + head + text
        kept += head + text[: again.start()]
        error = again


def _without_rows(text: str, patterns: tuple[re.Pattern[str], re.Pattern[str]]) -> str:
    known, error = patterns
    return error.sub(_judged, known.sub(_left_out, text))


def redact_rows(value: Any) -> Any:
    """A copy of plain data in which no text quotes a row."""
    if isinstance(value, Mapping):
        return {key: redact_rows(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [redact_rows(item) for item in value]
    return _without_rows(value, _TEXT) if isinstance(value, str) else value


def redact_rows_in_document(document: bytes, content_type: str) -> bytes:
    """The same for a UTF-8 document: JSON and events string by string, other text line by line."""
    if not _SIGN.search(document):
        return document
    is_text = content_type.startswith("text/") and not content_type.startswith("text/event-stream")
    return _without_rows(document.decode(), _LINE if is_text else _JSON).encode()
