"""Where the model's source begins to send by GTID: each line was asked of two servers of 10.11.19."""

from __future__ import annotations

import pytest

from backend.core.positions import MariadbGtid, MariadbGtidSet
from tests.fakes.gtid_start import beginning
from tests.fakes.log import FakeLog
from tests.fakes.transactions import Txn

REFUSED = None


def log_of(*gtids: str) -> FakeLog:
    log = FakeLog(server_id=10)
    for number, text in enumerate(gtids, start=1):
        log.append(Txn(number, 10, "INSERT"), number, MariadbGtid.parse(text))
    return log


def sent(log: FakeLog, asked: str, applied: str = "") -> list[str] | None:
    found = beginning(log, MariadbGtidSet.parse(asked), MariadbGtidSet.parse(applied), 10)
    return REFUSED if found is None else [str(p.gtid) for p in log.placed if found.sends(p)]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("0-10-16", ["0-10-17", "0-20-16"]),
        ("0-20-16", []),
        ("0-10-17", ["0-20-16"]),
        ("0-30-16", REFUSED),
        ("0-20-17", REFUSED),
        ("", ["0-10-16", "0-10-17", "0-20-16"]),
        ("7-10-9", ["0-10-16", "0-10-17", "0-20-16"]),
    ],
)
def test_begin__a_number_twice_in_a_domain__the_very_gtid_is_looked_for(asked: str, expected: list[str] | None) -> None:
    assert sent(log_of("0-10-16", "0-10-17", "0-20-16"), asked) == expected


@pytest.mark.parametrize(
    ("asked", "expected"),
    [("0-10-3", ["0-10-5", "0-20-6"]), ("0-20-3", ["0-20-6"]), ("0-10-6", REFUSED)],
)
def test_begin__a_hole_in_the_log__goes_on_behind_it(asked: str, expected: list[str] | None) -> None:
    assert sent(log_of("0-10-2", "0-10-5", "0-20-6"), asked) == expected


@pytest.mark.parametrize(("asked", "expected"), [("0-30-4", ["0-10-5", "0-20-6"]), ("0-30-9", [])])
def test_begin__what_the_source_itself_applied_last__goes_on_with_its_own(asked: str, expected: list[str]) -> None:
    assert sent(log_of("0-10-2", "0-10-5", "0-20-6"), asked, applied=asked) == expected


@pytest.mark.parametrize(("written", "expected"), [("7-10-1", REFUSED), ("7-10-9", []), ("7-10-11", ["7-10-11"])])
def test_begin__a_domain_nobody_knew__is_judged_when_it_turns_up(written: str, expected: list[str] | None) -> None:
    log = log_of("0-10-2")
    found = beginning(log, MariadbGtidSet.parse("0-10-2,7-10-9"), MariadbGtidSet(), 10)
    placed = log.append(Txn(2, 10, "INSERT"), 2, MariadbGtid.parse(written))

    assert found is not None
    assert found.meets(log, placed) is (expected is not REFUSED)
    assert expected is REFUSED or [str(p.gtid) for p in log.placed if found.sends(p)] == expected
