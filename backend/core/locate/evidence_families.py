"""The evidence of each family in one searched window of the new source's log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from backend.core.binlog.content import are_same, difference, is_same
from backend.core.binlog.groups import Group
from backend.core.binlog.window import Window
from backend.core.locate.evidence import AlignedHint, Evidence, Family, LowerBound, SeqnoClue
from backend.core.locate.last_applied import LastApplied
from backend.core.locate.model import CONTENT_GROUPS
from backend.core.plural import pluralize
from backend.core.positions import MariadbGtid


def seqno_evidence(window: Window, clue: SeqnoClue | str, node: str) -> Evidence:
    """Search the window for the source cluster's own Xid."""
    if isinstance(clue, str):
        return Evidence(Family.SEQNO, None, clue)
    indexes = window.index_of_xid(clue.xid)
    if not indexes:
        return Evidence(Family.SEQNO, None, f"{clue.detail}. The searched part of {node}'s binlog does not hold it.")
    if len(indexes) > 1:
        return Evidence(Family.SEQNO, False, f"Xid {clue.xid} occurs {len(indexes)} times in {node}'s binlog.")
    index = indexes[0] + clue.trailing
    if clue.trailing and not _are_without_xid(window.stream[indexes[0] + 1 : index + 1], clue.trailing):
        return Evidence(
            Family.SEQNO,
            False,
            f"After Xid {clue.xid} the relay log had {pluralize(clue.trailing, 'transaction')} without a Xid; "
            f"{node}'s binlog has others there.",
        )
    return Evidence(
        Family.SEQNO,
        True,
        f"{clue.detail}. The same Xid occurs once in {node}'s binlog.",
        index=index,
        is_bound=not clue.is_exact,
        facts={"xid": clue.xid, "trailing": clue.trailing, "from": clue.origin},
    )


def bounded_evidence(seqno: Evidence, content_index: int | None) -> Evidence:
    """A seqno that is only a lower bound, compared with the position that content names."""
    if not (seqno.agrees and seqno.is_bound) or seqno.index is None or content_index is None:
        return seqno
    if content_index < seqno.index:
        return replace(seqno, agrees=False, detail=f"{seqno.detail} That is later than the position found.")
    groups = content_index - seqno.index
    behind = f"The channel's stored position is {pluralize(groups, 'transaction')} behind the data, as after a crash."
    sentence = behind if groups else "The applied data ends there, too."
    return replace(seqno, detail=f"{seqno.detail} {sentence}", facts={**seqno.facts, "groups_behind": groups})


def _are_without_xid(groups: Sequence[Group], expected: int) -> bool:
    return len(groups) == expected and all(group.xid is None for group in groups)


def gtid_evidence(
    window: Window,
    applied: LastApplied,
    content_index: int | None,
    node: str,
    *,
    is_cluster_wide: bool,
    domain: int | None = None,
) -> Evidence:
    """Search the window for the GTID of the last applied group.

    Without `wsrep_gtid_mode` each node numbers its own GTIDs, so a GTID that is not at the position content names
    cannot tell anything there; with it, it disagrees. A GTID of another domain than the cluster's tells nothing of the
    cluster's groups: parallel appliers let the one overtake the other. Where the cluster assigns GTIDs, the earlier
    ones are compared, too: of groups with equal content, one applied late (by hand, from a binlog) was taken for
    the last one, and what preceded it would have been applied twice (found by the oracle of positions).
    """
    gtid = applied.groups[-1].gtid if applied.groups else None
    if gtid is None:
        return Evidence(Family.GTID, None, "The last applied transaction has no GTID.")
    if is_cluster_wide and domain is not None and gtid.domain != domain:
        detail = f"GTID {gtid} is a node-local write: it is not in the cluster's domain {domain}."
        return Evidence(Family.GTID, None, detail)
    indexes = [i for i, group in enumerate(window.stream) if group.gtid == gtid]
    if is_cluster_wide and len(indexes) == 1:
        strange = _first_out_of_order(applied.groups, window.stream[: indexes[0] + 1], gtid.domain)
        if strange is not None:
            detail = f"GTID {strange} was applied before {gtid}, but {node}'s binlog has another order."
            return Evidence(Family.GTID, False, detail)
    if len(indexes) == 1 and content_index in (None, indexes[0]):
        return Evidence(
            Family.GTID,
            True,
            f"The last applied transaction has GTID {gtid}. The same GTID occurs once in {node}'s binlog.",
            index=indexes[0],
            facts={"gtid": str(gtid)},
        )
    if not is_cluster_wide:
        return Evidence(
            Family.GTID,
            None,
            f"GTID {gtid} cannot be compared: wsrep_gtid_mode is OFF, so each node numbers its own GTIDs.",
        )
    elsewhere = f"occurs {pluralize(len(indexes), 'time')} in {node}'s binlog, but at another position."
    found = elsewhere if indexes else f"does not occur in {node}'s binlog."
    return Evidence(Family.GTID, False, f"GTID {gtid} {found}")


def _first_out_of_order(applied: Sequence[Group], sent: Sequence[Group], domain: int) -> MariadbGtid | None:
    """Of the last applied GTIDs of one domain, the last that was sent in another order; None: none was."""

    def numbers(groups: Sequence[Group]) -> Iterator[MariadbGtid]:
        return (group.gtid for group in reversed(groups) if group.gtid and group.gtid.domain == domain)

    return next(
        (gtid for gtid, sent_gtid in zip(numbers(applied), numbers(sent), strict=False) if gtid != sent_gtid), None
    )


def content_matches(window: Window, groups: Sequence[Group]) -> list[int]:
    """Indexes in the window where these groups end, in the same order and with equal content."""
    wanted = [group.content for group in groups]
    have = window.contents()
    span = len(wanted)
    if not span:
        return []
    ends = (i for i in range(span - 1, len(have)) if is_same(have[i], wanted[-1]))
    return [i for i in ends if are_same(have[i - span + 1 : i + 1], wanted)]


def content_evidence(
    window: Window, applied: LastApplied, hint: int | None, receiving: str, node: str, lower_bound: LowerBound | None
) -> Evidence:
    """Compare the last applied groups with those that end at `hint`, or find them by content alone.

    The receiving side is past what was sampled as applied, so an earlier copy of its last groups is
    not its position.
    """
    groups = applied.groups
    reached = lower_bound_index(window, lower_bound) if lower_bound is not None else None
    matches = [i for i in content_matches(window, groups) if reached is None or i >= reached]
    size = len(groups)
    last = f"last {pluralize(size, 'transaction')}" if size > 1 else "last transaction"
    occurs = "occurs" if size == 1 else "occur"
    if hint is not None and hint in matches:
        return Evidence(
            Family.CONTENT,
            True,
            f"The {last} that {receiving} applied {'equals' if size == 1 else 'equal, in order,'} what ends there on "
            f"{node}: tables, sizes, statement text, origin.",
            index=hint,
            facts={"groups": size, "matches": len(matches)},
        )
    if hint is not None:
        return Evidence(
            Family.CONTENT,
            False,
            f"The {last} that {receiving} applied {'differs' if size == 1 else 'differ'} from what ends there on "
            f"{node}{_first_difference(window, groups, hint)}.",
        )
    if len(matches) == 1:
        return Evidence(
            Family.CONTENT,
            True,
            f"The {last} that {receiving} applied {occurs} exactly once among "
            f"{pluralize(len(window.stream), 'transaction')} searched on {node}.",
            index=matches[0],
            facts={"groups": size, "matches": 1, "searched_groups": len(window.stream)},
        )
    if matches:
        return Evidence(Family.CONTENT, None, f"Ambiguous: the {last} applied {occurs} {len(matches)} times on {node}.")
    return Evidence(Family.CONTENT, None, f"The searched part of {node}'s binlog does not hold the {last} applied.")


def _first_difference(window: Window, groups: Sequence[Group], end: int) -> str:
    """In words, how the latest unequal pair differs."""
    pairs = zip(reversed(groups), reversed(window.stream[: end + 1]), strict=False)
    differing = ((one, difference(one.content, other.content)) for one, other in pairs)
    found = next(((group, part) for group, part in differing if part), None)
    if found is None:
        return ": fewer transactions are there"
    return f": the difference is in {found[1]} (latest: {found[0].summary[:80]!r})"


def require_unbroken(
    content: Evidence, window: Window, applied: LastApplied, seqno: Evidence, lower_bound: LowerBound | None
) -> Evidence:
    """Fewer groups than are required do not show that what precedes them was applied, too.

    All up to the sample was applied, and all up to the channel's stored position; what lies between has to be among
    the groups read. A group that an operator applied by hand, past others still pending, named a position after them
    (found by the oracle).
    """
    if not content.agrees or content.index is None or len(applied.groups) >= CONTENT_GROUPS:
        return content
    sampled = lower_bound_index(window, lower_bound) if lower_bound is not None else None
    known = max(index for index in (-1, sampled, seqno.index if seqno.agrees else None) if index is not None)
    unseen = content.index - known - len(applied.groups)
    if unseen <= 0:
        return content
    detail = (
        f"{pluralize(unseen, 'transaction')} before the last {len(applied.groups)} {'was' if unseen == 1 else 'were'} "
        f"not seen applied. {'It' if unseen == 1 else 'They'} may still be pending."
    )
    return replace(content, agrees=False, index=None, detail=detail, facts={"unseen": unseen})


def _from_bound(later: int) -> str:
    """Seqnos count transactions of other streams, too: a bound may have a higher one than its position."""
    if later:
        return f"The position found is {pluralize(later, 'transaction')} of this stream later."
    return "No transaction of this stream lies between the position found and it."


def journal_evidence(window: Window, lower_bound: LowerBound | None, index: int | None) -> Evidence:
    """Check the position against the journal: it is never before what was already seen applied."""
    if lower_bound is None:
        return Evidence(Family.JOURNAL, None, "The position history has no sample of this channel.")
    if index is None:
        return Evidence(Family.JOURNAL, None, f"{lower_bound.detail}.")
    numbers = [number for _, number in window.numbered()]
    reached = lower_bound_index(window, lower_bound)
    is_before = bool(numbers) and max(numbers) < lower_bound.seqno
    if reached is None and not is_before:
        return Evidence(Family.JOURNAL, None, f"{lower_bound.detail}. The searched part does not hold it.")
    if reached is None or index < reached:
        return Evidence(Family.JOURNAL, False, f"{lower_bound.detail}. That is later than the position found.")
    return Evidence(
        Family.JOURNAL,
        True,
        f"{lower_bound.detail}. {_from_bound(index - reached)}",
        index=None,
        is_bound=True,
        facts={"seqno": lower_bound.seqno, "groups_after_sample": index - reached},
    )


def lower_bound_index(window: Window, lower_bound: LowerBound) -> int | None:
    """Index of the last stream group at or before the sampled group; None unless the window holds that one once.

    The sampled seqno is that of a real group of this cluster, so the search is for exactly this one:
    "the last number not above it" could be a node-local write, whose Xid is not a seqno.
    """
    indexes = window.index_of_xid(lower_bound.seqno)
    return indexes[0] if len(indexes) == 1 else None


def empty_stream_evidence(receiving: str, node: str, held: int, window: Window) -> Evidence:
    """An idle stream is evidence too: nothing was applied since the sample, and nothing before it is pending."""
    waiting = len(window.stream) - 1 - held
    pending = f"{pluralize(waiting, 'transaction')} {'is' if waiting == 1 else 'are'} pending on {node}."
    more = pending if waiting else f"{node} has written none since either."
    return Evidence(
        Family.CONTENT,
        True,
        f"{receiving} has applied no transaction of this stream since the sample. {more}",
        index=held,
        facts={"groups": 0, "waiting": waiting},
    )


def aligned_evidence(window: Window, hint: AlignedHint | str, content_index: int | None, node: str) -> Evidence:
    """The seqno-alignment method: the receiver's own counter looked up as a Xid on the new source.

    `content_index` is what content agreed to (None: nothing). The hint is accepted only where it names the
    same one; elsewhere it is shown with the distance of the two counters and not accepted. It never
    disagrees: counters that drift are the usual case and tell nothing against the position.
    """
    if isinstance(hint, str):
        return Evidence(Family.ALIGNED_SEQNO, None, hint)
    facts = {"seqno": hint.seqno, "accepted": False}
    phrase = f"{hint.node}'s own wsrep_last_committed is {hint.seqno}"
    if content_index is None:
        detail = f"{phrase}. This hint counts only where content agrees."
        return Evidence(Family.ALIGNED_SEQNO, None, detail, facts=facts)
    if window.index_of_xid(hint.seqno) == [content_index]:
        detail = f"{phrase}. As a Xid on {node} it names the same position: both counters are equal."
        return Evidence(
            Family.ALIGNED_SEQNO, True, detail, index=content_index, facts=facts | {"accepted": True, "drift": 0}
        )
    at = next((group.xid for group in reversed(window.stream[: content_index + 1]) if group.xid is not None), None)
    if at is None:
        return Evidence(Family.ALIGNED_SEQNO, None, f"{phrase}. {node} has no Xid to compare it with.", facts=facts)
    drift = hint.seqno - at
    detail = (
        f"Not used as a hint: {phrase}, and the position is at seqno {at} of {node}. "
        f"The counters have drifted by {drift:+d}."
    )
    return Evidence(Family.ALIGNED_SEQNO, None, detail, facts=facts | {"drift": drift})
