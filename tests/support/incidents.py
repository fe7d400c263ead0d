"""Incidents over links of one lost site, and workers that do at once what they are sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.utils import timezone

from backend.clusters.models import Cluster, Link
from backend.core.findings import Finding, Severity
from backend.core.plan import Plan as CorePlan
from backend.incidents import dispatch, planning, services, starting
from backend.incidents.confirmed import digest_over, to_confirm
from backend.incidents.items import ItemState, items_of, run_of, state_of
from backend.incidents.models import Incident, IncidentItem
from backend.incidents.selectors import given_attestations
from backend.monitoring.models import LinkStatus
from backend.runs.execution.store import RunStore
from backend.runs.models import Plan, Run, RunState
from tests.support.console import core_plan, make_link, store_plan

SITE = "milan"
Task = tuple[str, int]


def touched_link(name: str, net: int, *, kind: str = "relocate", gap: int | None = 0, approval: bool = False) -> Link:
    """A link whose active cluster was at the lost site, as the monitor stored it."""
    link = make_link(name, f"127.0.{net}", requires_approval=approval)
    Cluster.objects.filter(pk=link.active_cluster_id).update(site=SITE)
    side = {"site": "", "status": "ok", "nodes_up": 1, "nodes": 2, "last_committed": 1}
    sides = {
        "active": {"id": link.active_cluster_id, "name": f"{name}-a", **side},
        "standby": {"id": link.standby_cluster_id, "name": f"{name}-b", **side},
    }
    action = {"kind": kind, "label": f"{kind} {name}", "replaced_node": None, "url_options": {}}
    LinkStatus.objects.create(
        link=link,
        state="broken",
        since=timezone.now(),
        observed_at=timezone.now(),
        sentence=f"All nodes of {name}-a are down.",
        channels=[_forward(gap)],
        clusters=sides,
        readiness={},
        primary_action=action if kind else None,
        last_ok={"forward": 1_000.0},
    )
    return Link.objects.get(pk=link.pk)


def _forward(gap: int | None) -> dict[str, Any]:
    return {"direction": "forward", "gap_transactions": gap, "state": "broken", "observed_at_s": 0.0, "stray": False}


class Workers:
    """What is dispatched waits here until `work` is called; messages can be lost, and a worker can die."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sent: list[Task] = []
        self.plans: Mapping[str, Callable[[Link], CorePlan]] = {}
        self.most_at_once = 0
        monkeypatch.setattr(dispatch, "_send", lambda task, item_id: self.sent.append((task.name, item_id)))
        monkeypatch.setattr(planning, "plan_create", self._plan)

    def _plan(self, *, link: Link, **_: Any) -> Plan:
        return store_plan(link, self.plans.get(link.name, core_plan)(link))

    def work(self) -> None:
        """The monitor's tick, then every message, until nothing is left to do."""
        dispatch.tick()
        while self.sent:
            for task, item_id in self.taken():
                (planning.plan_item if task == "incidents.plan_item" else starting.start_item)(item_id)
            self.most_at_once = max(self.most_at_once, Run.objects.filter(unfinished_link__isnull=False).count())
            dispatch.tick()

    def taken(self) -> list[Task]:
        """The messages that are waiting; whoever takes them must do them."""
        found, self.sent = self.sent, []
        return found


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> Workers:
    """Workers that have not been sent anything yet."""
    return Workers(monkeypatch)


def opened(workers: Workers, **given: Any) -> Incident:
    """An incident over the lost site, with its plans."""
    incident = services.incident_create(actor="nora", **{"scope_kind": "site", "scope_value": SITE, **given})
    workers.work()
    return fresh(incident)


def confirmed(workers: Workers, incident: Incident, *, actor: str = "nora", **changed: Any) -> Incident:
    """The same, confirmed as it stands, with its first runs started."""
    services.incident_confirm(**{**confirmation_of(incident, actor=actor), **changed})
    workers.work()
    return fresh(incident)


def confirmation_of(incident: Incident, *, actor: str = "nora") -> dict[str, Any]:
    """The arguments that confirm an incident as it stands."""
    items = to_confirm(incident)
    return {
        "actor": actor,
        "incident": incident,
        "digest": digest_over(incident, items),
        "confirm": incident.name,
        "reason": "milan is lost",
        "attestations": [
            {"link_id": item.link_id, "option": one["option"], "node_id": one["node_id"]}
            for item in items
            for one in given_attestations(item)
        ],
    }


def fresh(incident: Incident) -> Incident:
    """The incident as stored."""
    return Incident.objects.get(pk=incident.pk)


def states(incident: Incident) -> dict[str, str]:
    """The state of each item, by the name of its link."""
    return {item.link.name: state_of(item, timezone.now()).value for item in items_of(incident.pk)}


def item(incident: Incident, name: str) -> IncidentItem:
    """The item of a link."""
    return items_of(incident.pk).get(link__name=name)


def run(incident: Incident, name: str) -> Run:
    """The run of a link's item."""
    found = run_of(item(incident, name).plan)
    assert found is not None, states(incident)
    return found


def finish(workers: Workers, incident: Incident, name: str, state: RunState = RunState.SUCCEEDED) -> Incident:
    """The run of a link ends; then the monitor ticks."""
    store = RunStore(run(incident, name).id, "w")
    assert store.claim(30)
    store.run_finished(state, outcome=f"It {state.value}.")
    workers.work()
    return fresh(incident)


def attesting(link: Link) -> CorePlan:
    """A plan that rests on a statement of an operator."""
    from dataclasses import replace

    accepted = Finding("loss_accepted", Severity.WARNING, "The loss was accepted.", "", {})
    plan = core_plan(link)
    return replace(plan, findings=(*plan.findings, accepted), options={"accept_loss": True})


def refused(link: Link) -> CorePlan:
    """A plan with a blocker."""
    return core_plan(link, blocked=True)


__all__ = ["ItemState", "workers"]
