"""What a session of the console sets for itself, whatever the server's global values are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from backend.core.ports import NodeError
from backend.gateway.connection.session import Session
from deploy.lab.api import Lab
from tests.gateway.lab import endpoint

pytestmark = pytest.mark.server
EVERY_ROW = 2**64 - 1


@pytest.fixture(params=["sql_select_limit", "max_join_size"])
def few_rows(lab: Lab, request: pytest.FixtureRequest) -> Iterator[None]:
    """The server sends two rows, or looks at no more, for a session that sets nothing."""
    lab.sql("db-a1", f"SET GLOBAL {request.param}=2")
    yield
    lab.sql("db-a1", f"SET GLOBAL {request.param}={EVERY_ROW}")


def test_session__server_limits_the_rows_of_an_answer__all_are_read(lab: Lab, few_rows: None) -> None:
    session = Session("db-a1", endpoint(lab, "db-a1", "monitor"), read_only=True)
    status = "SHOW GLOBAL STATUS LIKE 'wsrep%'"
    joined = "SELECT a.ID FROM information_schema.COLLATIONS a JOIN information_schema.COLLATIONS b LIMIT 50"
    shown = [len(session.run(sql)) for sql in (status, joined)]
    session.close()
    assert (shown[0] > 2, shown[1]) == (True, 50)


@pytest.fixture
def german(lab: Lab) -> Iterator[None]:
    """The server speaks German to a session that sets nothing."""
    lab.sql("db-a1", "SET GLOBAL lc_messages='de_DE'")
    yield
    lab.sql("db-a1", "SET GLOBAL lc_messages='en_US'")


def test_session__server_speaks_german__its_errors_are_english(lab: Lab, german: None) -> None:
    session = Session("db-a1", endpoint(lab, "db-a1", "monitor"), read_only=True)
    with pytest.raises(NodeError, match="Unknown system variable 'none'"):
        session.run("SELECT @@none")
    session.close()
