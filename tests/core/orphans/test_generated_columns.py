"""Row images without the columns that the server computes, as 11.8 logs UPDATE and DELETE under FULL."""

from __future__ import annotations

import struct
from dataclasses import replace

import pytest

from backend.core.orphans.model import Column, TableShape
from backend.core.orphans.rows.row_events import TableMap, row_changes, table_map
from backend.core.orphans.rows.row_keys import row_key_of
from backend.core.orphans.rows.row_lookup import row_of
from backend.core.orphans.serialization import shown_image
from backend.core.row_event_bytes import UnreadableError

SHAPE = TableShape(
    "shop",
    "goods",
    (
        Column("id", "int", "int(11)"),
        Column("twice", "int", "int(11)", is_generated=True),
        Column("price", "int", "int(11)"),
    ),
    (("id",),),
)
MAPPED = TableMap("shop", "goods", (3, 3, 3), (b"", b"", b""), None)
WRITE, UPDATE, DELETE = 23, 24, 25
HEAD = bytes(6) + b"\x01\x00" + b"\x03"


def ints(*values: int) -> bytes:
    """Values as logged."""
    return b"".join(struct.pack("<i", value) for value in values)


def images(kind: int, body: bytes, shape: TableShape = SHAPE) -> list[object]:
    """Before and after of the rows in one event."""
    return [(change.before, change.after) for change in row_changes(kind, HEAD + body, MAPPED, shape)]


def test_update__computed_column_is_not_logged__every_other_value_in_its_place() -> None:
    body = b"\x05\x05" + b"\x00" + ints(1, 10) + b"\x02" + ints(1)  # the second bit is price, the second that is there
    assert images(UPDATE, body) == [((1, None, 10), (1, None, None))]


def test_insert__logged_whole__as_an_update_would_tell_it() -> None:
    """The same row must be the same whichever event tells of it: rows without a key are compared whole."""
    inserted = images(WRITE, b"\x07" + b"\x00" + ints(1, 2, 10))
    deleted = images(DELETE, b"\x05" + b"\x00" + ints(1, 10))
    assert inserted == [(None, (1, None, 10))]
    assert deleted == [((1, None, 10), None)]
    keyless = replace(SHAPE, keys=())
    assert row_key_of((1, None, 10), keyless) == row_key_of(row_of(keyless, ("1", "2", "10")), keyless)


def test_update__computed_column_is_part_of_a_unique_key__refused_with_that_reason() -> None:
    keyed = replace(SHAPE, keys=(("id",), ("twice",)))
    with pytest.raises(UnreadableError, match="no value of the generated column twice, which is part of a unique key"):
        images(UPDATE, b"\x05\x05" + b"\x00" + ints(1, 10) + b"\x00" + ints(1, 11), keyed)
    assert images(WRITE, b"\x07" + b"\x00" + ints(1, 2, 10), keyed) == [(None, (1, 2, 10))]


def test_update__another_column_is_missing__refused() -> None:
    with pytest.raises(UnreadableError, match="binlog_row_image was not FULL"):
        images(UPDATE, b"\x03\x03" + b"\x00" + ints(1, 2) + b"\x00" + ints(1, 2))


RECORDED = TableShape(
    "bank",
    "g2",
    (
        Column("id", "int", "int(11)"),
        Column("twice", "int", "int(11)", is_generated=True),
        Column("price", "int", "int(11)"),
        Column("st", "int", "int(11)", is_generated=True),
    ),
)


def test_recorded__events_of_11_8__every_value_in_its_place() -> None:
    """INSERT (1, 10), UPDATE price=11 and DELETE on 11.8.9, as the dump protocol sent them."""
    _, mapped = table_map(bytes.fromhex("1f000000000001000462616e6b00026732000403030303000f"))
    insert = "1f00000000000100040ff001000000020000000a0000000b000000"
    update = "1f00000000000100040505fc010000000a000000fc010000000b000000"
    delete = "1f000000000001000405fc010000000b000000"
    found = [
        (change.before, change.after)
        for kind, body in ((WRITE, insert), (UPDATE, update), (DELETE, delete))
        for change in row_changes(kind, bytes.fromhex(body), mapped, RECORDED)
    ]
    old, new = (1, None, 10, None), (1, None, 11, None)
    assert found == [(None, old), (old, new), (new, None)]


def test_shown__computed_column__left_out() -> None:
    assert shown_image((1, None, 10), SHAPE) == {"id": 1, "price": 10}
