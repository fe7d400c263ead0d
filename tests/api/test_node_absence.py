"""For how long each node may be away: what the API answers from what the monitor stored."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from backend.clusters.models import Cluster, Link, Node
from backend.core.topology import NodeFacts, NodeRef, Reach, WriteSetCounters
from backend.monitoring.models import AbsenceAlarm
from backend.monitoring.recording.nodes import store_nodes
from backend.monitoring.write_sets.readings import store_readings
from tests.core.node_absence.members import member
from tests.support.console import Caller

RATE = 10


def stored(cluster: Cluster, now: datetime, *, away: int | None = None) -> list[Node]:
    """Twenty minutes of a cluster in which its first node writes; the node at `away` left ten minutes ago."""
    Node.objects.create(cluster=cluster, name="third", host="10.9.9.9", port=3306, ordinal=9)
    nodes = list(Node.objects.filter(cluster=cluster))
    for minute in range(-20, 1):
        seen = [_facts(node, i, now + timedelta(minutes=minute), minute) for i, node in enumerate(nodes)]
        facts = [one for i, one in enumerate(seen) if i != away or minute < -10]
        store_readings(facts, now + timedelta(minutes=minute))
    last = {one.node.id: one for one in seen}
    if away is not None:
        lost = nodes[away]
        last[lost.id] = NodeFacts(_ref(lost), now.timestamp(), Reach.DOWN)
    store_nodes(last, now)
    return nodes


def _ref(node: Node) -> NodeRef:
    return NodeRef(node.id, node.name, node.host, node.port, node.cluster_id)


def _facts(node: Node, index: int, at: datetime, minute: int) -> NodeFacts:
    sets = (minute + 20) * 60 * RATE
    own = (sets, sets * 1_000, 0, 0) if index == 0 else (0, 0, sets, sets * 1_000)
    seen = member(node.name, last_committed=50_000 + sets, cached_downto=1, write_sets=WriteSetCounters(*own))
    return replace(seen, node=_ref(node), observed_at_s=at.timestamp())


def test_node_absence__nothing_stored__unknown_and_never_a_number(viewer: Caller, link: Link) -> None:
    answer = viewer.get(f"/clusters/{link.active_cluster_id}/node-absence").body
    assert {one["verdict"] for one in answer["nodes"]} == {"unknown"}
    assert {time["state"] for one in answer["nodes"] for time in one["times"]} == {"unknown"}
    assert all(rate["write_sets_per_s"] is None and rate["reason"] for rate in answer["rates"])
    assert answer["threshold_s"] == 600


def test_node_absence__members__the_times_at_each_rate_and_an_advised_donor(viewer: Caller, link: Link) -> None:
    nodes = stored(link.active_cluster, timezone.now())
    AbsenceAlarm.objects.create(node=nodes[2], since=timezone.now())
    answer = viewer.get(f"/clusters/{link.active_cluster_id}/node-absence").body
    rates = {rate["window"]: rate for rate in answer["rates"]}
    assert rates["hour"]["write_sets_per_s"] == RATE
    assert rates["busiest_hour"]["reason"]
    last = answer["nodes"][2]
    capacity = int(16 * 2**20 / 1_024)
    seconds = {time["window"]: time["seconds"] for time in last["times"]}
    assert seconds["hour"] == (capacity - (capacity >> 7)) / RATE
    assert (last["verdict"], last["missed_write_sets"]) == ("member", 0)
    assert (last["gcache"]["size_bytes"], last["gcache"]["is_full"]) == (16 * 2**20, True)
    assert [(one["name"], one["is_advised"]) for one in last["donors"]] == [
        (nodes[1].name, True),
        (nodes[0].name, False),
    ]
    assert last["alarm_since"] is not None


def test_node_absence__a_node_that_left__counts_what_it_missed(viewer: Caller, link: Link) -> None:
    stored(link.active_cluster, timezone.now(), away=2)
    last = viewer.get(f"/clusters/{link.active_cluster_id}/node-absence").body["nodes"][2]
    assert (last["verdict"], last["missed_write_sets"]) == ("ist", 11 * 60 * RATE)
    assert last["last_read_at"] is not None


def test_node_absence__no_such_cluster__404(viewer: Caller) -> None:
    assert viewer.get("/clusters/c_none/node-absence").status == 404


def test_state_transfer__nothing_given__the_copy_is_unknown_and_says_what_to_give(viewer: Caller, link: Link) -> None:
    stored(link.active_cluster, timezone.now())
    answer = viewer.get(f"/clusters/{link.active_cluster_id}/state-transfer").body
    joiner = answer["joiners"][2]
    copy = next(part for part in joiner["parts"] if part["name"] == "copy")
    assert (copy["state"], copy["seconds"]) == ("unknown", None)
    assert copy["reason"].startswith("Give data_bytes")
    assert (joiner["is_whole"], joiner["known_s"], joiner["queued_bytes"]) == (False, 10.0, None)
    assert len(answer["checklist"]) == 9
    assert {run["source"].split(":")[0] for run in answer["runs"]} == {"measured", "article of 2015"}


def test_state_transfer__all_given__every_part_is_a_number(viewer: Caller, link: Link) -> None:
    stored(link.active_cluster, timezone.now())
    query = "data_bytes=1000000000&method=mariabackup&line_mbit_per_s=200&apply_per_s=1000"
    joiner = viewer.get(f"/clusters/{link.active_cluster_id}/state-transfer?{query}").body["joiners"][2]
    assert [(part["name"], part["seconds"]) for part in joiner["parts"]] == [
        ("start", 10.0),
        ("copy", 49.6),
        ("prepare", 0.0),
        ("catch_up", 0.5),
    ]
    assert (joiner["is_whole"], joiner["known_s"]) == (True, 60.1)
    assert joiner["donors"][0]["is_advised"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("data_bytes=0", "data_bytes"),
        ("data_bytes=nan", "data_bytes"),
        ("data_bytes=many", "data_bytes"),
        ("line_mbit_per_s=-1", "line_mbit_per_s"),
        ("throughput_mb_per_s=inf", "throughput_mb_per_s"),
        ("apply_per_s=-1", "apply_per_s"),
        ("method=floppy", "method"),
        ("size=1", "size"),
    ],
)
def test_state_transfer__absurd__refused_by_the_name_of_the_field(
    viewer: Caller, link: Link, query: str, field: str
) -> None:
    answer = viewer.get(f"/clusters/{link.active_cluster_id}/state-transfer?{query}")
    assert answer.status == 400
    assert [one["field"] for one in answer.body["errors"]] == [field]
