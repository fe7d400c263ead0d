"""Every type's row, written on a real server, returns byte for byte when it is undone, and plays again elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from backend.core.orphans.conflicts import find_conflicts
from backend.core.orphans.model import OrphanList, RowChange, RowImage, TableShape
from backend.core.orphans.rows.row_keys import row_key_of
from backend.core.orphans.undo import UndoJudge
from backend.core.ports import NodeError, RowConflictError, RowStatement
from backend.core.probe import CREATE_SQL
from backend.gateway.connection.errors import NotAllowedError
from backend.gateway.orphan_rows import RowReader
from backend.gateway.writer import Writer
from deploy.lab.api import Lab
from tests.gateway.lab import access, reset
from tests.gateway.orphan_statements import book_since, contents, end_of_log, replay, run, undo

pytestmark = pytest.mark.server

# name: (definition, values as SQL)
TYPES: dict[str, tuple[str, list[str]]] = {
    "tinyint": ("TINYINT", ["-128", "127", "NULL"]),
    "tinyint_u": ("TINYINT UNSIGNED", ["0", "255"]),
    "smallint": ("SMALLINT", ["-32768", "1"]),
    "mediumint": ("MEDIUMINT", ["-8388608", "8388607"]),
    "mediumint_u": ("MEDIUMINT UNSIGNED", ["16777215", "1"]),
    "int": ("INT", ["-2147483648", "5"]),
    "int_u": ("INT UNSIGNED ZEROFILL", ["4294967295", "7"]),
    "bigint": ("BIGINT", ["-9223372036854775808", "9"]),
    "bigint_u": ("BIGINT UNSIGNED", ["18446744073709551615", "0"]),
    "decimal": ("DECIMAL(30,10)", ["-12345678901234567890.0123456789", "0", "0.0000000001", "-0.5"]),
    "decimal_whole": ("DECIMAL(9,0)", ["-999999999", "1"]),
    "decimal_parts": ("DECIMAL(10,9)", ["-1.000000001", "9.999999999"]),
    "float": ("FLOAT", ["1.1", "-3.4e38", "1.2e-38", "16777216"]),
    "float_md": ("FLOAT(7,3)", ["1234.567", "-0.001"]),
    "double": ("DOUBLE", ["0.1", "-2.5e-300", "1.7976931348623157e308", "123456789.123456789"]),
    "year": ("YEAR", ["2024", "0", "1901"]),
    "bit1": ("BIT(1)", ["b'1'", "b'0'"]),
    "bit9": ("BIT(9)", ["b'101000001'", "b'0'"]),
    "bit64": ("BIT(64)", ["18446744073709551615", "1"]),
    "enum": ("ENUM('x','y','it''s')", ["'x'", "'it''s'"]),
    "set": ("SET('p','q','r')", ["'p,r'", "''"]),
    "char": ("CHAR(10)", ["'ab'", "''", "'a '", "'ü€😀'"]),
    "char_long": ("CHAR(200) CHARACTER SET utf8mb4", ["REPEAT('€',200)", "'x'"]),
    "varchar": ("VARCHAR(20)", ["'a '", "''", "'A'", "'\\\\ \\' \"'"]),
    "varchar_l1": ("VARCHAR(20) CHARACTER SET latin1", ["'é'", "_latin1 x'80ff'"]),
    "varchar_long": ("VARCHAR(300)", ["REPEAT('ü',300)", "'y'"]),
    "varchar_ci": ("VARCHAR(20) COLLATE utf8mb4_unicode_ci", ["'straße'", "'STRASSE'"]),
    "text_utf16": ("MEDIUMTEXT CHARACTER SET utf16", ["'😀'", "'line\\nbreak'"]),
    "text_sjis": ("TEXT CHARACTER SET sjis", ["'表示'", "'a'"]),
    "tinytext": ("TINYTEXT", ["'t'", "''"]),
    "longtext": ("LONGTEXT", ["REPEAT('long',5000)", "'l'"]),
    "json": ("JSON", ['\'{"a": [1, null, "ü"]}\'', "'[]'"]),
    "binary": ("BINARY(6)", ["x'010200'", "x'000000000000'", "x'010203040506'"]),
    "varbinary": ("VARBINARY(20)", ["x'00ff00'", "''"]),
    "blob": ("BLOB", ["x'deadbeef00'", "''"]),
    "longblob": ("LONGBLOB", ["REPEAT(x'00ff27',3000)", "x'00'"]),
    "date": ("DATE", ["'2020-02-29'", "'0000-00-00'", "'2021-00-00'", "'9999-12-31'"]),
    "time": ("TIME", ["'-838:59:59'", "'12:34:56'", "'00:00:00'"]),
    "time3": ("TIME(3)", ["'-12:34:56.789'", "'-00:00:00.001'"]),
    "time6": ("TIME(6)", ["'-00:00:01.000001'", "'837:59:59.999999'"]),
    "datetime": ("DATETIME", ["'1999-12-31 23:59:59'", "'0000-00-00 00:00:00'"]),
    "datetime1": ("DATETIME(1)", ["'1999-12-31 23:59:59.9'", "'2000-01-01 00:00:00.0'"]),
    "datetime6": ("DATETIME(6)", ["'1999-12-31 23:59:59.123456'", "'1000-01-01 00:00:00.000001'"]),
    "timestamp": ("TIMESTAMP NULL", ["'2021-01-01 00:00:00'", "'0000-00-00 00:00:00'", "NULL"]),
    "timestamp2": ("TIMESTAMP(2) NULL", ["'2038-01-19 03:14:07.12'", "'1970-01-01 00:00:01.00'"]),
    "timestamp_on_update": (
        "TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)",
        ["'2021-01-01 00:00:00.000001'"],
    ),
    "geometry": ("GEOMETRY", ["POINT(1,2)", "ST_GeomFromText('LINESTRING(0 0,1 1,2 3)',4326)"]),
    "point": ("POINT", ["POINT(-1.5,1e300)"]),
    "inet6": ("INET6", ["'2001:db8::1'", "'::'", "'::ffff:10.0.0.1'"]),
    "inet4": ("INET4", ["'10.0.0.1'", "'0.0.0.0'"]),
    "awkward `name`": ("INT", ["1"]),
    "into": ("INT", ["2"]),
}
LOOSE = "SET SESSION sql_mode='', time_zone='+00:00'"


@pytest.fixture(scope="module")
def prepared(lab: Lab) -> Iterator[Lab]:
    """A schema of this module's own that the console's accounts may use; no channel carries it to the other side."""
    run(lab, "db-b1", "STOP ALL SLAVES")
    for node in ("db-a1", "db-b1"):
        run(
            lab, node,
            "CREATE DATABASE shop CHARACTER SET utf8mb4",
            "GRANT SELECT, INSERT, UPDATE, DELETE, TRIGGER ON shop.* TO 'hawser_operator'@'%'",
            *CREATE_SQL,
        )  # fmt: skip
    yield lab
    reset(lab)


def make(lab: Lab, name: str, definition: str) -> None:
    """The same table at both sites."""
    for node in ("db-a1", "db-b1"):
        run(lab, node, f"CREATE TABLE shop.{name} ({definition}) ENGINE=InnoDB")


def _columns() -> str:
    quoted = {name: name.replace("`", "``") for name in TYPES}
    return ", ".join(f"`{quoted[name]}` {definition}" for name, (definition, _) in TYPES.items())


def _inserts(table: str, first: int = 1) -> list[str]:
    """Rows that show every value of every type at least once."""
    most = max(len(values) for _, values in TYPES.values())
    found = []
    for i in range(most):
        values = ", ".join(values[i % len(values)] for _, values in TYPES.values())
        found.append(f"INSERT INTO shop.{table} VALUES ({first + i}, {values})")
    return found


def _write(lab: Lab, table: str) -> None:
    """Inserts, updates of every column, and deletes."""
    updates = []
    for name, (_, values) in TYPES.items():
        quoted = name.replace("`", "``")
        updates += [f"UPDATE shop.{table} SET `{quoted}` = {value} WHERE id = 11" for value in values]
    run(lab, "db-a1", LOOSE, *_inserts(table, 21), *updates, f"DELETE FROM shop.{table} WHERE id IN (12, 13, 22)")


@pytest.mark.parametrize(("table", "key"), [("keyed", "PRIMARY KEY (id)"), ("keyless", "KEY (id)")])
def test_undo__every_type_inserted_updated_deleted__tables_byte_for_byte_as_before(
    prepared: Lab, table: str, key: str
) -> None:
    make(prepared, table, f"id INT NOT NULL, {_columns()}, {key}")
    run(prepared, "db-a1", LOOSE, *_inserts(table, 11))
    before = contents(prepared, "db-a1", [f"shop.{table}"])
    start = end_of_log(prepared, "db-a1")
    _write(prepared, table)
    changed = contents(prepared, "db-a1", [f"shop.{table}"])
    book = book_since(prepared, "db-a1", start)
    assert [one.refusal for one in book.transactions if one.refusal] == []
    assert changed != before
    if "PRIMARY" in key:
        looked_up(prepared, book)
    undo(prepared, "db-a1", book)
    assert contents(prepared, "db-a1", [f"shop.{table}"]) == before


def looked_up(lab: Lab, book: OrphanList) -> None:
    """The last image of every row, read back by its key, is the log's own to the byte, whatever the types."""
    last = {row_key_of(image, shape): (shape, row.after) for image, shape, row in _images(book)}
    with closing(RowReader(access(lab, "db-a1"))) as rows:
        for shape, image in last.values():
            if image is not None:
                assert rows.find(shape, image) == image
    assert sum(image is not None for _, image in last.values()) > 1


def _images(book: OrphanList) -> Iterator[tuple[RowImage, TableShape, RowChange]]:
    for one in book.transactions:
        for row in one.rows:
            for image in (row.before, row.after):
                if image is not None:
                    yield image, book.table_definitions[row.name], row


@pytest.mark.parametrize(("table", "key"), [("keyed_b", "PRIMARY KEY (id)"), ("keyless_b", "KEY (id)")])
def test_replay__on_the_other_side__tables_equal(prepared: Lab, table: str, key: str) -> None:
    make(prepared, table, f"id INT NOT NULL, {_columns()}, {key}")
    for node in ("db-a1", "db-b1"):
        run(prepared, node, LOOSE, *_inserts(table, 11))
    start = end_of_log(prepared, "db-a1")
    _write(prepared, table)
    book = book_since(prepared, "db-a1", start)
    replay(prepared, "db-b1", book)
    assert contents(prepared, "db-b1", [f"shop.{table}"]) == contents(prepared, "db-a1", [f"shop.{table}"])


def test_undo__after_a_rescan__own_undo_and_marker_are_no_orphans(prepared: Lab) -> None:
    make(prepared, "again", "id INT PRIMARY KEY, v INT")
    start = end_of_log(prepared, "db-a1")
    run(prepared, "db-a1", "INSERT INTO shop.again VALUES (1,1)", "INSERT INTO shop.again VALUES (2,2)")
    book = book_since(prepared, "db-a1", start)
    undo(prepared, "db-a1", book)
    assert book_since(prepared, "db-a1", start).digest == book.digest


@pytest.mark.parametrize(
    "meanwhile",
    ["UPDATE shop.changed SET v = 'A' WHERE id = 1", "UPDATE shop.changed SET v = 'a ' WHERE id = 1",
     "DELETE FROM shop.changed WHERE id = 1"],
)  # fmt: skip
def test_undo__row_changed_meanwhile_even_in_case_only__conflict_and_nothing_changed(
    prepared: Lab, meanwhile: str
) -> None:
    run(prepared, "db-a1", "DROP TABLE IF EXISTS shop.changed")
    run(prepared, "db-a1", "CREATE TABLE shop.changed (id INT PRIMARY KEY, v VARCHAR(9)) ENGINE=InnoDB")
    run(prepared, "db-a1", "INSERT INTO shop.changed VALUES (1,'b'),(2,'b')")
    start = end_of_log(prepared, "db-a1")
    run(prepared, "db-a1", "UPDATE shop.changed SET v = 'a'")
    book = book_since(prepared, "db-a1", start)
    run(prepared, "db-a1", meanwhile)
    before = contents(prepared, "db-a1", ["shop.changed"])
    with pytest.raises(RowConflictError) as conflict:
        undo(prepared, "db-a1", book)
    assert conflict.value.ordinal == 1
    assert "was changed or removed" in conflict.value.message
    assert contents(prepared, "db-a1", ["shop.changed"]) == before


BY_ID = "id VARCHAR(9) PRIMARY KEY"
BESIDE = "n VARCHAR(9) DEFAULT (CONCAT('n', id)) PRIMARY KEY, id VARCHAR(9) UNIQUE"


@pytest.mark.parametrize(
    ("table", "key", "changes"),
    [
        ("letters", BY_ID, ["UPDATE shop.{} SET id = 'A' WHERE id = 'a'"]),
        ("accents", BY_ID, ["UPDATE shop.{} SET id = 'á' WHERE id = 'a'"]),
        ("blanks", BY_ID, ["UPDATE shop.{} SET id = 'a ' WHERE id = 'a'"]),
        ("others", BESIDE, ["UPDATE shop.{} SET id = 'A' WHERE n = 'na'"]),
        ("anew", BY_ID, ["DELETE FROM shop.{} WHERE id = 'a'", "INSERT INTO shop.{} (id) VALUES ('A')"]),
    ],
)
def test_key__changed_to_one_that_the_collation_calls_equal__replayed_and_undone_with_all_others(
    prepared: Lab, table: str, key: str, changes: list[str]
) -> None:
    make(prepared, table, f"{key}, v INT DEFAULT 0")
    for node in ("db-a1", "db-b1"):
        run(prepared, node, f"INSERT INTO shop.{table} (id) VALUES ('a'), ('c')")
    start = end_of_log(prepared, "db-a1")
    run(
        prepared,
        "db-a1",
        *(one.format(table) for one in changes),
        f"INSERT INTO shop.{table} (id) VALUES ('x1'), ('x2'), ('x3')",
    )
    book, before = book_since(prepared, "db-a1", start), contents(prepared, "db-b1", [f"shop.{table}"])
    with closing(RowReader(access(prepared, "db-a1"))) as own, closing(RowReader(access(prepared, "db-b1"))) as other:
        assert find_conflicts(book.transactions, book.table_definitions, other.count) == ()
        undo_parts = UndoJudge(book, own, other, {}).parts(reversed(book.transactions))
        assert [part.conflict for part in undo_parts if part.conflict is not None] == []
    replay(prepared, "db-b1", book)
    assert contents(prepared, "db-b1", [f"shop.{table}"]) == contents(prepared, "db-a1", [f"shop.{table}"])
    undo(prepared, "db-a1", book)
    assert contents(prepared, "db-a1", [f"shop.{table}"]) == before


def test_replay__key_taken__conflict_by_name(prepared: Lab) -> None:
    make(prepared, "taken", "id INT PRIMARY KEY, v INT")
    start = end_of_log(prepared, "db-a1")
    run(prepared, "db-a1", "INSERT INTO shop.taken VALUES (1,1)")
    run(prepared, "db-b1", "INSERT INTO shop.taken VALUES (1,2)")
    with pytest.raises(RowConflictError) as conflict:
        replay(prepared, "db-b1", book_since(prepared, "db-a1", start))
    assert "the row already exists" in conflict.value.message


def test_apply__fenced_node__written_through_the_fence(prepared: Lab) -> None:
    make(prepared, "fenced", "id INT PRIMARY KEY")
    start = end_of_log(prepared, "db-a1")
    run(prepared, "db-a1", "INSERT INTO shop.fenced VALUES (1)")
    book = book_since(prepared, "db-a1", start)
    run(prepared, "db-a1", "SET GLOBAL read_only=ON")
    try:
        undo(prepared, "db-a1", book)
    finally:
        run(prepared, "db-a1", "SET GLOBAL read_only=OFF")
    assert contents(prepared, "db-a1", ["shop.fenced"])["shop.fenced"][1] == 0


def test_apply__generated_columns_and_auto_increment_zero__restored(prepared: Lab) -> None:
    make(
        prepared,
        "made",
        "id INT AUTO_INCREMENT PRIMARY KEY, v INT, s INT AS (v*2) STORED, w INT AS (v+1) VIRTUAL, "
        "i INT INVISIBLE DEFAULT 4",
    )
    run(
        prepared, "db-a1", "SET SESSION sql_mode='NO_AUTO_VALUE_ON_ZERO'",
        "INSERT INTO shop.made (id, v, i) VALUES (0, 5, 9), (3, 6, 1)",
    )  # fmt: skip
    before = contents(prepared, "db-a1", ["shop.made"])
    start = end_of_log(prepared, "db-a1")
    run(prepared, "db-a1", "DELETE FROM shop.made WHERE id=0", "UPDATE shop.made SET v=7, i=2 WHERE id=3")
    undo(prepared, "db-a1", book_since(prepared, "db-a1", start))
    assert contents(prepared, "db-a1", ["shop.made"]) == before


def test_read__compressed_row_events__told_as_well(prepared: Lab) -> None:
    make(prepared, "packed", "id INT PRIMARY KEY, v TEXT")
    run(prepared, "db-a1", "SET GLOBAL log_bin_compress=ON", "SET GLOBAL log_bin_compress_min_len=10")
    start = end_of_log(prepared, "db-a1")
    try:
        run(prepared, "db-a1", "INSERT INTO shop.packed VALUES (1, REPEAT('abc', 900))")
    finally:
        run(prepared, "db-a1", "SET GLOBAL log_bin_compress=OFF")
    (one,) = book_since(prepared, "db-a1", start).transactions
    assert one.rows[0].after == (1, b"abc" * 900)


@pytest.mark.parametrize(
    ("definition", "value", "word"),
    [("v UUID", "UUID()", "uuid"), ("v TEXT COMPRESSED", "'x'", "compressed")],
)
def test_read__type_without_exact_form__refused_by_name(prepared: Lab, definition: str, value: str, word: str) -> None:
    run(prepared, "db-a1", f"CREATE OR REPLACE TABLE shop.exotic (id INT PRIMARY KEY, {definition}) ENGINE=InnoDB")
    start = end_of_log(prepared, "db-a1")
    run(prepared, "db-a1", f"INSERT INTO shop.exotic VALUES (1, {value})")
    (one,) = book_since(prepared, "db-a1", start).transactions
    assert word in one.refusal
    assert "shop.exotic.v" in one.refusal


@pytest.mark.parametrize(
    "alter",
    ["ADD COLUMN w INT, ENGINE=InnoDB", "MODIFY v BIGINT", "MODIFY v INT UNSIGNED, ADD w INT", "MODIFY v VARCHAR(20)"],
)
def test_read__table_altered_since__refused_by_name(prepared: Lab, alter: str) -> None:
    run(prepared, "db-a1", "CREATE OR REPLACE TABLE shop.altered (id INT PRIMARY KEY, v INT) ENGINE=InnoDB")
    start = end_of_log(prepared, "db-a1")
    run(prepared, "db-a1", "INSERT INTO shop.altered VALUES (1,1)")
    end = end_of_log(prepared, "db-a1")
    run(prepared, "db-a1", f"ALTER TABLE shop.altered {alter}")
    book = book_since(prepared, "db-a1", start)
    assert end != start
    assert "shop.altered" in book.transactions[0].refusal


def test_read__row_image_not_whole__refused_by_name(prepared: Lab) -> None:
    run(prepared, "db-a1", "CREATE OR REPLACE TABLE shop.partial (id INT PRIMARY KEY, v INT, w INT) ENGINE=InnoDB")
    run(prepared, "db-a1", "INSERT INTO shop.partial VALUES (1,1,1)")
    start = end_of_log(prepared, "db-a1")
    run(prepared, "db-a1", "SET SESSION binlog_row_image=MINIMAL", "UPDATE shop.partial SET v=2")
    (one,) = book_since(prepared, "db-a1", start).transactions
    assert "the row image is incomplete" in one.refusal


def test_read__ddl__told_as_its_statement_and_flush_is_passed_over(prepared: Lab) -> None:
    start = end_of_log(prepared, "db-a1")
    run(prepared, "db-a1", "FLUSH TABLES shop.again", "CREATE OR REPLACE TABLE shop.extra (id INT)")
    (one,) = book_since(prepared, "db-a1", start).transactions
    assert one.kind == "ddl"
    assert "shop.extra" in str(one.statement)


def test_apply__statement_of_another_kind__never_sent(prepared: Lab) -> None:
    there = access(prepared, "db-a1")
    writer = Writer(there.ref, there.operator)
    for sql in ("DROP TABLE `shop`.`again`", "DELETE FROM `mysql`.`user` WHERE 1", "DELETE FROM `shop`.`a` -- x"):
        with pytest.raises(NotAllowedError):
            writer.apply_transaction(
                [RowStatement(sql, "SELECT COUNT(*) AS n FROM `shop`.`again`", 1, "delete")],
                marker="REPLACE INTO hawser.probe VALUES ('a','undo','t','n',UTC_TIMESTAMP(6))",
                timeout_s=5,
            )
    with pytest.raises(NodeError):
        writer.execute("DELETE FROM `shop`.`again`", secrets={}, timeout_s=5)
    writer.close()
