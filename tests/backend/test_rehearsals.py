"""Rehearsals from inside: what is kept, when they are due, what a link's readiness says of them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.clusters.models import Link
from backend.common.events.models import Event
from backend.common.models import ProcessHeartbeat
from backend.core.rehearsal import RehearsedCheck
from backend.monitoring.models import LinkStatus
from backend.operations.rehearsals import dispatch, services
from backend.operations.rehearsals.execution import RehearsalResult, _past
from backend.operations.rehearsals.models import Rehearsal
from backend.operations.rehearsals.selectors import latest_by_kind
from backend.operations.runs.models import Plan, Run, RunState, RunStep, StepState
from backend.operations.runs.services import run_start
from tests.support.console import Caller, confirmation, core_plan


def held(link: Link, *, is_ok: bool = True, blocked: bool = False) -> RehearsalResult:
    """A rehearsal that was held on servers that are not there."""
    return RehearsalResult(
        plan=core_plan(link, blocked=blocked),
        parts=[
            RehearsedCheck("Read both sides", is_ok=True, sentence="fine", ms=12.0),
            RehearsedCheck("Open a session", is_ok=is_ok, sentence="reached", ms=3.0, code="session"),
        ],
        duration_ms=15.0,
        estimate_s=2.5,
    )


@pytest.fixture
def holding(monkeypatch: pytest.MonkeyPatch, link: Link) -> list[str]:
    """Servers that answer: every rehearsal passes; which kinds were held."""
    kinds: list[str] = []

    def pass_rehearsal(*, link: Link, kind: str, options: Any, actor: str) -> RehearsalResult:
        kinds.append(kind)
        return held(link)

    monkeypatch.setattr(services, "run_rehearsal", pass_rehearsal)
    return kinds


def hold_now(link: Link, kind: str = "relocate") -> Rehearsal:
    """On demand."""
    return services.rehearsal_create(actor="nora", link=link, kind=kind, options={})


def schedule(link: Link, *kinds: str, every_hours: int = 24, enabled: bool = True) -> None:
    """Rehearse automatically from now on."""
    services.schedule_set(actor="test", link=link, enabled=enabled, every_hours=every_hours, kinds=list(kinds))


def test_rehearsal__passed__stored_with_the_plan_masked_and_no_event(link: Link, holding: list[str]) -> None:
    rehearsal = hold_now(link)
    assert (rehearsal.state, rehearsal.estimate_s, len(rehearsal.steps)) == ("passed", 2.5, 3)
    assert "secret" not in str(rehearsal.steps)
    assert "***" in str(rehearsal.steps)
    assert [timing["check"] for timing in rehearsal.timings] == ["Read both sides", "Open a session"]
    assert not Event.objects.filter(data__kind="rehearsal.failed").exists()


@pytest.mark.parametrize(("is_ok", "blocked"), [(False, False), (True, True)])
def test_rehearsal__part_or_plan_failed__is_an_event_that_says_why(
    link: Link, monkeypatch: pytest.MonkeyPatch, is_ok: bool, blocked: bool
) -> None:
    monkeypatch.setattr(services, "run_rehearsal", lambda **_: held(link, is_ok=is_ok, blocked=blocked))
    rehearsal = hold_now(link)
    assert rehearsal.state == "failed"
    message = Event.objects.get(data__kind="rehearsal.failed").data["message"]
    assert ("Open a session: reached" if blocked is False else "As far as seen.") in message


def test_readiness__rehearsed__says_when_and_how_long(viewer: Caller, link: Link, holding: list[str]) -> None:
    answer = {"state": "ready", "sentence": "fine", "estimate_s": 3.0, "loss_transactions": 0}
    brief = {"id": "c", "name": "c", "site": "s", "status": "primary", "nodes_up": 2, "nodes": 2, "last_committed": 1}
    LinkStatus.objects.create(
        link=link,
        state="protected",
        since=timezone.now(),
        observed_at=timezone.now(),
        sentence="fine",
        clusters={"active": {**brief, "id": link.active_cluster_id}, "standby": brief},
        readiness={"relocate": answer, "switchover": answer, "failover": {**answer, "state": "blocked"}},
    )
    hold_now(link)
    hold_now(link, "failover")
    shown = viewer.get(f"/links/{link.id}").body["readiness"]
    assert (shown["relocate"]["rehearsed_ok"], shown["relocate"]["estimate_s"]) == (True, 2.5)
    assert shown["relocate"]["rehearsed_at"]
    assert (shown["switchover"]["rehearsed_at"], shown["switchover"]["estimate_s"]) == (None, 3.0)
    assert (shown["failover"]["rehearsed_ok"], shown["failover"]["estimate_s"]) == (True, 3.0)
    assert viewer.get("/links").body["results"][0]["readiness"]["relocate"] == shown["relocate"]


def test_latest_by_kind__newest_of_each(link: Link, holding: list[str]) -> None:
    hold_now(link)
    newest = hold_now(link)
    other = hold_now(link, "failover")
    assert {kind: row.id for kind, row in latest_by_kind(link.id).items()} == {
        "relocate": newest.id,
        "failover": other.id,
    }


def test_hold_due__each_kind_in_its_time_and_a_repeated_message_once(link: Link, holding: list[str]) -> None:
    schedule(link, "relocate", "failover", every_hours=6)
    for _ in range(5):
        services.rehearse_due(link.id, "relocate")
    assert holding == ["relocate"]
    services.rehearse_due(link.id, "switchover")
    assert holding == ["relocate"], "a kind no operator asked for"
    Rehearsal.objects.update(at=timezone.now() - timedelta(hours=7))
    ProcessHeartbeat.objects.update(seen_at=timezone.now() - timedelta(minutes=30))
    services.rehearse_due(link.id, "relocate")
    assert holding == ["relocate", "relocate"]
    assert set(Rehearsal.objects.values_list("actor", flat=True)) == {"schedule"}


def test_hold_due__off_or_run_unfinished__waits(link: Link, plan: Plan, holding: list[str]) -> None:
    schedule(link, "relocate", enabled=False)
    services.rehearse_due(link.id, "relocate")
    schedule(link, "relocate")
    run_start(actor="nora", plan=plan, **confirmation(plan))
    services.rehearse_due(link.id, "relocate")
    assert holding == []


def test_dispatch_due__redis_down__dispatched_again_once_a_minute(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    rung: list[tuple[str, str]] = []
    monkeypatch.setattr(dispatch, "_dispatch", lambda link_id, kind: rung.append((link_id, kind)))
    schedule(link, "relocate", "failover")
    for _ in range(4):
        dispatch.dispatch_due()
    assert rung == [(link.id, "relocate")]
    ProcessHeartbeat.objects.update(seen_at=timezone.now() - timedelta(minutes=2))
    dispatch.dispatch_due()
    assert rung == [(link.id, "relocate")] * 2, "nothing was held: it is rung for again"


def test_dispatch_due__old_ones__are_forgotten(link: Link, holding: list[str]) -> None:
    hold_now(link)
    Rehearsal.objects.update(at=timezone.now() - dispatch.KEEP - timedelta(days=1))
    dispatch.dispatch_due()
    assert not Rehearsal.objects.exists()


def test_past__successful_runs_of_the_kind__tell_how_long_their_steps_took(link: Link, plan: Plan) -> None:
    run = run_start(actor="nora", plan=plan, **confirmation(plan))
    began = timezone.now()
    steps = RunStep.objects.filter(run=run)
    steps.update(state=StepState.SUCCEEDED.value, started_at=began, ended_at=began + timedelta(seconds=2))
    assert _past(link, "relocate") == {}
    Run.objects.filter(pk=run.pk).update(state=RunState.SUCCEEDED.value)
    assert _past(link, "relocate") == {f"step_{index}": [2.0] for index in range(3)}
    assert _past(link, "failover") == _past(link, "relocate"), (
        "the same steps of another kind, while there is no better"
    )
