"""A new session with the console's database waits for what its Galera cluster committed before it reads anything."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import OperationalError
from django.db.backends.signals import connection_created

from backend.common.database_session import begin_sessions_by_waiting, wait_for_cluster


class Connection:
    """Notes what it is asked; `error` is its answer."""

    def __init__(self, vendor: str = "mysql", error: Exception | None = None) -> None:
        self.vendor, self.error = vendor, error
        self.asked: list[str] = []
        self.is_closed = False

    @contextmanager
    def cursor(self) -> Iterator[Connection]:
        """Itself."""
        yield self

    def execute(self, sql: str) -> None:
        """Note, or raise."""
        self.asked.append(sql)
        if self.error:
            raise self.error

    def close(self) -> None:
        """Note."""
        self.is_closed = True


def begun(connection: Any) -> Any:
    """As Django tells of a new session."""
    connection_created.send(sender=Connection, connection=connection)
    return connection


def test_session__of_mariadb__begins_by_waiting() -> None:
    begin_sessions_by_waiting()
    assert begun(Connection()).asked == ["SET STATEMENT wsrep_sync_wait=1 FOR SELECT 1"]
    assert begun(Connection("sqlite")).asked == []


def test_session__server_without_galera__is_used() -> None:
    found = Connection(error=OperationalError(1193, "Unknown system variable 'wsrep_sync_wait'"))
    wait_for_cluster(found)  # type: ignore[arg-type]
    assert not found.is_closed


@pytest.mark.parametrize("code", [1205, 1047, 2013])
def test_session__of_a_node_that_is_behind_or_cut_off__is_closed_and_not_used(code: int) -> None:
    found = Connection(error=OperationalError(code, "no"))
    with pytest.raises(OperationalError):
        wait_for_cluster(found)  # type: ignore[arg-type]
    assert found.is_closed
