"""A side rebuilt: recognised, refused by name where it is no copy, attached only where backup and rows agree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from backend.core.facts.incarnation import Incarnation, returned_side
from backend.core.locate.evidence import Family
from backend.core.plans import rebuild
from backend.core.ports import NodeError
from backend.core.steps.base import Proof, StepContext
from backend.core.steps.positions.log_end import LocateLogEnd
from tests.core.builders.rebuilt_worlds import NEW_UUID, Rebuilt, bring_back, failed_over, names, rebuilt
from tests.fakes.console import FakeConsole
from tests.fakes.gateway import FakeGateway
from tests.fakes.plans import sound
from tests.fakes.world import FakeWorld

HELD = 20


def kind_of(world: FakeWorld) -> Incarnation:
    back = returned_side(world.facts())
    assert back is not None
    return back.kind


def test_returned_side__away_same_reset_or_copied__distinguished() -> None:
    world = failed_over()
    assert kind_of(world) is Incarnation.AWAY
    bring_back(world, uuid=str(world.a.recorded_uuid), state="0-11-40,0-21-3")
    assert kind_of(world) is Incarnation.SAME
    world.a.uuid = NEW_UUID
    assert kind_of(world) is Incarnation.REBOOTSTRAPPED
    for node in world.a.nodes:
        node.variables["gtid_binlog_state"] = "0-21-3"
    assert kind_of(world) is Incarnation.REBUILT
    assert returned_side(FakeWorld.classic().facts()) is None


@pytest.mark.parametrize("state", [None, "nonsense"])
def test_returned_side__one_node_does_not_tell_its_log__unknown(state: str | None) -> None:
    world = rebuilt().world
    world.node("a2").variables.pop("gtid_binlog_state")
    world.node("a2").unsaid = "gtid_binlog_state"
    if state is not None:
        world.node("a2").variables["gtid_binlog_state"] = state
    assert kind_of(world) is Incarnation.UNKNOWN


def test_returned_side__gtids_cluster_wide__what_a_node_logged_tells_nothing() -> None:
    """A state transfer puts the side's own id into the binlog state of a joiner (measured)."""
    world = rebuilt().world
    for node in world.a.nodes:
        node.variables["wsrep_gtid_mode"] = "ON"
    assert kind_of(world) is Incarnation.UNKNOWN


def test_locate__at_the_backups_place__proven_by_backup_and_rows() -> None:
    side = rebuilt()
    position = side.copy(HELD)
    seqno = f"{side.world.b.uuid}:{side.placed[HELD - 1].xid}"
    for backup in (
        f"{position.file} {position.offset}",
        f"{position.file}\t{position.offset}\t0-21-7",
        seqno,
        f"{seqno} 0",
    ):
        located = side.locate(backup)
        assert located.is_proven, located.reasons
        assert located.position == position
        assert [e.family for e in located.evidence if e.agrees] == [Family.BACKUP, Family.CONTENT]
        assert located.applied == ()


@pytest.mark.parametrize("off", [-2, -1, 1, 2])
def test_locate__another_transactions_end__rows_disagree(off: int) -> None:
    side = rebuilt()
    side.copy(HELD)
    position = side.placed[HELD - 1 + off].end
    located = side.locate(f"{position.file} {position.offset}")
    assert not located.is_proven
    assert [e.agrees for e in located.evidence] == [True, False]


def test_locate__at_the_logs_end__proven_though_nothing_follows() -> None:
    side = rebuilt()
    position = side.copy(len(side.placed))
    located = side.locate(f"{position.file} {position.offset}")
    assert located.is_proven, located.reasons
    assert "No transaction follows." in located.evidence[1].detail


def test_locate__in_a_new_files_head__the_end_of_the_last_file() -> None:
    side = rebuilt()
    side.copy(len(side.placed))
    log = side.world.node("b2").log
    log.rotate()
    end = log.end
    side.world.write("b2")
    assert side.locate(f"{end.file} {end.offset}").is_proven


def _inside(side: Rebuilt) -> str:
    position = side.copy(HELD)
    return f"{position.file} {position.offset + 10}"


def _between_events(side: Rebuilt) -> str:
    """An event ends there, a transaction does not."""
    position = side.copy(HELD)
    return f"{position.file} {position.offset + 42}"


def _other_file(side: Rebuilt) -> str:
    side.copy(HELD)
    return "mariadb-bin.000077 400"


def _behind_the_end(side: Rebuilt) -> str:
    position = side.copy(len(side.placed))
    return f"{position.file} {position.offset + 4000}"


def _other_uuid(side: Rebuilt) -> str:
    side.copy(HELD)
    return f"{NEW_UUID}:{side.placed[HELD - 1].xid}"


def _hole(side: Rebuilt) -> str:
    side.copy(HELD)
    return f"{side.world.b.uuid}:{side.world.b.seqno + 50}"


def _before_the_failover(side: Rebuilt) -> str:
    first = next(i for i, p in enumerate(side.placed) if p.txn.server_id in side.world.a.server_ids)
    position = side.copy(first)
    return f"{position.file} {position.offset}"


def _beside_ddl(side: Rebuilt) -> str:
    side.world.write("b2", kind="ddl", statement="ALTER TABLE shop.keyed ADD c INT")
    position = side.copy(len(side.placed))
    return f"{position.file} {position.offset}"


def _before_ddl(side: Rebuilt) -> str:
    count = len(side.placed)
    side.world.write("b2", kind="ddl", statement="ALTER TABLE shop.keyed ADD c INT")
    position = side.copy(count)
    return f"{position.file} {position.offset}"


def _beside_keyless(side: Rebuilt) -> str:
    side.keyless.add(side.placed[HELD - 1].txn.uid)
    position = side.copy(HELD)
    return f"{position.file} {position.offset}"


def _before_keyless(side: Rebuilt) -> str:
    side.keyless.add(side.placed[HELD].txn.uid)
    position = side.copy(HELD)
    return f"{position.file} {position.offset}"


REFUSED = (
    (_inside, "No transaction ends at"),
    (_between_events, "No transaction ends at"),
    (_other_file, "does not retain mariadb-bin.000077"),
    (_behind_the_end, "No transaction ends at"),
    (_other_uuid, "The backup has state UUID"),
    (_hole, "has seqno"),
    (_before_the_failover, "older than the failover"),
    (_beside_ddl, "a table definition is changed next to it"),
    (_before_ddl, "a table definition is changed next to it"),
    (_beside_keyless, "no key identifies"),
    (_before_keyless, "no key identifies"),
)


@pytest.mark.parametrize(("claim", "why"), REFUSED, ids=[claim.__name__ for claim, _ in REFUSED])
def test_locate__place_that_cannot_be_told__refused_by_name(claim: Any, why: str) -> None:
    side = rebuilt()
    located = side.locate(claim(side))
    assert not located.is_proven
    text = " ".join([*located.reasons, *(e.detail for e in located.evidence)])
    assert why in text, text


def test_plan__rows_that_no_key_identifies__says_why_and_how_another_copy_is_proven() -> None:
    side = rebuilt()
    plan = side.plan(backup_position=_beside_keyless(side))
    (finding,) = [one for one in plan.findings if one.code == "position_not_proven"]
    assert "changes only rows that no key identifies" in finding.message
    assert finding.remedy.startswith("Write a row into a table with a key on b")


def test_locate__nothing_written_since_the_failover_and_no_probe__refused() -> None:
    """A side that merely followed looks the same up to there."""
    side = rebuilt(after=0)
    position = side.copy(len(side.placed))
    divergence = side.world.divergence
    assert divergence is not None
    side.world.divergence = replace(divergence, at_s=divergence.at_s * 100)
    assert side.locate(f"{position.file} {position.offset}").is_proven, "the probe of the failover is there"
    for node in side.world.a.nodes:
        node.probes.clear()
    located = side.locate(f"{position.file} {position.offset}")
    assert not located.is_proven
    assert "since the failover" in located.evidence[1].detail


def test_plan__copy_and_its_backup__ready_and_resumes_there() -> None:
    side = rebuilt()
    position = side.copy(HELD)
    plan = sound(side.plan(backup_position=f"{position.file} {position.offset}"))
    codes = [step.code for step in plan.steps]
    assert (
        codes.index("locate") < codes.index("locate_log_end") < codes.index("reconcile") < codes.index("change_source")
    )
    assert codes.index("start_channel") < codes.index("attach")
    (point,) = [s for s in plan.steps if s.code == "change_source" and s.params["direction"] == "forward"]
    assert f"MASTER_LOG_POS={position.offset}" in point.sql[0]
    assert [p["source_groups"] == p["receiver_groups"] != [] for p in plan.positions] == [True]
    assert plan.loss["transactions"] is None


def test_plan__no_copy_yet__refused_with_the_guide_by_node() -> None:
    for side in (Rebuilt(failed_over()), rebuilt(uuid="", state="0-11-1")):
        if not side.world.a.uuid:
            side.world.a.uuid = str(side.world.a.recorded_uuid)
        plan = side.plan()
        assert "rebuild_by_hand" in names(plan)
        steps = plan.situation["guide"]
        assert [step["node"] for step in steps[:3]] == ["a1, a2, a3", "b2", "a1"]
        assert ", ".join(step["node"] for step in steps[3:]) == "a2, a3"
        assert any("--galera-info" in command for command in steps[1]["commands"])


@pytest.mark.parametrize(
    ("made", "options", "code"),
    [
        ({}, {}, "backup_position_missing"),
        ({}, {"accept_loss": False}, "orphans_unknown"),
        ({"state": "0-11-4"}, {"backup_position": "mariadb-bin.000001 400"}, "not_rebuilt"),
        ({"uuid": "of b"}, {"backup_position": "mariadb-bin.000001 400"}, "rebuilt_state_uuid_shared"),
        ({}, {"orphans": "attach"}, "side_was_rebuilt"),
        ({}, {"orphans": "undo"}, "side_was_rebuilt"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_plan__fact_in_the_way__refused_by_name(made: dict[str, str], options: dict[str, Any], code: str) -> None:
    side = rebuilt(**({} if made.get("uuid") else made))  # type: ignore[arg-type]
    if made.get("uuid"):
        side.world.a.uuid = side.world.b.uuid
    side.copy(HELD)
    plan = side.plan(**options)
    assert code in names(plan)
    assert all(finding.remedy for finding in plan.findings if finding.code == code)


def test_plan__channels_by_gtid__refused_by_name() -> None:
    side = rebuilt()
    side.world.recorded = [
        replace(one, channel=replace(one.channel, using_gtid="Slave_Pos")) for one in side.world.recorded
    ]
    assert "rebuild_by_gtid" in names(side.plan())


def proof_of_the_end(side: Rebuilt, *, wrote: str = "") -> Proof:
    """The run's own look at the copy's log; `wrote` is what a2 logged between plan and fence."""
    position = side.copy(HELD)
    plan = side.plan(backup_position=f"{position.file} {position.offset}")
    step = next(s for s in plan.steps if s.code == "locate_log_end")
    side.world.node("a2").variables["gtid_binlog_state"] = wrote
    ctx = StepContext(
        plan=plan,
        gateway=FakeGateway(side.world, moves=False),
        clock=side.world.clock,
        locate=lambda question, link: side.locate(str(question.backup)),
        results={},
        console=FakeConsole(),
        journal=side.world.journal,
    )
    return LocateLogEnd().prove(ctx, step)


def test_run__copy_wrote_between_plan_and_fence__stops_by_name() -> None:
    assert proof_of_the_end(rebuilt()).is_ok
    proof = proof_of_the_end(rebuilt(), wrote="0-12-1")
    assert not proof.is_ok
    assert "a2 logged transactions of its own since it was copied" in proof.sentence
    assert proof_of_the_end(rebuilt(), wrote="0-21-9").is_ok, "what it received is not its own"


def test_locate__operator_may_not_read_the_rows__the_grant_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    side = rebuilt()
    position = side.copy(HELD)

    def denied(node_id: str, asked: object) -> dict[str, int]:
        raise NodeError("a1", "SELECT command denied", code=1142)

    monkeypatch.setattr(side, "count", denied)
    located = side.locate(f"{position.file} {position.offset}")
    assert not located.is_proven
    assert "GRANT SELECT ON `shop`.*" in located.reasons[0]


@pytest.mark.parametrize(("longest_s", "probes"), [(600.0, ["forward", "reverse"]), (20.0, ["reverse"])])
def test_plan__copy_far_behind__attached_without_waiting_for_its_probe(
    monkeypatch: pytest.MonkeyPatch, longest_s: float, probes: list[str]
) -> None:
    monkeypatch.setattr(rebuild, "MAX_PROBE_WAIT_S", longest_s)
    side = rebuilt()
    position = side.copy(HELD)
    plan = sound(side.plan(backup_position=f"{position.file} {position.offset}"))
    assert [step.params["direction"] for step in plan.steps if step.code == "probe"] == probes
    is_far = "forward" not in probes
    assert ("rebuild_backlog_large" in {f.code for f in plan.findings}) is is_far
    assert plan.steps[-1].params["probed"] is not is_far
