"""The automatic start from inside: a silently stopped channel, a normal run under its own name, and the bound."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.common.events.models import Event
from backend.core.automatic_start import StartAct
from backend.operations.automation import starts
from backend.operations.automation.models import AutomaticStart
from backend.operations.runs.models import Plan, Run
from tests.backend.automation_scenes import StartScene


@pytest.fixture
def silent_channel(link: Link) -> StartScene:
    """Twice an hour at most."""
    return StartScene(link)


def reported() -> list[str]:
    """Events of the automatic start, oldest first."""
    found = Event.objects.filter(data__kind__startswith="automatic_start.").order_by("id")
    return [event.data["kind"] for event in found]


def test_start__stands_silently_for_ten_seconds__a_normal_run_under_its_own_name(silent_channel: StartScene) -> None:
    assert silent_channel.pass_time(15) == [StartAct.NOTHING, StartAct.NOTHING, StartAct.START]
    run = Run.objects.get()
    assert (run.requested_by, silent_channel.kinds) == ("automation", ["start_channel"])
    assert "stopped without an error" in run.reason
    assert AuditRecord.objects.filter(action="monitor:automatic_start:started", run_id=run.id).exists()
    assert reported() == ["automatic_start.started"]


def test_start__stops_again_and_again__held_at_the_bound_and_told_once(silent_channel: StartScene) -> None:
    acts = silent_channel.pass_time(300)
    assert acts.count(StartAct.START) == 2
    assert acts[-1] is StartAct.HELD
    assert reported() == ["automatic_start.started"] * 2 + ["automatic_start.held"]


def test_start__somebody_stopped_it__left_alone(silent_channel: StartScene) -> None:
    """STOP SLAVE leaves both threads standing."""
    assert set(silent_channel.pass_time(60, io_running="No")) == {StartAct.NOTHING}


@pytest.mark.parametrize(
    "forward",
    [
        {"state": "broken"},
        {"sql_running": "Yes", "io_running": "No"},
        {"stray": True},
        {"recorded": True},
        {"state": "running", "sql_running": "Yes"},
    ],
    ids=["with an error", "not reading", "stray", "not seen", "runs"],
)
def test_start__not_the_silent_kind__nothing(silent_channel: StartScene, forward: dict[str, Any]) -> None:
    assert set(silent_channel.pass_time(60, **forward)) == {StartAct.NOTHING}


def test_start__two_monitors_look_at_once__one_acts(silent_channel: StartScene) -> None:
    """The second one looked before the first had its run."""
    silent_channel.pass_time(10)
    silent_channel.now += timedelta(seconds=5)
    silent_channel.store(state="stopped", sql_running="No")
    first, second = (AutomaticStart.objects.select_related("link").get(pk=silent_channel.link.pk) for _ in range(2))

    def plan(**given: Any) -> Plan:
        if not silent_channel.kinds:
            silent_channel.kinds.append("first")
            starts.evaluate_link(second, silent_channel.now, silent_channel.plan)
        return silent_channel.plan(**given)

    starts.evaluate_link(first, silent_channel.now, plan)
    assert silent_channel.kinds == ["first", "start_channel"]


def test_start__plan_refused__told_once_and_not_counted(
    silent_channel: StartScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starts, "why_held", lambda _: "the place is not the last applied.")
    silent_channel.pass_time(60)
    row = AutomaticStart.objects.get()
    assert (row.acts, row.last_outcome, reported()) == ([], "held", ["automatic_start.held"])
    assert isinstance(row.retry_at, datetime)
    assert not Run.objects.exists()
