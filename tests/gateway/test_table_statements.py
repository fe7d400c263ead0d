"""Real servers: rows of every type are compared by their bytes, and what is equal is called so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pytest

from backend.core.ports import Row
from backend.core.table_comparison.definitions import Comparable, comparable, definition
from backend.core.table_comparison.repair import repair_sql
from backend.core.table_comparison.statements import images_of, images_sql
from backend.core.table_comparison.walk import Difference, Walk, step
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.table_snapshots import SnapshotReader
from deploy.lab.api import Lab
from tests.gateway.lab import access, reset

pytestmark = pytest.mark.server
NODES = ("db-a1", "db-b1")
TABLE = "odd.compared"
KINDS = {
    "text": ("VARCHAR(40)", "'ä'", "'Ä'"),
    "text by another case": ("VARCHAR(40) COLLATE utf8mb4_general_ci", "'a'", "'A'"),
    "trailing space": ("VARCHAR(40)", "'a'", "'a '"),
    "latin1": ("VARCHAR(40) CHARACTER SET latin1", "'ä'", "'ö'"),
    "long text": ("LONGTEXT", "REPEAT('x', 100000)", "CONCAT(REPEAT('x', 99999), 'y')"),
    "json": ("JSON", "'{\"a\": 1}'", "'{\"a\":1}'"),
    "blob": ("BLOB", "x'00ff'", "x'00fe'"),
    "float beyond its six digits": ("FLOAT", "0.1", "0.10000001"),
    "double": ("DOUBLE", "0.1", "0.1 + 1e-17 * 2"),
    "decimal": ("DECIMAL(20,10)", "1.1", "1.1000000001"),
    "bigint": ("BIGINT UNSIGNED", "18446744073709551615", "18446744073709551614"),
    "bit": ("BIT(10)", "b'1'", "b'10'"),
    "enum": ("ENUM('a', 'b')", "'a'", "'b'"),
    "set": ("SET('a', 'b')", "'a'", "'a,b'"),
    "timestamp": ("TIMESTAMP(6) NULL", "'2026-11-29 10:00:00.000001'", "'2026-11-29 10:00:00.000002'"),
    "datetime": ("DATETIME(3)", "'2026-11-29 10:00:00.001'", "'2026-11-29 10:00:00.002'"),
    "time": ("TIME", "'-10:00:00'", "'10:00:00'"),
    "uuid": ("UUID", "'00000000-0000-0000-0000-000000000001'", "'00000000-0000-0000-0000-000000000002'"),
    "inet6": ("INET6", "'::1'", "'::2'"),
    "point": ("POINT", "POINT(1, 2)", "POINT(1, 3)"),
    "null and a text": ("VARCHAR(40)", "NULL", "'N'"),
    "null and empty": ("VARCHAR(40)", "NULL", "''"),
}


class Pair:
    """Implements the core's `Snapshots` of two servers that nothing writes to."""

    touched: frozenset[str] = frozenset()

    def __init__(self, accesses: Sequence[NodeAccess]) -> None:
        self.readers = {one.ref.name: SnapshotReader(one, read_s=10.0) for one in accesses}
        for reader in self.readers.values():
            reader.begin()

    @property
    def node_ids(self) -> list[str]:
        """In their order."""
        return list(self.readers)

    def first(self, sql: str) -> Sequence[Row]:
        """Of the first."""
        return self.readers[self.node_ids[0]].query(sql)

    def each(self, sql: str) -> Mapping[str, Sequence[Row]]:
        """Of each."""
        return {name: reader.query(sql) for name, reader in self.readers.items()}

    def close(self) -> None:
        """End the sessions."""
        for reader in self.readers.values():
            reader.close()


@pytest.fixture(scope="module")
def apart(lab: Lab) -> Iterator[Lab]:
    """The lab without replication between its sites; each site has a time zone of its own."""
    reset(lab)
    for node in NODES:
        lab.sql(node, "STOP ALL SLAVES")
    for node, zone in zip(NODES, ("+05:00", "-03:00"), strict=True):
        lab.sql(node, f"SET GLOBAL time_zone='{zone}'")
        lab.sql(node, "CREATE DATABASE odd CHARACTER SET utf8mb4")
        lab.sql(node, f"GRANT SELECT ON odd.* TO {lab.accounts['operator'].user}@'%'")
    yield lab
    for node in NODES:
        lab.sql(node, "DROP DATABASE odd")
        lab.sql(node, "SET GLOBAL time_zone='SYSTEM'")
    reset(lab)


@pytest.fixture(autouse=True)
def _dropped(apart: Lab) -> Iterator[None]:
    yield
    for node in NODES:
        apart.sql(node, f"DROP TABLE IF EXISTS {TABLE}")


def both(lab: Lab, *statements: str) -> None:
    """On each node alone, in one time zone."""
    for node in NODES:
        on(lab, node, *statements)


def on(lab: Lab, node: str, *statements: str) -> None:
    """On that node, in one time zone."""
    with lab.admin(node) as session:
        cursor = session.cursor()
        cursor.execute("SET SESSION time_zone='+00:00'")
        for statement in statements:
            cursor.execute(statement)
        session.commit()


def compared(lab: Lab, rows: int = 7) -> tuple[Comparable, Walk, list[Difference], dict[str, str]]:
    """What is compared of the table, the walk at its end, what it found, and the statements that would mend it."""
    pair = Pair([access(lab, name) for name in NODES])
    try:
        schema, _, table = TABLE.partition(".")
        found = comparable(TABLE, {name: definition(_Session(pair, name), schema, table) for name in NODES})
        assert isinstance(found, Comparable), found
        walk, differences = Walk(), list[Difference]()
        while not walk.is_done:
            taken = step(found.shape, walk, pair, rows)
            walk, differences = taken.walk, [*differences, *taken.found]
        return found, walk, differences, _mending(found, pair, differences)
    finally:
        pair.close()


class _Session:
    """Reads a definition in a snapshot's session; the administrator's rights are not needed for it."""

    def __init__(self, pair: Pair, name: str) -> None:
        self._pair, self._name = pair, name

    def query(self, sql: str) -> Sequence[Row]:
        """Rows; none of what only PROCESS shows."""
        return [] if "INNODB_SYS_FOREIGN" in sql else self._pair.readers[self._name].query(sql)


def _mending(found: Comparable, pair: Pair, differences: Sequence[Difference]) -> dict[str, str]:
    keys = [one.key for one in differences if one.key is not None]
    if not keys:
        return {}
    read = pair.each(images_sql(found.shape, keys))
    reference, held = (images_of(found.shape, read[name]) for name in NODES)
    return {str(key): repair_sql(found.shape, reference.get(key), held.get(key)) for key in keys}


@pytest.mark.parametrize(("definition_of", "one", "other"), list(KINDS.values()), ids=list(KINDS))
def test_values__of_every_type__equal_ones_are_and_different_ones_are_named_and_mended(
    apart: Lab, definition_of: str, one: str, other: str
) -> None:
    both(apart, f"CREATE TABLE {TABLE} (id INT PRIMARY KEY, v {definition_of})")
    both(apart, *(f"INSERT INTO {TABLE} VALUES ({number}, {one})" for number in range(1, 21)))
    assert compared(apart)[2] == []
    on(apart, NODES[1], f"UPDATE {TABLE} SET v = {other} WHERE id = 14")
    _, walk, found, statements = compared(apart)
    assert [(one.node_id, one.key, one.apart.value) for one in found] == [(NODES[1], (14,), "different")]
    assert walk.rows == 20
    statement = statements["(14,)"]
    if statement.startswith("--"):
        assert "has no literal" in statement
        return
    on(apart, NODES[1], statement.rstrip(";"))
    assert compared(apart)[2] == []


KEYS = {
    "text": ("VARCHAR(40) COLLATE utf8mb4_general_ci", "CONCAT(CHAR(97 + seq % 20), 'ß', seq)"),
    "binary": ("VARBINARY(8)", "UNHEX(LPAD(HEX(seq * 7), 4, '0'))"),
    "decimal": ("DECIMAL(10,3)", "seq / 3"),
    "timestamp": ("TIMESTAMP(3)", "FROM_UNIXTIME(1700000000.5 + seq)"),
    "time": ("TIME", "SEC_TO_TIME(CAST(seq AS SIGNED) * 60 - 600)"),
    "uuid": ("UUID", "CONCAT('0000000', seq % 10, '-0000-1000-8000-0000000000', LPAD(seq, 2, '0'))"),
    "inet6": ("INET6", "CONCAT('fe80::', seq)"),
}


@pytest.mark.parametrize(("definition_of", "value"), list(KEYS.values()), ids=list(KEYS))
def test_keys__of_every_type__each_row_is_compared_once(apart: Lab, definition_of: str, value: str) -> None:
    both(apart, f"CREATE TABLE {TABLE} (k {definition_of}, n INT, v INT, PRIMARY KEY (k, n))")
    both(apart, f"INSERT INTO {TABLE} SELECT {value}, seq % 3, seq FROM odd.seq_1_to_40")
    found, walk, differences, _ = compared(apart)
    assert (len(found.shape.key), walk.rows, differences) == (2, 40, [])
    on(apart, NODES[1], f"UPDATE {TABLE} SET v = -1 WHERE v = 23", f"DELETE FROM {TABLE} WHERE v IN (1, 40)")
    _, walk, differences, statements = compared(apart)
    assert sorted(one.apart.value for one in differences) == ["different", "missing", "missing"]
    on(apart, NODES[1], *(statement.rstrip(";") for statement in statements.values()))
    assert compared(apart)[2] == []


def test_generated_and_versioned_columns__are_left_out_and_said(apart: Lab) -> None:
    both(
        apart,
        f"CREATE TABLE {TABLE} (id INT PRIMARY KEY, v INT, w INT AS (v + CONNECTION_ID()) VIRTUAL, s INT AS (v) STORED)"
        " WITH SYSTEM VERSIONING",
        f"INSERT INTO {TABLE} (id, v) VALUES (1, 1), (2, 2)",
    )
    found, _, differences, _ = compared(apart)
    assert differences == []
    assert {"w is computed by the server", "s is computed by the server"} <= set(found.left_out)


def test_table_without_a_key__by_number_and_sum(apart: Lab) -> None:
    both(apart, f"CREATE TABLE {TABLE} (id INT, v INT)", f"INSERT INTO {TABLE} VALUES (1, 1), (1, 1), (2, 2)")
    assert compared(apart)[2] == []
    on(apart, NODES[1], f"DELETE FROM {TABLE} WHERE id = 1")
    [found] = compared(apart)[2]
    assert (found.key, found.apart.value) == (None, "missing")
