"""Whether a node's binary log is still the one that was read before, told by what is in it and not by its name.

A file of the same name may be another one: after a full state transfer, a reset, or when a copy of the data folder was
put back. Its time of creation differs then, or another event stands where the newest transaction was seen. A counter
that fell under one state UUID gives numbers out twice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from backend.core.dialects import quoting
from backend.core.facts.state_uuid import is_another_history
from backend.core.findings import Finding, Severity
from backend.core.link_facts import LinkFacts, LogBreak, LogRecord, RecordedChannel
from backend.core.positions import DUMP_OFFSETS, FIRST_EVENT_OFFSET, FilePosition
from backend.core.topology import ChannelFacts, ClusterFacts, Direction, NodeFacts

LOG_REPLACED = "source_log_replaced"
GROUP_DIFFERS = "source_group_differs"
COUNTER_FELL = "source_counter_fell"
SERVER_CHANGED = "source_server_changed"
NOT_COMPARED = "source_log_unread"
START_SLACK_S = 5.0
"""The start of a server is told by its uptime in whole seconds and by the console's clock."""
UNREAD_GRACE_S = 10.0
"""One read that failed is no unknown log; a longer silence is."""
_RELOCATE = " Or relocate the link: the plan proves the position."
_SAME_POLL_S = 0.5
_VIEWS = 100
"""By how many seqnos a counter is past the newest transaction at most where it gave that one out: views take some."""
_SYNCED = 4


@dataclass(frozen=True, slots=True)
class PlaceRead:
    """What stands at a place of a log: when its file was begun, and the event that begins there.

    `refusal` is the server's sentence where it has no such place.
    """

    created_s: int | None = None
    server_id: int | None = None
    end_offset: int | None = None
    xid: int | None = None
    at_s: int | None = None
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """How a log differs from what it held: a code, a sentence, and the values on record and read."""

    code: str
    sentence: str
    facts: dict[str, object]


@dataclass(frozen=True, slots=True)
class LastGroup:
    """The newest numbered transaction that was read in a node's log, and where its last event begins."""

    end: FilePosition
    event_offset: int
    seqno: int
    server_id: int


def first_record(node: NodeFacts, file: str, created_s: int, before: LogRecord | None = None) -> LogRecord:
    """The record of a file of which only its beginning was read; `before` is that of the same log's former file."""
    same = before is not None and before.state_uuid == _state_uuid(node)
    return LogRecord(
        state_uuid=_state_uuid(node) or "",
        seqno=before.seqno if before is not None and same else 0,
        file=file,
        created_s=created_s,
        event_offset=None,
        end_offset=FIRST_EVENT_OFFSET,
        xid=None,
        server_id=None,
        started_at_s=started_at_s(node) or 0.0,
        observed_at_s=_node_time_s(node),
    )


def advanced(record: LogRecord, node: NodeFacts, last: LastGroup | None) -> LogRecord:
    """The record with the newest transaction, where that is in the file on record."""
    if last is None or last.end.file != record.file or last.end.offset <= record.end_offset:
        return record
    if last.end.offset >= DUMP_OFFSETS:
        return record  # nothing there can be asked for
    return replace(
        record,
        seqno=max(record.seqno, last.seqno),
        event_offset=last.event_offset,
        end_offset=last.end.offset,
        xid=last.seqno,
        server_id=last.server_id,
        observed_at_s=_node_time_s(node),
    )


def compared(record: LogRecord, node: NodeFacts) -> LogRecord:
    """The record of a log that was found to be the same one: it is known since the server's present start."""
    uuid = _state_uuid(node) or record.state_uuid
    return replace(
        record,
        state_uuid=uuid,
        seqno=record.seqno if uuid == record.state_uuid else 0,
        started_at_s=started_at_s(node) or record.started_at_s,
        unread_since_s=None,
    )


def unread(record: LogRecord, now_s: float) -> LogRecord:
    """The record of a log that has to be compared and could not be read."""
    return record if record.unread_since_s is not None else replace(record, unread_since_s=now_s)


def _node_time_s(node: NodeFacts) -> float:
    """When the node was observed, by its own clock, as the times in its log are."""
    return node.observed_at_s + (node.clock_offset_s or 0.0)


def started_at_s(node: NodeFacts) -> float | None:
    """When the server was started (Unix time); None where its uptime is unknown."""
    return None if node.uptime_s is None else node.observed_at_s - node.uptime_s


def is_same_start(record: LogRecord, node: NodeFacts) -> bool:
    """Whether the server runs on since its log was last found to be the same one."""
    start_s = started_at_s(node)
    return start_s is not None and start_s <= record.started_at_s + START_SLACK_S


def has_to_be_compared(record: LogRecord, node: NodeFacts) -> bool:
    """Whether a node that is up may have another log since: it was started, or its log is shorter or of another name.

    A server never appends to a file of an earlier start, and a rotation only adds files.
    """
    if node.binlog is None:
        return False
    end, known = node.binlog.end, record.end
    is_later = _node_time_s(node) > record.observed_at_s + _SAME_POLL_S  # what follows an end may be read in that poll
    is_shorter = end.base != known.base or (is_later and end < known)
    return is_shorter or not is_same_start(record, node) or _state_uuid(node) not in (None, record.state_uuid)


def is_same_log(recorded: RecordedChannel, source: NodeFacts) -> bool:
    """Whether the log of a channel's source is known to be the one that the channel has read."""
    record = recorded.log
    is_known = record is not None and record.unread_since_s is None and recorded.log_break is None
    return is_known and source.is_up and record is not None and not has_to_be_compared(record, source)


def difference(
    record: LogRecord, read: PlaceRead | None, node: NodeFacts, last: LastGroup | None = None
) -> Difference | None:
    """What shows that the log is another one; None: nothing does.

    `read` is what stands at the record's place, and `last` the newest transaction; neither is needed for the counter of
    a server that was started since.
    """
    return _fallen(record, node, last) or (None if read is None else _replaced(record, read, node))


def is_out_of_reach(record: LogRecord, node: NodeFacts) -> bool:
    """Whether the record's file was purged in order, so that it can be compared no more."""
    if node.binlog is None or node.binlog.first_file is None or node.binlog.end.base != record.place.base:
        return False
    names = [name for name, _ in node.binlog.files]
    return record.file not in names and _number(names[0]) > record.place.number


def was_purged_in_order(record: LogRecord, node: NodeFacts) -> bool:
    """Whether a server that runs on since has only removed the file on record: its log is the same one.

    A console that was away for longer than logs are kept finds it so. RESET MASTER begins at the first number again.
    """
    is_same_history = _state_uuid(node) in (None, record.state_uuid)
    return is_same_history and is_same_start(record, node) and is_out_of_reach(record, node)


def out_of_reach(record: LogRecord, node: NodeFacts) -> Difference:
    """The file on record was purged, and the server was started since: what it held can be compared no more."""
    return Difference(
        NOT_COMPARED,
        f"{record.file} of {node.node.name} was purged before it could be compared since the server was started",
        {"node": node.node.name, "file": record.file},
    )


def _number(file: str) -> int:
    number = file.rpartition(".")[2]
    return int(number) if number.isdigit() else 0


def _fallen(record: LogRecord, node: NodeFacts, last: LastGroup | None) -> Difference | None:
    """A counter falls with a start of its server alone, or where the log gives a number again.

    While the server runs, its log may show a transaction before its counter does: the log is read after the counter in
    a poll, and a commit that is under way stands in the log first. A transaction that Galera did not replicate
    (wsrep_on=OFF) bears a number of its node alone, which is no seqno: the counter is far past it (measured).
    """
    wsrep = node.wsrep
    if wsrep is None or wsrep.cluster_status != "Primary" or wsrep.local_state != _SYNCED:
        return None
    if wsrep.state_uuid != record.state_uuid:
        return None
    is_below = wsrep.last_committed < record.seqno and not is_same_start(record, node)
    is_later = last is not None and last.end.base == record.end.base and record.end < last.end
    is_given_again = last is not None and is_later and wsrep.last_committed - _VIEWS <= last.seqno <= record.seqno
    if not (is_below or is_given_again):
        return None
    name, now = node.node.name, last.seqno if last is not None and is_given_again else wsrep.last_committed
    return Difference(
        COUNTER_FELL,
        f"The seqno of {name} fell from {record.seqno} to {now} under one state UUID: its cluster was "
        "set back, and numbers are given out again",
        {"node": name, "highest_seqno": record.seqno, "seqno": now, "state_uuid": record.state_uuid},
    )


def _replaced(record: LogRecord, read: PlaceRead, node: NodeFacts) -> Difference | None:
    name = node.node.name
    facts: dict[str, object] = {"node": name, "file": record.file, "position": record.end_offset}
    if read.refusal:
        sentence = f"The binary log of {name} no longer has {record.end}, which was read before ({read.refusal})"
        return Difference(LOG_REPLACED, sentence, facts)
    if read.created_s != record.created_s:
        return Difference(
            LOG_REPLACED,
            f"{record.file} of {name} is another file of the same name: it was begun at another time than the one "
            "that was read before",
            {**facts, "created_s": record.created_s, "created_now_s": read.created_s},
        )
    if record.event_offset is None:
        return None
    before = (record.server_id, record.end_offset, record.xid)
    now = (read.server_id, read.end_offset, read.xid)
    if now != before:
        return Difference(
            GROUP_DIFFERS,
            f"In {record.file} of {name} another transaction ends at {record.end_offset} than was read there before "
            f"(seqno {record.xid})",
            {**facts, "seqno": record.xid, "seqno_now": read.xid, "server_id": record.server_id},
        )
    return None


def _state_uuid(node: NodeFacts) -> str | None:
    wsrep = node.wsrep
    return wsrep.state_uuid if wsrep is not None and wsrep.cluster_status == "Primary" else None


def server_changed(before: ChannelFacts, now: ChannelFacts, replica: str, same_id: int | None) -> Difference | None:
    """Whether another server answers at the address of a channel that was not pointed anew: a proxy, or a new owner.

    The channel asks that server for the file and offset of the other one. `same_id`: the server_id that the source has
    now, where its log is known to be the same one; an administrator changed it.
    """
    if before.source_address != now.source_address or now.uses_auto_position or now.using_gtid not in ("No", ""):
        return None
    old, new = before.source_server_id, now.source_server_id
    if not old or not new or new in (old, same_id) or is_pointed_anew(before, now):
        return None
    host, port = now.source_address
    return Difference(
        SERVER_CHANGED,
        f"At {host}:{port} the channel of {replica} now reads from the server with server_id {new} instead of {old}. "
        "File and offset are those of the other server's log",
        {"node": replica, "source": f"{host}:{port}", "server_id": old, "server_id_now": new},
    )


def with_known_source(before: ChannelFacts, now: ChannelFacts) -> ChannelFacts:
    """The channel with the server_id that answered it last: a replica that was started tells none until it connects.

    Stored without it, the next one to answer could be any.
    """
    if now.source_server_id or is_pointed_anew(before, now):
        return now
    return replace(now, source_server_id=before.source_server_id)


def is_pointed_anew(before: ChannelFacts, now: ChannelFacts) -> bool:
    """Whether somebody gave the channel a position since: CHANGE MASTER begins its relay logs again.

    So does RESET SLAVE, which gives none.
    """
    is_elsewhere = before.source_address != now.source_address or _is_before(now.exec_position, before.exec_position)
    has_new_relay_log = _number(now.relay_file) < _number(before.relay_file)
    return is_elsewhere or (has_new_relay_log and now.exec_position is not None)


def _is_before(now: FilePosition | None, before: FilePosition | None) -> bool:
    return now is not None and before is not None and now.base == before.base and now < before


def continuity_finding(link: LinkFacts, direction: Direction, now_s: float) -> Finding | None:
    """Why it is not proven that a channel's source has the log that the channel has read; None where nothing is
    against it. Nothing is claimed of a channel on which nothing was recorded yet."""
    recorded = link.recorded_channel(direction)
    if recorded is None:
        return None
    if recorded.log_break is not None:
        return _broken(link, recorded, recorded.log_break, _severity(recorded.log_break))
    since_s = recorded.log.unread_since_s if recorded.log is not None else None
    if since_s is None or now_s - since_s <= UNREAD_GRACE_S:
        return None
    return not_compared(link, recorded)


def reads_another_log(link: LinkFacts, direction: Direction) -> bool:
    """Whether the place of the recorded channel is known to be one of a log that its source does not have any more."""
    recorded = link.recorded_channel(direction)
    if recorded is None:
        return False
    is_broken = recorded.log_break is not None and recorded.log_break.code != NOT_COMPARED
    return is_broken or recorded.waits_for_position


def history_in_doubt(link: LinkFacts, side: ClusterFacts) -> RecordedChannel | None:
    """The channel from a side that was bootstrapped again, until its source's log is known to be the one that it has
    read; None where nothing is recorded of it, and of a side that was lost in a failover.

    The node that was bootstrapped may be another one than the source, and hold nothing.
    """
    recorded = link.recorded_channel(Direction.FORWARD if side.id == link.active.id else Direction.REVERSE)
    if recorded is None or not is_another_history(side):
        return None
    if recorded.log_break is None and (recorded.log is None or link.divergence is not None):
        return None
    return None if is_same_log(recorded, link.node(recorded.source_node_id)) else recorded


def plan_finding(link: LinkFacts, direction: Direction) -> Finding | None:
    """As `continuity_finding`, for a plan: a source that was started since its log was compared is unknown at once."""
    recorded = link.recorded_channel(direction)
    if recorded is None:
        return None
    if recorded.log_break is not None:
        return _broken(link, recorded, recorded.log_break, _severity(recorded.log_break))
    source = link.node(recorded.source_node_id)
    if recorded.log is None or not source.is_up:
        return None
    if recorded.log.unread_since_s is None and not has_to_be_compared(recorded.log, source):
        return None
    return not_compared(link, recorded)


def _severity(cause: LogBreak) -> Severity:
    return Severity.UNKNOWN if cause.code == NOT_COMPARED else Severity.BLOCKER


def _broken(link: LinkFacts, recorded: RecordedChannel, cause: LogBreak, severity: Severity) -> Finding:
    source, receiving = link.source_cluster(recorded.direction).name, link.receiving_cluster(recorded.direction).name
    replica = link.node(recorded.replica_node_id).node.name
    return Finding(
        cause.code,
        severity,
        f"{cause.sentence}. It is not proven that the {recorded.direction} channel of {replica} continues without a "
        f"gap: {receiving} may lack transactions of {source}, or hold some that {source} no longer has.",
        f"{stop_first(link, recorded)} {_after_the_stop(link, recorded)}",
        {"direction": recorded.direction.value, "replica": replica, **cause.facts},
    )


def _after_the_stop(link: LinkFacts, recorded: RecordedChannel) -> str:
    """A relocate proves the seam by the seqno of a transaction, which means nothing under another state UUID."""
    source, receiving = link.source_cluster(recorded.direction), link.receiving_cluster(recorded.direction).name
    if is_another_history(source):
        return without_a_seam(link, source)
    return (
        f"Then plan a relocate: it proves what {receiving} applied last in the log that {source.name} has now, or "
        f"refuses. If it is refused, the data of both sides differs. {ways_to_equal_data(link)}"
    )


def without_a_seam(link: LinkFacts, side: ClusterFacts) -> str:
    """Where a side began a new history in another log neither relocate nor accept_state_uuid can prove the seam."""
    return (
        f"Nothing proves that {side.name} continues its former history: compare the data of both sides. "
        f"{ways_to_equal_data(link)}"
    )


def ways_to_equal_data(link: LinkFacts) -> str:
    """The ways out where no position joins both sides any more; which one is right only a person can say."""
    active, standby = link.active.name, link.standby.name
    return (
        f"If {active} has the data that counts, remove the channels, and create them again on a copy of {active}. If "
        f"{standby} has it, stop the nodes of {active}, fail over to {standby}, and reprotect or rebuild {active}."
    )


def stop_first(link: LinkFacts, recorded: RecordedChannel) -> str:
    """The first advice: what the channel still applies cannot be taken back."""
    replica = link.node(recorded.replica_node_id).node.name
    return f"Stop the channel first (STOP SLAVE{quoting.shown_channel(recorded.channel.name)} on {replica})."


def not_compared(link: LinkFacts, recorded: RecordedChannel) -> Finding:
    """The source's log could not be compared with what it held before: it may be another one."""
    source = link.node(recorded.source_node_id).node.name
    place = "" if recorded.log is None else f" ({recorded.log.end})"
    relocate = "" if is_another_history(link.source_cluster(recorded.direction)) else _RELOCATE
    return Finding(
        NOT_COMPARED,
        Severity.UNKNOWN,
        f"It is unknown whether the binary log of {source} is still the one that the {recorded.direction} channel has "
        f"read: it was not compared{place} since {source} was started or last seen.",
        f"Wait until the monitor has read the log of {source}. It needs REPLICATION SLAVE for its account there."
        f"{relocate}",
        {"direction": recorded.direction.value, "node": source},
    )
