"""A maintenance from its record to its end: watched, ended by a person, and never left with a frozen donor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.adviser.maintenance import unfreeze, watch
from backend.audit.models import AuditRecord
from backend.clusters.models import Link, Node
from backend.common.events.models import Event
from backend.core.adviser.node_absence.freeze import NOT_FROZEN, OPTION, unfreeze_sql
from backend.core.adviser.node_absence.maintenance import Stage
from backend.core.topology import NodeFacts, NodeRef, Reach
from backend.monitoring import maintenances
from backend.monitoring.models import NodeMaintenance
from backend.monitoring.recording.nodes import store_nodes
from backend.operations.runs.models import Run, RunState
from tests.core.node_absence.members import member
from tests.support.console import Caller, store_plan


@dataclass
class Donor:
    """The gateway's view of one donor, and what was sent to it."""

    value: str | None = "900"
    reach: Reach = Reach.UP
    server_id: str = ""
    sent: list[str] = field(default_factory=list)

    def observe_node(self, node_id: str) -> NodeFacts:
        """As set."""
        ref = NodeRef(node_id, "donor", "127.0.0.1", 3306, "c")
        options = {} if self.value is None else {OPTION: self.value}
        return NodeFacts(ref, 0.0, self.reach, error="" if self.reach is Reach.UP else "no answer", variables=options)

    def writer(self, node_id: str) -> Donor:
        """Itself."""
        return self

    def identity(self) -> dict[str, str]:
        """Of the planned server, or another one."""
        return {"server_id": self.server_id}

    def execute(self, sql: str, **_: Any) -> list[str]:
        """Takes effect."""
        self.sent.append(sql)
        self.value = NOT_FROZEN
        return []

    def close(self) -> None:
        """Nothing to end."""


@pytest.fixture
def donor(monkeypatch: pytest.MonkeyPatch) -> Iterator[Donor]:
    """Frozen at 900."""
    made = Donor()
    monkeypatch.setattr(unfreeze, "gateway_for_link", lambda _: made)
    monkeypatch.setattr(unfreeze, "identity_mismatch", lambda *_: None)
    return made  # type: ignore[return-value]


@pytest.fixture
def opened(link: Link) -> Callable[..., NodeMaintenance]:
    """A maintenance that a run opened; the run is in the given state."""

    def make(state: RunState = RunState.SUCCEEDED, *, stage: Stage | None = None, freeze: int | None = 900) -> Any:
        for name in ("second", "third"):
            Node.objects.create(cluster=link.active_cluster, name=name, host=name, port=3306, ordinal=9)
        nodes = list(link.active_cluster.nodes.all())
        run = Run.objects.create(
            plan=store_plan(link), link=link, kind="node_maintenance", state=state.value, created_at=timezone.now()
        )
        params = {
            "maintained_node_id": nodes[-1].id,
            "donor_id": nodes[1].id,
            "members": 3,
            "most_s": 3_600,
            "freeze_seqno": freeze,
        }
        assert maintenances.maintenance_open(link_id=link.id, run_id=run.id, actor="olaf", params=params)
        rows = NodeMaintenance.objects.filter(run_id=run.id)
        if stage is not None:
            rows.update(stage=stage.value, allowed_at=timezone.now() - timedelta(minutes=1))
        return rows.get()

    return make


def ticked(row: NodeMaintenance, times: int = 1) -> NodeMaintenance:
    """After the monitor has looked."""
    for _ in range(times):
        watch.tick()
    row.refresh_from_db()
    return row


def poll(row: NodeMaintenance, *, is_up: bool, uptime_s: int = 9_000) -> None:
    """The cluster as the monitor polls it now; the maintained node may be away."""
    now = timezone.now()
    facts = {}
    for node in row.cluster.nodes.all():
        ref = NodeRef(node.id, node.name, node.host, node.port, node.cluster_id)
        seen = member(node.name, cluster_size=3 if is_up else 2)
        facts[node.id] = replace(seen, node=ref, observed_at_s=now.timestamp(), uptime_s=uptime_s)
        if node.id == row.node_id and not is_up:
            facts[node.id] = NodeFacts(ref, now.timestamp(), Reach.DOWN)
    store_nodes(facts, now)


@pytest.mark.parametrize("state", [RunState.ABORTED, RunState.NEEDS_OPERATOR])
def test_watch__the_run_was_aborted_or_stopped__donor_unfrozen(
    opened: Callable[..., NodeMaintenance], donor: Donor, state: RunState
) -> None:
    assert ticked(opened(state), 4).stage == "ended"
    assert donor.sent == [unfreeze_sql()]


def test_watch__the_run_ended_before_the_stop_was_allowed__donor_unfrozen(
    opened: Callable[..., NodeMaintenance], donor: Donor
) -> None:
    row = ticked(opened(RunState.FAILED), 4)
    assert donor.sent == [unfreeze_sql()]
    assert (row.stage, row.result, row.open_cluster) == ("ended", "not_prepared", None)
    assert row.unfrozen_at is not None
    actions = set(AuditRecord.objects.values_list("action", flat=True))
    assert {"monitor:node_maintenance:unfreeze", "monitor:node_maintenance:ended"} <= actions


def test_watch__the_run_goes_on__nothing_is_touched(opened: Callable[..., NodeMaintenance], donor: Donor) -> None:
    assert ticked(opened(RunState.RUNNING), 3).stage == "preparing"
    assert donor.sent == []


def test_watch__the_run_never_ends__unfrozen_when_its_time_is_over(
    opened: Callable[..., NodeMaintenance], donor: Donor
) -> None:
    row = opened(RunState.RUNNING)
    NodeMaintenance.objects.update(until=timezone.now() - timedelta(seconds=1))
    row.refresh_from_db()
    row = ticked(row, 3)
    assert (row.stage, row.result, donor.value) == ("ended", "not_prepared", NOT_FROZEN)


def test_watch__stopped_and_started__ist_and_unfrozen(opened: Callable[..., NodeMaintenance], donor: Donor) -> None:
    row = opened(stage=Stage.WAITING_STOP)
    poll(row, is_up=True)
    assert ticked(row).stage == "waiting_stop"
    poll(row, is_up=False)
    assert ticked(row).stage == "away"
    poll(row, is_up=True, uptime_s=5)
    row = ticked(row, 3)
    assert (row.stage, row.result) == ("ended", "ist")
    assert donor.sent == [unfreeze_sql()]
    kinds = set(Event.objects.values_list("data__kind", flat=True))
    assert {"node.maintenance_left", "node.maintenance_ended"} <= kinds


def test_watch__its_time_is_over__unfrozen(opened: Callable[..., NodeMaintenance], donor: Donor) -> None:
    row = opened(stage=Stage.AWAY)
    NodeMaintenance.objects.update(until=timezone.now() - timedelta(seconds=1))
    poll(row, is_up=False)
    row = ticked(row, 3)
    assert (row.stage, row.result, donor.value) == ("ended", "not_returned", NOT_FROZEN)


def test_unfreeze__frozen_by_somebody_else__left_alone(opened: Callable[..., NodeMaintenance], donor: Donor) -> None:
    donor.value = "77"
    assert ticked(opened(stage=Stage.CLOSING), 3).stage == "ended"
    assert donor.sent == []


@pytest.mark.parametrize(
    ("change", "is_over"),
    [
        ({"reach": Reach.DOWN}, False),
        ({"value": None}, False),
        ({"value": NOT_FROZEN}, True),
    ],
)
def test_unfreeze__only_its_own_freeze_and_only_a_donor_that_says_it(
    opened: Callable[..., NodeMaintenance], donor: Donor, change: dict[str, Any], is_over: bool
) -> None:
    for name, value in change.items():
        setattr(donor, name, value)
    row = ticked(opened(stage=Stage.CLOSING), 3)
    assert donor.sent == []
    assert (row.stage == "ended") is is_over
    assert bool(row.unfreeze_error) is not is_over
    reported = Event.objects.filter(data__kind="node.maintenance_frozen").count()
    assert reported == (0 if is_over else 1)


def test_unfreeze__another_server_at_the_address__nothing_is_sent(
    opened: Callable[..., NodeMaintenance], donor: Donor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unfreeze, "identity_mismatch", lambda *_: "the session reached another server")
    row = ticked(opened(stage=Stage.CLOSING), 2)
    assert (donor.sent, row.stage) == ([], "closing")


def test_open__a_second_one_of_the_cluster__refused(opened: Callable[..., NodeMaintenance]) -> None:
    row = opened(freeze=None)
    params = {"maintained_node_id": row.node_id, "donor_id": row.donor_id, "members": 3, "most_s": 60}
    same = {"link_id": row.link_id, "actor": "olaf", "params": {**params, "freeze_seqno": None}}
    assert not maintenances.maintenance_open(run_id="r_other", **same)
    assert maintenances.maintenance_open(run_id=row.run_id, **same)


def test_end__by_an_operator__closed_once_and_recorded(
    opened: Callable[..., NodeMaintenance], donor: Donor, operator: Caller
) -> None:
    row = opened(stage=Stage.AWAY)
    path = f"/node-maintenances/{row.id}/end"
    done = operator.post(path, {"reason": "postponed"})
    assert (done.status, done.body["stage"]) == (200, "closing")
    assert operator.post(path, {"reason": "again"}).body["code"] == "maintenance_not_open"
    row = ticked(row, 2)
    assert (row.result, row.ended_by != "", donor.value) == ("ended_early", True, NOT_FROZEN)
    (shown,) = operator.get(f"/clusters/{row.cluster_id}/node-maintenances").body["results"]
    assert (shown["stage"], shown["result"], shown["time_left"]) == ("ended", "ended_early", None)


def test_allowed__gone_before_the_monitor_looks__its_seqno_is_known(
    opened: Callable[..., NodeMaintenance], donor: Donor
) -> None:
    row = opened(RunState.RUNNING)
    assert maintenances.stop_allowed(row.run_id, 20_000, [("bin.000001", 900)])
    row.refresh_from_db()
    poll(row, is_up=False)
    assert ticked(row).watch["last_seqno"] == 20_000


def test_end__no_such_maintenance__404(operator: Caller) -> None:
    assert operator.post("/node-maintenances/b_none/end", {"reason": "none"}).status == 404


def test_open_maintenance__does_not_hold_the_links_only_run(opened: Callable[..., NodeMaintenance], link: Link) -> None:
    opened(stage=Stage.AWAY)
    assert not Run.objects.filter(unfinished_link=link.id).exists()
