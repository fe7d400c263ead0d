"""The results of a search: a position with its proof, or a refusal with its reason."""

from __future__ import annotations

from dataclasses import replace

from backend.core.binlog.events import Cursor
from backend.core.binlog.groups import Group, UnknownEventError
from backend.core.binlog.window import Window
from backend.core.locate.evidence import Evidence, LowerBound
from backend.core.locate.evidence_families import content_matches
from backend.core.locate.judge import Verdict
from backend.core.locate.last_applied import LastApplied
from backend.core.locate.model import CONTENT_GROUPS, FOLLOWING_GROUPS, SHOWN_GROUPS, Located, Search
from backend.core.positions import FilePosition, MariadbGtid

_THEN = (
    " Then wait until the channel has replicated eight transactions. "
    "Until then choose another node, or look up the transaction."
)

_READ_ELSEWHERE = (
    "Choose another source node, or create a new plan once eight other transactions of the stream follow the event."
)


def build_located(
    search: Search,
    window: Window,
    evidence: tuple[Evidence, ...],
    verdict: Verdict,
    applied: LastApplied,
    *,
    from_checkpoint: bool,
    lower_bound: LowerBound | None = None,
) -> Located:
    """The verdict with the groups on both sides of the position."""
    index = verdict.index
    held: tuple[Group, ...] = ()
    position: FilePosition | None = None
    following: tuple[Group, ...] = ()
    if index is not None:
        held = tuple(window.stream[max(0, index + 1 - CONTENT_GROUPS) : index + 1])
        following = tuple(window.stream[index + 1 : index + 1 + FOLLOWING_GROUPS])
        position = _resume_position(window, index)
    last = held[-1] if held else None
    causes = () if verdict.is_proven else _causes(search, window, applied)
    return Located(
        direction=search.direction,
        node_id=search.new_source_id,
        node=search.new_source,
        receiving=search.receiving,
        read_from=search.read_from,
        position=position,
        seqno=next((g.xid for g in reversed(held) if g.xid is not None), lower_bound.seqno if lower_bound else None),
        gtid=str(last.gtid or last.gtid_text) or None if last else None,
        is_proven=verdict.is_proven,
        reasons=(*verdict.reasons, *(sentence for sentence, _ in causes)),
        evidence=evidence,
        applied=applied.groups[-CONTENT_GROUPS:],
        source_groups=held,
        next_groups=following,
        from_checkpoint=from_checkpoint,
        facts={"remedy": " ".join(remedy for _, remedy in causes) + _THEN} if causes else {},
    )


def _causes(search: Search, window: Window, applied: LastApplied) -> list[tuple[str, str]]:
    """Settings, tables and GTIDs that may be why a position is not proven: a sentence and its remedy each."""
    found = [(f"Content cannot be fully compared: {s.message}", s.remedy) for s in search.log_settings]
    shifted = shifted_gtid(window, applied, is_cluster_wide=search.has_cluster_wide_gtids)
    if shifted is not None:
        node, gtid = search.new_source, applied.groups[-1].gtid
        sentence = (
            f"The transaction that has GTID {gtid} in the cluster has {shifted} on {node}, which numbers its "
            "transactions differently from its neighbours, as after a crash (seen on MariaDB 11.4.5)."
        )
        remedy = f"Give {node} a full state transfer (SST)."
        found.append((sentence, remedy))
    groups = (*applied.groups[-CONTENT_GROUPS:], *window.stream[-2 * CONTENT_GROUPS :])
    not_innodb = search.outside_innodb(table for group in groups for table in group.tables)
    if not_innodb:
        names = ", ".join(f"{table.name} ({table.engine})" for table in not_innodb)
        sentence = f"Not in InnoDB: {names}. Their writes may exist on one node only, and in its log only."
        found.append((sentence, f"ALTER TABLE … ENGINE=InnoDB for {', '.join(table.name for table in not_innodb)}."))
    return found


def shifted_gtid(window: Window, applied: LastApplied, *, is_cluster_wide: bool) -> MariadbGtid | None:
    """The GTID under which the window holds the last applied transactions, where it is another number than theirs.

    None where each node numbers its own GTIDs anyway (`is_cluster_wide`).
    """
    if not is_cluster_wide:
        return None
    matches = content_matches(window, applied.groups)
    wanted = applied.groups[-1].gtid if applied.groups else None
    found = window.stream[matches[0]].gtid if len(matches) == 1 else None
    if wanted is None or found is None or found == wanted or found.domain != wanted.domain:
        return None
    return found


def _resume_position(window: Window, index: int) -> FilePosition:
    """The end of the last applied group; in a window without one, the start of the next group, or the window's end."""
    if index >= 0:
        return window.stream[index].end_position
    return window.stream[0].begin_position if window.stream else window.end


def refuse_purged(
    search: Search, source: Cursor, applied: LastApplied, what: str = "The position lies before"
) -> Located:
    """Refuse because the new source's logs begin after the position, or after what has to be compared there."""
    files = source.files()
    oldest = files[0][0] if files else "none"
    return replace(
        refuse(
            search,
            f"{what} the binlogs that {search.new_source} retains (oldest file {oldest}). "
            "Choose another node that retains older logs.",
        ),
        applied=applied.groups[-SHOWN_GROUPS:],
        facts={"code": "purged", "oldest_file": oldest},
    )


def refuse_unknown_event(search: Search, error: UnknownEventError) -> Located:
    """Refuse because what a log holds cannot be read as transactions, for example those of XA."""
    return replace(
        refuse(search, f"The log cannot be read reliably: {error}."),
        facts={"code": "log_event_unknown", "remedy": _READ_ELSEWHERE},
    )


def refuse(search: Search, reason: str) -> Located:
    """Refuse before any evidence was collected."""
    return Located(
        direction=search.direction,
        node_id=search.new_source_id,
        node=search.new_source,
        receiving=search.receiving,
        read_from=search.read_from,
        position=None,
        seqno=None,
        gtid=None,
        is_proven=False,
        reasons=(reason,),
        evidence=(),
    )
