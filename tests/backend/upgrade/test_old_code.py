"""The released code on the next schema, with rows in every table: it reads, changes and inserts as before."""

from __future__ import annotations

import gzip
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import MySQLdb
import pytest

from deploy.services.mariadb import MariaDB, start_mariadb
from tests.backend.upgrade.released import PAGE
from tests.support.table_text import STORED, tables_and_triggers

ROOT = Path(__file__).resolve().parents[3]
BEFORE_SQUASH = Path(__file__).with_name("console_before_squash.sql.gz")
OLD_CODE = "tests.backend.upgrade.old_code"
pytestmark = [pytest.mark.server, pytest.mark.timeout(300)]


def _python(url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "backend.config.settings",
        "HAWSER_DEBUG": "1",
        "HAWSER_DATABASE_URL": url,
    }
    command = [sys.executable, "-W", "ignore", *arguments]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=200, check=False)


def _after_upgrade(url: str) -> subprocess.CompletedProcess[str]:
    """The released code wrote, the schema was upgraded, and the released code goes on."""
    wrote = _python(url, "-m", OLD_CODE, "write", str(PAGE))
    assert wrote.returncode == 0, wrote.stderr
    upgraded = _python(url, "manage.py", "migrate", "-v0")
    assert upgraded.returncode == 0, upgraded.stderr
    return _python(url, "-m", OLD_CODE, "use", str(PAGE))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[MariaDB]:
    running = start_mariadb(tmp_path / "server", tmp_path / "log")
    yield running
    running.child.stop()


def test_upgrade__from_the_released_schema_with_rows__released_code_goes_on(tmp_path: Path) -> None:
    done = _after_upgrade(f"sqlite:///{tmp_path}/c.sqlite3")
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[0]) > 60


def test_upgrade__on_mariadb__released_code_goes_on(server: MariaDB) -> None:
    done = _after_upgrade(server.url)
    assert done.returncode == 0, done.stderr


def test_upgrade__that_takes_a_column_away__breaks_the_code_before_it(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/c.sqlite3"
    assert _after_upgrade(url).returncode == 0
    with closing(sqlite3.connect(tmp_path / "c.sqlite3")) as session:
        session.execute("ALTER TABLE hooks_hook DROP COLUMN sealed_url")
    done = _python(url, "-m", OLD_CODE, "use", str(PAGE))
    assert done.returncode != 0
    assert "no such column: hooks_hook.sealed_url" in done.stderr


def test_database_of_before_the_migrations_were_squashed__goes_on_with_all_rows(server: MariaDB) -> None:
    """Its dump names the 73 migrations of that day, and has a row in every table."""
    at = urlsplit(server.url)
    account = {"host": at.hostname, "port": at.port, "user": at.username, "password": at.password, "db": at.path[1:]}
    client = ["mariadb", "--no-defaults", *(f"--{key}={value}" for key, value in account.items() if key != "db")]
    with gzip.open(BEFORE_SQUASH) as dump:
        subprocess.run([*client, account["db"]], input=dump.read(), check=True, timeout=100)
    upgraded = _python(server.url, "manage.py", "migrate", "-v0")
    assert upgraded.returncode == 0, upgraded.stderr
    used = _python(server.url, "-m", OLD_CODE, "use", str(PAGE))
    assert used.returncode == 0, used.stderr
    with closing(MySQLdb.connect(**account)) as session, session.cursor() as cursor:
        assert tables_and_triggers(cursor) == STORED.read_text(encoding="utf-8")
        cursor.execute("SELECT username FROM accounts_user WHERE role = 'admin'")
        assert cursor.fetchall() == (("nora",),)
