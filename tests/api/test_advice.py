"""Advice and configurations over HTTP: what is unknown, what is dismissed by whom, and what is read of the nodes."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from backend.adviser.advice import configurations
from backend.adviser.advice.models import AdviceDismissal, StoredConfiguration
from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.common.models import IdempotencyRecord
from backend.monitoring.models import NodeState
from tests.api.advice import dismissal, store
from tests.core.advice.configurations import cluster as configuration
from tests.core.advice.configurations import with_options, with_variables
from tests.support.console import Caller

PROBE = Path(__file__).parents[1] / "core" / "network" / "samples" / "probe.json"


@pytest.fixture
def advised(link: Link) -> Link:
    """A link whose active cluster has advice of high risk, and whose standby side has none."""
    store(link.active_cluster, with_options(configuration(), {"gmcast.mcast_addr": "239.192.0.11"}))
    store(link.standby_cluster, configuration())
    return link


def test_advice__nodes_never_read__none_and_all_nodes_are_unknown(viewer: Caller, link: Link) -> None:
    body = viewer.get(f"/links/{link.id}/advice").body

    assert body["items"] == []
    assert [(node["read_at"], node["error"]) for node in body["nodes"]] == [(None, "not read yet")] * 4


def test_advice__read_too_long_ago__is_unknown(viewer: Caller, advised: Link) -> None:
    StoredConfiguration.objects.update(read_at=timezone.now() - timedelta(hours=1))

    body = viewer.get(f"/clusters/{advised.active_cluster_id}/advice").body

    assert body["items"] == []
    assert body["nodes"][0]["error"].startswith("not read since")


def test_advice__link_and_cluster__the_same_item_with_its_changes(viewer: Caller, advised: Link) -> None:
    (of_link,) = viewer.get(f"/links/{advised.id}/advice").body["items"]
    of_cluster = viewer.get(f"/clusters/{advised.active_cluster_id}/advice").body

    assert of_cluster["items"] == [of_link]
    assert of_cluster["open"] == {"high": 1, "medium": 0, "low": 0}
    assert (of_link["code"], of_link["risk"], of_link["is_measured"]) == ("multicast_prevents_join", "high", True)
    assert of_link["changes"][0]["needs_restart"] is True


def test_dismiss__then_withdraw__is_recorded_and_open_again(operator: Caller, advised: Link) -> None:
    address = f"/links/{advised.id}/advice"
    (one,) = operator.get(address).body["items"]

    answer = operator.post("/advice-dismissals", dismissal(advised, one))

    assert answer.status == 201, answer.body
    shown = operator.get(address).body
    assert shown["open"]["high"] == 0
    assert (shown["items"][0]["dismissal"]["by"], shown["items"][0]["dismissal"]["reason"]) == (
        "operator-1",
        "Replaced next month",
    )
    assert operator.call("DELETE", f"/advice-dismissals/{answer.body['id']}").status == 204
    assert operator.get(address).body["open"]["high"] == 1
    assert operator.call("DELETE", f"/advice-dismissals/{answer.body['id']}").status == 404
    actions = AuditRecord.objects.filter(action__startswith="api:advice").order_by("seq")
    assert [(a.action, a.facts["code"], a.facts["reason"]) for a in actions] == [
        ("api:advice:dismiss", "multicast_prevents_join", "Replaced next month"),
        ("api:advice:withdraw", "multicast_prevents_join", "Replaced next month"),
    ]


def test_dismiss__twice__the_earlier_one_ends(operator: Caller, advised: Link) -> None:
    (one,) = operator.get(f"/links/{advised.id}/advice").body["items"]
    for reason in ("first", "second"):
        assert operator.post("/advice-dismissals", dismissal(advised, one, reason=reason)).status == 201

    assert AdviceDismissal.objects.filter(withdrawn_at=None).get().reason == "second"


def test_dismissed__facts_change__is_open_again(operator: Caller, advised: Link) -> None:
    (one,) = operator.get(f"/links/{advised.id}/advice").body["items"]
    assert operator.post("/advice-dismissals", dismissal(advised, one)).status == 201

    store(advised.active_cluster, with_options(configuration(), {"gmcast.mcast_addr": "239.192.0.12"}))

    assert operator.get(f"/links/{advised.id}/advice").body["open"]["high"] == 1
    refused = operator.post("/advice-dismissals", dismissal(advised, one))
    assert (refused.status, refused.body["code"]) == (409, "advice_changed")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("expires_at", "2020-01-01T00:00:00Z"),
        ("expires_at", "2199-01-01T00:00:00+00:00"),
        ("reason", ""),
    ],
)
def test_dismiss__wrong_field__is_named(operator: Caller, advised: Link, field: str, value: str) -> None:
    (one,) = operator.get(f"/links/{advised.id}/advice").body["items"]

    answer = operator.post("/advice-dismissals", dismissal(advised, one, **{field: value}))

    assert answer.status == 400
    assert [error["field"] for error in answer.body["errors"]] == [field]
    assert not AdviceDismissal.objects.exists()


def test_dismiss__viewer__may_not(viewer: Caller, advised: Link) -> None:
    (one,) = viewer.get(f"/links/{advised.id}/advice").body["items"]

    assert viewer.post("/advice-dismissals", dismissal(advised, one)).status == 403


def test_configuration__chosen_profile__rows_fragments_and_restarts(viewer: Caller, advised: Link) -> None:
    address = f"/clusters/{advised.active_cluster_id}/configuration"

    plain = viewer.get(address).body
    chosen = viewer.get(f"{address}?profile=two_sites").body

    # The two registered nodes write, so their latency tells that they are at one site.
    assert (plain["layout"], plain["profile"], chosen["profile"]) == ("one_site", "one_site", "two_sites")
    rows = {row["name"]: row for row in chosen["rows"]}
    assert rows["evs.user_send_window"]["recommendation"]["value"] == "512"
    assert rows["evs.user_send_window"]["recommendation"]["based_on"].startswith("measured")
    assert rows["gmcast.mcast_addr"]["note_kind"] == "harmful"
    assert [one["node"] for one in chosen["fragments"]] == [one["node"] for one in chosen["nodes"]]
    assert len(chosen["restarts"]) == 2
    assert viewer.get(f"{address}?profile=three_sites").status == 400


def test_configuration__password_in_an_option__is_never_shown(viewer: Caller, link: Link) -> None:
    store(link.active_cluster, with_options(configuration(), {"socket.ssl_password": "(hidden)"}))

    body = viewer.get(f"/clusters/{link.active_cluster_id}/configuration").body

    row = next(row for row in body["rows"] if row["name"] == "socket.ssl_password")
    assert {value["value"] for value in row["values"]} == {"(hidden)"}


def test_read_now__only_nodes_that_are_up_and_not_read_lately(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    read = configuration().nodes[0]

    def answer(accesses: Any) -> list[Any]:
        asked.extend(access.ref.id for access in accesses)
        now = timezone.now().timestamp()
        return [replace(read, node_id=access.ref.id, read_at_s=now) for access in accesses]

    monkeypatch.setattr(configurations, "read_configurations", answer)
    first, second = link.active_cluster.nodes.all()
    now = timezone.now()
    for node, reach in ((first, "up"), (second, "down")):
        NodeState.objects.create(node=node, reach=reach, since=now, observed_at=now, facts={})

    configurations.refresh_due()
    configurations.refresh_due()
    configurations.read_now([link.active_cluster])

    assert asked == [first.pk]
    stored = StoredConfiguration.objects.get()
    assert stored.body["options"]["evs.user_send_window"] == "2"


def test_readiness_report__open_and_dismissed_advice__is_in_it(operator: Caller, advised: Link) -> None:
    store(advised.standby_cluster, with_variables(configuration(), {"sync_binlog": "0"}))
    (high, _) = operator.get(f"/links/{advised.id}/advice").body["items"]
    assert operator.post("/advice-dismissals", dismissal(advised, high)).status == 201

    report = operator.get(f"/links/{advised.id}/readiness-report?format=json").body

    advice = report["facts"]["advice"]
    assert [one["code"] for one in advice["open"]] == ["log_not_durable"]
    assert [(one["code"], one["reason"]) for one in advice["dismissed"]] == [
        ("multicast_prevents_join", "Replaced next month")
    ]


def test_command__advice_of_high_risk__is_printed_and_ends_with_1(advised: Link) -> None:
    out = StringIO()

    with pytest.raises(CommandError, match="high risk"):
        call_command("hawser_adviser", "advice", advised.name, stdout=out)

    assert "Multicast keeps nodes from joining" in out.getvalue()
    with pytest.raises(CommandError, match="No link or cluster"):
        call_command("hawser_adviser", "advice", "nothing")


def test_host_settings__pasted_by_a_viewer__compared_and_nothing_stored(viewer: Caller, advised: Link) -> None:
    address = f"/clusters/{advised.active_cluster_id}/host-settings"
    audited = AuditRecord.objects.count()

    answer = viewer.post(address, {"text": "net.core.rmem_max = 212992", "profile": "two_sites"})
    by_nodes = viewer.post(address, {"text": "net.core.rmem_max = 212992"}).body

    assert answer.status == 200, answer.body
    (host,) = answer.body["hosts"]
    assert (host["host"], host["rows"][0]["statement"]) == ("", "sysctl -w net.core.rmem_max=16777216")
    assert host["fragment"].endswith("net.core.rmem_max = 16777216\n")
    assert "net.ipv4.tcp_congestion_control" in host["missing"]
    assert (by_nodes["profile"], by_nodes["hosts"][0]["fragment"]) == ("one_site", "")
    assert (AuditRecord.objects.count(), IdempotencyRecord.objects.count()) == (audited, 0)


@pytest.mark.parametrize("text", ["", "net.core.rmem_max = many", "hostname = db-a1\n", "{}"])
def test_host_settings__unusable_text__names_the_field(viewer: Caller, advised: Link, text: str) -> None:
    answer = viewer.post(f"/clusters/{advised.active_cluster_id}/host-settings", {"text": text})

    assert (answer.status, [error["field"] for error in answer.body["errors"]]) == (400, ["text"])


def test_host_settings__result_of_the_probe__both_nodes_by_name(viewer: Caller, advised: Link) -> None:
    near, far = advised.active_cluster.nodes.first(), advised.standby_cluster.nodes.first()
    assert near is not None
    assert far is not None
    result = json.loads(PROBE.read_text()) | {"from_node": near.pk, "to_node": far.pk}

    answer = viewer.post(f"/clusters/{advised.active_cluster_id}/host-settings", {"text": json.dumps(result)})

    assert [host["host"] for host in answer.body["hosts"]] == [
        f"{node.name} of {node.cluster.name}" for node in (near, far)
    ]
