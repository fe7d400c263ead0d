"""The lab of the demo; elsewhere these actions do not exist."""

from __future__ import annotations

from backend.audit.action_catalogue.entry import ActionEntry, Values
from backend.common.documented_field import DocumentedField

_OPERATOR = "An operator, in the demo."

LAB = (
    ActionEntry(
        actions=("api:lab:kill", "api:lab:freeze", "api:lab:thaw", "api:lab:start"),
        title="A node of the lab was killed, frozen, thawed or started",
        who=_OPERATOR,
        recorded_when="The action was done.",
        identifies="`target`: name of the node",
        values=Values.NONE,
    ),
    ActionEntry(
        actions=("api:lab:site_lose", "api:lab:site_start"),
        title="A site of the lab was lost or started",
        who=_OPERATOR,
        recorded_when="The action was done.",
        identifies="`target`: name of the site",
        values=Values.NONE,
    ),
    ActionEntry(
        actions=("api:lab:rebuild",),
        title="A site of the lab is being rebuilt",
        who=_OPERATOR,
        recorded_when="The rebuild began.",
        identifies="`target`: name of the site",
        values=Values.NONE,
        facts=(DocumentedField("from", "string", "name of the node that is copied"),),
    ),
    ActionEntry(
        actions=("api:lab:load_start", "api:lab:load_stop"),
        title="The write load was started or stopped",
        who=_OPERATOR,
        recorded_when="The action was done.",
        identifies="`target`: `load`",
        values=Values.NONE,
    ),
    ActionEntry(
        actions=("api:lab:load_switch",),
        title="The write load was changed",
        who=_OPERATOR,
        recorded_when="Switches of the load were set. `facts` has those that were sent.",
        identifies="`target`: `load`",
        values=Values.AFTER,
        facts=(
            DocumentedField("both_sides", "boolean", "whether it writes on both sides"),
            DocumentedField("schema_changes", "boolean", "whether it changes tables"),
        ),
    ),
    ActionEntry(
        actions=("api:lab:verify",),
        title="All acknowledged writes are being checked",
        who=_OPERATOR,
        recorded_when="The verification began.",
        identifies="`target`: id of the verification",
        values=Values.NONE,
    ),
)
