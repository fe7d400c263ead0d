"""On a real MariaDB: the run-time account does the console's daily work and cannot touch the record; a restore."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import MySQLdb
import pytest

from deploy.services.mariadb import start_mariadb
from deploy.services.process import ROOT
from tests.backend.database_server import Server
from tests.support.console import PASSWORD

pytestmark = [pytest.mark.server, pytest.mark.timeout(400)]
DUMP = "mariadb-dump --single-transaction --skip-triggers"
"""As docs/how-to/install.md says."""
NO_RIGHT = (1142, 1044, 1227, 1370)
DAILY_WORK = """
import django
django.setup()
from django.conf import settings
from django.test import Client
from django.utils.module_loading import import_string
from backend.audit.models import AuditRecord
from backend.common import heartbeats
from tests.support.console import PASSWORD, confirmation, make_caller, make_link, store_plan
caller, plan = make_caller("olga", "operator"), store_plan(make_link())
assert caller.get("/audit/verify").body["ok"]
assert caller.post(f"/plans/{plan.id}/runs", confirmation(plan)).status == 202
signed_in = Client().post("/api/v1/session", {"username": "nora", "password": PASSWORD}, "application/json")
assert signed_in.status_code < 500
heartbeats.record_heartbeat("worker")
jobs = settings.HAWSER_SECOND_JOBS + settings.HAWSER_PERIODIC_JOBS + settings.HAWSER_NODE_JOBS
for name in (*jobs, *settings.HAWSER_JOBS_AFTER_LOOK):
    import_string(name)()
assert AuditRecord.objects.filter(action="api:run:start").exists()
assert caller.get("/readyz").body["parts"]["audit"]["ok"]
"""


def _ok(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A console's schema, migrated and granted on as an installation does it, on a server of its own."""
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


def test_run_time_account__daily_work__is_done(server: Server) -> None:
    made = server.manage("console", "hawser_user", "nora", "--role", "admin", "--password-stdin", stdin=PASSWORD + "\n")
    assert "created nora" in _ok(made)
    _ok(server.python("console", "-W", "ignore", "-c", DAILY_WORK))
    assert _ok(server.manage("console", "hawser_audit", "verify", "--full")).startswith("ok: ")
    _ok(server.manage("console", "hawser_audit", "head"))
    _ok(server.manage("console", "migrate", "--check"))


@pytest.mark.parametrize(
    "statement",
    [
        "TRUNCATE TABLE audit_auditrecord",
        "DROP TRIGGER audit_auditrecord_no_delete",
        "UPDATE audit_auditrecord SET actor = 'mallory'",
        "DELETE FROM audit_auditrecord",
        "REPLACE INTO audit_auditrecord SELECT * FROM audit_auditrecord",
        "ALTER TABLE audit_auditrecord ADD COLUMN x INT",
        "RENAME TABLE audit_auditrecord TO x",
        "DROP TABLE audit_auditrecord",
        "CREATE TABLE x (n INT)",
        "CREATE TRIGGER x BEFORE INSERT ON audit_auditrecord FOR EACH ROW SET NEW.actor = 'mallory'",
        "DELETE FROM audit_audithead",
        "DELETE FROM django_migrations",
    ],
)
def test_run_time_account__what_would_change_the_record__is_refused_by_the_server(
    server: Server, statement: str
) -> None:
    session = MySQLdb.connect(
        host="127.0.0.1", port=server.port, user="console_run", password="console_run", database="console"
    )
    try:
        with pytest.raises(MySQLdb.Error) as refused:
            session.cursor().execute(statement)
    finally:
        session.close()
    assert refused.value.args[0] in NO_RIGHT


def test_grants__printed__are_what_an_administrator_runs(server: Server) -> None:
    script = _ok(server.manage("console", "hawser_database_grants", "--account", "console_run@%"))
    assert script.startswith("REVOKE ALL PRIVILEGES, GRANT OPTION FROM 'console_run'@'%';\n")
    assert "GRANT SELECT, INSERT ON `console`.`audit_auditrecord` TO 'console_run'@'%';" in script.splitlines()
    assert server.as_root(script).returncode == 0
    _ok(server.manage("console", "hawser_audit", "verify"))


def test_grants__to_the_migrate_account_itself__refused(server: Server) -> None:
    done = server.manage("console", "hawser_database_grants", "--apply", "--account", "console_migrate")
    assert done.returncode != 0
    assert "HAWSER_MIGRATE_DATABASE_URL" in done.stderr


def _dump(server: Server, *options: str) -> str:
    login = ["--no-defaults", f"--socket={server.socket}", "--user=console_migrate", "--password=console_migrate"]
    command, *rest = DUMP.split()
    rest = [option for option in rest if option not in options]
    return _ok(subprocess.run([command, *login, *rest, "console"], capture_output=True, text=True, check=False))


def test_restore__under_another_account__triggers_are_made_again_and_the_record_verifies(server: Server) -> None:
    server.make_schema("other")
    whole = _dump(server, "--skip-triggers")
    refused = server.client("other_migrate", "other_migrate", whole, "other")
    assert "ERROR 1227" in refused.stderr
    _ok(server.client("other_migrate", "other_migrate", _dump(server), "other"))
    _ok(server.manage("other", "hawser_database_grants", "--apply"))
    _ok(server.as_root("GRANT UPDATE, DELETE, TRIGGER ON other.audit_auditrecord TO other_run@'%'"))
    missing = server.manage("other", "hawser_audit", "verify")
    assert missing.returncode != 0
    assert "the database does not refuse UPDATE or DELETE of records" in missing.stderr
    _ok(server.manage("other", "hawser_audit", "restore-triggers"))
    assert _ok(server.manage("other", "hawser_audit", "verify", "--full")).startswith("ok: ")
    changed = server.client("other_run", "other_run", "UPDATE audit_auditrecord SET actor = 'mallory'", "other")
    assert "append-only" in changed.stderr
    assert DUMP in (ROOT / "docs/how-to/backup-and-restore.md").read_text()


def test_compose__accounts_script__makes_accounts_that_migrate_and_run(server: Server, tmp_path: Path) -> None:
    """The image's entrypoint sources the script; its helper is stood in for by the client."""
    (tmp_path / "database_password").write_text("hawser_run\n")
    made = "CREATE DATABASE IF NOT EXISTS hawser; CREATE USER hawser_migrate@'%' IDENTIFIED BY 'hawser_migrate';"
    _ok(server.as_root(made + "GRANT ALL ON hawser.* TO hawser_migrate@'%'"))
    script = (ROOT / "deploy/compose/conf/accounts.sh").read_text().replace("/run/secrets", str(tmp_path))
    helper = f'docker_process_sql() {{ mariadb --no-defaults --socket={server.socket} --user=root "$@"; }}\n'
    _ok(subprocess.run(["bash", "-euc", helper + script], capture_output=True, text=True, check=False))
    _ok(server.client("hawser", "hawser_run", "SELECT 1", ""))
    granted = "CREATE TABLE t (n INT); GRANT SELECT, INSERT ON hawser.t TO 'hawser'@'%'"
    _ok(server.client("hawser_migrate", "hawser_migrate", granted, "hawser"))
    assert "1142" in server.client("hawser", "hawser_run", "DELETE FROM t", "hawser").stderr
