"""Names of replication connections, as MariaDB accepts, stores and compares them (measured on MariaDB 10.11.19).

A name is any text of at most 191 bytes in utf8mb3. The server escapes it in the names of its files: the relay log of
`dr_east-1` is `relay-bin-dr_east@002d1.000001`.
"""

from __future__ import annotations

LIMIT_BYTES = 191
"""From 192 bytes on CHANGE MASTER fails with 1210; file names may lower the limit, which the server reports, too."""
_BEYOND_UTF8MB3 = "\U00010000"
_CASE_RANGES = (("A", "\u017f"), ("\u0386", "\u03ce"), ("\u0400", "\u0481"))
"""Latin, Greek and Cyrillic letters whose case no Unicode version of a server's changes."""
_WITHOUT_CASE = frozenset("\u0131\u017f")
"""Dotless i and long s: letters that the server treats as equal to no other."""


def name_fault(name: str) -> str | None:
    """Why no channel can have that name; None where one can (the empty name is the default connection)."""
    if "\u0130" in name:
        return "MariaDB cannot find a name with İ (U+0130) again: its lower case has fewer bytes."
    if any(ord(c) < ord(" ") or c == "\x7f" for c in name):
        return "It contains a control character; MariaDB stores names in a file, one a line."
    if any(c >= _BEYOND_UTF8MB3 or "\ud800" <= c <= "\udfff" for c in name):
        return "It contains a character beyond utf8mb3, which MariaDB would replace by a question mark."
    if len(name.encode()) > LIMIT_BYTES:
        return f"It has {len(name.encode())} bytes; MariaDB accepts at most {LIMIT_BYTES}."
    return None


def is_same_name(one: str, other: str) -> bool:
    """Whether a server treats both as one connection: it ignores case; accents and blanks count, also at the end."""
    return _without_case(one) == _without_case(other)


def _without_case(name: str) -> str:
    return "".join(_upper(c) for c in name)


def _upper(letter: str) -> str:
    has_case = letter not in _WITHOUT_CASE and any(low <= letter <= high for low, high in _CASE_RANGES)
    return letter.upper() if has_case and len(letter.upper()) == 1 else letter
