"""What a console in production sends with its answers, read from a process with such settings."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from typing import Any

import pytest
from cryptography.fernet import Fernet

from backend.config.settings import logs
from backend.config.system_checks import check_second_factors, networks_without_a_list
from deploy.services.process import ROOT

NAMES = (
    "SESSION_COOKIE_NAME", "SESSION_COOKIE_SECURE", "SESSION_COOKIE_HTTPONLY", "SESSION_COOKIE_SAMESITE",
    "SESSION_COOKIE_AGE", "SESSION_COOKIE_PATH", "CSRF_COOKIE_SECURE", "CSRF_COOKIE_SAMESITE",
    "SECURE_HSTS_SECONDS", "SECURE_HSTS_INCLUDE_SUBDOMAINS", "DEBUG", "HAWSER_SECOND_FACTOR_ROLES",
)  # fmt: skip
READ = f"{{name: getattr(settings, name, '/') for name in {NAMES}}}"
PROGRAM = f"import json; from backend.config import settings; print(json.dumps({READ}))"


def started(**given: str) -> subprocess.CompletedProcess[str]:
    """What a process prints that is neither demo nor debug, with these settings besides."""
    env = {
        "PATH": "/usr/bin:/bin",
        "HAWSER_SECRET_KEY": "0123456789abcdef" * 3,
        "HAWSER_CREDENTIALS_KEY": Fernet.generate_key().decode(),
        "HAWSER_PASSWORD_PEPPER": Fernet.generate_key().decode(),
        "HAWSER_AUDIT_KEY": Fernet.generate_key().decode(),
        "HAWSER_ALLOWED_HOSTS": "hawser.example.net",
    }
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.run(command, cwd=ROOT, env=env | given, capture_output=True, check=False, text=True)


@cache
def production() -> dict[str, Any]:
    """Settings of such a process."""
    return dict(json.loads(started().stdout))


def test_cookies__of_production__carry_prefix_and_attributes() -> None:
    found = production()
    assert found["SESSION_COOKIE_NAME"].startswith("__Host-")
    assert found["SESSION_COOKIE_SECURE"] is found["SESSION_COOKIE_HTTPONLY"] is found["CSRF_COOKIE_SECURE"] is True
    assert found["SESSION_COOKIE_SAMESITE"] == found["CSRF_COOKIE_SAMESITE"] == "Strict"
    assert (found["SESSION_COOKIE_PATH"], found["SESSION_COOKIE_AGE"]) == ("/", 12 * 3600)


def test_transport__of_production__a_year_with_subdomains() -> None:
    found = production()
    assert found["SECURE_HSTS_SECONDS"] == 31_536_000
    assert found["SECURE_HSTS_INCLUDE_SUBDOMAINS"] is True
    assert found["DEBUG"] is False


def test_logs__times__are_utc() -> None:
    stamper = next(part for part in logs._SHARED if type(part).__name__ == "TimeStamper")
    event = stamper(None, "info", {})
    assert event["timestamp"].endswith("Z")


def test_check__networks_without_a_list__named() -> None:
    found = networks_without_a_list({"HAWSER_ALLOWED_NETWORKS": [], "HAWSER_HOOK_NETWORKS": ["10.0.0.0/8"]})
    assert [(each.id, each.msg.split()[0]) for each in found] == [("hawser.W004", "HAWSER_ALLOWED_NETWORKS")]


def test_second_factors__of_production__needed_by_administrators() -> None:
    assert production()["HAWSER_SECOND_FACTOR_ROLES"] == ["admin"]


def test_check__no_role_needs_a_second_factor__named(settings: Any) -> None:
    settings.HAWSER_SECOND_FACTOR_ROLES = []
    assert [each.id for each in check_second_factors()] == ["hawser.W005"]
    settings.HAWSER_SECOND_FACTOR_ROLES = ["admin"]
    assert check_second_factors() == []


@pytest.mark.parametrize(
    ("given", "reported"),
    [
        (
            {"HAWSER_DATABASE_URL": "mysql://u:p@db.example.net/h", "HAWSER_REDIS_URL": "redis://:p@queue/0"},
            "HAWSER_DATABASE_URL leads to db.example.net without TLS",
        ),
        ({"HAWSER_PROCESS": "web", "HAWSER_BEHIND_PROXY": "1"}, "HAWSER_PROXY_SECRET is missing"),
    ],
    ids=["clear", "unproved"],
)
def test_process__what_others_could_read_or_forge__does_not_start(given: dict[str, str], reported: str) -> None:
    assert reported in started(**given).stderr
