"""The seam between the log that a channel has read and the one that its source has now.

A position found by content names the last applied transactions. Where the log became another one under a running
channel, it may have left some out before those, and a cluster that was set back gives numbers out again. So a
transaction that was applied of the old log has to stand in the new one, under its seqno and written no later than it
was seen; and all that follows it up to the position has to be in the receiving log, in order.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from backend.core.binlog.content import are_same
from backend.core.binlog.events import Cursor
from backend.core.binlog.groups import Group, foreign_to, read_groups
from backend.core.binlog.window import whole_groups
from backend.core.locate.last_applied import read_last_applied
from backend.core.locate.model import Located, Seam, Search
from backend.core.locate.search_range import starts_before
from backend.core.plural import pluralize
from backend.core.positions import FilePosition

NOT_PROVEN = "seam_not_proven"
APPLIED_MEANWHILE = 2_000
CLOCK_SLACK_S = 2.0
"""Times in a log are whole seconds, and the clocks of nodes differ a little."""


@dataclass(frozen=True, slots=True)
class _Since:
    """The transaction of the seam, and what follows it of the stream, up to a position; the former first if it is of
    the stream."""

    first: Group
    stream: tuple[Group, ...]


def with_seam(located: Located, search: Search, seam: Seam, source: Cursor, receiving: Cursor) -> Located:
    """The located position; refused unless the seam before it is proven, too. Raises what reading raises."""
    if not located.is_proven or located.position is None:
        return located
    reason = _against(located, located.position, search, seam, source, receiving)
    if reason is None:
        return replace(located, facts={**located.facts, "seam_seqno": seam.cause.seam_seqno})
    return replace(
        located,
        is_proven=False,
        reasons=(f"{seam.cause.sentence}. {reason}", *located.reasons),
        facts={**located.facts, "code": NOT_PROVEN, "remedy": _remedy(search)},
    )


def _remedy(search: Search) -> str:
    return (
        f"Stop the channel to {search.receiving}. Choose another source node if one kept its log. Otherwise the data "
        "of both sides differs. If the active side's counts, remove the channels, and create them again on a copy of "
        "it. If the standby's does, fail over to it, and reprotect or rebuild the other side."
    )


def _against(
    located: Located, place: FilePosition, search: Search, seam: Seam, source: Cursor, receiving: Cursor
) -> str | None:
    """Why the seam is not proven; None: it is."""
    seqno, seen_s, node = seam.cause.seam_seqno, seam.cause.seam_at_s, search.new_source
    if seqno is None or seen_s is None:
        return "It is unknown what was applied of the log before."
    since = _since(search, source, seqno, place)
    if since is None:
        return (
            f"Seqno {seqno}, which {search.receiving} has applied, does not stand once before the position on {node}."
        )
    written_s = seam.written_at(since.first.begin_position)
    if written_s is None:
        return f"When seqno {seqno} of {node} was written is unknown."
    if written_s > seen_s + CLOCK_SLACK_S:
        return (
            f"Seqno {seqno} was applied before {node} wrote its transaction of that number: the number was given out "
            "again."
        )
    return _gap(located, search, seam, since, receiving)


def _gap(located: Located, search: Search, seam: Seam, since: _Since, receiving: Cursor) -> str | None:
    """Whether the receiving log has exactly what follows the seam."""
    wanted = len(since.stream)
    if not wanted:
        return None
    applied = _applied_up_to(located, search, receiving, wanted)
    have, sent = [one.content for one in applied], [one.content for one in since.stream]
    is_same_first = len(applied) == wanted and _is_written_together(seam, applied[0], since.stream[0])
    if len(have) == len(sent) and are_same(have, sent) and is_same_first:
        return None
    return (
        f"From seqno {seam.cause.seam_seqno} to the position {search.new_source} has "
        f"{pluralize(wanted, 'transaction')} of this stream. The last ones that {search.receiving} applied are not "
        "these: some were left out, or it has others."
    )


def _applied_up_to(located: Located, search: Search, receiving: Cursor, wanted: int) -> tuple[Group, ...]:
    """The receiving side's last groups up to those that were compared: a channel that runs has applied more since."""
    in_stream, last = foreign_to(search.receiving_server_ids), located.applied[-1:]
    more = wanted + APPLIED_MEANWHILE
    groups = read_last_applied(receiving, (), in_stream, wanted=more, enough_since_s=None).groups
    ends = [one.end_position for one in groups]
    upto = ends.index(last[0].end_position) + 1 if last and last[0].end_position in ends else len(ends)
    return groups[:upto][-wanted:]


def _is_written_together(seam: Seam, applied: Group, sent: Group) -> bool:
    """Equal statements have equal content; the time in the log tells one from the next."""
    logged_s = seam.logged_at(applied.begin_position)
    return logged_s is not None and logged_s == seam.written_at(sent.begin_position)


def _since(search: Search, source: Cursor, seqno: int, place: FilePosition) -> _Since | None:
    """None where the seqno does not stand there exactly once."""
    in_stream = foreign_to(search.receiving_server_ids)
    for start in starts_before(search, source, seqno):
        first, stream = None, []
        forms, images = source.source.forms, source.source.row_images
        for group in read_groups(whole_groups(source, start), row_images=images, forms=forms, in_stream=in_stream):
            if place <= group.begin_position:
                break
            if group.xid == seqno:
                if first is not None:
                    return None
                first = group
            if first is not None and in_stream(group):
                stream.append(group)
        if first is not None:
            return _Since(first, tuple(stream))
    return None
