"""Network measurements over HTTP: tokens, signed and pasted results, the verdict, and refusals that store nothing."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from backend.adviser.network import services
from backend.adviser.network.models import NetworkMeasurement, ProbeToken
from backend.audit.models import AuditRecord
from backend.clusters.models import Link, Node
from backend.core.adviser.network.probe_result import signature_of
from backend.core.adviser.network.sql_facts import STATUS_SQL, GroupLatency, read_status
from backend.gateway.connection.statement_filter import is_reading
from tests.support.console import Answer, Caller, make_link

SAMPLES = Path(__file__).parents[1] / "core/network/samples"


def nodes(link: Link) -> tuple[Node, Node]:
    """A node of each side."""
    return link.active_cluster.nodes.all()[0], link.standby_cluster.nodes.all()[0]


def document(link: Link, *, ago: timedelta = timedelta(0), **changes: Any) -> dict[str, Any]:
    """The recorded result of the script, as if it had run on this link."""
    near, far = nodes(link)
    at = datetime.now(UTC) - ago
    about = {"link_id": link.id, "from_node": near.id, "to_node": far.id}
    return {
        **json.loads((SAMPLES / "probe.json").read_text()),
        **about,
        "started_at": f"{at:%Y-%m-%dT%H:%M:%S}+0000",
        **changes,
    }


def sent(secret: str, result: dict[str, Any]) -> dict[str, Any]:
    """What the script sends."""
    return {"token": secret, "result": {**result, "signature": signature_of(result, secret)}}


def new_token(operator: Caller, link: Link) -> str:
    """A new probe token."""
    near, far = nodes(link)
    made = operator.post(f"/links/{link.id}/network/tokens", {"from_node": near.id, "to_node": far.id})
    assert made.status == 201
    return str(made.body["token"])


@pytest.fixture
def token(operator: Caller, link: Link) -> str:
    """The same for tests that need no caller."""
    return new_token(operator, link)


def refused(answer: Answer, field: str) -> str:
    """The message of a refusal that names the field; nothing may be stored."""
    assert answer.status == 400, answer.body
    assert [error["field"] for error in answer.body["errors"]] == [field], answer.body
    assert not NetworkMeasurement.objects.exists()
    return str(answer.body["errors"][0]["message"])


def test_script__downloaded_without_a_sign_in__is_the_one_whose_digest_is_shown(viewer: Caller, link: Link) -> None:
    answer = Caller().get("/network-probe")
    shown = viewer.get(f"/links/{link.id}/network").body["script"]
    assert answer.headers["Content-Type"].startswith("text/x-python")
    assert hashlib.sha256(str(answer.body).encode()).hexdigest() == shown["sha256"]


def test_token__sent_with_a_signed_result__stored_once_and_recorded(operator: Caller, link: Link) -> None:
    stranger, token = Caller(), new_token(operator, link)
    stored = stranger.post("/network-results", sent(token, document(link)))
    assert stored.status == 201, stored.body
    assert (stored.body["is_signed"], stored.body["actor"]) == (True, "network-probe")
    repeated = stranger.post("/network-results", sent(token, document(link, seconds=2)))
    assert repeated.status == 403
    assert repeated.body["code"] == "probe_token_refused"
    assert NetworkMeasurement.objects.count() == 1
    assert ProbeToken.objects.get().digest == hashlib.sha256(token.encode()).hexdigest()
    records = AuditRecord.objects.filter(action__startswith="api:network:").order_by("seq")
    assert [(one.action, one.actor) for one in records] == [
        ("api:network:token", "operator-1"),
        ("api:network:receive", "network-probe"),
    ]
    assert token not in json.dumps([one.facts for one in records])
    found = operator.get(f"/links/{link.id}/network").body
    assert found["measurements"][0]["id"] == stored.body["id"]
    assert found["verdict"]["rests_on"] == 1


def test_token__expired_or_invented__refused(link: Link, token: str) -> None:
    ProbeToken.objects.update(expires_at=datetime.now(UTC) - timedelta(seconds=1))
    for secret in (token, "hawser_probe_invented"):
        answer = Caller().post("/network-results", sent(secret, document(link)))
        assert (answer.status, answer.body["code"]) == (403, "probe_token_refused")


def test_result__forged__names_its_signature_and_keeps_the_token(operator: Caller, link: Link) -> None:
    token = new_token(operator, link)
    forged = sent(token, document(link))
    forged["result"]["sent_mbit_s"] = 99_999.0
    assert "changed after it was measured" in refused(Caller().post("/network-results", forged), "result.signature")
    odd = {"token": token, "result": {"signature": "\ud800é", "format": ["\ud800"]}}
    assert refused(Caller().post("/network-results", odd), "result.signature")
    assert Caller().post("/network-results", sent(token, document(link))).status == 201


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"link_id": "l_aaaaaaaaaaaa"}, "result.link_id"),
        ({"from_node": "n_aaaaaaaaaaaa"}, "result.from_node"),
        ({"ago": timedelta(hours=25)}, "result.started_at"),
        ({"ago": timedelta(minutes=-10)}, "result.started_at"),
        ({"path_mtu_bytes": 10**9}, "result.path_mtu_bytes"),
        ({"exchanges": []}, "result.exchanges"),
        ({"version": 99}, "result.version"),
        ({"more": 1}, "result"),
    ],
)
def test_result__signed_and_wrong__names_the_field(link: Link, token: str, changes: dict[str, Any], field: str) -> None:
    message = refused(Caller().post("/network-results", sent(token, document(link, **changes))), field)
    assert "Nothing was stored." in message


def test_tokens__more_than_ten__refused_until_one_expires(operator: Caller, link: Link) -> None:
    near, far = nodes(link)
    wanted = {"from_node": near.id, "to_node": far.id}
    answers = [operator.post(f"/links/{link.id}/network/tokens", wanted) for _ in range(11)]
    assert [answer.status for answer in answers] == [201] * 10 + [409]
    assert answers[-1].body["code"] == "too_many_probe_tokens"


def test_token__nodes_of_one_side_or_another_link__refused(operator: Caller, link: Link) -> None:
    near, _ = nodes(link)
    path = f"/links/{link.id}/network/tokens"
    assert refused(operator.post(path, {"from_node": near.id, "to_node": near.id}), "to_node")
    assert refused(operator.post(path, {"from_node": near.id, "to_node": "n_aaaaaaaaaaaa"}), "to_node")


def paste(operator: Caller, link: Link, output: str) -> Answer:
    """The call with a pasted output."""
    return operator.post(f"/links/{link.id}/network/measurements", {"output": output})


def test_paste__result_of_the_script__stored_once_and_as_unsigned(operator: Caller, link: Link) -> None:
    output = json.dumps(document(link))
    stored = paste(operator, link, output)
    assert (stored.status, stored.body["is_signed"], stored.body["actor"]) == (201, False, "operator-1"), stored.body
    assert operator.get(f"/links/{link.id}/network").body["verdict"]["unsigned"] == 1
    assert "already stored" in paste(operator, link, output).body["errors"][0]["message"]


def test_paste__script_and_demand__verdict_with_its_figures(operator: Caller, viewer: Caller, link: Link) -> None:
    stored = paste(operator, link, json.dumps(document(link)))
    assert stored.status == 201, stored.body
    asked = ("", "?max_commit_ms=100&peak_write_mbit_s=900000")
    kinds = [viewer.get(f"/links/{link.id}/network{query}").body["verdict"]["kind"] for query in asked]
    assert kinds[0].startswith("synchronous")
    assert kinds[1] == "asynchronous"


@pytest.mark.parametrize(
    ("output", "field"),
    [("PING db-b1", "output"), ('{"start": {', "output"), (" ", "output"), ('{"format": "other"}', "output.format")],
)
def test_paste__wrong__names_the_field(operator: Caller, link: Link, output: str, field: str) -> None:
    refused(paste(operator, link, output), field)


def test_paste__older_than_a_day_or_of_another_link__refused(operator: Caller, link: Link) -> None:
    refused(paste(operator, link, json.dumps(document(link, ago=timedelta(hours=25)))), "output.started_at")
    other = make_link("second", net="127.0.72")
    assert other.id in refused(paste(operator, link, json.dumps(document(other))), "output.link_id")


def test_measurement__of_a_tool_that_is_no_longer_read__is_not_shown(operator: Caller, link: Link) -> None:
    assert paste(operator, link, json.dumps(document(link))).status == 201
    NetworkMeasurement.objects.update(tool="iperf3")
    found = operator.get(f"/links/{link.id}/network").body
    assert (found["measurements"], found["verdict"]["rests_on"]) == ([], 0)


def test_forget_old__beyond_its_time__gone_and_expired_tokens_too(link: Link, token: str) -> None:
    Caller().post("/network-results", sent(token, document(link)))
    NetworkMeasurement.objects.update(measured_at=datetime.now(UTC) - services.KEEP)
    ProbeToken.objects.update(expires_at=datetime.now(UTC) - timedelta(days=2))
    services.forget_old()
    assert not NetworkMeasurement.objects.exists()
    assert not ProbeToken.objects.exists()


def test_measurements__of_a_link__the_newest_are_kept(
    operator: Caller, link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "KEPT_OF_A_LINK", 2)
    for index in range(4):
        assert paste(operator, link, json.dumps(document(link, seconds=index + 1))).status == 201
    assert NetworkMeasurement.objects.count() == 2


def test_sql__nodes_down__each_says_so_and_nothing_is_known(operator: Caller, link: Link) -> None:
    found = operator.get(f"/links/{link.id}/network/sql").body["nodes"]
    assert len(found) == sum(c.nodes.count() for c in (link.active_cluster, link.standby_cluster))
    assert all(one["error"] and one["group_latency"] is None for one in found)


def test_status__of_galera__milliseconds_or_unknown() -> None:
    def read(latency: str, delayed: str = "", size: str = "3") -> Any:
        rows = {"wsrep_evs_repl_latency": latency, "wsrep_evs_delayed": delayed, "wsrep_cluster_size": size}
        return read_status([{"Variable_name": name, "Value": value} for name, value in rows.items()])

    assert is_reading(STATUS_SQL)
    assert read("0.0502/0.0524/0.0611/0.001/12").group_latency == GroupLatency(50.2, 52.4, 61.1, 12)
    for text in ("0/0/0/0/0", "", "nan/1/2/3/4", "9/1/2/3/4", "1e99/1e99/1e99/0/1"):
        assert read(text).group_latency is None
    alone = "2.81e-07/4.26533e-06/1.4512e-05/4.182e-06/9"
    assert read(alone, size="1").group_latency is None
    late = "01234567-89ab-cdef-0123-456789abcdef:tcp://10.0.0.3:4567:5"
    assert [(one.address, one.times) for one in read("", late).delayed] == [("tcp://10.0.0.3:4567", 5)]
    assert read("").delayed == ()
