"""Locates one direction's resume position on a new source and lets the judge decide.

Order of work: read what the receiving side last applied; collect the seqno or GTID to look up (relay
log, journal); read the smallest range of the new source's log that must hold it; collect the evidence of
every family; judge. This module only reads: it changes no server.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from backend.core.binlog.events import Cursor, EventBudgetError
from backend.core.binlog.file_search import is_beginning_of_history
from backend.core.binlog.groups import UnknownEventError, foreign_to
from backend.core.binlog.window import Window, extend_back, read_window
from backend.core.locate.auto_position import gtid_text_evidence, with_executed_sets
from backend.core.locate.dump_offset import within_dump_protocol
from backend.core.locate.evidence import Evidence, Family, LowerBound
from backend.core.locate.evidence_families import (
    aligned_evidence,
    bounded_evidence,
    content_evidence,
    content_matches,
    empty_stream_evidence,
    gtid_evidence,
    journal_evidence,
    lower_bound_index,
    require_unbroken,
    seqno_evidence,
)
from backend.core.locate.gtid_mode import with_gtid_position
from backend.core.locate.judge import judge
from backend.core.locate.last_applied import LastApplied, read_last_applied
from backend.core.locate.model import CONTENT_GROUPS, FOLLOWING_GROUPS, Located, Search, no_checkpoints
from backend.core.locate.results import build_located, refuse, refuse_purged, refuse_unknown_event
from backend.core.locate.seam import with_seam
from backend.core.locate.search_range import is_cut_short, starts_before, whole_range, window_for, xid_above
from backend.core.locate.stopped_channel import locate_at_stopped_channel
from backend.core.locate.without_effect import align, left_out_before, missing_evidence
from backend.core.ports import ER_ERROR_WHEN_EXECUTING_COMMAND, NodeError
from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition

GROWN_GROUPS = (32, 128, 512)


def locate(search: Search) -> Located:
    """Locate the position; a log that cannot be read or understood refuses it with the reason.

    Where no event begins at a place of the journal, its file was replaced by another of that name (a node set back to
    an older copy goes on with its numbers): the logs are read without the journal's places. Raises NodeError where a
    node does not respond.
    """
    try:
        return _located(search)
    except NodeError as error:
        if error.code != ER_ERROR_WHEN_EXECUTING_COMMAND:
            raise
    return _located(replace(search, source_checkpoints=no_checkpoints, tail_starts=()))


def _located(search: Search) -> Located:
    source = Cursor(search.source_log, budget_events=search.budget_events)
    receiving = Cursor(search.receiving_log, budget_events=search.budget_events)
    try:
        by_gtid = search.gtid_mode is not None or search.auto_position is not None
        located = within_dump_protocol(_locate(search, source, receiving), source, by_gtid=by_gtid)
        if search.seam is not None:
            located = with_seam(located, search, search.seam, source, receiving)
        if search.gtid_mode is not None:
            located = with_gtid_position(located, search.gtid_mode)
        if search.auto_position is not None:
            located = with_executed_sets(located, search.auto_position)
    except UnknownEventError as error:
        located = refuse_unknown_event(search, error)
    except EventBudgetError as error:
        located = refuse(search, f"The search {error}, its limit, and did not find the position.")
    return replace(located, searched_events=source.scanned_events + receiving.scanned_events)


def _locate(search: Search, source: Cursor, receiving: Cursor) -> Located:
    in_stream = foreign_to(search.receiving_server_ids)
    lower_bound = search.lower_bound
    applied = read_last_applied(
        receiving,
        search.tail_starts,
        in_stream,
        wanted=CONTENT_GROUPS,
        enough_since_s=lower_bound.observed_at_s if lower_bound else None,
    )
    if not search.has_whole_logs:
        applied = replace(applied, is_whole_history=False)
    if not applied.groups:
        if lower_bound is not None and applied.reaches_back_to(lower_bound.observed_at_s):
            located = _locate_empty(search, source, lower_bound)
            if located is not None:
                return located
            applied = read_last_applied(
                receiving, search.tail_starts, in_stream, wanted=CONTENT_GROUPS, enough_since_s=None
            )
        elif applied.is_whole_history:
            return _locate_never_written(search, source, receiving)
    if not applied.groups:
        return locate_at_stopped_channel(search, source, receiving) or refuse(
            search,
            f"The retained logs of {search.receiving} hold no transaction from this source, and no earlier sample "
            "exists. “Nothing was sent” cannot be distinguished from “the logs were purged”.",
        )
    return _locate_among(search, source, receiving, applied)


def _locate_among(search: Search, source: Cursor, receiving: Cursor, applied: LastApplied) -> Located:
    """The usual case: the receiving side's last groups are known; find where they end.

    What was applied may be newer than the new source's own log while that node is still catching up: without the wait
    a whole log was read for groups that were not there yet (1.7 million events, 157 s, observed on the lab).
    """
    search.sync_source()
    window, from_checkpoint = window_for(search, source, applied)
    if window is None:
        return refuse_purged(search, source, applied)
    if is_cut_short(search, window, applied):
        return refuse_purged(search, source, applied, "Groups that have to be compared lie before")
    evidence = _weigh(search, window, applied)
    if any("unseen" in piece.facts for piece in evidence):
        in_stream = foreign_to(search.receiving_server_ids)
        applied = read_last_applied(receiving, (), in_stream, wanted=CONTENT_GROUPS, enough_since_s=None)
        evidence = _weigh(search, window, applied)
    if _rests_on_content_alone(search, evidence):
        whole = whole_range(search, source, len(applied.groups), window)
        if whole is None:
            return refuse(
                search,
                f"Only content could name the position, and {search.new_source}'s logs do not reach back to what was "
                "last known to be applied. So the match may not be the only one.",
            )
        window, evidence = whole, _weigh(search, whole, applied)
    for wanted in GROWN_GROUPS:
        if not _is_ambiguous(search, window, applied, evidence):
            break
        in_stream = foreign_to(search.receiving_server_ids)
        grown = read_last_applied(receiving, (), in_stream, wanted=wanted, enough_since_s=None)
        if len(grown.groups) <= len(applied.groups):
            break
        applied = grown
        window = whole_range(search, source, len(applied.groups), window) or window
        evidence = _weigh(search, window, applied)
    if not judge(evidence).is_proven:
        window, applied, evidence = _weigh_missing(search, source, window, applied, evidence)
    verdict = judge(evidence)
    return build_located(search, window, evidence, verdict, applied, from_checkpoint=from_checkpoint)


def _weigh_missing(
    search: Search, source: Cursor, window: Window, applied: LastApplied, evidence: tuple[Evidence, ...]
) -> tuple[Window, LastApplied, tuple[Evidence, ...]]:
    """Where the channel's record names the position and the receiving log lacks groups before it: read their rows.

    A record that is only a lower bound names it where each of these is known to be left out: the channel has passed
    them, and the receiving log ends before the first (seen with a conflict that Galera decided against a channel).
    """
    unchanged = window, applied, evidence
    in_stream = foreign_to(search.receiving_server_ids)
    while True:
        seqno = seqno_evidence(window, search.seqno_clue, search.new_source)
        if not seqno.agrees or seqno.index is None:
            return unchanged
        aligned = align(window, applied.groups, seqno.index, search.is_left_out)
        longer = extend_back(source, window, in_stream) if aligned is not None and aligned.is_cut_short else None
        if longer is None:
            break
        window = longer
    if aligned is None or aligned.is_cut_short or not aligned.missing:
        return unchanged
    lacking = [window.stream[index] for index in aligned.missing]
    is_known = all(map(search.is_left_out, lacking))
    if seqno.is_bound and not is_known:
        return unchanged
    ask = left_out_before if is_known else search.rows_as_left
    content, retained = missing_evidence(
        window, applied, aligned.missing, seqno.index, search.new_source, search.read_from, ask
    )
    return window, retained, _weigh(search, window, retained, reported=content)


def _rests_on_content_alone(search: Search, evidence: tuple[Evidence, ...]) -> bool:
    """Whether only content names the position: the match must then be unique up to the log's end."""
    return _finders(search, evidence) <= {Family.CONTENT}


def _finders(search: Search, evidence: tuple[Evidence, ...]) -> set[Family]:
    """Families that name the position on their own: never the hint; a GTID only where numbered cluster-wide."""
    found = {e.family for e in evidence if e.agrees and e.index is not None and not e.is_bound}
    found.discard(Family.ALIGNED_SEQNO)
    return found if search.has_cluster_wide_gtids else found - {Family.GTID}


def _is_ambiguous(search: Search, window: Window, applied: LastApplied, evidence: tuple[Evidence, ...]) -> bool:
    if _finders(search, evidence) - {Family.CONTENT}:
        return False
    return len(content_matches(window, applied.groups)) > 1


def _gtid_evidence(search: Search, window: Window, applied: LastApplied, hint: int | None) -> Evidence:
    if search.auto_position is not None:
        return gtid_text_evidence(window, applied, search.new_source)
    is_cluster_wide = search.has_cluster_wide_gtids
    return gtid_evidence(
        window, applied, hint, search.new_source, is_cluster_wide=is_cluster_wide, domain=search.domain
    )


def _weigh(
    search: Search, window: Window, applied: LastApplied, reported: Evidence | None = None
) -> tuple[Evidence, ...]:
    """What every family says; `reported` is what content says where rows were asked, too."""
    node = search.new_source
    seqno = seqno_evidence(window, search.seqno_clue, node)
    hint = seqno.index if seqno.agrees and not seqno.is_bound else None
    is_cluster_wide = search.has_cluster_wide_gtids
    speaks = partial(_gtid_evidence, search)
    gtid = speaks(window, applied, hint)
    if hint is None and gtid.agrees and is_cluster_wide:
        hint = gtid.index
    content = reported or content_evidence(window, applied, hint, search.receiving, node, search.lower_bound)
    gtid = speaks(window, applied, content.index)
    if reported is None:
        content = require_unbroken(content, window, applied, seqno, search.lower_bound)
    index = content.index if content.agrees else hint
    journal = journal_evidence(window, search.lower_bound, index)
    found = content.index if content.agrees else None
    aligned = aligned_evidence(window, search.aligned, found, node)
    return bounded_evidence(seqno, found), gtid, content, journal, aligned


def _locate_empty(search: Search, source: Cursor, lower_bound: LowerBound) -> Located | None:
    """Nothing was applied since the sample, and nothing was written since: any position after it will do.

    None where groups of the stream follow the sample. Whether they are applied does not follow from
    the time of a sample (a replica may stall between its commit and storing its position), only from
    content further back.
    """
    in_stream = foreign_to(search.receiving_server_ids)
    for start in starts_before(search, source, lower_bound.seqno):
        window = read_window(source, start, in_stream, xid_above(lower_bound.seqno), following=FOLLOWING_GROUPS)
        held = lower_bound_index(window, lower_bound)
        if held is None:
            continue
        if len(window.stream) - 1 > held:
            return None
        evidence = (
            seqno_evidence(window, search.seqno_clue, search.new_source),
            Evidence(Family.JOURNAL, True, f"{lower_bound.detail}.", index=held, facts={"seqno": lower_bound.seqno}),
            empty_stream_evidence(search.receiving, search.new_source, held, window),
            aligned_evidence(window, search.aligned, held, search.new_source),
        )
        verdict = judge(evidence)
        applied = LastApplied((), lower_bound.observed_at_s, False)
        located = build_located(
            search, window, evidence, verdict, applied, from_checkpoint=True, lower_bound=lower_bound
        )
        return replace(located, idle_since=_end_of(window, lower_bound)) if held < 0 else located
    return refuse(
        search,
        f"{lower_bound.detail}. The retained binlogs of {search.new_source} do not reach back to it.",
    )


def _locate_never_written(search: Search, source: Cursor, receiving: Cursor) -> Located:
    """The receiving side's whole history has no such transaction: the source's must not have one either."""
    in_stream = foreign_to(search.receiving_server_ids)
    if not is_beginning_of_history(source):
        return refuse(
            search,
            f"{search.receiving} never applied a transaction of this stream, and {search.new_source}'s oldest logs "
            "were purged. So it is unknown whether any was written.",
        )
    start = FilePosition(source.files()[0][0], FIRST_EVENT_OFFSET)
    window = read_window(source, start, in_stream, lambda _: False, following=0)
    if window.stream:
        return refuse(
            search,
            f"{search.read_from} has no transaction of this stream, but {search.new_source} wrote "
            f"{len(window.stream)}. The log may have been reset, or be that of a node that joined later.",
        )
    if search.may_have_been_written:
        return locate_at_stopped_channel(search, source, receiving) or refuse(
            search,
            f"Neither {search.new_source} nor {search.read_from} has a transaction of this stream in its logs, but "
            "another node of the two sides has or had one. Their logs began later (a node that joined by a state "
            "transfer, or RESET MASTER): what was written before is in none of the two.",
        )
    evidence = (
        Evidence(
            Family.JOURNAL,
            True,
            f"The logs of {search.new_source} and of {search.read_from} reach back to their beginning.",
            index=-1,
        ),
        empty_stream_evidence(search.receiving, search.new_source, -1, window),
    )
    applied = LastApplied((), None, True)
    located = build_located(search, window, evidence, judge(evidence), applied, from_checkpoint=False)
    return replace(located, idle_since=start)


def _end_of(window: Window, lower_bound: LowerBound) -> FilePosition | None:
    """The end of the sampled group, which is outside the stream."""
    return next((end for _, xid, end in window.outside_stream if xid == lower_bound.seqno), None)
