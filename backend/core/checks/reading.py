"""Checks of an error of reading: would a channel stop on it again, where it is or where it is moved to?"""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.context import CheckContext, Move
from backend.core.facts.channel_faults import ATTESTED_KINDS, Fault, FaultKind, reading_fault, stops_again
from backend.core.facts.log_continuity import reads_another_log
from backend.core.findings import Finding, Severity
from backend.core.link_state.fault_remedies import fault_remedy, fault_sentence


def check_new_pair_reads(ctx: CheckContext) -> Iterator[Finding]:
    """A channel that stopped reading is not moved onto a pair on which the cause of that would be met again."""
    for move in ctx.moves:
        yield from reading_findings(ctx, move, has_new_position=True)


def reading_findings(ctx: CheckContext, move: Move, *, has_new_position: bool) -> Iterator[Finding]:
    """What its error of reading says of the channel's next start; nothing where it has none."""
    if move.holder is None:
        return
    is_of_another_log = reads_another_log(ctx.link, move.direction)
    fault = reading_fault(move.holder.channel, is_of_another_log=is_of_another_log)
    if fault is None:
        return
    before = move.holder.source.id, move.holder.replica.node.id
    again = stops_again(fault, before, move.source, move.replica, has_new_position=has_new_position)
    if again is False:
        if move.holder.channel.io_running == "No" and not has_new_position:
            yield Finding(
                "reading_stopped_on_an_error", Severity.WARNING, _said(ctx, move, fault), facts=_facts(move, fault)
            )
    elif again and fault.kind is FaultKind.POSITION_PURGED:
        yield _purged(ctx, move, fault)
    else:
        yield _not_over(ctx, move, fault, is_known=again is True)


def _purged(ctx: CheckContext, move: Move, fault: Fault) -> Finding:
    remedy = fault_remedy(fault, move.source, move.replica)
    return Finding("place_not_in_source_logs", Severity.BLOCKER, _said(ctx, move, fault), remedy, _facts(move, fault))


def _not_over(ctx: CheckContext, move: Move, fault: Fault, *, is_known: bool) -> Finding:
    said, facts = _said(ctx, move, fault), _facts(move, fault)
    can_attest = fault.kind in ATTESTED_KINDS
    if can_attest and ctx.attested_error_over:
        attested = f"{said} An operator attested that its cause is fixed."
        return Finding("reading_mended_attested", Severity.WARNING, attested, facts=facts)
    remedy = fault_remedy(fault, move.source, move.replica)
    facts |= {"option": "attest_error_over"} if can_attest else {}
    pair = f"a channel from {move.source.node.name} to {move.replica.node.name} would stop on it again"
    if is_known:
        sentence = f"{said} {pair[0].upper()}{pair[1:]}."
        return Finding("reading_would_stop_again", Severity.BLOCKER, sentence, remedy, facts)
    return Finding("reading_cause_unknown", Severity.UNKNOWN, f"{said} It is unknown whether {pair}.", remedy, facts)


def _facts(move: Move, fault: Fault) -> dict[str, object]:
    return {
        "direction": move.direction.value,
        "errno": fault.errno,
        "kind": fault.kind.value,
        "source": move.source.node.name,
        "replica": move.replica.node.name,
    }


def _said(ctx: CheckContext, move: Move, fault: Fault) -> str:
    """The server's own error, and what it means."""
    assert move.holder is not None
    meaning = fault_sentence(fault, ctx.link.node(move.holder.source.id), move.holder.replica)
    name, text = move.holder.replica.node.name, fault.text[:300].rstrip(".")
    return f"The {move.direction} channel stopped reading on {name} with error {fault.errno}: {text}. {meaning}"
