"""Sign-in by a provider or directory, and users that come from it."""

from __future__ import annotations

from backend.audit.action_catalogue.access import PUSHES, SESSIONS, TOKENS
from backend.audit.action_catalogue.entry import ActionEntry, Values
from backend.common.documented_field import DocumentedField

_PROVIDER = "The provider or directory. `actor` is `identity-provider`."
_STRANGER = "Any client that reaches the console. `actor` is `anonymous`."
_NAME = "`target`: the user name"
_KIND = DocumentedField("kind", "string", "`oidc` or `ldap`")
_ISSUER = DocumentedField("issuer", "string", "the provider or directory")
_USER = (
    _KIND,
    _ISSUER,
    DocumentedField("role", "string", "role by the groups"),
    DocumentedField("groups", "list of strings", "all groups that the provider told"),
)

PROVIDERS = (
    ActionEntry(
        actions=("session:user:provider_refused",),
        title="A user of a provider was refused",
        who=_STRANGER,
        recorded_when="The provider or directory authenticated the user, and Hawser did not admit the user.",
        identifies="`target`: the name at the provider",
        values=Values.NONE,
        facts=(_KIND, _ISSUER, DocumentedField("code", "string", "code of the [problem](problems.md)")),
    ),
    ActionEntry(
        actions=("session:user:provider_failed",),
        title="A sign-in at a provider failed",
        who=_STRANGER,
        recorded_when="The answer of the provider was refused by it or by a check.",
        identifies="`target`: the issuer; `reason`: why",
        values=Values.NONE,
    ),
    ActionEntry(
        actions=("session:user:local_refused",),
        title="A local password was refused",
        who="Every local user. `actor` is the user.",
        recorded_when="The password was right, and local passwords are for emergencies and other users only.",
        identifies=_NAME,
        values=Values.NONE,
    ),
    ActionEntry(
        actions=("session:user:break_glass",),
        title="A local user signed in in an emergency",
        who="The users of `HAWSER_BREAK_GLASS_USERS`. `actor` is the user.",
        recorded_when="A session was opened with a local password while these are for emergencies only.",
        identifies=_NAME,
        values=Values.NONE,
    ),
    ActionEntry(
        actions=("provider:user:create",),
        title="A user came from a provider",
        who=_PROVIDER,
        recorded_when="The user signed in for the first time and was created.",
        identifies=_NAME,
        values=Values.ADDED,
        facts=_USER,
    ),
    ActionEntry(
        actions=("provider:user:update",),
        title="Groups of a user changed",
        who=_PROVIDER,
        recorded_when="Groups or role differed from the last time. A new role ended all sessions and tokens.",
        identifies=_NAME,
        values=Values.AFTER,
        facts=(
            *_USER,
            DocumentedField("role_before", "string", "the role until now, if it changed"),
            SESSIONS,
            TOKENS,
            PUSHES,
        ),
    ),
    ActionEntry(
        actions=("provider:user:access_ended",),
        title="All access of a user of a provider ended",
        who=_PROVIDER,
        recorded_when="The user was deleted there, has no group with a role any more, or was not confirmed in time.",
        identifies=f"{_NAME}; `reason`: why",
        values=Values.REMOVED,
        facts=(SESSIONS, TOKENS, PUSHES),
    ),
    ActionEntry(
        actions=("provider:session:ended",),
        title="A session of a user of a provider ended",
        who=_PROVIDER,
        recorded_when="The provider did not confirm the session, or could not be asked for too long.",
        identifies=f"{_NAME}; `reason`: why",
        values=Values.REMOVED,
        facts=(SESSIONS,),
    ),
    ActionEntry(
        actions=("provider:logout:sessions_ended",),
        title="The provider signed a user out",
        who=_PROVIDER,
        recorded_when="A valid logout token came by the back channel.",
        identifies="`target`: the subject at the provider, if the token names it",
        values=Values.REMOVED,
        facts=(SESSIONS, DocumentedField("by_session", "boolean", "whether the token named one session")),
    ),
    ActionEntry(
        actions=("provider:logout:refused",),
        title="A logout token was refused",
        who=_STRANGER,
        recorded_when="The token was not signed by the provider, not for this client, too old, or used before.",
        identifies="`target`: the issuer; `reason`: why",
        values=Values.NONE,
    ),
)
