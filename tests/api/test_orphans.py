"""Orphans over HTTP: what a returned side holds alone, page by page, as a file, and for whom."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.db.models import F
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.core.link_facts import Divergence
from backend.core.orphans.model import OrphanList, TransactionKind
from backend.core.orphans.schema_changes.parse import parse_schema_change
from backend.monitoring import link_roles
from backend.operations.runs.masking import values_masked
from backend.operations.runs.models import Plan, Run, RunStep, Statement
from backend.operations.runs.selectors import SHOWN_STATEMENTS
from backend.transactions.orphans import selectors
from backend.transactions.orphans.models import Orphan, OrphanScan
from tests.api.orphan_scans import BOOK, stored_scan
from tests.core.builders.orphan_worlds import KEYED, transaction
from tests.support.console import Caller, confirmation
from tests.support.replayed_rows import PERSON, with_rows


@pytest.fixture
def divergence(link: Link) -> Divergence:
    """The active side was lost."""
    found = Divergence(link.active_cluster_id, link.standby_cluster_id, None, 1_800_000_000.0, run_id="r_aaaaaaaaaaaa")
    link_roles.record_divergence(link.id, found)
    return found


def test_orphans__no_failover__not_needed(viewer: Caller, operator: Caller, link: Link) -> None:
    assert viewer.get(f"/links/{link.id}/orphans").body["state"] == "not_needed"
    answer = operator.post(f"/links/{link.id}/orphans/scan")
    assert (answer.status, answer.body["code"]) == (409, "not_diverged")
    assert operator.get(f"/links/{link.id}/orphans/export").status == 404


def test_orphans__nobody_looked__unknown(viewer: Caller, link: Link, divergence: Divergence) -> None:
    shown = viewer.get(f"/links/{link.id}/orphans").body
    assert (shown["state"], shown["results"], shown["from"]) == ("unknown", [], None)


def test_scan__all_nodes_down__unknown_with_each_reason(operator: Caller, link: Link, divergence: Divergence) -> None:
    answer = operator.post(f"/links/{link.id}/orphans/scan")
    assert answer.status == 201
    assert answer.body["state"] == "unknown"
    assert "payments-a1: not up" in answer.body["detail"]
    record = AuditRecord.objects.get(action="api:orphans:scan")
    assert record.facts["state"] == "unknown"


def test_orphans__found__pages_in_order_with_rows(operator: Caller, link: Link, divergence: Divergence) -> None:
    stored_scan(link, divergence)
    first = operator.get(f"/links/{link.id}/orphans?limit=2").body
    assert first["state"] == "found"
    assert (first["transactions"], first["rows"], first["node"]) == (3, 4, "payments-a1")
    assert first["from"] == {"file": "binlog.000001", "position": 100}
    assert first["to"] == {"file": "binlog.000001", "position": 900}
    assert first["cluster"] == {"id": link.active_cluster_id, "name": "payments-a"}
    assert first["tables"] == [{"schema": "shop", "table": "keyed", "inserts": 2, "updates": 1, "deletes": 1}]
    assert [one["index"] for one in first["results"]] == [0, 1]
    assert first["results"][0]["rows"][0]["after"]["name"] == "ü"
    assert first["results"][0]["rows"][0]["before"] is None
    rest = operator.get(f"/links/{link.id}/orphans?limit=2&cursor={first['next']}").body
    assert ([one["index"] for one in rest["results"]], rest["next"]) == ([2], None)


def test_orphans__viewer__sees_the_summary_but_no_business_data(
    viewer: Caller, link: Link, divergence: Divergence
) -> None:
    stored_scan(link, divergence)
    shown = viewer.get(f"/links/{link.id}/orphans").body
    assert shown["transactions"] == 3
    assert [one["rows"] for one in shown["results"]] == [[], [], []]
    assert [one["statement"] for one in shown["results"]] == [None, None, None]
    assert viewer.get(f"/links/{link.id}/orphans/export").status == 403
    assert viewer.post(f"/links/{link.id}/orphans/scan").status == 403


@pytest.mark.parametrize("bad", ["cursor=x", "cursor=-1", "limit=0", "limit=201", "other=1"])
def test_orphans__bad_query__400(operator: Caller, link: Link, divergence: Divergence, bad: str) -> None:
    stored_scan(link, divergence)
    assert operator.get(f"/links/{link.id}/orphans?{bad}").status == 400


def test_export__jsonl__each_transaction_and_recorded(operator: Caller, link: Link, divergence: Divergence) -> None:
    stored_scan(link, divergence)
    answer = operator.get(f"/links/{link.id}/orphans/export?format=jsonl")
    lines = [json.loads(line) for line in answer.body.splitlines()]
    assert [one["index"] for one in lines] == [0, 1, 2]
    assert answer.headers["Content-Disposition"] == 'attachment; filename="orphans-payments.jsonl"'
    assert AuditRecord.objects.get(action="api:orphans:export").facts["transactions"] == 3


def test_export__sql__statements_in_transactions(operator: Caller, link: Link, divergence: Divergence) -> None:
    strange = transaction(3, [], kind=TransactionKind.DDL, statement="ALTER TABLE t\nADD c INT; DROP TABLE t")
    unclear = transaction(4, [], refusal="shop.t.u: the type uuid cannot be decoded exactly")
    stored_scan(link, divergence, OrphanList("f" * 64, (*BOOK.transactions, strange, unclear), BOOK.table_definitions))
    text = operator.get(f"/links/{link.id}/orphans/export?format=sql").body
    assert text.count("START TRANSACTION;") == text.count("COMMIT;") == 3
    assert "INSERT INTO `shop`.`keyed`" in text
    assert "-- ALTER TABLE t\n-- ADD c INT; DROP TABLE t\n" in text
    assert "uuid" in text
    lines = [line for line in text.splitlines() if line and not line.startswith("--")]
    assert not any("DROP" in line for line in lines)


def test_scan__same_list_again__one_record_renewed(link: Link, divergence: Divergence) -> None:
    first, second = stored_scan(link, divergence), stored_scan(link, divergence)
    assert first.id == second.id
    assert Orphan.objects.count() == 3
    other = stored_scan(link, divergence, OrphanList("e" * 64, BOOK.transactions[:1], BOOK.table_definitions))
    assert other.id != first.id


def test_scan__same_list_kept_before_definitions_were_followed__kept_anew(link: Link, divergence: Divergence) -> None:
    """An older record tells of no change: an undo by it would pass over the definition."""
    change = parse_schema_change("ALTER TABLE t ADD c INT", "shop")
    orphans = (*BOOK.transactions, transaction(3, [], kind=TransactionKind.DDL, change=change))
    book = OrphanList("d" * 64, orphans, BOOK.table_definitions)
    first = stored_scan(link, divergence, book)
    assert stored_scan(link, divergence, book).id == first.id
    OrphanScan.objects.filter(pk=first.id).update(schema_changes=[])
    second = stored_scan(link, divergence, book)
    assert second.id != first.id
    assert [one.change for one in selectors.orphan_list(second.id).changes] == [change]


def test_book__as_kept__exactly_what_was_found(link: Link, divergence: Divergence) -> None:
    stored = selectors.orphan_list(stored_scan(link, divergence).id)
    assert list(stored.ascending()) == list(BOOK.transactions)
    assert list(stored.descending(1)) == list(reversed(BOOK.transactions[:2]))
    assert (len(stored), stored.table_definitions) == (3, {KEYED.name: KEYED})
    with pytest.raises(LookupError):
        selectors.orphan_list("o_nonexistent1")


def test_run__step_of_thousands_of_statements__the_latest_are_shown_in_order(operator: Caller, plan: Plan) -> None:
    run = operator.post(f"/plans/{plan.id}/runs", confirmation(plan)).body
    step = RunStep.objects.get(run_id=run["id"], index=0)
    Statement.objects.bulk_create(
        Statement(step=step, epoch=1, node_id="n", node="n", sql=f"-- {i}", sql_digest="x", sent_at=timezone.now())
        for i in range(SHOWN_STATEMENTS + 5)
    )
    shown = operator.get(f"/runs/{run['id']}").body["steps"][0]["statements"]
    assert [one["sql"] for one in shown] == [f"-- {i}" for i in range(5, SHOWN_STATEMENTS + 5)]


@pytest.mark.parametrize("first", ["viewer", "operator"])
def test_rows_of_orphans__of_an_ended_run__for_operators_alone_whoever_asks_first(
    as_role: Callable[[str], Caller], operator: Caller, plan: Plan, first: str
) -> None:
    """What is told of an ended run is kept: not the same for both."""
    run_id = operator.post(f"/plans/{plan.id}/runs", confirmation(plan)).body["id"]
    with_rows(run_id, plan)
    Run.objects.filter(pk=run_id).update(state="failed", ended_at=timezone.now(), version=F("version") + 1)
    for role in (first, "viewer", "operator", "viewer"):
        for path in (f"/runs/{run_id}", "/runs"):
            assert (PERSON in str(as_role(role).get(path).body)) == (role == "operator"), (role, path)


def test_rows_of_orphans__in_plans_and_runs__for_operators_alone(viewer: Caller, operator: Caller, plan: Plan) -> None:
    run_id = operator.post(f"/plans/{plan.id}/runs", confirmation(plan)).body["id"]
    with_rows(run_id, plan)
    places = [f"/plans/{plan.id}", f"/plans/{plan.id}/runbook", f"/runs/{run_id}", f"/runs/{run_id}/report", "/runs"]
    for path in places:
        assert PERSON in str(operator.get(path).body), path
        assert PERSON not in str(viewer.get(path).body), path
    assert "operators see them" in str(viewer.get(f"/runs/{run_id}").body)
    recorded = AuditRecord.objects.get(action="worker:run:statement_intent")
    assert PERSON not in str(recorded.facts)
    assert recorded.facts["sql_digest"] == Statement.objects.get().sql_digest


def test_conflicts__masked_for_viewers__neither_values_nor_the_digest_of_a_key() -> None:
    conflict = {"index": 1, "table": "shop.orders", "row": "0a1b2c3d4e5f60718293", "values": {"b1": {"name": "Ann"}}}
    shown = values_masked([{"facts": {"conflicts": [conflict]}}])
    assert shown == [{"facts": {"conflicts": [{**conflict, "row": "", "values": {}}]}}]
