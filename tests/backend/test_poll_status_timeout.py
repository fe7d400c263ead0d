"""A status query that is never answered is not asked again at every look: each would hold a connection for good."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from backend.core.dialects.mariadb import MariadbDialect
from backend.core.ports import NodeError, Row
from backend.gateway.connection.errors import LostError
from backend.gateway.polling import poll
from backend.gateway.polling.poll import Asked, _logs

STATUS, READERS = MariadbDialect().channels_query(), MariadbDialect().log_readers_query()


class Stuck:
    """A session whose channels are not answered while the server is stuck."""

    def __init__(self) -> None:
        self.name = "db-b1"
        self.left_behind: tuple[int, str] | None = None
        self.is_stuck = True
        self.asked = 0

    def run(self, sql: str, *, timeout_s: float | None = None) -> Sequence[Row]:
        if sql == READERS:
            return []
        if "PROCESSLIST" in sql:
            assert self.left_behind is not None
            assert f"ID = {self.left_behind[0]} " in sql
            return [{"id": self.left_behind[0]}] if self.is_stuck else []
        assert sql == STATUS
        self.asked += 1
        if self.is_stuck:
            self.left_behind = 40 + self.asked, sql
            raise LostError(self.name, "no response within 2 s", timed_out=True)
        return []


@pytest.fixture
def stuck_session(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A session and what asks it."""
    monkeypatch.setattr(poll, "_binlog", lambda *_, **__: (None, {}))
    session: Any = Stuck()
    return session, lambda: _logs(Asked(session, float("inf")), MariadbDialect(), files=False)


def test_poll__binary_log_refused__channels_read_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each needs a privilege of its own, and the remedy of unknown channels names that of the channels."""

    def refused(*_: Any, **__: Any) -> None:
        raise NodeError("db-a1", "Access denied; you need (at least one of) the BINLOG MONITOR privilege(s)", code=1227)

    monkeypatch.setattr(poll, "_binlog", refused)
    session: Any = Stuck()
    session.is_stuck = False
    facts = _logs(Asked(session, float("inf")), MariadbDialect(), files=False)
    assert (facts.binlog, facts.channels) == (None, ())
    assert "BINLOG MONITOR" in facts.error


def test_poll__status_never_answered__asked_once_and_again_when_it_came_back(stuck_session: Any) -> None:
    session, ask = stuck_session
    seen = [ask() for _ in range(4)]
    assert session.asked == 1
    assert {facts.channels for facts in seen} == {None}
    assert all("some facts could not be read" in facts.error for facts in seen)
    session.is_stuck = False
    assert ask().channels == ()
    assert (session.asked, session.left_behind) == (2, None)
