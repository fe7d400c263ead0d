"""An immutable, printable plan: ordered steps with the exact SQL, the proof that it rests on, and a digest.

The digest covers the whole stored plan without exception: everything that an operator reads before confirming, and
everything that controls a worker. The fingerprint covers the facts of the plan. Both are SHA-256 over canonical JSON.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from backend.core.findings import Finding, is_refused

STEPS_VERSION = 7
"""Rises when a step of the same code, or the digest, changes its meaning: the version that made a plan must run it."""
PLAN_LIFETIME_S = 300
"""A plan older than this sends nothing: what it was decided from is old by then."""


def digest_of(value: object) -> str:
    """SHA-256 over canonical JSON (sorted keys, no blanks)."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Step:
    """One step as planned. `params` is everything that its executor needs; `sql` is what an operator reads.

    `sql` holds secrets as `{{secret:NAME}}`, shown masked, and positions that are known only after the channel has
    stopped as `{{forward.file}}` and the like.
    """

    index: int
    code: str
    title: str
    node_id: str | None
    node: str | None
    sql: tuple[str, ...] = ()
    undo: tuple[str, ...] = ()
    point_of_no_return: bool = False
    params: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Plain data, as stored and shown."""
        return {
            "index": self.index,
            "code": self.code,
            "title": self.title,
            "node_id": self.node_id,
            "node": self.node,
            "sql": list(self.sql),
            "undo": list(self.undo),
            "point_of_no_return": self.point_of_no_return,
            "params": dict(self.params),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Step:
        """Inverse of `to_json`."""
        return cls(
            index=data["index"],
            code=data["code"],
            title=data["title"],
            node_id=data["node_id"],
            node=data["node"],
            sql=tuple(data["sql"]),
            undo=tuple(data["undo"]),
            point_of_no_return=data["point_of_no_return"],
            params=data["params"],
        )


LOSS_OF_REFUSED: Mapping[str, Any] = {
    "transactions": None,
    "seconds": None,
    "detail": "The plan is refused and changes nothing. What the operation would lose is not stated.",
}
"""A promise of no loss rests on steps; a refused plan has none."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A decided plan, ready or refused; a refused plan has its reasons and no steps."""

    kind: str
    link_id: str
    link_name: str
    created_at_s: float
    summary: str
    findings: tuple[Finding, ...]
    positions: tuple[Mapping[str, Any], ...]
    loss: Mapping[str, Any]
    steps: tuple[Step, ...]
    fingerprint: Mapping[str, Any]
    target: Mapping[str, Any]
    options: Mapping[str, Any]
    situation: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_refused(self) -> bool:
        """Whether a finding refuses the plan, or it has no steps."""
        return is_refused(self.findings) or not self.steps

    @property
    def stated_loss(self) -> Mapping[str, Any]:
        """The loss that may be said: a refused plan promises nothing; a failover's still tells what was observed."""
        return LOSS_OF_REFUSED if self.is_refused and self.kind != "failover" else self.loss

    @property
    def expires_at_s(self) -> float:
        """Unix time after which the plan sends nothing."""
        return self.created_at_s + PLAN_LIFETIME_S

    @property
    def digest(self) -> str:
        """The digest of the whole plan, taken of its stored form, whose keys are all text."""
        return digest_of(json.loads(json.dumps(self.to_json())))

    def to_json(self) -> dict[str, Any]:
        """Plain data, as stored."""
        return {
            "steps_version": STEPS_VERSION,
            "kind": self.kind,
            "link_id": self.link_id,
            "link_name": self.link_name,
            "created_at_s": self.created_at_s,
            "summary": self.summary,
            "findings": [finding.to_json() for finding in self.findings],
            "positions": [dict(p) for p in self.positions],
            "loss": dict(self.loss),
            "steps": [step.to_json() for step in self.steps],
            "fingerprint": dict(self.fingerprint),
            "target": dict(self.target),
            "options": dict(self.options),
            "situation": dict(self.situation),
        }
