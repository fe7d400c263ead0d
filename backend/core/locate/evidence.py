"""Evidence: a fact that ties a position on the new source to what the receiving side has applied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from backend.core.positions import FilePosition


class Family(StrEnum):
    """The kind of source that evidence comes from; two pieces of one family count once."""

    SEQNO = "seqno"
    GTID = "gtid"
    CONTENT = "content"
    JOURNAL = "journal"
    CHANNEL = "channel"
    ALIGNED_SEQNO = "aligned_seqno"
    BACKUP = "backup"
    GTID_SET = "gtid_set"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one family found: it agrees, it disagrees, or (None) it cannot tell.

    `index` is the position it names: the index in the searched window of the last stream group
    that the receiving side has, -1 for "none of them"; None where it names no position of its own.
    """

    family: Family
    agrees: bool | None
    detail: str
    index: int | None = None
    is_bound: bool = False
    facts: Mapping[str, object] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """The evidence as the API returns it."""
        return {
            "family": self.family.value,
            "agrees": self.agrees,
            "detail": self.detail,
            "facts": dict(self.facts),
        }


@dataclass(frozen=True, slots=True)
class SeqnoClue:
    """The Xid to search for: that of the source cluster's last group executed by the replica.

    `trailing` counts stream groups without a Xid (DDL) executed after it. `is_exact` is False
    where more may have been applied: a replica that crashed may have stored its position too early.
    """

    xid: int
    trailing: int
    origin: str
    detail: str
    is_exact: bool


@dataclass(frozen=True, slots=True)
class LowerBound:
    """A journalled position the receiving side is known to have reached, and since when all after it was applied.

    Of a bound that is when its seqno was sampled, not when the replica was observed beyond it: groups of another node
    may have been applied in between, and follow the position in the new source's log (observed in the simulation).
    `sampled_at_s`: when the source's log was read up to that seqno; every group after it was written later.
    """

    seqno: int
    observed_at_s: float
    detail: str
    is_exact: bool
    sampled_at_s: float | None = None


@dataclass(frozen=True, slots=True)
class StoppedChannel:
    """A direction's own channel that is stopped on the receiving side, with its position in the new source's log.

    `samples` are groups that the receiving node is known to have had in its log before the source wrote
    what follows the journal's lower bound: (seqno, end of the group), newest first.
    """

    node: str
    position: FilePosition
    samples: tuple[tuple[int, FilePosition], ...]


@dataclass(frozen=True, slots=True)
class AlignedHint:
    """The receiving cluster's *own* counter, read on `node` while the channel was stopped.

    The seqno-alignment method looks it up as a Xid on the new source. It names the position only while both
    clusters' counters happen to be equal, so it is a hint: it never leads a search and never disagrees with
    a position that other families prove.
    """

    node: str
    seqno: int
