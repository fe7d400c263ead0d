"""A node that a run pointed and did not start comes up again at the moment the holder on record dies."""

from __future__ import annotations

import pytest

from backend.clusters.models import Link
from backend.monitoring import left_pointed
from backend.monitoring.models import ChannelRecord, CleaningDue, LeftPointed
from backend.monitoring.times import at
from tests.monitoring.facts import NOW, channel, gone, up
from tests.monitoring.ticks import tick

pytestmark = pytest.mark.django_db
UP_FOR_S = 100


def pointed(link: Link, node: str, ago_s: float) -> None:
    """So long ago, by a run."""
    left_pointed.mark(link_id=link.id, node_id=f"n_{node}", channel_name="", run_id="r_000000000001")
    LeftPointed.objects.update(pointed_at=at(NOW - ago_s))


def taken_over(link: Link, **how: object) -> str:
    """The holder on record is gone and b2 holds a channel like it; the node on record then."""
    tick(link, {"b1": gone("b1"), "b2": up("b2", channel("a1", **how))}, 1)
    return ChannelRecord.objects.get(link=link, direction="forward").replica_node_id


def test_left_pointed__its_server_came_up_since_and_it_runs__is_to_be_cleaned_and_not_taken_for_moved(
    stored_link: Link,
) -> None:
    tick(stored_link)
    pointed(stored_link, "b2", UP_FOR_S * 2)
    assert taken_over(stored_link) == "n_b1"
    assert [due.node_id for due in CleaningDue.objects.all()] == ["n_b2"]
    assert not LeftPointed.objects.exists()


def test_left_pointed__somebody_started_it__counts_as_moved(stored_link: Link) -> None:
    """As the runbook of a stopped run tells a person to."""
    tick(stored_link)
    pointed(stored_link, "b2", UP_FOR_S / 2)
    assert taken_over(stored_link) == "n_b2"
    assert not CleaningDue.objects.exists()


def test_left_pointed__stands_still__is_waited_for(stored_link: Link) -> None:
    """The run that pointed it may still start it."""
    tick(stored_link)
    pointed(stored_link, "b2", UP_FOR_S * 2)
    assert taken_over(stored_link, io_running="No", sql_running="No") == "n_b1"
    assert LeftPointed.objects.exists()
    assert not CleaningDue.objects.exists()


def test_left_pointed__the_one_on_record__stays_it(stored_link: Link) -> None:
    tick(stored_link)
    pointed(stored_link, "b1", UP_FOR_S * 2)
    tick(stored_link, None, 1)
    assert ChannelRecord.objects.get(link=stored_link, direction="forward").replica_node_id == "n_b1"
    assert not CleaningDue.objects.exists()
