"""The automatic relocate from inside: a watch over stored looks, then the calls that a click makes."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.common.errors import ProblemError
from backend.common.events.models import Event
from backend.core.automation import Action
from backend.core.findings import Finding, Severity
from backend.operations.automation import services
from backend.operations.automation.models import LinkAutomation
from backend.operations.automation.observations import observe
from backend.operations.runs.held_permissions import refusing_requester
from backend.operations.runs.models import Plan, Run, RunState
from tests.backend.automation_scenes import RelocateScene
from tests.support.console import core_plan, make_link, store_plan


@pytest.fixture
def scene(link: Link) -> RelocateScene:
    """Execute after 30 s."""
    return RelocateScene(link)


def row_of(scene: RelocateScene) -> LinkAutomation:
    """The link's automation as stored."""
    return LinkAutomation.objects.get(pk=scene.link.pk)


def kinds() -> list[str]:
    """Kinds of all events raised by the automation."""
    found = Event.objects.filter(data__kind__startswith="automation.").order_by("id")
    return [event.data["kind"] for event in found]


def test_execute__lost_long_enough__a_normal_run_under_its_own_name(scene: RelocateScene) -> None:
    assert set(scene.pass_time(30)) == {Action.NOTHING}
    assert scene.pass_time(5) == [Action.EXECUTE]
    run = Run.objects.get()
    assert (run.requested_by, run.state, run.plan_id) == ("automation", "queued", scene.made[0].id)
    assert "down for 30 s" in run.reason
    assert refusing_requester(run) is None
    record = AuditRecord.objects.get(action="monitor:automation:execute")
    assert (record.actor, record.run_id, record.reason) == ("automation", run.id, row_of(scene).last_reason)
    assert AuditRecord.objects.filter(action="api:run:start", actor="automation").exists()
    assert kinds() == ["automation.started"]
    Run.objects.update(state=RunState.SUCCEEDED.value, unfinished_link=None)
    assert set(scene.pass_time(300)) == {Action.NOTHING}, "blocked"
    assert Run.objects.count() == 1


def test_execute__link_requires_approval__the_run_waits_for_a_person(scene: RelocateScene) -> None:
    Link.objects.update(requires_approval=True)
    scene.link.refresh_from_db()
    scene.pass_time(35)
    assert Run.objects.get().state == RunState.WAITING_APPROVAL.value


def test_propose__lost_long_enough__a_stored_ready_plan_an_event_and_nothing_started(link: Link) -> None:
    scene = RelocateScene(link, "propose")
    assert scene.pass_time(40).count(Action.PROPOSE) == 1
    assert not Run.objects.exists()
    row = row_of(scene)
    assert (row.last_outcome, row.last_plan_id) == ("proposed", scene.made[0].id)
    assert kinds() == ["automation.proposed"]
    assert scene.made[0].id in Event.objects.get(data__kind="automation.proposed").data["message"]
    services.automation_acknowledge(actor="nora", link=link, comment="")
    LinkAutomation.objects.update(acknowledged_at=scene.now)
    assert Action.PROPOSE in scene.pass_time(10)


def test_off__lost_for_ever__nothing(link: Link) -> None:
    scene = RelocateScene(link, "off")
    services.tick(scene.plan)
    assert scene.made == []
    assert set(scene.pass_time(120)) == {Action.NOTHING}


@pytest.mark.parametrize(
    "changes",
    [
        {"state": "unknown"},
        {"findings": [{"code": "x", "severity": "unknown", "message": "not known", "remedy": "", "facts": {}}]},
        {"clusters": {"active": {"name": "c", "status": "unknown"}, "standby": {"name": "c", "status": "primary"}}},
        {"readiness": {"relocate": {"state": "blocked"}}},
        {"readiness": {}},
        {"channels": []},
    ],
    ids=str,
)
def test_observe__anything_unknown_or_in_the_way__nothing_and_its_reason_is_shown(
    scene: RelocateScene, changes: dict[str, Any]
) -> None:
    assert set(scene.pass_time(120, **changes)) == {Action.NOTHING}
    assert row_of(scene).reason
    assert scene.made == []


@pytest.mark.parametrize("reach", ["hung", "unknown", "refused"])
def test_observe__source_or_any_other_node_only_silent__nothing(scene: RelocateScene, reach: str) -> None:
    bystander = scene.nodes()[1]
    scene.reach(bystander, reach)
    assert set(scene.pass_time(120)) == {Action.NOTHING}
    scene.reach(bystander, "up")
    scene.reach(scene.source, reach)
    assert set(scene.pass_time(120)) == {Action.NOTHING}


def test_observe__bystander_lost__is_no_loss_of_the_link(scene: RelocateScene) -> None:
    scene.reach(scene.source, "up")
    scene.reach(scene.nodes()[1], "down")
    assert set(scene.pass_time(120)) == {Action.NOTHING}


def test_observe__polls_saw_it_back_between_two_looks__starts_again(scene: RelocateScene) -> None:
    for _ in range(6):
        assert set(scene.pass_time(20)) == {Action.NOTHING}
        scene.reach(scene.source, "down")


def test_observe__nobody_polls__is_unknown(scene: RelocateScene) -> None:
    scene.pass_time(25)
    after = scene.now + timedelta(seconds=15)
    assert observe(scene.link, after.timestamp()).unknowns


def test_observe__run_unfinished__nothing(scene: RelocateScene, plan: Plan) -> None:
    from backend.operations.runs.services import run_start
    from tests.support.console import confirmation

    run_start(actor="nora", plan=plan, **confirmation(plan))
    Run.objects.update(state=RunState.NEEDS_OPERATOR.value)
    assert set(scene.pass_time(120)) == {Action.NOTHING}
    assert Run.objects.count() == 1


def test_plan__refused__nothing_blocked_reported_once_and_tried_again_afterwards(scene: RelocateScene) -> None:
    made: list[Plan] = []

    def refused(**_: Any) -> Plan:
        made.append(store_plan(scene.link, core_plan(scene.link, blocked=True)))
        return made[-1]

    scene.pass_time(35, refused)
    row = row_of(scene)
    assert (row.last_outcome, row.acted_at, row.last_plan_id) == ("refused", None, made[0].id)
    scene.pass_time(50, refused)
    assert len(made) == 1
    scene.pass_time(20, refused)
    assert len(made) == 2
    assert kinds() == ["automation.held"]
    assert Action.EXECUTE in scene.pass_time(65)
    assert Run.objects.count() == 1


def test_plan__warning_a_person_must_answer_for__is_not_run(scene: RelocateScene) -> None:
    def warned(**_: Any) -> Plan:
        attested = Finding("unreachable_node_attested", Severity.WARNING, "An operator attested that it is fenced.")
        return store_plan(scene.link, replace(core_plan(scene.link), findings=(attested,)))

    scene.pass_time(40, warned)
    assert not Run.objects.exists()
    assert "unreachable_node_attested" in row_of(scene).last_reason


def test_plan__servers_do_not_let_one_be_made__held_and_the_fault_is_logged(scene: RelocateScene) -> None:
    def broken(**_: Any) -> Plan:
        raise ProblemError(400, "validation_failed", "no such node")

    with pytest.raises(ProblemError):
        scene.pass_time(40, broken)
    row = row_of(scene)
    assert (row.last_outcome, row.acted_at) == ("refused", None)


def test_start__facts_changed_since_the_plan__held_not_blocked(scene: RelocateScene) -> None:
    def stale(**_: Any) -> Plan:
        built = core_plan(scene.link)
        return store_plan(scene.link, replace(built, fingerprint={**built.fingerprint, "x.reach": "up"}))

    scene.pass_time(40, stale)
    row = row_of(scene)
    assert (row.last_outcome, row.acted_at) == ("refused", None)
    assert "x.reach" in row.last_reason
    assert not Run.objects.exists()


def test_tick__one_link_fails__the_others_are_looked_at(scene: RelocateScene, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []

    def fails(row: LinkAutomation, *_: Any) -> None:
        looked.append(row.link.name)
        raise RuntimeError("fault")

    other = RelocateScene(make_link("billing", "127.0.72"))
    monkeypatch.setattr(services, "evaluate_link", fails)
    services.tick()
    assert sorted(looked) == [other.link.name, scene.link.name]
