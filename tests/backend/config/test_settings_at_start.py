"""What the environment may hold, and what is said of what it may not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from backend.config.env import Reading, read
from backend.config.setting_checks import DEMO_CREDENTIALS_KEY
from backend.config.setting_table import ROOT
from backend.config.sign_in_settings import refuse_incomplete
from tests.backend.config.given_settings import GOOD, KEY, fault


def reading(name: str, **given: str) -> Reading:
    """One setting."""
    return read(GOOD | given)[name]


def test_read__keys_alone__every_other_setting_has_its_default() -> None:
    readings = read(GOOD)
    assert readings["HAWSER_LEASE_S"].value == 15
    assert readings["HAWSER_ALLOWED_HOSTS"].value == ["localhost", "127.0.0.1"]
    assert readings["HAWSER_METRICS_PUBLIC"].value is False


def test_read__several_wrong__all_said_at_once() -> None:
    message = fault(HAWSER_SECRET_KEY="x", HAWSER_LEASE_S="-5", HAWSER_ALLOWED_NETWORKS="10.0.0.0/8x")
    assert message.startswith("3 settings cannot be used:")
    assert message.count("\n") == 3
    for name in ("HAWSER_SECRET_KEY", "HAWSER_LEASE_S", "HAWSER_ALLOWED_NETWORKS"):
        assert f"\n  {name}: " in message


def test_read__short_secret_key__refused() -> None:
    assert "too short" in fault(HAWSER_SECRET_KEY="0123456789abcdef0123456789abcde")


def test_read__secret_key_of_one_character__refused() -> None:
    assert "not random" in fault(HAWSER_SECRET_KEY="s" * 60)


def test_read__published_key_in_any_place__refused_and_counted() -> None:
    same_key_spelt_otherwise = DEMO_CREDENTIALS_KEY.replace("aGF3", "aG!F3")
    for published in (DEMO_CREDENTIALS_KEY, same_key_spelt_otherwise):
        message = fault(HAWSER_CREDENTIALS_KEY=f"{KEY},{published}")
        assert "key 2 of 2 is the published value" in message
        assert published not in message
        assert not fault(HAWSER_CREDENTIALS_KEY=f"{KEY},{published}", HAWSER_DEMO="1")


def test_read__each_key_of_the_list__checked_on_its_own() -> None:
    assert "key 2 of 3 is not url-safe base64" in fault(HAWSER_CREDENTIALS_KEY=f"{KEY},abc,{KEY}")
    assert "repeats a few bytes" in fault(HAWSER_CREDENTIALS_KEY="A" * 43 + "=")
    assert reading("HAWSER_CREDENTIALS_KEY", HAWSER_CREDENTIALS_KEY=f"{KEY}, {KEY},").value == [KEY, KEY]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("HAWSER_LEASE_S", "nan"),
        ("HAWSER_LEASE_S", "inf"),
        ("HAWSER_LEASE_S", "fifteen"),
        ("HAWSER_LOGIN_LIMIT", "0"),
        ("HAWSER_LOGIN_LIMIT", "2.5"),
        ("HAWSER_LOGIN_WINDOW_S", "-1"),
        ("HAWSER_POLL_INTERVAL_S", "0"),
        ("HAWSER_STREAM_MAX_S", "1e99"),
        ("HAWSER_BEHIND_PROXY", "perhaps"),
        ("HAWSER_LOG_LEVEL", "LOUD"),
        ("HAWSER_ALLOWED_NETWORKS", "10.0.0.0/8,10.0.0.1/8"),
        ("HAWSER_HOOK_NETWORKS", "example.net"),
        ("HAWSER_ALLOWED_HOSTS", "https://hawser.example.net"),
        ("HAWSER_ALLOWED_HOSTS", "hawser.example.net:8443"),
        ("HAWSER_ALLOWED_HOSTS", "*"),
        ("HAWSER_VAULT_PATHS", "=secret/hawser"),
        ("HAWSER_SECRET_PATHS", "production=/"),
        ("HAWSER_TRUSTED_ORIGINS", "hawser.example.net"),
        ("HAWSER_TRUSTED_ORIGINS", "https://hawser.example.net/page"),
        ("HAWSER_DATABASE_URL", "postgres://u:canary@h/n"),
        ("HAWSER_DATABASE_URL", "mysql://u:ca/nary@h/n"),
        ("HAWSER_DATABASE_URL", "mysql://u:canary@h"),
        ("HAWSER_DATABASE_URL", "mysql:///name"),
        ("HAWSER_REDIS_URL", "http://h"),
        ("HAWSER_REDIS_URL", "redis://:canary@h:99999/0"),
        ("HAWSER_REDIS_URL", "redis://:canary@h:6379/first"),
        ("HAWSER_LAB_NET", "10.1"),
        ("HAWSER_DEMO", "maybe"),
    ],
)
def test_read__value_outside_its_range__named_with_the_remedy(name: str, text: str) -> None:
    message = fault(**{name: text})
    assert f"\n  {name}: " in message
    assert "canary" not in message
    assert "nary" not in message


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("HAWSER_ALLOWED_HOSTS", "hawser.example.net,.example.org,10.0.0.1,[2001:db8::1],db_1"),
        ("HAWSER_TRUSTED_ORIGINS", "https://hawser.example.net,https://*.example.org,http://127.0.0.1:8800"),
        ("HAWSER_DATABASE_URL", "mysql://u:p%40ss@h:3306/n"),
        ("HAWSER_DATABASE_URL", "mysql://u@/n?unix_socket=/run/mysqld/mysqld.sock"),
        ("HAWSER_DATABASE_URL", "sqlite:///"),
        ("HAWSER_REDIS_URL", "rediss://user:p@h:6380/1"),
        ("HAWSER_ALLOWED_NETWORKS", "10.1.0.0/16, 2001:db8::/48,10.0.0.7"),
        ("HAWSER_LOG_LEVEL", "warning"),
        ("HAWSER_LEASE_S", "4"),
    ],
)
def test_read__proper_value__taken(name: str, text: str) -> None:
    assert fault(**{name: text}) == ""
    assert reading(name, **{name: text}).origin == "environment"


def test_read__empty_value__is_the_default() -> None:
    assert reading("HAWSER_REDIS_URL", HAWSER_REDIS_URL="").origin == "default"
    assert "HAWSER_SECRET_KEY: is missing" in fault(HAWSER_SECRET_KEY="")


def test_read__secrets__required_of_the_processes_that_need_them() -> None:
    missing = {
        process: {
            name for name in GOOD if f"{name}: is missing" in fault(**dict.fromkeys(GOOD, ""), HAWSER_PROCESS=process)
        }
        for process in ("", "Web", "worker", "monitor", "migrate")
    }
    assert missing == {
        "": set(GOOD),
        "Web": set(GOOD),
        "worker": {"HAWSER_CREDENTIALS_KEY", "HAWSER_AUDIT_KEY"},
        "monitor": {"HAWSER_CREDENTIALS_KEY", "HAWSER_AUDIT_KEY"},
        "migrate": {"HAWSER_AUDIT_KEY"},
    }
    assert "HAWSER_PROCESS: must be one of web, worker, monitor, migrate" in fault(HAWSER_PROCESS="wev")


def test_read__file_twin__wins_for_every_kind(tmp_path: Path) -> None:
    file = tmp_path / "lease"
    file.write_text("30\n")
    lease = reading("HAWSER_LEASE_S", HAWSER_LEASE_S="20", HAWSER_LEASE_S_FILE=str(file))
    assert (lease.value, lease.origin) == (30, f"file {file}")
    file.write_text("\n")
    assert "empty file" in fault(HAWSER_LEASE_S_FILE=str(file))
    assert "cannot be read" in fault(HAWSER_LEASE_S_FILE=str(tmp_path / "none"))


@pytest.mark.parametrize(
    "command",
    [
        ["manage.py", "check"],
        ["-m", "uvicorn", "backend.config.asgi:application", "--lifespan", "off", "--port", "0"],
        ["-m", "celery", "-A", "backend.config.celery", "worker"],
    ],
    ids=["manage.py", "uvicorn", "celery"],
)
def test_start__with_wrong_settings__refused_with_every_name(command: list[str]) -> None:
    env = {"PATH": "/usr/bin:/bin", "HAWSER_LEASE_S": "-5", "HAWSER_LOGIN_LIMIT": "0"}
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode != 0
    for name in ("HAWSER_SECRET_KEY", "HAWSER_CREDENTIALS_KEY", "HAWSER_LEASE_S", "HAWSER_LOGIN_LIMIT"):
        assert f"\n  {name}: " in done.stderr


OF_DIRECTORY = {
    "HAWSER_LDAP_URL": "ldaps://ldap.example.net",
    "HAWSER_LDAP_CA_FILE": "/nonexistent/ca.pem",
    "HAWSER_LDAP_BIND_DN": "cn=hawser",
    "HAWSER_LDAP_USER_BASE": "ou=people",
    "HAWSER_LDAP_GROUP_BASE": "ou=groups",
    "HAWSER_GROUP_ROLES": "dba=operator",
}


def incomplete(process: str, **given: str) -> str:
    """What is said of the settings of sign-in in a process; "" where nothing is missing."""
    readings = read(GOOD | OF_DIRECTORY | {"HAWSER_PROCESS": process, "HAWSER_WEB_PUSH_KEY": "off"} | given)
    try:
        refuse_incomplete({name: each.value for name, each in readings.items()}, relaxed=False)
    except ImproperlyConfigured as error:
        return str(error)
    return ""


@pytest.mark.parametrize("process", ["", "web", "monitor"])
def test_sign_in__process_that_asks_the_directory_without_password_or_ca__refused(process: str) -> None:
    message = incomplete(process)
    assert "needs HAWSER_LDAP_BIND_PASSWORD" in message
    assert "HAWSER_LDAP_CA_FILE cannot be read" in message


@pytest.mark.parametrize("process", ["worker", "migrate"])
def test_sign_in__process_that_never_asks__starts_with_the_shared_settings_and_without_the_secrets(
    process: str,
) -> None:
    assert incomplete(process) == ""
    assert "needs HAWSER_LDAP_BIND_DN" in incomplete(process, HAWSER_LDAP_BIND_DN="")
