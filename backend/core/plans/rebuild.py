"""A returned side that was copied from the survivor: guided, recognized, and attached at its backup's position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from backend.core.checks.context import CheckContext
from backend.core.facts.incarnation import Incarnation, ReturnedSide, returned_side
from backend.core.findings import Finding, Severity
from backend.core.locate.backup_position import FORMS
from backend.core.locate.model import Located
from backend.core.orphans.report import REBUILD, REPLAY, UNDO, OrphanReport, replay_params
from backend.core.plans.builders.gtid_steps import uses_gtid
from backend.core.plans.rebuild_guide import donor_for
from backend.core.plural import pick, pluralize
from backend.core.topology import Direction

BACKUP = "backup_position"
CATCH_UP_PER_S = 10.0
"""Transactions a second that a copy applies at least (measured: 40 to 300 on a busy machine)."""
MAX_PROBE_WAIT_S = 600.0
_AT_LEAST_S = 20.0


def is_attachable(ctx: CheckContext, options: Mapping[str, Any]) -> bool:
    """Whether the side is a copy and its backup position is given: only then is there a position to locate."""
    back = returned_side(ctx.link)
    return back is not None and back.kind is Incarnation.REBUILT and bool(options.get(BACKUP))


def backlog(ctx: CheckContext, located: Located) -> int:
    """Transactions that are pending for a copy since its backup was taken."""
    wsrep = ctx.link.node(located.node_id).wsrep
    return max(0, wsrep.last_committed - located.seqno) if wsrep is not None and located.seqno is not None else 0


def probe_limit_s(ctx: CheckContext, located: Located) -> float | None:
    """How long the forward probe may take after the backlog; None where a run must not wait for it."""
    limit = _AT_LEAST_S + backlog(ctx, located) / CATCH_UP_PER_S
    return limit if limit <= MAX_PROBE_WAIT_S else None


def probes_of(ctx: CheckContext, forward: Located | None) -> dict[Direction, dict[str, float]]:
    """The directions that are probed, with each step's parameters; `forward` where a copy first applies a backlog."""
    limits: dict[Direction, dict[str, float]] = {direction: {} for direction in Direction}
    if forward is not None:
        limit_s = probe_limit_s(ctx, forward)
        if limit_s is None:
            del limits[Direction.FORWARD]
        else:
            limits[Direction.FORWARD] = {"limit_s": round(limit_s)}
    return limits


def loss_of(ctx: CheckContext, way: str, orphans: OrphanReport, *, skip_conflicts: bool) -> dict[str, Any]:
    """The survivor loses nothing; rebuild and undo discard what only the other side had, a replay what it skips."""
    sentence, back = f"{ctx.link.active.name} keeps all its data and stays writable.", ctx.link.standby.name
    left_out = len(replay_params(orphans, skip_conflicts=skip_conflicts)["skip"]) if way == REPLAY else 0
    if left_out:
        lost = f"{pluralize(left_out, 'transaction')} of {back} {pick(left_out, 'is', 'are')} not replayed, and lost."
        return {"transactions": left_out, "seconds": None, "detail": f"{sentence} {lost}"}
    if way not in (REBUILD, UNDO) or orphans.state == "none":
        return {"transactions": 0, "seconds": 0, "detail": sentence}
    count = orphans.transactions if orphans.state == "found" else None
    undone = f" What is undone on {back} is lost." if way == UNDO else ""
    return {"transactions": count, "seconds": None, "detail": f"{sentence} {orphans.detail}{undone}"}


def backlog_findings(ctx: CheckContext, located: Iterable[Located]) -> Iterator[Finding]:
    """A copy with a large backlog is attached and catches up after the run, which does not wait that long."""
    for one in located:
        if one.is_proven and probe_limit_s(ctx, one) is None:
            yield Finding(
                "rebuild_backlog_large",
                Severity.WARNING,
                f"{pluralize(backlog(ctx, one), 'transaction')} since its backup are pending for {one.receiving}. The "
                "forward channel is not probed: its first transactions are compared, and it catches up after the run.",
                f"Wait until {one.receiving} has caught up before a switchover or failback.",
            )


def rebuild_findings(ctx: CheckContext, options: Mapping[str, Any]) -> Iterator[Finding]:
    """What prevents the attach of a copy, each with its own code; the guide where there is no copy yet."""
    back = returned_side(ctx.link)
    if back is None:
        return
    survivor = ctx.link.active
    if any(uses_gtid(move) for move in ctx.moves):
        yield _by_gtid(ctx, back)
    if back.kind is Incarnation.REBOOTSTRAPPED:
        yield _rebootstrapped(back)
    elif back.kind is not Incarnation.REBUILT:
        yield _guide_finding(ctx, back, donor_for(ctx, options.get("source_node")).node.node.name)
    elif back.state_uuid == survivor.recorded_state_uuid:
        yield _same_name(ctx, back)
    elif not options.get(BACKUP):
        yield Finding(
            "backup_position_missing",
            Severity.BLOCKER,
            f"{back.side.name} is a copy of {survivor.name}, and the position of its backup is not given.",
            f"Enter the backup's own position: {FORMS}.",
            {"option": BACKUP},
        )
    else:
        yield Finding(
            "side_rebuilt",
            Severity.OK,
            f"{back.side.name} has a new state UUID ({(back.state_uuid or '')[:8]}) and logged nothing of its own.",
            facts={"state_uuid": back.state_uuid},
        )


def wrong_action_findings(ctx: CheckContext) -> Iterator[Finding]:
    """A copy has no transactions of its own: only a rebuild fits it."""
    back = returned_side(ctx.link)
    if back is not None and back.kind is Incarnation.REBUILT:
        yield Finding(
            "side_was_rebuilt",
            Severity.BLOCKER,
            f"{back.side.name} was rebuilt: nothing of its earlier data is left on it.",
            "Choose rebuild, and enter the position of its backup.",
            {"state_uuid": back.state_uuid, "option": BACKUP},
        )


def _guide_finding(ctx: CheckContext, back: ReturnedSide, donor: str) -> Finding:
    first = ctx.pair[1].node
    now = (
        "It has not returned yet." if back.kind is Incarnation.AWAY else "It still runs with the data of the lost side."
    )
    if back.kind is Incarnation.UNKNOWN:
        now = "Its state is unknown: its nodes do not show one state UUID, or not what they logged."
    return Finding(
        "rebuild_by_hand",
        Severity.BLOCKER,
        f"{back.side.name} must be copied from {ctx.link.active.name} by hand: Hawser copies no data. {now}",
        "Export the orphans, then follow the guide. Once the copy is up, Hawser recognizes it, and a new plan of this "
        "kind attaches it.",
        {"donor": donor, "first": first.name, "is": back.kind.value},
    )


def _rebootstrapped(back: ReturnedSide) -> Finding:
    return Finding(
        "not_rebuilt",
        Severity.BLOCKER,
        f"{back.side.name} has another state UUID, and the log of {', '.join(back.nodes_with_own_writes)} holds "
        "transactions of its own. It was bootstrapped again with its old data, or was written to after it was copied.",
        "If it was copied: copy it again and keep it read_only until it is attached. "
        "If not: scan it for orphans, then attach, undo or replay.",
        {"nodes": list(back.nodes_with_own_writes), "state_uuid": back.state_uuid},
    )


def _same_name(ctx: CheckContext, back: ReturnedSide) -> Finding:
    first = ctx.pair[1].node.name
    return Finding(
        "rebuilt_state_uuid_shared",
        Severity.BLOCKER,
        f"{back.side.name} has the state UUID of {ctx.link.active.name}, although they are two clusters. "
        "A grastate.dat was copied or written.",
        f"Stop {back.side.name}, remove grastate.dat on {first}, and start {first} with --wsrep-new-cluster: it then "
        "creates its own state UUID. Let the other nodes join again.",
        {"state_uuid": back.state_uuid},
    )


def _by_gtid(ctx: CheckContext, back: ReturnedSide) -> Finding:
    return Finding(
        "rebuild_by_gtid",
        Severity.BLOCKER,
        f"The channels use GTIDs, and a copied {back.side.name} continues the GTID sequence of "
        f"{ctx.link.active.name}, not its own. GTIDs may repeat or go back.",
        f"Rebuild {back.side.name} outside of Hawser, or run the link by file and position (MASTER_USE_GTID=no).",
    )
