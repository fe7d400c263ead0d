"""Follows which nodes of a cluster that was split may hold what one of its halves wrote of its own.

A node of a half comes back into the one component under the same state UUID, and at the same seqno without a transfer,
or by an IST: it keeps its own transactions, and the rows of the nodes differ for ever (seen on MariaDB 11.8). So
membership proves nothing. A node holds what the others hold once it was copied whole (SST), or where its half certainly
wrote nothing. A copied node has another binary log since it was started; a log that is unknown proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from backend.core.facts.halves import DURABLE, Half, common_seqno, halves, lineages
from backend.core.facts.log_continuity import START_SLACK_S, has_to_be_compared, is_same_start, started_at_s
from backend.core.facts.side_logs import Parted
from backend.core.link_facts import LogRecord
from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition
from backend.core.topology import ClusterFacts, LogMark, NodeFacts, PartedHalf, SeenTogether

Held = dict[str, frozenset[int]]
Logs = Mapping[str, LogRecord | None]


def followed(seen: SeenTogether, cluster: ClusterFacts, logs: Logs) -> SeenTogether:
    """The record after one more poll of a cluster that is split, or was; of another one it stays as it is.

    `logs`: what the binary log of each node is known to be.
    """
    parts = halves(cluster)
    if not seen.parted and len(parts) < 2:
        return seen
    seen = _with_ids_of_now(seen, cluster)
    cluster = replace(cluster, seen_together=seen)
    present = {node.node.id for half in parts for node in half.nodes}
    away = {node.node.id: node.node.address for node in cluster.nodes if node.node.id not in present}
    addresses = {i: at for i, at in seen.addresses.items() if i not in present} | away
    data = _Data(_removed(seen, cluster) | lineages(cluster), list(seen.parted), dict(seen.logs), addresses)
    pending = [node for half in parts for node in data.settle(half, logs, was_mixed=seen.is_mixed)]
    data.tell_apart(parts, _certain_seqno(cluster, parts))
    data.count(parts)
    data.mark_absent(cluster, parts, logs)
    return data.record(seen, [[n for n in half.nodes if n.node.id not in pending] for half in parts])


def parted_by_logs(seen: SeenTogether, cluster: ClusterFacts, found: Parted) -> SeenTogether:
    """The record where logs show that nodes were apart; a node whose log did not tell may hold either's writes."""
    held = lineages(replace(cluster, seen_together=seen))
    first = [nodes[0] for nodes in found.nodes if nodes[0] in held]
    if not any(is_one(held, one, other) for one, other in combinations(first, 2)):
        return seen
    rest = held.keys() - {node_id for nodes in found.nodes for node_id in nodes}
    new = tuple(PartedHalf((*nodes, *sorted(rest)), None, found.same_seqno) for nodes in found.nodes)
    return replace(seen, parted=(*seen.parted, *new))


def _with_ids_of_now(seen: SeenTogether, cluster: ClusterFacts) -> SeenTogether:
    """A node that was removed and registered anew has what it had."""
    now = {node.node.address: node.node.id for node in cluster.nodes}
    anew = {old: now[at] for old, at in seen.addresses.items() if at in now and old not in now.values()}
    parted = tuple(replace(half, nodes=tuple(anew.get(i, i) for i in half.nodes)) for half in seen.parted)
    return replace(seen, parted=parted, logs={anew.get(i, i): mark for i, mark in seen.logs.items()})


def _removed(seen: SeenTogether, cluster: ClusterFacts) -> Held:
    """What nodes hold that were away when they were removed; they may be registered anew. One that was a member is
    forgotten: it was named, and a copy by rsync cannot be told by its log."""
    gone = seen.addresses.keys() - {node.node.id for node in cluster.nodes}
    return {i: found for i in gone if (found := frozenset(n for n, half in enumerate(seen.parted) if i in half.nodes))}


def is_one(held: Mapping[str, frozenset[int]], one: str, other: str) -> bool:
    """Whether two nodes certainly hold what the same half wrote."""
    return held[one] == held[other] and len(held[one]) < 2


@dataclass(slots=True)
class _Data:
    """By node: of which halves it may hold the writes, its log as last known, and the address of one that is away."""

    held: Held
    parted: list[PartedHalf]
    marks: dict[str, LogMark]
    addresses: Mapping[str, tuple[str, int]]

    def settle(self, half: Half, logs: Logs, *, was_mixed: bool) -> tuple[str, ...]:
        """Take in which members were copied, or had nothing to lose; the ids of those of which it is not known yet.

        Of a component of which not all members are seen nothing is decided: an unseen one may be the donor.
        """
        nodes = {node.node.id: node for node in half.nodes}
        known = {i: record for i, node in nodes.items() if (record := _known(logs.get(i), node)) is not None}
        begun = tuple(i for i, node in nodes.items() if i in self.marks and not _is_same_start(self.marks[i], node))
        if half.unseen or not set(begun) <= known.keys():
            self.marks |= {i: _mark(record) for i, record in known.items() if i not in begun}
            return begun
        copied = {i for i in begun if self.held[i] and _is_another_log(self.marks[i], known[i])}
        self.marks |= {i: _mark(record) for i, record in known.items()}
        self._take_over(nodes, copied, was_mixed=was_mixed)
        return ()

    def _take_over(self, nodes: Mapping[str, NodeFacts], copied: set[str], *, was_mixed: bool) -> None:
        """A copied node holds what its donor held; which node that was is not known.

        Where nodes of several halves were members already, each of those copied at once may be the donor of another.
        """
        rest = nodes.keys() - copied
        quiet = {i for i in rest if all(self.parted[number].wrote_nothing for number in self.held[i])}
        stays = self._of(rest - quiet) or frozenset(sorted(self._of(quiet))[:1])
        is_certain = bool(rest) and not (was_mixed and len(copied) > 1)
        self.held |= dict.fromkeys(copied, stays if is_certain else self._of(self.held))
        self.held |= dict.fromkeys(quiet, stays)

    def _of(self, ids: Iterable[str]) -> frozenset[int]:
        return frozenset().union(*(self.held[i] for i in ids))

    def tell_apart(self, parts: Iterable[Half], common: int | None) -> None:
        """Components that are apart write apart from now on, also where they held the same before."""
        taken: dict[int, int] = {}
        for place, half in enumerate(parts):
            ids = [node.node.id for node in half.nodes]
            if not self._of(ids):
                self.parted = [replace(one, common_seqno=_lower(one.common_seqno, common)) for one in self.parted]
                self._add(PartedHalf((), half.seqno, common), ids, None)
            for number in self._of(ids):
                if taken.setdefault(number, place) != place:
                    former = self.parted[number]
                    seqno = None if former.seqno is None else half.seqno
                    self._add(replace(former, seqno=seqno), ids, number)

    def _add(self, half: PartedHalf, ids: Iterable[str], former: int | None) -> None:
        self.parted.append(half)
        new = frozenset({len(self.parted) - 1})
        self.held |= {i: self.held[i] - {former} | new for i in ids if former is None or former in self.held[i]}

    def count(self, parts: Iterable[Half]) -> None:
        """The highest seqno of each half, as long as nobody else is in its component."""
        for half in parts:
            numbers = self._of(node.node.id for node in half.nodes)
            if len(numbers) != 1:
                continue
            (number,) = numbers
            former = self.parted[number]
            if former.seqno is not None:
                self.parted[number] = replace(former, seqno=max(former.seqno, half.seqno))

    def mark_absent(self, cluster: ClusterFacts, parts: Iterable[Half], logs: Logs) -> None:
        """Of a node that is away what was last read of its log is its log."""
        present = {node.node.id for half in parts for node in half.nodes}
        absent = self.held.keys() - present - self.marks.keys()
        self.marks |= {i: _mark(record) for i in absent if (record := logs.get(i)) is not None}

    def record(self, seen: SeenTogether, settled: Iterable[Iterable[NodeFacts]]) -> SeenTogether:
        """What is stored of it; nothing is, once all nodes hold what one half holds."""
        used = sorted(self._of(self.held))
        if len(used) < 2:
            return replace(seen, parted=(), logs={}, is_mixed=False, addresses={})
        nodes = {number: tuple(i for i in self.held if number in self.held[i]) for number in used}
        return replace(
            seen,
            parted=tuple(replace(self.parted[number], nodes=nodes[number]) for number in used),
            logs={i: mark for i, mark in self.marks.items() if i in self.held},
            is_mixed=any(len(self._of(node.node.id for node in half)) > 1 for half in settled),
            addresses={i: at for i, at in self.addresses.items() if i in self.held},
        )


def _certain_seqno(cluster: ClusterFacts, parts: Iterable[Half]) -> int | None:
    """Up to which seqno the halves certainly hold the same; a crash may have taken back what is not durable."""
    is_durable = all(node.variable(DURABLE) in ("1", "3") for half in parts for node in half.nodes)
    return common_seqno(cluster) if is_durable else None


def _lower(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else min(one, other)


def _known(record: LogRecord | None, node: NodeFacts) -> LogRecord | None:
    """The record of its log, where that was read or compared since the node was started."""
    if record is None or record.unread_since_s is not None or node.binlog is None:
        return None
    return record if is_same_start(record, node) and not has_to_be_compared(record, node) else None


def _is_same_start(mark: LogMark, node: NodeFacts) -> bool:
    start_s = started_at_s(node)
    return start_s is not None and start_s <= mark.started_at_s + START_SLACK_S


def _is_another_log(mark: LogMark, record: LogRecord) -> bool:
    """Whether the log that a started server has is certainly another one: each start adds a file to the former one."""
    before, now = (FilePosition(one.file, FIRST_EVENT_OFFSET) for one in (mark, record))
    if mark.file == record.file:
        return mark.created_s != record.created_s
    return before.base == now.base and now.number < before.number


def _mark(record: LogRecord) -> LogMark:
    return LogMark(record.file, record.created_s, record.started_at_s)
