"""A log that began anew under a connected channel: what is behind that channel's place is not known."""

from __future__ import annotations

import pytest

from backend.core.dialects import dialect_for
from backend.core.positions import FilePosition
from backend.gateway.tail import BinlogTail

MARIADB = dialect_for("mariadb", "10.11.19-MariaDB")


def _place(offset: int) -> FilePosition:
    return FilePosition("binlog.000001", offset)


@pytest.mark.parametrize(("end", "gap"), [(900, 0), (325, None)], ids=["goes on", "began anew"])
def test_gap__the_channel_stands_beyond_the_log_as_read__zero_unless_the_log_was_longer_before(
    end: int, gap: int | None
) -> None:
    """Read a moment later a channel may stand further on; after RESET MASTER it stands in a log that is gone."""
    tail = BinlogTail(_place(800))
    tail.advance(lambda sql: [], MARIADB, _place(end))
    assert tail.gap_after(_place(1126), ()) == gap


def test_gap__the_log_began_anew_and_the_channel_reads_it__counted_again() -> None:
    tail = BinlogTail(_place(800))
    tail.advance(lambda sql: [], MARIADB, _place(325))
    assert tail.gap_after(_place(325), ()) == 0
