"""Whether a node that has returned received an IST or an SST: by the exact rule, or undecided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from backend.core.adviser.node_absence.cache import cache_of
from backend.core.adviser.node_absence.forecast import Verdict, verdict
from backend.core.topology import NodeFacts

Logs = tuple[tuple[str, int], ...]
"""Binary logs by name and size."""


class Result(StrEnum):
    """How a maintenance ended."""

    IST = "ist"
    SST = "sst"
    UNDECIDED = "undecided"
    NOT_STOPPED = "not_stopped"
    NOT_RETURNED = "not_returned"
    NOT_PREPARED = "not_prepared"
    ENDED_EARLY = "ended_early"


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen of a node before it left, and of its donors while it was away (`before`) and since (`now`)."""

    last_seqno: int | None
    limit_seqno: int | None
    before: Mapping[str, int | None]
    now: Mapping[str, int | None]
    logs: Logs


def judged(seen: Seen, node: NodeFacts, peers: Sequence[NodeFacts]) -> tuple[Result, str]:
    """The result and the sentence that says what it rests on."""
    name, retained = node.node.name, _keeps_logs(seen.logs, node)
    if any(one.wsrep and node.wsrep and one.wsrep.state_uuid != node.wsrep.local_state_uuid for one in peers):
        return Result.UNDECIDED, f"{name} returned, but its state UUID is not that of its cluster."
    if _is_ist(seen, peers):
        rule = (
            f"its last seqno, at least {seen.last_seqno:,}, + 1 is not below the oldest write-set of any donor "
            f"({_numbers(seen.now)})"
        )
        return _confirmed(Result.IST, f"{name} returned by IST, by the rule: {rule}.", retained)
    if _is_sst(seen):
        rule = (
            f"its last seqno, at most {seen.limit_seqno:,}, + 1 is below the oldest write-set of every donor "
            f"({_numbers(seen.before)})"
        )
        return _confirmed(
            Result.SST, f"{name} returned by SST, by the rule: {rule}.", None if retained is None else not retained
        )
    return Result.UNDECIDED, (
        f"{name} returned. What was seen of it and of its donors allows an IST as well as an SST: read its error log."
    )


def _is_ist(seen: Seen, peers: Sequence[NodeFacts]) -> bool:
    """With the least seqno and what the donors hold since its return: they held no less while it joined."""
    if seen.last_seqno is None or not peers:
        return False
    return verdict([cache_of(one) for one in peers], seen.last_seqno) is Verdict.IST


def _is_sst(seen: Seen) -> bool:
    """With the highest seqno and what every donor held before its return: they held no more while it joined."""
    limit = seen.limit_seqno
    if limit is None or not seen.before:
        return False
    return all(downto is not None and limit + 1 < downto for downto in seen.before.values())


def _keeps_logs(before: Logs, node: NodeFacts) -> bool | None:
    """Whether a binary log from before is still there: an SST by mariabackup removes them. None where unread."""
    if not before or node.binlog is None or not node.binlog.files:
        return None
    now = dict(node.binlog.files)
    *closed, (current, size) = before
    return any(now.get(name) == of for name, of in closed) or now.get(current, -1) >= size


def _confirmed(result: Result, sentence: str, agrees: bool | None) -> tuple[Result, str]:
    """SQL alone proves neither; where the logs contradict the rule, nothing is claimed."""
    there = "are still there" if result is Result.IST else "were deleted"
    if agrees is None:
        return result, f"{sentence} Its binary logs could not be compared."
    if agrees:
        return result, f"{sentence} Not contradicted: its binary logs from before {there}."
    against = "were deleted" if result is Result.IST else "are still there"
    rule = sentence.rstrip(".")
    return Result.UNDECIDED, f"{rule}; but its binary logs from before {against}: read its error log."


def _numbers(downto: Mapping[str, int | None]) -> str:
    return ", ".join(f"{one:,}" for one in sorted({one for one in downto.values() if one is not None}))
