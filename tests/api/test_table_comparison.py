"""Comparisons of tables over HTTP: begun, paused, stopped, read by those who may, exported."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.core.orphans.serialization import shape_to_json
from backend.core.topology import NodeRef
from backend.transactions.table_comparison import dispatch, services
from backend.transactions.table_comparison.models import (
    ComparedTable,
    RowDifference,
    State,
    TableComparison,
    TableState,
)
from tests.support.console import Caller
from tests.support.table_snapshots import SHAPE


@pytest.fixture
def nodes(link: Link, monkeypatch: pytest.MonkeyPatch) -> list[NodeRef]:
    """One of each side, as if they were up."""
    sides = (link.active_cluster, link.standby_cluster)
    first = [side.nodes.order_by("name")[0] for side in sides]
    chosen = [NodeRef(node.pk, node.name, node.host, node.port, node.cluster_id) for node in first]
    monkeypatch.setattr(services, "_nodes", lambda _link, *, every_node: chosen)
    return chosen


@pytest.fixture
def comparison(link: Link, nodes: list[NodeRef]) -> TableComparison:
    """An ended one with two equal tables, and one in which two rows differ."""
    row = TableComparison.objects.create(
        link=link,
        actor="olaf",
        state=State.FINISHED,
        node_ids=[node.id for node in nodes],
        rows_per_s=1000,
        busy_percent=20,
        is_listed=True,
        started_at=timezone.now(),
        ended_at=timezone.now(),
    )
    for name in ("shop.a", "shop.b"):
        ComparedTable.objects.create(comparison=row, name=name, state=TableState.EQUAL, rows=50, while_written=5)
    table = ComparedTable.objects.create(
        comparison=row, name="shop.orders", state=TableState.DIFFERENT, rows=95, different=2, shape=shape_to_json(SHAPE)
    )
    about = {"table": table, "node_id": nodes[1].id, "node": nodes[1].name, "found_at": timezone.now()}
    known = {"is_confirmed": True, "key": [7], "apart": "different", "reference": [7, 70], "held": [7, 71]}
    RowDifference.objects.create(**about, **known)
    RowDifference.objects.create(**about, is_confirmed=False, key=[8], apart="missing", reference=[8, 80], held=None)
    return row


def test_start__stored_recorded_and_one_at_a_time(operator: Caller, viewer: Caller, link: Link, nodes: Any) -> None:
    path = f"/links/{link.id}/table-comparisons"
    assert viewer.post(path, {}).status == 403
    begun = operator.post(path, {"only": ["shop", "crm.people"], "busy_percent": 5})
    assert begun.status == 201, begun.body
    assert {name: begun.body[name] for name in ("state", "only", "busy_percent")} == {
        "state": "running",
        "only": ["shop", "crm.people"],
        "busy_percent": 5,
    }
    assert [node["name"] for node in begun.body["nodes"]] == [node.name for node in nodes]
    assert AuditRecord.objects.get(action="api:table_comparison:start").facts["rows_per_s"] == 20_000
    refused = operator.post(path, {})
    assert (refused.status, refused.body["code"]) == (409, "comparison_unfinished")
    assert [row["id"] for row in viewer.get(path).body["results"]] == [begun.body["id"]]


def test_start__no_node_is_up__refused_by_name(operator: Caller, link: Link) -> None:
    refused = operator.post(f"/links/{link.id}/table-comparisons", {})
    assert (refused.status, refused.body["code"]) == (409, "comparison_no_node")
    assert link.active_cluster.name in refused.body["detail"]
    assert not TableComparison.objects.exists()


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"only": ["a.b.c"]}, "only"),
        ({"rows_per_s": 0}, "rows_per_s"),
        ({"busy_percent": 100}, "busy_percent"),
        ({"tables": []}, "tables"),
    ],
)
def test_start__bad_value__400_names_the_field(operator: Caller, link: Link, body: Any, field: str) -> None:
    answer = operator.post(f"/links/{link.id}/table-comparisons", body)
    assert answer.status == 400
    assert field in str(answer.body)


def test_change__paused_resumed_and_stopped__then_it_has_ended(operator: Caller, link: Link, nodes: Any) -> None:
    begun = operator.post(f"/links/{link.id}/table-comparisons", {}).body["id"]
    path = f"/table-comparisons/{begun}"
    TableComparison.objects.update(sentence="Waits: db-a1: no connection.")
    states = [
        operator.call("PATCH", path, {"state": state}).body["state"] for state in ("paused", "running", "stopped")
    ]
    assert states == ["paused", "running", "stopped"]
    assert operator.get(path).body["sentence"] == "", "it waits for nothing any more"
    refused = operator.call("PATCH", path, {"state": "running"})
    assert (refused.status, refused.body["code"]) == (409, "comparison_ended")
    assert operator.post(f"/links/{link.id}/table-comparisons", {}).status == 201
    recorded = AuditRecord.objects.filter(action="api:table_comparison:change").order_by("pk")
    assert [record.facts["state"] for record in recorded] == ["paused", "running", "stopped"]


def test_read__sums_and_tables__as_stored(viewer: Caller, comparison: TableComparison) -> None:
    shown = viewer.get(f"/table-comparisons/{comparison.pk}").body
    assert (shown["tables"], shown["tables_equal"], shown["tables_different"]) == (3, 2, 1)
    assert (shown["rows"], shown["rows_while_written"], shown["different"]) == (195, 10, 2)
    page = viewer.get(f"/table-comparisons/{comparison.pk}/tables?limit=2").body
    rest = viewer.get(f"/table-comparisons/{comparison.pk}/tables?limit=2&cursor={page['next']}").body
    assert [row["name"] for row in (*page["results"], *rest["results"])] == ["shop.a", "shop.b", "shop.orders"]
    only = viewer.get(f"/table-comparisons/{comparison.pk}/tables?state=different").body["results"]
    assert [row["name"] for row in only] == ["shop.orders"]
    assert viewer.get("/table-comparisons/j_aaaaaaaaaaaa").status == 404


def test_read__tables_that_ended_and_one_that_grew__estimated_by_what_was_compared(
    viewer: Caller, comparison: TableComparison
) -> None:
    about = {"comparison": comparison, "ended_at": timezone.now(), "state": TableState.NOT_COMPARED}
    ComparedTable.objects.create(name="shop.log", estimated_rows=4_000_000, **about)
    ComparedTable.objects.create(comparison=comparison, name="shop.grew", estimated_rows=10, rows=30)
    ComparedTable.objects.create(comparison=comparison, name="shop.waits", estimated_rows=70)
    shown = viewer.get(f"/table-comparisons/{comparison.pk}").body
    assert (shown["rows"], shown["estimated_rows"]) == (225, 295)


def test_read__paused_for_a_day__estimated_by_the_time_of_its_work(viewer: Caller, comparison: TableComparison) -> None:
    begun_at = timezone.now() - timedelta(days=1)
    TableComparison.objects.update(state=State.RUNNING, started_at=begun_at, ended_at=None, worked_ms=39_000)
    ComparedTable.objects.create(comparison=comparison, name="shop.waits", estimated_rows=100)
    assert viewer.get(f"/table-comparisons/{comparison.pk}").body["remaining_s"] == 20


def test_differences__viewer_and_operator__values_for_the_operator_alone(
    viewer: Caller, operator: Caller, comparison: TableComparison
) -> None:
    path = f"/table-comparisons/{comparison.pk}/differences"
    for row in viewer.get(path).body["results"]:
        assert (row["key"], row["reference"], row["held"], row["table"]) == (None, None, None, "shop.orders")
        assert row["has_key"], "a viewer is told whether it is a row or a whole table"
    found = {row["key"]["id"]: row for row in operator.get(path).body["results"]}
    assert (found[7]["reference"], found[7]["held"]) == ({"id": 7, "total": 70}, {"id": 7, "total": 71})
    assert (found[7]["columns"], found[8]["columns"]) == (["total"], [])
    assert (found[8]["held"], found[8]["is_confirmed"]) == (None, False)
    assert operator.get(f"{path}?table=shop.a").body["results"] == []


def test_export__statements_for_a_node__recorded_and_none_for_what_is_not_known(
    viewer: Caller, operator: Caller, comparison: TableComparison, nodes: list[NodeRef]
) -> None:
    path = f"/table-comparisons/{comparison.pk}/differences/export"
    assert viewer.get(f"{path}?format=jsonl").status == 403
    lines = operator.get(f"{path}?format=sql&node={nodes[1].id}").body.splitlines()
    assert "SET SESSION wsrep_on=OFF, sql_log_bin=0, time_zone='+00:00', sql_mode='', foreign_key_checks=1;" in lines
    changes = [line for line in lines if line.startswith(("INSERT", "UPDATE", "DELETE"))]
    assert changes == ["UPDATE `shop`.`orders` SET `id`=7, `total`=70 WHERE `id` <=> 7 AND `total` <=> 71 LIMIT 1;"]
    assert any("differed only while the table was written" in line for line in lines)
    recorded = AuditRecord.objects.filter(action="api:table_comparison:export")
    assert [(record.facts["format"], record.facts["node"]) for record in recorded] == [("sql", nodes[1].name)]
    for wrong in (nodes[0].id, "n_aaaaaaaaaaaa"):
        assert operator.get(f"{path}?format=sql&node={wrong}").status == 400


def test_schedule__due__begun_by_the_schedule_and_once(
    admin: Caller, operator: Caller, link: Link, nodes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/links/{link.id}/table-comparison-schedule"
    assert operator.get(path).body["enabled"] is False
    body = {"enabled": True, "every_hours": 24, "only": ["shop"], "rows_per_s": 100}
    assert operator.call("PUT", path, body).status == 403
    assert admin.call("PUT", path, body).body["only"] == ["shop"]
    sent: list[str] = []
    monkeypatch.setattr(dispatch, "attended_links", lambda _now: Link.objects.filter(pk=link.pk))
    monkeypatch.setattr(dispatch, "_dispatch", sent.append)
    dispatch.tick()
    dispatch.tick()
    begun = TableComparison.objects.get()
    assert (begun.actor, begun.only, begun.rows_per_s) == ("schedule", ["shop"], 100)
    assert sent == [begun.pk, begun.pk]
    assert AuditRecord.objects.get(action="worker:table_comparison:start").target == begun.pk


def test_go_on__a_worker_has_it__the_other_leaves_it(link: Link, nodes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = services.comparison_start(actor="olaf", link=link, every_node=True, only=[], budget=services.Budget())
    calls: list[str] = []

    def go_on(comparison: TableComparison) -> bool:
        calls.append(comparison.pk)
        assert not services.go_on_claimed(comparison.pk)
        return True

    monkeypatch.setattr(services, "go_on", go_on)
    assert services.go_on_claimed(begun.pk)
    assert calls == [begun.pk]
    TableComparison.objects.update(state=State.PAUSED)
    assert not services.go_on_claimed(begun.pk)


def test_go_on__nodes_are_down__waits_and_says_for_which(link: Link, nodes: list[NodeRef]) -> None:
    begun = services.comparison_start(actor="olaf", link=link, every_node=True, only=[], budget=services.Budget())
    assert not services.go_on_claimed(begun.pk)
    begun.refresh_from_db()
    assert begun.state == State.RUNNING
    assert begun.sentence.startswith(f"Waits: {nodes[0].name}: ")
