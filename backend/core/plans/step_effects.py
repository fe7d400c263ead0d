"""What a step changes, by its code: a plan shows it, above all where no statement does."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar


class StepEffect(StrEnum):
    """What a step acts on; `reads` alone changes nothing."""

    READS = "reads"
    CHANGES_RECORDS = "changes_records"
    CALLS_WEBHOOK = "calls_webhook"
    CHANGES_CHANNEL = "changes_channel"
    STOPS_WRITES = "stops_writes"
    ALLOWS_READS = "allows_reads"
    ALLOWS_WRITES = "allows_writes"
    CHANGES_SETTING = "changes_setting"
    CHANGES_PASSWORD = "changes_password"  # noqa: S105 -- the name of an effect
    WRITES_PROBE = "writes_probe"
    WRITES_ROWS = "writes_rows"
    KEEPS_WRITE_SETS = "keeps_write_sets"
    UNKNOWN = "unknown"


EFFECTS = {
    "recheck": StepEffect.READS,
    "drain": StepEffect.READS,
    "stop_channel": StepEffect.CHANGES_CHANNEL,
    "locate": StepEffect.READS,
    "locate_log_end": StepEffect.READS,
    "reset_channel": StepEffect.CHANGES_CHANNEL,
    "set_gtid_position": StepEffect.CHANGES_CHANNEL,
    "change_source": StepEffect.CHANGES_CHANNEL,
    "start_channel": StepEffect.CHANGES_CHANNEL,
    "resume_channel": StepEffect.CHANGES_CHANNEL,
    "create_probe_schema": StepEffect.WRITES_PROBE,
    "create_probe_table": StepEffect.WRITES_PROBE,
    "probe": StepEffect.WRITES_PROBE,
    "verify": StepEffect.READS,
    "verify_equal_data": StepEffect.READS,
    "verify_channels_removed": StepEffect.READS,
    "hook": StepEffect.CALLS_WEBHOOK,
    "fence": StepEffect.STOPS_WRITES,
    "reject_queries": StepEffect.STOPS_WRITES,
    "unfence": StepEffect.ALLOWS_WRITES,
    "accept_queries": StepEffect.ALLOWS_WRITES,
    "restore_queries": StepEffect.ALLOWS_READS,
    "verify_fence": StepEffect.READS,
    "count_returned_writes": StepEffect.READS,
    "verify_caught_up": StepEffect.READS,
    "verify_no_orphans": StepEffect.READS,
    "record_divergence": StepEffect.CHANGES_RECORDS,
    "swap_roles": StepEffect.CHANGES_RECORDS,
    "reconcile": StepEffect.CHANGES_RECORDS,
    "record_state_uuid": StepEffect.CHANGES_RECORDS,
    "attach": StepEffect.CHANGES_RECORDS,
    "recheck_settings": StepEffect.READS,
    "set_setting": StepEffect.CHANGES_SETTING,
    "verify_node_health": StepEffect.READS,
    "verify_settings": StepEffect.READS,
    "read_gcaches": StepEffect.READS,
    "open_maintenance": StepEffect.CHANGES_RECORDS,
    "skip_freeze": StepEffect.READS,
    "freeze_gcache": StepEffect.KEEPS_WRITE_SETS,
    "allow_stop": StepEffect.CHANGES_RECORDS,
    "prepare_password": StepEffect.CHANGES_RECORDS,
    "add_password": StepEffect.CHANGES_PASSWORD,
    "verify_password": StepEffect.READS,
    "use_password": StepEffect.CHANGES_RECORDS,
    "channel_password": StepEffect.CHANGES_CHANNEL,
    "drop_password": StepEffect.CHANGES_PASSWORD,
    "semi_sync_off": StepEffect.CHANGES_SETTING,
    "semi_sync_on": StepEffect.CHANGES_SETTING,
    "verify_commits": StepEffect.WRITES_PROBE,
    "disable_event": StepEffect.CHANGES_SETTING,
    "enable_event": StepEffect.CHANGES_SETTING,
    "replay": StepEffect.WRITES_ROWS,
    "undo_orphans": StepEffect.WRITES_ROWS,
}
"""By the code of every kind of step."""
_SENTENCES = {
    StepEffect.READS: "Reads only; changes nothing.",
    StepEffect.CHANGES_RECORDS: "Changes Hawser's records, nothing on the servers.",
    StepEffect.CALLS_WEBHOOK: "Calls the webhook.",
    StepEffect.CHANGES_CHANNEL: "Changes a replication channel.",
    StepEffect.STOPS_WRITES: "Closes the node to writes.",
    StepEffect.ALLOWS_READS: "Answers clients again; the node stays read-only.",
    StepEffect.ALLOWS_WRITES: "Opens the node to writes.",
    StepEffect.CHANGES_SETTING: "Changes a setting of the server until its restart.",
    StepEffect.CHANGES_PASSWORD: "Changes how an account of Hawser logs in; rows stay as they are.",
    StepEffect.WRITES_PROBE: "Writes one row into Hawser's own probe table.",
    StepEffect.WRITES_ROWS: "Writes rows of the application.",
    StepEffect.KEEPS_WRITE_SETS: "Keeps the donor's write-sets; its gcache grows until the maintenance is over.",
    StepEffect.UNKNOWN: "This version of Hawser does not know this step.",
}
_OWN_SENTENCES = {
    "verify_fence": "Attempts a write that must fail; changes nothing.",
    "reject_queries": "Rejects all queries of clients on the node.",
    "disable_event": "Stops an event from running on this side.",
    "enable_event": "Lets an event run on this side.",
    "replay": "Writes the rows of the orphans, one transaction at a time. Each row is compared first.",
    "undo_orphans": "Reverts the rows of the orphans, one transaction at a time. Each row is compared first.",
}
"""Where a code has more to say than what it acts on."""


@dataclass(frozen=True, slots=True)
class ShownEffect:
    """What a step changes, also where no statement shows it."""

    component: ClassVar[str] = "StepEffect"
    kind: Annotated[StepEffect, "What the step acts on; `reads` changes nothing."]
    sentence: str


def effect_of(code: str) -> ShownEffect:
    """The effect of steps of that code; `unknown` for a code of another version."""
    kind = EFFECTS.get(code, StepEffect.UNKNOWN)
    return ShownEffect(kind, _OWN_SENTENCES.get(code, _SENTENCES[kind]))
