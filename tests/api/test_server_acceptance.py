"""An administrator accepts in writing that plans are made with servers that were never tried."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.cache import caches
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.clusters.models import Cluster, Link, Node, ServerAcceptance
from backend.clusters.selectors import cluster_access
from backend.common.events.models import Event
from backend.core.facts.serialization import node_to_json
from backend.core.topology import NodeFacts, Reach
from backend.monitoring.models import NodeState
from backend.operations.runs.models import Plan, Run
from backend.registration import acceptance
from backend.registration.acceptance_end import end_outdated
from tests.core.builders.link_facts import link as healthy_link
from tests.core.builders.link_facts import node_of
from tests.galera.acceptance import accept_servers
from tests.servers.trees import pxc
from tests.support.console import Answer, Caller

HEALTHY = node_of(healthy_link(), "a2")
TEXT = "Read every statement of a relocate, and moved staging by hand with them."
FIELDS = {"flavor": "pxc", "series": "8.0", "confirm": "payments-a", "reason": TEXT}
Observe = Callable[..., None]


@pytest.fixture
def observe(link: Link, monkeypatch: pytest.MonkeyPatch) -> Observe:
    """Let the nodes of the active cluster, or of these clusters, run this, by the last poll and now."""

    def runs(
        flavor: str = "pxc", version: str = "8.0.36-28.1", clusters: tuple[Cluster, ...] = (), **facts: Any
    ) -> None:
        found: dict[str, NodeFacts] = {}
        for node in Node.objects.filter(cluster__in=clusters or (link.active_cluster,)):
            at = timezone.now()
            shown = {"flavor": flavor, "version": version, "observed_at_s": at.timestamp()} | facts
            one = replace(HEALTHY, node=node.ref, **shown)
            seen = {"reach": "up", "since": at, "observed_at": at, "facts": node_to_json(one)}
            NodeState.objects.update_or_create(node=node, defaults=seen)
            found[node.pk] = one
        monkeypatch.setattr(acceptance, "observe_all", lambda nodes: {one.ref.id: found[one.ref.id] for one in nodes})
        caches["kept"].clear()

    runs()
    return runs


def _path(link: Link) -> str:
    return f"/clusters/{link.active_cluster_id}/acceptance"


def _accept(caller: Caller, link: Link, **changes: Any) -> Answer:
    return caller.post(_path(link), FIELDS | changes, If_Match="*")


def _withdraw(caller: Caller, link: Link, reason: str, version: str = "*") -> Answer:
    return caller.call("DELETE", f"{_path(link)}?reason={reason}", If_Match=version)


def test_acceptance__by_an_administrator__in_force_shown_and_audited(
    admin: Caller, viewer: Caller, link: Link, observe: Observe
) -> None:
    offered = viewer.get(_path(link)).body
    assert offered["acceptable"] == {"flavor": "pxc", "series": "8.0", "name": "Percona XtraDB Cluster 8.0"}
    assert offered["current"] is None
    answer = _accept(admin, link)
    assert answer.status == 201, answer.body
    shown = viewer.get(_path(link)).body["current"]
    assert (shown["text"], shown["ended_at"], shown["name"]) == (TEXT, None, "Percona XtraDB Cluster 8.0")
    nodes = viewer.get(f"/clusters/{link.active_cluster_id}").body["nodes"]
    assert [(node["is_accepted"], bool(node["watched_only"])) for node in nodes] == [(True, True)] * len(nodes)
    record = AuditRecord.objects.get(action="api:cluster:accept_server")
    assert (record.target, record.reason, record.facts["after"]["series"]) == (link.active_cluster_id, TEXT, "8.0")
    raised = [event.data["message"] for event in Event.objects.filter(link_id=link.pk) if "message" in event.data]
    assert any("never tried" in message for message in raised)
    refs = [access.ref.accepted for access in cluster_access(Cluster.objects.get(pk=link.active_cluster_id)).nodes]
    assert [one.text if one else None for one in refs] == [TEXT] * len(nodes)


def test_acceptance__withdrawn__plans_before_are_outdated_and_the_text_stays(
    admin: Caller, link: Link, observe: Observe
) -> None:
    version = _accept(admin, link).body["version"]
    answer = _withdraw(admin, link, "staging+differs", f'"{version}"')
    assert answer.status == 200, answer.body
    assert answer.body["current"] is None
    assert answer.body["version"] == version + 1
    (earlier,) = answer.body["earlier"]
    assert (earlier["text"], earlier["end_reason"]) == (TEXT, "staging differs")
    assert AuditRecord.objects.filter(action="api:cluster:withdraw_acceptance").count() == 1
    assert _withdraw(admin, link, "again").body["code"] == "not_accepted"


@pytest.mark.parametrize(
    ("field", "value", "remedy"),
    [
        ("reason", "ok", "at least 20 characters"),
        ("reason", " " * 30, "at least 20 characters"),
        ("confirm", "payments-b", "Type the cluster's name: payments-a"),
        ("confirm", " payments-a", "Type the cluster's name: payments-a"),
        ("flavor", "mysql", "not a valid choice"),
        ("series", "9.1", "not a valid choice"),
    ],
)
def test_acceptance__bad_field__400_with_the_remedy(
    admin: Caller, link: Link, observe: Observe, field: str, value: str, remedy: str
) -> None:
    answer = _accept(admin, link, **{field: value})
    assert (answer.status, answer.body["code"]) == (400, "validation_failed")
    assert [error["field"] for error in answer.body["errors"]] == [field]
    assert remedy in answer.body["errors"][0]["message"]
    assert not ServerAcceptance.objects.exists()


@pytest.mark.parametrize(
    ("observed", "code"),
    [
        ({"version": "8.4.3-3.1"}, "server_not_acceptable"),
        ({"flavor": "mysql", "version": "8.0.41"}, "server_not_acceptable"),
        ({"flavor": "mariadb", "version": "10.11.19-MariaDB"}, "server_not_acceptable"),
        ({"wsrep": None}, "server_not_acceptable"),
        ({"version": None}, "server_not_acceptable"),
        ({"reach": Reach.DOWN}, "nodes_not_tried"),
    ],
)
def test_acceptance__of_other_servers_than_those_that_respond__refused(
    admin: Caller, link: Link, observe: Observe, observed: dict[str, Any], code: str
) -> None:
    observe(**observed)
    answer = _accept(admin, link)
    assert (answer.status, answer.body["code"]) == (409, code)
    assert not ServerAcceptance.objects.exists()


def test_acceptance__nodes_were_upgraded_since_they_were_shown__refused(
    admin: Caller, link: Link, observe: Observe
) -> None:
    observe(version="8.4.3-3.1")
    assert _accept(admin, link).body.get("code") == "server_not_acceptable"


def test_acceptance__of_another_series__supersedes_the_one_before(admin: Caller, link: Link, observe: Observe) -> None:
    _accept(admin, link)
    assert _accept(admin, link).body["code"] == "already_accepted"
    observe(version="8.4.3-3.1")
    nodes = admin.get(f"/clusters/{link.active_cluster_id}").body["nodes"]
    assert {node["is_accepted"] for node in nodes} == {False}
    body = _accept(admin, link, series="8.4").body
    assert (body["current"]["series"], [one["series"] for one in body["earlier"]]) == ("8.4", ["8.0"])


def test_acceptance__another_series_is_observed__ended_for_good(admin: Caller, link: Link, observe: Observe) -> None:
    _accept(admin, link)
    end_outdated()
    assert admin.get(_path(link)).body["current"] is not None
    observe(version="8.4.3-3.1")
    end_outdated()
    observe()
    body = admin.get(_path(link)).body
    assert [one["end_reason"] for one in body["earlier"]] == ["payments-a1 runs pxc 8.4.3-3.1"]
    assert body["current"] is None
    record = AuditRecord.objects.get(action="console:cluster:end_acceptance")
    assert (record.actor, record.target) == ("console", link.active_cluster_id)


def test_acceptance__run_unfinished__neither_given_nor_withdrawn(
    admin: Caller, link: Link, plan: Plan, observe: Observe
) -> None:
    _accept(admin, link)
    Run.objects.create(
        plan=plan, link=link, unfinished_link=link.pk, kind="relocate", state="running", created_at=plan.created_at
    )
    assert _withdraw(admin, link, "no").body["code"] == "run_unfinished"
    observe(version="8.4.3-3.1")
    assert _accept(admin, link, series="8.4").body["code"] == "run_unfinished"
    end_outdated()
    assert ServerAcceptance.objects.exclude(open_cluster=None).count() == 1, "the run may have to undo its steps"


def test_acceptance__as_the_scenarios_give_it__taken_for_both_clusters(
    admin: Caller, link: Link, observe: Observe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`make servers` on a Percona XtraDB Cluster of the user's own."""
    observe(version="8.4.8-8.1", clusters=(link.active_cluster, link.standby_cluster))
    monkeypatch.setenv("HAWSER_SERVERS", str(tmp_path))
    pxc(tmp_path / "pxc")
    console: Any = SimpleNamespace(
        link=lambda: admin.get(f"/links/{link.pk}").body,
        get=lambda path: admin.get(path).body,
        call=lambda method, path, body, if_match: admin.call(method, path, body, If_Match=if_match),
    )
    assert accept_servers(console, "pxc") == ["Percona XtraDB Cluster 8.4"] * 2
    assert ServerAcceptance.objects.exclude(open_cluster=None).count() == 2


def test_acceptance__cluster_of_tried_servers__none_offered(viewer: Caller, link: Link, observe: Observe) -> None:
    observe("mariadb", "10.11.19-MariaDB")
    assert viewer.get(_path(link)).body["acceptable"] is None
