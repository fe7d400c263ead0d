"""Semi-synchronous replication of one node: whether its commits wait for replicas, and whether it acknowledges.

On a Galera node the wait is that of every commit that enters its binary log, those of its appliers and of its channels
included. Once its receive queue is full, flow control stops the commits of the whole cluster (measured on MariaDB
10.11.19; docs/evidence/measured-facts.md).
"""

from __future__ import annotations

from dataclasses import dataclass

from backend.core.plural import pick, pluralize
from backend.core.topology import NodeFacts

ENABLED = "rpl_semi_sync_master_enabled"
ACKNOWLEDGES = "rpl_semi_sync_slave_enabled"
CLIENTS = "rpl_semi_sync_master_clients"
ACTIVE = "rpl_semi_sync_master_status"
SESSIONS = "rpl_semi_sync_master_wait_sessions"
TIMEOUT = "rpl_semi_sync_master_timeout"
WITHOUT_REPLICA = "rpl_semi_sync_master_wait_no_slave"
_NEEDED = "rpl_semi_sync_source_wait_for_replica_count"


@dataclass(frozen=True, slots=True)
class SemiSync:
    """Facts of one node; None is unknown.

    `is_on`: it is to wait. `is_active`: it does now, not fallen back to asynchronous by a timeout. `clients` counts the
    connected replicas that acknowledge, `sessions` the commits that wait now. `waits_without_replica`: also while fewer
    replicas than `needed` are connected. `acknowledges`: a channel that is started on it does; `is_acknowledging`: one
    does now.
    """

    is_on: bool | None
    is_active: bool | None
    clients: int | None
    sessions: int | None
    timeout_s: float | None
    waits_without_replica: bool | None
    needed: int
    acknowledges: bool | None
    is_acknowledging: bool | None

    @property
    def may_acknowledge(self) -> bool:
        """Whether a channel of it may acknowledge now: one that is connected goes on to after the setting is off."""
        return self.acknowledges is not False or self.is_acknowledging is not False

    @property
    def is_short(self) -> bool:
        """Whether too few replicas acknowledge, so far as that is known."""
        return self.clients is None or self.clients < self.needed

    @property
    def holds_commits(self) -> bool:
        """Whether each commit waits until its timeout, because too few replicas acknowledge."""
        return (
            bool(self.is_on)
            and self.is_active is not False
            and self.is_short
            and self.waits_without_replica is not False
        )

    @property
    def longest(self) -> str:
        """How long one commit waits at most, in words."""
        return "for an unknown time" if self.timeout_s is None else f"up to {self.timeout_s:g} s"


def semi_sync_of(node: NodeFacts) -> SemiSync:
    """What a poll read of it."""
    timeout_ms = _number(node, TIMEOUT)
    return SemiSync(
        is_on=_switch(node, ENABLED),
        is_active=_switch(node, ACTIVE),
        clients=_number(node, CLIENTS),
        sessions=_number(node, SESSIONS),
        timeout_s=None if timeout_ms is None else timeout_ms / 1000,
        waits_without_replica=_switch(node, WITHOUT_REPLICA),
        needed=_number(node, _NEEDED) or 1,
        acknowledges=_switch(node, ACKNOWLEDGES),
        is_acknowledging=_switch(node, "rpl_semi_sync_slave_status"),
    )


def why_commits_wait(node: NodeFacts) -> str | None:
    """The sentence of a node whose commits wait for a replica that is not there; None where none does."""
    seen = semi_sync_of(node)
    if not node.is_up or not seen.holds_commits:
        return None
    now = f": {pluralize(seen.sessions, 'commit')} {pick(seen.sessions, 'waits', 'wait')} now" if seen.sessions else ""
    given = f"only {pluralize(seen.clients, 'replica')}" if seen.clients else "no replica"
    return (
        f"Commits of {node.node.name} wait for a semi-synchronous acknowledgement{now}, {seen.longest} each, and "
        f"{given} would give it"
    )


def _switch(node: NodeFacts, name: str) -> bool | None:
    """ON or OFF; MySQL shows some as 1 and 0."""
    return {"ON": True, "1": True, "OFF": False, "0": False}.get((node.variable(name) or "").upper())


def _number(node: NodeFacts, name: str) -> int | None:
    text = node.variable(name) or ""
    return int(text) if text.isdigit() else None
