"""Each process has the secrets that it needs and no other: what is needed is seen by running them with those alone."""

from __future__ import annotations

import base64
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from deploy.services.process import PYTHON, Child, run, wait_until
from deploy.services.redis import start_redis
from tests.deploy import units
from tests.deploy.compose import services

pytestmark = pytest.mark.slow

RUNNING = {"credentials_key", "audit_key", "database_url", "redis_url"}
SCHEMA = {"database_url", "migrate_database_url", "audit_key"}
SENDING = {"web_push_key"}
OF_WEB = {"secret_key", "password_pepper", "proxy_secret", "web_certificate", "web_key"}
NEEDED = {"web": RUNNING | SENDING | OF_WEB, "worker": RUNNING | SENDING, "monitor": RUNNING}


@pytest.mark.parametrize("process", NEEDED)
def test_unit__secrets__are_those_that_the_process_needs(process: str) -> None:
    assert units.secrets(f"hawser-{process}.service") == NEEDED[process]


@pytest.mark.parametrize("process", NEEDED)
def test_compose_service__secrets__are_those_that_the_process_needs(process: str) -> None:
    assert set(services()[process]["secrets"]) == NEEDED[process]


def test_compose_migrate__secrets__are_the_database_and_the_key_of_the_audit_log() -> None:
    assert set(services()["migrate"]["secrets"]) == SCHEMA


def test_process_names__in_units_and_compose__are_their_own(tmp_path: Path) -> None:
    for process in NEEDED:
        assert units.environment(f"hawser-{process}.service", tmp_path)["HAWSER_PROCESS"] == process
    for process in (*NEEDED, "migrate"):
        assert services()[process]["environment"]["HAWSER_PROCESS"] == process


def test_units__each_has_an_account_of_its_own_that_is_made() -> None:
    accounts = [units.values(name, "User")[0] for name in units.SERVICES if "@" not in name]
    assert len(set(accounts)) == len(accounts)
    made = (units.FOLDER / "sysusers.conf").read_text().splitlines()
    for account in accounts:
        assert any(line.startswith(f"u {account} ") for line in made)
        assert f"m {account} hawser" in made


def test_worker_and_monitor__with_their_own_secrets_alone__do_their_work(tmp_path: Path) -> None:
    database = tmp_path / "console.sqlite3"
    redis = start_redis(tmp_path / "redis", tmp_path / "redis.log")
    given = {
        "credentials_key": base64.urlsafe_b64encode(secrets.token_bytes(32)).decode(),
        "audit_key": base64.urlsafe_b64encode(secrets.token_bytes(32)).decode(),
        "database_url": f"sqlite:///{database}",
        "redis_url": redis.url,
        "web_push_key": "off",
    }
    try:
        run(
            [PYTHON, "manage.py", "migrate", "--no-input"],
            env={
                "HAWSER_PROCESS": "migrate",
                "HAWSER_DATABASE_URL": given["database_url"],
                "HAWSER_AUDIT_KEY": given["audit_key"],
            },
        )
        with _started("monitor", tmp_path, given) as monitor, _started("worker", tmp_path, given) as worker:
            seen = wait_until(lambda: _heartbeats(database) >= {"monitor", "worker"}, 60)
            assert seen, monitor.tail() + worker.tail()
    finally:
        redis.child.stop()


@contextmanager
def _started(process: str, home: Path, given: dict[str, str]) -> Iterator[Child]:
    unit, credentials = f"hawser-{process}.service", home / process
    credentials.mkdir()
    for name in units.secrets(unit):
        (credentials / name).write_text(given[name])
    environment = units.environment(unit, credentials)
    child = Child(process, units.command(unit), home / f"{process}.log", environment).start()
    try:
        yield child
    finally:
        child.stop()


def _heartbeats(database: Path) -> set[str]:
    with sqlite3.connect(database, timeout=10) as connection:
        return {kind for (kind,) in connection.execute("SELECT kind FROM common_processheartbeat")}
