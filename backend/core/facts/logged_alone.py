"""What the nodes of a cluster logged between two transactions that stand in all their logs: the same on each.

DDL has no number, and Galera executes it in the same place of the order on each node. What one of them logged alone was
executed there alone (wsrep_on=OFF in a session, a table that Galera does not replicate); what one of them lacks was
written there by a session with sql_log_bin=0. With wsrep_OSU_method=RSU nothing is logged
(docs/evidence/measured-facts.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from backend.core.stream_account import LOGGED_ALONE, NOT_LOGGED, LoggedGroup

MOST_KEPT = 5_000
_NAMED = 3
_Key = tuple[str, int]
_Gaps = Mapping[str, Sequence[LoggedGroup]]


class LoggedAlone:
    """The logs of one cluster's nodes behind the newest transaction that stands in all of them."""

    def __init__(self) -> None:
        self._behind: dict[str, list[LoggedGroup]] = {}
        self._is_comparable: set[str] = set()

    def take(self, logs: _Gaps, *, with_server_id: bool) -> dict[tuple[str, str], str]:
        """What was read on of the log of each node; returns those that logged alone, or lack, what is named, as
        `core.facts.side_logs.Differences.unsafe`."""
        self._behind = {node_id: [*self._behind.get(node_id, ()), *groups] for node_id, groups in logs.items()}
        self._is_comparable &= logs.keys()
        found: dict[tuple[str, str], list[LoggedGroup]] = {}
        for gaps in self._gaps():
            for key, groups in _different(gaps, with_server_id=with_server_id):
                found.setdefault(key, []).extend(groups)
        if any(len(groups) > MOST_KEPT for groups in self._behind.values()):
            self._behind, self._is_comparable = {}, set()
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
            self._is_comparable |= gaps.keys()
        self._behind = {node_id: groups[begins[node_id] :] for node_id, groups in self._behind.items()}


def _different(gaps: _Gaps, *, with_server_id: bool) -> Iterator[tuple[tuple[str, str], list[LoggedGroup]]]:
    """What most nodes have more or less often than one, by that node; where as many have each, it is no more than the
    others."""
    held = {node_id: _by_key(gap, with_server_id=with_server_id) for node_id, gap in gaps.items()}
    for key in {key for groups in held.values() for key in groups}:
        counts = {node_id: len(groups.get(key, ())) for node_id, groups in held.items()}
        often = Counter(counts.values())
        usual = max(often, key=lambda count: (often[count], -count))
        most = max(held, key=lambda node_id: counts[node_id])
        for node_id, count in counts.items():
            if count > usual:
                yield (node_id, LOGGED_ALONE), held[node_id][key]
            elif count < usual:
                yield (node_id, NOT_LOGGED), held[most][key]


def _by_key(gap: Iterable[LoggedGroup], *, with_server_id: bool) -> dict[_Key, list[LoggedGroup]]:
    found: dict[_Key, list[LoggedGroup]] = {}
    for group in gap:
        key = ("", group.server_id if with_server_id else 0) if group.seqno is None else ("seqno", group.seqno)
        found.setdefault(key, []).append(group)
    return found


def _names(groups: Sequence[LoggedGroup]) -> str:
    shown = [f"{group.gtid} at {group.begins}" for group in groups[:_NAMED]]
    return ", ".join(shown) + (f" and {len(groups) - _NAMED} more" if len(groups) > _NAMED else "")
