"""Measurements that write to the probe schema."""

from __future__ import annotations

from backend.audit.action_catalogue.entry import ActionEntry, Values
from backend.common.documented_field import DocumentedField

_KIND = (
    DocumentedField("cluster_id", "string", "id of the cluster that was written to"),
    DocumentedField("kind", "string", "`commits` or `heartbeat`"),
)
CALIBRATION = (
    ActionEntry(
        actions=("api:calibration:start",),
        title="A measurement that writes to the probe schema was started",
        who="An operator.",
        recorded_when="It was permitted, before the first write.",
        identifies="`link_id`, where it is of a link; `target`: id of the calibration",
        values=Values.ADDED,
        facts=(
            *_KIND,
            DocumentedField("node", "string", "name of the node that writes"),
            DocumentedField("seconds", "number", "its longest time; of commits"),
            DocumentedField("writers", "array of numbers", "writers at a time; of commits"),
            DocumentedField("rows", "number", "rows for each number of writers, at most; of a heartbeat all of them"),
            DocumentedField("row_bytes", "number", "bytes of a row; of commits"),
            DocumentedField("pause_s", "number", "seconds between them; of a heartbeat"),
        ),
    ),
    ActionEntry(
        actions=("api:calibration:end",),
        title="A measurement that writes to the probe schema ended",
        who="An operator.",
        recorded_when="Its result was stored.",
        identifies="`link_id`, where it is of a link; `target`: id of the calibration",
        values=Values.ADDED,
        facts=(
            *_KIND,
            DocumentedField("state", "string", "`finished`, `stopped` or `failed`"),
            DocumentedField("stop_code", "string", "why it stopped; empty otherwise"),
        ),
    ),
)
