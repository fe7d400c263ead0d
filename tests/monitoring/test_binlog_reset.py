"""A source's log that was reset under a connected channel: no error is shown, and a part never comes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.clusters.models import Link
from backend.core.dialects import dialect_for
from backend.core.positions import FilePosition
from backend.core.topology import ChannelFacts, NodeFacts
from backend.gateway.polling.binlog_tail import BinlogTail
from backend.gateway.polling.pollers import Polled
from backend.monitoring.link_gateway import recorded_channels
from backend.monitoring.models import ChannelRecord, LagSample, LinkStatus
from backend.monitoring.recording.links import store_link
from backend.monitoring.recording.nodes import store_nodes
from backend.monitoring.times import from_unix
from tests.monitoring.facts import NOW, channel, gone, link, up

pytestmark = pytest.mark.django_db
FILE = "binlog.000002"
AT_900 = channel("a1")
POINTED_ANEW = channel("a1", exec_offset=400, read_offset=400)


class Watched:
    """The link of a1 and b1, one look after the other."""

    def __init__(self, stored: Link) -> None:
        self._stored = stored
        self._tail = BinlogTail(FilePosition(FILE, 900))
        self._at_s = NOW
        self.poll(900)

    def poll(self, end: int, carries: ChannelFacts | None = AT_900, b1: NodeFacts | None = None) -> str:
        """The state told when a1's log ends there and b1 shows that channel."""
        self._at_s += 2
        self._tail.advance(lambda sql: [], dialect_for("mariadb", "10.11.19-MariaDB"), FilePosition(FILE, end))
        shown = b1 or up("b1", *([carries] if carries else []))
        facts = {n.node.id: replace(n, observed_at_s=self._at_s) for n in link({"b1": shown}).nodes}
        store_nodes(facts, from_unix(self._at_s))
        store_link(self._stored, facts, {"n_a1": Polled(facts["n_a1"], None, self._tail)}, from_unix(self._at_s))
        return LinkStatus.objects.get().state

    def gap(self) -> int | None:
        """What b1 lacks, as told last."""
        return LagSample.objects.latest("id").forward_gap


def test_log__reset_under_a_connected_channel__broken_and_the_loss_not_known(stored_link: Link) -> None:
    watched = Watched(stored_link)
    assert watched.poll(325) == "broken"
    assert watched.gap() is None
    assert {one.direction.value: one.waits_for_position for one in recorded_channels(stored_link.id)}["forward"]
    status = LinkStatus.objects.get()
    (finding,) = [f for f in status.findings if f["code"] == "channel_broken"]
    assert f"was reset; db-b1 still waits for {FILE}:900" in finding["message"]
    assert "another node of Milan" in finding["remedy"]
    assert status.primary_action is not None
    assert status.primary_action["replaced_node"] == "n_a1"


def test_log__grown_past_the_old_position__what_was_left_out_is_still_reported(stored_link: Link) -> None:
    watched = Watched(stored_link)
    watched.poll(325)
    assert watched.poll(2_000, channel("a1", exec_offset=2_000)) == "broken"
    assert watched.gap() is None


def test_log__reset_and_the_source_refuses_the_old_position__what_is_missing_is_not_known(stored_link: Link) -> None:
    """Where the new log has no file of the old one's name, the server itself says that it cannot go on."""
    watched = Watched(stored_link)
    refused = replace(AT_900, io_running="No", io_errno=1236, io_error="could not find next log")
    assert watched.poll(325, refused) == "broken"
    assert watched.gap() is None
    (finding,) = [f for f in LinkStatus.objects.get().findings if f["code"] == "channel_broken"]
    assert "reach back far enough" in finding["remedy"]


def test_log__continues__a_channel_read_a_moment_after_it_stands_beyond_it_and_owes_nothing(stored_link: Link) -> None:
    watched = Watched(stored_link)
    assert watched.poll(1_000, channel("a1", exec_offset=1_126)) == "protected"
    assert watched.gap() == 0


def test_log__reset_while_the_replica_was_down__reported_once_it_is_seen_again(stored_link: Link) -> None:
    watched = Watched(stored_link)
    watched.poll(325, b1=gone("b1"))
    assert watched.poll(325) == "broken"


def test_log__reset_and_a_channel_was_pointed_again_in_that_moment__protected(stored_link: Link) -> None:
    watched = Watched(stored_link)
    assert watched.poll(400, POINTED_ANEW) == "protected"


@pytest.mark.parametrize(
    "carries",
    [
        pytest.param(POINTED_ANEW, id="pointed-into-the-new-log"),
        pytest.param(channel("a2"), id="from-another-node"),
        pytest.param(channel("a1", relay_file="relay.000001", exec_offset=950), id="to-a-place-behind-the-old-one"),
        pytest.param(channel("a1", exec_file="other.000002", exec_offset=950), id="into-a-log-of-another-name"),
    ],
)
def test_log__channel_pointed_since__protected_again_and_for_good(stored_link: Link, carries: ChannelFacts) -> None:
    watched = Watched(stored_link)
    watched.poll(325)
    watched.poll(400, carries)
    assert watched.poll(2_000, replace(carries, exec_offset=2_000)) == "protected"


@pytest.mark.parametrize(("using_gtid", "state"), [("Slave_Pos", "protected"), ("No", "broken")])
def test_log__channel_began_again_by_itself__by_gtid_it_asks_for_what_it_lacks(
    stored_link: Link, using_gtid: str, state: str
) -> None:
    watched = Watched(stored_link)
    by = replace(AT_900, using_gtid=using_gtid)
    watched.poll(325, by)
    watched.poll(325, replace(by, io_running="Connecting"))
    assert watched.poll(325, by) == state


def test_log__seen_to_be_reset_once__a_silent_source_does_not_report_it_again(stored_link: Link) -> None:
    watched = Watched(stored_link)
    watched.poll(325)
    watched.poll(400, POINTED_ANEW)
    ChannelRecord.objects.update(observed_at=from_unix(NOW + 100))
    assert watched.poll(300, POINTED_ANEW) == "protected"
