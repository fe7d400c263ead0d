"""What is read of an answer again: rows that changed, and whatever a deciding setting changes."""

from __future__ import annotations

import random
from typing import Any

import pytest

from backend.core.dialects.mariadb import MariadbDialect
from backend.gateway.polling.readings import Readings
from backend.gateway.polling.results import Remembered, Results, by_name
from bench.fleet.stand_in.protocol import Answer, Joined

SETTINGS = {
    "version": "10.5.23-MariaDB",
    "version_comment": "MariaDB",
    "server_id": "11",
    "gtid_binlog_pos": "0-11-1",
    "Read_Only": "OFF",
    "replicate_rewrite_db": "",
    "wsrep_provider_options": "gcache.size = 128M; pc.weight = 1",
}


def rows_of(settings: dict[str, str], before: list[Any] | None = None) -> list[Any]:
    """Rows as `results` gives them: those that did not change are the same objects."""
    rows = [{"Variable_name": name, "Value": value} for name, value in settings.items()]
    known = before or []
    return [next((old for old in known if old == row), row) for row in rows]


@pytest.mark.parametrize(
    "changed",
    [
        {"gtid_binlog_pos": "0-11-2"},
        {"Read_Only": "ON", "server_id": "12"},
        {"version": "11.8.9-MariaDB"},
        {"wsrep_provider_options": "gcache.size = 64M; pc.weight = 0"},
        {"replicate_rewrite_db": "a->b"},
        {"one_more": "1"},
        {},
    ],
)
def test_settings__some_changed__as_if_all_were_read(changed: dict[str, str]) -> None:
    readings, before = Readings(), rows_of(SETTINGS)
    first = readings.settings(before)
    rows = rows_of(SETTINGS | changed, before)
    for _ in range(2):
        found, fresh = readings.settings(rows), Readings().settings(rows)
        assert (found.flavor, found.version, found.variables) == (fresh.flavor, fresh.version, fresh.variables)
        assert type(found.dialect) is type(fresh.dialect)
    assert first.variables["gtid_binlog_pos"] == "0-11-1"


def test_settings__another_server_answers__its_own_family() -> None:
    readings, before = Readings(), rows_of(SETTINGS)
    readings.settings(before)
    other = SETTINGS | {"version": "8.0.36-28.1", "version_comment": "Percona XtraDB Cluster (GPL)"}
    assert readings.settings(rows_of(other, before)).flavor == "pxc"


def test_pairs__rows_in_another_order__read_as_a_whole() -> None:
    readings, parse = Readings(), MariadbDialect().parse_pairs
    before = rows_of({"a": "1", "b": "2"})
    readings.pairs("status", before, parse)
    assert readings.pairs("status", before[::-1], parse) == {"a": "1", "b": "2"}
    assert readings.pairs("status", rows_of({"a": "1"}), parse) == {"a": "1"}


def test_of__rows_of_another_answer__read_again() -> None:
    readings = Readings()
    rows: list[int] = [1]
    assert readings.of("channels", rows, tuple) is readings.of("channels", rows, tuple)
    assert readings.of("channels", [2], tuple) == (2,)


def test_results__answers_that_change_at_random__the_rows_of_each() -> None:
    chance, memory = random.Random(7), [Remembered(), Remembered()]
    values = [[f"name{i}", "x"] for i in range(12)]
    for _ in range(200):
        for row in values:
            row[1] = chance.choice(["x", "x", "xx", "%b"])
        shown = values[: chance.choice([12, 12, 12, 11])]
        data = Joined([Answer([("Variable_name", 253), ("Value", 253)], shown)] * 2).packets({})
        results, fresh = Results(memory, by_name), Results([Remembered(), Remembered()], by_name)
        cut = chance.randrange(len(data))
        for part in (data[:cut], data[cut:]):
            results.feed(part)
        fresh.feed(data)
        assert results.rows == fresh.rows
