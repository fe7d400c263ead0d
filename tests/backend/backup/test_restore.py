"""On a real MariaDB with two accounts, none with SUPER: a backup while writes go on, restored by another account."""

from __future__ import annotations

import base64
import json
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import copy
from typing import Any

import MySQLdb
import pytest
from cryptography.fernet import Fernet

from backend.config.backup.reading import open_archive
from backend.config.backup.schema import NOT_DATA
from deploy.services.mariadb import start_mariadb
from deploy.services.process import ROOT
from tests.backend.backup import damage
from tests.backend.database_server import Server
from tests.support.waiting import wait_for

pytestmark = [pytest.mark.server, pytest.mark.timeout(600)]
DATA = ["-m", "tests.backend.backup.console_data"]
ADDED = {"audit_auditrecord": 1, "events_event": 1}
"""Rows that the restore itself adds."""
CHANGED = {"accounts_apitoken": {"revoked_at"}, "audit_audithead": {"seq", "hash", "mac"}, "runs_run": None}
"""Columns of rows that the restore changes; None: see test_afterwards."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A console in daily use on a server of its own."""
    home = tmp_path_factory.mktemp("db")
    running = start_mariadb(home, home / "log")
    try:
        found = Server(home / "data" / "s.sock", running.port)
        found.make_schema("console")
        _ok(found.manage("console", "migrate", "--no-input", "-v0"))
        _ok(found.manage("console", "hawser_database_grants", "--apply"))
        yield found
    finally:
        running.child.stop()


@pytest.fixture(scope="module")
def filled(server: Server) -> dict[str, str]:
    """What the console was filled with by its API: a token, a run, a link."""
    found: dict[str, str] = json.loads(_ok(server.python("console", "-W", "ignore", *DATA, "fill")).splitlines()[-1])
    return found


@pytest.fixture(scope="module")
def archive(server: Server, filled: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of it, made by the run-time account."""
    path = tmp_path_factory.mktemp("backup") / "console.zip"
    _ok(server.manage("console", "hawser_backup", "--to", str(path)))
    return path


def _ok(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _environment(server: Server, schema: str, **more: str) -> dict[str, str]:
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "backend.config.settings",
        "HAWSER_DEBUG": "1",
        "HAWSER_DATABASE_URL": server.url(f"{schema}_run", schema),
        "HAWSER_MIGRATE_DATABASE_URL": server.url(f"{schema}_migrate", schema),
        **more,
    }


@contextmanager
def _process(server: Server, schema: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A process of that console; killed behind the block."""
    command = [sys.executable, *arguments]
    env = _environment(server, schema)
    child = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        yield child
    finally:
        child.kill()
        child.communicate(timeout=30)


def _restore(server: Server, schema: str, archive: Path, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "hawser_restore", str(archive), "--reason", "disk of the host lost"],
        cwd=ROOT,
        env=_environment(server, schema, **more),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def _as_root(server: Server, schema: str, sql: str) -> list[dict[str, Any]]:
    session = MySQLdb.connect(unix_socket=str(server.socket), user="root", database=schema)
    try:
        cursor = session.cursor(MySQLdb.cursors.DictCursor)
        cursor.execute(sql)
        return list(cursor.fetchall())
    finally:
        session.close()


def _tables(server: Server, schema: str) -> list[str]:
    sql = f"SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = '{schema}'"
    return [row["name"] for row in _as_root(server, schema, sql)]


def _rows(server: Server, schema: str, table: str, *, but: set[str]) -> list[str]:
    rows = _as_root(server, schema, f"SELECT * FROM `{table}`")
    return sorted(repr({name: value for name, value in row.items() if name not in but}) for row in rows)


def test_backup__while_writes_go_on__is_one_moment_of_the_database(
    server: Server, filled: dict[str, str], tmp_path: Path
) -> None:
    with _process(server, "console", "-W", "ignore", *DATA, "write") as writer:
        assert writer.stdout is not None
        for _ in range(50):
            writer.stdout.readline()
        _ok(server.manage("console", "hawser_backup", "--to", str(tmp_path / "b.zip")))
        assert writer.poll() is None
    with open_archive(tmp_path / "b.zip") as found:
        assert found.verify() == ""
        records = [row for row in found.rows(found.manifest.part("audit_auditrecord")) if "test:thing:write" in row]
        events = [row for row in found.rows(found.manifest.part("events_event")) if "test.write" in str(row)]
    written = _as_root(
        server, "console", "SELECT COUNT(*) AS n FROM audit_auditrecord WHERE action LIKE 'test:thing:w%'"
    )
    assert 50 <= len(records) == len(events) < written[0]["n"]


def test_restore__under_another_account__has_every_row_and_ends_what_acts_by_itself(
    server: Server, filled: dict[str, str], tmp_path: Path
) -> None:
    _ok(server.manage("console", "hawser_backup", "--to", str(tmp_path / "b.zip")))
    server.make_schema("other")
    reported = _ok(_restore(server, "other", tmp_path / "b.zip"))
    assert f"Decide on 1 run that had not finished: {filled['run']}" in reported
    _ok(server.manage("other", "hawser_database_grants", "--apply"))
    assert set(_tables(server, "other")) == set(_tables(server, "console"))
    for table in sorted(set(_tables(server, "console")) - NOT_DATA):
        _compare(server, table)
    assert _ok(server.manage("other", "hawser_audit", "verify", "--full")).startswith("ok: ")
    refused = server.as_root("UPDATE audit_auditrecord SET actor = 'mallory'", "other")
    assert "append-only" in refused.stderr
    observed = json.loads(
        _ok(server.python("other", "-W", "ignore", *DATA, "observe", filled["token"])).splitlines()[-1]
    )
    assert observed == {"status": 401, "passwords": observed["passwords"], "ok": True}
    assert len(observed["passwords"]) == 6
    assert json.loads(
        _ok(server.python("console", "-W", "ignore", *DATA, "observe", filled["token"])).splitlines()[-1]
    ) == {
        **observed,
        "status": 200,
    }


def _compare(server: Server, table: str) -> None:
    but = CHANGED.get(table, set())
    if table == "django_migrations":
        but = {"id", "applied"}
    if but is None:
        return
    source, restored = (_rows(server, schema, table, but=but) for schema in ("console", "other"))
    assert len(restored) == len(source) + ADDED.get(table, 0), table
    assert set(source) <= set(restored), table


def test_restore__wrong_key__is_refused_and_nothing_is_written(server: Server, archive: Path) -> None:
    server.make_schema("lost_keys")
    wrong_audit = {"HAWSER_AUDIT_KEY": base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()}
    wrong_credentials = {"HAWSER_CREDENTIALS_KEY": Fernet.generate_key().decode()}
    for more, named in ((wrong_audit, "HAWSER_AUDIT_KEY"), (wrong_credentials, "HAWSER_CREDENTIALS_KEY")):
        refused = _restore(server, "lost_keys", archive, **more)
        assert (refused.returncode, _tables(server, "lost_keys")) == (1, []), refused.stderr
        assert f"{named} does not list" in refused.stderr
        assert "Nothing was written" in refused.stderr


def test_restore__archive_damaged_cut_newer_or_unknown__is_refused_and_nothing_is_written(
    server: Server, archive: Path, tmp_path: Path
) -> None:
    server.make_schema("damaged")
    (tmp_path / "cut.zip").write_bytes(archive.read_bytes()[:-500])
    damage.with_part(archive, tmp_path / "part.zip", "tables/runs_run.jsonl", b"[]\n")
    damage.with_manifest(archive, tmp_path / "newer.zip", version="99.0.0")
    damage.with_manifest(archive, tmp_path / "chain.zip", audit_seq=10_000)
    for name, reported in (
        ("cut", "truncated"),
        ("part", "tables/runs_run.jsonl is damaged"),
        ("newer", "made by Hawser 99.0.0, this is"),
        ("chain", "--accept-damaged-audit"),
    ):
        refused = _restore(server, "damaged", tmp_path / f"{name}.zip")
        assert (refused.returncode, _tables(server, "damaged")) == (1, []), refused.stderr
        assert reported in refused.stderr


def test_restore__schema_in_use__is_refused_and_nothing_is_written(server: Server, archive: Path) -> None:
    before = _as_root(server, "console", "CHECKSUM TABLE audit_auditrecord, runs_run, accounts_user")
    refused = _restore(server, "console", archive)
    assert refused.returncode == 1
    assert "The schema is not empty" in refused.stderr
    assert _as_root(server, "console", "CHECKSUM TABLE audit_auditrecord, runs_run, accounts_user") == before


def test_restore__session_of_a_process_in_the_schema__is_refused_and_nothing_is_written(
    server: Server, archive: Path
) -> None:
    server.make_schema("busy")
    assert server.as_root("GRANT SELECT ON busy.* TO busy_run@'%'").returncode == 0
    web = MySQLdb.connect(host="127.0.0.1", port=server.port, user="busy_run", password="busy_run", database="busy")
    try:
        refused = _restore(server, "busy", archive)
    finally:
        web.close()
    assert (refused.returncode, _tables(server, "busy")) == (1, [])
    assert "session of busy_run from" in refused.stderr


def test_restore__cut_off_at_any_time__no_process_starts_and_the_next_restore_finishes(
    server: Server, archive: Path, tmp_path: Path
) -> None:
    server.make_schema("cut")
    tables = len(_tables(server, "console"))
    moments: dict[str, Callable[[], bool]] = {
        "marked": lambda: True,
        "half-of-the-tables-made": lambda: len(_tables(server, "cut")) > tables / 2,
        "runs-loaded": lambda: bool(_as_root(server, "cut", "SELECT id FROM runs_run")),
    }
    for moment, is_reached in moments.items():
        _cut_off(server, copy(archive, tmp_path / f"{moment}.zip"), is_reached)
        _ok(server.as_root("GRANT SELECT ON cut.* TO cut_run@'%'"))
        refused = server.manage("cut", "hawser_monitor")
        assert refused.returncode != 0
        assert "did not finish" in refused.stderr
    reported = _ok(_restore(server, "cut", archive))
    assert "dropping the tables that the unfinished restore of runs-loaded.zip left" in reported
    assert not _unfinished(server, "cut")
    _ok(server.manage("cut", "hawser_database_grants", "--apply"))
    assert _ok(server.manage("cut", "hawser_audit", "verify", "--full")).startswith("ok: ")


def _cut_off(server: Server, archive: Path, is_reached: Callable[[], bool]) -> None:
    """Begin to restore, and kill it at that moment; the mark has the archive's name, so it is not an earlier one's."""
    command = ["manage.py", "hawser_restore", str(archive), "--reason", "disk of the host lost"]
    with _process(server, "cut", *command) as restoring:

        def is_there() -> bool:
            assert restoring.poll() is None, f"the restore ended before this moment: {archive.stem}"
            return _unfinished(server, "cut") == [archive.name] and _holds(is_reached)

        wait_for(is_there, f"the restore to come to this moment: {archive.stem}", 120, 0.02)
        restoring.send_signal(signal.SIGKILL)
        restoring.wait(20)
    assert _unfinished(server, "cut") == [archive.name]


def _holds(is_reached: Callable[[], bool]) -> bool:
    with suppress(MySQLdb.Error):
        return is_reached()
    return False


def _unfinished(server: Server, schema: str) -> list[str]:
    """The archives whose restores marked the schema as unfinished."""
    with suppress(MySQLdb.Error):
        return [
            row["name"]
            for row in _as_root(server, schema, "SELECT name FROM django_migrations WHERE app = 'hawser_restore'")
        ]
    return []


def test_restore__a_process_starts_during_it__does_not_finish(server: Server, archive: Path) -> None:
    server.make_schema("late")
    with _process(server, "late", "manage.py", "hawser_restore", str(archive), "--reason", "x") as restoring:
        heartbeat = (
            "INSERT INTO common_processheartbeat (kind, instance, seen_at) VALUES ('monitor', 'h:7', UTC_TIMESTAMP(6))"
        )
        wait_for(lambda: server.as_root(heartbeat, "late").returncode == 0, "the table of heartbeats", 60, 0.02)
        reported, _ = restoring.communicate(timeout=120)
    assert restoring.returncode == 3, reported
    assert "Processes of the console use this schema: monitor h:7" in reported
    assert "No process starts on this schema" in reported
