"""What a session of the console sets for itself, whatever the server's global values are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from backend.gateway.connection.session import Session
from deploy.lab.api import Lab
from tests.gateway.lab import endpoint

pytestmark = pytest.mark.server
EVERY_ROW = 2**64 - 1


@pytest.fixture
def few_rows(lab: Lab) -> Iterator[None]:
    """The server sends two rows to a session that sets nothing."""
    lab.sql("db-a1", "SET GLOBAL sql_select_limit=2")
    yield
    lab.sql("db-a1", f"SET GLOBAL sql_select_limit={EVERY_ROW}")


def test_session__server_limits_the_rows_of_an_answer__all_are_read(lab: Lab, few_rows: None) -> None:
    session = Session("db-a1", endpoint(lab, "db-a1", "monitor"), read_only=True)
    shown = session.run("SHOW GLOBAL STATUS LIKE 'wsrep%'")
    session.close()
    assert len(shown) > 2
