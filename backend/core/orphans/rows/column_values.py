"""Decodes one column's bytes in a row image, and checks that information_schema still has the type that was written."""

from __future__ import annotations

import struct
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Protocol

from backend.core.orphans.model import Column, Value, ValueKind
from backend.core.row_event_bytes import UnreadableError


class Source(Protocol):
    """Bytes that are read one after the other."""

    def take(self, size: int) -> bytes:
        """The next `size` bytes."""
        ...

    def number(self, size: int) -> int:
        """The next number, little endian, unsigned."""
        ...


_INTS = {1: ("tinyint", 1), 2: ("smallint", 2), 9: ("mediumint", 3), 3: ("int", 4), 8: ("bigint", 8)}
_YEAR, _DATE, _OLD_TIMES = 13, 10, frozenset({7, 11, 12})
_TIMES = {17: "timestamp", 18: "datetime", 19: "time"}
_COMPRESSED = frozenset({140, 141})
_INETS = {"inet4": 4, "inet6": 16}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_BLOB_SIZES = {"tiny": 1, "": 2, "medium": 3, "long": 4}


def type_mismatch(column: Column, kind: int, meta: bytes) -> str:
    """Why rows of this binlog type cannot be decoded for the column; empty where they can."""
    if kind in _COMPRESSED or "compressed" in column.column_type.lower():
        return "compressed columns cannot be decoded exactly"
    if kind in _OLD_TIMES:
        return "it is stored in the old temporal format (mysql56_temporal_format was OFF)"
    if column.kind is ValueKind.UNKNOWN:
        return f"the type {column.data_type} cannot be decoded exactly"
    if _is_same(column, kind, meta):
        return ""
    return f"it is {column.column_type} now and had another type when the rows were written"


def _is_same(column: Column, kind: int, meta: bytes) -> bool:
    name = column.data_type
    if kind in _INTS:
        return name == _INTS[kind][0]
    if kind in _TIMES:
        return name == _TIMES[kind] and (column.fraction or 0) == meta[0]
    if kind == 246:
        return name == "decimal" and (column.precision, column.scale) == (meta[0], meta[1])
    simple = {_YEAR: "year", _DATE: "date", 14: "date", 4: "float", 5: "double"}
    if kind in simple:
        return name == simple[kind]
    return _is_same_string(column, kind, meta)


def _is_same_string(column: Column, kind: int, meta: bytes) -> bool:
    name = column.data_type
    if kind == 16:
        return name == "bit" and column.precision == meta[0] + 8 * meta[1]
    if kind in (252, 249, 250, 251):
        for suffix in ("blob", "text"):
            if name.endswith(suffix):
                return _BLOB_SIZES.get(name.removesuffix(suffix)) == meta[0]
        return False
    if kind == 255:
        return column.kind is ValueKind.GEOMETRY
    if kind == 15:
        return name in ("varchar", "varbinary") and column.octets == int.from_bytes(meta, "little")
    if kind == 254:
        real, length = string_type(meta)
        if real in (247, 248):
            return name == {247: "enum", 248: "set"}[real]
        if name in _INETS:
            return length == _INETS[name]
        return name in ("char", "binary") and column.octets == length
    return False


def string_type(meta: bytes) -> tuple[int, int]:
    """Real type and length in bytes of a STRING column: lengths above 255 borrow bits of the type."""
    first, second = meta
    if first & 0x30 != 0x30:
        return first | 0x30, second | ((first & 0x30) ^ 0x30) << 4
    return first, second


def read_value(rest: Source, column: Column, kind: int, meta: bytes) -> Value:
    """The next column value; UnreadableError for a type without a reader."""
    if kind in _INTS:
        size = _INTS[kind][1]
        return int.from_bytes(rest.take(size), "little", signed=not column.is_unsigned)
    reader = _READERS.get(kind)
    if reader is None:
        raise UnreadableError(f"{column.name}: no reader for the binlog type {kind}")
    return reader(rest, column, meta)


def _float(rest: Source, column: Column, meta: bytes) -> Value:
    return repr(struct.unpack("<f", rest.take(4))[0])


def _double(rest: Source, column: Column, meta: bytes) -> Value:
    return repr(struct.unpack("<d", rest.take(8))[0])


def _year(rest: Source, column: Column, meta: bytes) -> Value:
    value = rest.number(1)
    return value and value + 1900


def _bit(rest: Source, column: Column, meta: bytes) -> Value:
    return int.from_bytes(rest.take(meta[1] + (meta[0] > 0)), "big")


def _varchar(rest: Source, column: Column, meta: bytes) -> Value:
    return rest.take(rest.number(1 if int.from_bytes(meta, "little") < 256 else 2))


def _blob(rest: Source, column: Column, meta: bytes) -> Value:
    return rest.take(rest.number(meta[0]))


def _string(rest: Source, column: Column, meta: bytes) -> Value:
    real, length = string_type(meta)
    if real in (247, 248):
        return rest.number(length)
    data = rest.take(rest.number(1 if length < 256 else 2))
    return data.ljust(length, b"\0") if column.kind is ValueKind.BINARY else data


_DIGITS = (0, 1, 1, 2, 2, 3, 3, 4, 4, 4)
"""Bytes needed for N decimal digits, by index."""


def _decimal(rest: Source, column: Column, meta: bytes) -> Value:
    """Nine digits in four bytes, most significant first; the first bit is the sign, inverted."""
    whole_digits, scale = meta[0] - meta[1], meta[1]
    whole_odd, scale_odd = whole_digits % 9, scale % 9
    size = _DIGITS[whole_odd] + whole_digits // 9 * 4 + scale // 9 * 4 + _DIGITS[scale_odd]
    data = rest.take(size)
    negative = not data[0] & 0x80
    data = bytes([data[0] ^ 0x80]) + data[1:]
    if negative:
        data = bytes(byte ^ 0xFF for byte in data)
    widths = [whole_odd] * bool(whole_odd) + [9] * (whole_digits // 9)
    behind = [9] * (scale // 9) + [scale_odd] * bool(scale_odd)
    whole, data = _digits(data, widths)
    fraction, _ = _digits(data, behind)
    text = (whole.lstrip("0") or "0") + (f".{fraction}" if scale else "")
    return f"-{text}" if negative else text


def _digits(data: bytes, widths: list[int]) -> tuple[str, bytes]:
    text = ""
    for width in widths:
        size = _DIGITS[width]
        text += str(int.from_bytes(data[:size], "big")).zfill(width)
        data = data[size:]
    return text, data


def _date(rest: Source, column: Column, meta: bytes) -> Value:
    value = rest.number(3)
    return f"{value >> 9:04d}-{value >> 5 & 15:02d}-{value & 31:02d}"


def _behind_second(value: int, digits: int) -> str:
    """`.123` of the stored fraction: two digits a byte."""
    if not digits:
        return ""
    return "." + str(value).zfill((digits + 1) // 2 * 2)[:digits]


def _time(rest: Source, column: Column, meta: bytes) -> Value:
    size = (meta[0] + 1) // 2
    value = int.from_bytes(rest.take(3 + size), "big") - (0x800000 << 8 * size)
    sign, value = ("-", -value) if value < 0 else ("", value)
    hms, behind = value >> 8 * size, value & (1 << 8 * size) - 1
    clock = f"{hms >> 12 & 0x3FF:02d}:{hms >> 6 & 63:02d}:{hms & 63:02d}"
    return sign + clock + _behind_second(behind, meta[0])


def _datetime(rest: Source, column: Column, meta: bytes) -> Value:
    value = int.from_bytes(rest.take(5), "big") - 0x8000000000
    behind = int.from_bytes(rest.take((meta[0] + 1) // 2), "big")
    days, clock = value >> 17, value & 0x1FFFF
    months = days >> 5
    day = f"{months // 13:04d}-{months % 13:02d}-{days & 31:02d}"
    return f"{day} {clock >> 12:02d}:{clock >> 6 & 63:02d}:{clock & 63:02d}" + _behind_second(behind, meta[0])


def _timestamp(rest: Source, column: Column, meta: bytes) -> Value:
    """UTC; the zero timestamp is a value of its own."""
    seconds = int.from_bytes(rest.take(4), "big")
    behind = _behind_second(int.from_bytes(rest.take((meta[0] + 1) // 2), "big"), meta[0])
    if not seconds:
        if behind.strip(".0"):
            raise UnreadableError(f"{column.name}: a timestamp of zero seconds with a fraction")
        return "0000-00-00 00:00:00" + behind
    return _utc(seconds) + behind


def _utc(seconds: int) -> str:
    return f"{_EPOCH + timedelta(seconds=seconds):%Y-%m-%d %H:%M:%S}"


_READERS: dict[int, Callable[[Source, Column, bytes], Value]] = {
    4: _float,
    5: _double,
    _DATE: _date,
    14: _date,
    _YEAR: _year,
    15: _varchar,
    16: _bit,
    17: _timestamp,
    18: _datetime,
    19: _time,
    246: _decimal,
    249: _blob,
    250: _blob,
    251: _blob,
    252: _blob,
    254: _string,
    255: _blob,
}
