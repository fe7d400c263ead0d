"""Registering clusters and links; nodes here are down, which is a fact and no fault."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from backend.audit.models import AuditRecord
from backend.clusters.models import Cluster, Credential, Link
from backend.clusters.serializers.links import LinkInSerializer
from tests.support.certificates import authority
from tests.support.console import CANARY, Caller, cluster_body, set_approval_rule

CERTIFICATE = authority().cert


def _changed(path: str, value: Any) -> dict[str, Any]:
    body = copy.deepcopy(cluster_body("milan", "127.0.71.1", "127.0.71.2"))
    at: Any = body
    *parents, last = path.split(".")
    for key in parents:
        at = at[int(key) if key.isdigit() else key]
    at[int(last) if last.isdigit() else last] = value
    return body


def test_cluster__registered__shown_without_secrets_and_unknown_facts_are_null(admin: Caller) -> None:
    answer = admin.post("/clusters", cluster_body("milan", "127.0.71.1", "127.0.71.2", secret=CANARY))
    assert answer.status == 201, answer.body
    assert CANARY not in str(answer.body)
    node = answer.body["nodes"][0]
    assert (node["reach"], node["version"], node["channels"]) == ("unknown", None, None)
    assert admin.get(f"/clusters/{answer.body['id']}").body["name"] == "milan"
    assert admin.get(f"/nodes/{node['id']}").body["cluster_name"] == "milan"
    assert [c["name"] for c in admin.get("/clusters").body["results"]] == ["milan"]
    assert AuditRecord.objects.get(action="api:cluster:register").facts["unreached"] == ["milan1", "milan2"]


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        ("name", "", "name"),
        ("name", "a\nb", "name"),
        ("name", "<b>", "name"),
        ("name", "x" * 64, "name"),
        ("site", "a\x00b", "site"),
        ("nodes", [], "nodes"),
        ("nodes.0.host", "a b", "nodes.0.host"),
        ("nodes.0.host", "-x", "nodes.0.host"),
        ("nodes.0.host", "", "nodes.0.host"),
        ("nodes.0.host", "2130706433", "nodes.0.host"),
        ("nodes.0.host", "127.1", "nodes.0.host"),
        ("nodes.0.host", "a/../b", "nodes.0.host"),
        ("nodes.0.host", "x" * 254, "nodes.0.host"),
        ("nodes.0.host", "169.254.169.254", "nodes.0.host"),
        ("nodes.0.host", "::ffff:169.254.169.254", "nodes.0.host"),
        ("nodes.0.host", "0.0.0.0", "nodes.0.host"),  # noqa: S104 -- an address, not a binding
        ("nodes.0.host", "224.0.0.1", "nodes.0.host"),
        ("nodes.0.port", 0, "nodes.0.port"),
        ("nodes.0.port", 65536, "nodes.0.port"),
        ("nodes.0.port", "x", "nodes.0.port"),
        ("nodes.1.host", "127.0.71.1", "nodes.1.host"),
        ("nodes.1.name", "milan1", "nodes.1.name"),
        ("credentials.monitor.user", "a\rb", "credentials.monitor.user"),
        ("credentials.operator.password", "a\nb", "credentials.operator.password"),
        ("tls.mode", "maybe", "tls.mode"),
        ("tls.mode", "verify_ca", "tls.ca"),
        ("tls", {"mode": "verify_ca", "ca": "not pem"}, "tls.ca"),
    ],
)
def test_cluster__bad_value__400_names_the_field(admin: Caller, path: str, value: Any, field: str) -> None:
    answer = admin.post("/clusters", _changed(path, value))
    assert answer.status == 400, answer.body
    assert [error["field"] for error in answer.body["errors"]] == [field]
    assert not Cluster.objects.exists()


def test_cluster__missing_account__400(admin: Caller) -> None:
    body = cluster_body("milan", "127.0.71.1")
    del body["credentials"]["operator"]
    assert admin.post("/clusters", body).body["errors"][0]["field"] == "credentials.operator"


def test_cluster__same_name_or_address__409(admin: Caller) -> None:
    assert admin.post("/clusters", cluster_body("milan", "127.0.71.1")).status == 201
    second = admin.post("/clusters", cluster_body("milan", "127.0.71.2"))
    assert (second.status, second.body["code"]) == (409, "cluster_exists")
    taken = admin.post("/clusters", cluster_body("rome", "127.0.71.1"))
    assert (taken.status, taken.body["code"]) == (409, "address_taken")
    assert Cluster.objects.count() == 1


def test_cluster__production_policy__refuses_loopback(admin: Caller, settings: Any) -> None:
    settings.HAWSER_ALLOW_LOOPBACK = False
    answer = admin.post("/clusters", cluster_body("milan", "127.0.71.1"))
    assert (answer.status, answer.body["code"]) == (400, "address_refused")
    assert admin.post("/clusters", cluster_body("milan", "localhost")).body["code"] == "address_refused"


def test_cluster__allow_list__refuses_the_rest(admin: Caller, settings: Any) -> None:
    settings.HAWSER_ALLOWED_NETWORKS = ["127.0.71.0/24", "10.0.0.0/8"]
    assert admin.post("/clusters", cluster_body("rome", "127.0.72.1")).body["code"] == "address_refused"
    assert admin.post("/clusters", cluster_body("milan", "127.0.71.1")).status == 201


def test_cluster__tls_authority__taken_and_only_said_to_be_there(admin: Caller) -> None:
    body = cluster_body("milan", "127.0.71.1")
    body["tls"] = {"mode": "verify_identity", "ca": CERTIFICATE}
    answer = admin.post("/clusters", body)
    assert answer.body["tls"]["has_ca"] is True


def test_cluster_check__nodes_down__says_so_for_each(operator: Caller, link: Link) -> None:
    answer = operator.post(f"/clusters/{link.active_cluster_id}/check")
    assert answer.status == 200, answer.body
    blocked = [f for f in answer.body["findings"] if f["severity"] == "blocker"]
    assert len(blocked) >= 2
    assert all(finding["remedy"] for finding in blocked)


def test_locate__node_down__not_found_with_a_reason(operator: Caller, link: Link) -> None:
    node = link.active_cluster.nodes.first()
    assert node is not None
    answer = operator.get(f"/nodes/{node.id}/locate?xid=17")
    assert answer.status == 200, answer.body
    assert answer.body["found"] is False
    assert answer.body["reason"]
    for xid in ("0", "-1", "x", str(2**63)):
        assert operator.get(f"/nodes/{node.id}/locate?xid={xid}").status == 400


def test_link__registered__unknown_until_observed(admin: Caller, link: Link) -> None:
    shown = admin.get(f"/links/{link.id}").body
    assert (shown["state"], shown["active_run"], shown["channels"]) == ("unknown", None, [])
    assert len(shown["clusters"]["active"]["nodes"]) == 2
    assert [entry["id"] for entry in admin.get("/links").body["results"]] == [link.id]
    lag = admin.get(f"/links/{link.id}/lag?minutes=5").body
    assert (lag["points"], lag["events"], lag["begins_at"]) == ([], [], None)
    assert admin.get(f"/links/{link.id}/history").body == {"results": [], "next": None}


def test_link__impossible_pairs__are_refused(admin: Caller, link: Link) -> None:
    a, b = link.active_cluster_id, link.standby_cluster_id
    same = admin.post("/links", {"name": "self", "active_cluster": a, "standby_cluster": a})
    assert (same.status, same.body["errors"][0]["field"]) == (400, "standby_cluster")
    gone = admin.post("/links", {"name": "gone", "active_cluster": a, "standby_cluster": "c_aaaaaaaaaaaa"})
    assert (gone.status, gone.body["errors"][0]["field"]) == (400, "standby_cluster")
    turned = admin.post("/links", {"name": "turned", "active_cluster": b, "standby_cluster": a})
    assert (turned.status, turned.body["code"]) == (409, "link_exists")
    assert Link.objects.count() == 1


@pytest.mark.parametrize("channel", ["a\nb", "\u0130stanbul", "x" * 192, "日" * 64, "\U0001f600"])
def test_link__bad_channel_name__400(admin: Caller, link: Link, channel: str) -> None:
    body = {
        "name": "x",
        "active_cluster": link.active_cluster_id,
        "standby_cluster": link.standby_cluster_id,
        "channel_name": channel,
    }
    assert admin.post("/links", body).body["errors"][0]["field"] == "channel_name"


@pytest.mark.parametrize("channel", ["dr_east-1", " a b ", "o'hare \"x\\", "Größe 日本", "ä" * 95, "   "])
def test_link__any_name_a_server_takes__registered_as_it_is(admin: Caller, link: Link, channel: str) -> None:
    serializer = LinkInSerializer(
        data={
            "name": "x",
            "active_cluster": link.active_cluster_id,
            "standby_cluster": link.standby_cluster_id,
            "channel_name": channel,
        }
    )
    assert serializer.is_valid(), serializer.errors
    link.channel_name = serializer.validated_data["channel_name"]
    link.save()
    assert admin.get(f"/links/{link.id}").body["channel_name"] == channel


def test_link__approval_switched_on__is_recorded(admin: Caller, operator: Caller, link: Link) -> None:
    assert set_approval_rule(operator, link.id, is_on=True).status == 403
    assert set_approval_rule(admin, link.id, is_on=True).body["requires_approval"]
    assert AuditRecord.objects.get(action="api:link:update").facts == {
        "before": {"requires_approval": False},
        "after": {"requires_approval": True},
    }


def test_credentials__stored__sealed_for_their_row(link: Link) -> None:
    sealed = list(Credential.objects.values_list("sealed", flat=True))
    assert len(sealed) == 6
    assert len(set(sealed)) == 6
