"""`hawser_record_answers`: what it lists, asks, writes, and does not tell."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from backend.audit.models import AuditRecord
from backend.core.recording.folder import Recorded
from backend.gateway.connection.endpoint import NodeEndpoint
from tests.core.dialects.recorded import folder as recorded_folder
from tests.core.dialects.recorded import read, rows
from tests.fakes.replay_server import replayed
from tests.support.console import CANARY

COMMAND = "backend.registration.management.commands.hawser_record_answers"
ANSWERS = {"variables": rows("mysql-9.7.4", "variables"), "binlog_files": rows("mysql-9.7.4", "binlog_files")}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[NodeEndpoint]:
    """The endpoints that were read."""
    found: list[NodeEndpoint] = []

    def record(endpoint: NodeEndpoint) -> Recorded:
        found.append(endpoint)
        return Recorded("mysql", "9.7.4-2", ANSWERS, {"channels": 1227})

    monkeypatch.setattr(f"{COMMAND}._read", record)
    monkeypatch.setattr(f"{COMMAND}.read_password", lambda: CANARY)
    return found


def _call(*arguments: str) -> str:
    out = io.StringIO()
    call_command("hawser_record_answers", "127.91.0.1", *arguments, stdout=out, stderr=out)
    return out.getvalue()


def test_list__nothing_else__each_form_of_each_statement(asked: list[NodeEndpoint]) -> None:
    shown = _call("--list")
    for statement in ("SHOW MASTER STATUS", "SHOW BINARY LOG STATUS", "SHOW ALL SLAVES STATUS", "SHOW REPLICA STATUS"):
        assert shown.count(f": {statement}\n") == 1
    assert "binlog_events: SHOW BINLOG EVENTS IN 'newest.000001' LIMIT 200" in shown
    assert not asked


@pytest.mark.django_db
def test_record__agreed__folder_written_and_recorded_without_the_password(
    asked: list[NodeEndpoint], tmp_path: Path
) -> None:
    folder = tmp_path / "answers"
    shown = _call("--user", "hawser_monitor", "--folder", str(folder), "--yes")
    assert "2 answers of mysql 9.7.4-2" in shown
    assert "channels was refused with error 1227" in shown
    assert sorted(one.name for one in folder.iterdir()) == ["about.json", "binlog_files.tsv", "variables.tsv"]
    about = json.loads((folder / "about.json").read_text())
    assert (about["family"], about["names_kept"], about["uuids_replaced"]) == ("mysql", False, False)
    assert {"Variable_name": "hostname", "Value": "host-2"} in read((folder / "variables.tsv").read_text())
    assert asked[0].tls.mode.value == "required"
    record = AuditRecord.objects.order_by("-seq")[0]
    assert (record.action, record.target) == ("cli:registration:record_answers", "127.91.0.1:3306")
    written = "".join(one.read_text() for one in folder.iterdir())
    assert CANARY not in shown + str(record.facts) + written


@pytest.mark.parametrize(
    ("arguments", "answer", "problem"),
    [
        ((), "yes", "--user"),
        (("--user", "m", "--folder", "."), "yes", "exists"),
        (("--user", "m", "--folder", "new"), "no", "Nothing was sent"),
        (("--user", "m", "--folder", "new", "--tls-mode", "verify_ca"), "yes", "give --ca"),
    ],
)
def test_record__something_is_missing__nothing_is_read(
    asked: list[NodeEndpoint], monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], answer: str, problem: str
) -> None:
    monkeypatch.setattr("builtins.input", lambda _: answer)
    with pytest.raises(CommandError, match=problem):
        _call(*arguments)
    assert not asked


@pytest.mark.django_db
def test_record__over_the_wire__read_back_without_the_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{COMMAND}.read_password", lambda: CANARY)
    made = tmp_path / "answers"
    with replayed(recorded_folder("pxc-8.0-from-documentation")) as (endpoint, replay):
        out = io.StringIO()
        where = ("127.0.0.1", "--port", str(endpoint.port), "--tls-mode", "disabled")
        call_command("hawser_record_answers", *where, "--user", "m", "--folder", str(made), "--yes", stdout=out)
    assert replay.unknown == []
    assert "8 answers of pxc 8.0.36-28.1" in out.getvalue()
    events = read((made / "binlog_events.tsv").read_text())
    assert [row["Info"] for row in events if row["Event_type"] == "Xid"] == [
        "COMMIT /* xid=4710 */",
        "COMMIT /* xid=4711 */",
    ]
