"""Groups that the receiving log lacks because they changed nothing there, or were left out before.

An applier that finds every row as its events leave it logs no group (docs/evidence/measured-facts.md): a returned
side's own write may have left the row so before the channel came to it. A group that was skipped
(`sql_slave_skip_counter`) is missing in the same way, and the channel's own record has passed both. Only rows tell them
apart. So a missing group is passed over only where the channel's exact record names the position, and where the
receiving side's rows are as every group from the missing one up to that position left them; or where the account of
the stream names each as left out, which a move neither mends nor makes worse.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from backend.core.binlog.content import is_same
from backend.core.binlog.groups import Group
from backend.core.binlog.window import Window
from backend.core.locate.evidence import Evidence, Family
from backend.core.locate.last_applied import LastApplied
from backend.core.plural import pick, pluralize

MAX_MISSING = 8


@dataclass(frozen=True, slots=True)
class RowsAnswer:
    """Whether rows of the receiving side stand as some groups left them; None where rows cannot tell."""

    stand: bool | None
    detail: str


RowsAsLeft = Callable[[Sequence[Group], Sequence[Group]], RowsAnswer]
"""Asks for groups of the new source's log, oldest first; the second argument names those the receiving log lacks."""


def rows_not_read(_groups: Sequence[Group], _missing: Sequence[Group]) -> RowsAnswer:
    """Where nothing can look rows up."""
    return RowsAnswer(None, "rows were not read")


def left_out_before(_groups: Sequence[Group], missing: Sequence[Group]) -> RowsAnswer:
    """Where each is named among the transactions that are not on both sides, or was settled by a person."""
    return RowsAnswer(True, f"the console has named {pick(len(missing), 'it', 'them')} as left out before")


@dataclass(frozen=True, slots=True)
class Alignment:
    """Which of the window's groups up to a position the receiving log lacks, oldest first.

    `is_cut_short`: the window began before all applied groups were found in it.
    """

    missing: tuple[int, ...]
    is_cut_short: bool


def align(window: Window, groups: Sequence[Group], end: int, is_left_out: Callable[[Group], bool]) -> Alignment | None:
    """Find applied groups in order in the window, the last at or before `end`; None where too many would be missing.

    What is known to be left out is none of them, however alike it looks.
    """
    missing: list[int] = []
    remaining = list(groups)
    index = end
    while remaining and index >= 0:
        sent = window.stream[index]
        if not is_left_out(sent) and is_same(sent.content, remaining[-1].content):
            remaining.pop()
        else:
            missing.append(index)
            if len(missing) > MAX_MISSING:
                return None
        index -= 1
    return Alignment(tuple(reversed(missing)), bool(remaining))


def missing_evidence(
    window: Window, applied: LastApplied, missing: Sequence[int], end: int, node: str, receiving: str, ask: RowsAsLeft
) -> tuple[Evidence, LastApplied]:
    """What content says where the log lacks groups, and the applied groups behind the last of these.

    Only those are compared again before and after the move: they stand in both logs without a gap.
    """
    lacking = [window.stream[index] for index in missing]
    answer = ask(window.stream[missing[0] : end + 1], lacking)
    names = ", ".join(f"seqno {group.xid} ({group.summary[:60]})" for group in lacking)
    lacks = pluralize(len(lacking), "transaction")
    sentence = f"The log of {receiving} lacks {lacks} that {node} logged before that position: {names}"
    facts = {"groups": len(applied.groups), "without_effect": len(lacking)}
    if not answer.stand:
        detail = f"{sentence}; {answer.detail}. It may have been skipped"
        return Evidence(Family.CONTENT, False, detail, facts=facts), applied
    why = "" if ask is left_out_before else ", so it changed nothing"
    detail = (
        f"The last {pluralize(len(applied.groups), 'transaction')} that {receiving} applied are on {node} in order, "
        f"up to that position. {sentence}; {answer.detail}{why}."
    )
    behind = end - missing[-1]
    retained = replace(applied, groups=applied.groups[len(applied.groups) - behind :])
    return Evidence(Family.CONTENT, True, detail, index=end, facts=facts), retained
