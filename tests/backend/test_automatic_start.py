"""The automatic start from inside: a silently stopped channel, a normal run under its own name, and the bound."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.clusters.models import Link, Node
from backend.common.events.models import Event
from backend.core.automatic_start import StartAct
from backend.monitoring.models import LinkStatus, NodeState
from backend.operations.automation import starts
from backend.operations.automation.models import AutomaticStart
from backend.operations.runs.models import Plan, Run, RunState
from tests.support.console import store_plan


class Scene:
    """A link as the monitor stored it, its forward channel standing; time is told."""

    def __init__(self, link: Link, most_per_hour: int = 2) -> None:
        self.link, self.now = link, timezone.now()
        self.source, self.replica = (side.nodes.all()[0] for side in (link.active_cluster, link.standby_cluster))
        self.kinds: list[str] = []
        starts.automatic_start_set(actor="test", link=link, enabled=True, most_per_hour=most_per_hour)
        for node in [*link.active_cluster.nodes.all(), *link.standby_cluster.nodes.all()]:
            seen = {"reach": "up", "since": self.now, "observed_at": self.now, "facts": {}}
            NodeState.objects.update_or_create(node=node, defaults=seen)

    def channel(self, direction: str, source: Node, replica: Node, **changes: Any) -> dict[str, Any]:
        """A running channel as stored."""
        ends = {"source_node": source.id, "replica_node": replica.id, "replica_name": replica.name}
        how = {"state": "running", "io_running": "Yes", "sql_running": "Yes", "stray": False, "recorded": False}
        return {"direction": direction, **ends, **how, **changes}

    def store(self, **forward: Any) -> None:
        """The link's status at this moment."""
        brief = {"name": "c", "status": "primary"}
        LinkStatus.objects.update_or_create(
            link=self.link,
            defaults={
                "state": "broken",
                "since": self.now,
                "observed_at": self.now,
                "sentence": "broken",
                "channels": [
                    self.channel("forward", self.source, self.replica, **forward),
                    self.channel("reverse", self.replica, self.source),
                ],
                "findings": [],
                "clusters": {"active": brief, "standby": brief},
                "readiness": {"relocate": {"state": "ready"}, "start_channel": {"state": "ready"}},
            },
        )

    def plan(self, *, kind: str, **_: Any) -> Plan:
        """A ready plan, as servers that answer would give it."""
        self.kinds.append(kind)
        return store_plan(self.link, created_by="automation")

    def pass_time(self, seconds: int, **forward: Any) -> list[StartAct]:
        """Looks every five seconds at a channel that stays as it is; a run that was started is done at once."""
        acts = []
        for _ in range(seconds // 5):
            self.now += timedelta(seconds=5)
            self.store(**({"state": "stopped", "sql_running": "No"} | forward))
            row = AutomaticStart.objects.select_related("link").get(pk=self.link.pk)
            acts.append(starts.evaluate_link(row, self.now, self.plan).act)
            Run.objects.update(state=RunState.SUCCEEDED.value, unfinished_link=None)
        return acts


@pytest.fixture
def silent_channel(link: Link) -> Scene:
    """Twice an hour at most."""
    return Scene(link)


def reported() -> list[str]:
    """Events of the automatic start, oldest first."""
    found = Event.objects.filter(data__kind__startswith="automatic_start.").order_by("id")
    return [event.data["kind"] for event in found]


def test_start__stands_silently_for_ten_seconds__a_normal_run_under_its_own_name(silent_channel: Scene) -> None:
    assert silent_channel.pass_time(15) == [StartAct.NOTHING, StartAct.NOTHING, StartAct.START]
    run = Run.objects.get()
    assert (run.requested_by, silent_channel.kinds) == ("automation", ["start_channel"])
    assert "stopped without an error" in run.reason
    assert AuditRecord.objects.filter(action="monitor:automatic_start:started", run_id=run.id).exists()
    assert reported() == ["automatic_start.started"]


def test_start__stops_again_and_again__held_at_the_bound_and_told_once(silent_channel: Scene) -> None:
    acts = silent_channel.pass_time(300)
    assert acts.count(StartAct.START) == 2
    assert acts[-1] is StartAct.HELD
    assert reported() == ["automatic_start.started"] * 2 + ["automatic_start.held"]


def test_start__somebody_stopped_it__left_alone(silent_channel: Scene) -> None:
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
def test_start__not_the_silent_kind__nothing(silent_channel: Scene, forward: dict[str, Any]) -> None:
    assert set(silent_channel.pass_time(60, **forward)) == {StartAct.NOTHING}


def test_start__two_monitors_look_at_once__one_acts(silent_channel: Scene) -> None:
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


def test_start__plan_refused__told_once_and_not_counted(silent_channel: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starts, "why_held", lambda _: "the place is not the last applied.")
    silent_channel.pass_time(60)
    row = AutomaticStart.objects.get()
    assert (row.acts, row.last_outcome, reported()) == ([], "held", ["automatic_start.held"])
    assert isinstance(row.retry_at, datetime)
    assert not Run.objects.exists()
