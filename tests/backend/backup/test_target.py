"""The schema that a restore writes to, and the mark that keeps processes off one that is not finished."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection
from django.utils import timezone

from backend.api.health import readiness
from backend.common import unfinished_restore
from backend.common.heartbeats import is_due, record_heartbeat
from backend.common.models import ProcessHeartbeat
from backend.config.backup import target
from backend.config.backup.errors import BackupError
from backend.config.celery import refuse_half_restored_database
from backend.config.lifespan import follow_lifespan
from tests.support.console import make_user


@pytest.fixture(autouse=True)
def no_other_sessions(request: pytest.FixtureRequest) -> None:
    """Threads of tests before may have left theirs in the schema."""
    if "db" not in request.fixturenames or connection.vendor != "mysql":
        return
    request.getfixturevalue("db")
    with connection.cursor() as cursor:
        cursor.execute("SELECT ID FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND ID <> CONNECTION_ID()")
        for (number,) in cursor.fetchall():
            with contextlib.suppress(DatabaseError):  # it ended meanwhile
                cursor.execute("KILL %s", [number])


def test_target__not_empty__is_refused_with_what_is_there(db: None) -> None:
    make_user("nora", "admin")
    with pytest.raises(BackupError, match=r"The schema is not empty. It has \d+ tables: accounts_user \(1 row\)"):
        target.check_target()


def test_target__process_wrote_a_heartbeat__is_refused_with_its_name(db: None) -> None:
    record_heartbeat("monitor", "host:7")
    with pytest.raises(BackupError, match="Processes of the console use this schema: monitor host:7"):
        target.check_target()


def test_heartbeats__old_ones_and_periodic_jobs__are_no_running_process(db: None) -> None:
    record_heartbeat("monitor", "host:7")
    ProcessHeartbeat.objects.update(seen_at=timezone.now() - target.ALIVE - timedelta(seconds=1))
    assert is_due("sweep", timedelta(hours=1))
    assert target.processes_since_start() == []


@pytest.fixture
def marked(db: None) -> None:
    """A database whose restore was cut off."""
    unfinished_restore.mark("b.zip")


def test_target__left_by_a_restore_that_was_cut_off__is_recognised(marked: None) -> None:
    assert target.check_target() == "b.zip"


@pytest.mark.parametrize(
    "command", [["hawser_monitor"], ["hawser_breakglass", "plan", "x", "--reason", "r"], ["hawser_backup", "--to", "x"]]
)
def test_command__restore_not_finished__does_not_start(marked: None, command: list[str]) -> None:
    with pytest.raises(CommandError, match=r"The restore of b\.zip into this database did not finish"):
        call_command(*command)


def test_worker__restore_not_finished__does_not_start(marked: None, monkeypatch: Any) -> None:
    monkeypatch.setattr("backend.config.celery.connection.close", lambda: None)
    with pytest.raises(SystemExit, match="did not finish"):
        refuse_half_restored_database()


@pytest.mark.parametrize("is_marked", [False, True])
def test_web__restore_not_finished__does_not_start(db: None, monkeypatch: Any, is_marked: bool) -> None:
    monkeypatch.setattr(unfinished_restore, "unfinished_archive", lambda: "b.zip" if is_marked else "")
    monkeypatch.setattr("backend.config.lifespan.connection.close", lambda: None)
    sent: list[dict[str, Any]] = []
    messages = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]

    async def receive() -> dict[str, Any]:
        return messages.pop(0)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    asyncio.run(follow_lifespan(receive, send))
    first = "lifespan.startup.failed" if is_marked else "lifespan.startup.complete"
    assert sent[0]["type"] == first
    assert "did not finish" in str(sent) or not is_marked


def test_readiness__restore_not_finished__is_unavailable(marked: None) -> None:
    found = readiness()
    assert found["status"] == "unavailable"
    assert "did not finish" in found["parts"]["database"]["detail"]


def test_mark__removed__processes_start_again(marked: None) -> None:
    unfinished_restore.unmark()
    assert unfinished_restore.refusal() == ""
