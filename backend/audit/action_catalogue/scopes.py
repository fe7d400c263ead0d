"""Teams, roles that are assigned for a scope, and environments."""

from __future__ import annotations

from backend.audit.action_catalogue.access import ROLE_NAMES
from backend.audit.action_catalogue.entry import ActionEntry, Values
from backend.common.documented_field import DocumentedField

_ADMIN = "An administrator."
_TEAM = (
    DocumentedField("name", "string", "its name"),
    DocumentedField("members", "list of strings", "user names of its members"),
)
_ASSIGNMENT = (
    DocumentedField("user", "string or null", "the user who has the role; null for a team"),
    DocumentedField("team", "string or null", "name of the team whose members have the role; null for a user"),
    DocumentedField("role", "string", ROLE_NAMES),
    DocumentedField("scope_kind", "string", "`everything`, `environment`, `cluster` or `link`"),
    DocumentedField("scope", "string", "name of the environment, or id of the cluster or link; blank for everything"),
    DocumentedField("expires_at", "string, RFC 3339 in UTC, or null", "when the role ends; null without an end"),
)
_ENVIRONMENT = (
    DocumentedField("before", "object", "`environment` until then; blank for none"),
    DocumentedField("after", "object", "`environment` from now on; blank for none"),
)

SCOPES = (
    ActionEntry(
        actions=("api:team:create",),
        title="A team was created",
        who=_ADMIN,
        recorded_when="The team was created.",
        identifies="`target`: id of the team",
        values=Values.ADDED,
        facts=_TEAM,
    ),
    ActionEntry(
        actions=("api:team:update",),
        title="A team was changed",
        who=_ADMIN,
        recorded_when="Its name or its members were changed.",
        identifies="`target`: id of the team",
        values=Values.AFTER,
        facts=_TEAM,
    ),
    ActionEntry(
        actions=("api:team:delete",),
        title="A team was deleted",
        who=_ADMIN,
        recorded_when="The team was deleted with the roles that were assigned to it.",
        identifies="`target`: id of the team",
        values=Values.REMOVED,
        facts=_TEAM,
    ),
    ActionEntry(
        actions=("api:role_assignment:create",),
        title="A role was assigned",
        who=_ADMIN,
        recorded_when="The role is in effect. Who counts as a second person by it is a protected change.",
        identifies="`target`: id of the assigned role; `link_id` if it is for a link",
        values=Values.ADDED,
        facts=_ASSIGNMENT,
    ),
    ActionEntry(
        actions=("api:role_assignment:delete",),
        title="An assigned role was ended",
        who=_ADMIN,
        recorded_when="The role has no effect any more.",
        identifies="`target`: id of the assigned role; `link_id` if it was for a link",
        values=Values.REMOVED,
        facts=_ASSIGNMENT,
    ),
    ActionEntry(
        actions=("api:link:environment",),
        title="A link was moved to an environment",
        who=_ADMIN,
        recorded_when="Roles for the environment hold for the link from now on.",
        identifies="`link_id` and `target`: id of the link",
        values=Values.BOTH,
        facts=_ENVIRONMENT,
    ),
    ActionEntry(
        actions=("api:cluster:environment",),
        title="A cluster was moved to an environment",
        who=_ADMIN,
        recorded_when="Roles for the environment hold for the cluster from now on.",
        identifies="`target`: id of the cluster",
        values=Values.BOTH,
        facts=_ENVIRONMENT,
    ),
)
