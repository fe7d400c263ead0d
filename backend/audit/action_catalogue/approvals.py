"""Approval rules of links, and the change calendar."""

from __future__ import annotations

from backend.audit.action_catalogue.entry import ActionEntry, Values
from backend.common.documented_field import DocumentedField

_ADMIN = "An administrator."
_RULE = "object: `needed`, how many persons approve, and `approvers`, the only ones who may"
_ENTRY_FACTS = (
    DocumentedField("name", "string", "its name"),
    DocumentedField("links", "list of strings", "ids of the links it applies to; empty: all links"),
    DocumentedField("entry", "object", "its times"),
)

APPROVAL_RULES = (
    ActionEntry(
        actions=("api:approval_rule:update",),
        title="The approval rule of a link was changed",
        who=_ADMIN,
        recorded_when="The rule was changed, or a weaker one was requested and waits as a protected change.",
        identifies="`link_id` and `target`: id of the link; `reason`: as it was given",
        values=Values.BOTH,
        facts=(
            DocumentedField("before", _RULE, "the rule before"),
            DocumentedField("after", _RULE, "the rule as requested"),
            DocumentedField("is_pending", "boolean", "whether it waits for a second administrator"),
        ),
    ),
)

CHANGE_CALENDAR = (
    ActionEntry(
        actions=("api:change_calendar:window_create", "api:change_calendar:freeze_create"),
        title="A change window or a freeze was added",
        who=_ADMIN,
        recorded_when="The change calendar has the entry from now on.",
        identifies="`target`: id of the entry; `reason`: as it was given",
        values=Values.ADDED,
        facts=_ENTRY_FACTS,
    ),
    ActionEntry(
        actions=("api:change_calendar:window_delete", "api:change_calendar:freeze_delete"),
        title="A change window or a freeze was deleted",
        who=_ADMIN,
        recorded_when="The change calendar does not have the entry any more.",
        identifies="`target`: id of the entry; `reason`: as it was given",
        values=Values.REMOVED,
        facts=_ENTRY_FACTS,
    ),
    ActionEntry(
        actions=("api:run:override_calendar",),
        title="A run was started in spite of the change calendar",
        who="An approver or an administrator who started it, or an operator at the shell.",
        recorded_when="The run was created.",
        identifies="`link_id`; `run_id` and `target`: id of the run; `reason`: why the calendar was overridden",
        values=Values.ADDED,
        facts=(
            DocumentedField("objections", "list of strings", "what the calendar objected"),
            DocumentedField("break_glass", "boolean", "at the shell, or by a local user who is for emergencies only"),
        ),
    ),
)
