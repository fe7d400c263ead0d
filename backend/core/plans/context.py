"""Builds the context of a link's checks from its facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from backend.core.checks.context import CheckContext, Move, Pair
from backend.core.link_facts import LinkFacts
from backend.core.locate.requests import LocateRequest
from backend.core.plans.target import is_stationary, moves_for


def context_for(
    link: LinkFacts,
    pair: Pair,
    *,
    now_s: float,
    attested_fenced: Iterable[str] = (),
    attested_path: bool = False,
    replication_logins: Mapping[str, str | None] | None = None,
    may_set_semi_sync: Mapping[str, bool] | None = None,
    unfinished_run_id: str | None = None,
    requires_approval: bool = False,
) -> CheckContext:
    """The context of a move of `link` onto `pair`."""
    return CheckContext(
        link=link,
        moves=moves_for(link, pair),
        now_s=now_s,
        attested_fenced=frozenset(attested_fenced),
        attested_path=attested_path,
        replication_logins=dict(replication_logins or {}),
        may_set_semi_sync=dict(may_set_semi_sync or {}),
        unfinished_run_id=unfinished_run_id,
        requires_approval=requires_approval,
    )


def locate_requests(moves: Sequence[Move]) -> tuple[LocateRequest, ...]:
    """The position to be located for each direction of a move."""
    return tuple(
        LocateRequest(
            direction=move.direction,
            new_source_id=move.source.node.id,
            new_replica_id=move.replica.node.id,
            holder_id=move.holder.replica.node.id if move.holder else None,
            old_source_id=move.old_source_id,
            is_moving=not is_stationary(move),
        )
        for move in moves
    )
