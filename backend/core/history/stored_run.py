"""A run as it is stored, without the database: the input of everything that is told about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

FINAL = frozenset({"succeeded", "failed", "aborted"})


@dataclass(frozen=True, slots=True)
class StoredStep:
    """A step of a run; `params` are those of the plan, `facts` what its proof observed."""

    index: int
    code: str
    node: str | None
    state: str
    params: Mapping[str, Any] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    started_at: datetime | None = None
    ended_at: datetime | None = None

    @property
    def is_done(self) -> bool:
        """Whether its effect stands."""
        return self.state == "succeeded"

    @property
    def is_uncertain(self) -> bool:
        """Whether it began and nothing proves what it left: its effect is unknown."""
        return self.state in ("running", "failed")


@dataclass(frozen=True, slots=True)
class StoredApproval:
    """The approval of a run by a second person, or the exception without one."""

    approver: str
    at: datetime
    is_exception: bool = False
    reviewed_by: str = ""


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run with its plan; `node_names` name nodes by id, as far as they are still registered.

    `divergence` is what is recorded of a failover by now, with the orphans that were found since.
    """

    id: str
    link_id: str
    link_name: str
    kind: str
    state: str
    requested_by: str
    created_at: datetime
    plan: Mapping[str, Any]
    steps: tuple[StoredStep, ...] = ()
    approvals: tuple[StoredApproval, ...] = ()
    needs_approval: bool = False
    reason: str = ""
    outcome: str = ""
    next_action: str = ""
    aborted_by: str = ""
    is_superseded: bool = False
    started_at: datetime | None = None
    ended_at: datetime | None = None
    verification: Mapping[str, Any] | None = None
    node_names: Mapping[str, str] = field(default_factory=dict)
    divergence: Mapping[str, Any] | None = None

    @property
    def is_final(self) -> bool:
        """Whether it has ended."""
        return self.state in FINAL

    @property
    def is_begun(self) -> bool:
        """Whether any of its steps was entered."""
        return any(step.state != "pending" for step in self.steps)

    @property
    def is_verified(self) -> bool:
        """Whether it reached its result and every part of that was verified."""
        return self.state == "succeeded" and (self.verification or {}).get("verdict") == "verified"

    def name_of(self, node_id: str | None) -> str | None:
        """A node's name; None where it is unknown."""
        return self.node_names.get(node_id) if node_id else None
