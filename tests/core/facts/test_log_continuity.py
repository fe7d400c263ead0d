"""Whether a log is still the one that was read before: each decision from a stored record and what is read now."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.facts import log_continuity as continuity
from backend.core.facts.log_continuity import LastGroup, PlaceRead
from backend.core.findings import Finding, Severity
from backend.core.link_facts import LinkFacts, LogBreak, LogRecord
from backend.core.link_state import History, LinkState, derive
from backend.core.positions import FilePosition
from backend.core.topology import BinlogFacts, Direction, NodeFacts
from tests.monitoring.facts import NOW, RECORDS, UUIDS, channel, link, up, with_wsrep

RECORD = LogRecord(
    state_uuid=UUIDS["a"],
    seqno=480,
    file="binlog.000002",
    created_s=1_700_000_000,
    event_offset=869,
    end_offset=900,
    xid=480,
    server_id=11,
    started_at_s=NOW - 100,
    observed_at_s=NOW - 2,
)
SAME = PlaceRead(created_s=1_700_000_000, server_id=11, end_offset=900, xid=480, at_s=1)


def started(ago_s: int = 3, **changes: object) -> NodeFacts:
    """The source, started since its log was compared."""
    return replace(up("a1"), uptime_s=ago_s, **changes)  # type: ignore[arg-type]


def code(read: PlaceRead | None, node: NodeFacts | None = None, record: LogRecord = RECORD) -> str | None:
    found = continuity.difference(record, read, node or up("a1"))
    return found.code if found else None


def code_of_counter(last_committed: int, node: NodeFacts, last: LastGroup | None = None) -> str | None:
    found = continuity.difference(RECORD, None, with_wsrep(node, last_committed=last_committed), last)
    return found.code if found else None


def test_log__file_and_last_transaction_as_before__is_the_same() -> None:
    assert code(SAME) is None
    assert code(SAME, started()) is None


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        (replace(SAME, created_s=1_700_000_013), "source_log_replaced"),
        (replace(SAME, created_s=None), "source_log_replaced"),
        (PlaceRead(refusal="Could not find first log file name in binary log index file"), "source_log_replaced"),
        (PlaceRead(refusal="impossible position"), "source_log_replaced"),
        (replace(SAME, xid=481), "source_group_differs"),
        (replace(SAME, xid=None), "source_group_differs"),
        (replace(SAME, server_id=12), "source_group_differs"),
        (replace(SAME, end_offset=931), "source_group_differs"),
        (PlaceRead(created_s=1_700_000_000), "source_group_differs"),
    ],
)
def test_log__file_of_the_same_name_with_something_else_in_it__is_another(read: PlaceRead, expected: str) -> None:
    assert code(read) == expected


def test_log__nothing_written_in_its_file_yet__known_by_the_time_of_its_creation_alone() -> None:
    empty = replace(RECORD, event_offset=None, end_offset=4, xid=None, server_id=None)
    assert empty.place == FilePosition("binlog.000002", 4)
    assert code(PlaceRead(created_s=1_700_000_000), record=empty) is None
    assert code(PlaceRead(created_s=1_700_000_001), record=empty) == "source_log_replaced"


def test_counter__fell_under_one_state_uuid__told_without_reading_the_log() -> None:
    assert code_of_counter(479, started()) == "source_counter_fell"
    assert code_of_counter(480, started()) is None


def test_counter__behind_the_log_of_a_running_server__a_commit_is_under_way() -> None:
    newest = LastGroup(FilePosition("binlog.000002", 1200), 1169, 481, 11)
    assert code_of_counter(479, up("a1"), newest) is None
    assert code_of_counter(479, up("a1"), replace(newest, end=RECORD.end, seqno=480)) is None


def test_counter__log_gives_a_number_again__told() -> None:
    again = LastGroup(FilePosition("binlog.000003", 400), 369, 480, 11)
    assert code_of_counter(480, up("a1"), again) == "source_counter_fell"
    assert code_of_counter(480, up("a1"), replace(again, end=FilePosition("other.000003", 400))) is None


def test_counter__far_past_a_number_in_the_log__written_past_galera_and_no_seqno() -> None:
    record, node = replace(RECORD, seqno=2925), with_wsrep(up("a1"), last_committed=2925)
    alone = LastGroup(FilePosition("binlog.000003", 400), 369, 950, 11)
    assert continuity.difference(record, None, node, alone) is None
    assert continuity.difference(record, None, node, replace(alone, seqno=2900)) is not None


@pytest.mark.parametrize(
    "changes",
    [
        {"state_uuid": UUIDS["b"]},
        {"local_state": 3},
        {"cluster_status": "non-Primary"},
    ],
)
def test_counter__of_another_history_or_of_a_node_that_is_catching_up__tells_nothing(
    changes: dict[str, object],
) -> None:
    assert code(None, with_wsrep(started(), last_committed=1, **changes)) is None


def ends_at(offset: int, file: str = "binlog.000002", *more: tuple[str, int]) -> BinlogFacts:
    return BinlogFacts(file, offset, (*more, (file, offset)))


@pytest.mark.parametrize(
    ("node", "is_due"),
    [
        (up("a1"), False),
        (started(), True),
        (replace(up("a1"), uptime_s=None), True),
        (replace(up("a1"), binlog=ends_at(899)), True),
        (replace(up("a1"), binlog=ends_at(9_000, "binlog.000001")), True),
        (replace(up("a1"), binlog=ends_at(9_000, "other.000002")), True),
        (replace(up("a1"), binlog=ends_at(300, "binlog.000003", ("binlog.000002", 950))), False),
        (with_wsrep(up("a1"), state_uuid=UUIDS["b"]), True),
        (replace(up("a1"), binlog=None), False),
    ],
    ids=["same-start", "started", "no-uptime", "shorter", "lower-file", "renamed", "rotated", "new-uuid", "no-log"],
)
def test_log__read_only_where_it_may_be_another_one(node: NodeFacts, is_due: bool) -> None:
    assert continuity.has_to_be_compared(RECORD, node) == is_due


def test_log__read_on_beyond_the_end_that_the_same_poll_told__is_not_shorter() -> None:
    ahead = replace(RECORD, end_offset=1_200, observed_at_s=NOW)
    assert not continuity.has_to_be_compared(ahead, up("a1"))


def test_record__rotation__is_that_of_the_new_file_and_keeps_the_highest_number() -> None:
    after = replace(up("a1"), binlog=ends_at(300, "binlog.000003"))
    record = continuity.first_record(after, "binlog.000003", 1_700_000_050, RECORD)
    assert (record.file, record.created_s, record.event_offset, record.seqno) == (
        "binlog.000003",
        1_700_000_050,
        None,
        480,
    )
    last = LastGroup(FilePosition("binlog.000003", 700), 669, 481, 12)
    further = continuity.advanced(record, after, last)
    assert (further.xid, further.end_offset, further.event_offset, further.server_id) == (481, 700, 669, 12)
    assert continuity.advanced(further, after, LastGroup(FilePosition("binlog.000002", 950), 919, 480, 11)) == further


def test_record__transaction_beyond_what_the_dump_protocol_can_ask_for__is_not_taken() -> None:
    last = LastGroup(FilePosition("binlog.000002", 2**32 + 20), 2**32 - 11, 481, 11)
    assert continuity.advanced(RECORD, up("a1"), last) == RECORD


def test_record__compared_under_a_new_state_uuid__numbers_begin_again() -> None:
    record = continuity.compared(RECORD, with_wsrep(started(), state_uuid=UUIDS["b"], last_committed=3))
    assert (record.state_uuid, record.seqno) == (UUIDS["b"], 0)
    assert code(None, with_wsrep(started(), state_uuid=UUIDS["b"], last_committed=3), record) is None


def test_file__purged_in_order__cannot_be_compared_and_is_no_other_log() -> None:
    purged = started(binlog=BinlogFacts("binlog.000009", 400, (("binlog.000008", 4), ("binlog.000009", 400))))
    assert continuity.is_out_of_reach(RECORD, purged)
    assert continuity.out_of_reach(RECORD, purged).code == "source_log_unread"
    assert not continuity.is_out_of_reach(RECORD, started(binlog=ends_at(500, "binlog.000001")))
    assert not continuity.is_out_of_reach(RECORD, up("a1"))


FROM_11, FROM_12 = channel("a1", source_server_id=11), channel("a1", source_server_id=12)


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (FROM_12, "source_server_changed"),
        (FROM_11, None),
        (replace(FROM_12, source_server_id=None), None),
        (replace(FROM_12, source_server_id=0), None),
        (replace(FROM_12, relay_file="relay.000001"), None),
        (replace(FROM_12, using_gtid="Slave_Pos"), None),
        (channel("a2", source_server_id=12), None),
    ],
    ids=["another", "same", "unknown", "none-yet", "pointed-anew", "by-gtid", "another-address"],
)
def test_channel__another_server_at_the_same_address__is_told(now: object, expected: str | None) -> None:
    found = continuity.server_changed(FROM_11, now, "db-b1", None)  # type: ignore[arg-type]
    assert (found.code if found else None) == expected


def test_channel__replica_was_started_and_nobody_answered_yet__the_former_source_stays_known() -> None:
    waiting = replace(FROM_12, source_server_id=None, io_running="Connecting")
    kept = continuity.with_known_source(FROM_11, waiting)
    assert kept.source_server_id == 11
    assert continuity.server_changed(kept, FROM_12, "db-b1", None) is not None
    assert continuity.with_known_source(FROM_11, FROM_12) == FROM_12
    for anew in (replace(waiting, relay_file="relay.000001"), channel("a2", source_server_id=None)):
        assert continuity.with_known_source(FROM_11, anew) == anew


def test_channel__server_id_of_the_same_log_changed__is_no_other_server() -> None:
    assert continuity.server_changed(FROM_11, FROM_12, "db-b1", 12) is None
    (forward, _) = RECORDS
    assert continuity.is_same_log(replace(forward, log=RECORD), up("a1"))
    assert not continuity.is_same_log(replace(forward, log=RECORD), started())
    assert not continuity.is_same_log(replace(forward, log=RECORD, log_break=BREAK), up("a1"))
    assert not continuity.is_same_log(forward, up("a1"))


BREAK = LogBreak("source_log_replaced", "binlog.000002 of db-a1 is another file", NOW - 5, UUIDS["a"], 470, NOW - 30)


def shown(direction: Direction = Direction.FORWARD, **recorded: object) -> LinkFacts:
    records = tuple(
        replace(one, **recorded) if one.direction is direction else one  # type: ignore[arg-type]
        for one in RECORDS
    )
    return link(records=records)


def told(facts: LinkFacts) -> tuple[LinkState, dict[str, Finding]]:
    view = derive(facts, History(last_ok_s=dict.fromkeys(Direction, NOW)), NOW)
    return view.state, {finding.code: finding for finding in view.findings}


def test_link__channel_runs_in_another_log__broken_and_the_first_advice_is_to_stop_it() -> None:
    state, findings = told(shown(log_break=BREAK))
    assert state is LinkState.BROKEN
    assert findings["source_log_replaced"].severity is Severity.BLOCKER
    assert findings["source_log_replaced"].remedy.startswith("Stop the channel first (STOP SLAVE on db-b1).")
    view = derive(shown(log_break=BREAK), History(), NOW)
    assert view.primary_action is None
    assert view.readiness["switchover"].state == "blocked"
    assert (view.readiness["relocate"].state, view.readiness["relocate"].loss_transactions) == ("unknown", None)
    assert (view.readiness["failover"].state, view.readiness["failover"].loss_transactions) == ("unknown", None)
    assert "not proven" in view.sentence
    assert view.sentence.endswith("It is unknown what Frankfurt lacks.")


def test_link__reverse_channel_runs_in_another_log__not_protected() -> None:
    facts = shown(Direction.REVERSE, log_break=BREAK)
    state, findings = told(facts)
    assert state is LinkState.DEGRADED
    assert "source_log_replaced" in findings
    all_applied = derive(facts, History(gaps={Direction.FORWARD: 0}), NOW)
    assert "in sync" not in all_applied.sentence  # a standby that was set back lacks writes of its own


def test_link__stopped_channel_of_another_log__relocate_is_offered_not_a_start() -> None:
    stopped = channel("a1", io_running="No", sql_running="No")
    records = tuple(replace(one, log_break=BREAK) if one.direction is Direction.FORWARD else one for one in RECORDS)
    view = derive(link({"b1": up("b1", stopped)}, records), History(), NOW)
    assert view.primary_action is not None
    assert (view.primary_action.kind, view.primary_action.replaced_node) == ("relocate", "n_a1")
    assert view.readiness["start_channel"].state == "not_needed"


def test_link__stopped_within_an_event_of_another_log__no_packet_is_blamed() -> None:
    """Measured: what stands at the place is read as the length of an event, and 1236 says that it is too large."""
    error = "Got fatal error 1236 from master: 'log event entry exceeded max_allowed_packet; the first event'"
    stopped = channel("a1", io_running="No", io_errno=1236, io_error=error)
    records = tuple(replace(one, log_break=BREAK) if one.direction is Direction.FORWARD else one for one in RECORDS)
    waits = History(waits_for_position={Direction.FORWARD: FilePosition("binlog.000002", 900)})
    for history in (History(), waits):
        view = derive(link({"b1": up("b1", stopped)}, records), history, NOW)
        assert not any("max_allowed_packet" in finding.remedy for finding in view.findings)
        assert view.primary_action is not None
        assert (view.primary_action.kind, view.primary_action.replaced_node) == ("relocate", "n_a1")


def test_link__log_not_read_for_a_moment__says_nothing_yet_and_later_unknown() -> None:
    moment, long = replace(RECORD, unread_since_s=NOW - 3), replace(RECORD, unread_since_s=NOW - 30)
    assert told(shown(log=moment))[0] is LinkState.PROTECTED
    state, findings = told(shown(log=long))
    assert state is LinkState.UNKNOWN
    assert findings["source_log_unread"].severity is Severity.UNKNOWN


def test_plan__source_started_since__unknown_at_once_and_never_passes() -> None:
    facts = shown(log=replace(RECORD, started_at_s=NOW - 5_000))
    finding = continuity.plan_finding(facts, Direction.FORWARD)
    assert finding is not None
    assert (finding.code, finding.severity) == ("source_log_unread", Severity.UNKNOWN)
    assert continuity.plan_finding(shown(log=RECORD), Direction.FORWARD) is None
    assert continuity.plan_finding(shown(log=replace(RECORD, unread_since_s=NOW)), Direction.FORWARD) is not None
