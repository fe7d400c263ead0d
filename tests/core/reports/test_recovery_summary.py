"""Recovery time and point of a link, from the source that knows best."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from backend.core.reports.recovery_summary import Recovery, Source, recovery_point, recovery_time

NOW = datetime(2026, 11, 26, tzinfo=UTC)
RUN = Recovery(Source.RUN, NOW - timedelta(days=30), "r_1", recovery_s=4.0, transactions=7, loss_s=2.0)
REHEARSAL = Recovery(Source.REHEARSAL, NOW - timedelta(days=1), "h_1", recovery_s=2.5, transactions=3, loss_s=1.0)
OBSERVED = Recovery(Source.OBSERVED, NOW, transactions=0, loss_s=0.0)


def test_recovery__no_source__unknown() -> None:
    assert recovery_time([]) is recovery_point([]) is None
    assert recovery_time([OBSERVED]) is None, "no source has measured how long it takes"
    assert recovery_point([replace(OBSERVED, transactions=None)]) is None, "an unknown gap is not zero"


def test_recovery_time__run_and_rehearsal__the_newer_one_with_its_source() -> None:
    assert recovery_time([RUN, REHEARSAL]) == {
        "seconds": 2.5,
        "source": "rehearsal",
        "at": REHEARSAL.at,
        "source_id": "h_1",
    }
    assert (recovery_time([RUN, replace(REHEARSAL, recovery_s=None)]) or {})["source"] == "run"


def test_recovery_point__observed_now__before_all_others() -> None:
    sources = [RUN, REHEARSAL, replace(OBSERVED, at=NOW - timedelta(days=2))]
    assert recovery_point(sources) == {
        "transactions": 0,
        "seconds": 0.0,
        "source": "observed",
        "at": NOW - timedelta(days=2),
        "source_id": None,
    }


def test_recovery_point__gap_unknown_now__the_newest_other_source() -> None:
    found = recovery_point([RUN, REHEARSAL, replace(OBSERVED, transactions=None)]) or {}
    assert (found["transactions"], found["source"], found["source_id"]) == (3, "rehearsal", "h_1")
