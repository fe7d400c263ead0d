"""A link of which the automation looks at what the monitor stored, time by time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.utils import timezone

from backend.clusters.models import Link, Node
from backend.core.automatic_start import StartAct
from backend.core.automation import Action
from backend.monitoring.models import LinkStatus, NodeState
from backend.operations.automation import services, starts
from backend.operations.automation.models import AutomaticStart, LinkAutomation
from backend.operations.runs.models import Plan, Run, RunState
from tests.support.console import store_plan


class RelocateScene:
    """A link as the monitor stored it: its source lost, all else well; time is told."""

    def __init__(self, link: Link, mode: str = "execute", loss_for_s: int = 30) -> None:
        self.link = link
        self.source, self.replica = (side.nodes.all()[0] for side in (link.active_cluster, link.standby_cluster))
        self.now = timezone.now()
        self.made: list[Plan] = []
        services.automation_set(actor="test", link=link, mode=mode, loss_for_s=loss_for_s, block_s=600)
        for node in self.nodes():
            self.reach(node, "up")
        self.reach(self.source, "down")
        self.store()

    def nodes(self) -> list[Node]:
        """All nodes of the link."""
        return [*self.link.active_cluster.nodes.all(), *self.link.standby_cluster.nodes.all()]

    def reach(self, node: Node, reach: str) -> None:
        """As the polls found it just now."""
        seen = {"reach": reach, "since": self.now, "observed_at": self.now, "facts": {}}
        NodeState.objects.update_or_create(node=node, defaults=seen)

    def store(self, **changes: Any) -> None:
        """The link's status at this moment."""
        channels = [
            self.channel("forward", self.source, self.replica),
            self.channel("reverse", self.replica, self.source),
        ]
        brief = {"name": "c", "status": "primary"}
        given: dict[str, Any] = {
            "state": "broken",
            "since": self.now,
            "observed_at": self.now,
            "sentence": "broken",
            "channels": channels,
            "findings": [{"code": "node_down", "severity": "warning", "message": "down", "remedy": "", "facts": {}}],
            "clusters": {"active": brief, "standby": brief},
            "readiness": {"relocate": {"state": "ready"}},
        }
        LinkStatus.objects.update_or_create(link=self.link, defaults=given | changes)

    @staticmethod
    def channel(direction: str, source: Node, replica: Node) -> dict[str, Any]:
        """A channel as stored."""
        return {"direction": direction, "source_node": source.id, "replica_node": replica.id, "stray": False}

    def plan(self, **_: Any) -> Plan:
        """A ready plan, as servers that answer would give it."""
        self.made.append(store_plan(self.link, created_by="automation"))
        return self.made[-1]

    def pass_time(
        self, seconds: int, make_plan: Callable[..., Plan] | None = None, *, every: int = 5, **changes: Any
    ) -> list[Action]:
        """Looks every few seconds at a link that stays as it is."""
        acts = []
        for _ in range(seconds // every):
            self.now += timedelta(seconds=every)
            self.store(**changes)
            row = LinkAutomation.objects.select_related("link").get(pk=self.link.pk)
            acts.append(services.evaluate_link(row, self.now, make_plan or self.plan).act)
        return acts


class StartScene:
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
