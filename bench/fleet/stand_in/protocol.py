"""The server's side of the protocol: a greeting, and answers as packets, of which only moving rows are made again."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from string import Formatter

OK = b"\0\0\0\x02\0\0\0"
REFUSED = b"\xff" + struct.pack("<H", 1064) + b"#42000no answer to this statement was recorded"
CAPABILITIES = 0x00A8828B | 0x00030000
_UTF8MB4 = 45
_MORE, _LAST = 0x000A, 0x0002


def packet(sequence: int, body: bytes) -> bytes:
    """One packet with its head."""
    return struct.pack("<I", len(body))[:3] + bytes([sequence % 256]) + body


def greeting(version: str, thread: int) -> bytes:
    """The first packet of a server."""
    low, high = struct.pack("<H", CAPABILITIES & 0xFFFF), struct.pack("<H", CAPABILITIES >> 16)
    head = b"\x0a" + f"5.5.5-{version}".encode() + b"\0" + struct.pack("<I", thread) + b"abcdefgh\0"
    tail = low + b"\x2d" + struct.pack("<H", 2) + high + bytes([21])
    return head + tail + b"\0" * 10 + b"ijklmnopqrst\0" + b"mysql_native_password\0"


def _sized(value: str | None) -> bytes:
    if value is None:
        return b"\xfb"
    text = value.encode()
    return (bytes([len(text)]) if len(text) < 251 else b"\xfc" + struct.pack("<H", len(text))) + text


def _column(name: str, kind: int) -> bytes:
    names = b"".join(map(_sized, ("def", "", "", "", name, name)))
    return names + b"\x0c" + struct.pack("<HIBHB", _UTF8MB4, 65_535, kind, 0, 0) + b"\0\0"


class Answer:
    """The result of one statement; a row with a mark in braces moves."""

    def __init__(self, columns: Sequence[tuple[str, int]], rows: Sequence[Sequence[str | None]]) -> None:
        names = [_column(name, kind) for name, kind in columns]
        self._head = [bytes([len(names)]), *names]
        self._rows = [row if _moves(row) else b"".join(map(_sized, row)) for row in rows]

    def bodies(self, moving: Mapping[str, str], *, more: bool) -> list[bytes]:
        """Its packets' contents, in order."""
        end = b"\xfe\0\0" + struct.pack("<H", _MORE if more else _LAST)
        rows = [row if isinstance(row, bytes) else _moved(row, moving) for row in self._rows]
        return [*self._head, end, *rows, end]


class Joined:
    """The results of statements sent together: what does not move is packed once."""

    def __init__(self, answers: Sequence[Answer]) -> None:
        self._parts: list[bytes | tuple[int, Sequence[str | None]]] = []
        sequence, fixed = 1, b""
        for number, answer in enumerate(answers, 1):
            end = b"\xfe\0\0" + struct.pack("<H", _MORE if number < len(answers) else _LAST)
            for body in [*answer._head, end, *answer._rows, end]:  # noqa: SLF001 - of this module
                if isinstance(body, bytes):
                    fixed += packet(sequence, body)
                else:
                    self._parts += [fixed, (sequence, body)]
                    fixed = b""
                sequence += 1
        self._parts.append(fixed)
        self._lengths: tuple[int, ...] = (-1,)
        self._template, self._names = b"", tuple[str, ...]()

    def packets(self, moving: Mapping[str, str]) -> bytes:
        """The whole answer; while its values have the same lengths, they are all that is put in."""
        lengths = tuple(map(len, moving.values()))
        if lengths != self._lengths:
            self._lengths = lengths
            self._template = b"".join(self._template_of(part, moving) for part in self._parts)
            rows = [part[1] for part in self._parts if not isinstance(part, bytes)]
            self._names = tuple(name for row in rows for value in row for name in _placeholders(value))
        return self._template % tuple(moving[name].encode() for name in self._names)

    @staticmethod
    def _template_of(part: bytes | tuple[int, Sequence[str | None]], moving: Mapping[str, str]) -> bytes:
        if isinstance(part, bytes):
            return part.replace(b"%", b"%%")
        sequence, row = part
        size = len(_moved(row, moving))
        values = b"".join(_sized_template(value, moving) for value in row)
        return packet(sequence, b"\0" * size)[:4].replace(b"%", b"%%") + values


def _placeholders(value: str | None) -> list[str]:
    return [name for _, name, _, _ in Formatter().parse(value or "") if name is not None]


def _sized_template(value: str | None, moving: Mapping[str, str]) -> bytes:
    """As `_sized`, with a place for each value that moves."""
    if value is None or not _placeholders(value):
        return _sized(value).replace(b"%", b"%%")
    text = value.format_map(moving)
    head = _sized(text)[: -len(text.encode())].replace(b"%", b"%%")
    return head + b"".join(
        literal.encode().replace(b"%", b"%%") + (b"" if name is None else b"%b")
        for literal, name, _, _ in Formatter().parse(value)
    )


def _moves(row: Sequence[str | None]) -> bool:
    return any(value is not None and "{" in value for value in row)


def _moved(row: Sequence[str | None], moving: Mapping[str, str]) -> bytes:
    return b"".join(_sized(value.format_map(moving) if value and "{" in value else value) for value in row)
