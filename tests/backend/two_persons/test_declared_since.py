"""Who requested or approved a run applies a declaration then: nothing begins that was not approved."""

from __future__ import annotations

from typing import Any

import pytest

from backend.clusters.models import Link, Node
from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.models import Run
from tests.backend.two_persons.waiting import waiting_run
from tests.support.console import PLAIN, Caller, approval, make_caller

DOCUMENT = """
clusters:
  - name: payments-a
    site: site payments-a
    nodes:
      - {name: payments-a1, host: 127.0.71.1, port: 1}
      - {name: payments-a2, host: 127.0.71.2, port: 1}
    credentials:
      monitor: {user: u_monitor, password: "env:PLAIN"}
      operator: {user: u_operator, password: "env:PLAIN"}
      replication: {user: u_replication, password: "env:PLAIN"}
    tls: {mode: disabled}
  - name: payments-b
    site: site payments-b
    nodes:
      - {name: payments-b1, host: 127.0.71.11, port: 1}
      - {name: payments-b2, host: 127.0.71.12, port: 1}
    credentials:
      monitor: {user: u_monitor, password: "env:PLAIN"}
      operator: {user: u_operator, password: "env:PLAIN"}
      replication: {user: u_replication, password: "env:PLAIN"}
    tls: {mode: disabled}
links:
  - name: payments
    clusters: [payments-a, payments-b]
    home: payments-a
    requires_approval: true
"""
UNDER_A_RUN = [
    ("127.0.71.12", "127.0.71.99"),
    ("127.0.71.12, port: 1}", "127.0.71.12, port: 1}\n      - {name: payments-b3, host: 127.0.71.13, port: 1}"),
    ("u_operator, password", "u_other, password"),
    ("site payments-b", "another site"),
    ("name: payments-b2, host: 127.0.71.12", "name: renamed, host: 127.0.71.12"),
    ("    tls: {mode: disabled}\nlinks", "    tls: {mode: required}\nlinks"),
    ("    requires_approval: true", "    requires_approval: true\n    writes_on_both_sides: true"),
    ("home: payments-a", "home: payments-b"),
    ("    requires_approval: true", "    requires_approval: false"),
]
"""What a declaration may change of a link and its clusters, a place each."""


@pytest.fixture
def second(admin: Caller) -> Caller:
    """Another administrator, known for long; the first one's console is in use then."""
    other = make_caller("second", "admin")
    assert admin.get("/links").status == 200
    return other


def _declared(caller: Caller, before: str, after: str) -> list[dict[str, Any]]:
    """The differences of a document in which this is another one, as they were applied."""
    assert before in DOCUMENT
    body = {
        "document": after.join(DOCUMENT.rsplit(before, 1)),
        "references": {"env:PLAIN": PLAIN},
        "accept_unreachable": True,
    }
    compared = caller.post("/declarations", body)
    assert compared.status == 200, compared.body
    applied = caller.post("/declarations/apply", {**body, "digest": compared.body["digest"], "reason": "ticket 4711"})
    changes: list[dict[str, Any]] = applied.body["changes"]
    return changes


def _registered(link: Link) -> Any:
    link.refresh_from_db()
    nodes = Node.objects.filter(cluster__in=(link.active_cluster_id, link.standby_cluster_id)).order_by("pk")
    accounts = [
        (one.role, one.user)
        for cluster in (link.active_cluster, link.standby_cluster)
        for one in cluster.credentials.order_by("pk")
    ]
    sides = [(one.tls_mode, one.site) for one in (link.active_cluster, link.standby_cluster)]
    kept = (link.home_cluster_id, link.channel_name, link.writes_on_both_sides)
    return list(nodes.values("name", "host", "port")), accounts, sides, kept


@pytest.mark.parametrize("of_requester", [True, False])
@pytest.mark.parametrize(("before", "after"), UNDER_A_RUN)
def test_run__a_declaration_after_its_approval__begins_as_approved_or_never(
    admin: Caller, second: Caller, link: Link, before: str, after: str, *, of_requester: bool
) -> None:
    run = waiting_run(link, actor="admin-1")
    assert second.post(f"/runs/{run.id}/approve", approval(run.plan)).status == 200
    approved = _registered(Link.objects.get(pk=link.pk))
    (change,) = _declared(admin if of_requester else second, before, after)
    is_as_approved = _registered(Link.objects.get(pk=link.pk)) == approved
    assert is_as_approved or change["outcome"] == "done"
    if RunStore(run.id, "w").claim(30) == 1:
        assert is_as_approved
    else:
        assert "registration of" in Run.objects.get(pk=run.pk).outcome


def test_declaration__changes_nothing__the_run_begins(admin: Caller, second: Caller, link: Link) -> None:
    run = waiting_run(link, actor="admin-1")
    assert second.post(f"/runs/{run.id}/approve", approval(run.plan)).status == 200
    assert _declared(admin, "site payments-b", "site payments-b") == []
    assert RunStore(run.id, "w").claim(30) == 1
