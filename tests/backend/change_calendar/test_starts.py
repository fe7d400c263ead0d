"""Where the calendar is asked: at the start of a run, at its approval, and by the worker before the first statement."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.common.errors import ProblemError
from backend.common.events.models import Event
from backend.identity.accounts.models import User
from backend.operations.change_calendar import services as calendar
from backend.operations.change_calendar.models import CalendarOverride, ChangeFreeze
from backend.operations.rehearsals.models import RehearsalSchedule
from backend.operations.rehearsals.services import is_due
from backend.operations.runs import services
from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.models import Plan, Run
from backend.operations.runs.selectors import run_get, run_view
from tests.backend.two_persons.waiting import APPROVER, REQUESTER, people
from tests.support.console import approval, confirmation, core_plan, store_plan


def _freeze(*links: Link, hours: int = 1, name: str = "year end") -> ChangeFreeze:
    now = timezone.now()
    return calendar.freeze_create(
        actor="root",
        name=name,
        reason="closing of the books",
        links=[link.pk for link in links],
        begins_at=now - timedelta(hours=1),
        ends_at=now + timedelta(hours=hours),
    )


def _plan(link: Link, kind: str = "switchover") -> Plan:
    if not User.objects.exists():
        people()
    plan = store_plan(link, replace(core_plan(link), kind=kind))
    return Plan.objects.select_related("link").get(pk=plan.pk)


def _start(plan: Plan, override: str = "") -> Run:
    return services.run_start(actor=REQUESTER, plan=plan, override_calendar=override, **confirmation(plan))


def _code(plan: Plan) -> str:
    with pytest.raises(ProblemError) as refusal:
        _start(plan)
    return refusal.value.code


def test_start__planned_in_a_freeze__refused_with_the_freeze_and_its_end(link: Link) -> None:
    freeze = _freeze()
    with pytest.raises(ProblemError, match="year end") as refusal:
        _start(_plan(link))
    assert refusal.value.code == "change_not_allowed"
    assert refusal.value.extra["next_start"] == freeze.ends_at
    assert not Run.objects.exists()


@pytest.mark.parametrize("kind", ["failover", "relocate", "start_channel", "reprotect"])
def test_start__emergency_in_a_freeze__started(link: Link, kind: str) -> None:
    _freeze()
    run = _start(_plan(link, kind))
    assert RunStore(run.id, "w").claim(30) == 1


def test_start__freeze_of_another_link__started(link: Link) -> None:
    freeze = _freeze()
    ChangeFreeze.objects.filter(pk=freeze.pk).update(links=["l_aaaaaaaaaaaa"])
    assert _start(_plan(link)).state == "queued"


def test_start__outside_of_the_windows__refused_until_the_window_is_deleted(link: Link) -> None:
    opens_at = timezone.now() + timedelta(days=1)
    window = calendar.window_create(
        actor="root", name="move", reason="r", links=[], opens_at=opens_at, closes_at=opens_at + timedelta(hours=1)
    )
    assert _code(_plan(link)) == "change_not_allowed"
    calendar.window_delete(actor="root", window=window, reason="moved")
    assert _start(_plan(link)).state == "queued"


def test_override__with_a_reason__recorded_announced_and_on_the_run(link: Link) -> None:
    _freeze()
    run = _start(_plan(link), "the disk is failing")
    assert AuditRecord.objects.get(action="api:run:override_calendar").reason == "the disk is failing"
    assert Event.objects.get(data__kind="run.calendar_override").data["severity"] == "warning"
    shown = run_view(run_get(run.pk), shows_rows=True)["calendar_override"]
    assert (shown["by"], shown["reason"]) == (REQUESTER, "the disk is failing")
    assert RunStore(run.id, "w").claim(30) == 1


def _at_shell(plan: Plan, *more: str) -> str:
    """`hawser_breakglass run`; returns why it failed: the plan's steps are of no kind."""
    given = ["--digest", plan.digest, "--confirm", plan.link.name, "--reason", "all is down", *more]
    with pytest.raises(CommandError) as error:
        call_command("hawser_breakglass", "run", plan.pk, *given, stdout=io.StringIO())
    return str(error.value)


def test_break_glass__in_a_freeze__needs_a_reason_and_warns_more_severely(link: Link) -> None:
    _freeze()
    plan = _plan(link)
    assert "change_not_allowed" in _at_shell(plan)
    assert "give a reason" in _at_shell(plan, "--override-calendar", "  ")
    assert not Run.objects.exists()
    assert "ended as" in _at_shell(plan, "--override-calendar", "the site burns")
    record = AuditRecord.objects.get(action="api:run:override_calendar")
    assert (record.actor.split()[0], record.reason) == ("break-glass", "the site burns")
    assert record.facts["break_glass"] is True
    event = Event.objects.get(data__kind="run.calendar_override").data
    assert event["severity"] == "blocker"
    assert "the site burns" in event["message"]


def test_override__by_a_local_user_for_emergencies__warns_more_severely(link: Link, settings: Any) -> None:
    _freeze()
    settings.HAWSER_LOCAL_SIGN_IN = "break_glass"
    _start(_plan(link), "the provider is down")
    assert Event.objects.get(data__kind="run.calendar_override").data["severity"] == "blocker"
    assert AuditRecord.objects.get(action="api:run:override_calendar").facts["break_glass"] is True


def test_override__calendar_is_open__none_is_stored(link: Link) -> None:
    _start(_plan(link), "to be sure")
    assert not CalendarOverride.objects.exists()


def test_worker__freeze_begins_after_the_start__nothing_is_sent(link: Link) -> None:
    run = _start(_plan(link))
    _freeze()
    assert RunStore(run.id, "w").claim(30) is None
    fresh = Run.objects.get(pk=run.pk)
    assert (fresh.state, fresh.unfinished_link) == ("failed", None)
    assert "year end" in fresh.outcome


def test_worker__run_has_begun__is_not_stopped_by_a_freeze(link: Link) -> None:
    run = _start(_plan(link))
    store = RunStore(run.id, "w")
    store.claim(30)
    store.release()
    _freeze()
    assert RunStore(run.id, "v").claim(30) == 2


def test_worker__override_in_another_name__nothing_is_sent(link: Link) -> None:
    _freeze()
    run = _start(_plan(link), "the disk is failing")
    CalendarOverride.objects.update(by="root")
    assert RunStore(run.id, "w").claim(30) is None


def test_override__a_freeze_was_declared_afterwards__objects_anew(link: Link) -> None:
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    _freeze()
    run = _start(_plan(link), "the disk is failing")
    user = User.objects.get(username=APPROVER)
    seen = services.decision_view(user, run)
    assert [one["facts"]["freeze"] for one in seen["overridden"]] == ["year end"]
    assert seen["objections"] == []
    _freeze(name="incident elsewhere")
    seen = services.decision_view(user, Run.objects.get(pk=run.pk))
    assert [one["facts"]["freeze"] for one in seen["objections"]] == ["incident elsewhere"]
    assert [one["facts"]["freeze"] for one in seen["overridden"]] == ["year end"]
    with pytest.raises(ProblemError, match="incident elsewhere") as refusal:
        services.run_approve(user=user, run=Run.objects.get(pk=run.pk), **approval(run.plan))
    assert refusal.value.code == "change_not_allowed"


def test_worker__a_freeze_was_declared_after_the_override__nothing_is_sent(link: Link) -> None:
    _freeze()
    run = _start(_plan(link), "the disk is failing")
    _freeze(name="incident elsewhere")
    assert RunStore(run.id, "w").claim(30) is None
    assert "incident elsewhere" in Run.objects.get(pk=run.pk).outcome


def test_worker__freeze_deleted_and_declared_anew_after_the_override__nothing_is_sent(link: Link) -> None:
    """Another decision in the same words: who overrode the first one did not see it."""
    first = _freeze()
    run = _start(_plan(link), "the disk is failing")
    calendar.freeze_delete(actor="root", freeze=first, reason="over")
    again = _freeze()
    ChangeFreeze.objects.filter(pk=again.pk).update(begins_at=first.begins_at, ends_at=first.ends_at)
    assert RunStore(run.id, "w").claim(30) is None
    assert "year end" in Run.objects.get(pk=run.pk).outcome


def test_override__of_one_plan__none_of_another_one_of_the_link(link: Link) -> None:
    _freeze()
    run = _start(_plan(link), "the disk is failing")
    services.run_abort(actor=REQUESTER, run=run, comment="not now")
    assert _code(_plan(link)) == "change_not_allowed"


@pytest.mark.parametrize(
    "change",
    [
        {"objections": []},
        {"objections": ["other"]},
        {"reason": "other"},
        {"run_id": "r_aaaaaaaaaaaa"},
        {"mac": "0" * 64},
        {"digest": "0" * 64},
    ],
)
def test_worker__override_was_altered__nothing_is_sent(link: Link, change: dict[str, Any]) -> None:
    _freeze()
    run = _start(_plan(link), "the disk is failing")
    CalendarOverride.objects.update(**change)
    assert RunStore(run.id, "w").claim(30) is None


def test_approve__freeze_began_meanwhile__refused_and_still_waiting(link: Link) -> None:
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    run = _start(_plan(link))
    _freeze()
    user, fresh = User.objects.get(username=APPROVER), Run.objects.get(pk=run.pk)
    with pytest.raises(ProblemError) as refusal:
        services.run_approve(user=user, run=fresh, **approval(run.plan))
    assert refusal.value.code == "change_not_allowed"
    assert Run.objects.get(pk=run.pk).state == "waiting_approval"


def test_rehearsal__schedule_in_a_freeze__is_not_due(link: Link) -> None:
    schedule = RehearsalSchedule.objects.create(link=link, enabled=True, kinds=["switchover"], every_hours=24)
    assert is_due(schedule, "switchover", timezone.now())
    _freeze()
    assert not is_due(schedule, "switchover", timezone.now())
