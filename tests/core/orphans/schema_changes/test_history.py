"""Which definition a table had at each moment, and which changes left no trace."""

from __future__ import annotations

import pytest

from backend.core.orphans.model import Column, TableShape
from backend.core.orphans.schema_changes.history import NO_INVERSE, SchemaHistory, read_history


def shape(*columns: str, keys: tuple[tuple[str, ...], ...] = (("id",),), table: str = "t") -> TableShape:
    return TableShape("shop", table, tuple(Column(name, "int", "int(11)") for name in columns), keys)


def history(*statements: str) -> SchemaHistory:
    return read_history([f"use `shop`; {sql}" for sql in statements])


def columns(one: TableShape | None) -> list[str] | None:
    return None if one is None else [column.name for column in one.columns]


def test_history__columns_added_one_after_the_other__each_moment_has_its_own() -> None:
    found = history("ALTER TABLE t ADD a INT", "ALTER TABLE u ADD x INT", "ALTER TABLE t ADD b INT FIRST")
    now = shape("b", "id", "a")
    at = [found.version("shop.t", passed) for passed in range(4)]
    assert at == [2, 1, 1, 0]
    assert [columns(found.shape(now, version)) for version in (2, 1, 0)] == [["id"], ["id", "a"], ["b", "id", "a"]]
    assert found.shape(now, 0) == now


def test_history__table_created__was_not_there_before() -> None:
    found = history("CREATE TABLE t (id INT PRIMARY KEY)", "ALTER TABLE t ADD a INT")
    assert [columns(found.shape(shape("id", "a"), version)) for version in (2, 1)] == [None, ["id"]]


def test_history__created_if_not_exists__may_have_been_there() -> None:
    found = history("CREATE TABLE IF NOT EXISTS t (id INT PRIMARY KEY)")
    assert columns(found.shape(shape("id"), 1)) == ["id"]


def test_history__unique_keys__of_the_columns_and_indexes_that_were_added_are_gone() -> None:
    found = history("ALTER TABLE t ADD a INT UNIQUE, ADD UNIQUE KEY k (id, b)")
    now = shape("id", "b", "a", keys=(("id",), ("a",), ("id", "b")))
    before = found.shape(now, 1)
    assert before is not None
    assert (before.keys, before.refusals) == ((("id",),), ())


def test_history__key_that_names_rows_was_added__rows_cannot_be_followed() -> None:
    found = history("CREATE UNIQUE INDEX k ON t (id)")
    before = found.shape(shape("id", "b"), 1)
    assert before is not None
    assert "changed the key of" in before.refusals[0]


def test_history__created_and_dropped__leaves_no_trace() -> None:
    found = history("CREATE TABLE t (id INT)", "ALTER TABLE t ADD a INT", "DROP TABLE t", "CREATE TABLE t (id INT)")
    assert found.void == {0, 1, 2}
    assert found.refused == {}
    assert [found.is_void("shop.t", passed) for passed in range(5)] == [False, True, True, False, False]
    assert found.version("shop.t", 4) == 0
    assert found.version("shop.t", 3) == 1


def test_history__dropped_if_exists_after_a_drop__no_trace_either() -> None:
    assert history("CREATE TABLE t (id INT)", "DROP TABLE t", "DROP TABLE IF EXISTS t").void == {0, 1, 2}


@pytest.mark.parametrize(
    "statements",
    [
        ("DROP TABLE t",),
        ("DROP TABLE IF EXISTS t",),
        ("CREATE TABLE IF NOT EXISTS t (id INT)", "DROP TABLE t"),
        ("ALTER TABLE t ADD a INT", "DROP TABLE t"),
    ],
)
def test_history__table_of_before_dropped__has_no_inverse(statements: tuple[str, ...]) -> None:
    found = history(*statements)
    assert found.refused == {len(statements) - 1: NO_INVERSE}
    assert not found.void


def test_history__statement_not_understood__named_at_its_place() -> None:
    found = history("ALTER TABLE t ADD a INT", "TRUNCATE TABLE t")
    assert list(found.refused) == [1]
    assert found.changes[1] is None
