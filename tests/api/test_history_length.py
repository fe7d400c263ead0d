"""What a list costs on MariaDB does not depend on how long the history is: by rows read, and by EXPLAIN."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext

from backend.api.response_cache import CACHE
from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.common.events.models import Event, EventType
from backend.common.events.selectors import latest_id, newer
from backend.operations.rehearsals.models import Rehearsal
from backend.operations.runs.models import Plan, Run
from tests.api.fleet import registered
from tests.support.console import Caller

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
GROWING = ("events_event", "runs_run", "audit_auditrecord", "rehearsals_rehearsal")
ROWS = 400
LOSS = {"transactions": 0, "seconds": 0.0, "detail": ""}
ENDED = {"state": "succeeded", "requested_by": "nora"}
pytestmark = pytest.mark.skipif(
    connection.vendor != "mysql", reason="EXPLAIN and rows read are MariaDB's; make test runs it there"
)


def grow(links: list[Link], plan: Plan, begin: int, end: int) -> None:
    """Rows with these numbers, in each table that grows, of one link after the other."""
    every = [(BEGIN + timedelta(minutes=number), links[number % len(links)]) for number in range(begin, end)]
    data = {"kind": "node.down", "severity": "info", "message": "m", "run_id": None, "actor": None, "subject": None}
    Event.objects.bulk_create(
        Event(type=type_, at=at, link_id=link.id, data=data if type_ == EventType.RAISED else {"link_id": link.id})
        for at, link in every
        for type_ in (EventType.RAISED, EventType.LINK_UPDATED)
    )
    Rehearsal.objects.bulk_create(
        Rehearsal(link=link, kind="failover", state="passed", at=at, actor="schedule", duration_ms=1.0, loss=LOSS)
        for at, link in every
    )
    last = AuditRecord.objects.order_by("-seq").values_list("seq", flat=True).first() or 0
    AuditRecord.objects.bulk_create(
        AuditRecord(seq=last + 1 + n, at=at, actor="nora", action="api:run:start", link_id=link.id, hash="h")
        for n, (at, link) in enumerate(every)
    )
    plans = [_copied(plan, at, link) for at, link in every]
    Plan.objects.bulk_create(plans)
    Run.objects.bulk_create(
        Run(
            plan=one,
            link_id=one.link_id,
            kind="failover",
            state="succeeded",
            requested_by="nora",
            created_at=one.created_at,
        )
        for one in plans
    )


def _copied(plan: Plan, at: datetime, link: Link) -> Plan:
    values = {field.attname: getattr(plan, field.attname) for field in Plan._meta.concrete_fields}
    return Plan(
        **(values | {"id": f"p_{uuid.uuid4().hex[:12]}", "link_id": link.id, "created_at": at, "state": "used"})
    )


def measured(call: Any) -> tuple[int, list[str]]:
    """Rows that the database read for the call, and the statements of it that read tables that grow."""
    caches[CACHE].clear()
    before = _rows_read()
    with CaptureQueriesContext(connection) as asked:
        call()
    cost = _rows_read() - before
    return cost, [
        q["sql"] for q in asked if q["sql"].startswith("SELECT") and any(name in q["sql"] for name in GROWING)
    ]


def _found(caller: Caller, path: str) -> None:
    assert caller.get(path).status == 200, path


def _rows_read() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SHOW SESSION STATUS LIKE 'Handler_read%'")
        return sum(int(value) for _, value in cursor.fetchall())


def unindexed(sql: str) -> list[str]:
    """The parts of a statement's plan that walk a growing table without an index, or sort it."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {sql}")
        names = [column[0] for column in cursor.description]
        plan = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    return [f"{part} of {sql}" for part in plan if _is_slow(part)]


def _is_slow(part: dict[str, Any]) -> bool:
    is_walk = part["type"] == "ALL" or (part["type"] == "index" and int(part["rows"]) > ROWS)
    return str(part["table"]) in GROWING and (is_walk or "filesort" in str(part["Extra"]))


def test_lists__four_times_the_history__read_as_many_rows_by_their_indexes(
    emptied: None, link: Link, plan: Plan, as_role: Any
) -> None:
    # `emptied`, as ANALYZE TABLE commits
    auditor: Caller = as_role("admin")
    links = [link, *map(registered, range(4))]
    grow(links, plan, 0, ROWS)
    start = latest_id()
    calls = {
        "links": lambda: _found(auditor, "/links"),
        "fleet": lambda: _found(auditor, "/fleet"),
        "all histories": lambda: _found(auditor, "/history"),
        "runs": lambda: _found(auditor, "/runs"),
        "runs of a link": lambda: _found(auditor, f"/runs?link={link.id}"),
        "history": lambda: _found(auditor, f"/links/{link.id}/history"),
        "rehearsals": lambda: _found(auditor, f"/links/{link.id}/rehearsals"),
        "audit": lambda: _found(auditor, "/audit"),
        "audit of a link": lambda: _found(auditor, f"/audit?link={link.id}"),
        "stream": lambda: newer(start - 20, 500),
    }
    auditor.get("/session")
    short = {name: measured(call)[0] for name, call in calls.items()}
    grow(links, plan, ROWS, 4 * ROWS)
    start = latest_id()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE TABLE " + ", ".join(GROWING))
        cursor.fetchall()
    long = {name: measured(call) for name, call in calls.items()}
    assert {name: cost for name, (cost, _) in long.items() if cost > short[name] * 1.2 + 50} == {}, short
    assert [part for _, statements in long.values() for sql in statements for part in unindexed(sql)] == []
