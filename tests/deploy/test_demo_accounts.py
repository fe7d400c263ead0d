"""What a demo's database has before its processes start, by commands in one process."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from deploy.demo import console, secrets
from deploy.services.process import ServiceError

pytestmark = pytest.mark.slow


def _env(database: Path) -> dict[str, str]:
    return {
        "DJANGO_SETTINGS_MODULE": "backend.config.settings",
        "HAWSER_DEBUG": "1",
        "HAWSER_DATABASE_URL": f"sqlite:///{database}",
        "HAWSER_REDIS_URL": "redis://127.0.0.1:1/0",
    }


def test_prepare__an_empty_database__has_users_with_the_password_and_a_token_of_the_administrator(
    tmp_path: Path,
) -> None:
    env = _env(tmp_path / "console.sqlite3")
    tokens = [console.prepare(env, "a long enough password"), console.token_of(env, "vera", "the load")]
    with closing(sqlite3.connect(tmp_path / "console.sqlite3")) as database:
        users = database.execute("SELECT username, role, password FROM accounts_user").fetchall()
        owners = database.execute(
            "SELECT username, label FROM accounts_apitoken JOIN accounts_user ON user_id = accounts_user.id"
        ).fetchall()
    assert {(name, role) for name, role, _ in users} == set(secrets.USERS.items())
    assert not any(password.startswith("!") for _, _, password in users)
    assert owners == [("admin", "demo"), ("vera", "the load")]
    assert all(token.startswith("hawser_") and " " not in token for token in tokens)


def test_prepare__a_command_that_fails__says_why(tmp_path: Path) -> None:
    with pytest.raises(ServiceError, match="hawser_user: This password is easy to guess"):
        console.prepare(_env(tmp_path / "console.sqlite3"), "short")
