"""Compares the logs of the nodes of a cluster: a seqno stands for one transaction on all of them.

A half that nobody saw, as the console was cut off from it, too, may be back at the same seqno under the same state
UUID: nothing is transferred then, and membership shows nothing (measured on MariaDB 10.11). What the halves committed
while they were apart has the same seqnos, and is of other servers or of other tables.

A node that writes for itself (`wsrep_on=OFF`) numbers such a transaction for itself, too: its number is out of the
order of its log, or Galera has not come so far. So such a session is known, and its numbers are not compared. DDL,
which has no number, is compared by what is around it (`core.facts.logged_alone`). Not compared are server_ids of
transactions where Galera numbers GTIDs: two nodes may log one under different ones then, but no DDL (measured).
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from backend.core.facts.logged_alone import LoggedAlone
from backend.core.positions import FilePosition
from backend.core.row_digests import TableRows, apart
from backend.core.stream_account import (
    MOST_UNCOMPARED,
    OTHER_COLUMNS,
    OTHER_ROWS,
    LoggedGroup,
    LogRead,
)

MOST_RECENT = 5_000
MOST_AWAITED = 1_000
"""Halves write on from the same seqno: what follows the last one of a node that is away suffices."""
_Groups = dict[int, LoggedGroup]


@dataclass(frozen=True, slots=True)
class Parted:
    """Nodes (ids) whose logs have different transactions under one seqno, each tuple one of them.

    `same_seqno`: the one before it under which they have the same; None where that was not read of both.
    """

    seqno: int
    nodes: tuple[tuple[str, ...], ...]
    same_seqno: int | None


@dataclass(frozen=True, slots=True)
class SideLog:
    """The log of a node as one poll left it, the seqno that Galera had come to on it, and its own server_id."""

    read: LogRead
    last_committed: int
    server_id: int


@dataclass(frozen=True, slots=True)
class Differences:
    """What one poll found: where the logs have parted, and `unsafe` settings of sessions, or what stands for one, by
    node id and variable."""

    parted: Parted | None = None
    unsafe: Mapping[tuple[str, str], str] = field(default_factory=dict)


@dataclass(slots=True)
class _Taken:
    """What was taken of one log: up to `place`, the groups whose order is not certain yet, and the newest by seqno.

    `awaited`: while the node is away, what others have logged since, with the ids of those.
    """

    place: FilePosition
    waiting: list[LoggedGroup] = field(default_factory=list)
    last: int = 0
    recent: _Groups = field(default_factory=dict)
    awaited: dict[int, tuple[list[str], LoggedGroup]] = field(default_factory=dict)


class SideLogs:
    """The logs of one cluster, as far as one monitor followed them; where one is out of order all begin anew.

    What is found out of order counts once the next poll shows that the cluster's history goes on.
    """

    def __init__(self) -> None:
        self._taken: dict[str, _Taken] = {}
        self._out_of_order: dict[str, int] = {}
        self._uncompared: deque[Mapping[str, LoggedGroup]] = deque(maxlen=MOST_UNCOMPARED)
        self._alone = LoggedAlone()

    def forget(self) -> None:
        """Nothing of before is compared with what follows."""
        self._taken.clear()
        self._alone = LoggedAlone()

    def take(self, logs: Mapping[str, SideLog | None], *, with_server_id: bool) -> Differences:
        """Take in what one poll read of the log of each node, None where not to its end.

        Of several seqnos of these under which nodes differ the lowest is found.
        """
        unsafe = self._written_alone(logs)
        self._taken = {node_id: taken for node_id, taken in self._taken.items() if node_id in logs}
        new: list[int] = []
        read: dict[str, list[LoggedGroup]] = {}
        for node_id, log in logs.items():
            if log is None:
                continue
            groups = self._in_order(node_id, log)
            if groups is None:
                self.forget()
                return Differences(None, unsafe)
            read[node_id] = groups
            new += self._keep(node_id, groups)
        alone = self._alone.take(read, {log.server_id for log in logs.values() if log is not None})
        numbers = sorted(set(new))
        parted = next(filter(None, (self._parted_at(seqno, with_server_id=with_server_id) for seqno in numbers)), None)
        for seqno in numbers:
            held = {node_id: taken.recent[seqno] for node_id, taken in self._taken.items() if seqno in taken.recent}
            if held.keys() >= read.keys():
                self._uncompared.append(held)
        for node_id, log in logs.items():
            self._await(node_id, is_away=log is None)
        return Differences(parted, {**self._other_rows(logs), **alone, **unsafe})

    def _written_alone(self, logs: Mapping[str, SideLog | None]) -> dict[tuple[str, str], str]:
        """Nodes that numbered a transaction for themselves; a cluster that was set back has come less far now."""
        found = {}
        for node_id, log in logs.items():
            last = None if log is None else self._out_of_order.pop(node_id, None)
            if log is not None and last is not None and last <= log.last_committed:
                found[node_id, "wsrep_on"] = "OFF in a session"
        return found

    def _other_rows(self, logs: Mapping[str, SideLog | None]) -> dict[tuple[str, str], str]:
        """Nodes in whose logs a transaction has other rows than most have, or rows of other columns."""
        read = {node_id: log.read.rows for node_id, log in logs.items() if log is not None}
        rows = {node_id: one for node_id, one in read.items() if one is not None}
        found: dict[tuple[str, str], dict[str, str]] = {}
        while self._uncompared:
            held = {node_id: group for node_id, group in self._uncompared[0].items() if node_id in rows}
            if any(rows[node_id].awaits(group.position) for node_id, group in held.items()):
                break
            self._uncompared.popleft()
            known = {node_id: rows[node_id].at(group.position, group.gtid) for node_id, group in held.items()}
            for key, tables in _apart({node_id: one for node_id, one in known.items() if one is not None}).items():
                at = "" if key[1] == OTHER_COLUMNS else f" ({held[key[0]].gtid})"
                for table in tables:
                    found.setdefault(key, {}).setdefault(table, table + at)
        return {key: ", ".join(texts[table] for table in sorted(texts)) for key, texts in found.items()}

    def _in_order(self, node_id: str, log: SideLog) -> list[LoggedGroup] | None:
        """Its groups since the last poll, as far as their numbers are certain; None where it is another log.

        Those without a number come with the next one that has one.
        """
        taken = self._taken.setdefault(node_id, _Taken(log.read.end))
        read = log.read.tail.since(taken.place)
        if read is None:
            taken.place = log.read.end
            return None if taken.last or taken.waiting else []
        new = [group for group in read if not group.changes_nothing]
        groups = [*taken.waiting, *new]
        numbered = [group for group in groups if group.seqno is not None]
        strange = _out_of_order(taken.last, numbered)
        if strange is not None:
            if strange.server_id == log.server_id:
                self._out_of_order[node_id] = taken.last
            return None
        if read:
            taken.place = read[-1].position
        if any(group.seqno is not None for group in new):
            del numbered[-1]  # a number of the node's own may be followed by a lower one
        certain = [group for group in numbered if _seqno(group) <= log.last_committed]
        until = groups.index(certain[-1]) + 1 if certain else 0
        taken.waiting = groups[until:]
        return groups[:until] if len(taken.waiting) <= MOST_RECENT else None

    def _keep(self, node_id: str, groups: Sequence[LoggedGroup]) -> list[int]:
        numbered = {group.seqno: group for group in groups if group.seqno is not None}
        if numbered:
            taken = self._taken[node_id]
            taken.last = max(numbered)
            taken.recent.update(numbered)
            for seqno in list(islice(taken.recent, max(0, len(taken.recent) - MOST_RECENT))):
                del taken.recent[seqno]
        return list(numbered)

    def _parted_at(self, seqno: int, *, with_server_id: bool) -> Parted | None:
        held: dict[str, LoggedGroup] = {}
        for node_id, taken in self._taken.items():
            if seqno in taken.recent:
                held[node_id] = taken.recent[seqno]
                others, group = taken.awaited.get(seqno, ([], taken.recent[seqno]))
                held = dict.fromkeys(others, group) | held
        alike: list[list[str]] = []
        for node_id, group in held.items():
            same = (nodes for nodes in alike if not _differ(held[nodes[0]], group, with_server_id=with_server_id))
            found = next(same, None)
            if found is None:
                alike.append([node_id])
            else:
                found.append(node_id)
        if len(alike) < 2:
            return None
        alike.sort(key=lambda nodes: (-len(nodes), nodes))
        same_seqno = self._same_before(seqno, [nodes[0] for nodes in alike])
        return Parted(seqno, tuple(tuple(sorted(nodes)) for nodes in alike), same_seqno)

    def _same_before(self, seqno: int, nodes: Sequence[str]) -> int | None:
        """All that both have below the lowest seqno that differs is the same."""
        known = [self._taken[node_id].recent.keys() for node_id in nodes if node_id in self._taken]
        common = set(known[0]).intersection(*known[1:])
        return max((number for number in common if number < seqno), default=None)

    def _await(self, node_id: str, *, is_away: bool) -> None:
        taken = self._taken.get(node_id)
        if taken is None:
            return
        if not is_away:
            if taken.last >= max(taken.awaited, default=0):
                taken.awaited.clear()
            return
        others = {other: one.recent for other, one in self._taken.items() if other != node_id}
        for recent in others.values():
            later = (seqno for seqno in recent if seqno > taken.last and seqno not in taken.awaited)
            for seqno in islice(later, max(0, MOST_AWAITED - len(taken.awaited))):
                taken.awaited[seqno] = [other for other in others if seqno in others[other]], recent[seqno]


def _apart(known: Mapping[str, Mapping[str, TableRows]]) -> dict[tuple[str, str], set[str]]:
    """The tables of one transaction, by node and OTHER_COLUMNS or OTHER_ROWS, that most nodes have otherwise, or where
    as many have those, with more columns."""
    found: dict[tuple[str, str], set[str]] = {}
    for table in {table for rows in known.values() for table in rows}:
        counts = Counter(rows[table] for rows in known.values() if table in rows)
        usual = max(counts, key=lambda one: (counts[one], len(one.columns)))
        for node_id, rows in known.items():
            columns, others, _ = apart({table: usual}, rows)
            if columns:
                found.setdefault((node_id, OTHER_COLUMNS), set()).add(table)
            if others:
                found.setdefault((node_id, OTHER_ROWS), set()).add(table)
    return found


def _seqno(group: LoggedGroup) -> int:
    return group.seqno or 0


def _out_of_order(last: int, groups: Iterable[LoggedGroup]) -> LoggedGroup | None:
    """The first group whose number is none of the cluster's: not above what was before it, or above the next one, which
    is."""
    before, newest = last, None
    for group in groups:
        seqno = _seqno(group)
        if newest is None:
            if seqno <= before:
                return group
        elif seqno <= _seqno(newest):
            return group if seqno <= before else newest
        else:
            before = _seqno(newest)
        newest = group
    return None


def _differ(one: LoggedGroup, other: LoggedGroup, *, with_server_id: bool) -> bool:
    """Whether these are certainly two transactions; a filter of the log leaves some tables of one out."""
    if with_server_id and one.server_id != other.server_id:
        return True
    return bool(one.tables) and bool(other.tables) and one.tables.isdisjoint(other.tables)
