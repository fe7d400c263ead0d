"""A channel that was not started: its own position, where the receiving side's logs hold nothing of the stream.

A returned side whose channels do not start with the server (`skip_slave_start`), behind a standby that had written
nothing of its own, has none of the stream in its logs, and the survivor has written since. Three facts show whether
any of that was applied: what the journal saw applied, the channel's own position, and the receiving log, which has
none of what was written since. The channel's stored position alone is not enough: it is not written with the commit,
and may be behind the data after a crash (observed on MariaDB 10.11.19).
"""

from __future__ import annotations

from dataclasses import replace

from backend.core.binlog.events import Cursor
from backend.core.binlog.groups import Group, foreign_to
from backend.core.binlog.search import find_xid
from backend.core.binlog.window import Window, read_window
from backend.core.locate.evidence import Evidence, Family, LowerBound, StoppedChannel
from backend.core.locate.evidence_families import lower_bound_index
from backend.core.locate.judge import judge
from backend.core.locate.last_applied import LastApplied
from backend.core.locate.model import FOLLOWING_GROUPS, Located, Search
from backend.core.locate.results import build_located
from backend.core.locate.search_range import starts_before
from backend.core.positions import FilePosition


def locate_at_stopped_channel(search: Search, source: Cursor, receiving: Cursor) -> Located | None:
    """The stopped channel's position with its verdict; None without such a channel or without corroboration.

    Called where the retained logs of the receiving node hold no group of the stream.
    """
    lower_bound, channel = search.lower_bound, search.stopped_channel
    if lower_bound is None or channel is None or not search.has_whole_logs:
        return None
    sample = next((end for xid, end in channel.samples if _ends_at(receiving, xid, end)), None)
    if sample is None:
        return None
    in_stream = foreign_to(search.receiving_server_ids)

    def is_behind(group: Group) -> bool:
        return channel.position < group.end_position

    for start in starts_before(search, source, lower_bound.seqno):
        window = read_window(source, start, in_stream, is_behind, following=FOLLOWING_GROUPS)
        held = lower_bound_index(window, lower_bound)
        if held is not None:
            return _weighed(search, window, held, lower_bound, channel, sample)
    return None


def _ends_at(receiving: Cursor, xid: int, end: FilePosition) -> bool:
    """Whether the group still ends there: then everything logged since was read."""
    group, _ = find_xid(receiving, xid, None)
    return group is not None and group.end_position == end


def _weighed(
    search: Search, window: Window, held: int, lower_bound: LowerBound, channel: StoppedChannel, sample: FilePosition
) -> Located:
    evidence = (
        Evidence(Family.JOURNAL, True, f"{lower_bound.detail}.", index=held, facts={"seqno": lower_bound.seqno}),
        _channel_evidence(search, window, channel),
        _nothing_since(search, window, held, sample),
    )
    located = build_located(
        search,
        window,
        evidence,
        judge(evidence),
        LastApplied((), None, False),
        from_checkpoint=True,
        lower_bound=lower_bound,
    )
    return replace(located, idle_since=channel.position) if held < 0 else located


def _channel_evidence(search: Search, window: Window, channel: StoppedChannel) -> Evidence:
    """The channel's own stored position; it disagrees where that is not a transaction boundary of this log."""
    phrase = f"The channel on {channel.node} is stopped at {channel.position} of {search.new_source}"
    if window.end < channel.position:
        return Evidence(Family.CHANNEL, False, f"{phrase}, which is after the end of its log.")
    index = sum(1 for group in window.stream if group.end_position <= channel.position) - 1
    following = window.stream[index + 1 :]
    if following and following[0].begin_position < channel.position:
        return Evidence(Family.CHANNEL, False, f"{phrase}, which is in the middle of a transaction.")
    facts = {"position": str(channel.position), "node": channel.node}
    return Evidence(Family.CHANNEL, True, f"{phrase}.", index=index, facts=facts)


def _nothing_since(search: Search, window: Window, held: int, sample: FilePosition) -> Evidence:
    """What follows the journal's group was written after the receiving log had reached `sample`, and is not in it."""
    return Evidence(
        Family.CONTENT,
        True,
        f"{search.read_from}'s log holds nothing that {search.new_source} wrote since. Everything in it after "
        f"{sample}, which is older, was read.",
        index=held,
        facts={"groups": 0, "waiting": len(window.stream) - 1 - held, "read_since": str(sample)},
    )
