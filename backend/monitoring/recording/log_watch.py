"""Compares each node's binary log with what it held before, and says of which channels the continuity is not proven.

A log is read by the dump protocol, one or two events of it, and only when it may be another one: at the start of the
monitor or of the node, where it got shorter, and for a new file's time of creation.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict, dataclass

from backend.clusters.models import Node
from backend.common.events import services as events
from backend.common.moving_rows import update_rows
from backend.core.facts import log_continuity
from backend.core.facts.log_continuity import Difference, LastGroup, PlaceRead
from backend.core.facts.serialization import channel_from_json
from backend.core.link_facts import LogBreak, LogRecord
from backend.core.ports import NodeError
from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition
from backend.core.topology import NodeFacts
from backend.gateway.binlog_dump import place_at
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.polling.pollers import Polled
from backend.gateway.polling.workers import Workers
from backend.monitoring import link_roles, log_records
from backend.monitoring.journal import DbJournal, void_samples
from backend.monitoring.models import ChannelRecord, Divergence, NodeLog

THREADS = 8
AGAIN_AFTER_S = 5.0
"""A log that could not be read is not asked for in every tick."""
_COLUMNS = [field.name for field in NodeLog._meta.concrete_fields if not field.primary_key]  # noqa: SLF001 - documented
Place = tuple[str, FilePosition]
ReadPlace = Callable[[NodeAccess, FilePosition], PlaceRead]


def _by_dump(access: NodeAccess, begins: FilePosition) -> PlaceRead:
    return place_at(access.ref.name, access.monitor, begins, read_s=access.answers_s)


@dataclass(frozen=True, slots=True)
class _Failed:
    until_s: float


class LogWatch:
    """The logs of the nodes that this monitor owns."""

    def __init__(self, read: ReadPlace = _by_dump) -> None:
        self._read_place = read
        self._workers = Workers("log", THREADS)
        self._records: dict[str, LogRecord | None] = {}
        self._compared: set[str] = set()
        self._asked: set[Place] = set()
        self._answers: dict[Place, PlaceRead | _Failed] = {}
        self._changed = threading.Condition()

    def close(self) -> None:
        """End its threads."""
        self._workers.close()

    def keep_only(self, node_ids: Collection[str]) -> None:
        """Another monitor stores the other nodes from now on."""
        for node_id in self._records.keys() - set(node_ids):
            del self._records[node_id]
            self._compared.discard(node_id)
        missing = [node_id for node_id in node_ids if node_id not in self._records]
        if missing:
            stored = {row.node_id: log_records.from_row(row) for row in NodeLog.objects.filter(node_id__in=missing)}
            self._records |= {node_id: stored.get(node_id) for node_id in missing}

    def read(self, polled: Mapping[str, Polled], accesses: Mapping[str, NodeAccess], wait_s: float) -> None:
        """Read what has to be compared; waits for it for up to `wait_s`, and goes on with it in the next tick."""
        deadline = time.monotonic() + wait_s
        wanted = set(self._wanted(polled))
        with self._changed:
            self._answers = {place: answer for place, answer in self._answers.items() if place in wanted}
            new = [p for p in wanted if p not in self._asked and p[0] in accesses and self._is_open(p)]
            self._asked.update(new)
        for node_id, begins in new:
            access = accesses[node_id]
            self._workers.submit(lambda access=access, begins=begins: self._ask(access, begins))  # type: ignore[misc]
        with self._changed:
            self._changed.wait_for(lambda: self._asked.isdisjoint(new), max(0.0, deadline - time.monotonic()))

    def _is_open(self, place: Place) -> bool:
        answer = self._answers.get(place)
        return answer is None or (isinstance(answer, _Failed) and time.monotonic() > answer.until_s)

    def _ask(self, access: NodeAccess, begins: FilePosition) -> None:
        answer: PlaceRead | _Failed
        try:
            answer = self._read_place(access, begins)
        except NodeError:
            answer = _Failed(time.monotonic() + AGAIN_AFTER_S)
        except Exception:  # noqa: BLE001 - whatever a server sends, the log is unknown
            answer = _Failed(time.monotonic() + AGAIN_AFTER_S)
        with self._changed:
            self._answers[access.ref.id, begins] = answer
            self._asked.discard((access.ref.id, begins))
            self._changed.notify_all()

    def _wanted(self, polled: Mapping[str, Polled]) -> Iterator[Place]:
        for node_id, record in self._records.items():
            seen = polled.get(node_id)
            if seen is None or not seen.facts.is_up or seen.facts.binlog is None:
                self._compared.discard(node_id)
                continue
            head = FilePosition(seen.facts.binlog.file, FIRST_EVENT_OFFSET)
            if record is not None and self._has_to_be_compared(node_id, record, seen.facts):
                if not log_continuity.is_out_of_reach(record, seen.facts):
                    yield node_id, record.place
            elif record is None or record.file != head.file:
                yield node_id, head

    def _has_to_be_compared(self, node_id: str, record: LogRecord, facts: NodeFacts) -> bool:
        is_due = node_id not in self._compared or log_continuity.has_to_be_compared(record, facts)
        return is_due and not log_continuity.was_purged_in_order(record, facts)

    # inside the transaction of a tick

    def store(self, polled: Mapping[str, Polled], now_s: float) -> frozenset[str]:
        """Store what the logs hold now; where one is another log, its samples are void and its channels not proven.

        Returns the ids of nodes whose samples of this tick may be of another log.
        """
        moved, doubtful = [], set()
        for node_id in list(self._records):
            seen, before = polled.get(node_id), self._records[node_id]
            if seen is None or not seen.facts.is_up or seen.facts.binlog is None:
                continue
            after = self._followed(node_id, before, seen, seen.facts.binlog.file, now_s)
            self._records[node_id] = after
            if before is not None and node_id not in self._compared:
                doubtful.add(node_id)
            if after is not None and after != before:
                moved.append(log_records.to_row(node_id, after))
        update_rows(NodeLog, moved, _COLUMNS)
        return frozenset(doubtful)

    @property
    def records(self) -> Mapping[str, LogRecord | None]:
        """What is known of the logs now, by node; also of nodes that are down."""
        return self._records

    def forget(self) -> None:
        """What was stored in a transaction that failed is not stored: read it again, and compare again."""
        self._records.clear()
        self._compared.clear()

    def _followed(
        self, node_id: str, record: LogRecord | None, seen: Polled, file: str, now_s: float
    ) -> LogRecord | None:
        facts = seen.facts
        if record is not None:
            is_due = self._has_to_be_compared(node_id, record, facts)
            read = self._taken((node_id, record.place)) if is_due else None
            found = self._difference(record, read, seen, is_due=is_due)
            if found is not None:
                _break(facts, record, found, now_s)
                self._compared.discard(node_id)
                seen.tail.is_of_another_log = True
                return None
            if is_due and read is not None:
                self._compared.add(node_id)
                record = log_continuity.compared(record, facts)
            elif is_due:
                self._compared.discard(node_id)
                return log_continuity.unread(record, now_s)
        return self._read_on(node_id, record, seen, file)

    def _taken(self, place: Place) -> PlaceRead | None:
        """What was read there; it is used once, as the server may be started again."""
        with self._changed:
            answer = self._answers.get(place)
            if not isinstance(answer, PlaceRead):
                return None
            del self._answers[place]
            return answer

    def _difference(
        self, record: LogRecord, read: PlaceRead | None, seen: Polled, *, is_due: bool
    ) -> Difference | None:
        if is_due and log_continuity.is_out_of_reach(record, seen.facts):
            return log_continuity.out_of_reach(record, seen.facts)
        return log_continuity.difference(record, read, seen.facts, _last_group(seen))

    def _read_on(self, node_id: str, record: LogRecord | None, seen: Polled, file: str) -> LogRecord | None:
        if record is None or record.file != file:
            head = self._taken((node_id, FilePosition(file, FIRST_EVENT_OFFSET)))
            if head is None or head.created_s is None:
                return record
            record = log_continuity.first_record(seen.facts, file, head.created_s, record)
            self._compared.add(node_id)
        return log_continuity.advanced(record, seen.facts, _last_group(seen))


def _last_group(seen: Polled) -> LastGroup | None:
    """The newest group whose number is one of this cluster, as its journal sample says."""
    last, sample = seen.tail.last, seen.sample
    if last is None or last.seqno is None or sample is None or not sample.exact or sample.position != last.position:
        return None
    return LastGroup(last.position, last.last_event, last.seqno, last.server_id)


def _break(facts: NodeFacts, record: LogRecord, found: Difference, now_s: float) -> None:
    """Mark the channels that read this log, and void the samples of it; of a cluster that was set back, all of them.

    From a side that was lost in a failover no channel reads: it comes back by a reprotect, often as a copy.
    """
    is_cluster = found.code == log_continuity.COUNTER_FELL
    whose = {"source_node__cluster": facts.node.cluster_id} if is_cluster else {"source_node": facts.node.id}
    offset_s = facts.clock_offset_s or 0.0
    lost = Divergence.objects.filter(open_link__isnull=False, lost_cluster=facts.node.cluster_id).values("link")
    records = ChannelRecord.objects.filter(**whose, log_break__isnull=True).exclude(link__in=lost)
    for row in records.order_by("link_id"):
        link_roles.lock_link(row.link_id)
        keep_break(row, found, record.state_uuid, now_s, offset_s)
    if is_cluster:
        nodes = Node.objects.filter(cluster=facts.node.cluster_id)
        void_samples(list(nodes.values_list("pk", flat=True)), record.state_uuid)
    else:
        void_samples([facts.node.id])
    NodeLog.objects.filter(node_id=facts.node.id).delete()


def keep_break(row: ChannelRecord, found: Difference, state_uuid: str, now_s: float, clock_offset_s: float) -> None:
    """Store why a channel's continuity is not proven, with what it is known to have applied before, and tell it."""
    executed = channel_from_json(row.channel).exec_position
    applied = None if executed is None else DbJournal().checkpoint_at(row.source_node_id, state_uuid, executed)
    cause = LogBreak(
        code=found.code,
        sentence=found.sentence,
        found_at_s=now_s,
        state_uuid=state_uuid,
        seam_seqno=None if applied is None else applied.seqno,
        seam_at_s=None if applied is None else applied.observed_at_s + clock_offset_s,
        facts=found.facts,
    )
    row.log_break = asdict(cause)
    ChannelRecord.objects.filter(pk=row.pk).update(log_break=row.log_break)
    events.raised(
        link_id=row.link_id,
        kind="channel.not_continuous",
        severity="unknown" if found.code == log_continuity.NOT_COMPARED else "blocker",
        message=f"{found.sentence}. It is not proven that the {row.direction} channel continues without a gap.",
    )
