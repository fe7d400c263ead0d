"""`hawser_doctor`: everything in one archive, nothing secret, and what is broken does not hide the rest."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from backend.clusters.models import Link
from backend.common.events import services as events
from backend.config.doctor import archive as support_archive
from backend.config.doctor import parts as support_parts
from backend.operations.runs.models import Plan, Run, RunStep, Statement
from tests.support.console import Caller, confirmation
from tests.support.destinations import SECRETS, SETTINGS, make_destination
from tests.support.replayed_rows import PERSON, with_rows

CANARY = "kanarienvogel-7"


def collect(target: Path, *arguments: str) -> dict[str, str]:
    """Texts of the archive's files by name, without their folder."""
    call_command("hawser_doctor", "--output", str(target), *arguments, stdout=io.StringIO())
    with tarfile.open(target) as archive:
        found = {one.name.partition("/")[2]: archive.extractfile(one) for one in archive.getmembers()}
        return {name: stream.read().decode() for name, stream in found.items() if stream is not None}


def test_archive__of_a_console__has_every_part_and_is_for_its_owner_alone(
    plan: Plan, operator: Caller, tmp_path: Path
) -> None:
    operator.post(f"/plans/{plan.id}/runs", confirmation(plan))
    target = tmp_path / "h.tar.gz"
    texts = collect(target)
    assert set(texts) == {"README", "metrics.txt", *(f"{name}.json" for name in support_parts.PARTS)}
    assert target.stat().st_mode & 0o777 == 0o600
    parts = {name: json.loads(text) for name, text in texts.items() if name.endswith(".json")}
    assert [one for one in parts.values() if isinstance(one, dict) and "error" in one] == []
    assert parts["links.json"][0]["name"] == plan.link.name
    assert [(run["kind"], run["state"]) for run in parts["runs.json"]] == [(plan.kind, "queued")]
    assert parts["events.json"]
    assert parts["database.json"]["migrations_missing"] == []
    assert ["runs_run", 1] in parts["database.json"]["rows"]
    assert parts["readiness.json"]["parts"]["database"]["ok"]
    assert parts["about.json"]["packages"]["Django"]
    assert "hawser_runs" in texts["metrics.txt"]


def test_archive__secrets_in_settings_logs_and_data__masked(
    link: Link, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "worker.log"
    log.write_text(f"CHANGE MASTER TO MASTER_PASSWORD='{CANARY}', MASTER_PORT=1\nAuthorization: Bearer {CANARY}\n")
    nested: Any = {"password": CANARY}
    for _ in range(12):
        nested = {"a": [nested]}
    monkeypatch.setattr(support_archive, "PARTS", {"data": lambda: nested, "settings": support_parts.setting_values})
    texts = collect(tmp_path / "h.tar.gz", "--log", str(log))
    assert CANARY not in str(texts)
    assert texts["logs/0-worker.log"].startswith("CHANGE MASTER TO MASTER_PASSWORD=***, MASTER_PORT=1")
    shown = {one["name"]: one["value"] for one in json.loads(texts["settings.json"])["settings"]}
    assert shown["HAWSER_SECRET_KEY"] == shown["HAWSER_CREDENTIALS_KEY"] == "***"


def test_archive__redis_down_and_a_part_fails__said_there_and_the_rest_collected(
    link: Link, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.HAWSER_REDIS_URL = f"redis://:{CANARY}@127.0.0.1:1/0"

    def fails() -> None:
        raise ValueError(f"IDENTIFIED BY '{CANARY}'")

    monkeypatch.setattr(support_archive, "PARTS", {**support_parts.PARTS, "runs": fails})
    texts = collect(tmp_path / "h.tar.gz")
    assert "ConnectionError" in json.loads(texts["redis.json"])["error"]
    assert json.loads(texts["runs.json"]) == {"error": "ValueError: IDENTIFIED BY ***"}
    assert json.loads(texts["links.json"])
    assert CANARY not in str(texts)


def test_output__exists_or_log_missing__refused_by_name_and_nothing_written(link: Link, tmp_path: Path) -> None:
    target = tmp_path / "h.tar.gz"
    target.write_text("mine")
    with pytest.raises(CommandError, match=r"h\.tar\.gz cannot be written: File exists"):
        collect(target)
    assert target.read_text() == "mine"
    with pytest.raises(CommandError, match=r"none\.log cannot be read: No such file"):
        collect(tmp_path / "other.tar.gz", "--log", str(tmp_path / "none.log"))
    assert not (tmp_path / "other.tar.gz").exists()


@pytest.mark.parametrize(
    "error",
    [
        f"Could not execute Write_rows event on table a.b; Duplicate entry '{CANARY}' for key 'k', Error_code: 1062",
        f"error 1062: Doppelter Eintrag '{CANARY}' für Schlüssel 'PRIMARY'",
    ],
)
def test_archive__rows_in_a_run_and_in_errors__nowhere_in_it(
    error: str, plan: Plan, operator: Caller, tmp_path: Path
) -> None:
    run = Run.objects.get(pk=operator.post(f"/plans/{plan.id}/runs", confirmation(plan)).body["id"])
    with_rows(run.id, plan)
    RunStep.objects.filter(run=run).update(outcome=error, facts={"error": [error]})
    Statement.objects.update(error=error)
    Run.objects.filter(pk=run.pk).update(outcome=error)
    events.raised(link_id=plan.link_id, kind="channel.stopped", severity="blocker", message=error)
    log = tmp_path / "worker.log"
    log.write_text(f"{json.dumps({'event': error, 'level': 'error'})}\nplain: {error}\n")
    texts = collect(tmp_path / "h.tar.gz", "--log", str(log))
    told = error.partition("'")[0]
    assert {name for name, text in texts.items() if told in text} >= {"runs.json", "events.json", "logs/0-worker.log"}
    assert [name for name, text in texts.items() if CANARY in text or PERSON in text] == []
    assert json.loads(texts["logs/0-worker.log"].splitlines()[0])["level"] == "error"


def test_archive__destination_with_secrets__has_none_of_them(link: Link, tmp_path: Path) -> None:
    for service in SETTINGS:
        make_destination(service, link)
    texts = str(collect(tmp_path / "h.tar.gz"))
    assert all(secret not in texts for secret in SECRETS)
