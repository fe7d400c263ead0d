"""What a run proves in each step and how, told beforehand: some of it cannot be had before the run.

The sentences name sides and nodes as the plan does. Equal claims on several steps are one proof, shown on each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from backend.core.plan import Step

_SETS_UP = frozenset({"change_source", "resume_channel"})
_CLAIMS = {
    "verify_fence": (
        "Clients can no longer write on {fenced}",
        "A write is attempted on every reachable node and must fail. The cluster must then log nothing of its own.",
    ),
    "verify_fence of named nodes": (
        "Clients can no longer write on the returned nodes of {standby}",
        "A write is attempted on each of them and must fail.",
    ),
    "drain": ("{node} has applied everything it received", "Its relay log is applied to the end."),
    "verify_caught_up": (
        "Everything that {side} wrote is on the other side",
        "Its last transaction is found on the other side, and the content is compared.",
    ),
    "verify_no_orphans": (
        "{standby} holds nothing that {active} never received",
        "The last transaction in its own binary log is found on the other side, and the content is compared.",
    ),
    "record_divergence": (
        "The point where {standby} and {active} diverge is recorded",
        "The last transaction of {standby} that was applied is read, with the content of those before it.",
    ),
    "record_state_uuid": (
        "The new history of {side} is recorded",
        "Every member still shows the state UUID that was proven.",
    ),
    "unfence": ("{active} accepts writes", "read_only is read back as OFF on every node that was opened."),
    "locate": (
        "The channels resume at the exact transaction",
        "At least two independent sources must agree on the position, one of them transaction content.",
    ),
    "locate_log_end": (
        "The channel from {node} resumes at the end of its binary log",
        "The end is read twice and must not move.",
    ),
    "verify_equal_data": (
        "{active} and {standby} hold equal data",
        "While neither side can be written, each table's definition and checksum are compared.",
    ),
    "set_gtid_position": (
        "The GTID position is the same on every node",
        "gtid_slave_pos is set to the proven state of the source and read back on each node.",
    ),
    "replay": (
        "Each orphan is on {active} exactly once",
        "Every row is compared with what the orphan found, then written. A marker in the same transaction counts it.",
    ),
    "undo_orphans": (
        "{standby} is back at the point of divergence",
        "Every row is compared with what the orphan left before it is reverted.",
    ),
    "probe": (
        "The {direction} channel replicates",
        "A probe written on {node} is seen on every live node of the other side.",
    ),
    "probe of a failover": (
        "Every live node of {active} replicates",
        "A probe written on {node} is seen on each of them.",
    ),
    "verify": ("No direction has a second channel", "The channels of every node that answers are read again."),
    "verify of channels set up": (
        "No transaction is missing or duplicated around the resume position",
        "Transactions around the position are compared on both sides. Each direction must have exactly one channel.",
    ),
    "verify of a failover": (
        "No channel replicates from {standby} any more",
        "Every channel that can be read is read: none may come from the lost side.",
    ),
    "recheck_settings": (
        "The settings are as planned, and no other run has the cluster",
        "Every value is read from its server. Another value, or another run on the cluster, sends nothing.",
    ),
    "set_setting": (
        "{node} has the new value and is as healthy as before",
        "The value is read back. The node must be Primary and Synced, and its cluster as large as before.",
    ),
    "verify_node_health": (
        "{node} stays healthy with its new settings",
        "It is watched: Primary, Synced, the cluster as large as before and not formed again.",
    ),
    "verify_settings": (
        "Every node has the new settings",
        "Every value is read from its server again, and each node must be healthy.",
    ),
    "semi_sync_off": (
        "No commit of {node} waits for a semi-synchronous acknowledgement",
        "The variable is read back as OFF, and no session waits.",
    ),
    "semi_sync_on": (
        "Commits of {node} wait for acknowledgements again",
        "It is turned on once a replica that acknowledges is connected, and read back.",
    ),
    "verify_commits": (
        "Commits on {node} go on",
        "One row of Hawser's own is committed within 15 s, and none waits for a replica that is not there.",
    ),
    "read_gcaches": (
        "What {node} applied is known, and from where on each donor could send an IST",
        "wsrep_last_committed and wsrep_local_cached_downto are read of every member.",
    ),
    "freeze_gcache": (
        "{node} drops no write-set that the stopped node will be missing",
        "The provider's option is read back.",
    ),
    "verify_channels_removed": (
        "No node has a channel of the link any more",
        "Every node of both sides reports its channels, or was expelled. None may come from the other side.",
    ),
}
"""Claim and method by code of the step, or by what the step proves in some plans.

A step that is not named proves no more than that its statement took effect.
"""


class ProofFailure(StrEnum):
    """What becomes of the run where the proof fails: its steps are undone, or it stops where it is."""

    REVERTED = "reverted"
    NEEDS_OPERATOR = "needs_operator"


@dataclass(frozen=True, slots=True)
class StepProof:
    """What the run proves in a step; equal claims on several steps are one proof."""

    claim: Annotated[str, "What holds once the step is done."]
    method: Annotated[str, "How that is shown."]
    on_failure: Annotated[
        ProofFailure,
        "What becomes of the run where the proof fails: `reverted` undoes its steps and ends it, "
        "`needs_operator` stops it where it is.",
    ]


def proofs_of(steps: Sequence[Step], target: Mapping[str, Any]) -> list[StepProof | None]:
    """For each step of a plan what the run proves in it; None where the step is proven by nothing but itself.

    `target` is the plan's: `active_name` accepts writes afterwards, `standby_name` does not.
    """
    codes = frozenset(step.code for step in steps)
    sides = {
        "active": target.get("active_name") or "the active side",
        "standby": target.get("standby_name") or "the fenced side",
    }
    closed_from = next((at for at, step in enumerate(steps) if step.point_of_no_return), len(steps))
    return [_proof(step, codes, sides, is_reverted=at < closed_from) for at, step in enumerate(steps)]


def _proof(step: Step, codes: frozenset[str], sides: Mapping[str, str], *, is_reverted: bool) -> StepProof | None:
    sentences = _CLAIMS.get(_claim_key(step, codes))
    if sentences is None:
        return None
    names = {
        **sides,
        "node": step.node or "the node",
        "side": step.params.get("side") or "the side",
        "fenced": step.params.get("side") or sides["standby"],
        "direction": step.params.get("direction") or "new",
    }
    claim, method = (text.format(**names) for text in sentences)
    return StepProof(claim, method, ProofFailure.REVERTED if is_reverted else ProofFailure.NEEDS_OPERATOR)


def _claim_key(step: Step, codes: frozenset[str]) -> str:
    """The steps that prove another thing in another plan; the step itself tells the plans apart the same way."""
    if step.code == "verify_fence" and "node_ids" in step.params:
        return "verify_fence of named nodes"
    if step.code in ("probe", "verify") and "record_divergence" in codes:
        return f"{step.code} of a failover"
    if step.code == "verify" and codes & _SETS_UP:
        return "verify of channels set up"
    return step.code
