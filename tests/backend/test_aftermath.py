"""Where a moved channel stands is on record as soon as it runs, and who may come back with an old one is known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from django.utils import timezone

from backend.clusters.models import Link, Node
from backend.core.facts_json import channel_to_json
from backend.core.plan import Plan as CorePlan
from backend.core.plan import Step
from backend.core.topology import ChannelFacts, Direction
from backend.monitoring.models import ChannelRecord, CleaningDue
from backend.runs.aftermath import record_step
from backend.runs.models import Plan, Run, RunStep, Statement, StatementState
from backend.runs.services import run_start
from tests.monitoring.facts import channel
from tests.support.console import confirmation, core_plan, make_user

FORWARD = Direction.FORWARD.value


@dataclass
class Seen:
    """A node as polled, and the gateway that polls it."""

    held: ChannelFacts | None

    def observe_node(self, node_id: str) -> Seen:
        """The same node, whichever is asked for."""
        return self

    def channel(self, name: str) -> ChannelFacts | None:
        """What it holds."""
        return self.held


THERE = list(channel("a1").source_address)
ILL = [
    {"io_running": "Connecting"},
    {"io_running": "No"},
    {"io_running": "No", "sql_running": "No", "sql_errno": 1062},
]


@pytest.fixture
def run(plan: Plan) -> Run:
    """A run of the link."""
    make_user("nora", "operator")
    return run_start(actor="nora", plan=plan, **confirmation(plan))


def nodes(link: Link) -> tuple[Node, Node, Node]:
    """Two that may replicate the forward stream, and its source."""
    first, second = link.standby_cluster.nodes.order_by("name")
    source = link.active_cluster.nodes.order_by("name")[0]
    return first, second, source


def moved(link: Link, to: Node, source: Node, old: Node | None) -> CorePlan:
    """A plan that points the forward channel at `to` and starts it there."""
    params: dict[str, Any] = {"direction": FORWARD, "name": "", "source_node_id": source.id, "source": THERE}
    point = Step(0, "point", "point", to.id, to.name, params={**params, "old_replica_id": old.id if old else None})
    start = Step(1, "start", "start", to.id, to.name, params=params)
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


def told(run: Run, node: Node, acts: list[str]) -> None:
    """What a run has sent there, by the codes of its steps."""
    for number, code in enumerate(acts):
        step = RunStep.objects.create(run=run, index=run.steps.count() + 50, code=code, title=code, node=node.name)
        Statement.objects.create(
            step=step,
            epoch=1,
            node_id=node.id,
            node=node.name,
            sql=f"{code} {number}",
            sql_digest="",
            state=StatementState.OK.value,
            sent_at=timezone.now(),
        )


@pytest.mark.parametrize("is_cleaned", [True, False])
def test_started__on_record_at_once_and_the_holder_it_left_is_no_surprise(
    link: Link, run: Run, is_cleaned: bool
) -> None:
    """One that was gone when the plan was made is not cleaned by it, and may be back."""
    old, new, source = nodes(link)
    recorded(link, old, source)
    plan = moved(link, new, source, old)
    if is_cleaned:
        plan = replace(plan, steps=(*plan.steps, Step(2, "clean", "clean", old.id, old.name)))
    record_step(run, plan, plan.steps[1], Seen(channel("a1")))  # type: ignore[arg-type]
    assert ChannelRecord.objects.get(link=link).replica_node_id == new.id
    assert CleaningDue.objects.filter(node=old).exists() is not is_cleaned


def test_started__another_channel_was_moved_than_the_recorded__its_node_is_still_to_be_cleaned(
    link: Link, run: Run
) -> None:
    """A person set up a second one after the recorded node had died."""
    dead, new, source = nodes(link)
    recorded(link, dead, source)
    plan = moved(link, new, source, None)
    record_step(run, plan, plan.steps[1], Seen(channel("a1")))  # type: ignore[arg-type]
    assert ChannelRecord.objects.get(link=link).replica_node_id == new.id
    assert CleaningDue.objects.get(link=link, direction=FORWARD).node_id == dead.id


@pytest.mark.parametrize(
    "how",
    [{"io_running": "Connecting"}, {"io_running": "No"}, {"io_running": "No", "sql_running": "No", "sql_errno": 1062}],
)
def test_started__and_does_not_run_well__on_record_all_the_same(link: Link, run: Run, how: dict[str, Any]) -> None:
    """It may have applied something: the holder of before must not count once it is back."""
    old, new, source = nodes(link)
    recorded(link, old, source)
    plan = moved(link, new, source, old)
    record_step(run, plan, plan.steps[1], Seen(channel("a1", **how)))  # type: ignore[arg-type]
    assert ChannelRecord.objects.get(link=link).replica_node_id == new.id


def test_started__not_seen_or_not_started_or_another_step__record_stays(link: Link, run: Run) -> None:
    old, new, source = nodes(link)
    recorded(link, old, source)
    plan = moved(link, new, source, old)
    record_step(run, plan, plan.steps[1], Seen(None))  # type: ignore[arg-type]
    record_step(run, plan, plan.steps[0], Seen(channel("a1")))  # type: ignore[arg-type]
    record_step(run, plan, plan.steps[1], Seen(channel("a2")))  # type: ignore[arg-type]
    record_step(run, plan, plan.steps[1], Seen(channel("a1", io_running="No", sql_running="No")))  # type: ignore[arg-type]
    assert ChannelRecord.objects.get(link=link).replica_node_id == old.id


@pytest.mark.parametrize(
    ("acts", "is_due"), [(["point"], True), (["point", "clean"], False), (["clean", "point"], True)]
)
def test_started__a_node_gone_since_it_was_pointed__is_still_to_be_cleaned_unless_it_was(
    link: Link, run: Run, acts: list[str], is_due: bool
) -> None:
    """A run pointed it and stopped there, the node died, and another plan took over."""
    gone, new, source = nodes(link)
    told(run, gone, acts)
    plan = moved(link, new, source, None)
    record_step(run, plan, plan.steps[1], Seen(channel("a1")))  # type: ignore[arg-type]
    assert CleaningDue.objects.filter(link=link, direction=FORWARD, node=gone).exists() is is_due


def test_pointed__a_node_gone_since_an_earlier_run_pointed_it__is_to_be_cleaned_at_once(link: Link, run: Run) -> None:
    """This run may stop before its START; the channel on record is then the one that counts, no other is."""
    gone, new, source = nodes(link)
    told(run, gone, ["point"])
    recorded(link, new, source)
    plan = moved(link, new, source, None)
    record_step(run, plan, plan.steps[0], Seen(None))  # type: ignore[arg-type]
    assert [due.node_id for due in CleaningDue.objects.filter(link=link, direction=FORWARD)] == [gone.id]


def test_pointed__the_holder_on_record_is_gone__its_channel_counts_until_the_new_one_started(
    link: Link, run: Run
) -> None:
    holder, new, source = nodes(link)
    told(run, holder, ["point"])
    recorded(link, holder, source)
    plan = moved(link, new, source, holder)
    record_step(run, plan, plan.steps[0], Seen(None))  # type: ignore[arg-type]
    assert not CleaningDue.objects.exists()
