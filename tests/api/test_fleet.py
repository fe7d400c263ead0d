"""All links as rows: what a row says, and that its cost does not grow with the number of links."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from backend.adviser.advice.models import GivenAdvice
from backend.api import metrics
from backend.api.fleet import fleet
from backend.api.fleet_serializers import FleetSerializer
from backend.api.response_cache import CACHE
from backend.clusters.models import Link
from backend.common.privileges import Privileges
from backend.common.rest.views import render_json
from backend.common.roles import PERMISSIONS, Role
from backend.monitoring.models import Divergence, LagSample, LinkStatus
from backend.operations.rehearsals.models import RehearsalSchedule
from backend.operations.runs.models import Plan, Run
from tests.api.fleet import observed, registered, rehearsed
from tests.support.console import Caller


def row(caller: Caller, index: int = 0) -> dict[str, Any]:
    """One row as it is now."""
    caches[CACHE].clear()
    answer = caller.get("/fleet")
    assert answer.status == 200
    shown: dict[str, Any] = answer.body["results"][index]
    return shown


def test_fleet__observed_link__state_lag_readiness_and_recovery(viewer: Caller, db: None) -> None:
    link = registered(1)
    observed(link)
    passed = rehearsed(link)
    shown = row(viewer)
    assert (shown["name"], shown["state"], shown["stale_since"], shown["attention"]) == (
        "link-001",
        "protected",
        None,
        [],
    )
    assert (shown["forward"]["gap_transactions"], shown["forward"]["lag_s"], shown["reverse"]) == (7, 2, None)
    assert shown["readiness"]["failover"]["state"] == "ready"
    assert shown["readiness"]["failover"]["passed_at"]
    assert shown["readiness"]["switchover"] == {"state": "unknown", "passed_at": None, "failed_at": None}
    assert shown["recovery_time"]["seconds"] == 2.5
    assert shown["recovery_time"]["source_id"] == passed.id
    assert (shown["recovery_point"]["transactions"], shown["recovery_point"]["source"]) == (7, "observed")


def test_fleet__everything_a_row_can_hold__in_the_exact_form_of_the_schema(plan: Plan) -> None:
    action = {"kind": "failover", "label": "Fail over…", "replaced_node": None, "url_options": {"mode": "gtid"}}
    link = plan.link
    LinkStatus.objects.filter(link=link).delete()
    observed(link, primary_action=action | {"removed_field": 1})
    rehearsed(link)
    running = {"unfinished_link": link.id, "state": "needs_operator", "created_at": timezone.now()}
    Run.objects.create(plan=plan, link=link, kind="failover", requested_by="nora", **running)
    Link.objects.update(paused_until=timezone.now() + timedelta(hours=1), paused_by="nora", pause_reason="work")
    GivenAdvice.objects.create(subject_id=link.id, at=timezone.now(), items=[], nodes=2, unread=0)
    registered(2)
    rows = fleet(Privileges(PERMISSIONS[Role.ADMIN]))
    shown = next(one for one in rows["results"] if one["id"] == link.id)
    assert all(value not in (None, [], {}) for name, value in shown.items() if name not in ("stale_since", "reverse"))
    assert json.loads(render_json(None, rows)) == json.loads(render_json(FleetSerializer, rows))


def test_fleet__monitor_silent__unknown_and_the_last_rehearsal_stands(viewer: Caller, db: None) -> None:
    link = registered(1)
    observed(link, age_s=60)
    rehearsed(link)
    shown = row(viewer)
    assert (shown["state"], shown["forward"]["state"]) == ("unknown", "unknown")
    assert shown["stale_since"]
    assert shown["attention"][0]["code"] == "not_observed"
    assert (shown["recovery_point"]["transactions"], shown["recovery_point"]["source"]) == (3, "rehearsal")


def test_fleet__never_observed__needs_a_person(viewer: Caller, db: None) -> None:
    registered(1)
    shown = row(viewer)
    assert (shown["state"], shown["recovery_time"], shown["recovery_point"]) == ("unknown", None, None)
    assert [reason["code"] for reason in shown["attention"]] == ["not_observed"]


def test_fleet__rehearsals__failed_and_overdue_are_told_until_one_passes(viewer: Caller, db: None) -> None:
    link = registered(1)
    observed(link)
    RehearsalSchedule.objects.create(link=link, enabled=True, every_hours=24, kinds=["failover", "relocate"])
    rehearsed(link, at=timezone.now() - timedelta(hours=30))
    rehearsed(link, state="failed", kind="relocate")
    codes = [reason["code"] for reason in row(viewer)["attention"]]
    assert codes == ["rehearsal_failed", "rehearsal_overdue"]
    rehearsed(link)
    rehearsed(link, kind="relocate")
    assert row(viewer)["attention"] == []


def test_fleet__last_failover__is_a_source_and_is_read_once(viewer: Caller, plan: Plan) -> None:
    ended = timezone.now()
    Run.objects.create(
        plan=plan,
        link=plan.link,
        kind="failover",
        state="succeeded",
        requested_by="nora",
        created_at=ended - timedelta(seconds=3),
        ended_at=ended,
        verification={"verdict": "verified"},
    )
    assert row(viewer)["recovery_time"]["seconds"] == 3.0
    caches[CACHE].clear()
    with CaptureQueriesContext(connection) as asked:
        assert row(viewer)["recovery_time"]["source"] == "run"
    assert not [q["sql"] for q in asked if "runs_runstep" in q["sql"]]


@pytest.fixture
def twelve_links(db: None) -> None:
    """Links with everything that could be asked for one by one."""
    for number in range(1, 13):
        link = registered(number)
        observed(link, age_s=60 if number % 3 == 0 else 1)
        rehearsed(link)
        LagSample.objects.create(link=link, at=timezone.now(), forward_gap=number, forward_lag_s=1)
        Divergence.objects.create(link=link, open_link=link.id, lost_cluster=link.active_cluster, run_id="r", facts={})
        RehearsalSchedule.objects.create(link=link, enabled=True, every_hours=24, kinds=["relocate"])


def test_fleet__twelve_links__as_many_queries_as_one(viewer: Caller, twelve_links: None) -> None:
    def count(links: int) -> int:
        Link.objects.exclude(name__in=[f"link-{n:03}" for n in range(1, links + 1)]).update(retired_at=timezone.now())
        caches[CACHE].clear()
        with CaptureQueriesContext(connection) as asked:
            assert len(viewer.get("/fleet").body["results"]) == links
        return len(asked)

    viewer.get("/session")
    assert count(12) == count(2) < 25


def test_metrics__lag_of_twelve_links__the_newest_sample_in_one_query(twelve_links: None) -> None:
    first = Link.objects.get(name="link-001")
    LagSample.objects.create(link=first, at=timezone.now() + timedelta(seconds=1), forward_gap=99, forward_lag_s=None)
    with CaptureQueriesContext(connection) as asked:
        text = metrics.exposition().decode()
    assert 'hawser_link_gap_transactions{direction="forward",link="link-001"} 99.0' in text
    assert 'hawser_link_lag_seconds{direction="forward",link="link-001"}' not in text, "unknown is absent, never old"
    assert 'hawser_link_gap_transactions{direction="forward",link="link-012"} 12.0' in text
    assert len(asked) < 45
