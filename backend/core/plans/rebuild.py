"""A returned side that was copied anew from the survivor: recognised, guided to, and attached at its backup's place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from backend.core.checks.context import CheckContext
from backend.core.facts.incarnation import Incarnation, ReturnedSide, returned_side
from backend.core.findings import Finding, Severity
from backend.core.locate.backup_position import FORMS
from backend.core.locate.model import Located
from backend.core.orphans.report import OrphanReport
from backend.core.plans.builders.gtid_steps import uses_gtid
from backend.core.plans.rebuild_guide import donor_for
from backend.core.topology import Direction

BACKUP = "backup_position"
CATCH_UP_PER_S = 10.0
"""Transactions a second that a copy surely applies (measured: 40 to 300 on a busy machine)."""
MAX_PROBE_WAIT_S = 600.0
_AT_LEAST_S = 20.0


def is_attachable(ctx: CheckContext, options: Mapping[str, Any]) -> bool:
    """Whether the side is a copy and it is said where it was taken: only then is there a place to look for."""
    back = returned_side(ctx.link)
    return back is not None and back.kind is Incarnation.REBUILT and bool(options.get(BACKUP))


def backlog(ctx: CheckContext, located: Located) -> int:
    """Transactions that wait for a copy since its backup was taken."""
    wsrep = ctx.link.node(located.node_id).wsrep
    return max(0, wsrep.last_committed - located.seqno) if wsrep is not None and located.seqno is not None else 0


def probe_limit_s(ctx: CheckContext, located: Located) -> float | None:
    """How long the forward probe may take behind what waits; None where a run is not to wait for it."""
    limit = _AT_LEAST_S + backlog(ctx, located) / CATCH_UP_PER_S
    return limit if limit <= MAX_PROBE_WAIT_S else None


def probes_of(ctx: CheckContext, forward: Located | None) -> dict[Direction, dict[str, float]]:
    """Which directions are probed, with what each step adds; `forward` where a copy first applies what waits."""
    limits: dict[Direction, dict[str, float]] = {direction: {} for direction in Direction}
    if forward is not None:
        limit_s = probe_limit_s(ctx, forward)
        if limit_s is None:
            del limits[Direction.FORWARD]
        else:
            limits[Direction.FORWARD] = {"limit_s": round(limit_s)}
    return limits


def loss_of(ctx: CheckContext, given_up: OrphanReport | None) -> dict[str, Any]:
    """The survivor loses nothing; a rebuild gives up what only the other side had."""
    sentence = f"{ctx.link.active.name} keeps everything and goes on taking writes."
    if given_up is None or given_up.state == "none":
        return {"transactions": 0, "seconds": 0, "detail": sentence}
    count = given_up.transactions if given_up.state == "found" else None
    return {"transactions": count, "seconds": None, "detail": f"{sentence} {given_up.detail}"}


def backlog_findings(ctx: CheckContext, located: Iterable[Located]) -> Iterator[Finding]:
    """A copy far behind is attached and catches up by itself; nobody holds a run for that long."""
    for one in located:
        if one.is_proven and probe_limit_s(ctx, one) is None:
            yield Finding(
                "rebuild_backlog_large",
                Severity.WARNING,
                f"{backlog(ctx, one):,} transactions wait for {one.receiving} since its backup: the forward channel is "
                "not probed, its first groups are compared, and it catches up after the run.",
                "Wait until its lag is gone before a switchover or failback.",
            )


def rebuild_findings(ctx: CheckContext, options: Mapping[str, Any]) -> Iterator[Finding]:
    """What stands in the way of attaching a copy, each by name; the guide where there is none yet."""
    back = returned_side(ctx.link)
    if back is None:
        return
    survivor = ctx.link.active
    if any(uses_gtid(move) for move in ctx.moves):
        yield _by_gtid(ctx, back)
    if back.kind is Incarnation.REBOOTSTRAPPED:
        yield _begun_anew(back)
    elif back.kind is not Incarnation.REBUILT:
        yield _guide_finding(ctx, back, donor_for(ctx, options.get("source_node")).node.node.name)
    elif back.state_uuid == survivor.recorded_state_uuid:
        yield _same_name(ctx, back)
    elif not options.get(BACKUP):
        yield Finding(
            "backup_position_missing",
            Severity.BLOCKER,
            f"{back.side.name} is a copy of {survivor.name}, and it is not said where it was taken.",
            f"Give the backup's own position: {FORMS}.",
            {"option": BACKUP},
        )
    else:
        yield Finding(
            "side_rebuilt",
            Severity.OK,
            f"{back.side.name} is another incarnation ({(back.state_uuid or '')[:8]}) and logged nothing of its own.",
            facts={"state_uuid": back.state_uuid},
        )


def wrong_action_findings(ctx: CheckContext) -> Iterator[Finding]:
    """A copy has no history of its own: only the way of a rebuild fits it."""
    back = returned_side(ctx.link)
    if back is not None and back.kind is Incarnation.REBUILT:
        yield Finding(
            "side_was_rebuilt",
            Severity.BLOCKER,
            f"{back.side.name} was rebuilt: nothing of what it held before is left on it.",
            "Choose the rebuild, and give the position where its backup was taken.",
            {"state_uuid": back.state_uuid, "option": BACKUP},
        )


def _guide_finding(ctx: CheckContext, back: ReturnedSide, donor: str) -> Finding:
    first = ctx.pair[1].node
    now = "is away" if back.kind is Incarnation.AWAY else "is still the side that was lost"
    if back.kind is Incarnation.UNKNOWN:
        now = "cannot be told: its nodes do not show one state UUID, or not what they logged"
    return Finding(
        "rebuild_by_hand",
        Severity.BLOCKER,
        f"{back.side.name} is to be copied anew from {ctx.link.active.name} and {now}; Hawser carries no data itself.",
        "Export the orphans, then follow the guide. Hawser waits for nothing: once the copy is up it is "
        "recognised, and this way attaches it.",
        {"donor": donor, "first": first.name, "is": back.kind.value},
    )


def _begun_anew(back: ReturnedSide) -> Finding:
    return Finding(
        "not_rebuilt",
        Severity.BLOCKER,
        f"{back.side.name} has another state UUID, and the log of {', '.join(back.nodes_with_own_writes)} holds "
        "transactions of its own: it was bootstrapped anew with its old data, or it took writes since it was copied.",
        "If it was copied: copy it again and keep it read_only until it is attached. "
        "If not, scan its orphans and attach, undo or replay.",
        {"nodes": list(back.nodes_with_own_writes), "state_uuid": back.state_uuid},
    )


def _same_name(ctx: CheckContext, back: ReturnedSide) -> Finding:
    first = ctx.pair[1].node.name
    return Finding(
        "rebuilt_state_uuid_shared",
        Severity.BLOCKER,
        f"{back.side.name} runs under the state UUID of {ctx.link.active.name}: two clusters with one name for two "
        "histories. A grastate.dat was copied or written.",
        f"Stop {back.side.name}, remove grastate.dat on {first}, start it with --wsrep-new-cluster: it then takes a "
        "UUID of its own. Let the others join anew.",
        {"state_uuid": back.state_uuid},
    )


def _by_gtid(ctx: CheckContext, back: ReturnedSide) -> Finding:
    return Finding(
        "rebuild_by_gtid",
        Severity.BLOCKER,
        f"The channels follow GTIDs, and a copied {back.side.name} numbers its own transactions on from the sequence "
        f"of {ctx.link.active.name}, not from its own: GTIDs may come twice or go back.",
        f"Rebuild {back.side.name} outside of Hawser, or run the link by file and position (MASTER_USE_GTID=no).",
    )
