"""Collects the inputs of one direction's search from the servers and the journal."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from backend.core.binlog.current_history import CurrentHistoryLog
from backend.core.binlog.events import EventSource
from backend.core.binlog.groups import UnknownEventError
from backend.core.binlog.logs import BinaryLog, RelayLog, log_of
from backend.core.dialects import dialect_of
from backend.core.dialects.base import Dialect
from backend.core.dialects.galera import CAUSAL_READ
from backend.core.facts.engines import OutsideTable, outside_among
from backend.core.facts.judged_settings import log_content_findings
from backend.core.facts.origins import logged_origins, origins_in, outside_stream
from backend.core.link_facts import LinkFacts, LogBreak
from backend.core.locate.evidence import AlignedHint, LowerBound, SeqnoClue, StoppedChannel
from backend.core.locate.executed_inputs import read_auto_position
from backend.core.locate.executed_sets import AutoPosition
from backend.core.locate.last_applied import TailStart
from backend.core.locate.model import GtidMode, Seam, Search
from backend.core.locate.relay_log import seqno_from_relay
from backend.core.locate.requests import LocateRequest
from backend.core.ports import Gateway, Journal, NodeError, NodeReader
from backend.core.positions import FilePosition, MariadbGtid, MariadbGtidSet, Seqno
from backend.core.topology import NODE_NOT_READY, ChannelFacts, ClusterFacts, Direction, NodeFacts

_TAIL_AGES_S = (1.0, 5.0, 15.0, 45.0, 120.0, 360.0, 1_800.0)
_CHECKPOINT_MARGINS = (0, 16, 64, *(200 << step for step in range(10)))
"""Each twice the one before, so that at most twice what is needed is read. A step from 5,000 to 100,000 made the plan
of a stream that had been idle for a minute read 1.6 million events, in 97 s on a busy machine (in the soak test)."""
_GTID_STATE_LIMIT_S = 15.0
"""BINLOG_GTID_POS reads one file from its beginning."""
_SAMPLE_TAKES_S = 5.0
"""More than lies between the reading of a log's end and the time that its sample carries (budget 1 s, and the poll)."""
_STORED_WITHIN_S = 3.0
"""In which a node that has applied a transaction has it in gtid_slave_pos."""
SYNC_SQL = CAUSAL_READ


def build_search(question: LocateRequest, link: LinkFacts, gateway: Gateway, journal: Journal) -> Search:
    """Collect everything `locate` needs; waits until both nodes have all that their clusters committed.

    Raises NodeError where a node does not respond.
    """
    source, replica = link.node(question.new_source_id), link.node(question.new_replica_id)
    for node in (source, replica):
        _sync(gateway, node)
    receiving = link.receiving_cluster(question.direction)
    source_uuid = source.wsrep.state_uuid if source.wsrep else ""
    lower_bound = _lower_bound(question, link, journal, source_uuid)
    auto_position = _auto_position(question, link, gateway)
    return Search(
        direction=question.direction,
        new_source=source.node.name,
        new_source_id=source.node.id,
        receiving=receiving.name,
        read_from=replica.node.name,
        receiving_server_ids=outside_stream(link, question.direction),
        source_log=_source_log(gateway, journal, source),
        receiving_log=_binlog(gateway, replica),
        seqno_clue=seqno_clue(question, link, gateway, journal, source_uuid),
        lower_bound=lower_bound,
        stopped_channel=_stopped_channel(question, link, journal, lower_bound),
        aligned=_aligned(question, gateway, replica),
        source_checkpoints=lambda seqno: _checkpoints(journal, source.node.id, source_uuid, seqno),
        tail_starts=tail_starts(journal, replica, lower_bound.observed_at_s if lower_bound else None),
        has_cluster_wide_gtids=auto_position is not None or _is_on(source.variable("wsrep_gtid_mode")),
        domain=int(domain) if (domain := source.variable("wsrep_gtid_domain_id") or "").isdigit() else None,
        gtid_mode=gtid_mode(question, link, gateway),
        auto_position=auto_position,
        has_whole_logs=not any(_was_reset(journal, node) for node in (source, replica)),
        may_have_been_written=_may_have_been_written(link, question.direction),
        sync_source=lambda: _sync(gateway, source),
        outside_innodb=lambda tables: _tables_outside_innodb(gateway, replica, tables),
        log_settings=tuple(log_content_findings((source, replica))),
        seam=_seam(question, link, gateway),
        left_out=() if (one := link.recorded_channel(question.direction)) is None else one.account.left_out,
    )


def _may_have_been_written(link: LinkFacts, direction: Direction) -> bool:
    """Whether a log of either side ever held a transaction of the stream, or a node does not tell.

    A log that begins with an empty Gtid_list need not reach back to the cluster's beginning: so does that of a node
    that joined by SST (10.11.19), whose data holds what other nodes logged before.
    """
    if any(node.is_up and origins_in(node) is None for node in link.nodes):
        return True
    logged = logged_origins(link.active) | logged_origins(link.standby)
    return not {server_id for _, server_id in logged} <= set(outside_stream(link, direction))


def _seam(question: LocateRequest, link: LinkFacts, gateway: Gateway) -> Seam | None:
    recorded = link.recorded_channel(question.direction)
    if recorded is None or recorded.log_break is None or link.divergence is not None:
        return None  # after a failover the divergence point is what is proven
    source, replica = question.new_source_id, question.new_replica_id
    return Seam(
        cause=recorded.log_break,
        written_at=partial(gateway.written_at, source),
        logged_at=partial(gateway.written_at, replica),
    )


def _sync(gateway: Gateway, node: NodeFacts) -> None:
    gateway.reader(node.node.id).query(SYNC_SQL)


def _tables_outside_innodb(gateway: Gateway, node: NodeFacts, tables: Iterable[str]) -> tuple[OutsideTable, ...]:
    """Used only in a refusal's text, so a node that does not respond counts as having no such table."""
    try:
        return outside_among(gateway.reader(node.node.id), tables)
    except NodeError:
        return ()


def _was_reset(journal: Journal, node: NodeFacts) -> bool:
    """Whether the journal has a later log end of the node: RESET MASTER, or a node that was rebuilt and joined again.

    Samples count across a new state UUID: the log may still be the same.
    """
    if node.binlog is None:
        return False
    known = journal.furthest(node.node.id)
    return known is not None and _comparison_key(node.binlog.end) < _comparison_key(known.position)


def _comparison_key(position: FilePosition) -> tuple[int, int]:
    """The position as numbers, comparable also where the log was renamed."""
    return position.number, position.offset


def _source_log(gateway: Gateway, journal: Journal, source: NodeFacts) -> EventSource:
    log = _binlog(gateway, source)
    first_seen = journal.first_of_history(source.node.id, source.wsrep.state_uuid) if source.wsrep else None
    return log if first_seen is None else CurrentHistoryLog(log, first_seen.position)


def _is_on(value: str | None) -> bool:
    return value is not None and value.upper() in ("ON", "1")


def _binlog(gateway: Gateway, node: NodeFacts) -> BinaryLog:
    return log_of(gateway.reader(node.node.id), node)


def seqno_clue(
    question: LocateRequest, link: LinkFacts, gateway: Gateway, journal: Journal, source_uuid: str
) -> SeqnoClue | str:
    """The source cluster's Xid last executed: relay log first, then the journal's map."""
    if question.holder_id is None:
        at_parting = _clue_at_parting(question, link, source_uuid)
        return at_parting or _why_no_relay_log(question, link)
    if question.is_moving:
        return "The channel is still running. Its relay log is read once it has stopped."
    replica = gateway.observe_node(question.holder_id)
    source_cluster = link.source_cluster(question.direction)
    channel = next((c for c in replica.channels or () if source_cluster.node_at(c.source_address) is not None), None)
    if channel is None:
        return f"{replica.node.name} no longer has the channel."
    clue = _relay_clue(gateway, replica, channel)
    if isinstance(clue, str):
        clue = _journal_clue(question, link, journal, channel, source_uuid) or clue
    if isinstance(clue, SeqnoClue) and _may_lie_behind(link, question, replica, channel):
        return replace(clue, is_exact=False)
    return clue


def _why_no_relay_log(question: LocateRequest, link: LinkFacts) -> str:
    """Why no replica's own position is evidence: none is reachable, or the one that is was started meanwhile."""
    held, recorded = link.holders(question.direction), link.recorded_channel(question.direction)
    if len(held) == 1 and link.divergence is not None and not link.is_invalidated(question.direction):
        name, uptime_s = held[0].replica.node.name, held[0].replica.uptime_s
        since = "it is unknown since when it runs" if uptime_s is None else "it was started after the failover"
        return f"The own position of {name} is not used: {since}, and it may have come back behind its data."
    if held:
        return "It is not clear which channel is the current one, so no relay log is read."
    if recorded is not None and link.node(recorded.replica_node_id).is_up:
        return f"{link.node(recorded.replica_node_id).node.name} no longer has the channel, nor its relay log."
    return "The replica that held the channel is not reachable, so its relay log cannot be read."


def _may_lie_behind(link: LinkFacts, question: LocateRequest, replica: NodeFacts, channel: ChannelFacts) -> bool:
    """Whether the replica may have committed more than the channel's stored position tells.

    relay-log.info is not written with the commit: a killed replica returned one transaction behind its data and
    stopped on it with 1062 (soak test, MariaDB 10.11.19). So the stored position is exact only for a channel that
    stopped in order on a server that has not been restarted since the channel was last seen to apply.
    """
    if channel.sql_running != "No":
        return False
    if channel.sql_errno not in (0, NODE_NOT_READY):
        return True
    recorded = link.recorded_channel(question.direction)
    if recorded is None or recorded.replica_node_id != replica.node.id or recorded.channel.sql_running == "No":
        return True
    if replica.uptime_s is None:
        return True
    return replica.observed_at_s - replica.uptime_s > recorded.observed_at_s


def gtid_mode(question: LocateRequest, link: LinkFacts, gateway: Gateway) -> GtidMode | None:
    """What a channel in GTID mode needs besides the search; None for a channel by file and position.

    Raises NodeError: every working node of the receiving cluster is queried, after it applied what it received.
    """
    if not _uses_gtid(question, link):
        return None
    source = link.node(question.new_source_id)
    dialect = dialect_of(source)
    domain = source.variable("wsrep_gtid_domain_id") or ""
    if not domain.isdigit():
        raise NodeError(source.node.name, "its wsrep_gtid_domain_id is unknown")

    def state_at(position: FilePosition) -> str | None:
        rows = gateway.reader(source.node.id).query(dialect.gtid_at_query(position), timeout_s=_GTID_STATE_LIMIT_S)
        value = rows[0]["gtid"] if rows else None
        return None if value is None else str(value)

    own = link.source_cluster(question.direction).server_ids
    not_third = frozenset((*own, *outside_stream(link, question.direction)))
    if question.is_moving:
        reason = "The channel is still running. gtid_slave_pos is compared once it has stopped."
        return GtidMode(int(domain), state_at, reason, not_third)
    receiving = link.receiving_cluster(question.direction)
    return GtidMode(int(domain), state_at, partial(_slave_positions, receiving, gateway), not_third)


def _uses_gtid(question: LocateRequest, link: LinkFacts) -> bool:
    channel = _channel_of(question, link)
    return channel is not None and channel.using_gtid.lower() != "no" and not channel.uses_auto_position


def _auto_position(question: LocateRequest, link: LinkFacts, gateway: Gateway) -> AutoPosition | None:
    """The sets of GTIDs, where the direction's channel asks by them."""
    channel = _channel_of(question, link)
    if channel is None or not channel.uses_auto_position:
        return None
    nodes = question.new_source_id, question.new_replica_id
    return read_auto_position(link, question.direction, *nodes, gateway, is_moving=question.is_moving)


def _channel_of(question: LocateRequest, link: LinkFacts) -> ChannelFacts | None:
    """The direction's channel as its holder has it, else as last recorded."""
    source = link.source_cluster(question.direction)
    held = link.node(question.holder_id).channels if question.holder_id else None
    found = next((c for c in held or () if source.node_at(c.source_address) is not None), None)
    recorded = link.recorded_channel(question.direction)
    return found or (recorded.channel if recorded else None)


def _slave_positions(cluster: ClusterFacts, gateway: Gateway, at: MariadbGtid | None) -> dict[str, str]:
    """Each working node's own gtid_slave_pos; a node that is joining or has left has none to compare.

    A node stores it after the transaction, which a causal read waits for: on an overloaded machine it named the
    transaction before the last one, also when it was read five times in a row.
    """
    found: dict[str, str] = {}
    for facts in cluster.nodes:
        if facts.is_up and facts.wsrep is not None and facts.wsrep.ready:
            found[facts.node.name] = _slave_position(gateway.reader(facts.node.id), dialect_of(facts), at)
    return found


def _slave_position(reader: NodeReader, dialect: Dialect, at: MariadbGtid | None) -> str:
    reader.query(SYNC_SQL)
    position = str(reader.query(dialect.gtid_slave_pos_query())[0]["gtid"])
    if at is None or MariadbGtidSet((at,)).is_contained_in(MariadbGtidSet.parse(position)):
        return position
    reader.query(dialect.gtid_wait_query(at, _STORED_WITHIN_S))
    return str(reader.query(dialect.gtid_slave_pos_query())[0]["gtid"])


def _aligned(question: LocateRequest, gateway: Gateway, replica: NodeFacts) -> AlignedHint | str:
    """The receiving cluster's own counter; it counts local writes too, so it is read once the channel has stopped."""
    if question.is_moving:
        return "The channel is still running. The receiver's own counter is read once it has stopped."
    dialect = dialect_of(replica)
    seen = dialect.parse_pairs(gateway.reader(replica.node.id).query(dialect.counter_query()))
    counter = seen.get("wsrep_last_committed", "")
    if not counter.isdigit():
        return f"wsrep_last_committed of {replica.node.name} is unknown."
    return AlignedHint(replica.node.name, int(counter))


def _clue_at_parting(question: LocateRequest, link: LinkFacts, source_uuid: str) -> SeqnoClue | None:
    """The Xid that the failover read from the relay log before it reset the channel; nothing was applied since."""
    divergence, source = link.divergence, link.source_cluster(question.direction)
    if divergence is None or divergence.lost_cluster_id != source.id or divergence.lost_state_uuid != source_uuid:
        return None
    if divergence.applied_seqno is None:
        return None
    detail = f"At the failover the last transaction applied of {source.name} was Xid {divergence.applied_seqno}"
    return SeqnoClue(divergence.applied_seqno, divergence.applied_trailing, "failover", detail, is_exact=True)


def _relay_clue(gateway: Gateway, replica: NodeFacts, channel: ChannelFacts) -> SeqnoClue | str:
    log = RelayLog(gateway.reader(replica.node.id), dialect_of(replica), channel.name)
    try:
        return seqno_from_relay(log, channel, replica.node.name)
    except (NodeError, UnknownEventError) as error:
        return f"The relay log of {replica.node.name} cannot be read: {error}."


def _journal_clue(
    question: LocateRequest, link: LinkFacts, journal: Journal, channel: ChannelFacts, source_uuid: str
) -> SeqnoClue | None:
    position, recorded = channel.exec_position, link.recorded_channel(question.direction)
    if position is None or question.old_source_id is None or (recorded is not None and recorded.is_of_another_log):
        return None
    seqno = journal.seqno_at(question.old_source_id, source_uuid, position)
    if seqno is None:
        return None
    detail = f"In the position history, {position} of the old source is the end of Xid {seqno}"
    return SeqnoClue(seqno, 0, "journal", detail, is_exact=True)


def _lower_bound(question: LocateRequest, link: LinkFacts, journal: Journal, source_uuid: str) -> LowerBound | None:
    """What the journal last saw applied, as a seqno of the source cluster's current incarnation."""
    recorded = link.recorded_channel(question.direction)
    position = recorded.channel.exec_position if recorded else None
    if recorded is not None and recorded.log_break is not None:
        return None if link.divergence is not None else _applied_before(recorded.log_break, source_uuid)
    if recorded is None or position is None or not source_uuid or recorded.waits_for_position:
        return None
    node = link.node(recorded.source_node_id).node
    newest = journal.checkpoint_at_age(node.id, source_uuid, 0)
    if newest is not None and newest.position.number < position.number:
        return None  # its log was reset since: positions before and after it do not compare
    detail = f"The position history has {position} of {node.name} as applied, which is"
    exact = journal.seqno_at(node.id, source_uuid, position)
    checkpoint = journal.checkpoint_at(node.id, source_uuid, position)
    if checkpoint is None:
        return None
    sampled_at_s = checkpoint.observed_at_s
    if exact is not None:
        phrase = f"{detail} the end of seqno {exact}"
        return LowerBound(exact, recorded.observed_at_s, phrase, is_exact=True, sampled_at_s=sampled_at_s)
    since_s = min(recorded.observed_at_s, sampled_at_s)
    phrase = f"{detail} after seqno {checkpoint.seqno}"
    return LowerBound(checkpoint.seqno, since_s, phrase, is_exact=False, sampled_at_s=sampled_at_s)


def _applied_before(cause: LogBreak, source_uuid: str) -> LowerBound | None:
    """What was applied of the log before: `locate.seam` proves that it stands in the new source's log, too."""
    if cause.seam_seqno is None or cause.seam_at_s is None or cause.state_uuid != source_uuid:
        return None
    detail = f"Before the log became another one, seqno {cause.seam_seqno} was applied"
    return LowerBound(cause.seam_seqno, cause.seam_at_s, detail, is_exact=False)


def _stopped_channel(
    question: LocateRequest, link: LinkFacts, journal: Journal, lower_bound: LowerBound | None
) -> StoppedChannel | None:
    """The recorded channel, where it is stopped and its source is the very node that is to be the new source."""
    recorded = link.recorded_channel(question.direction)
    if recorded is None or recorded.source_node_id != question.new_source_id or recorded.is_of_another_log:
        return None
    held = (h for h in link.holders(question.direction) if h.replica.node.id == recorded.replica_node_id)
    channel = next((h.channel for h in held if h.source.id == recorded.source_node_id), None)
    position = channel.exec_position if channel is not None and not channel.is_running else None
    end = source.binlog.end if (source := link.node(question.new_source_id)).binlog else None
    if (
        lower_bound is None
        or lower_bound.sampled_at_s is None
        or position is None
        or end is None
        or position.base != end.base
    ):
        return None
    before_s = lower_bound.sampled_at_s - _SAMPLE_TAKES_S
    samples = _exact_samples(journal, link.node(question.new_replica_id), before_s)
    return StoppedChannel(link.node(recorded.replica_node_id).node.name, position, samples)


def _exact_samples(journal: Journal, node: NodeFacts, before_s: float) -> tuple[tuple[int, FilePosition], ...]:
    """Groups that were in the node's log before a time, newest first."""
    state_uuid = node.wsrep.state_uuid if node.wsrep else ""
    newest = journal.checkpoint_at_age(node.node.id, state_uuid, 0)
    reaches_s = max(0.0, newest.observed_at_s - before_s) if newest is not None else 0.0
    found: dict[tuple[int, FilePosition], None] = {}
    for age_s in (reaches_s, *(reaches_s + further_s for further_s in _TAIL_AGES_S)):
        checkpoint = journal.checkpoint_at_age(node.node.id, state_uuid, age_s)
        if checkpoint is not None and checkpoint.exact and checkpoint.observed_at_s <= before_s:
            found[checkpoint.seqno, checkpoint.position] = None
    return tuple(found)


def _checkpoints(journal: Journal, node_id: str, state_uuid: str, seqno: int) -> Iterator[FilePosition]:
    """Journalled boundaries at or before a seqno, nearest first; the search verifies each."""
    seen: set[FilePosition] = set()
    for margin in _CHECKPOINT_MARGINS:
        if seqno - margin < 0 or not state_uuid:
            return
        checkpoint = journal.checkpoint_before(node_id, Seqno(state_uuid, seqno - margin))
        if checkpoint is not None and checkpoint.position not in seen:
            seen.add(checkpoint.position)
            yield checkpoint.position


def tail_starts(journal: Journal, node: NodeFacts, since_s: float | None = None) -> Iterable[TailStart]:
    """Positions in the node's log whose time the journal has, newest first, the last from before `since_s`."""
    return _TailStarts(journal, node.node.id, node.wsrep.state_uuid, since_s) if node.wsrep is not None else ()


@dataclass(frozen=True, slots=True)
class _TailStarts:
    """Read from the journal one after the other, as far as they are asked for: mostly the first is enough."""

    journal: Journal
    node_id: str
    state_uuid: str
    since_s: float | None

    def __iter__(self) -> Iterator[TailStart]:
        newest = self.journal.checkpoint_at_age(self.node_id, self.state_uuid, 0)
        if newest is None:
            return
        reaches_s = newest.observed_at_s - self.since_s if self.since_s is not None else 0.0
        last_s = math.inf
        for age_s in (*_TAIL_AGES_S, max(_TAIL_AGES_S[0], reaches_s)):
            checkpoint = self.journal.checkpoint_at_age(self.node_id, self.state_uuid, age_s)
            if checkpoint is not None and checkpoint.observed_at_s < last_s:
                last_s = checkpoint.observed_at_s
                yield TailStart(checkpoint.position, last_s)
