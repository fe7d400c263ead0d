"""What a side holds is read table by table, and every difference is named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from backend.core.equal_data.comparison import differences
from backend.core.equal_data.contents import LIST_SQL, SideContents, TableContents, read_contents
from backend.core.ports import Row

TABLE = TableContents("BASE TABLE", "CREATE TABLE `t` (`id` int)", 100, 17)


@dataclass
class FakeSession:
    """Answers by statement."""

    answers: dict[str, list[dict[str, object]]]
    asked: list[tuple[str, float | None]] = field(default_factory=list)

    def query(self, sql: str, *, timeout_s: float | None = None) -> Sequence[Row]:
        """As told."""
        self.asked.append((sql, timeout_s))
        return self.answers[sql]


def side(node: str, **tables: TableContents) -> SideContents:
    """A side with these tables of the schema shop."""
    return SideContents(node, {f"shop.{name}": table for name, table in tables.items()})


def test_read__tables_views_and_odd_names__with_definitions_and_checksums() -> None:
    listing = FakeSession(
        {
            LIST_SQL: [
                {"schema": "shop", "name": "a`b", "type": "BASE TABLE", "bytes": 16384},
                {"schema": "shop", "name": "v", "type": "VIEW", "bytes": 0},
            ]
        }
    )
    tables = FakeSession(
        {
            "SHOW CREATE TABLE `shop`.`a``b`": [{"Create Table": "CREATE TABLE x () ENGINE=InnoDB AUTO_INCREMENT=7"}],
            "CHECKSUM TABLE `shop`.`a``b` EXTENDED": [{"Table": "shop.a`b", "Checksum": "42"}],
            "SHOW CREATE TABLE `shop`.`v`": [{"View": "v", "Create View": "CREATE VIEW v AS SELECT 1"}],
        }
    )
    found = read_contents("a1", listing, tables, has_checksums=True, limit_s=9.0)
    assert found.tables == {
        "shop.a`b": TableContents("BASE TABLE", "CREATE TABLE x () ENGINE=InnoDB", 16384, 42),
        "shop.v": TableContents("VIEW", "CREATE VIEW v AS SELECT 1", 0, None),
    }
    assert found.size_bytes == 16384
    assert [limit for sql, limit in tables.asked if sql.startswith("CHECKSUM")] == [9.0]


def test_read__without_checksums__reads_no_rows() -> None:
    listing = FakeSession({LIST_SQL: [{"schema": "shop", "name": "t", "type": "BASE TABLE", "bytes": 1}]})
    tables = FakeSession({"SHOW CREATE TABLE `shop`.`t`": [{"Create Table": "CREATE TABLE t"}]})
    assert read_contents("a1", listing, tables, has_checksums=False, limit_s=9.0).tables["shop.t"].checksum is None


def test_differences__equal_sides__none() -> None:
    assert differences(side("a1", t=TABLE), side("b1", t=TABLE), has_checksums=True) == ()


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (side("b1"), "shop.t exists on a1, not on b1"),
        (side("b1", t=TABLE, u=TABLE), "shop.u exists on b1, not on a1"),
        (side("b1", t=replace(TABLE, definition="other")), "shop.t is defined differently on a1 and b1"),
        (side("b1", t=replace(TABLE, kind="SEQUENCE")), "shop.t is defined differently on a1 and b1"),
        (side("b1", t=replace(TABLE, checksum=18)), "the rows of shop.t differ: checksum 17 on a1, 18 on b1"),
        (side("b1", t=replace(TABLE, checksum=None)), "the rows of shop.t on b1 could not be read"),
    ],
)
def test_differences__each__named(other: SideContents, says: str) -> None:
    assert differences(side("a1", t=TABLE), other, has_checksums=True) == (says,)


def test_differences__checksum_unknown_on_both__never_equal() -> None:
    unread = replace(TABLE, checksum=None)
    assert differences(side("a1", t=unread), side("b1", t=unread), has_checksums=True) != ()
    assert differences(side("a1", t=unread), side("b1", t=unread), has_checksums=False) == ()
