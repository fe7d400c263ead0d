"""A channel beside the one on record begins automatically at the moment the holder on record fails."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.clusters.models import Link
from backend.monitoring.models import ChannelRecord, CleanupDue, StrayChannel
from backend.monitoring.recording import stray_channels
from backend.monitoring.times import from_unix
from tests.monitoring.facts import NOW, channel, gone, up
from tests.monitoring.ticks import tick

pytestmark = pytest.mark.django_db
UP_FOR_S = 100


def pointed(link: Link, node: str, ago_s: float) -> None:
    """So long ago, by a run."""
    stray_channels.mark_stray(link_id=link.id, node_id=f"n_{node}", channel_name="", run_id="r_000000000001")
    StrayChannel.objects.update(seen_at=from_unix(NOW - ago_s))


def taken_over(link: Link, **how: object) -> str:
    """The holder on record is down and b2 holds a channel like it; the node on record then."""
    tick(link, {"b1": gone("b1"), "b2": up("b2", channel("a1", **how))}, 1)
    return ChannelRecord.objects.get(link=link, direction="forward").replica_node_id


def test_stray_channel__its_server_came_up_since_and_it_runs__is_to_be_cleaned_and_not_taken_for_moved(
    stored_link: Link,
) -> None:
    tick(stored_link)
    pointed(stored_link, "b2", UP_FOR_S * 2)
    assert taken_over(stored_link) == "n_b1"
    assert [due.node_id for due in CleanupDue.objects.all()] == ["n_b2"]
    assert not StrayChannel.objects.exists()


def test_stray_channel__somebody_started_it__counts_as_moved(stored_link: Link) -> None:
    """As the runbook of a stopped run tells a person to."""
    tick(stored_link)
    pointed(stored_link, "b2", UP_FOR_S / 2)
    assert taken_over(stored_link) == "n_b2"
    assert not CleanupDue.objects.exists()


def test_stray_channel__stands_still__is_waited_for(stored_link: Link) -> None:
    """The run that pointed it may still start it."""
    tick(stored_link)
    pointed(stored_link, "b2", UP_FOR_S * 2)
    assert taken_over(stored_link, io_running="No", sql_running="No") == "n_b1"
    assert StrayChannel.objects.exists()
    assert not CleanupDue.objects.exists()


def test_stray_channel__the_one_on_record__stays_it(stored_link: Link) -> None:
    tick(stored_link)
    pointed(stored_link, "b1", UP_FOR_S * 2)
    tick(stored_link, None, 1)
    assert ChannelRecord.objects.get(link=stored_link, direction="forward").replica_node_id == "n_b1"
    assert not CleanupDue.objects.exists()


def stray_nodes() -> list[str]:
    """Nodes whose channel would be to be cleaned if it began automatically."""
    return sorted(one.node_id for one in StrayChannel.objects.all())


def test_second_channel__begins_by_itself_as_the_holder_dies__is_to_be_cleaned_and_not_taken_for_moved(
    stored_link: Link,
) -> None:
    assert survivor(stored_link, up_for_s=0) == "n_b1"
    assert [one.node_id for one in CleanupDue.objects.all()] == ["n_b2"]


def test_second_channel__went_on_running_as_the_holder_died__counts_as_moved(stored_link: Link) -> None:
    """It is what a person made of it."""
    assert survivor(stored_link, up_for_s=100) == "n_b2"
    assert not CleanupDue.objects.exists()


def survivor(link: Link, *, up_for_s: int) -> str:
    """b2 held a second channel beside b1's, which is down; the node on record then."""
    tick(link)
    tick(link, {"b2": up("b2", channel("a1"))})
    assert stray_nodes() == ["n_b2"]
    tick(link, {"b1": gone("b1"), "b2": replace(up("b2", channel("a1")), uptime_s=up_for_s)}, 1)
    return ChannelRecord.objects.get(link=link, direction="forward").replica_node_id


def test_holder__down_when_the_channel_was_moved_by_hand__is_to_be_cleaned_once_it_is_back(stored_link: Link) -> None:
    """It returns with its channel in the moment in which the new holder fails."""
    tick(stored_link)
    tick(stored_link, {"b1": gone("b1"), "b2": up("b2", channel("a1"))}, 1)
    assert stray_nodes() == ["n_b1"]
    StrayChannel.objects.update(seen_at=from_unix(NOW))
    tick(stored_link, {"b1": replace(up("b1", channel("a1")), uptime_s=0), "b2": gone("b2")}, 2)
    assert ChannelRecord.objects.get(link=stored_link, direction="forward").replica_node_id == "n_b2"
    assert [one.node_id for one in CleanupDue.objects.all()] == ["n_b1"]


def test_holder__seen_empty_when_the_channel_was_moved_by_hand__leaves_nothing(stored_link: Link) -> None:
    tick(stored_link)
    tick(stored_link, {"b1": up("b1"), "b2": up("b2", channel("a1"))}, 1)
    assert stray_nodes() == []


@pytest.mark.parametrize(("ago_s", "left"), [(50, ["n_b2"]), (70, [])])
def test_stray_channel__its_node_holds_none__waited_for_as_long_as_a_statement_may_be_under_way(
    stored_link: Link, ago_s: float, left: list[str]
) -> None:
    tick(stored_link)
    pointed(stored_link, "b2", ago_s)
    tick(stored_link, {"b2": gone("b2")}, 1)
    assert stray_nodes() == ["n_b2"]
    tick(stored_link, None, 2)
    assert stray_nodes() == left


def test_stray_channel__became_the_one_on_record_and_runs__is_stray_no_more(stored_link: Link) -> None:
    tick(stored_link)
    pointed(stored_link, "b1", 1)
    tick(stored_link, {"b1": up("b1", channel("a1", io_running="No", sql_running="No"))}, 1)
    assert stray_nodes() == ["n_b1"]
    tick(stored_link, None, 2)
    assert stray_nodes() == []
