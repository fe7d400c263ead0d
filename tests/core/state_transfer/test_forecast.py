"""The forecast of an SST against the lab's runs; unknown facts and absurd inputs."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.adviser.state_transfer.forecast import (
    Forecast,
    Inputs,
    Method,
    Part,
    PartName,
    forecast,
    method_given,
    method_named,
)
from backend.core.adviser.state_transfer.measured import CHECKLIST, RUNS
from backend.core.estimates import FieldError, Unknown

GB = 1e9


def made(**changes: Any) -> Forecast:
    given: dict[str, Any] = {"data_bytes": GB, "method": Method.MARIABACKUP, "line_bits_per_s": 200e6} | changes
    return forecast(Inputs(**given))


def part(found: Forecast, name: PartName) -> Part:
    return next(one for one in found.parts if one.name is name)


def test_forecast__thin_line__eleven_percent_below_the_run() -> None:
    found = made()
    assert found.is_whole
    assert found.known_s == pytest.approx(59.6)
    assert found.known_s / RUNS[3].seconds == pytest.approx(0.89, abs=0.01)


def test_forecast__four_writers__within_a_tenth_of_the_run() -> None:
    found = made(
        line_bits_per_s=None,
        throughput_bytes_per_s=1.24 * GB / 26,
        write_sets_per_s=76_600 / 26,
        apply_per_s=1e6,
    )
    assert part(found, PartName.PREPARE).seconds == pytest.approx(1.3, abs=0.01)
    assert found.known_s == pytest.approx(RUNS[1].seconds, rel=0.1)


def test_forecast__line_and_throughput__the_slower_one_counts() -> None:
    assert part(made(throughput_bytes_per_s=1e6), PartName.COPY).seconds == pytest.approx(1240)


@given(st.floats(1, 1e15), st.floats(1, 1e3))
def test_forecast__more_data__never_shorter(size: float, factor: float) -> None:
    assert made(data_bytes=size).known_s <= made(data_bytes=size * factor).known_s


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"data_bytes": Unknown("not given")}, "not given"),
        ({"method": Unknown("not read")}, "not read"),
        ({"method": Method.MYSQLDUMP}, "not measured"),
        ({"line_bits_per_s": None}, "rate of the line"),
    ],
)
def test_forecast__a_fact_is_missing__copy_and_what_follows_are_unknown(changes: dict[str, Any], reason: str) -> None:
    found = made(write_sets_per_s=10.0, apply_per_s=100.0, **changes)
    copy = part(found, PartName.COPY).seconds
    assert isinstance(copy, Unknown)
    assert reason in copy.reason
    assert isinstance(part(found, PartName.CATCH_UP).seconds, Unknown)
    assert isinstance(found.queued_bytes, Unknown)
    assert (found.is_whole, found.known_s) == (False, 10.0)


def test_forecast__write_rate_unknown__prepare_catch_up_and_queue_are() -> None:
    unknown = Unknown("not counted")
    found = made(write_sets_per_s=unknown, bytes_per_s=unknown)
    assert part(found, PartName.PREPARE).seconds == part(found, PartName.CATCH_UP).seconds == unknown
    assert isinstance(found.queued_bytes, Unknown)


def test_forecast__catch_up__queue_over_the_spare_rate() -> None:
    found = made(write_sets_per_s=100.0, apply_per_s=300.0, bytes_per_s=1e5)
    waited = 49.6 * (1 + 100 / 58_900)
    assert part(found, PartName.CATCH_UP).seconds == pytest.approx(waited / 2)
    assert found.queued_bytes == pytest.approx(waited * 1e5)


def test_forecast__applies_no_faster_than_is_written__never_catches_up() -> None:
    found = part(made(write_sets_per_s=100.0, apply_per_s=100.0), PartName.CATCH_UP).seconds
    assert isinstance(found, Unknown)
    assert "never catch up" in found.reason


def test_forecast__rsync__nothing_to_prepare_and_said_not_to_be_measured() -> None:
    found = made(method=Method.RSYNC, write_sets_per_s=50.0, apply_per_s=100.0)
    assert part(found, PartName.PREPARE).seconds == 0.0
    assert "not measured" in part(found, PartName.COPY).basis


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("data_bytes", {"data_bytes": 0}),
        ("data_bytes", {"data_bytes": float("nan")}),
        ("line_mbit_per_s", {"line_bits_per_s": -1.0}),
        ("throughput_mb_per_s", {"throughput_bytes_per_s": float("inf")}),
        ("apply_per_s", {"apply_per_s": -1.0}),
    ],
)
def test_forecast__absurd_input__names_its_field(field: str, changes: dict[str, Any]) -> None:
    with pytest.raises(FieldError) as refused:
        made(**changes)
    assert refused.value.field == field
    assert field in str(refused.value)


def test_method__named_or_given() -> None:
    assert method_named("rsync") is Method.RSYNC
    assert isinstance(method_named(None), Unknown)
    assert isinstance(method_named("clone"), Unknown)
    with pytest.raises(FieldError, match="mariabackup, rsync, mysqldump"):
        method_given("floppy")


def test_evidence__each_entry__says_what_was_measured() -> None:
    assert len({one.key for one in CHECKLIST}) == len(CHECKLIST)
    assert all(one.evidence and one.what for one in CHECKLIST)
    assert all(run.source for run in RUNS)
