"""Evidence: a fact that ties a place on the new source to what the receiving side has applied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from backend.core.positions import FilePosition


class Family(StrEnum):
    """Where a piece of evidence comes from; two pieces of one family are one fact."""

    SEQNO = "seqno"
    GTID = "gtid"
    CONTENT = "content"
    JOURNAL = "journal"
    CHANNEL = "channel"
    ALIGNED_SEQNO = "aligned_seqno"
    BACKUP = "backup"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one family says: agrees, disagrees, or (None) cannot say.

    `index` is the place it names: the index in the searched window of the last stream group
    the receiving side holds, -1 for "none of them"; None where it names no place of its own.
    """

    family: Family
    agrees: bool | None
    detail: str
    index: int | None = None
    is_bound: bool = False
    facts: Mapping[str, object] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """The contract's form."""
        return {
            "family": self.family.value,
            "agrees": self.agrees,
            "detail": self.detail,
            "facts": dict(self.facts),
        }


@dataclass(frozen=True, slots=True)
class SeqnoClue:
    """The number to look up: the Xid of the source cluster's last group executed by the replica.

    `trailing` counts stream groups without a Xid (DDL) executed after it. `is_exact` is False
    where more was applied than it says: a replica that crashed may have written its record too early.
    """

    xid: int
    trailing: int
    origin: str
    detail: str
    is_exact: bool


@dataclass(frozen=True, slots=True)
class LowerBound:
    """A journalled place the receiving side is known to have reached, and since when all behind it was applied.

    Of a bound that is when its number was sampled, not when the replica was seen beyond it: groups of another node
    may have been applied in between, and stand behind the place in the new source's log (seen in the simulation).
    `sampled_at_s`: when the source's log was read up to that number; every group behind it was written later.
    """

    seqno: int
    observed_at_s: float
    detail: str
    is_exact: bool
    sampled_at_s: float | None = None


@dataclass(frozen=True, slots=True)
class StoppedChannel:
    """A direction's own channel that stands still on the receiving side, in the new source's coordinates.

    `samples` are groups that the receiving node is known to have had in its log before the source wrote
    what follows the journal's lower bound: (seqno, end of the group), newest first.
    """

    node: str
    position: FilePosition
    samples: tuple[tuple[int, FilePosition], ...]


@dataclass(frozen=True, slots=True)
class AlignedHint:
    """The receiving cluster's *own* counter, read on `node` while its stream stood still.

    The recipe of 2014 looks it up as a Xid on the new source. It names the place only while both
    clusters happen to count alike, so it is a hint: it never leads a search and never stands against
    a position that other families prove.
    """

    node: str
    seqno: int
