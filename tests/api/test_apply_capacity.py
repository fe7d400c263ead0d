"""Whether a link keeps up, over HTTP, from what the monitor stored."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from backend.clusters.models import Link
from backend.core.facts.serialization import node_to_json
from backend.core.topology import ChannelFacts, NodeFacts, Reach, WsrepFacts
from backend.monitoring.models import Checkpoint, LagSample, NodeState
from tests.support.console import Caller

READ_ONLY, THREADS = {"read_only": "ON"}, {"slave_parallel_threads": "0", "slave_parallel_mode": "optimistic"}


def running_channel(name: str, host: str, port: int) -> ChannelFacts:
    """A channel whose threads run."""
    position = ("binlog.000001", 400, "relay.000001", 400, "binlog.000001", 400)
    return ChannelFacts(name, host, port, "repl", "Yes", "Yes", *position, 0, 0, "", 0, "", "No", ())


@pytest.fixture
def backlog(link: Link) -> datetime:
    """A fenced standby side whose replica works off 10 transactions a second more than the 100 that are written."""
    now = timezone.now().replace(microsecond=0)
    source = link.active_cluster.nodes.all()[0]
    for number, node in enumerate(link.standby_cluster.nodes.all()):
        channel = running_channel(link.channel_name, source.host, source.port)
        channels = (channel,) if number == 0 else ()
        facts = NodeFacts(
            node.ref, now.timestamp(), Reach.UP, variables=READ_ONLY | THREADS, channels=channels, flavor="mariadb",
            wsrep=WsrepFacts("Primary", "Synced", 4, True, True, 3, "u", "u", 500, 7),
        )  # fmt: skip
        NodeState.objects.create(node=node, reach="up", since=now, observed_at=now, facts=node_to_json(facts))
    for step in range(6):
        at = now - timedelta(seconds=20 * (5 - step))
        LagSample.objects.create(link=link, at=at, forward_gap=5_000 - 200 * step)
        Checkpoint.objects.create(
            node=source, state_uuid="u", file="binlog.000001", offset=step, seqno=2_000 * step, exact=True,
            retention_level=2, observed_at=at,
        )  # fmt: skip
    return now


@pytest.mark.usefixtures("backlog")
def test_apply_capacity__backlog_is_worked_off__rates_drain_time_and_why(viewer: Caller, link: Link) -> None:
    (found,) = viewer.get(f"/links/{link.id}/apply-capacity").body["results"]
    assert found["direction"] == "forward"
    assert found["verdict"] == "catches_up"
    assert (found["writes_per_s"], found["applied_per_s"], found["capacity_per_s"]) == (100.0, 110.0, 110.0)
    assert (found["gap_transactions"], found["drain_s"]) == (4_000, 400.0)
    assert found["appliers"] == {"parallel_threads": 0, "parallel_mode": "optimistic", "galera_threads": None}
    assert [reason["code"] for reason in found["reasons"]] == ["gap_shrinks", "one_applier"]


@pytest.mark.usefixtures("backlog")
@pytest.mark.parametrize(
    ("read_only", "code"), [({"read_only": "OFF"}, "both_sides_write"), ({}, "receiving_writes_unknown")]
)
def test_apply_capacity__standby_may_accept_writes__capacity_unknown(
    viewer: Caller, link: Link, read_only: dict[str, str], code: str
) -> None:
    state = NodeState.objects.get(node=link.standby_cluster.nodes.all()[1])
    del state.facts["variables"]["read_only"]
    state.facts["variables"] |= read_only
    state.save()
    (found,) = viewer.get(f"/links/{link.id}/apply-capacity").body["results"]
    assert found["capacity_per_s"] is None
    assert code in [reason["code"] for reason in found["reasons"]]


@pytest.mark.usefixtures("backlog")
def test_apply_capacity__source_is_lost__unknown_and_not_what_was_read_before(viewer: Caller, link: Link) -> None:
    source = link.active_cluster.nodes.all()[0]
    now = timezone.now()
    lost = NodeFacts(source.ref, now.timestamp(), Reach.DOWN)
    NodeState.objects.create(node=source, reach="down", since=now, observed_at=now, facts=node_to_json(lost))
    (found,) = viewer.get(f"/links/{link.id}/apply-capacity").body["results"]
    assert (found["verdict"], found["drain_s"]) == ("unknown", None)
    assert "does not replicate: its source" in found["reasons"][0]["sentence"]


def test_apply_capacity__nothing_observed__no_direction(viewer: Caller, link: Link) -> None:
    assert viewer.get(f"/links/{link.id}/apply-capacity").body == {"results": []}


def test_apply_capacity__unknown_link__404(viewer: Caller) -> None:
    assert viewer.get("/links/l_none/apply-capacity").status == 404
