"""Changing registered clusters, nodes and links; nodes here are down, so that nothing can be tried on them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.clusters.models import Cluster, Credential, CredentialRole, Link, Node
from backend.clusters.selectors import account, attended_links, clusters, links
from backend.common.events import services as events
from backend.common.events.models import Event
from backend.identity.accounts.models import ProtectedChange
from backend.notifications.hooks.models import Hook
from backend.notifications.hooks.notifications import enqueue_events
from backend.operations.runs.models import Plan, Run, RunState
from backend.registration.links import end_due_pauses
from tests.support.console import CANARY, STORED_PASSWORDS, Caller, cluster_body, make_link, store_plan

WHY = {"reason": "ticket 4711"}
ELSEWHERE = {"accept_unreachable": True, "passwords": STORED_PASSWORDS, **WHY}
"""What a change needs that logs in elsewhere."""
ANY: dict[str, str] = {"If_Match": "*"}


def _etag(caller: Caller, path: str) -> dict[str, str]:
    return {"If_Match": caller.get(path).headers["ETag"]}


def _unfinished(link: Link, plan: Plan) -> Run:
    """A run of the link that waits for its worker."""
    return Run.objects.create(
        plan=plan,
        link=link,
        unfinished_link=link.pk,
        kind=plan.kind,
        state=RunState.RUNNING.value,
        requested_by="test",
        created_at=timezone.now(),
    )


def _changes(link: Link) -> dict[str, tuple[str, str, dict[str, Any] | None]]:
    """Each change that a run forbids: method, path, body."""
    cluster, node = link.active_cluster, link.active_cluster.nodes.all()[0]
    other = make_link("other", "127.0.72")
    return {
        "cluster name": ("PATCH", f"/clusters/{cluster.pk}", {"name": "renamed", **WHY}),
        "tls": ("PATCH", f"/clusters/{cluster.pk}", {"tls": {"mode": "required"}, **ELSEWHERE}),
        "node added": (
            "POST",
            f"/clusters/{cluster.pk}/nodes",
            {"name": "third", "host": "127.0.71.3", "port": 1, **ELSEWHERE},
        ),
        "node name": ("PATCH", f"/nodes/{node.pk}", {"name": "renamed", **WHY}),
        "node address": (
            "PATCH",
            f"/nodes/{node.pk}",
            {"host": "127.0.71.9", **ELSEWHERE},
        ),
        "link name": ("PATCH", f"/links/{link.pk}", {"name": "renamed", **WHY}),
        "home": ("PATCH", f"/links/{link.pk}", {"home_cluster": link.standby_cluster_id, **WHY}),
        "retirement": ("DELETE", f"/links/{link.pk}?reason=over", None),
        "names": ("POST", f"/links/{link.pk}/swap-names", {"other": other.pk, **WHY}),
    }


@pytest.mark.parametrize(
    "what", ["cluster name", "tls", "node added", "node name", "node address", "link name", "home"]
)
def test_change__done__audited_with_both_values_and_a_new_version(admin: Caller, link: Link, what: str) -> None:
    method, path, body = _changes(link)[what]
    seen = path.removesuffix("/nodes")
    before = _etag(admin, seen)
    answer = admin.call(method, path, body, **before)
    assert answer.status in (200, 201), answer.body
    assert answer.headers["ETag"] != before["If_Match"]
    record = AuditRecord.objects.order_by("-seq")[0]
    assert (record.reason, record.actor) == ("ticket 4711", "admin-1")
    assert record.facts["after"]
    assert admin.call(method, path, body, **before).status == 412


@pytest.mark.parametrize(
    "what",
    [
        "cluster name",
        "tls",
        "node added",
        "node name",
        "node address",
        "link name",
        "home",
        "retirement",
        "names",
    ],
)
def test_change__run_unfinished__refused_and_nothing_changed(admin: Caller, link: Link, plan: Plan, what: str) -> None:
    method, path, body = _changes(link)[what]
    run = _unfinished(link, plan)
    before = _stored()
    answer = admin.call(method, path, body, **ANY)
    assert (answer.status, answer.body["code"], answer.body["run_id"]) == (409, "run_unfinished", run.pk)
    assert _stored() == before


def _stored() -> list[Any]:
    return [list(model.objects.order_by("pk").values()) for model in (Cluster, Node, Link)]


@pytest.mark.parametrize("what", ["cluster name", "node added", "node name", "link name", "home", "names"])
def test_plan__made_before_a_change__refused_at_its_start(
    admin: Caller, operator: Caller, link: Link, what: str
) -> None:
    method, path, body = _changes(link)[what]
    plan = store_plan(link)
    assert admin.call(method, path, body, **ANY).status in (200, 201)
    link.refresh_from_db()
    started = operator.post(f"/plans/{plan.pk}/runs", {"digest": plan.digest, "confirm": link.name, "reason": "now"})
    assert (started.status, started.body["code"]) == (409, "registration_changed"), started.body
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({}, 428, "precondition_required"),
        ({"If_Match": "7"}, 400, "validation_failed"),
        ({"If_Match": '"99"'}, 412, "version_changed"),
    ],
)
def test_change__without_its_version__refused(
    admin: Caller, link: Link, headers: dict[str, str], status: int, code: str
) -> None:
    answer = admin.call("PATCH", f"/links/{link.pk}", {"name": "renamed", **WHY}, **headers)
    assert (answer.status, answer.body["code"]) == (status, code)
    assert Link.objects.get().name == link.name


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/links/{link}", WHY, ""),
        ("/links/{link}", {"name": "x"}, "reason"),
        ("/links/{link}", {"home_cluster": "c_aaaaaaaaaaaa", **WHY}, "home_cluster"),
        ("/clusters/{cluster}", {"tls": {"mode": "verify_ca"}, **WHY}, "tls.ca"),
        ("/nodes/{node}", {"host": "224.0.0.1", **WHY}, "host"),
        ("/nodes/{node}", {"port": 0, **WHY}, "port"),
    ],
)
def test_change__bad_value__400_names_the_field(
    admin: Caller, link: Link, path: str, body: dict[str, Any], field: str
) -> None:
    node = link.active_cluster.nodes.all()[0]
    where = path.format(link=link.pk, cluster=link.active_cluster_id, node=node.pk)
    answer = admin.call("PATCH", where, body, **ANY)
    assert answer.status == 400, answer.body
    assert [error["field"] for error in answer.body["errors"]] == [field]


def test_change__name_of_another__conflict_and_nothing_changed(admin: Caller, link: Link) -> None:
    other = make_link("other", "127.0.72")
    for path, body, code in (
        (f"/links/{other.pk}", {"name": link.name}, "link_exists"),
        (f"/clusters/{other.active_cluster_id}", {"name": link.active_cluster.name}, "cluster_exists"),
        (f"/nodes/{other.active_cluster.nodes.all()[0].pk}", {"name": "other-a2"}, "node_exists"),
        (
            f"/nodes/{other.active_cluster.nodes.all()[0].pk}",
            {"host": "127.0.71.1", **ELSEWHERE},
            "address_taken",
        ),
    ):
        answer = admin.call("PATCH", path, {**body, **WHY}, **ANY)
        assert (answer.status, answer.body["code"]) == (409, code), answer.body
    assert Link.objects.get(pk=other.pk).name == "other"


def test_tls__nodes_down__kept_until_it_was_tried(admin: Caller, link: Link) -> None:
    body = {"tls": {"mode": "required"}, "passwords": STORED_PASSWORDS, **WHY}
    answer = admin.call("PATCH", f"/clusters/{link.active_cluster_id}", body, **ANY)
    assert (answer.status, answer.body["code"]) == (409, "nodes_not_tried")
    assert answer.body["nodes"] == ["payments-a1", "payments-a2"]
    assert Cluster.objects.get(pk=link.active_cluster_id).tls_mode == "disabled"


def test_credential__replaced__sealed_and_nowhere_readable(admin: Caller, link: Link) -> None:
    path = f"/clusters/{link.active_cluster_id}/credentials/monitor"
    before = Credential.objects.get(cluster=link.active_cluster, role="monitor").sealed
    refused = admin.call("PUT", path, {"user": "new", "password": CANARY, **WHY}, **ANY)
    assert (refused.status, refused.body["code"]) == (409, "nodes_not_tried")
    assert Credential.objects.get(cluster=link.active_cluster, role="monitor").sealed == before
    body = {"user": "new", "password": CANARY, "accept_unreachable": True, **WHY}
    answer = admin.call("PUT", path, body, **ANY)
    assert answer.status == 200, answer.body
    record = AuditRecord.objects.get(action="api:cluster:replace_credential")
    assert (record.facts["before"], record.facts["after"]) == ({"user": "u_monitor"}, {"user": "new"})
    assert record.facts["not_tried_on"] == ["payments-a1", "payments-a2"]
    assert CANARY not in str(answer.body) + str(record.facts)


def test_credential__stored_ones_cannot_be_decrypted__replaced_all_the_same(admin: Caller, link: Link) -> None:
    """The key was lost: each account is entered again."""
    Credential.objects.filter(cluster=link.active_cluster).update(sealed="of a lost key")
    for role in ("monitor", "operator", "replication"):
        body = {"user": f"u_{role}", "password": CANARY, "accept_unreachable": True, **WHY}
        answer = admin.call("PUT", f"/clusters/{link.active_cluster_id}/credentials/{role}", body, **ANY)
        assert answer.status == 200, answer.body
    assert account(link.active_cluster, CredentialRole.OPERATOR) == ("u_operator", CANARY)


def test_node__last_one__stays(admin: Caller) -> None:
    body = cluster_body("single", "127.0.73.1")
    node = admin.post("/clusters", body).body["nodes"][0]
    answer = admin.call("DELETE", f"/nodes/{node['id']}?reason=gone", None, **ANY)
    assert (answer.status, answer.body["code"]) == (409, "node_last")


def test_node__nobody_tells_whether_it_left__stays(admin: Caller, link: Link) -> None:
    node = link.active_cluster.nodes.all()[0]
    answer = admin.call("DELETE", f"/nodes/{node.pk}?reason=gone", None, **ANY)
    assert (answer.status, answer.body["code"]) == (409, "membership_unknown")
    assert Node.objects.filter(pk=node.pk).exists()


def test_link__retired__name_free_and_history_readable(admin: Caller, operator: Caller, link: Link, plan: Plan) -> None:
    answer = admin.call("DELETE", f"/links/{link.pk}?reason=over", None, **ANY)
    assert (answer.status, answer.body["state"]) == (200, "retired"), answer.body
    assert not links().exists()
    assert operator.get("/links").body["results"] == []
    assert [one["name"] for one in operator.get("/links?retired=true").body["results"]] == ["payments"]
    assert operator.get(f"/links/{link.pk}").body["name"] == "payments"
    assert operator.get(f"/plans/{plan.pk}").status == 200
    assert operator.get(f"/links/{link.pk}/history").body["results"][0]["label"] == "admin-1 retired payments."
    refused = operator.post(f"/links/{link.pk}/plans", {"kind": "relocate"})
    assert (refused.status, refused.body["code"]) == (409, "retired")
    started = operator.post(f"/plans/{plan.pk}/runs", {"digest": plan.digest, "confirm": "payments", "reason": "x"})
    assert (started.status, started.body["code"]) == (409, "registration_changed")
    same = {"name": "payments", "active_cluster": link.active_cluster_id, "standby_cluster": link.standby_cluster_id}
    assert admin.post("/links", {**same, "create_probe": False}).status == 201


def test_link__with_approval__retired_by_nobody_alone(admin: Caller) -> None:
    admin.get("/links")
    link = make_link(requires_approval=True)
    answer = admin.call("DELETE", f"/links/{link.pk}?reason=over", None, **ANY)
    assert (answer.status, answer.body["state"]) == (200, "unknown"), answer.body
    assert Link.objects.get(pk=link.pk).retired_at is None
    assert ProtectedChange.objects.get(state="waiting").kind == "link_retirement"


def test_cluster__joined_by_a_link__retired_only_after_it(admin: Caller, link: Link) -> None:
    path = f"/clusters/{link.active_cluster_id}"
    refused = admin.call("DELETE", f"{path}?reason=over", None, **ANY)
    assert (refused.status, refused.body["code"]) == (409, "cluster_in_use")
    admin.call("DELETE", f"/links/{link.pk}?reason=over", None, **ANY)
    assert admin.call("DELETE", f"{path}?reason=over", None, **ANY).status == 200
    assert not Credential.objects.filter(cluster=link.active_cluster_id).exists()
    assert admin.get(f"/links/{link.pk}").status == 200
    assert "payments-a" not in [cluster.name for cluster in clusters()]
    same = cluster_body("payments-a", "127.0.71.1", "127.0.71.2")
    assert admin.post("/clusters", same).status == 201


def test_pause__with_its_end__shown_and_ended(operator: Caller, link: Link) -> None:
    path = f"/links/{link.pk}/pause"
    until = (timezone.now() + timedelta(hours=2)).isoformat()
    assert operator.call("PUT", path, {"until": until, **WHY}, **ANY).body["pause"]["by"] == "operator-1"
    for wrong in (timezone.now() - timedelta(seconds=1), timezone.now() + timedelta(days=8)):
        refused = operator.call("PUT", path, {"until": wrong.isoformat(), **WHY}, **ANY)
        assert [error["field"] for error in refused.body["errors"]] == ["until"]
    assert operator.call("DELETE", f"{path}?reason=done", None, **ANY).body["pause"] is None


def test_names__of_two_links__swapped_at_once(admin: Caller, link: Link) -> None:
    other = make_link("other", "127.0.72")
    answer = admin.call("POST", f"/links/{link.pk}/swap-names", {"other": other.pk, **WHY}, **ANY)
    assert (answer.status, answer.body["name"]) == (200, "other")
    assert Link.objects.get(pk=other.pk).name == "payments"
    same = admin.call("POST", f"/links/{link.pk}/swap-names", {"other": link.pk, **WHY}, **ANY)
    assert [error["field"] for error in same.body["errors"]] == ["other"]


def test_membership__of_nodes_never_read__unknown(viewer: Caller, link: Link) -> None:
    shown = viewer.get(f"/clusters/{link.active_cluster_id}/membership").body
    assert (shown["size"], shown["absent"], shown["unregistered"], shown["new_history"]) == (None, None, [], None)


def test_pause__observed_events__told_to_no_webhook_and_the_state_at_its_end(operator: Caller, link: Link) -> None:
    hook = Hook.objects.create(link=link, name="pager", phase="event", sealed_url="", sealed="")
    operator.call(
        "PUT", f"/links/{link.pk}/pause", {"until": (timezone.now() + timedelta(hours=1)).isoformat(), **WHY}, **ANY
    )
    hook.link.refresh_from_db()
    events.raised(link_id=link.pk, kind="node.down", severity="blocker", message="down")
    events.raised(link_id=link.pk, kind="run.failed", severity="blocker", message="failed")
    assert enqueue_events(hook, timezone.now()) == 1
    Link.objects.filter(pk=link.pk).update(paused_until=timezone.now() - timedelta(seconds=1))
    end_due_pauses()
    end_due_pauses()
    ended = Event.objects.filter(link_id=link.pk, data__kind="link.maintenance_ended")
    assert [event.data["severity"] for event in ended] == ["unknown"]
    assert not attended_links(timezone.now()).exclude(pk=link.pk).exists()
