"""Which statements may leave."""

from __future__ import annotations

import pytest

from backend.core.dialects.mariadb import MariadbDialect
from backend.core.ports import NodeError
from backend.core.positions import MariadbGtidSet
from backend.gateway.connection.endpoint import NodeEndpoint
from backend.gateway.connection.session import Session
from backend.gateway.connection.statement_filter import is_changing, is_reading, is_row_change


@pytest.mark.parametrize(
    "sql",
    [
        "SHOW ALL SLAVES STATUS",
        "select @@version",
        "SET STATEMENT max_statement_time=2 FOR SELECT 1",
        "SELECT 'a;b INTO c' AS x",
        "SELECT MASTER_POS_WAIT('binlog.000001', 4, 1)",
        "SELECT MASTER_GTID_WAIT('200-20-1688', 2) AS reached",
    ],
)
def test_is_reading__reading_statement__allowed(sql: str) -> None:
    assert is_reading(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO t VALUES (1)",
        "SELECT 1; DROP TABLE t",
        "SELECT 1 INTO OUTFILE '/tmp/x'",
        "SELECT * FROM t FOR UPDATE",
        "SELECT GET_LOCK('a', 1)",
        "SELECT /*!50000 1 */",
        "SET STATEMENT max_statement_time=2 FOR INSERT INTO t VALUES (1)",
        "SET STATEMENT sql_log_bin=0 FOR SELECT 1",
        "STOP SLAVE",
        "WITH x AS (SELECT 1) DELETE FROM t",
        "",
    ],
)
def test_is_reading__anything_else__refused(sql: str) -> None:
    assert not is_reading(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "STOP SLAVE 'x' IO_THREAD",
        "CHANGE MASTER TO MASTER_PASSWORD='a;b'",
        "RESET SLAVE ALL",
        "INSERT INTO hawser.probe (id) VALUES ('1')",
        "CREATE DATABASE IF NOT EXISTS hawser",
        "SET GLOBAL gtid_slave_pos='100-10-3,200-20-4'",
        MariadbDialect().set_gtid_position(MariadbGtidSet.parse("100-10-3,200-20-4"), is_strict=True),
    ],
)
def test_is_changing__statement_of_a_run__allowed(sql: str) -> None:
    assert is_changing(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "DROP TABLE hawser.probe",
        "INSERT INTO bank.accounts VALUES (1)",
        "RESET MASTER",
        "STOP SLAVE; DROP DATABASE bank",
        "CREATE DATABASE bank",
        "SET SQL_LOG_BIN=0",
        "GRANT ALL ON *.* TO x",
    ],
)
def test_is_changing__anything_else__refused(sql: str) -> None:
    assert not is_changing(sql)


ROW_CHANGES = [
    "INSERT INTO `shop`.`orders` (`id`) VALUES (_utf8mb4 x'3b')",
    "UPDATE `shop`.`a``b` SET `into`=1 WHERE `id` <=> 1 LIMIT 1",
    "DELETE FROM `shop`.`a;b` WHERE `c` <=> '2020-01-01' LIMIT 1",
]


@pytest.mark.parametrize("sql", ROW_CHANGES)
def test_is_row_change__change_of_an_application_row__allowed_there_and_nowhere_else(sql: str) -> None:
    assert is_row_change(sql)
    assert not is_changing(sql)
    assert not is_reading(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM `mysql`.`user` WHERE 1",
        "UPDATE `hawser`.`probe` SET `token`='x'",
        "INSERT INTO `information_schema`.`x` VALUES (1)",
        "INSERT INTO `shop`.`a` VALUES (1); DROP TABLE `shop`.`a`",
        "INSERT INTO `shop`.`a` VALUES (1) -- x",
        "UPDATE shop.a SET b=1",
        "REPLACE INTO `shop`.`a` VALUES (1)",
        "DROP TABLE `shop`.`a`",
        "DELETE FROM `shop`.`a` /* x */ WHERE 1",
        "INSERT INTO `shop`.`a` SELECT LOAD_FILE('/etc/passwd')",
    ],
)
def test_is_row_change__anything_else__refused(sql: str) -> None:
    assert not is_row_change(sql)


def test_is_reading__names_that_are_words_of_sql__allowed() -> None:
    assert is_reading("SELECT COUNT(*) AS n FROM `shop`.`a;b` WHERE `into` <=> 1")


NOT_TOGETHER: tuple[tuple[bool, list[str]], ...] = (
    (False, ["SELECT 1", "SHOW BINARY LOGS"]),
    (True, ["SELECT 1", "SET GLOBAL read_only=OFF"]),
    (True, ["SELECT 1; DROP TABLE t"]),
    (True, ["SHOW BINARY LOGS", "DELETE FROM hawser.probe WHERE 1=0"]),
)
"""Whether the session joins, and what it is asked to send."""


def test_statements_sent_together__not_a_polls_reading_ones__nothing_is_sent() -> None:
    for joins, statements in NOT_TOGETHER:
        session = Session("n", NodeEndpoint("127.0.0.1", 1, "u", "p"), read_only=True, joins=joins)
        with pytest.raises(NodeError) as refused:
            session.run_joined(statements, timeout_s=1)
        assert "nothing was sent" in str(refused.value), statements
        assert not session.is_open


EVENT = "ALTER DEFINER='app'@'%' EVENT `shop`.`purge` "


@pytest.mark.parametrize(
    "sql", [f"{EVENT}ENABLE", f"{EVENT}DISABLE ON SLAVE", EVENT.replace("purge", "a``b") + "ENABLE"]
)
def test_is_changing__event_moved_to_another_node__allowed_in_full(sql: str) -> None:
    assert is_changing(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "ALTER EVENT `shop`.`purge` ENABLE",
        f"{EVENT}DISABLE",
        f"{EVENT}ENABLE DO DELETE FROM shop.orders",
        f"{EVENT}ON SCHEDULE EVERY 1 SECOND ENABLE",
        f"{EVENT}RENAME TO `shop`.`other`",
        f"{EVENT}ENABLE; DROP TABLE t",
        f"{EVENT}ENABLE /* x */",
        EVENT.replace("shop", "mysql") + "ENABLE",
        "DROP EVENT `shop`.`purge`",
        "CREATE EVENT `shop`.`purge` ON SCHEDULE EVERY 1 HOUR DO SELECT 1",
        "ALTER DEFINER=CURRENT_USER EVENT `shop`.`purge` ENABLE",
        "ALTER DEFINER='a'@'%' EVENT `s'`.`purge` ENABLE",
    ],
)
def test_is_changing__any_other_change_of_an_event__refused(sql: str) -> None:
    assert not is_changing(sql)
