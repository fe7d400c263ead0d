"""The safety rules of attaching a copied side."""

from __future__ import annotations

from typing import Any

from tests.core.seeded_bugs.mutants import Copy
from tests.core.seeded_bugs.rule import Rule

HELD = 20


def _side(core: Copy, **made: Any) -> Any:
    return core["tests.core.builders.rebuilt_worlds"].rebuilt(**made)


def _claimed(core: Copy, *, held: int = HELD, claimed: int = HELD, keyless: int | None = None) -> Any:
    """What is said of a claim; the copy really holds the first `held` transactions."""
    side = _side(core)
    if keyless is not None:
        side.keyless.add(side.placed[keyless].txn.uid)
    side.copy(held)
    position = side.placed[claimed - 1].end
    return side.locate(f"{position.file} {position.offset}")


def _own_writes_are_no_copy(core: Copy) -> bool:
    back = core["backend.core.facts.incarnation"].returned_side(_side(core, state="0-11-4").world.facts())
    return bool(back.kind == "rebootstrapped")


def _the_same_side_is_no_copy(core: Copy) -> bool:
    side = _side(core)
    side.world.a.uuid = side.world.a.recorded_uuid
    return bool(core["backend.core.facts.incarnation"].returned_side(side.world.facts()).kind == "same")


def _missing_rows_refuse(core: Copy) -> bool:
    return not _claimed(core, claimed=HELD + 2).is_proven


def _rows_already_there_refuse(core: Copy) -> bool:
    return not _claimed(core, claimed=HELD - 2).is_proven


def _keyless_rows_decide_nothing(core: Copy) -> bool:
    """The transaction next to the place touches a table without a key: both neighbours look alike."""
    return not _claimed(core, keyless=HELD - 1).is_proven


def _older_than_the_failover_refuses(core: Copy) -> bool:
    side = _side(core)
    lost = set(side.world.a.server_ids)
    first = next(i for i, placed in enumerate(side.placed) if placed.txn.server_id in lost)
    position = side.copy(first)
    return not side.locate(f"{position.file} {position.offset}").is_proven


def _another_clusters_seqno_refuses(core: Copy) -> bool:
    side = _side(core)
    side.copy(HELD)
    return not side.locate(
        f"{core['tests.core.builders.rebuilt_worlds'].NEW_UUID}:{side.placed[HELD - 1].xid}"
    ).is_proven


def _a_follower_is_no_copy(core: Copy) -> bool:
    from dataclasses import replace

    side = _side(core, after=0)
    position = side.copy(len(side.placed))
    side.world.divergence = replace(side.world.divergence, at_s=1e9)
    for node in side.world.a.nodes:
        node.probes.clear()
    return not side.locate(f"{position.file} {position.offset}").is_proven


def _refused_by(core: Copy, code: str, side: Any, **options: Any) -> bool:
    position = side.copy(HELD)
    plan = side.plan(backup_position=f"{position.file} {position.offset}", **options)
    return code in core["tests.core.builders.rebuilt_worlds"].names(plan)


def _loss_is_accepted_by_a_person(core: Copy) -> bool:
    return _refused_by(core, "orphans_unknown", _side(core), accept_loss=False)


def _one_uuid_for_two_clusters_refuses(core: Copy) -> bool:
    side = _side(core)
    side.world.a.uuid = side.world.b.uuid
    return _refused_by(core, "rebuilt_state_uuid_shared", side)


def _gtid_channels_refuse(core: Copy) -> bool:
    from dataclasses import replace

    side = _side(core)
    by_gtid = [replace(one, channel=replace(one.channel, using_gtid="Slave_Pos")) for one in side.world.recorded]
    side.world.recorded = by_gtid
    return _refused_by(core, "rebuild_by_gtid", side)


def _writes_before_the_fence_stop_the_run(core: Copy) -> bool:
    tests = core["tests.core.plans.test_rebuild"]
    return not tests.proof_of_the_end(tests.rebuilt(), wrote="0-12-1").is_ok


def _two_backups_positions_refuse(core: Copy) -> bool:
    positions = core["backend.core.positions"]
    try:
        core["backend.core.locate.backup_position"].BackupPosition.parse("bin.000002 395\nbin.000002 399")
    except positions.PositionError:
        return True
    return False


def _a_copy_is_another_incarnation(core: Copy) -> bool:
    node = _side(core).world.facts().standby.nodes[0]
    return bool(core["backend.core.plans.rebuild_guide"].copy_state(node, None).value != "synced")


RULES = (
    Rule(
        "a_backup_has_one_position",
        (("locate.backup_position", "        if len(found) > 2 or len(kinds) != len(found):\n", "        if False:\n"),),
        _two_backups_positions_refuse,
    ),
    Rule(
        "a_copy_is_another_incarnation",
        (("plans.rebuild_guide", "    if old_uuid is None or wsrep", "    if wsrep"),),
        _a_copy_is_another_incarnation,
    ),
    Rule("own_writes_are_no_copy", (("facts.incarnation", "    if wrote:\n", "    if False:\n"),), _own_writes_are_no_copy),
    Rule(
        "the_same_side_is_no_copy", (("facts.incarnation", "    if now == before:\n", "    if False:\n"),),
        _the_same_side_is_no_copy,
    ),
    Rule(
        "what_stands_before_the_place_is_there",
        (("orphans.row_proof", "    if undone:\n", "    if False:\n"),),
        _missing_rows_refuse,
    ),
    Rule(
        "what_stands_behind_the_place_is_not",
        (("orphans.row_proof", "    if redone:\n", "    if False:\n"),),
        _rows_already_there_refuse,
    ),
    Rule(
        "the_nearest_transaction_must_tell",
        (("orphans.row_proof", "        if not found and not _is_decisive(one, table_definitions):\n", "        if False:\n"),),
        _keyless_rows_decide_nothing,
    ),
    Rule(
        "a_backup_older_than_the_failover_lacks_writes",
        (("orphans.rebuilt_side", "        if group.server_id in lost:\n", "        if False:\n"),),
        _older_than_the_failover_refuses,
    ),
    Rule(
        "a_seqno_counts_in_its_own_cluster",
        (("orphans.rebuilt_side", "    if seqno.state_uuid != survivor.recorded_state_uuid:\n", "    if False:\n"),),
        _another_clusters_seqno_refuses,
    ),
    Rule(
        "a_follower_is_no_copy",
        (("orphans.rebuilt_side", "    if proof.agrees and not _is_from_after(", "    if False and not _is_from_after("),),
        _a_follower_is_no_copy,
    ),
    Rule(
        "what_is_thrown_away_is_accepted_by_a_person",
        (("orphans.report", " if choice == REBUILD and accepts_loss else", " if choice == REBUILD else"),),
        _loss_is_accepted_by_a_person,
    ),
    Rule(
        "two_clusters_never_share_a_uuid",
        (("plans.rebuild", "    elif back.state_uuid == survivor.recorded_state_uuid:\n", "    elif False:\n"),),
        _one_uuid_for_two_clusters_refuses,
    ),
    Rule(
        "a_copy_does_not_number_gtids_anew",
        (("plans.rebuild", "    if any(uses_gtid(move) for move in ctx.moves):\n", "    if False:\n"),),
        _gtid_channels_refuse,
    ),
    Rule(
        "a_copy_that_wrote_is_not_attached",
        (("steps.positions.log_end", '        if params.get("is_copy") and', "        if False and"),),
        _writes_before_the_fence_stop_the_run,
    ),
)  # fmt: skip

PREVENTS = {
    "a_backup_has_one_position": "of two backups' positions one is taken by chance",
    "a_copy_is_another_incarnation": "a node is shown as copied though what it was before is unknown",
    "own_writes_are_no_copy": "a side with its old data is taken for a copy, and its orphans are never looked for",
    "the_same_side_is_no_copy": "the side that was lost, returned as it was, is taken for a copy",
    "what_stands_before_the_place_is_there": "a place later than the backup is believed: transactions are lost",
    "what_stands_behind_the_place_is_not": "a place earlier than the backup is believed: transactions are doubled",
    "the_nearest_transaction_must_tell": "a row of a table without a key is lost or doubled at the place, unseen",
    "a_backup_older_than_the_failover_lacks_writes": "what came from the lost side after the backup is missing",
    "a_seqno_counts_in_its_own_cluster": "a number of another cluster is looked up as if it were the survivor's",
    "a_follower_is_no_copy": "a side that merely follows is taken for a copy, and what it holds alone stays",
    "what_is_thrown_away_is_accepted_by_a_person": "orphans that were not reviewed are discarded without a warning",
    "two_clusters_never_share_a_uuid": "two clusters run under one state UUID, and a node may join the wrong one",
    "a_copy_does_not_number_gtids_anew": "GTIDs come twice: a channel by GTID skips transactions",
    "a_copy_that_wrote_is_not_attached": "what the copy wrote before its fence is carried nowhere",
}
