"""The console's own record, in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from backend.core.known_groups import AppliedPlace
from backend.core.link_facts import Divergence
from backend.core.ports import HookResponse
from backend.core.positions import FilePosition


@dataclass(slots=True)
class FakeConsole:
    """Implements the core's `Console`; `acts` lists what changed, in order."""

    active: str = ""
    divergence: Divergence | None = None
    acts: list[str] = field(default_factory=list)
    hooks: dict[str, HookResponse] = field(default_factory=dict)
    called: list[tuple[str, str]] = field(default_factory=list)
    unknown_runs: set[str] = field(default_factory=set)
    unapplied_transactions: int | None = None
    on_count: Callable[[], object] = lambda: None
    other_run: str | None = None
    is_maintenance_ended: bool = False

    def knows_run(self, run_id: str) -> bool:
        """All but those named."""
        return run_id not in self.unknown_runs

    def other_run_on(self, cluster_id: str) -> str | None:
        """As prepared."""
        return self.other_run

    def unapplied_behind(self, executed: FilePosition, place: AppliedPlace | None) -> int | None:
        """As prepared."""
        self.on_count()
        return self.unapplied_transactions

    def set_roles(self, active_cluster_id: str, standby_cluster_id: str) -> None:
        """Swap, once."""
        if self.active != active_cluster_id:
            self.active = active_cluster_id
            self.acts.append(f"active {active_cluster_id}")

    def record_divergence(self, divergence: Divergence) -> None:
        """Keep it."""
        self.divergence = divergence
        self.acts.append(f"invalidated {divergence.lost_cluster_id}")

    def reconcile(self, lost_cluster_id: str, state_uuid: str | None) -> None:
        """It may be a source."""
        if self.divergence is not None:
            self.divergence = replace(self.divergence, is_reconciled=True)
        self.acts.append(f"reconciled {lost_cluster_id}")

    def accept_state_uuid(self, cluster_id: str, state_uuid: str) -> None:
        """Keep it."""
        self.acts.append(f"state_uuid {cluster_id} {state_uuid}")

    def attach(self, lost_cluster_id: str) -> None:
        """Forget it."""
        self.divergence = None
        self.acts.append(f"attached {lost_cluster_id}")

    def open_maintenance(self, params: Mapping[str, Any]) -> bool:
        """Unless it was ended."""
        self.acts.append("maintenance opened")
        return not self.is_maintenance_ended

    def allow_stop(self, last_seqno: int, logs: Sequence[tuple[str, int]]) -> bool:
        """Unless it was ended."""
        self.acts.append("stop allowed")
        return not self.is_maintenance_ended

    def call_hook(self, hook_id: str, key: str) -> HookResponse:
        """As prepared."""
        self.called.append((hook_id, key))
        return self.hooks.get(hook_id, HookResponse(is_ok=True, sentence="taken"))
