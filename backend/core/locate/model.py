"""The search for one direction's position, and its result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from backend.core.binlog.events import EventSource
from backend.core.binlog.groups import Group
from backend.core.facts.engines import OutsideTable
from backend.core.findings import Finding
from backend.core.link_facts import LogBreak
from backend.core.locate.evidence import AlignedHint, Evidence, LowerBound, SeqnoClue, StoppedChannel
from backend.core.locate.executed_sets import AutoPosition
from backend.core.locate.last_applied import TailStart
from backend.core.locate.without_effect import RowsAsLeft, rows_not_read
from backend.core.positions import FilePosition, MariadbGtid
from backend.core.stream_account import Unaccounted
from backend.core.topology import Direction

CONTENT_GROUPS = 8
SHOWN_GROUPS = 6
FOLLOWING_GROUPS = 3


@dataclass(frozen=True, slots=True)
class GtidMode:
    """What a search in GTID mode reads besides the logs.

    `domain` is the source cluster's; `state_at` queries the new source's GTID state at a boundary
    (None where it is not a boundary); `slave_pos` reads the own position of every working receiving node, once it has
    reached a GTID or has had time to, or says why it is not read. `not_third` are the server_ids of the source's own
    nodes and of what is no part of the stream: a GTID of any other one in another domain is a third server's, which
    travels by this channel.
    """

    domain: int
    state_at: Callable[[FilePosition], str | None]
    slave_pos: Callable[[MariadbGtid | None], Mapping[str, str]] | str
    not_third: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Seam:
    """What has to be proven of a channel whose source's log became another one, besides its position.

    `written_at` tells when a transaction of the new source's log was written, `logged_at` the same of one in the
    receiving node's log, by where they begin.
    """

    cause: LogBreak
    written_at: Callable[[FilePosition], int | None]
    logged_at: Callable[[FilePosition], int | None]


def no_checkpoints(_seqno: int) -> Iterator[FilePosition]:
    """None is known."""
    return iter(())


@dataclass(frozen=True, slots=True)
class Search:
    """One direction's search, with everything it may read.

    `receiving_server_ids` are those that the channel ignores: their groups are no part of the stream.
    `source_checkpoints(seqno)` yields journalled boundaries of the new source at or before a
    seqno, nearest first; `tail_starts` the receiving node's, newest first. `has_whole_logs` is False where
    the journal has samples beyond either log's end: the log was reset and tells nothing of what was before.
    `may_have_been_written` is False where no log of either side ever held a transaction of the stream.
    `domain` is the source cluster's, where it is known.
    `stopped_channel`: the direction's own channel from that very source, where it is stopped.
    `log_settings`: which settings of the two nodes leave parts of the content uncompared.
    `rows_as_left` tells whether rows of the receiving side are as some groups left them.
    `outside_innodb` returns which of some tables are not InnoDB, as far as they can be queried.
    `sync_source` waits until the new source has all that its cluster committed so far.
    `auto_position`: the sets of GTIDs of a channel that asks by them.
    `seam`: what was applied of another log has to be proven in this one.
    `left_out`: what the channel is known to have passed without applying it, settled or not.
    """

    direction: Direction
    new_source: str
    new_source_id: str
    receiving: str
    read_from: str
    receiving_server_ids: tuple[int, ...]
    source_log: EventSource
    receiving_log: EventSource
    seqno_clue: SeqnoClue | str
    lower_bound: LowerBound | None = None
    stopped_channel: StoppedChannel | None = None
    aligned: AlignedHint | str = "The receiver's own counter was not read."
    source_checkpoints: Callable[[int], Iterator[FilePosition]] = no_checkpoints
    tail_starts: Iterable[TailStart] = ()
    has_cluster_wide_gtids: bool = False
    domain: int | None = None
    gtid_mode: GtidMode | None = None
    auto_position: AutoPosition | None = None
    has_whole_logs: bool = True
    may_have_been_written: bool = False
    sync_source: Callable[[], None] = lambda: None
    log_settings: tuple[Finding, ...] = ()
    rows_as_left: RowsAsLeft = rows_not_read
    outside_innodb: Callable[[Iterable[str]], tuple[OutsideTable, ...]] = lambda _tables: ()
    seam: Seam | None = None
    left_out: tuple[Unaccounted, ...] = ()
    budget_events: int = 40_000_000

    def is_left_out(self, group: Group) -> bool:
        """Whether the channel is known to have passed that group of the source's log without applying it."""
        return any(one.is_group(group.xid, group.gtid_text, self.new_source_id) for one in self.left_out)


@dataclass(frozen=True, slots=True)
class Located:
    """The result for one direction: a position, proven or not, and everything it rests on.

    Where no group of the stream was found, the log holds none of it from `idle_since` up to the position.
    """

    direction: Direction
    node_id: str
    node: str
    receiving: str
    read_from: str
    position: FilePosition | None
    seqno: int | None
    gtid: str | None
    is_proven: bool
    reasons: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    applied: tuple[Group, ...] = ()
    source_groups: tuple[Group, ...] = ()
    next_groups: tuple[Group, ...] = ()
    idle_since: FilePosition | None = None
    searched_events: int = 0
    from_checkpoint: bool = False
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def seam_groups(self) -> tuple[Group, ...]:
        """The groups on the new source that were compared with what was applied, oldest first."""
        return self.source_groups[-len(self.applied) :] if self.applied else ()

    @property
    def seam(self) -> tuple[str, ...]:
        """Content digests of the groups that end at the position, oldest first."""
        return tuple(group.content for group in self.seam_groups)
