"""Destinations of notifications."""

from __future__ import annotations

from backend.audit.action_catalogue.entry import ActionEntry, Values
from backend.common.documented_field import DocumentedField

_ADMIN = "An administrator."
_DESTINATION = "`target`: id of the destination; `link_id` if it is of one link"
_RECEIVER = DocumentedField("receiver", "string", "where it leads, without secrets and addresses of people")
_FACTS = (
    DocumentedField("name", "string", "its name"),
    DocumentedField("service", "string", "`email`, `slack`, `teams`, `pagerduty` or `opsgenie`"),
    DocumentedField("kinds", "list of strings", "beginnings of kinds of events; empty: all"),
    DocumentedField("min_severity", "string", "least severity of events"),
    DocumentedField("enabled", "boolean", "whether it is notified"),
    DocumentedField("settings", "list of strings", "names of the settings that were sent, without values"),
    _RECEIVER,
)

DESTINATIONS = (
    ActionEntry(
        actions=("api:destination:create",),
        title="A destination was created",
        who=_ADMIN,
        recorded_when="The destination was created.",
        identifies=_DESTINATION,
        values=Values.ADDED,
        facts=_FACTS,
    ),
    ActionEntry(
        actions=("api:destination:update",),
        title="A destination was changed",
        who=_ADMIN,
        recorded_when="The destination was changed. `facts` has the fields that were sent.",
        identifies=_DESTINATION,
        values=Values.AFTER,
        facts=_FACTS,
    ),
    ActionEntry(
        actions=("api:destination:delete",),
        title="A destination was deleted",
        who=_ADMIN,
        recorded_when="The destination was deleted with its deliveries.",
        identifies=_DESTINATION,
        values=Values.REMOVED,
        facts=(*_FACTS[:2], _RECEIVER),
    ),
    ActionEntry(
        actions=("api:destination:test",),
        title="A destination was tested",
        who=_ADMIN,
        recorded_when="A test was requested. A worker sends it; the delivery has its outcome.",
        identifies=_DESTINATION,
        values=Values.NONE,
        facts=(DocumentedField("delivery", "string", "id of the delivery"), _RECEIVER),
    ),
)
