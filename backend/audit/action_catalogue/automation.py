"""What Hawser does automatically, and what users let it do: relocate, start, fence, rehearse."""

from __future__ import annotations

from backend.audit.action_catalogue.entry import ActionEntry, Values
from backend.common.documented_field import DocumentedField

_AUTOMATION = "Hawser itself. `actor` is `automation`."
_LINK = "`link_id` and `target`: id of the link"
_PLAN = "`link_id`; `target`: id of the plan; `reason`: why"
_ON_LOSS = (
    DocumentedField("mode", "string", "`off`, `propose` or `execute`"),
    DocumentedField("loss_for_s", "integer, seconds", "how long a node must be down"),
    DocumentedField("block_s", "integer, seconds", "pause after an automatic relocate"),
)
_PER_HOUR = DocumentedField("most_per_hour", "integer", "most starts within an hour")
_MAINTENANCE = DocumentedField("maintenance_id", "string", "id of the maintenance")
_KIND = DocumentedField("kind", "string", "the operation")

AUTOMATION = (
    ActionEntry(
        actions=("api:automation:set",),
        title="The automatic relocate was set",
        who="An administrator.",
        recorded_when="Mode or times were set.",
        identifies=_LINK,
        values=Values.AFTER,
        facts=_ON_LOSS,
    ),
    ActionEntry(
        actions=("api:automation:acknowledge",),
        title="An automatic relocate was acknowledged",
        who="An operator.",
        recorded_when="The pause after the last automatic relocate was ended.",
        identifies=f"{_LINK}; `reason`: the comment",
        values=Values.NONE,
    ),
    ActionEntry(
        actions=("monitor:automation:propose",),
        title="A relocate was proposed",
        who=_AUTOMATION,
        recorded_when="A node was lost for long enough, and the plan is ready.",
        identifies=_PLAN,
        values=Values.NONE,
        facts=_ON_LOSS,
    ),
    ActionEntry(
        actions=("monitor:automation:execute",),
        title="A relocate was started automatically",
        who=_AUTOMATION,
        recorded_when="The run was started; its own records follow.",
        identifies=f"{_PLAN}; `run_id`",
        values=Values.NONE,
        facts=_ON_LOSS,
    ),
    ActionEntry(
        actions=("monitor:automation:held",),
        title="A relocate was due and not possible",
        who=_AUTOMATION,
        recorded_when="The plan was refused or could not be created or run. One record for each reason.",
        identifies=f"{_PLAN}, if there is one",
        values=Values.NONE,
        facts=_ON_LOSS,
    ),
    ActionEntry(
        actions=("api:automatic_start:set",),
        title="The automatic start was set",
        who="An administrator.",
        recorded_when="It was switched on or off, or its limit was set.",
        identifies=_LINK,
        values=Values.AFTER,
        facts=(DocumentedField("enabled", "boolean", "whether a stopped channel is started"), _PER_HOUR),
    ),
    ActionEntry(
        actions=("monitor:automatic_start:started",),
        title="A channel was started automatically",
        who=_AUTOMATION,
        recorded_when="The run was started; its own records follow.",
        identifies=f"{_PLAN}; `run_id`",
        values=Values.NONE,
        facts=(_PER_HOUR,),
    ),
    ActionEntry(
        actions=("monitor:automatic_start:held",),
        title="A start was due and not possible",
        who=_AUTOMATION,
        recorded_when="The limit was reached, or the plan could not be run. One record for each reason.",
        identifies=f"{_PLAN}, if there is one",
        values=Values.NONE,
        facts=(_PER_HOUR,),
    ),
    ActionEntry(
        actions=("api:node_maintenance:end",),
        title="A node maintenance was ended",
        who="An operator.",
        recorded_when="The watch of the node was ended before its return.",
        identifies="`link_id`; `target`: id of the node; `run_id`: the run that prepared it; `reason`: why",
        values=Values.NONE,
        facts=(_MAINTENANCE, DocumentedField("stage", "string", "where the maintenance stood")),
    ),
    ActionEntry(
        actions=("monitor:node_maintenance:unfreeze",),
        title="The freeze of a donor's gcache is ended",
        who=_AUTOMATION,
        recorded_when="Before the statement is sent; again, if the donor is found to be frozen still.",
        identifies="`link_id`; `target`: id of the donor; `run_id`: the run that froze it",
        values=Values.NONE,
        facts=(_MAINTENANCE, DocumentedField("sql", "string", "the statement")),
    ),
    ActionEntry(
        actions=("monitor:node_maintenance:ended",),
        title="A node maintenance is over",
        who="Hawser itself, as `automation`, or the operator who ended it.",
        recorded_when="Nothing is frozen any more.",
        identifies="`link_id`; `target`: id of the node; `run_id`: the run that prepared it",
        values=Values.NONE,
        facts=(
            _MAINTENANCE,
            DocumentedField("result", "string", "how it ended"),
            DocumentedField("sentence", "string", "what that rests on"),
        ),
    ),
    ActionEntry(
        actions=("monitor:returned_side:refused",),
        title="A returned side could not be fenced",
        who=_AUTOMATION,
        recorded_when="Nodes of a lost side returned, and the run that fences them was refused. One record each.",
        identifies="`link_id`; `reason`: which nodes, and why",
        values=Values.NONE,
    ),
)
REHEARSALS = (
    ActionEntry(
        actions=("api:rehearsal:hold", "worker:rehearsal:hold"),
        title="An operation was rehearsed",
        who="An operator (`api`), or the schedule (`worker`; `actor` is `schedule`).",
        recorded_when="The rehearsal ended. It changes nothing.",
        identifies="`link_id`; `target`: id of the rehearsal",
        values=Values.NONE,
        facts=(
            _KIND,
            DocumentedField("state", "string", "`passed` or `failed`"),
            DocumentedField("duration_ms", "number, milliseconds", "how long it took"),
        ),
    ),
    ActionEntry(
        actions=("api:rehearsal:schedule",),
        title="The rehearsal schedule was set",
        who="An administrator.",
        recorded_when="The schedule was set.",
        identifies=_LINK,
        values=Values.AFTER,
        facts=(
            DocumentedField("enabled", "boolean", "whether the link is rehearsed automatically"),
            DocumentedField("every_hours", "integer, hours", "interval"),
            DocumentedField("kinds", "list of strings", "operations to rehearse"),
        ),
    ),
)
