"""Collects what a tick writes of every link in every tick, and writes it for all of them at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from backend.common.events import services as events
from backend.common.moving_rows import insert_rows, update_rows
from backend.monitoring.models import ChannelRecord, LagSample, LinkStatus, ProofPeriod

_STATUS_MOVES = ("observed_at", "channels", "clusters", "last_ok")
_STATUS_RARE = ("state", "since", "sentence", "detail", "findings", "readiness", "primary_action", "refreshed_at")
_RECORD_MOVES = ("channel", "observed_at", "cert_failures", "applied_at_s")
_RECORD_KEYS = ("link", "direction", "replica_node", "source_node")
_ACCOUNT_KEYS = (*_RECORD_KEYS, "observed_at")
_PROOF_MOVES = ("ended_at", "transactions", "compared")
_PROOF_KEYS = ("link", "source_cluster", "receiving_cluster", "began_at")


@dataclass(slots=True)
class LinkWrites:
    """The rows of a tick; `statuses` are new or changed in more than their positions."""

    statuses: list[LinkStatus] = field(default_factory=list)
    moved_statuses: list[LinkStatus] = field(default_factory=list)
    records: list[ChannelRecord] = field(default_factory=list)
    moved_records: list[ChannelRecord] = field(default_factory=list)
    accounts: list[ChannelRecord] = field(default_factory=list)
    proofs: list[ProofPeriod] = field(default_factory=list)
    samples: list[LagSample] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)

    def add_status(self, row: LinkStatus, values: dict[str, Any]) -> None:
        """Set the columns, and remember the row by what of it changed."""
        is_more = row._state.adding or any(getattr(row, name) != values[name] for name in _STATUS_RARE)  # noqa: SLF001
        for name, value in values.items():
            setattr(row, name, value)
        (self.statuses if is_more else self.moved_statuses).append(row)

    def join(self, other: LinkWrites) -> None:
        """Take over what was collected for one link."""
        self.statuses += other.statuses
        self.moved_statuses += other.moved_statuses
        self.records += other.records
        self.moved_records += other.moved_records
        self.accounts += other.accounts
        self.proofs += other.proofs
        self.samples += other.samples
        self.updated += other.updated

    def write(self) -> None:
        """Write all of it, in a fixed number of statements but for what is new or changed its state."""
        for status in self.statuses:
            status.save()
        for record in self.records:
            record.save()
        update_rows(LinkStatus, self.moved_statuses, _STATUS_MOVES, further=("since",))
        update_rows(ChannelRecord, self.moved_records, _RECORD_MOVES, further=_RECORD_KEYS)
        update_rows(ChannelRecord, self.accounts, ("channel", "account"), further=_ACCOUNT_KEYS)
        update_rows(ProofPeriod, self.proofs, _PROOF_MOVES, further=_PROOF_KEYS)
        insert_rows(LagSample, self.samples)
        events.links_updated(self.updated)
