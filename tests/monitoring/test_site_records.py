"""What is stored of the sides of a link: views and halves, the fence of a standby side, and what is told of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pytest

from backend.clusters.models import Cluster, Link
from backend.core.dialects import dialect_for
from backend.core.facts.halves import was_split
from backend.core.link_facts import LogRecord
from backend.core.plans import fence_standby, switchover
from backend.core.positions import FilePosition
from backend.core.row_digests import TableRows
from backend.core.topology import BinlogFacts, NodeFacts
from backend.gateway.polling.binlog_tail import BinlogTail
from backend.gateway.polling.pollers import Polled
from backend.gateway.row_streams import StreamedRows
from backend.monitoring.models import ClusterView, LinkStatus, SideFence
from backend.monitoring.recording.cluster_views import ClusterViews
from backend.monitoring.site_records import seen_together
from backend.monitoring.stored_facts import link_facts
from backend.monitoring.times import from_unix
from tests.monitoring.facts import NOW, gone, link, ref, up, with_wsrep
from tests.monitoring.ticks import raised_kinds, tick

pytestmark = pytest.mark.django_db
FILE = "binlog.000002"
NO_LOGS: Mapping[str, LogRecord] = {}
ADDRESSES = [f"{ref(name).host}:3306" for name in ("a1", "a2", "a3")]


def _shown(name: str, *members: int, conf_id: int = 7, seqno: int = 500) -> NodeFacts:
    """The node shows a view of these members."""
    stated = tuple(ADDRESSES[member - 1] for member in members)
    view = {"conf_id": conf_id, "cluster_size": len(stated), "incoming_addresses": stated, "last_committed": seqno}
    return with_wsrep(up(name, *link().node(f"n_{name}").channels or ()), **view)


def _one(seqno: int) -> dict[str, NodeFacts]:
    return {name: _shown(name, 1, 2, 3, seqno=seqno) for name in ("a1", "a2", "a3")}


SPLIT = {
    "a1": _shown("a1", 1, conf_id=1, seqno=520),
    "a2": _shown("a2", 2, 3, conf_id=9, seqno=530),
    "a3": _shown("a3", 2, 3, conf_id=9, seqno=530),
}


def _observe(
    views: ClusterViews,
    cluster: Cluster,
    spoiled: Mapping[str, NodeFacts],
    after_s: float,
    logs: Mapping[str, LogRecord] = NO_LOGS,
    polled: Mapping[str, Polled] | None = None,
) -> None:
    facts = {node.node.id: node for node in link(spoiled).nodes}
    views.observe([cluster], facts, from_unix(NOW + after_s), logs, polled or {})


def test_views__one_then_halves__the_last_common_counters_are_kept(stored_link: Link) -> None:
    cluster, views = stored_link.active_cluster, ClusterViews()
    _observe(views, cluster, _one(500), 0)
    _observe(views, cluster, _one(510), 1)
    _observe(views, cluster, {**_one(510), "a1": gone("a1")}, 2)
    _observe(views, cluster, SPLIT, 3)
    kept = seen_together([cluster.pk])[cluster.pk]
    assert kept.seqnos["n_a1"]["n_a2"] == 510
    assert kept.seqnos["n_a2"]["n_a1"] == 510
    assert {frozenset(half.nodes) for half in kept.parted} == {frozenset({"n_a1"}), frozenset({"n_a2", "n_a3"})}
    assert kept.differs_since_s == NOW + 3


def test_views__counters_alone__stored_from_time_to_time(stored_link: Link) -> None:
    cluster, views = stored_link.active_cluster, ClusterViews()
    for after_s in range(3):
        _observe(views, cluster, _one(500 + after_s), after_s)
    assert ClusterView.objects.get().seqnos["n_a1"]["n_a2"] == 500
    _observe(views, cluster, _one(600), 20)
    assert ClusterView.objects.get().seqnos["n_a1"]["n_a2"] == 600


def test_views__another_monitor_takes_over__goes_on_from_what_is_stored(stored_link: Link) -> None:
    cluster = stored_link.active_cluster
    _observe(ClusterViews(), cluster, _one(500), 0)
    other = ClusterViews()
    _observe(other, cluster, SPLIT, 1)
    assert other.seen[cluster.pk].seqnos["n_a1"]["n_a2"] == 500


def _logs(copied_at_s: float | None = None) -> dict[str, LogRecord]:
    """The logs of side a; a1 has another one of the same name from this time on."""
    uuid, start_s = link().active.recorded_state_uuid or "", NOW - 100
    old = LogRecord(uuid, 0, "binlog.000002", int(start_s), None, 4, None, None, start_s, NOW)
    logs = dict.fromkeys(("n_a1", "n_a2", "n_a3"), old)
    if copied_at_s is not None:
        logs["n_a1"] = replace(old, created_s=int(copied_at_s), started_at_s=copied_at_s)
    return logs


def _back(seqno: int, *, start_s: float) -> dict[str, NodeFacts]:
    """a1 was started again, and is a member."""
    nodes = _one(seqno)
    nodes["a1"] = replace(
        nodes["a1"], observed_at_s=start_s + 10, uptime_s=10, binlog=BinlogFacts("binlog.000002", 900)
    )
    return nodes


@pytest.mark.parametrize("restarts", [False, True], ids=["one monitor", "each poll by another monitor"])
def test_views__half_comes_back__kept_until_it_was_copied_whole(stored_link: Link, restarts: bool) -> None:
    cluster, views = stored_link.active_cluster, ClusterViews()

    def differs(spoiled: Mapping[str, NodeFacts], after_s: float, logs: Mapping[str, LogRecord]) -> bool:
        nonlocal views
        views = ClusterViews() if restarts else views
        _observe(views, cluster, spoiled, after_s, logs)
        known = seen_together([cluster.pk])[cluster.pk]
        assert known.parted == views.seen[cluster.pk].parted
        return was_split(replace(link(spoiled).active, seen_together=known))

    assert not differs(_one(500), 0, _logs())
    assert not differs(SPLIT, 1, _logs())  # it is split now
    assert differs(_one(540), 2, _logs())
    assert differs({**_one(541), "a1": gone("a1")}, 3, _logs())
    assert differs(_back(542, start_s=NOW + 50), 60, _logs())
    assert not differs(_back(543, start_s=NOW + 50), 61, _logs(NOW + 50))
    assert ClusterView.objects.get().parted == {}


def test_views__halves_stored_by_a_former_version__unknown_what_they_wrote(stored_link: Link) -> None:
    cluster = stored_link.active_cluster
    _observe(ClusterViews(), cluster, _one(500), 0)
    ClusterView.objects.update(parted=[["n_a1"], ["n_a2", "n_a3"]])
    views = ClusterViews()
    _observe(views, cluster, _one(500), 1)
    kept = views.seen[cluster.pk].parted
    assert [(half.nodes, half.seqno, half.common_seqno) for half in kept] == [
        (("n_a1",), None, None),
        (("n_a2", "n_a3"), None, None),
    ]
    assert was_split(replace(link(_one(500)).active, seen_together=views.seen[cluster.pk]))


def test_tick__side_splits_and_is_one_again__told_once_each(stored_link: Link) -> None:
    views = ClusterViews()
    back = _back(540, start_s=NOW + 50)
    polls = ((_one(500), _logs()), (SPLIT, _logs()), (SPLIT, _logs()), (_one(530), _logs()), (back, _logs(NOW + 50)))
    for after_s, (spoiled, logs) in enumerate(polls):
        _observe(views, stored_link.active_cluster, spoiled, after_s, logs)
        tick(stored_link, spoiled, after_s)
        if spoiled is SPLIT:
            status = LinkStatus.objects.get()
            assert status.state == "broken"
            assert status.findings[0]["facts"]["common_seqno"] == 500
            assert next(c for c in status.channels if c["direction"] == "forward")["gap_transactions"] is None
    assert raised_kinds() == ["link.broken", "site.split", "link.degraded", "link.protected", "site.whole"]


def _opened(name: str, value: str) -> dict[str, NodeFacts]:
    node = link().node(f"n_{name}")
    return {name: replace(node, variables={**node.variables, "read_only": value}, uptime_s=100_000)}


def test_tick__fenced_standby_opens_and_is_fenced_again__told_once_each(stored_link: Link) -> None:
    SideFence.objects.create(
        cluster=stored_link.standby_cluster, run_id="r_1", kind=switchover.KIND, fenced_at=from_unix(NOW - 60)
    )
    tick(stored_link)
    for after_s in (1, 2):
        tick(stored_link, _opened("b3", "OFF"), after_s)
        assert SideFence.objects.get().opened_at is not None
    tick(stored_link, None, 3)
    assert SideFence.objects.get().opened_at is None
    assert raised_kinds() == ["link.degraded", "standby.writable", "link.protected", "standby.fenced"]


def test_tick__fence_that_was_set_again_is_undone_at_once__not_offered(stored_link: Link) -> None:
    SideFence.objects.create(
        cluster=stored_link.standby_cluster, run_id="r_2", kind=fence_standby.KIND, fenced_at=from_unix(NOW - 60)
    )
    tick(stored_link, _opened("b3", "OFF"))
    status = LinkStatus.objects.get()
    assert (status.readiness["fence_standby"]["state"], status.primary_action) == ("blocked", None)
    fence = link_facts(stored_link).fence_of(stored_link.standby_cluster_id)
    assert fence is not None
    assert fence.run_id == "r_2"


@dataclass
class FollowedLog:
    """The log of a node of one cluster, poll by poll."""

    name: str
    tail: BinlogTail = field(default_factory=lambda: BinlogTail(FilePosition(FILE, 800)))
    end: int = 800
    rows: StreamedRows = field(default_factory=lambda: StreamedRows(FilePosition(FILE, 800)))

    def poll(
        self, at_s: float, seqno: int, origin: int, variables: Mapping[str, str], *, columns: bytes | None = None
    ) -> tuple[NodeFacts, Polled]:
        """With one more transaction of that server, of a table of these columns."""
        begin, self.end = self.end, self.end + 100
        rows: list[tuple[object, ...]] = [
            (b"", begin, b"Gtid", origin, begin + 10, b"BEGIN GTID 0-11-7"),
            (b"", begin + 10, b"Table_map", origin, 0, b"table_id: 31 (bank.t)"),
            (b"", begin + 30, b"Write_rows_v1", origin, 0, b"table_id: 31 flags: STMT_END_F"),
            (b"", begin + 50, b"Xid", origin, self.end, b"COMMIT /* xid=%d */" % seqno),
        ]
        self.tail.advance(lambda sql: rows, dialect_for("mariadb", "10.11.19-MariaDB"), FilePosition(FILE, self.end))
        self.tail.read_at_s = at_s
        node = _one(seqno)[self.name]
        node = replace(node, observed_at_s=at_s, binlog=BinlogFacts(FILE, self.end, ((FILE, self.end),)))
        node = replace(node, variables={**node.variables, **variables})
        if columns is not None:
            ends = FilePosition(FILE, self.end)
            self.rows.keep(ends, (0, 11, 7), {"bank.t": TableRows(columns, b"", 1)})
        return node, Polled(node, None, self.tail, self.rows)


@pytest.mark.parametrize(
    ("variables", "differs"), [({"wsrep_gtid_mode": "OFF"}, True), ({"wsrep_gtid_mode": "ON"}, False)]
)
def test_views__logs_differ_under_one_seqno__nodes_were_apart(
    stored_link: Link, variables: Mapping[str, str], differs: bool
) -> None:
    """Where Galera numbers GTIDs two nodes may log one transaction under different server_ids."""
    cluster, views = stored_link.active_cluster, ClusterViews()
    logs = [FollowedLog(name) for name in ("a1", "a2", "a3")]
    for after_s in range(5):
        found = [log.poll(NOW + after_s, 501 + after_s, 13 if log.name == "a3" else 11, variables) for log in logs]
        nodes = {log.name: node for log, (node, _) in zip(logs, found, strict=True)}
        _observe(views, cluster, nodes, after_s, polled={one.facts.node.id: one for _, one in found})
    halves = {frozenset(half.nodes) for half in views.seen[cluster.pk].parted}
    assert halves == ({frozenset({"n_a1", "n_a2"}), frozenset({"n_a3"})} if differs else set())
    assert was_split(replace(link(nodes).active, seen_together=seen_together([cluster.pk])[cluster.pk])) is differs


def test_views__table_of_one_node_has_other_columns__told_by_the_next_poll(stored_link: Link) -> None:
    cluster, views = stored_link.active_cluster, ClusterViews()
    logs = [FollowedLog(name) for name in ("a1", "a2", "a3")]
    told: dict[tuple[str, str], str] = {}
    for after_s in range(5):
        found = [
            log.poll(NOW + after_s, 501 + after_s, 11, {}, columns=b"int" if log.name == "a3" else b"int,int")
            for log in logs
        ]
        nodes = {log.name: node for log, (node, _) in zip(logs, found, strict=True)}
        _observe(views, cluster, nodes, after_s, polled={one.facts.node.id: one for _, one in found})
        told |= views.unsafe
    assert told == {("n_a3", "columns"): "bank.t"}
