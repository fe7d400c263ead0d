"""The pair itself: two servers, TLS, one channel, in either mode."""

from __future__ import annotations

import pytest

from deploy.lab.mysql.pair import Pair

pytestmark = pytest.mark.server
WRITE = "INSERT INTO bank.entries VALUES ('{id}', 1, 'of the pair')"
READ = "SELECT COUNT(*) AS n FROM bank.entries WHERE write_id = '{id}'"


def _is_copied(pair: Pair, write: str) -> bool:
    pair.source.sql(WRITE.format(id=write))
    pair.catch_up()
    return bool(pair.replica.sql(READ.format(id=write))[0]["n"])


def test_pair__write_on_the_source__applied_by_gtid(pair: Pair) -> None:
    assert _is_copied(pair, "by-gtid")
    assert pair.status()["Auto_Position"] == 1
    assert pair.replica.value("@@GLOBAL.gtid_executed") == pair.source.value("@@GLOBAL.gtid_executed")


def test_pair__without_gtid__applied_by_position_with_the_own_id_ignored(pair_without_gtid: Pair) -> None:
    pair = pair_without_gtid
    assert _is_copied(pair, "by-position")
    assert (pair.status()["Auto_Position"], pair.status()["Replicate_Ignore_Server_Ids"]) == (0, "2")
    assert pair.source.value("@@GLOBAL.gtid_mode") == "OFF"


def test_pair__accounts_and_tables__not_logged(pair: Pair) -> None:
    logged = pair.source.sql("SHOW BINLOG EVENTS IN 'binlog.000001'")
    assert not [
        row for row in logged if row["Info"].startswith("CREATE USER") or "CREATE TABLE bank.entries" in row["Info"]
    ]
