"""Rows of a transaction have one digest in every log that has them, however its events tell them."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence

import pytest

from backend.core.row_digests import Apart, RowDigester, TableRows, apart
from tests.core.builders.raw_logs import RawLog, SmallRow

INSERT, UPDATE, DELETE = 23, 24, 25
PACKED, V2 = 143, 7
"""From the kind of an event to that of one whose rows are compressed, and to one with an extra head."""
BEGUN = (162, struct.pack("<QIB", 5, 0, 0))
ENDED = (16, bytes(8))
Event = tuple[int, bytes]


def events_of(*changes: tuple[SmallRow | None, SmallRow | None], **options: object) -> list[Event]:
    """Of one transaction, but for its first and last one."""
    log = RawLog()
    for before, after in changes:
        log.write(11, before, after, **options)  # type: ignore[arg-type]
    return [(one.kind, one.body) for one in log.events if one.kind not in (162, 16)]


def digests(events: Iterable[Event]) -> Mapping[str, TableRows] | None:
    digester = RowDigester()
    ends = [digester.take(kind, body, 11) for kind, body in (BEGUN, *events, ENDED)]
    assert ends == [False] * (len(ends) - 1) + [True]
    assert digester.gtid == (0, 11, 5)
    return digester.digests()


def are_same(one: Iterable[Event], other: Iterable[Event]) -> bool:
    return apart(digests(one) or {}, digests(other) or {}) == Apart(frozenset(), frozenset())


HEAD = 10
"""The bytes of a row event of two columns before its rows."""
ROW = events_of((None, (1, "one")))


def rows_apart(other: list[Event]) -> Apart:
    return apart(digests(ROW) or {}, digests(other) or {})


@pytest.mark.parametrize(
    "other",
    [
        events_of((None, (1, "two"))),
        events_of((None, (2, "one"))),
        events_of(((1, "one"), None)),
        events_of(((1, "one"), (1, "one"))),
        events_of((None, (1, "one")), (None, (1, "one"))),
    ],
)
def test_other_rows__differ(other: list[Event]) -> None:
    assert digests(other) != digests(ROW)


def test_other_value__told_of_its_table() -> None:
    assert rows_apart(events_of((None, (1, "two")))) == Apart(frozenset(), frozenset({"shop.small"}))


def test_rows_before_a_change__compared() -> None:
    changed, found = events_of(((1, "one"), (1, "two"))), events_of(((1, "six"), (1, "two")))
    assert not are_same(changed, found)


def test_other_columns__told_as_that_and_their_rows_are_not_compared() -> None:
    assert rows_apart(events_of((None, (1, "")), is_narrow=True)) == Apart(frozenset({"shop.small"}), frozenset())


def test_another_table__nothing_to_compare() -> None:
    assert rows_apart(events_of((None, (9, "nine")), table="large")) == Apart(frozenset(), frozenset())


def test_image_of_fewer_columns__not_compared() -> None:
    found = rows_apart(events_of((None, (9, "nine")), is_whole=False))
    assert found == Apart(frozenset(), frozenset(), frozenset({"shop.small"}))


def test_rows_in_one_event_or_in_two__the_same() -> None:
    described, first, _, second = events_of((None, (1, "one")), (None, (2, "two")))
    together = first[0], first[1] + second[1][HEAD:]
    assert are_same([described, first, second], [described, together])


def test_table_under_another_number_and_flags__the_same() -> None:
    (_, mapped), (kind, body) = ROW
    renumbered = [(19, bytes([9]) + mapped[1:]), (kind, bytes([9]) + body[1:6] + b"\0\0" + body[8:])]
    assert are_same(ROW, renumbered)


def test_row_metadata_behind_the_columns__the_same() -> None:
    (_, mapped), rows = ROW
    assert are_same(ROW, [(19, mapped + b"\4\4\3one"), rows])


def test_compressed_rows__the_same() -> None:
    described, (kind, body) = ROW
    head, rows = body[:HEAD], body[HEAD:]
    packed = head + bytes([0x81, len(rows)]) + zlib.compress(rows)
    assert are_same(ROW, [described, (kind + PACKED, packed)])
    assert digests([described, (kind + PACKED, head + b"\x81\1junk")]) is None


def test_event_with_an_extra_head__the_same() -> None:
    described, (kind, body) = ROW
    assert are_same(ROW, [described, (kind + V2, body[:8] + struct.pack("<H", 5) + b"abc" + body[8:])])


def test_tables_in_another_order__the_same() -> None:
    one, other = ROW, events_of((None, (1, "one")), table="large")
    assert are_same([*one, *other], [*other, *one])


def test_order_of_kinds_within_a_table__compared() -> None:
    put, taken = events_of((None, (1, "one"))), events_of(((1, "one"), None))
    assert not are_same([*put, *taken], [*taken, *put])


@pytest.mark.parametrize("kind", [140, 141])
def test_compressed_columns__not_compared_as_their_length_is_a_servers_own(kind: int) -> None:
    def with_type(events: list[Event]) -> list[Event]:
        (_, mapped), rows = events
        at = mapped.index(bytes([2, 3, 15])) + 2
        return [(19, mapped[:at] + bytes([kind]) + mapped[at + 1 :]), rows]

    one, other = (digests(with_type(events)) or {} for events in (ROW, events_of((None, (1, "two")))))
    assert apart(one, other) == Apart(frozenset(), frozenset(), frozenset({"shop.small"}))


ALL, CHANGED = 0xFF, 0x81
"""Which columns the rows of a SEQUENCE have, and with binlog_row_image=MINIMAL."""


def of_sequences_columns(*changes: tuple[int, Sequence[bytes]], image: int = ALL, number: int = 8) -> list[Event]:
    """Of a table that has the columns of a SEQUENCE, the first four of them numbers of this type."""
    types = bytes([number] * 4 + [8, 8, 1, 8])
    described = 19, ROW[0][1][:8] + b"\4shop\0\3seq\0" + bytes([8]) + types + b"\0" + b"\0"
    head = ROW[0][1][:6] + b"\1\0\x08"
    parts = ((kind, head + bytes([image] * (2 if kind == UPDATE else 1)) + b"".join(rows)) for kind, rows in changes)
    return [described, *parts]


def eight(following: int, least: int, most: int, start: int, *, letter: str = "q") -> bytes:
    """A row."""
    return b"\0" + struct.pack(f"<4{letter}", following, least, most, start) + struct.pack("<qqbq", 0, 1000, 0, 0)


OF_SEQUENCE = eight(1001, 1, 2**63 - 2, 1)


@pytest.mark.parametrize(
    "events",
    [
        of_sequences_columns((INSERT, [OF_SEQUENCE])),
        of_sequences_columns((INSERT, [OF_SEQUENCE]), (INSERT, [OF_SEQUENCE, eight(-6, -5, -1, -1)])),
        of_sequences_columns((INSERT, [eight(-8, -7, 300, 3)])),
        of_sequences_columns((INSERT, [eight(1, 1, 2**31 - 2, 1, letter="i")]), number=3),
        of_sequences_columns((INSERT, [eight(1, 1, 2**64 - 2, 1, letter="Q")])),
        of_sequences_columns((INSERT, [b"\0" + struct.pack("<qq", 7, 0)]), image=CHANGED),
    ],
)
def test_sequence__its_numbers_are_a_nodes_own__not_compared(events: list[Event]) -> None:
    found = digests([*ROW, *events]) or {}
    assert found["shop.seq"].rows is None
    assert found["shop.small"] == (digests(ROW) or {})["shop.small"]


@pytest.mark.parametrize("other", [(9, 3), (2, 4)])
@pytest.mark.parametrize("kind", [UPDATE, DELETE])
def test_table_with_a_sequences_columns__changed_as_no_sequence_is__compared(kind: int, other: tuple[int, int]) -> None:
    one, another = (
        of_sequences_columns((INSERT, [OF_SEQUENCE]), (kind, [eight(value, 1, 9, 1) for value in values]))
        for values in ((2, 3), other)
    )
    assert apart(digests(one) or {}, digests(another) or {}).rows == {"shop.seq"}


@pytest.mark.parametrize(
    ("row", "image"), [(eight(1, 5, 2, 3), ALL), (eight(1, 2, 5, 9), ALL), (eight(1, 1, 9, 1), 0x83)]
)
def test_table_with_a_sequences_columns__row_that_no_sequence_has__compared(row: bytes, image: int) -> None:
    one, another = (
        of_sequences_columns((INSERT, [OF_SEQUENCE, last]), image=image) for last in (row, row[:-1] + b"\1")
    )
    assert apart(digests(one) or {}, digests(another) or {}).rows == {"shop.seq"}


def test_table_with_a_sequences_columns__rows_in_one_event_or_in_two__the_same() -> None:
    row = eight(1, 5, 2, 3)
    together = of_sequences_columns((INSERT, [OF_SEQUENCE, row]))
    assert digests(together) == digests(of_sequences_columns((INSERT, [OF_SEQUENCE]), (INSERT, [row])))


def test_rows_of_a_table_that_was_not_described__nothing_is_told() -> None:
    assert digests(ROW[1:]) is None


def test_event_that_was_passed_over__nothing_is_told_until_the_next_group() -> None:
    digester = RowDigester()
    for kind, body in (BEGUN, *ROW):
        digester.take(kind, body, 11)
    digester.skip()
    digester.take(*ENDED, 11)
    assert digester.digests() is None
    for kind, body in (BEGUN, *ROW, ENDED):
        digester.take(kind, body, 11)
    assert digester.digests() == digests(ROW)


@pytest.mark.parametrize(
    ("flags", "text", "is_end"),
    [(0, b"COMMIT", True), (0, b"ROLLBACK", True), (0, b"SAVEPOINT `a`", False), (1, b"DROP TABLE t", True)],
)
def test_statement__ends_a_group_that_is_one_or_commits_it(flags: int, text: bytes, is_end: bool) -> None:
    digester = RowDigester()
    digester.take(162, struct.pack("<QIB", 5, 0, flags), 11)
    assert digester.take(2, bytes(13) + b"bank\0" + text, 11) is is_end
