"""`hawser_settings`, the system check, and the documentation of settings."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import pytest
from django.core.checks import run_checks
from django.core.management import call_command

from backend.config import env, setting_report
from backend.config.setting_table import BY_NAME, ROOT, SETTINGS
from tests.backend.config.given_settings import GOOD, KEY
from tests.backend.config.page import PAGE, page


def _shown(**given: str) -> dict[str, str]:
    return {one["name"]: one["value"] for one in setting_report.in_force(env.read(GOOD | given))}


def test_in_force__secrets_and_passwords_inside_addresses__masked() -> None:
    shown = _shown(
        HAWSER_DATABASE_URL="mysql://hawser:ca:na@ry@db:3306/hawser?unix_socket=/run/s.sock",
        HAWSER_REDIS_URL="redis://:canary@r",
    )
    assert shown["HAWSER_SECRET_KEY"] == shown["HAWSER_CREDENTIALS_KEY"] == "***"
    assert shown["HAWSER_DATABASE_URL"] == "mysql://hawser:***@db:3306/hawser?unix_socket=/run/s.sock"
    assert shown["HAWSER_REDIS_URL"] == "redis://:***@r"
    assert KEY not in str(shown)


def test_hawser_settings__json__every_setting_with_value_and_origin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAWSER_LEASES_S", "4")
    out = io.StringIO()
    call_command("hawser_settings", "--json", stdout=out)
    answer = json.loads(out.getvalue())
    assert [one["name"] for one in answer["settings"]] == [setting.name for setting in SETTINGS]
    assert answer["unknown"] == {"HAWSER_LEASES_S": "HAWSER_LEASE_S"}
    assert all(set(one) == {"name", "value", "origin", "description"} for one in answer["settings"])


def test_hawser_settings__for_people__unknown_names_go_to_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAWSER_SECRET_KEYS_FILE", "/x")
    out, err = io.StringIO(), io.StringIO()
    call_command("hawser_settings", stdout=out, stderr=err)
    assert len(out.getvalue().splitlines()) == len(SETTINGS)
    assert "did you mean HAWSER_SECRET_KEY?" in err.getvalue()


def test_check__unknown_name__warned_with_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAWSER_LEASES_S", "4")
    monkeypatch.setenv("HAWSER_QQQQ", "4")
    monkeypatch.setenv("HAWSER_LOG_LEVEL", "INFO")
    monkeypatch.setenv("HAWSER_LOG_LEVEL_FILE", "/x")
    found = {one.msg.split()[0]: one for one in run_checks() if str(one.id).startswith("hawser.")}
    assert found["HAWSER_LEASES_S"].hint == "Did you mean HAWSER_LEASE_S?"
    assert "hawser_settings" in str(found["HAWSER_QQQQ"].hint)
    assert found["HAWSER_LOG_LEVEL"].id == "hawser.W002"


def test_names__of_every_setting_and_of_its_file__none_unknown() -> None:
    """A setting may itself end in _FILE."""
    names = [setting.name for setting in SETTINGS]
    assert setting_report.unknown_names({name: "x" for one in names for name in (one, f"{one}_FILE")}) == {}


def test_page__settings__is_what_the_code_has() -> None:
    assert page(PAGE.read_text()) == PAGE.read_text(), "run python -m tests.backend.config.page"


def _names_in(*folders: str) -> Any:
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    return {name for path in files for name in re.findall(r'environ\S*["(\[]+(HAWSER_[A-Z0-9_]+)', path.read_text())}


def test_names_that_other_programs_read__all_of_them__are_no_mistake() -> None:
    assert _names_in("backend", "bench", "deploy", "tests") <= set(BY_NAME) | setting_report.OTHER_NAMES
