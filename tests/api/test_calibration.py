"""Calibrations and heartbeats by the API: refusals write nothing, one goes on at a time, results are stored."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.adviser.concurrency.calibration import services, surroundings
from backend.adviser.concurrency.calibration.models import Calibration, State
from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.core.adviser.calibration.bounds import Bounds
from backend.core.adviser.calibration.commits import Step
from backend.core.adviser.calibration.decision import NodeAround, Progress, Reason
from backend.core.adviser.calibration.heartbeat import Heartbeat
from backend.core.adviser.network.sql_facts import GroupLatency
from backend.core.estimates import Unknown
from backend.core.ports import NodeError
from backend.gateway.calibration.commits import Written
from backend.gateway.calibration.heartbeat import Beats
from backend.monitoring.models import LinkStatus
from backend.operations.runs.models import Run
from tests.support.console import Answer, Caller, store_plan

Fake = Callable[..., Any]


@pytest.fixture
def protected(link: Link, monkeypatch: pytest.MonkeyPatch) -> Link:
    """A link that was observed as protected, and nodes that can be written to."""
    now = timezone.now() + timedelta(hours=1)  # however slow the machine is
    LinkStatus.objects.update_or_create(
        link=link, defaults={"state": "protected", "since": now, "observed_at": now, "sentence": ""}
    )
    monkeypatch.setattr(services.node, "around", lambda access: fit(access.ref.name))
    monkeypatch.setattr(services.commits, "write_commits", lambda *_: written())
    return link


def fit(name: str, **changes: Any) -> NodeAround:
    """A node that can be written to."""
    facts: dict[str, Any] = {"has_probe_schema": True, "lacks": (), "is_primary": True, "is_synced": True, **changes}
    return NodeAround(name, **facts)


def written(stopped: Reason | None = None) -> Written:
    """One writer over 50 ms, and four."""
    steps = [Step(1, 2.0, (52.0,) * 38), Step(4, 1.0, (54.0,) * 64)]
    return Written(steps, stopped, "", 0.2, GroupLatency(50.2, 51.0, 62.0, 99), 2)


def asked(caller: Caller, link: Link, **changes: Any) -> Answer:
    """The confirmed request."""
    cluster = link.active_cluster
    body = {"confirm": cluster.name, "reason": "new line", "node": cluster.nodes.all()[0].id, **changes}
    return caller.post(f"/clusters/{cluster.id}/calibrations", body)


def test_calibration__permitted__measured_beside_the_model_stored_and_in_the_audit_log(
    operator: Caller, viewer: Caller, protected: Link
) -> None:
    made = asked(operator, protected)
    assert made.status == 201, made.body
    steps = made.body["result"]["steps"]
    assert [(one["writers"], one["commits"], one["per_s"]) for one in steps] == [(1, 38, 19.0), (4, 64, 64.0)]
    assert steps[0]["model_low_per_s"] <= 19.0 <= steps[0]["model_high_per_s"] + 0.1
    assert steps[0]["apart_percent"] == 0.0
    assert made.body["settings"] == {"seconds": 6.0, "writers": [1, 4, 16], "rows": 200, "row_bytes": 100}
    listed = viewer.get(f"/clusters/{protected.active_cluster_id}/calibrations").body["results"]
    assert [one["id"] for one in listed] == [made.body["id"]]
    actions = AuditRecord.objects.filter(action__startswith="api:calibration:").order_by("seq")
    assert list(actions.values_list("action", flat=True)) == ["api:calibration:start", "api:calibration:end"]


def test_calibration__stopped_or_failed__said_and_the_next_one_is_free(
    operator: Caller, protected: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    flow = Reason("flow_control", "Flow control paused the node for 12% of the time.")
    monkeypatch.setattr(services.commits, "write_commits", lambda *_: written(flow))
    stopped = asked(operator, protected).body
    assert (stopped["state"], stopped["stop_code"], stopped["sentence"]) == ("stopped", flow.code, flow.sentence)

    def refuse(*_: Any) -> None:
        raise NodeError("db-a1", "INSERT command denied")

    monkeypatch.setattr(services.commits, "write_commits", refuse)
    failed = asked(operator, protected).body
    assert (failed["state"], failed["result"]) == ("failed", None)
    assert not Calibration.objects.exclude(unfinished=None).exists()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"has_probe_schema": False}, "calibration_no_probe_schema"),
        ({"lacks": ("INSERT",)}, "calibration_grants_missing"),
        ({"is_synced": False}, "calibration_node_unfit"),
    ],
)
def test_calibration__node_not_fit__its_code_and_nothing_written(
    operator: Caller, protected: Link, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], code: str
) -> None:
    monkeypatch.setattr(services.node, "around", lambda access: fit(access.ref.name, **change))
    answer = asked(operator, protected)
    assert (answer.status, answer.body["code"]) == (409, code)
    assert not Calibration.objects.exists()


def test_calibration__link_run_standby_or_old_state__refused(operator: Caller, protected: Link) -> None:
    status = LinkStatus.objects.filter(link=protected)
    status.update(state="degraded")
    assert asked(operator, protected).body["code"] == "calibration_link_not_protected"
    status.update(state="protected", observed_at=timezone.now() - timedelta(seconds=16))
    assert asked(operator, protected).body["code"] == "calibration_link_not_protected"
    status.update(observed_at=timezone.now() + timedelta(hours=1))
    standby = protected.standby_cluster
    body = {"confirm": standby.name, "reason": "x", "node": standby.nodes.all()[0].id}
    assert operator.post(f"/clusters/{standby.id}/calibrations", body).body["code"] == "calibration_standby"
    plan = store_plan(protected)
    Run.objects.create(
        plan=plan,
        link=protected,
        kind="relocate",
        state="queued",
        unfinished_link=protected.pk,
        created_at=plan.created_at,
    )
    assert asked(operator, protected).body["code"] == "calibration_run_unfinished"
    stop = surroundings.watch_of(protected.active_cluster, Bounds())(Progress(0.1, 1.0, 0.0))
    assert stop is not None
    assert stop.code == "calibration_run_unfinished"


def test_calibration__unconfirmed_unbounded_or_not_permitted__refused_by_the_field(
    operator: Caller, viewer: Caller, protected: Link
) -> None:
    assert asked(operator, protected, confirm="x").body["code"] == "wrong_confirmation"
    for change, field in (({"seconds": 11}, "seconds"), ({"writers": [64]}, "writers"), ({"reason": ""}, "reason")):
        answer = asked(operator, protected, **change)
        assert (answer.status, answer.body["errors"][0]["field"]) == (400, field)
    far = protected.standby_cluster.nodes.all()[0].id
    assert asked(operator, protected, node=far).body["errors"][0]["field"] == "node"
    assert asked(viewer, protected).status == 403
    assert not Calibration.objects.exists()


def test_calibration__another_goes_on__refused_until_its_process_must_have_ended(
    operator: Caller, protected: Link
) -> None:
    first = asked(operator, protected).body["id"]
    rows = Calibration.objects.filter(pk=first)
    rows.update(unfinished=True, state=State.RUNNING)
    assert asked(operator, protected).body["code"] == "calibration_running"
    rows.update(started_at=timezone.now() - timedelta(seconds=61))
    assert asked(operator, protected).status == 201
    assert rows.get().state == State.INTERRUPTED


def test_heartbeat__never_measured__unknown_with_the_reason_then_each_node(
    operator: Caller, viewer: Caller, protected: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/links/{protected.id}/network/heartbeat"
    first = viewer.get(path).body
    assert first["newest"] is None
    assert first["reason"].startswith("A heartbeat over this link was never measured.")
    first_node, *rest = protected.standby_cluster.nodes.all()
    nodes: dict[str, Heartbeat | Unknown] = {one.id: Unknown("0 of 20 rows were seen.") for one in rest}
    nodes[first_node.id] = Heartbeat(31.456, 27.0, 60.0, 28.1, 20, 0)
    monkeypatch.setattr(services.heartbeat, "write_beats", lambda *_: Beats(nodes))
    made = operator.post(path, {"confirm": protected.name, "reason": "new line"})
    assert made.status == 201, made.body
    figures = viewer.get(path).body["newest"]["result"]["nodes"]
    assert [(one["median_ms"], one["error_ms"], one["is_bound"]) for one in figures[:1]] == [(31.46, 28.1, False)]
    assert all(one["median_ms"] is None and one["reason"] for one in figures[1:])


def test_heartbeat__wrong_name__refused_and_nothing_written(
    operator: Caller, protected: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services.heartbeat, "write_beats", lambda *_: pytest.fail("written"))
    answer = operator.post(f"/links/{protected.id}/network/heartbeat", {"confirm": "another", "reason": "new line"})
    assert (answer.status, answer.body["code"]) == (422, "wrong_confirmation")
    assert not Calibration.objects.exists()
