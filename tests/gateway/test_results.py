"""Results read as they come in: in any pieces, again from memory, and never from bytes that are none."""

from __future__ import annotations

import pytest

from backend.gateway.polling import results as module
from backend.gateway.polling.results import ProtocolError, Remembered, Results, as_tuple, by_name
from bench.fleet.stand_in.protocol import REFUSED, Answer, Joined, packet

PAIRS = Answer([("Variable_name", 253), ("Value", 253)], [["server_id", "11"], ["count", "{count}"], ["none", None]])
PLACE = Answer([("File", 253), ("Position", 8)], [["binlog.000002", "{offset}"]])
BYTES = Joined([PAIRS, PLACE]).packets({"count": "7", "offset": "733"})


def with_row(body: bytes) -> bytes:
    """A result of one column whose only row is these bytes."""
    count, column, end, _, last = Answer([("Info", 253)], [["a"]]).bodies({}, more=False)
    return b"".join(packet(number, one) for number, one in enumerate((count, column, end, body, last), 1))


ROWS = [
    [
        {"Variable_name": "server_id", "Value": "11"},
        {"Variable_name": "count", "Value": "7"},
        {"Variable_name": "none", "Value": None},
    ],
    [{"File": "binlog.000002", "Position": 733}],
]


@pytest.mark.parametrize("size", [1, 3, 64, 4096])
def test_results__in_pieces_of_any_size__the_rows(size: int) -> None:
    results = Results([Remembered(), Remembered()], by_name)
    for start in range(0, len(BYTES), size):
        assert not results.is_complete
        results.feed(BYTES[start : start + size])
    assert (results.is_complete, results.rows, results.error) == (True, ROWS, None)


def test_results__one_value_moved__the_other_rows_are_those_of_last_time() -> None:
    memories = [Remembered(), Remembered()]
    first, second = (Results(memories, by_name) for _ in range(2))
    first.feed(BYTES)
    second.feed(Joined([PAIRS, PLACE]).packets({"count": "8", "offset": "733"}))
    assert second.rows[0][1] == {"Variable_name": "count", "Value": "8"}
    assert second.rows[0][0] is first.rows[0][0]
    assert second.rows[1] is first.rows[1]


def test_results__second_statement_refused__the_first_is_answered_and_the_refusal_known() -> None:
    results = Results([Remembered(), Remembered()], as_tuple)
    first = Joined([PLACE, PLACE]).packets({"offset": "4"})
    results.feed(first[: len(first) // 2] + packet(7, REFUSED))
    assert results.rows == [[(b"binlog.000002", 4)]]
    assert results.error == (1064, "no answer to this statement was recorded")


@pytest.mark.parametrize(
    "data",
    [
        packet(1, b""),
        packet(1, b"\0\0\0\2\0\0\0"),
        b"\xff\xff\xff\1" + b"x",
        packet(1, b"\1") + packet(2, b"\xff" * 40) + packet(3, b"\xfe\0\0\2\0") + packet(4, b"\xfc"),
        packet(1, b"\1") + packet(2, b"\3def"),
        BYTES[:-9] + packet(9, b"\5ab") + BYTES[-9:],
        BYTES.replace(b"\x03733", b"\x0373x"),
        with_row(b"\1ab"),
        with_row(b""),
    ],
)
def test_results__bytes_that_are_no_answer__an_error_of_its_own(data: bytes) -> None:
    results = Results([Remembered(), Remembered()], by_name)
    try:
        results.feed(data)
    except ProtocolError:
        return
    assert results.error is not None


def test_results__more_rows_than_a_statement_of_hawser_has__an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ROWS", 2)
    with pytest.raises(ProtocolError, match="more than 2 rows"):
        Results([Remembered(), Remembered()], by_name).feed(BYTES)


@pytest.mark.parametrize(("length", "stored"), [(16_000, 16_000), (20_000, 16_384)])
def test_results__a_long_text_of_many_rows__stored_shortened(length: int, stored: int) -> None:
    results = Results([Remembered()], as_tuple)
    results.feed(with_row(b"\xfc" + length.to_bytes(2, "little") + b"x" * length))
    text = results.rows[0][0][0]
    assert text[:stored] == b"x" * stored
    assert (len(text) == length) is (length == stored)
