"""The way of a copy: who gives it and why, commands with this link's own names, progress from the servers' facts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.facts.incarnation import returned_side
from backend.core.locate.backup_position import BackupPosition
from backend.core.plans.rebuild_guide import CopyState, copy_progress, copy_state, donor_for, rebuild_guide
from backend.core.positions import PositionError
from backend.core.topology import NodeFacts, Reach
from tests.core.builders.rebuilt_worlds import NEW_UUID, bring_back, failed_over, rebuilt
from tests.fakes.plans import context_of
from tests.fakes.world import FakeWorld


def _context(world: FakeWorld, *, busy: tuple[str, ...] = (), queues: dict[str, int] | None = None):  # type: ignore[no-untyped-def]
    """A plan's context with a2 as the channel's source and a chosen load on the survivor's nodes."""
    ctx = context_of(world, "b2", "a1")
    channel = next(c for node in FakeWorld.classic().facts().standby.nodes for c in node.channels or ())

    def loaded(node: NodeFacts) -> NodeFacts:
        assert node.wsrep is not None
        name = node.node.name
        wsrep = replace(node.wsrep, recv_queue=(queues or {}).get(name, 0))
        return replace(node, channels=(channel,) if name in busy else (), wsrep=wsrep)

    survivor = replace(ctx.link.active, nodes=tuple(loaded(node) for node in ctx.link.active.nodes))
    return replace(ctx, link=replace(ctx.link, active=survivor))


def test_donor__nobody_chose__a_synced_node_without_a_channel() -> None:
    donor = donor_for(_context(failed_over(), busy=("b1", "b2")), None)
    assert (donor.node.node.name, donor.reason) == ("b3", "b3 is Synced and holds no channel.")


def test_donor__all_carry_channels__the_least_loaded_and_said_so() -> None:
    donor = donor_for(_context(failed_over(), busy=("b1", "b2", "b3"), queues={"b1": 4, "b2": 9, "b3": 2}), None)
    assert donor.node.node.name == "b3"
    assert "has the shortest receive queue (2)" in donor.reason


def test_donor__channels_not_read__counts_as_carrying_some() -> None:
    ctx = _context(failed_over(), busy=("b1", "b2"))
    nodes = tuple(replace(node, channels=None) if node.node.name == "b3" else node for node in ctx.link.active.nodes)
    ctx = replace(ctx, link=replace(ctx.link, active=replace(ctx.link.active, nodes=nodes)))
    assert "holds no channel" not in donor_for(ctx, None).reason


def test_donor__somebody_chose__that_one() -> None:
    ctx = _context(failed_over(), busy=("b2",))
    assert donor_for(ctx, ctx.pair[0].node.id).reason == "b2 was chosen."


def test_guide__facts_of_this_link__commands_name_its_hosts_folders_and_logs() -> None:
    world = failed_over()
    for node in world.b.nodes:
        node.variables |= {"wsrep_sst_method": "mariabackup"}
    ctx = _context(world)
    stop, backup, restore, join = rebuild_guide(ctx)
    host, log = ctx.pair[0].node.host, ctx.pair[0].binlog
    assert log is not None
    assert "--datadir=/lab/b2/data --port=3306" in backup["commands"][0]
    assert backup["note"].startswith("b2 is Synced and holds no channel.")
    assert f"rsync -a {host}:/var/backups/rebuild/ /lab/b2/data/" in restore["commands"]
    assert f"/lab/b2/data/{log.file.rpartition('.')[0]}.[0-9]*" in restore["commands"][2]
    assert "Check that a1 has the same" in restore["note"]
    assert "state transfer (mariabackup)" in join["title"]
    assert f"gcomm://{ctx.pair[1].node.host}," in join["note"]
    assert stop["node"] == join["node"].replace("a2", "a1, a2")


def test_guide__joiners_with_folders_of_their_own__a_step_for_each() -> None:
    world = failed_over()
    bring_back(world, uuid=str(world.a.recorded_uuid), state="0-11-40,0-21-3")
    joins = rebuild_guide(_context(world))[3:]
    assert [step["node"] for step in joins] == ["a2", "a3"]
    assert [step["commands"][0].split()[1] for step in joins] == ["/lab/a2/data", "/lab/a3/data"]


def test_progress__a_side_from_its_end_to_its_copy__each_node_by_its_own_facts() -> None:
    world = failed_over()
    assert {one["state"] for one in copy_progress(world.facts())} == {"down"}
    bring_back(world, uuid=str(world.a.recorded_uuid), state="0-11-40,0-21-3")
    assert {one["state"] for one in copy_progress(world.facts())} == {"old"}
    copied = rebuilt().world.facts()
    progress = copy_progress(copied)
    assert {one["state"] for one in progress} == {"synced"}
    assert all(one["is_done"] and NEW_UUID[:8] in one["sentence"] for one in progress)
    assert copy_progress(FakeWorld.classic().facts()) == []


@pytest.mark.parametrize(
    ("local_state", "expected"),
    [
        (1, CopyState.JOINING),
        (2, CopyState.DONOR),
        (3, CopyState.JOINED),
        (4, CopyState.SYNCED),
        (0, CopyState.STARTING),
    ],
)
def test_progress__new_cluster__told_from_wsrep_local_state(local_state: int, expected: CopyState) -> None:
    node = _copied_node()
    assert node.wsrep is not None
    at = replace(node, wsrep=replace(node.wsrep, local_state=local_state))
    assert copy_state(at, "another") is expected


def test_progress__facts_that_are_missing__never_done() -> None:
    node = _copied_node()
    assert node.wsrep is not None
    assert copy_state(node, None) is CopyState.OLD
    assert copy_state(replace(node, wsrep=None), "another") is CopyState.STARTING
    assert copy_state(replace(node, wsrep=replace(node.wsrep, cluster_status="non-Primary")), "x") is CopyState.STARTING
    assert copy_state(replace(node, wsrep=replace(node.wsrep, ready=False)), "x") is CopyState.STARTING
    assert copy_state(replace(node, reach=Reach.HUNG), "another") is CopyState.UNKNOWN


def _copied_node() -> NodeFacts:
    back = returned_side(rebuilt().world.facts())
    assert back is not None
    return back.side.nodes[0]


def test_backup_position__both_files_as_cat_prints_them__the_seqno_counts() -> None:
    uuid = "0d1b7e2a-0000-0000-0000-000000000001"
    both = BackupPosition.parse(f"mariadb-bin.000002\t4711\t0-12-9\n{uuid}:88 0\n")
    assert (str(both), both.position) == (str(BackupPosition.parse(f"{uuid}:88")), None)


@pytest.mark.parametrize("text", ["bin.000002 4711\nbin.000002 4712", "bin.000002 4711\n/etc/passwd", "", "a\nb\nc"])
def test_backup_position__lines_that_are_not_one_backups_own__refused(text: str) -> None:
    with pytest.raises(PositionError):
        BackupPosition.parse(text)


def test_guide__copy_is_there__nothing_to_do() -> None:
    assert rebuild_guide(context_of(rebuilt().world, "b2", "a1")) == []
