"""What each family says about one searched window of the new source's log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from backend.core.binlog.content import are_same, difference, is_same
from backend.core.binlog.groups import Group
from backend.core.binlog.window import Window
from backend.core.locate.evidence import AlignedHint, Evidence, Family, LowerBound, SeqnoClue
from backend.core.locate.last_applied import LastApplied
from backend.core.locate.model import CONTENT_GROUPS
from backend.core.positions import MariadbGtid


def seqno_evidence(window: Window, clue: SeqnoClue | str, node: str) -> Evidence:
    """Look the source cluster's own Xid up in the window."""
    if isinstance(clue, str):
        return Evidence(Family.SEQNO, None, clue)
    places = window.index_of_xid(clue.xid)
    if not places:
        return Evidence(Family.SEQNO, None, f"{clue.detail}; it does not stand in the searched part of {node}")
    if len(places) > 1:
        return Evidence(Family.SEQNO, False, f"Xid {clue.xid} stands {len(places)} times in {node}'s binlog")
    index = places[0] + clue.trailing
    if clue.trailing and not _are_without_xid(window.stream[places[0] + 1 : index + 1], clue.trailing):
        return Evidence(
            Family.SEQNO,
            False,
            f"behind Xid {clue.xid} the relay log had {clue.trailing} group(s) without a Xid, {node} has others",
        )
    return Evidence(
        Family.SEQNO,
        True,
        f"{clue.detail}; the same Xid stands once in {node}'s binlog.",
        index=index,
        is_bound=not clue.is_exact,
        facts={"xid": clue.xid, "trailing": clue.trailing, "from": clue.origin},
    )


def bounded_evidence(seqno: Evidence, content_index: int | None) -> Evidence:
    """A number that says how much was applied at least, held against the place that content names."""
    if not (seqno.agrees and seqno.is_bound) or seqno.index is None or content_index is None:
        return seqno
    if content_index < seqno.index:
        return replace(seqno, agrees=False, detail=f"{seqno.detail} That is later than the place found")
    groups = content_index - seqno.index
    behind = f"The channel's own record lies {groups} group(s) behind the data, as after a crash."
    sentence = behind if groups else "The data end there, too."
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
    """Look the GTID of the last applied group up in the window.

    Without `wsrep_gtid_mode` nodes number for themselves, so a GTID that is not where content
    stands is "cannot say" there; with it, it disagrees. Of another domain than the cluster's it says nothing of the
    cluster's groups: parallel appliers let the one overtake the other. Where numbers are the cluster's, those before it
    are compared, too: of groups that are alike in content, one brought in late (by hand, out of a binlog) passed for
    the last one, and what had come before it would have been applied twice (found by the oracle of positions).
    """
    gtid = applied.groups[-1].gtid if applied.groups else None
    if gtid is None:
        return Evidence(Family.GTID, None, "the last applied group carries no GTID")
    if is_cluster_wide and domain is not None and gtid.domain != domain:
        return Evidence(Family.GTID, None, f"GTID {gtid} is not of the cluster's domain {domain}: a node-local write")
    places = [i for i, group in enumerate(window.stream) if group.gtid == gtid]
    if is_cluster_wide and len(places) == 1:
        strange = _first_out_of_order(applied.groups, window.stream[: places[0] + 1], gtid.domain)
        if strange is not None:
            detail = f"GTID {strange} was applied before {gtid}, but is not in that order in {node}'s binlog"
            return Evidence(Family.GTID, False, detail)
    if len(places) == 1 and content_index in (None, places[0]):
        return Evidence(
            Family.GTID,
            True,
            f"The last applied group carries GTID {gtid}; the same GTID stands once in {node}'s binlog.",
            index=places[0],
            facts={"gtid": str(gtid)},
        )
    if not is_cluster_wide:
        return Evidence(
            Family.GTID,
            None,
            f"GTID {gtid} cannot be compared: wsrep_gtid_mode is off, nodes number for themselves",
        )
    word = "nowhere" if not places else f"{len(places)} time(s), elsewhere"
    return Evidence(Family.GTID, False, f"GTID {gtid} stands {word} in {node}'s binlog")


def _first_out_of_order(applied: Sequence[Group], sent: Sequence[Group], domain: int) -> MariadbGtid | None:
    """Of the last GTIDs of one domain that were applied, the last that was not sent at its place; None: all were."""

    def numbers(groups: Sequence[Group]) -> Iterator[MariadbGtid]:
        return (group.gtid for group in reversed(groups) if group.gtid and group.gtid.domain == domain)

    return next(
        (gtid for gtid, sent_gtid in zip(numbers(applied), numbers(sent), strict=False) if gtid != sent_gtid), None
    )


def content_matches(window: Window, groups: Sequence[Group]) -> list[int]:
    """Indexes in the window where these groups end, in order, content equal."""
    wanted = [group.content for group in groups]
    have = window.contents()
    span = len(wanted)
    if not span:
        return []
    ends = (i for i in range(span - 1, len(have)) if is_same(have[i], wanted[-1]))
    return [i for i in ends if are_same(have[i - span + 1 : i + 1], wanted)]


def content_evidence(
    window: Window, applied: LastApplied, hint: int | None, receiving: str, node: str, floor: LowerBound | None
) -> Evidence:
    """Compare the last applied groups with those that end at `hint`, or find them alone.

    What was sampled as applied is behind the receiving side: an earlier copy of its last groups is
    not where it stands.
    """
    groups = applied.groups
    reached = floor_index(window, floor) if floor is not None else None
    matches = [i for i in content_matches(window, groups) if reached is None or i >= reached]
    size = len(groups)
    if hint is not None and hint in matches:
        return Evidence(
            Family.CONTENT,
            True,
            f"The last {size} group(s) that {receiving} applied equal, in order, those that end there on {node}: "
            "tables, sizes, statement text, origin.",
            index=hint,
            facts={"groups": size, "matches": len(matches)},
        )
    if hint is not None:
        return Evidence(
            Family.CONTENT,
            False,
            f"the last {size} group(s) that {receiving} applied are not those that end there on {node}"
            f"{_first_difference(window, groups, hint)}",
        )
    if len(matches) == 1:
        return Evidence(
            Family.CONTENT,
            True,
            f"The last {size} group(s) that {receiving} applied stand exactly once among "
            f"{len(window.stream):,} groups searched on {node}.",
            index=matches[0],
            facts={"groups": size, "matches": 1, "searched_groups": len(window.stream)},
        )
    if matches:
        return Evidence(
            Family.CONTENT, None, f"the last {size} group(s) stand {len(matches)} times on {node}: ambiguous"
        )
    return Evidence(Family.CONTENT, None, f"the last {size} group(s) do not stand in the searched part of {node}")


def _first_difference(window: Window, groups: Sequence[Group], end: int) -> str:
    """What the latest pair that is not the same differs in, in words."""
    pairs = zip(reversed(groups), reversed(window.stream[: end + 1]), strict=False)
    differing = ((one, difference(one.content, other.content)) for one, other in pairs)
    found = next(((group, part) for group, part in differing if part), None)
    if found is None:
        return ": fewer stand there"
    return f": they differ in {found[1]} (the latest is {found[0].summary[:80]!r})"


def require_unbroken(
    content: Evidence, window: Window, applied: LastApplied, seqno: Evidence, floor: LowerBound | None
) -> Evidence:
    """Fewer groups than are wanted do not show that what stands before them was applied, too.

    All up to the sample was, and all up to the channel's own record; what stands between has to be among those seen.
    A group that a person brought in, past others that still waited, named a place behind them (found by the oracle).
    """
    if not content.agrees or content.index is None or len(applied.groups) >= CONTENT_GROUPS:
        return content
    sampled = floor_index(window, floor) if floor is not None else None
    known = max(index for index in (-1, sampled, seqno.index if seqno.agrees else None) if index is not None)
    unseen = content.index - known - len(applied.groups)
    if unseen <= 0:
        return content
    detail = (
        f"{unseen} group(s) stand before the last {len(applied.groups)} and were not seen applied: they may wait still"
    )
    return replace(content, agrees=False, index=None, detail=detail, facts={"unseen": unseen})


def journal_evidence(window: Window, floor: LowerBound | None, index: int | None) -> Evidence:
    """Check the place against the journal: never before what was already seen applied."""
    if floor is None:
        return Evidence(Family.JOURNAL, None, "no sample of this channel was kept from healthy times")
    if index is None:
        return Evidence(Family.JOURNAL, None, floor.detail)
    numbers = [number for _, number in window.numbered()]
    reached = floor_index(window, floor)
    is_before = bool(numbers) and max(numbers) < floor.seqno
    if reached is None and not is_before:
        return Evidence(Family.JOURNAL, None, f"{floor.detail}; the part searched does not hold that group")
    if reached is None or index < reached:
        return Evidence(Family.JOURNAL, False, f"{floor.detail}, which is later than the place found")
    return Evidence(
        Family.JOURNAL,
        True,
        f"{floor.detail}: a lower bound, and it holds.",
        index=None,
        is_bound=True,
        facts={"seqno": floor.seqno, "groups_after_sample": index - reached},
    )


def floor_index(window: Window, floor: LowerBound) -> int | None:
    """Index of the last stream group at or before the sampled group; None unless it stands there once.

    The sampled number is that of a real group of this cluster, so it is looked for exactly:
    "the last number not above it" could be a node-local write, whose Xid is no seqno.
    """
    places = window.index_of_xid(floor.seqno)
    return places[0] if len(places) == 1 else None


def empty_stream_evidence(receiving: str, node: str, held: int, window: Window) -> Evidence:
    """An empty stream is evidence too: nothing was applied since the sample, nothing waits before it."""
    waiting = len(window.stream) - 1 - held
    more = f"{waiting} group(s) wait on {node}" if waiting else f"{node} has written none of its own since either"
    return Evidence(
        Family.CONTENT,
        True,
        f"{receiving} has applied no group of this stream since the sample; {more}.",
        index=held,
        facts={"groups": 0, "waiting": waiting},
    )


def aligned_evidence(window: Window, hint: AlignedHint | str, content_index: int | None, node: str) -> Evidence:
    """The recipe of 2014: the receiver's own counter looked up as a Xid on the new source.

    `content_index` is what content agreed to (None: nothing). The hint is accepted only where it names the
    same one; elsewhere it is shown with the distance of the two counters and not accepted. It never
    says "disagrees": counters that drift are the usual case and say nothing against the place.
    """
    if isinstance(hint, str):
        return Evidence(Family.ALIGNED_SEQNO, None, hint)
    facts = {"seqno": hint.seqno, "accepted": False}
    phrase = f"{hint.node}'s own wsrep_last_committed is {hint.seqno}"
    if content_index is None:
        return Evidence(Family.ALIGNED_SEQNO, None, f"{phrase}: a hint counts only where content agrees", facts=facts)
    if window.index_of_xid(hint.seqno) == [content_index]:
        detail = f"{phrase}; as a Xid on {node} it names the same place: both counters are level."
        return Evidence(
            Family.ALIGNED_SEQNO, True, detail, index=content_index, facts=facts | {"accepted": True, "drift": 0}
        )
    at = next((group.xid for group in reversed(window.stream[: content_index + 1]) if group.xid is not None), None)
    if at is None:
        return Evidence(Family.ALIGNED_SEQNO, None, f"{phrase}: no Xid of {node} to compare it with", facts=facts)
    drift = hint.seqno - at
    detail = (
        f"Refused as a hint: {phrase}, the place stands at seqno {at} of {node}: "
        f"the counters have drifted by {drift:+d}"
    )
    return Evidence(Family.ALIGNED_SEQNO, None, detail, facts=facts | {"drift": drift})
