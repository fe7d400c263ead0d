"""A lost side that returns, from the monitor's stored looks to the run that fences it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.clusters.models import Link, Node
from backend.common.errors import ProblemError
from backend.common.events.models import Event
from backend.core.facts.serialization import divergence_to_json, node_to_json
from backend.core.link_facts import Divergence as CoreDivergence
from backend.core.plan import Step
from backend.core.topology import BinlogFacts, NodeFacts, Reach
from backend.monitoring import link_roles
from backend.monitoring.models import Divergence, NodeState
from backend.operations.automation.models import ReturnedNode
from backend.operations.automation.returned_sides import fence_returned
from backend.operations.automation.selectors import returned_view
from backend.operations.runs.models import Plan, Run, RunState, RunStep
from backend.operations.runs.services import run_start
from backend.operations.runs.services.fence_returned import is_confirmed_by_failover
from tests.support.console import core_plan, make_link, store_plan


class Scene:
    """b is the standby as the side that was lost, none of its nodes seen yet; time is told."""

    def __init__(self, link: Link, *, fences: bool = True) -> None:
        self.link = link
        self.now = timezone.now()
        self.lost = list(link.standby_cluster.nodes.all())
        self.asked: list[list[str]] = []
        link_roles.record_divergence(
            link.id,
            CoreDivergence(
                lost_cluster_id=link.standby_cluster_id,
                survivor_cluster_id=link.active_cluster_id,
                lost_state_uuid=None,
                at_s=self.now.timestamp() - 100,
                run_id="r_failover",
                fences_on_return=fences,
            ),
        )

    def see(self, node: Node, *, read_only: str = "OFF", uptime_s: int | None = 5, age_s: float = 0) -> None:
        """As the monitor's poll found it just now."""
        at_s = self.now.timestamp() - age_s
        facts = NodeFacts(
            node.ref,
            at_s,
            Reach.UP,
            flavor="mariadb",
            version="10.11.19-MariaDB",
            variables={"read_only": read_only},
            channels=(),
            binlog=BinlogFacts("binlog.000007", 900),
            uptime_s=uptime_s,
        )
        at = datetime.fromtimestamp(at_s, UTC)
        seen = {"reach": "up", "since": at, "observed_at": at, "facts": node_to_json(facts)}
        NodeState.objects.update_or_create(node=node, defaults=seen)

    def start(self, *, link: Link, node_ids: list[str], begins: list[dict[str, str]]) -> Run:
        """A run of its own, as if servers had answered."""
        self.asked.append(node_ids)
        self.begins = begins
        plan = store_plan(link, replace(core_plan(link), kind="fence_returned_side"), created_by="automation")
        return run_start(
            actor="automation", plan=plan, digest=plan.digest, confirm=link.name, reason="t", is_approved=True
        )

    def observe(self, after_s: float = 1.0, start: Callable[..., Run] | None = None) -> Run | None:
        """The monitor's next look."""
        self.now += timedelta(seconds=after_s)
        return fence_returned(self.link, self.now, start or self.start)

    def return_one(self) -> Run:
        """The first node returns, and is fenced by this run."""
        self.see(self.lost[0])
        run = self.observe()
        assert run is not None
        return run

    def end(self, run: Run, state: RunState) -> None:
        """Its end."""
        Run.objects.filter(pk=run.pk).update(state=state.value, unfinished_link=None)


@pytest.fixture
def scene(link: Link) -> Scene:
    """A link that was failed over."""
    return Scene(link)


def test_returned_node__seen_writable__a_run_under_the_consoles_own_name(scene: Scene) -> None:
    run = scene.return_one()
    assert (run.requested_by, run.kind, run.state) == ("automation", "fence_returned_side", "queued")
    assert scene.asked == [[scene.lost[0].id]]
    assert scene.begins == [{"node_id": scene.lost[0].id, "node": scene.lost[0].name, "begins": "binlog.000007:4"}]
    row = ReturnedNode.objects.get()
    assert (row.run_id, row.attempts) == (run.id, 1)


def test_returned_node__a_run_is_under_way__never_two_at_once(scene: Scene) -> None:
    run = scene.return_one()
    scene.see(scene.lost[1])
    assert scene.observe() is None
    assert Run.objects.count() == 1
    scene.end(run, RunState.SUCCEEDED)
    assert scene.observe() is not None
    assert scene.asked == [[scene.lost[0].id], [scene.lost[1].id]]


def test_returned_node__fenced_and_opened_again_by_a_person__left_alone_until_its_next_start(scene: Scene) -> None:
    run = scene.return_one()
    scene.end(run, RunState.SUCCEEDED)
    scene.now += timedelta(seconds=60)
    scene.see(scene.lost[0], uptime_s=66)
    assert scene.observe() is None
    scene.now += timedelta(seconds=60)
    scene.see(scene.lost[0], uptime_s=3)
    assert scene.observe() is not None


def test_returned_node__its_run_failed__tried_again_after_a_while(scene: Scene) -> None:
    began = scene.now
    scene.see(scene.lost[0], uptime_s=50)
    for wait_s in (1, 2, 4):
        run = scene.observe()
        assert run is not None
        scene.end(run, RunState.FAILED)
        assert scene.observe(after_s=wait_s * 0.5) is None
        scene.now += timedelta(seconds=wait_s * 0.5)
        scene.see(scene.lost[0], uptime_s=50 + round((scene.now - began).total_seconds()))
    assert ReturnedNode.objects.get().attempts == 3


def test_returned_node__the_failover_did_not_say_so__left_alone(link: Link) -> None:
    scene = Scene(link, fences=False)
    scene.see(scene.lost[0])
    assert scene.observe() is None
    assert not ReturnedNode.objects.exists()


def test_returned_node__reconciled__left_alone(scene: Scene) -> None:
    link_roles.reconcile(scene.link.id, scene.link.standby_cluster_id, None)
    scene.see(scene.lost[0])
    assert scene.observe() is None


def test_returned_node__facts_of_long_ago__decide_nothing(scene: Scene) -> None:
    scene.see(scene.lost[0], age_s=11)
    assert scene.observe() is None


def test_returned_node__a_run_waits_for_a_person__held_and_said_once(scene: Scene) -> None:
    plan = store_plan(scene.link)
    run = run_start(actor="ann", plan=plan, digest=plan.digest, confirm=scene.link.name, reason="t")
    Run.objects.filter(pk=run.pk).update(state=RunState.NEEDS_OPERATOR.value)
    scene.see(scene.lost[0])
    assert scene.observe() is None
    assert scene.observe() is None
    held = [e for e in Event.objects.all() if e.data.get("kind") == "returned_side.held"]
    assert len(held) == 1
    assert run.id in held[0].data["message"]
    assert "orphans: fence" in held[0].data["message"]


def test_returned_node__its_own_run_stopped_for_a_person__a_new_one_takes_its_place(scene: Scene) -> None:
    run = scene.return_one()
    Run.objects.filter(pk=run.pk).update(state=RunState.NEEDS_OPERATOR.value)
    assert scene.observe(after_s=1.5) is not None
    run.refresh_from_db()
    assert run.state == RunState.FAILED.value


def test_returned_node__no_plan_can_be_made__said_once_and_tried_again(scene: Scene) -> None:
    def refuse(**_: Any) -> Run:
        raise ProblemError(409, "plan_refused", "the record is old")

    scene.see(scene.lost[0])
    assert scene.observe(start=refuse) is None
    assert scene.observe(after_s=1.5, start=refuse) is None
    events = [e for e in Event.objects.all() if e.data.get("kind") == "returned_side.refused"]
    assert len(events) == 1
    assert ReturnedNode.objects.get().attempts == 2


def test_returned_view__fenced_and_counted__says_when_and_how_many(scene: Scene) -> None:
    assert returned_view(scene.link) is None
    run = scene.return_one()
    open_view = returned_view(scene.link)
    assert open_view is not None
    assert (open_view["fenced_at"], open_view["writes"]) == (None, None)
    at = scene.now + timedelta(seconds=1)
    for index, (code, facts) in enumerate((("verify_fence", {}), ("count_returned_writes", {"writes": 38})), 50):
        RunStep.objects.create(run=run, index=index, code=code, title=code, ended_at=at, facts=facts)
    scene.end(run, RunState.SUCCEEDED)
    view = returned_view(scene.link)
    assert view is not None
    assert (view["returned_at"], view["fenced_at"], view["writes"]) == (scene.now, at, 38)
    assert [node["node"] for node in view["nodes"]] == [scene.lost[0].name]
    scene.see(scene.lost[1])
    scene.observe()
    second = returned_view(scene.link)
    assert second is not None
    assert second["fenced_at"] is None, "a node that came later is not fenced yet"


def failover_plan(link: Link, *, fences: bool) -> Plan:
    """A stored failover whose steps say it, or do not."""
    built = core_plan(link)
    step = Step(9, "record_divergence", "t", None, None, params={"fences_on_return": fences})
    return store_plan(link, replace(built, kind="failover", steps=(*built.steps, step)))


def fence_plan(link: Link, run_id: str) -> Plan:
    """A stored fence that names that run."""
    return store_plan(link, replace(core_plan(link), kind="fence_returned_side", options={"failover_run": run_id}))


def confirmed(plan: Plan, **changes: object) -> Run:
    """The failover's run, behind its point of no return."""
    run = run_start(actor="ann", plan=plan, digest=plan.digest, confirm=plan.link.name, reason="t")
    ended = {"unfinished_link": None, "state": "succeeded", "point_of_no_return_passed": True} | changes
    Run.objects.filter(pk=run.pk).update(**ended)
    return run


def test_confirmation__the_failovers_own_digest_holds_the_fence__covers_it(link: Link) -> None:
    run = confirmed(failover_plan(link, fences=True))
    assert is_confirmed_by_failover(fence_plan(link, run.id))


def test_confirmation__anything_else__covers_nothing(link: Link) -> None:
    without = confirmed(failover_plan(link, fences=False))
    assert not is_confirmed_by_failover(fence_plan(link, without.id))
    unrun = confirmed(failover_plan(link, fences=True), point_of_no_return_passed=False, state="aborted")
    assert not is_confirmed_by_failover(fence_plan(link, unrun.id))
    assert not is_confirmed_by_failover(fence_plan(link, "r_unknown"))
    run = confirmed(failover_plan(link, fences=True))
    other = make_link("other", net="127.0.72")
    assert not is_confirmed_by_failover(fence_plan(other, run.id))
    assert not is_confirmed_by_failover(failover_plan(link, fences=True))


def test_start__link_requires_approval__only_what_was_approved_before_waits_for_nobody(link: Link) -> None:
    Link.objects.update(requires_approval=True)
    link.refresh_from_db()
    plan = store_plan(link)
    run = run_start(actor="ann", plan=plan, digest=plan.digest, confirm=link.name, reason="t", is_approved=True)
    assert run.state == RunState.QUEUED.value
    Run.objects.update(unfinished_link=None, state="failed")
    next_plan = store_plan(link)
    waits = run_start(actor="ann", plan=next_plan, digest=next_plan.digest, confirm=link.name, reason="t")
    assert waits.state == RunState.WAITING_APPROVAL.value


def test_divergence__stored__keeps_what_the_failover_said(scene: Scene) -> None:
    row = Divergence.objects.get(open_link=scene.link.id)
    assert row.facts["fences_on_return"] is True
    old = {k: v for k, v in row.facts.items() if k != "fences_on_return"}
    Divergence.objects.update(facts=old)
    scene.see(scene.lost[0])
    assert scene.observe() is None, "a failover of an older version said nothing of it"
    assert divergence_to_json(CoreDivergence("c", "d", None, 0.0))["fences_on_return"] is False
