"""Where a moved channel stands is on record as soon as it runs, and who may return with an old one is known."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from backend.clusters.models import Link, Node
from backend.core.facts.serialization import channel_to_json
from backend.core.plan import Plan as CorePlan
from backend.core.plan import Step
from backend.core.plans import relocate, remove_channels, reprotect, switchover
from backend.core.topology import ChannelFacts, Direction
from backend.monitoring.models import ChannelRecord, CleanupDue, StrayChannel
from backend.operations.runs.execution.channel_records import RECENT_S, record_intent, record_move, records_of
from backend.operations.runs.models import Run
from tests.monitoring.facts import channel
from tests.support.console import core_plan

FORWARD = Direction.FORWARD.value


@dataclass
class Seen:
    """Nodes that are up and hold this channel, and how old their facts may be."""

    held: ChannelFacts | None
    asked: set[str] = field(default_factory=set)
    max_age_s: float = -1.0

    def facts_of(self, node_ids: Collection[str], *, max_age_s: float) -> dict[str, Any]:
        """The same for each."""
        self.asked, self.max_age_s = set(node_ids), max_age_s
        return {
            one: SimpleNamespace(is_up=True, node=SimpleNamespace(id=one, name=one), channel=lambda _: self.held)
            for one in node_ids
        }


THERE = list(channel("a1").source_address)
ILL = [
    {"io_running": "Connecting"},
    {"io_running": "No"},
    {"io_running": "No", "sql_running": "No", "sql_errno": 1062},
]


def _record_step(run: Run, plan: CorePlan, step: Step, gateway: Any, **how: bool) -> None:
    for write in records_of(run, plan, step, gateway, **how):
        write()


def nodes(link: Link) -> tuple[Node, Node, Node]:
    """Two that may replicate the forward stream, and its source."""
    first, second = link.standby_cluster.nodes.order_by("name")
    source = link.active_cluster.nodes.order_by("name")[0]
    return first, second, source


def moved(link: Link, to: Node, source: Node, old: Node | None) -> CorePlan:
    """A plan that points the forward channel at `to` and starts it there."""
    params: dict[str, Any] = {"direction": FORWARD, "name": "", "source_node_id": source.id, "source": THERE}
    point = Step(
        0, "change_source", "point", to.id, to.name, params={**params, "old_replica_id": old.id if old else None}
    )
    start = Step(1, "start_channel", "start", to.id, to.name, params=params)
    return replace(core_plan(link), steps=(point, start))


def recorded(link: Link, replica: Node, source: Node) -> None:
    """What the monitor saw before."""
    ChannelRecord.objects.create(
        link=link,
        direction=FORWARD,
        replica_node=replica,
        source_node=source,
        channel=channel_to_json(channel("a1")),
        observed_at=timezone.now(),
    )


@pytest.mark.parametrize("kind", [relocate.KIND, reprotect.KIND])
@pytest.mark.parametrize("is_cleaned", [True, False])
def test_started__on_record_at_once_and_the_holder_it_left_is_no_surprise(
    link: Link, run: Run, is_cleaned: bool, kind: str
) -> None:
    """One that was down when the plan was made is not cleaned by it, and may be back."""
    old, new, source = nodes(link)
    recorded(link, old, source)
    plan = replace(moved(link, new, source, old), kind=kind)
    if is_cleaned:
        plan = replace(plan, steps=(*plan.steps, Step(2, "reset_channel", "reset_channel", old.id, old.name)))
    _record_step(run, plan, plan.steps[1], Seen(channel("a1")))
    assert ChannelRecord.objects.get(link=link).replica_node_id == new.id
    assert CleanupDue.objects.filter(node=old).exists() is not is_cleaned


def test_started__another_channel_was_moved_than_the_recorded__its_node_is_still_to_be_cleaned(
    link: Link, run: Run
) -> None:
    """A person set up a second one after the recorded node had failed."""
    dead, new, source = nodes(link)
    recorded(link, dead, source)
    plan = moved(link, new, source, None)
    _record_step(run, plan, plan.steps[1], Seen(channel("a1")))
    assert ChannelRecord.objects.get(link=link).replica_node_id == new.id
    assert CleanupDue.objects.get(link=link, direction=FORWARD).node_id == dead.id


@pytest.mark.parametrize(
    "how",
    [{"io_running": "Connecting"}, {"io_running": "No"}, {"io_running": "No", "sql_running": "No", "sql_errno": 1062}],
)
def test_started__and_does_not_run_well__on_record_all_the_same(link: Link, run: Run, how: dict[str, Any]) -> None:
    """It may have applied something: the holder of before must not count once it is back."""
    old, new, source = nodes(link)
    recorded(link, old, source)
    plan = moved(link, new, source, old)
    _record_step(run, plan, plan.steps[1], Seen(channel("a1", **how)))
    assert ChannelRecord.objects.get(link=link).replica_node_id == new.id


def test_started__not_seen_or_not_started_or_another_step__record_stays(link: Link, run: Run) -> None:
    old, new, source = nodes(link)
    recorded(link, old, source)
    plan = moved(link, new, source, old)
    _record_step(run, plan, plan.steps[1], Seen(None))
    _record_step(run, plan, plan.steps[0], Seen(channel("a1")))
    _record_step(run, plan, plan.steps[1], Seen(channel("a2")))
    _record_step(run, plan, plan.steps[1], Seen(channel("a1", io_running="No", sql_running="No")))
    assert ChannelRecord.objects.get(link=link).replica_node_id == old.id


def test_started__failed__what_was_polled_before_the_statement_is_not_recorded(link: Link, run: Run) -> None:
    """A statement that failed may have taken effect; its node was last polled before it."""
    _, new, source = nodes(link)
    plan = moved(link, new, source, None)
    proven, failed = Seen(channel("a1")), Seen(channel("a1"))
    _record_step(run, plan, plan.steps[1], proven)
    _record_step(run, plan, plan.steps[1], failed, is_done=False)
    assert (proven.max_age_s, failed.max_age_s) == (RECENT_S, 0.0)


def test_pointed__from_its_intent_on__is_known_as_left_so(link: Link, run: Run) -> None:
    """Until the monitor sees it on record and running: who started it may not live to keep it there."""
    _, new, source = nodes(link)
    plan = replace(moved(link, new, source, None), kind=switchover.KIND)
    record_intent(run, plan.steps[1])
    assert not StrayChannel.objects.exists()
    record_intent(run, plan.steps[0])
    _record_step(run, plan, plan.steps[0], Seen(None))
    _record_step(run, plan, plan.steps[1], Seen(channel("a1")))
    assert [left.node_id for left in StrayChannel.objects.filter(link=link)] == [new.id]


@pytest.mark.parametrize("is_done", [True, False])
def test_pointed__then_cleaned__is_left_no_more(link: Link, run: Run, is_done: bool) -> None:
    _, new, source = nodes(link)
    plan = moved(link, new, source, None)
    record_intent(run, plan.steps[0])
    clean = Step(2, "reset_channel", "reset_channel", new.id, new.name)
    _record_step(run, plan, clean, Seen(None), is_done=is_done)
    assert StrayChannel.objects.exists() is not is_done


def test_moved__old_and_new_holder_are_polled__and_no_other(link: Link, run: Run) -> None:
    old, new, source = nodes(link)
    recorded(link, old, source)
    polled = Seen(channel("a1"))
    assert record_move(run, moved(link, new, source, old), polled) == []
    assert polled.asked == {old.id, new.id}
    assert ChannelRecord.objects.get(link=link).replica_node_id == new.id
    assert not CleanupDue.objects.exists()


def test_removed__all_channels_of_the_link__none_is_expected_any_more(link: Link, run: Run) -> None:
    old, new, source = nodes(link)
    recorded(link, new, source)
    CleanupDue.objects.create(link=link, node=old, direction=FORWARD, channel_name="", run_id=run.id)
    assert record_move(run, replace(core_plan(link), kind=remove_channels.KIND), Seen(None)) == []
    assert not ChannelRecord.objects.exists()
    assert not CleanupDue.objects.exists()
