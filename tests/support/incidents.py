"""Incidents over links of one lost site, and workers that do at once what they are sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from django.utils import timezone

from backend.clusters.models import Cluster, Link, Node
from backend.core.findings import Finding, Severity
from backend.core.plan import Plan as CorePlan
from backend.core.plan import Step
from backend.monitoring.models import LinkStatus
from backend.operations.incidents import dispatch, planning, services, starting
from backend.operations.incidents.confirmed import digest_over, to_confirm
from backend.operations.incidents.items import items_of, run_of, state_of
from backend.operations.incidents.models import Incident, IncidentItem
from backend.operations.incidents.selectors import given_attestations
from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.models import Plan, Run, RunState
from backend.operations.runs.services import start
from tests.support.console import store_plan

SITE = "milan"
SIDES = (("a", SITE, 1), ("b", "frankfurt", 11))
Task = tuple[str, int]


def touched_link(name: str, net: int, *, kind: str = "relocate", gap: int | None = 0, approval: bool = False) -> Link:
    """A link whose active cluster was at the lost site, as the monitor stored it."""
    active, standby = (_cluster(f"{name}-{side}", site, f"127.0.{net}.{n}") for side, site, n in SIDES)
    link = Link.objects.create(
        name=name,
        active_cluster=active,
        standby_cluster=standby,
        home_cluster=active,
        requires_approval=approval,
    )
    side = {"site": "", "status": "ok", "nodes_up": 1, "nodes": 1, "last_committed": 1}
    action = {"kind": kind, "label": f"{kind} {name}", "replaced_node": None, "url_options": {}}
    LinkStatus.objects.create(
        link=link,
        state="broken",
        since=timezone.now(),
        observed_at=timezone.now(),
        sentence=f"All nodes of {name}-a are down.",
        channels=[_forward(gap)],
        clusters={
            "active": {"id": active.id, "name": active.name, **side},
            "standby": {"id": standby.id, "name": standby.name, **side},
        },
        primary_action=action if kind else None,
        last_ok={"forward": 1_000.0},
    )
    return link


def _cluster(name: str, site: str, host: str) -> Cluster:
    cluster = Cluster.objects.create(name=name, site=site, tls_mode="disabled")
    Node.objects.create(cluster=cluster, name=f"{name}1", host=host, port=1)
    return cluster


def _forward(gap: int | None) -> dict[str, Any]:
    return {"direction": "forward", "gap_transactions": gap, "state": "broken", "observed_at_s": 0.0, "stray": False}


class Workers:
    """What is dispatched waits here until `work` is called; messages can be lost, and a worker can die.

    No server is asked: `plans` makes the plan of a link by its name, `changed` names links whose facts have changed.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sent: list[Task] = []
        self.plans: Mapping[str, Callable[[Link], CorePlan]] = {}
        self.changed: set[str] = set()
        self.most_at_once = 0
        monkeypatch.setattr(dispatch, "_send", lambda task, item_id: self.sent.append((task, item_id)))
        monkeypatch.setattr(planning, "plan_create", self._plan)
        monkeypatch.setattr(start, "fact_changes", self._changes)

    def _plan(self, *, link: Link, **_: Any) -> Plan:
        return store_plan(link, self.plans.get(link.name, ready)(link))

    def _changes(self, plan: Plan) -> list[dict[str, Any]]:
        is_changed = plan.link.name in self.changed
        return [{"fact": "a node", "planned": "up", "now": "down"}] if is_changed else []

    def work(self) -> None:
        """The monitor's tick, then every message, until nothing is left to do."""
        dispatch.tick()
        while self.sent:
            for task, item_id in self.taken():
                (planning.plan_item if task == "incidents.plan_item" else starting.start_item)(item_id)
            self.most_at_once = max(self.most_at_once, Run.objects.filter(unfinished_link__isnull=False).count())
            dispatch.tick()

    def taken(self) -> list[Task]:
        """The messages that are waiting; the caller must do them."""
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


def ready(link: Link) -> CorePlan:
    """A plan of one step that can be started."""
    step = Step(index=0, code="step_0", title="Step 0", node_id=None, node=None, sql=("START SLAVE",))
    return CorePlan(
        kind="relocate",
        link_id=link.id,
        link_name=link.name,
        created_at_s=timezone.now().timestamp(),
        summary=f"Relocate {link.name}",
        findings=(),
        positions=(),
        loss={"transactions": 0, "seconds": 0, "detail": "Nothing."},
        steps=(step,),
        fingerprint={},
        target={},
        options={},
    )


def attesting(link: Link) -> CorePlan:
    """A plan that rests on an attestation."""
    accepted = Finding("loss_accepted", Severity.WARNING, "The loss was accepted.", "", {})
    return replace(ready(link), findings=(accepted,), options={"accept_loss": True})


def refused(link: Link) -> CorePlan:
    """A plan with a blocker."""
    blocker = Finding("position_not_proven", Severity.BLOCKER, "The position is not proven.", "Wait.", {})
    return replace(ready(link), findings=(blocker,), steps=())
