"""The monitor compares logs with what is stored of them; what it finds stays until the channel is pointed anew."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.clusters.models import Link
from backend.common.events.models import Event
from backend.core.facts.log_continuity import PlaceRead
from backend.core.ports import NodeError
from backend.core.positions import FilePosition, Seqno
from backend.core.topology import BinlogFacts, ChannelFacts, Direction, NodeFacts
from backend.gateway.connection.endpoint import NodeAccess, NodeEndpoint, Tls
from backend.gateway.polling.binlog_tail import BinlogTail, TailGroup
from backend.gateway.polling.journal_sample import Sample
from backend.gateway.polling.pollers import Polled
from backend.monitoring.journal import DbJournal
from backend.monitoring.link_gateway import recorded_channels
from backend.monitoring.models import ChannelRecord, Checkpoint, Divergence, LinkStatus, NodeLog
from backend.monitoring.recording.links import store_link
from backend.monitoring.recording.log_watch import LogWatch
from backend.monitoring.recording.nodes import store_nodes, store_samples
from backend.monitoring.times import from_unix
from tests.monitoring.facts import NOW, UUIDS, channel, link, ref, up, with_wsrep

pytestmark = pytest.mark.django_db
FILE = "binlog.000002"
EVENT = 31


class Watched:
    """The link of a1 and b1 under one monitor after the other; `log` is what a1's log holds."""

    def __init__(self, stored: Link) -> None:
        self._stored = stored
        self.at_s = NOW
        self.created_s = {FILE: 100}
        self.groups: dict[FilePosition, int] = {}
        self.seqno = 0
        self.uptime_s = 1_000
        self.is_readable = True
        self.reads: list[FilePosition] = []
        self.start_monitor()

    def start_monitor(self) -> None:
        self.watch = LogWatch(self._read)
        self._tail = BinlogTail()

    def _read(self, access: NodeAccess, begins: FilePosition) -> PlaceRead:
        self.reads.append(begins)
        if not self.is_readable:
            raise NodeError("db-a1", "access denied", code=1227)
        if begins.file not in self.created_s:
            return PlaceRead(refusal="Could not find first log file name in binary log index file")
        if begins.offset == 4:
            return PlaceRead(self.created_s[begins.file])
        end = FilePosition(begins.file, begins.offset + EVENT)
        if end not in self.groups:
            return PlaceRead(refusal="Client requested master to start replication from impossible position")
        return PlaceRead(self.created_s[begins.file], 11, end.offset, self.groups[end], 1)

    def write(self, offset: int, file: str = FILE) -> None:
        """One transaction that ends there."""
        self.seqno += 1
        self.groups[FilePosition(file, offset)] = self.seqno

    @property
    def end(self) -> FilePosition:
        return max(self.groups, key=lambda place: (place.number, place.offset))

    def a1(self) -> NodeFacts:
        end, files = self.end, tuple((name, 900) for name in sorted(self.created_s))
        shown = replace(up("a1", channel("b1")), observed_at_s=self.at_s, uptime_s=self.uptime_s)
        return with_wsrep(replace(shown, binlog=BinlogFacts(end.file, end.offset, files)), last_committed=self.seqno)

    def poll(self, carries: ChannelFacts | None = None, a1: NodeFacts | None = None) -> str:
        """One tick, in which b1 has applied all; the state told."""
        self.at_s += 1
        self.uptime_s += 1
        end = self.end
        node = a1 or self.a1()
        node = replace(node, observed_at_s=self.at_s) if node.is_up else node
        last = TailGroup(end, self.groups[end], 11, last_event=end.offset - EVENT)
        self._tail._groups = [last]
        sample = Sample("n_a1", UUIDS["a"], end, last.seqno or 0, True, self.at_s)
        seen = {"n_a1": Polled(node, sample if node.is_up else None, self._tail)}
        b1 = up("b1", carries or channel("a1", exec_file=end.file, exec_offset=end.offset, relay_file="relay.000009"))
        facts = {n.node.id: replace(n, observed_at_s=self.at_s) for n in link({"a1": node, "b1": b1}).nodes}
        self.watch.keep_only({"n_a1"})
        self.watch.read(seen, {"n_a1": ACCESS}, wait_s=30)
        doubtful = self.watch.store(seen, self.at_s)
        store_nodes(facts, from_unix(self.at_s))
        store_samples([s for s in (p.sample for p in seen.values()) if s and s.node_id not in doubtful], {})
        store_link(self._stored, facts, seen, from_unix(self.at_s))
        return LinkStatus.objects.get().state

    def codes(self) -> set[str]:
        return {finding["code"] for finding in LinkStatus.objects.get().findings}

    def run(self) -> Watched:
        """Some transactions, each seen."""
        for offset in (400, 500, 600):
            self.write(offset)
            assert self.poll() == "protected"
        return self


_ENDPOINT = NodeEndpoint("127.0.1.1", 3306, "monitor", "secret", Tls())
ACCESS = NodeAccess(ref("a1"), _ENDPOINT, _ENDPOINT)


def test_log__read_once_for_its_file__and_no_more_while_the_server_runs(stored_link: Link) -> None:
    watched = Watched(stored_link).run()
    assert watched.reads == [FilePosition(FILE, 4)]
    row = NodeLog.objects.get()
    assert (row.file, row.created_s, row.end_offset, row.xid, row.seqno) == (FILE, 100, 600, 3, 3)


def test_log__ordinary_restarts_and_rotation__no_alarm_and_samples_stay(stored_link: Link) -> None:
    watched = Watched(stored_link).run()
    watched.uptime_s = 2
    watched.created_s["binlog.000003"] = 150
    watched.write(400, "binlog.000003")
    assert watched.poll() == "protected"
    watched.start_monitor()
    assert watched.poll() == "protected"
    watched.created_s["binlog.000004"] = 170
    watched.write(300, "binlog.000004")
    assert watched.poll() == "protected"
    assert not Checkpoint.objects.filter(is_void=True).exists()
    assert NodeLog.objects.get().file == "binlog.000004"


def purged(watched: Watched) -> None:
    """While no monitor runs the log rotates, and the file on record is removed in order."""
    watched.created_s = {"binlog.000007": 190, "binlog.000008": 195}
    watched.write(400, "binlog.000008")
    watched.start_monitor()


def test_log__purged_in_order_while_the_console_was_away_and_the_server_ran_on__no_alarm(stored_link: Link) -> None:
    watched = Watched(stored_link).run()
    purged(watched)
    assert watched.poll() == "protected"
    assert watched.poll() == "protected"
    assert NodeLog.objects.get().file == "binlog.000008"
    assert not Checkpoint.objects.filter(is_void=True).exists()


def test_log__purged_and_its_server_started_while_the_console_was_away__unknown(stored_link: Link) -> None:
    watched = Watched(stored_link).run()
    purged(watched)
    watched.uptime_s = 2
    assert watched.poll() == "unknown"
    assert "source_log_unread" in watched.codes()


def test_channel__reset_without_a_new_position__stays_broken(stored_link: Link) -> None:
    """RESET SLAVE begins the relay logs again, as CHANGE MASTER does, and gives no position."""
    watched = Watched(stored_link).run()
    set_back(watched)
    assert watched.poll() == "broken"
    reset = {"exec_file": "", "exec_offset": 0, "read_file": "", "read_offset": 4, "relay_file": "relay.000001"}
    watched.poll(replace(channel("a1", **reset), io_running="No", sql_running="No"))
    assert ChannelRecord.objects.filter(log_break__isnull=False).exists()


def set_back(watched: Watched) -> None:
    """The copies of an earlier time, started: a file of the same name, and the same numbers at the same places."""
    watched.created_s[FILE] = 200
    watched.groups = {FilePosition(FILE, offset): number for number, offset in enumerate((400, 500, 600), 1)}
    watched.uptime_s = 5


def test_site__set_back_while_the_monitor_was_down__told_in_its_first_look(stored_link: Link) -> None:
    """Row by row the same: file, GTIDs, offset and number (measured); only the file was begun at another time."""
    watched = Watched(stored_link).run()
    set_back(watched)
    watched.start_monitor()
    assert watched.poll() == "broken"
    assert "source_log_replaced" in watched.codes()
    (recorded,) = [one for one in recorded_channels(stored_link.id) if one.direction is Direction.FORWARD]
    assert recorded.log_break is not None
    assert recorded.log_break.seam_seqno == 3
    assert watched.poll() == "broken"
    watched.start_monitor()
    assert watched.poll() == "broken"
    kinds = [event.data["kind"] for event in Event.objects.filter(type="event.raised")]
    assert kinds.count("channel.not_continuous") == 1


def test_site__lost_in_a_failover_and_back_as_a_copy__is_no_alarm(stored_link: Link) -> None:
    watched = Watched(stored_link).run()
    lost = stored_link.active_cluster
    Divergence.objects.create(link=stored_link, open_link=stored_link.pk, lost_cluster=lost, run_id="r_1", facts={})
    set_back(watched)
    end = watched.end
    tail = BinlogTail()
    seen = {"n_a1": Polled(replace(watched.a1(), observed_at_s=watched.at_s + 1), None, tail)}
    watched.watch.read(seen, {"n_a1": ACCESS}, wait_s=30)
    watched.watch.store(seen, watched.at_s + 1)
    assert not ChannelRecord.objects.filter(log_break__isnull=False).exists()
    assert not Checkpoint.objects.filter(is_void=False).exists()
    assert end in watched.groups


def test_samples__of_the_log_before__void_for_every_search(stored_link: Link) -> None:
    watched = Watched(stored_link).run()
    journal, place = DbJournal(), FilePosition(FILE, 500)
    assert journal.seqno_at("n_a1", UUIDS["a"], place) == 2
    set_back(watched)
    watched.poll()
    assert Checkpoint.objects.filter(is_void=False).count() == 0
    assert journal.seqno_at("n_a1", UUIDS["a"], place) is None
    assert journal.checkpoint_at("n_a1", UUIDS["a"], place) is None
    assert journal.checkpoint_before("n_a1", Seqno(UUIDS["a"], 3)) is None
    assert journal.checkpoint_at_age("n_a1", UUIDS["a"], 0) is None
    assert journal.checkpoint_by("n_a1", from_unix(watched.at_s)) is None
    assert journal.furthest("n_a1") is not None  # how far the log was still tells that it was reset


def test_counter__fell__samples_of_the_whole_cluster_are_void(stored_link: Link) -> None:
    watched = Watched(stored_link).run()
    store_samples([Sample("n_a2", UUIDS["a"], FilePosition(FILE, 400), 1, True, watched.at_s)], {})
    watched.seqno, watched.uptime_s = 2, 2
    assert watched.poll() == "broken"
    assert "source_counter_fell" in watched.codes()
    assert not Checkpoint.objects.filter(node="n_a2", is_void=False).exists()


def test_counter__behind_the_log_while_the_server_runs__no_alarm(stored_link: Link) -> None:
    """A poll reads the log after the counter, and is stored again while the next one is under way."""
    watched = Watched(stored_link).run()
    behind = with_wsrep(watched.a1(), last_committed=watched.seqno - 2)
    assert [watched.poll(a1=behind) for _ in range(3)] == ["protected"] * 3
    assert not Checkpoint.objects.filter(is_void=True).exists()


def test_log__cannot_be_read__known_as_before_for_a_moment_then_unknown_and_its_place_stays(stored_link: Link) -> None:
    watched = Watched(stored_link).run()
    watched.is_readable = False
    watched.uptime_s = 2
    watched.write(700)
    assert watched.poll() == "protected"
    watched.at_s += 20
    assert watched.poll() == "unknown"
    assert "source_log_unread" in watched.codes()
    forward = next(one for one in recorded_channels(stored_link.id) if one.direction is Direction.FORWARD)
    assert forward.channel.exec_offset == 600
    assert Checkpoint.objects.filter(offset=700).count() == 0


def test_channel__pointed_anew_after_a_break__protected_again(stored_link: Link) -> None:
    watched = Watched(stored_link).run()
    set_back(watched)
    assert watched.poll() == "broken"
    assert watched.poll(channel("a1", exec_offset=600, relay_file="relay.000001")) == "protected"


def test_channel__another_server_answers_at_its_address__told(stored_link: Link) -> None:
    watched = Watched(stored_link)
    watched.write(400)
    seen = channel("a1", exec_offset=400, relay_file="relay.000009", source_server_id=11)
    assert watched.poll(seen) == "protected"
    assert watched.poll(replace(seen, source_server_id=12)) == "broken"
    assert "source_server_changed" in watched.codes()


def test_channel__another_server_answers_after_the_replica_was_started__told(stored_link: Link) -> None:
    """It shows no server_id until it connects; the console compares with what is stored."""
    watched = Watched(stored_link)
    watched.write(400)
    seen = channel("a1", exec_offset=400, relay_file="relay.000009", source_server_id=11)
    assert watched.poll(seen) == "protected"
    seen = replace(seen, relay_file="relay.000010")
    watched.poll(replace(seen, source_server_id=None, io_running="Connecting"))
    assert watched.poll(replace(seen, source_server_id=12)) == "broken"
    assert "source_server_changed" in watched.codes()


def test_channel_by_a_virtual_address__leads_to_another_node_after_a_restart_of_the_console__told(
    stored_link: Link,
) -> None:
    """No node has its address, so that no direction has a record of it."""
    watched = Watched(stored_link)
    watched.write(400)
    seen = channel("a1", source_host="vip.example", exec_offset=400, relay_file="relay.000009", source_server_id=11)
    watched.poll(seen)
    assert "source_server_changed" not in watched.codes()
    begun = Watched(stored_link)  # of the console before nothing is in memory
    begun.write(500)
    begun.at_s = watched.at_s
    begun.poll(replace(seen, source_server_id=None, io_running="Connecting", relay_file="relay.000010"))
    begun.poll(replace(seen, source_server_id=12, relay_file="relay.000010"))
    assert "source_server_changed" in begun.codes()
    begun.poll(replace(seen, source_server_id=12, relay_file="relay.000011"))
    assert "source_server_changed" in begun.codes()
    begun.poll(replace(seen, source_server_id=12, relay_file="relay.000001"))
    assert "source_server_changed" not in begun.codes()
