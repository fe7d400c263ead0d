"""What the nodes of a cluster logged between transactions that stand in all their logs: the same on each.

DDL has no number, and Galera executes it in the same place of the order on each node; it may be logged behind a
transaction that follows. So of what clients wrote without a number the logs hold as many, sooner or later. What a
channel brings is not compared: its node numbers some of it otherwise (a SEQUENCE). What one of them logged alone was
executed there alone (wsrep_on=OFF or wsrep_OSU_method=RSU in a session, a table that Galera does not replicate); what
one of them lacks was written there by a session with sql_log_bin=0 (docs/evidence/measured-facts.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from backend.core.stream_account import LOGGED_ALONE, NOT_LOGGED, LoggedGroup

MOST_KEPT = 5_000
LOOKS = 3
"""So often what one log has more than another is looked at again before it counts."""
LOOKS_AWAY = 30
"""For so many looks a node is awaited whose log is not read to its end, as while it is paused for RSU; then the others
are compared without it."""
_NAMED = 3
_Gaps = Mapping[str, Sequence[LoggedGroup]]
_Found = dict[tuple[str, str], list[LoggedGroup]]


class LoggedAlone:
    """The logs of one cluster's nodes behind the newest transaction that stands in all of them."""

    def __init__(self) -> None:
        self._behind: dict[str, list[LoggedGroup]] = {}
        self._is_comparable: set[str] = set()
        self._away: dict[str, int] = {}
        self._unmatched: dict[int, _Unmatched] = {}

    def take(self, logs: _Gaps, own_ids: Collection[int]) -> dict[tuple[str, str], str]:
        """What was read on of the log of each node; returns those that logged alone, or lack, what is named, as
        `core.facts.side_logs.Differences.unsafe`. `own_ids`: server_ids of the nodes."""
        for node_id, groups in logs.items():
            self._behind.setdefault(node_id, []).extend(groups)
        self._away = {node_id: self._away.get(node_id, 0) + 1 for node_id in self._behind.keys() - logs.keys()}
        for node_id in [one for one, looks in self._away.items() if looks > LOOKS_AWAY]:
            del self._behind[node_id]
            self._is_comparable.discard(node_id)
        found: _Found = {}
        is_any = False
        for gaps in self._gaps():
            is_any = True
            written = {one: [group for group in gap if group.server_id in own_ids] for one, gap in gaps.items()}
            _add(found, _of_transactions(written))
            self._match(written)
        for key, one in list(self._unmatched.items()) if is_any else ():
            one.looks += 1
            if one.looks > LOOKS:
                _add(found, _different(self._unmatched.pop(key).groups))
        if any(len(groups) > MOST_KEPT for groups in self._behind.values()):
            self._behind, self._is_comparable, self._unmatched = {}, set(), {}
            self._away.clear()
        return {key: _names(groups) for key, groups in found.items()}

    def _gaps(self) -> Iterator[_Gaps]:
        """Before each transaction that all nodes have; of a node whose log was not read from the one before, none."""
        numbers = [{group.seqno for group in groups} for groups in self._behind.values()]
        common = set.intersection(*numbers) - {None} if len(numbers) > 1 else set()
        begins = dict.fromkeys(self._behind, 0)
        for seqno in sorted(filter(None, common)):
            gaps = {}
            for node_id, groups in self._behind.items():
                until = next(at for at in range(begins[node_id], len(groups)) if groups[at].seqno == seqno)
                gaps[node_id], begins[node_id] = groups[begins[node_id] : until], until + 1
            yield {node_id: gap for node_id, gap in gaps.items() if node_id in self._is_comparable}
            if not gaps.keys() <= self._is_comparable:
                self._is_comparable |= gaps.keys()
                self._unmatched.clear()
        self._behind = {node_id: groups[begins[node_id] :] for node_id, groups in self._behind.items()}

    def _match(self, gaps: _Gaps) -> None:
        """What has no number, by server, is dropped where all logs have it; the earlier ones stay."""
        for node_id, gap in gaps.items():
            for group in gap:
                if group.seqno is None:
                    one = self._unmatched.setdefault(group.server_id, _Unmatched())
                    one.groups.setdefault(node_id, []).append(group)
        for key, one in list(self._unmatched.items()):
            one.groups = {node_id: one.groups.get(node_id, []) for node_id in gaps}
            in_all = min((len(groups) for groups in one.groups.values()), default=0)
            one.groups = {node_id: groups[: len(groups) - in_all] for node_id, groups in one.groups.items()}
            if not any(one.groups.values()):
                del self._unmatched[key]


@dataclass(slots=True)
class _Unmatched:
    """Groups of one server by node, which not all nodes have; `looks`: how often that was so."""

    groups: dict[str, list[LoggedGroup]] = field(default_factory=dict)
    looks: int = 0


def _of_transactions(gaps: _Gaps) -> Iterator[tuple[tuple[str, str], list[LoggedGroup]]]:
    held = {node_id: {group.seqno: group for group in gap if group.seqno is not None} for node_id, gap in gaps.items()}
    for seqno in {seqno for groups in held.values() for seqno in groups}:
        yield from _different({node_id: [one[seqno]] if seqno in one else [] for node_id, one in held.items()})


def _different(held: Mapping[str, list[LoggedGroup]]) -> Iterator[tuple[tuple[str, str], list[LoggedGroup]]]:
    """What most nodes have more or less often than one, by that node; where as many have each, it is no more than the
    others."""
    counts = {node_id: len(groups) for node_id, groups in held.items()}
    often = Counter(counts.values())
    usual = max(often, key=lambda count: (often[count], -count))
    most = max(held, key=lambda node_id: counts[node_id])
    for node_id, count in counts.items():
        if count > usual:
            yield (node_id, LOGGED_ALONE), held[node_id]
        elif count < usual:
            yield (node_id, NOT_LOGGED), held[most]


def _add(found: _Found, more: Iterable[tuple[tuple[str, str], list[LoggedGroup]]]) -> None:
    for key, groups in more:
        found.setdefault(key, []).extend(groups)


def _names(groups: Sequence[LoggedGroup]) -> str:
    shown = [f"{group.gtid} at {group.begins}" for group in groups[:_NAMED]]
    return ", ".join(shown) + (f" and {len(groups) - _NAMED} more" if len(groups) > _NAMED else "")
