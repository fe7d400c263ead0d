"""Every audit record arrives at a real syslog receiver and in a file: in order, whole, also after failures."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from backend.audit import services
from backend.audit.forwarding import forwarder, receivers
from backend.audit.models import AuditForwarding, AuditRecord
from backend.audit.verification import signed_heads
from backend.common.events.models import Event
from backend.common.models import ProcessHeartbeat
from tests.backend.audit_forwarding.rsyslog import Rsyslog, rsyslog

pytestmark = [pytest.mark.server, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that stands still for a while is no receiver that is away."""
    monkeypatch.setattr(receivers, "LIMIT_S", 60.0)


def record(number: int, action: str = "test:thing:write", **facts: Any) -> None:
    """One more."""
    services.record(actor="zoe", action=action, target=f"t{number}", reason="r", facts={"n": number, **facts})


def stored() -> list[int]:
    """Numbers of all records."""
    return list(AuditRecord.objects.order_by("seq").values_list("seq", flat=True))


def records_of(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The records among the messages, without heads."""
    texts = [json.loads(each["text"].removeprefix("\ufeff")) for each in messages]
    return [text for text in texts if "actor" in text]


def kinds() -> list[str]:
    """Events about the receivers, oldest first."""
    rows = Event.objects.order_by("id").values_list("data", flat=True)
    return [data["kind"] for data in rows if data.get("kind", "").startswith("audit.")]


@pytest.fixture(params=[False, True], ids=["tcp", "tls"])
def receiver(request: pytest.FixtureRequest, tmp_path: Path, settings: Any) -> Iterator[Rsyslog]:
    """A receiver that the settings name."""
    with rsyslog(tmp_path, is_tls=request.param) as found:
        settings.HAWSER_AUDIT_SYSLOG = found.url
        yield found


def test_records__sent_by_syslog__arrive_whole_in_order_with_the_signed_head(receiver: Rsyslog) -> None:
    for number in range(3):
        record(number)
    record(4, "api:run:refused", text='quo"te ] back\\slash\nline', name="Żółć")
    forwarder.tick()
    messages = receiver.messages(len(stored()) + 1)
    assert [each["seq"] for each in records_of(messages)] == stored()
    last = records_of(messages)[-1]
    assert last["facts"] == {"n": 4, "text": 'quo"te ] back\\slash\nline', "name": "Żółć"}
    assert last["hash"] == AuditRecord.objects.get(seq=stored()[-1]).hash
    first, refused = messages[0], messages[len(stored()) - 1]
    assert (first["app"], first["host"], first["priority"]) == ("hawser", socket.gethostname(), str(13 * 8 + 5))
    assert (refused["action"], refused["priority"]) == ("api:run:refused", str(13 * 8 + 4))
    assert 'target="t4"' in refused["structured"]
    head = signed_heads.parse(messages[-1]["text"].removeprefix("\ufeff"), "the message")
    assert head.seq == stored()[-1]


def test_records__receiver_away_for_a_while__told_once_and_none_is_missing(receiver: Rsyslog) -> None:
    record(1)
    forwarder.tick()
    receiver.stop()
    record(2)
    forwarder.tick()
    forwarder.tick()
    assert forwarder.waiting_records() == {"syslog": 1}
    assert kinds() == ["audit.not_forwarded"]
    receiver.start()
    forwarder.tick()
    assert kinds() == ["audit.not_forwarded", "audit.forwarded_again"]
    assert forwarder.waiting_records() == {"syslog": 0}
    seqs = [each["seq"] for each in records_of(receiver.messages(len(stored()) + 1))]
    assert seqs == stored()


def test_records__receiver_that_dies_before_it_read_them__are_sent_again(settings: Any) -> None:
    """The kernel takes them and no process reads them: without waiting for the receiver they would count as sent."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        settings.HAWSER_AUDIT_SYSLOG = f"tcp://127.0.0.1:{listening.getsockname()[1]}"
        record(1)
        dying = threading.Thread(target=_reset, args=(listening,))
        dying.start()
        forwarder.tick()
        dying.join()
    assert AuditForwarding.objects.get(receiver="syslog").seq == 0
    assert kinds() == ["audit.not_forwarded"]


def _reset(listening: socket.socket) -> None:
    """Take the connection and end it by a reset, as a killed process with unread data does."""
    connection, _ = listening.accept()
    connection.recv(1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
    connection.close()


def test_tls__certificate_of_another_ca__nothing_is_sent(tmp_path: Path, settings: Any) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    with rsyslog(tmp_path / "one", is_tls=True) as one, rsyslog(tmp_path / "other", is_tls=True) as other:
        settings.HAWSER_AUDIT_SYSLOG = one.url.replace(str(one.folder), str(other.folder))
        record(1)
        forwarder.tick()
        assert one.messages(0) == []
        assert AuditForwarding.objects.get(receiver="syslog").seq == 0
        assert "certificate verify failed" in Event.objects.latest("id").data["message"]


def test_records__many_and_a_process_that_dies_after_a_batch__each_at_least_once(
    receiver: Rsyslog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forwarder, "BATCH", 4)
    for number in range(10):
        record(number)
    with monkeypatch.context() as patch:
        patch.setattr(forwarder, "_moved", _killed)
        with pytest.raises(KeyboardInterrupt):
            forwarder.tick()
    while any(forwarder.waiting_records().values()):  # a busy machine may break a connection off: the next tick sends
        forwarder.tick()
    seqs = [each["seq"] for each in records_of(receiver.messages(len(stored()) + 5))]
    assert sorted(set(seqs)) == stored()
    assert seqs[:4] == seqs[4:8] == stored()[:4]


def _killed(*_: object) -> None:
    raise KeyboardInterrupt


def test_position__of_a_monitor_that_is_behind__sets_nothing_back() -> None:
    position = AuditForwarding.objects.create(receiver="syslog", seq=10)
    forwarder._moved(AuditForwarding(receiver="syslog", seq=3), 5)
    position.refresh_from_db()
    assert position.seq == 10


def test_socket_of_the_host__long_facts_left_out__every_record_arrives(tmp_path: Path, settings: Any) -> None:
    settings.HAWSER_AUDIT_SYSLOG = f"unix://{tmp_path}/log"
    record(1)
    record(2, text="x" * 300_000)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as journal:
        journal.bind(f"{tmp_path}/log")
        forwarder.tick()
        journal.settimeout(2)
        texts = [journal.recv(100_000).decode().partition("\ufeff")[2] for _ in stored()]
    found = [json.loads(text) for text in texts]
    assert [each["seq"] for each in found] == stored()
    assert found[-1]["facts"]["left_out_bytes"] > 300_000


def test_file__records_and_a_rotation__lines_that_the_documented_script_reads(tmp_path: Path, settings: Any) -> None:
    path = tmp_path / "audit.jsonl"
    settings.HAWSER_AUDIT_JSONL_FILE = str(path)
    record(1)
    forwarder.tick()
    path.rename(tmp_path / "audit.jsonl.1")
    record(2)
    forwarder.tick()
    lines = [(tmp_path / "audit.jsonl.1").read_text(), path.read_text()]
    assert [json.loads(line)["seq"] for line in "".join(lines).splitlines()] == stored()
    assert path.stat().st_mode & 0o777 == 0o640


def test_file__folder_that_is_gone__told_and_the_other_receiver_is_served(tmp_path: Path, settings: Any) -> None:
    settings.HAWSER_AUDIT_JSONL_FILE = str(tmp_path / "gone/audit.jsonl")
    with rsyslog(tmp_path) as found:
        settings.HAWSER_AUDIT_SYSLOG = found.url
        record(1)
        forwarder.tick()
        assert forwarder.waiting_records() == {"syslog": 0, "file": len(stored())}
        assert len(records_of(found.messages(len(stored())))) == len(stored())
    assert "No such file" in Event.objects.latest("id").data["message"]


def test_head__sent_within_the_interval__is_not_repeated(receiver: Rsyslog) -> None:
    record(1)
    forwarder.tick()
    record(2)
    forwarder.tick()
    messages = receiver.messages(len(stored()) + 1)
    assert len(messages) == len(stored()) + 1
    assert ProcessHeartbeat.objects.filter(kind="job", instance="audit head by syslog").count() == 1


def test_head__that_did_not_arrive__is_sent_with_the_next_turn(
    receiver: Rsyslog, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(forwarder, "head_message", _refused)
        record(1)
        forwarder.tick()
    assert kinds() == ["audit.not_forwarded"]
    forwarder.tick()
    assert len(receiver.messages(len(stored()) + 1)) == len(stored()) + 1
    assert kinds() == ["audit.not_forwarded", "audit.forwarded_again"]


def _refused(*_: object, **__: object) -> bytes:
    raise OSError("the receiver broke the connection off")
