"""The bandwidth of a cluster."""

from __future__ import annotations

from backend.audit.action_catalogue.entry import ActionEntry, Values
from backend.common.documented_field import DocumentedField

BANDWIDTH = (
    ActionEntry(
        actions=("api:bandwidth:capacity",),
        title="The capacity of a cluster's line was entered",
        who="An operator.",
        recorded_when="The capacity was stored or removed. No server is changed by it.",
        identifies="`target`: id of the cluster",
        values=Values.BOTH,
        facts=(
            DocumentedField("before", "object", "`mbit_per_s`: the capacity in Mbit/s until then; null: none"),
            DocumentedField("after", "object", "`mbit_per_s`: the capacity in Mbit/s from then on; null: none"),
        ),
    ),
)
